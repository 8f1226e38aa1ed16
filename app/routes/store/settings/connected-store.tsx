import { useEffect, useState } from "react";
import { Fact } from "~/components/fact";
import { Icon } from "~/components/icon";
import { Menu, MenuLink } from "~/components/menus/menu";
import { Skeleton } from "~/components/status/states";
import type { StoreStatus } from "~/domain/store/store";
import type { EventFormEvent } from "~/forms/events/event-form";
import { useTranslation } from "~/i18n/translation";
import { useEditorView } from "../../content/editor/editor-context";
import { panelHref } from "../../content/editor/panels";
import { shopLink } from "../../events/record/event-page";
import { type ConnectedShop, requestShop } from "./store-requests";
import { StoreResponses } from "./store-responses";

/** The connected store, and the link to the shop that visitors see. */
export function ConnectedStore({
  event,
  status,
  timeZone,
}: {
  readonly event: EventFormEvent;
  /** Last responses of the store when the page was loaded. */
  readonly status: StoreStatus | null;
  readonly timeZone: string;
}) {
  const { t } = useTranslation();
  const { eventId } = useEditorView();
  const url = event.saved.spStoreUrl ?? "";
  const visitHref = shopLink(event);
  const [shop, setShop] = useState<ConnectedShop | undefined>();
  const responses = shop?.status ?? status;
  const isFailing =
    shop?.name === null ||
    (responses?.failure != null && (!responses.response || responses.failure.at > responses.response.at));
  // Without scripts the page does not show the shop's name.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another URL or version may be another store
  useEffect(() => {
    let cancelled = false;
    setShop(undefined);
    void requestShop(eventId).then((response) => {
      if (!cancelled) setShop(response);
    });
    return () => {
      cancelled = true;
    };
  }, [eventId, url, event.saved.version]);
  return (
    <div className="grid gap-4">
      <div className="flex items-start gap-2">
        <dl className="flex-1 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-6 gap-y-1 text-sm">
          <div className="needs-script contents">
            <Fact label={t("store:shop")}>
              {shop === undefined ? (
                <Skeleton className="inline-block h-4 w-40 rounded-sm" />
              ) : (
                <span className={shop.name === null ? "text-muted" : "font-semibold"}>
                  {shop.name ?? t("store:shopUnnamed")}
                </span>
              )}
            </Fact>
          </div>
          <Fact label={t("events:storeUrl")}>
            <a href={url} target="_blank" rel="noreferrer" className="text-link">
              {url}
              <span className="sr-only"> ({t("shared:opensNewTab")})</span>
            </a>
          </Fact>
        </dl>
        <Menu label={t("store:more")} trigger={<Icon name="more" />}>
          {visitHref && (
            <MenuLink href={visitHref} icon="external" newTab>
              {t("store:visitors")}
            </MenuLink>
          )}
          <MenuLink href={`${panelHref("store")}#event-store`} icon="settings">
            {t(isFailing ? "content:store.connect" : "content:store.change")}
          </MenuLink>
        </Menu>
      </div>
      <StoreResponses status={responses} timeZone={timeZone} />
      {!visitHref && <p className="text-sm text-muted text-phrase">{t("store:visitorsClosed")}</p>}
    </div>
  );
}
