import { useLocation, useNavigate } from "@remix-run/react";
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { cartCountOf } from "~/domain/store/store-ids";
import type { AccessibleList } from "~/viewer/Viewer";
import type { OtherTabs } from "../../store/cart/other-tabs";
import { eventAddress } from "../../store/storefront/path";
import { useShopLinks } from "../../store/storefront/use-shop-links";
import { liveAfter } from "../../store/visit/read-live";
import {
  isDeletedInStore,
  type LiveProducts,
  type PageShop,
  type ShopVisit,
} from "../../store/visit/visit-context";
import type { Scene } from "../scene/scene-types";

/**
 * State of the shop during a visit; null if there is none.
 * @param given state when the page was rendered
 * @param named id of the cart in the address
 * @param reportUrl see ShopVisit
 */
export function useShopVisit(
  given: PageShop | null,
  named: string | null,
  reportUrl: string | null,
): ShopVisit | null {
  const hasShop = given !== null;
  const [live, setLive] = useState<LiveProducts | null>(given?.live ?? null);
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
  const [attempt, setAttempt] = useState(0);
  const updateCart = useCallback(
    (count: number, handle: string | null) => {
      ownHandle.current = handle ?? ownHandle.current;
      // If cookies are blocked, every tab has a cart of its own.
      if (ownHandle.current === null) sendCount(count);
      // An address that carries a cart keeps it until another cart replaces it.
      startTransition(() =>
        setCart((before) => ({ count, countElsewhere: null, handle: handle ?? before.handle })),
      );
    },
    [sendCount],
  );
  const updateProducts = useCallback(
    (next: LiveProducts) => startTransition(() => setLive((before) => liveAfter(before, next))),
    [],
  );
  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  return useMemo(
    () => (hasShop ? { live, ...cart, reportUrl, attempt, updateProducts, updateCart, retry } : null),
    [hasShop, live, cart, reportUrl, attempt, updateProducts, updateCart, retry],
  );
}

/** While the panel shows the shop, a pin in the space opens the product of its tag, or the event's content. */
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
        const product = shown && !isDeletedInStore(live, shown.id) ? shown : null;
        navigate(product ? links.product(product.id) : links.event);
      },
    }),
    [twin, tags, live, navigate, links],
  );
}

/** Loads the shop's code that is not needed at once; null if it cannot be fetched. */
const loadLate = () => import("../../store/visit/late-shop").catch(() => null);

/**
 * Keeps the cart's count the same in all tabs of an event.
 * @param take receives the count of another tab; must be stable
 * @returns sends a count to the other tabs
 */
function useOtherTabs(isNeeded: boolean, take: (count: number) => void): (count: number) => void {
  // The last segment of an event's address is its id, for every kind of link.
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

/** Pins with the prices of their tags' products. */
export function usePriced<P extends { readonly id: Uuid; readonly label: string }>(
  pins: readonly P[],
  { tags }: Scene,
  live: LiveProducts | null | undefined,
): readonly P[] {
  const [priced, setPriced] = useState<readonly [of: readonly P[], pins: readonly P[]]>([pins, pins]);
  useEffect(() => {
    if (!live?.products) return;
    let isCurrent = true;
    void loadLate().then((late) => {
      if (late && isCurrent) setPriced([pins, late.pricePins(pins, tags, live)]);
    });
    return () => {
      isCurrent = false;
    };
  }, [pins, tags, live]);
  return live?.products && priced[0] === pins ? priced[1] : pins;
}
