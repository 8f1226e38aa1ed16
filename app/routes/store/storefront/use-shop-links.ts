import { useLocation } from "@remix-run/react";
import { useContext, useMemo } from "react";
import { useTranslation } from "~/i18n/translation";
import { ShopContext } from "../visit/visit-context";
import { type ShopLinks, shopLinks, visitKeys } from "./links";
import { eventAddress } from "./path";

/**
 * The addresses of the shop of the event that is open.
 * @param told the cart's handle that the page was told last
 */
export function useShopLinks(told: string | null = null): ShopLinks {
  const { pathname, search } = useLocation();
  const { language } = useTranslation();
  const known = useContext(ShopContext)?.handle ?? null;
  const handle = told ?? known;
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return shopLinks({
      path: eventAddress(pathname),
      keys: visitKeys(params),
      lang: language,
      // What the page was told last: the address may name a cart that has run out.
      cart: handle ?? params.get("cart"),
    });
  }, [pathname, search, language, handle]);
}
