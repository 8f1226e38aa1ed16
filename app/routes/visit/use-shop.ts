import { useLocation, useNavigate } from "@remix-run/react";
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { cartCountOf } from "~/domain/store/store-ids";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import type { OtherTabs } from "../shop/other-tabs";
import { eventAddress } from "../shop/path";
import { liveAfter } from "../shop/read-live";
import { useShopLinks } from "../shop/use-shop-links";
import { isGone, type Live, type PageShop, type ShopVisit } from "../shop/visit-context";
import type { Scene } from "./scene-types";

/**
 * What is known of the shop during a visit; null where there is none.
 * @param given what the page knew of it when it was drawn
 * @param named the cart's handle in the address
 * @param tell see ShopVisit
 */
export function useShopVisit(
  given: PageShop | null,
  named: string | null,
  tell: string | null,
): ShopVisit | null {
  const hasShop = given !== null;
  const [live, setLive] = useState<Live | null>(given?.live ?? null);
  const [cart, setCart] = useState<Pick<ShopVisit, "count" | "countElsewhere" | "handle">>({
    count: cartCountOf(named) ?? 0,
    countElsewhere: null,
    handle: named,
  });
  const takeCount = useCallback(
    (count: number) =>
      startTransition(() =>
        setCart((before) => (before.count === count ? before : { ...before, count, countElsewhere: count })),
      ),
    [],
  );
  const sendCount = useOtherTabs(hasShop, takeCount);
  const ownHandle = useRef(named);
  const [round, setRound] = useState(0);
  const tellCart = useCallback(
    (count: number, handle: string | null) => {
      ownHandle.current = handle ?? ownHandle.current;
      // Where no cookie comes back, every tab has a cart of its own.
      if (ownHandle.current === null) sendCount(count);
      // Once the address has to carry a cart, it does so until there is another one.
      startTransition(() =>
        setCart((before) => ({ count, countElsewhere: null, handle: handle ?? before.handle })),
      );
    },
    [sendCount],
  );
  const tellLive = useCallback(
    (next: Live) => startTransition(() => setLive((before) => liveAfter(before, next))),
    [],
  );
  const again = useCallback(() => setRound((before) => before + 1), []);
  return useMemo(
    () => (hasShop ? { live, ...cart, tell, round, tellLive, tellCart, again } : null),
    [hasShop, live, cart, tell, round, tellLive, tellCart, again],
  );
}

/** While the panel shows the shop, a marker in the space leads to the product of its tag, or back to the event's content. */
export function useShopTwin(twin: AccessibleList, { tags }: Scene, shop: ShopVisit | null): AccessibleList {
  const navigate = useNavigate();
  const links = useShopLinks(shop?.handle);
  const live = shop?.live;
  return useMemo(
    () => ({
      ...twin,
      openPin(id) {
        twin.openPin(id);
        if (id === null) return;
        const shown = tags.find((tag) => tag.id === id)?.product;
        const product = shown && !isGone(live, shown.id) ? shown : null;
        navigate(product ? links.product(product.id) : links.event);
      },
    }),
    [twin, tags, live, navigate, links],
  );
}

/** Code of the shop that comes after the page can be used; null where it cannot be fetched. */
const loadLate = () => import("../shop/late-shop").catch(() => null);

/**
 * Keeps the cart's number the same in all tabs that show this event.
 * @param take receives the number that another tab has sent; must be stable
 * @returns sends a number to the other tabs
 */
function useOtherTabs(isNeeded: boolean, take: (count: number) => void): (count: number) => void {
  // The last part of an event's address is its id, whichever link opens it.
  const eventId = eventAddress(useLocation().pathname).split("/").at(-1) ?? "";
  const tabs = useRef<Promise<OtherTabs | undefined>>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    const opened = loadLate().then((late) => late?.openOtherTabs(eventId, take));
    tabs.current = opened;
    return () => void opened.then((line) => line?.close());
  }, [isNeeded, eventId, take]);
  return useCallback((count) => void tabs.current?.then((line) => line?.send(count)), []);
}

/** The markers with the prices of their tags' products, and how old these are. */
export function usePriced<P extends { readonly id: Uuid; readonly label: string }>(
  pins: readonly P[],
  { tags }: Scene,
  live: Live | null | undefined,
): readonly P[] {
  const { language } = useTranslation();
  const [priced, setPriced] = useState<readonly [of: readonly P[], pins: readonly P[]]>([pins, pins]);
  useEffect(() => {
    if (!live?.products) return;
    const following = loadLate().then((late) =>
      late?.followPrices({ pins, tags, live, language }, (shown) => setPriced([pins, shown])),
    );
    return () => void following.then((stop) => stop?.());
  }, [pins, tags, live, language]);
  return live?.products && priced[0] === pins ? priced[1] : pins;
}
