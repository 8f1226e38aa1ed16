import { useEffect, useState } from "react";
import { LinkButton } from "~/components/button";
import { Fact } from "~/components/fact";
import { Skeleton } from "~/components/states";
import type { EventFormEvent } from "~/forms/event-form";
import { useTranslation } from "~/i18n/use-translation";
import { useEditorView } from "./editor-context";
import { shopLink } from "./event-page";
import { panelHref } from "./panels";
import { askShopName } from "./store-ask";

/** The store that is connected, and the way to it that visitors have. */
export function ConnectedStore({ event }: { readonly event: EventFormEvent }) {
  const { t } = useTranslation();
  const { eventId } = useEditorView();
  const url = event.saved.spStoreUrl ?? "";
  const visitHref = shopLink(event);
  const [name, setName] = useState<string | null | undefined>();
  // Without scripts the address alone tells which store it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another address or version is another store
  useEffect(() => {
    let gone = false;
    setName(undefined);
    void askShopName(eventId).then((told) => {
      if (!gone) setName(told);
    });
    return () => {
      gone = true;
    };
  }, [eventId, url, event.saved.version]);
  return (
    <div className="grid gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-1 text-sm">
        <div className="needs-script contents">
          <Fact label={t("storeEditor.shop")}>
            {name === undefined ? (
              <Skeleton className="inline-block h-4 w-40 rounded-sm" />
            ) : (
              <span className={name === null ? "text-muted" : "font-semibold"}>
                {name ?? t("storeEditor.shopUnnamed")}
              </span>
            )}
          </Fact>
        </div>
        <Fact label={t("events.storeUrl")}>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-10 items-center text-accent underline underline-offset-4"
          >
            {url}
            <span className="sr-only"> ({t("kit.opensNewTab")})</span>
          </a>
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-2">
        {visitHref && (
          <LinkButton href={visitHref} icon="external" target="_blank">
            {t("storeEditor.visitors")}
          </LinkButton>
        )}
        <LinkButton href={panelHref("event")} variant="quiet" className={visitHref ? undefined : "-ml-4"}>
          {t("editor.store.change")}
        </LinkButton>
      </div>
      {!visitHref && <p className="text-sm text-muted text-phrase">{t("storeEditor.visitorsClosed")}</p>}
    </div>
  );
}
