import { useMemo } from "react";
import { hasUrlParamEffect } from "~/domain/events/url-param-groups";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { Lang, LinkMode, Uuid } from "~/domain/shared/model";
import type { EventFormProps } from "~/forms/events/event-form";
import type { FetchTakenNames } from "~/forms/events/use-taken-names";
import { useEverTrue } from "../../content/editor/panel-parts";
import { useFailedForm } from "../../shared/unsent-form";
import { requestConnectionTest } from "../../store/settings/store-requests";
import type { EventPanelProps } from "./event-panel";
import { reportSharedLink } from "./report-shared-link";

/** Data of the editor's page that the event form needs. */
type SettingsPage = Pick<
  EventFormProps,
  "event" | "opened" | "timeZone" | "otherEvents" | "now" | "storeHosts"
> & {
  /** The definitions of the URL parameters as JSON. */
  readonly urlParams: string;
  readonly scene: { readonly source: Parameters<typeof hasUrlParamEffect>[0] };
  readonly shop: { readonly ownStores: readonly unknown[] };
};

/** Requests the languages in which the typed name is in use (name-check.ts). A redirect to the login page does not count as a response. */
const requestTakenNames =
  (eventId: Uuid): FetchTakenNames =>
  async ({ ja, en }) => {
    const query = new URLSearchParams({ ja: ja ?? "", en: en ?? "" });
    const response = await fetch(`/event/${eventId}/name?${query}`, { redirect: "error" });
    if (!response.ok) throw new Error(String(response.status));
    return ((await response.json()) as { readonly taken: readonly Lang[] }).taken;
  };

/** Props of the event form in the panel and in the dialog. `closeHref` is the URL to which closing either of them leads. */
export function useEventSettings({
  page,
  closeHref,
  ...panelProps
}: Pick<EventPanelProps, "outcome" | "guard"> & { readonly page: SettingsPage; readonly closeHref: string }) {
  const failedForm = useFailedForm();
  const { event, opened, urlParams, timeZone, otherEvents, now, storeHosts, scene } = page;
  // Stays true while other panels are open, so that the fields are not rendered again with other values.
  const hadOwnStores = useEverTrue(page.shop.ownStores.length > 0);
  return {
    ...panelProps,
    form: {
      event,
      opened,
      urlParams: useMemo(() => JSON.parse(urlParams) as UrlParamDefinitions, [urlParams]),
      timeZone,
      otherEvents,
      now,
      storeHosts,
      isShowcase: hasUrlParamEffect(scene.source),
      fetchTakenNames: requestTakenNames(event.saved.id),
      onTestStore: requestConnectionTest(event.saved.id),
      onLinkCopied: (mode: LinkMode) => reportSharedLink(event.saved.id, mode, "copied"),
      failedForm,
      hasOwnStores: hadOwnStores && event.saved.spStoreUrl === null,
      cancelHref: closeHref,
    },
  };
}
