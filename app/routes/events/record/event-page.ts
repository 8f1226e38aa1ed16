/** Data of the event form, and the event's links. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { EventForEditor } from "#functions/services/events/events";
import { eventFormInput } from "~/domain/events/event-form";
import { isLinkOpen } from "~/domain/events/status";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { Event, EventStatusId, Lang, LinkMode, Localized } from "~/domain/shared/model";
import type { EventFormEvent } from "~/forms/events/event-form";

/** Value of the field `intent` of the form that opens a link. */
export const TRY_LINK = "try-link";

/** Reads which link a form names. */
export const readLinkMode = (form: FormData): LinkMode =>
  form.get("mode") === "preview" ? "preview" : "published";

/** Removes the values that the form does not show: the store's token must never reach a browser, and links are added as whole URLs. */
export function withoutSecrets(event: Event): Event {
  return { ...event, accessToken: "", previewAccessToken: "", spAccessToken: null };
}

/** Data of the event form: links as URLs below `origin`, and whether a store token is saved. */
export function formEvent(event: Event, currentStatus: EventStatusId, origin: string): EventFormEvent {
  const createLink = (mode: string, token: string) =>
    `${origin}/event/${mode}/${event.id}?token=${encodeURIComponent(token)}`;
  return {
    saved: withoutSecrets(event),
    hasStoreToken: event.spAccessToken !== null,
    currentStatus,
    previewLink: createLink("preview", event.previewAccessToken),
    publicLink: createLink("published", event.accessToken),
  };
}

/**
 * Data of the form when it opens. It contains the current status, which the cron trigger may not have stored yet, so that saving the form does not
 * revert it.
 */
export function createFormInput(
  { event, currentStatus }: Pick<EventForEditor, "event" | "currentStatus">,
  timeZone: string,
  context: AppLoadContext,
) {
  const currentEvent = { ...withoutSecrets(event), statusId: currentStatus };
  return eventFormInput(currentEvent, timeZone, context.site.urlParams.availableParams);
}

/** Reduces the definitions of the URL parameters to one language, for the browser. */
export function reduceParamsToLanguage(lang: Lang, definitions: UrlParamDefinitions): UrlParamDefinitions {
  const inOneLanguage = (texts: Localized): Localized => ({ ja: "", en: "", [lang]: texts[lang] });
  const params = Object.entries(definitions.params).map(([name, definition]) => [
    name,
    {
      ...definition,
      description: "",
      descriptions: inOneLanguage(definition.descriptions),
      labels:
        definition.labels &&
        Object.fromEntries(
          Object.entries(definition.labels).map(([value, texts]) => [value, inOneLanguage(texts)]),
        ),
    },
  ]);
  return { ...definitions, params: Object.fromEntries(params) };
}

/** URL of the event's shop below the link that visitorLink returns; null if no link is open. */
export function shopLink(event: EventFormEvent): string | null {
  return visitorLink(event)?.replace("?", "/shop?") ?? null;
}

/** Link that is open for visitors, the public one first; null if none is open. */
export function visitorLink({ currentStatus, publicLink, previewLink }: EventFormEvent): string | null {
  if (isLinkOpen(currentStatus, "published")) return publicLink;
  return isLinkOpen(currentStatus, "preview") ? previewLink : null;
}
