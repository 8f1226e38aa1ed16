import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "~/i18n/translation";
import { ShopContext } from "../visit/visit-context";
import { readAccessParams, type ShopLinks, shopLinks } from "./links";
import { withoutShopPath } from "./path";

/** The URLs that were computed last, which all components of a page share. */
let cachedLinks: { readonly key: string; readonly links: ShopLinks } | null = null;

/** URLs of the shop of the current event. @param latestHandle the cart (its id in a short form, with its item count) in the latest data of the page */
export function useShopLinks(latestHandle: string | null = null): ShopLinks {
  const { pathname, search } = useLocation();
  const { language } = useTranslation();
  const contextHandle = useContext(ShopContext)?.handle ?? null;
  const handle = latestHandle ?? contextHandle;
  const key = `${pathname}${search} ${language} ${handle}`;
  if (cachedLinks?.key !== key) {
    const params = new URLSearchParams(search);
    const links = shopLinks({
      path: withoutShopPath(pathname),
      accessParams: readAccessParams(params),
      lang: language,
      // The latest data takes precedence, because the URL may contain an expired cart.
      cart: handle ?? params.get("cart"),
    });
    cachedLinks = { key, links };
  }
  return cachedLinks.links;
}
