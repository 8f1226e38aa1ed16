import { useLocation } from "@remix-run/react";
import { useContext } from "react";
import { useTranslation } from "~/i18n/translation";
import { ShopContext } from "../visit/visit-context";
import { type ShopLinks, shopLinks, visitKeys } from "./links";
import { eventUrlPattern } from "./path";

/** The URLs that were computed last, which all components of a page share. */
let latest: { readonly key: string; readonly links: ShopLinks } | null = null;

/** URLs of the shop of the current event. @param latestHandle the cart's id in the latest data of the page */
export function useShopLinks(latestHandle: string | null = null): ShopLinks {
  const { pathname, search } = useLocation();
  const { language } = useTranslation();
  const knownHandle = useContext(ShopContext)?.handle ?? null;
  const handle = latestHandle ?? knownHandle;
  const key = `${pathname}${search} ${language} ${handle}`;
  if (latest?.key !== key) {
    const params = new URLSearchParams(search);
    const links = shopLinks({
      path: eventUrlPattern(pathname),
      keys: visitKeys(params),
      lang: language,
      // The latest data takes precedence, because the URL may contain an expired cart.
      cart: handle ?? params.get("cart"),
    });
    latest = { key, links };
  }
  return latest.links;
}
