import { LinkButton } from "~/components/button";
import { CopyField } from "~/components/copy-field";
import { EmptyState } from "~/components/states";
import { isLinkOpen } from "~/domain/status";
import type { EventFormEvent } from "~/forms/event-form";
import { useTranslation } from "~/i18n/use-translation";
import { panelHref } from "./panels";

/** Whether a store is connected, and where to change that: its address and token are fields of the event. */
export function StorePanel({ event }: { readonly event: EventFormEvent }) {
  const { t } = useTranslation();
  const { spStoreUrl } = event.saved;
  const change = <LinkButton href={panelHref("event")}>{t("editor.store.change")}</LinkButton>;
  if (!spStoreUrl || !event.hasStoreToken)
    return (
      <EmptyState icon="cart" title={t("editor.store.none")} action={change}>
        {t("editor.store.noneText")}
      </EmptyState>
    );
  return (
    <section aria-labelledby="store-title" className="grid gap-4">
      <h2 id="store-title" className="text-base font-semibold">
        {t("events.store")}
      </h2>
      <p className="text-phrase">{t("editor.store.connected")}</p>
      <a
        href={spStoreUrl}
        target="_blank"
        rel="noreferrer"
        className="inline-flex min-h-10 w-fit items-center text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
      >
        {spStoreUrl}
        <span className="sr-only"> ({t("kit.opensNewTab")})</span>
      </a>
      <div>{change}</div>
    </section>
  );
}

/** The event's links, and whether each is open. */
export function LinksPanel({ event }: { readonly event: EventFormEvent }) {
  const { t } = useTranslation();
  const links = [
    ["preview", event.previewLink],
    ["published", event.publicLink],
  ] as const;
  return (
    <section aria-labelledby="links-title" className="grid gap-6">
      <h2 id="links-title" className="text-base font-semibold">
        {t("editor.links.title")}
      </h2>
      {links.map(([mode, link]) => {
        const isOpen = isLinkOpen(event.currentStatus, mode);
        return (
          <div key={mode} className="grid gap-2">
            <CopyField
              id={`${mode}-link`}
              label={t(mode === "preview" ? "events.previewLink" : "events.publicLink")}
              hint={isOpen ? t("events.linkOpen") : t("events.linkClosed")}
              value={link}
            />
            {isOpen && (
              <div className="-ml-3 flex flex-wrap gap-1">
                <LinkButton variant="quiet" icon="external" href={link} target="_blank">
                  {t("editor.links.open")}
                </LinkButton>
                <LinkButton
                  variant="quiet"
                  icon="mail"
                  href={`mailto:?${new URLSearchParams({ subject: event.saved.eventName, body: link }).toString().replaceAll("+", "%20")}`}
                >
                  {t("editor.links.mail")}
                </LinkButton>
              </div>
            )}
          </div>
        );
      })}
      <p className="text-sm text-muted text-phrase">{t("editor.links.status")}</p>
      <LinkButton icon="eye" href={`/event/${event.saved.id}/as-visitor`} className="w-fit">
        {t("editor.links.asVisitor")}
      </LinkButton>
    </section>
  );
}
