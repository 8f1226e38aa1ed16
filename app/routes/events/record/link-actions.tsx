import { useState } from "react";
import { Button, LinkButton } from "~/components/button";
import { worksNowOrLater } from "~/domain/events/status";
import { textIn } from "~/domain/shared/localized";
import type { LinkMode } from "~/domain/shared/model";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import { panelHref } from "../../content/editor/panels";
import { TRY_LINK } from "./event-page";
import { reportSharedLink } from "./report-shared-link";

/** Id of the form that opens a link and records that it was tried. */
export const tryFormId = (mode: LinkMode) => `try-${mode}`;

/**
 * Hidden forms that open the links. They are outside of the event form, because forms cannot contain forms, and buttons in the event form submit
 * them. They are not sent by the router, so that each link opens in its own window.
 */
export const TryLinkForms = () =>
  (["preview", "published"] as const).map((mode) => (
    <form
      key={mode}
      id={tryFormId(mode)}
      method="post"
      action={panelHref("links")}
      target="_blank"
      rel="noopener"
      hidden
    >
      <input type="hidden" name="intent" value={TRY_LINK} />
      <input type="hidden" name="mode" value={mode} />
    </form>
  ));

interface LinkActionsProps {
  readonly event: EventFormEvent;
  readonly mode: LinkMode;
  /** Time of the server's response, in epoch milliseconds. */
  readonly now: number;
}

/**
 * Actions for a link that is open, or that shows its visitors when the event opens.
 * With a mouse, the style sheet shows elements with `data-reveal` while their row (`data-row`) has the pointer or the focus.
 */
export function LinkActions({ event, mode, now }: LinkActionsProps) {
  const { t, language } = useTranslation();
  const [isMailed, setMailed] = useState(false);
  if (!worksNowOrLater(event.saved, mode, now)) return null;
  const body = mode === "preview" ? event.previewLink : event.publicLink;
  const mail = new URLSearchParams({ subject: textIn(event.saved.eventName, language), body });
  return (
    <div data-reveal={mode === "preview" ? "" : undefined} className="-ml-3 flex flex-wrap gap-1">
      <Button variant="quiet" icon="external" type="submit" form={tryFormId(mode)}>
        {t("content:links.open")}
        <span className="sr-only"> ({t("shared:opensNewTab")})</span>
      </Button>
      <LinkButton
        variant="quiet"
        icon="mail"
        href={`mailto:?${mail.toString().replaceAll("+", "%20")}`}
        onClick={() => {
          reportSharedLink(event.saved.id, mode, "mailed");
          setMailed(true);
        }}
      >
        {t("content:links.mail")}
      </LinkButton>
      <p role="status" className="basis-full pl-3 text-xs text-muted empty:sr-only">
        {isMailed && t("content:links.mailOpens")}
      </p>
    </div>
  );
}
