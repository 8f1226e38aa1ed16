import { useLocation, useNavigate } from "@remix-run/react";
import { startTransition, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Uuid } from "~/domain/shared/model";
import { readCartCount } from "~/domain/store/store-ids";
import type { AccessibleList } from "~/viewer/Viewer";
import type { OtherTabs } from "../../store/cart/other-tabs";
import { isPreviewPath } from "../../store/storefront/path";
import { useShopLinks } from "../../store/storefront/use-shop-links";
import { mergeLiveProducts } from "../../store/visit/read-live";
import {
  isDeletedInStore,
  type LiveProducts,
  type PageShop,
  type ShopVisit,
} from "../../store/visit/visit-context";
import type { Scene } from "../scene/scene-types";

/**
 * State of the shop during a visit; null if there is none.
 * @param initial state when the page was rendered
 * @param cartHandle cart in the URL: its id in a short form, with its item count
 * @param reportUrl URL for visit reports; null if visits are not counted
 */
export function useShopVisit(
  eventId: Uuid,
  initial: PageShop | null,
  cartHandle: string | null,
  reportUrl: string | null,
): ShopVisit | null {
  const hasShop = initial !== null;
  const [live, setLive] = useState<LiveProducts | null>(initial?.live ?? null);
  const [cart, setCart] = useState<Pick<ShopVisit, "count" | "otherTabCount" | "handle">>({
    count: readCartCount(cartHandle) ?? 0,
    otherTabCount: null,
    handle: cartHandle,
  });
  const receiveCount = useCallback(
    (count: number) =>
      startTransition(() =>
        setCart((current) =>
          current.count === count ? current : { ...current, count, otherTabCount: count },
        ),
      ),
    [],
  );
  const sendCount = useOtherTabs(eventId, hasShop, receiveCount);
  const ownHandle = useRef(cartHandle);
  const [attempt, setAttempt] = useState(0);
  const updateCart = useCallback(
    (count: number, handle: string | null) => {
      ownHandle.current = handle ?? ownHandle.current;
      // A cart has a handle if cookies are blocked. Then every tab has a cart of its own.
      if (ownHandle.current === null) sendCount(count);
      // The URL keeps its cart until another cart replaces it.
      startTransition(() =>
        setCart((current) => ({ count, otherTabCount: null, handle: handle ?? current.handle })),
      );
    },
    [sendCount],
  );
  const updateProducts = useCallback(
    (next: LiveProducts) => startTransition(() => setLive((current) => mergeLiveProducts(current, next))),
    [],
  );
  const retry = useCallback(() => setAttempt((current) => current + 1), []);
  return useMemo(
    () => (hasShop ? { live, ...cart, reportUrl, attempt, updateProducts, updateCart, retry } : null),
    [hasShop, live, cart, reportUrl, attempt, updateProducts, updateCart, retry],
  );
}

/** While the panel shows the shop, a pin in the space opens the product of its tag, or the event's content. */
export function useShopAccessibleList(
  accessibleList: AccessibleList,
  { tags }: Scene,
  shop: ShopVisit | null,
): AccessibleList {
  const navigate = useNavigate();
  const links = useShopLinks(shop?.handle);
  const live = shop?.live;
  return useMemo(
    () => ({
      ...accessibleList,
      openPin(id) {
        accessibleList.openPin(id);
        if (id === null) return;
        const tagProduct = tags.find((tag) => tag.id === id)?.product;
        const product = tagProduct && !isDeletedInStore(live, tagProduct.id) ? tagProduct : null;
        navigate(product ? links.product(product.id) : links.event);
      },
    }),
    [accessibleList, tags, live, navigate, links],
  );
}

/** Loads the part of the shop's code that the first render does not need; null if it cannot be fetched. */
const loadLate = () => import("../../store/visit/late-shop").catch(() => null);

/**
 * Keeps the cart's count the same in all tabs of an event.
 * @param onCount receives the count of another tab; must be stable
 * @returns a function that sends a count to the other tabs
 */
function useOtherTabs(
  eventId: Uuid,
  hasShop: boolean,
  onCount: (count: number) => void,
): (count: number) => void {
  // An owner's preview has no cart, so its count must not reach the owner's tabs with a visitor's link.
  const { pathname } = useLocation();
  const isNeeded = hasShop && !isPreviewPath(pathname);
  const tabs = useRef<Promise<OtherTabs | undefined>>(undefined);
  useEffect(() => {
    if (!isNeeded) return;
    const openedTabs = loadLate().then((lateShop) => lateShop?.openOtherTabs(eventId, onCount));
    tabs.current = openedTabs;
    return () => void openedTabs.then((otherTabs) => otherTabs?.close());
  }, [isNeeded, eventId, onCount]);
  return useCallback((count) => void tabs.current?.then((otherTabs) => otherTabs?.send(count)), []);
}

/** Pins with the prices of their tags' products. */
export function usePricedPins<P extends { readonly id: Uuid; readonly label: string }>(
  pins: readonly P[],
  { tags }: Scene,
  live: LiveProducts | null | undefined,
): readonly P[] {
  const [pricedPins, setPricedPins] = useState<readonly [source: readonly P[], priced: readonly P[]]>([
    pins,
    pins,
  ]);
  useEffect(() => {
    if (!live?.products) return;
    let isCurrent = true;
    void loadLate().then((lateShop) => {
      if (lateShop && isCurrent) setPricedPins([pins, lateShop.pricePins(pins, tags, live)]);
    });
    return () => {
      isCurrent = false;
    };
  }, [pins, tags, live]);
  return live?.products && pricedPins[0] === pins ? pricedPins[1] : pins;
}
