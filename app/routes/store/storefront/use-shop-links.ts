import { useLocation } from "@remix-run/react";
import { useContext, useMemo } from "react";
import { useTranslation } from "~/i18n/translation";
import { ShopContext } from "../visit/visit-context";
import { type ShopLinks, shopLinks, visitKeys } from "./links";
import { eventAddress } from "./path";

/**
 * Addresses of the shop of the current event.
 * @param latestHandle the cart's id in the latest data of the page
 */
export function useShopLinks(latestHandle: string | null = null): ShopLinks {
  const { pathname, search } = useLocation();
  const { language } = useTranslation();
  const known = useContext(ShopContext)?.handle ?? null;
  const handle = latestHandle ?? known;
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return shopLinks({
      path: eventAddress(pathname),
      keys: visitKeys(params),
      lang: language,
      // The latest data takes precedence: the address may name an expired cart.
      cart: handle ?? params.get("cart"),
    });
  }, [pathname, search, language, handle]);
}
