/** What the event editor's loader and action share: the event as its form may see it. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { EventForEditor } from "#functions/services/events/events";
import { eventFormInput } from "~/domain/events/event-form";
import { isLinkOpen } from "~/domain/events/status";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { Event, EventStatusId, Lang, Localized } from "~/domain/shared/model";
import type { EventFormEvent } from "~/forms/event-form";

/** The event without what its form does not show: the store's token never reaches a browser, and links are given whole. */
export function withoutSecrets(event: Event): Event {
  return { ...event, accessToken: "", previewAccessToken: "", spAccessToken: null };
}

/** The form's view of an event: its links below `origin`, and whether a store token is saved. */
export function formEvent(event: Event, currentStatus: EventStatusId, origin: string): EventFormEvent {
  const link = (mode: string, token: string) =>
    `${origin}/event/${mode}/${event.id}?token=${encodeURIComponent(token)}`;
  return {
    saved: withoutSecrets(event),
    hasStoreToken: event.spAccessToken !== null,
    currentStatus,
    previewLink: link("preview", event.previewAccessToken),
    publicLink: link("published", event.accessToken),
  };
}

/**
 * The form as it opens on an event: on the status that holds now, so that saving means the same whether or not the cron
 * trigger has already written down what the dates brought about.
 */
export function openedForm(
  { event, currentStatus }: EventForEditor,
  timeZone: string,
  context: AppLoadContext,
) {
  const now = { ...withoutSecrets(event), statusId: currentStatus };
  return eventFormInput(now, timeZone, context.site.urlParams.availableParams);
}

/** The definitions of the picker with the words of one language alone: what a page carries to the browser. */
export function paramsIn(lang: Lang, definitions: UrlParamDefinitions): UrlParamDefinitions {
  const only = (words: Localized): Localized => ({ ja: "", en: "", [lang]: words[lang] });
  const params = Object.entries(definitions.params).map(([name, definition]) => [
    name,
    {
      ...definition,
      description: "",
      descriptions: only(definition.descriptions),
      labels:
        definition.labels &&
        Object.fromEntries(Object.entries(definition.labels).map(([value, words]) => [value, only(words)])),
    },
  ]);
  return { ...definitions, params: Object.fromEntries(params) };
}

/** Where visitors see the event's shop now, by the link that openLink tells; null when none is open. */
export function shopLink(event: EventFormEvent): string | null {
  return openLink(event)?.replace("?", "/shop?") ?? null;
}

/** The link that is open for visitors, the public one first; null when none is. */
export function openLink({ currentStatus, publicLink, previewLink }: EventFormEvent): string | null {
  if (isLinkOpen(currentStatus, "published")) return publicLink;
  return isLinkOpen(currentStatus, "preview") ? previewLink : null;
}
