import { useLocation } from "@remix-run/react";
import { useContext, useMemo } from "react";
import { useTranslation } from "~/i18n/use-translation";
import { type ShopLinks, shopLinks } from "./links";
import { eventAddress } from "./path";
import { ShopContext } from "./visit-context";

/** The addresses of the shop of the event that is open. */
export function useShopLinks(): ShopLinks {
  const { pathname, search } = useLocation();
  const { language } = useTranslation();
  const handle = useContext(ShopContext)?.handle ?? null;
  return useMemo(() => {
    const params = new URLSearchParams(search);
    return shopLinks({
      path: eventAddress(pathname),
      token: params.get("token") ?? "",
      lang: language,
      // What the page was told last: the address may name a cart that has run out.
      cart: handle ?? params.get("cart"),
    });
  }, [pathname, search, language, handle]);
}
