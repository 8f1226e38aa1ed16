import { useNavigate } from "@remix-run/react";
import { startTransition, useCallback, useMemo, useState } from "react";
import type { Uuid } from "~/domain/model";
import { cartCountOf } from "~/domain/store-ids";
import type { Twin } from "~/viewer/Viewer";
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
  const [live, setLive] = useState<Live | null>(given?.live ? { products: given.live } : null);
  const [cart, setCart] = useState<Pick<ShopVisit, "count" | "handle">>({
    count: cartCountOf(named) ?? 0,
    handle: named,
  });
  const [round, setRound] = useState(0);
  const tellCart = useCallback((count: number, handle: string | null) => {
    // Once the address has to carry a cart, it does so until there is another one.
    startTransition(() => setCart((before) => ({ count, handle: handle ?? before.handle })));
  }, []);
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
export function useShopTwin(twin: Twin, { tags }: Scene, shop: ShopVisit | null): Twin {
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

/** The markers, with what the products of their tags cost, and what is not in stock of them. */
export function usePriced<P extends { readonly id: Uuid; readonly label: string }>(
  pins: readonly P[],
  { tags }: Scene,
  live: Live | null | undefined,
): readonly P[] {
  return useMemo(() => {
    const wordsOf = new Map(
      tags.flatMap(({ id, product }) => {
        const known = product && live?.products?.[product.id];
        if (!known) return [];
        return [[id, known.isInStock ? known.price : `${known.price} · ${known.state}`] as const];
      }),
    );
    if (wordsOf.size === 0) return pins;
    return pins.map((pin) => {
      const words = wordsOf.get(pin.id);
      return words ? { ...pin, label: `${pin.label} · ${words}` } : pin;
    });
  }, [pins, tags, live]);
}
