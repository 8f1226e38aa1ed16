import { LinkButton } from "~/components/button";
import { CopyField } from "~/components/fields/copy-field";
import { isLinkOpen } from "~/domain/events/status";
import { textIn } from "~/domain/shared/localized";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";

/** Links of the event, and whether each is open. */
export function LinksPanel({
  event,
  mayExport,
}: {
  readonly event: EventFormEvent;
  /** Whether the user may export the event. */
  readonly mayExport: boolean;
}) {
  const { t, language } = useTranslation();
  const links = [
    ["preview", event.previewLink],
    ["published", event.publicLink],
  ] as const;
  return (
    <section aria-labelledby="links-title" className="grid gap-6">
      <h2 id="links-title" className="text-base font-semibold">
        {t("content:links.title")}
      </h2>
      {links.map(([mode, link]) => {
        const isOpen = isLinkOpen(event.currentStatus, mode);
        return (
          <div key={mode} className="grid gap-2">
            <CopyField
              id={`${mode}-link`}
              label={t(mode === "preview" ? "events:previewLink" : "events:publicLink")}
              hint={isOpen ? t("events:linkOpen") : t("events:linkClosed")}
              value={link}
            />
            {isOpen && (
              <div className="-ml-3 flex flex-wrap gap-1">
                <LinkButton variant="quiet" icon="external" href={link} target="_blank">
                  {t("content:links.open")}
                </LinkButton>
                <LinkButton
                  variant="quiet"
                  icon="mail"
                  href={`mailto:?${new URLSearchParams({ subject: textIn(event.saved.eventName, language), body: link }).toString().replaceAll("+", "%20")}`}
                >
                  {t("content:links.mail")}
                </LinkButton>
              </div>
            )}
          </div>
        );
      })}
      <p className="text-sm text-muted text-phrase">{t("content:links.status")}</p>
      <LinkButton icon="eye" href={`/event/${event.saved.id}/as-visitor`} className="w-fit">
        {t("content:links.asVisitor")}
      </LinkButton>
      {mayExport && (
        <div className="grid justify-items-start gap-2 border-t border-line pt-6">
          <LinkButton icon="download" href={`/event/${event.saved.id}/export`} download>
            {t("transfer:export")}
          </LinkButton>
          <p className="text-xs text-muted text-phrase">{t("transfer:exportEventText")}</p>
        </div>
      )}
    </section>
  );
}
