import { useMemo } from "react";
import type { UrlParamDefinitions } from "~/domain/events/url-params";
import type { LinkMode } from "~/domain/shared/model";
import type { EventFormProps } from "~/forms/events/event-form";
import { useFailedForm } from "../../shared/unsent-form";
import { requestConnectionTest } from "../../store/settings/store-requests";
import type { EventPanelProps } from "./event-panel";
import { reportSharedLink } from "./report-shared-link";
import { requestTakenNames } from "./request-taken-names";

/** Data of the editor's page that the event form needs. */
type SettingsPage = Pick<
  EventFormProps,
  "event" | "opened" | "timeZone" | "otherEvents" | "now" | "storeHosts"
> & {
  /** The definitions of the URL parameters as JSON. */
  readonly urlParams: string;
  readonly space: { readonly sid: string | null };
};

/** Props of the event form in the panel and in the dialog. `closeHref` is the URL to which closing either of them leads. */
export function useEventSettings({
  page,
  closeHref,
  ...panelProps
}: Pick<EventPanelProps, "outcome" | "guard"> & { readonly page: SettingsPage; readonly closeHref: string }) {
  const failedForm = useFailedForm();
  const { event, opened, urlParams, timeZone, otherEvents, now, storeHosts, space } = page;
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
      isShowcase: space.sid !== null,
      onAskTaken: requestTakenNames(event.saved.id),
      onTestStore: requestConnectionTest(event.saved.id),
      onLinkCopied: (mode: LinkMode) => reportSharedLink(event.saved.id, mode, "copied"),
      failedForm,
      cancelHref: closeHref,
    },
  };
}
