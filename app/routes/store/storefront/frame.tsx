import { useLocation, useNavigation, useNavigationType, useOutletContext } from "@remix-run/react";
import { type ReactNode, useContext, useEffect, useRef } from "react";
import { Icon } from "~/components/icon";
import { LanguageSwitch } from "~/components/menus/language-switch";
import { Notice } from "~/components/status/notice";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/translation";
import { ShopContext } from "../visit/visit-context";
import { ShopLink } from "./shop-link";
import { useShopLinks } from "./use-shop-links";

/** Data that the event's page passes to the shop's pages. */
export interface ShopOutlet {
  readonly eventName: string;
}

export interface FrameProps {
  /** The current part of the shop; null for a message. */
  readonly page: "products" | "collections" | "cart" | null;
  /** Number of items in the cart; null if unknown. */
  readonly cartCount: number | null;
  /** Cart for the page's links (its id in a short form, with its item count), if cookies are blocked. */
  readonly handle?: string | null;
  /** URL of the page for the language switch, if its own URL contains texts of this language. */
  readonly url?: string | null;
  readonly children: ReactNode;
}

/** Layout of the shop's pages: the link back to the event, the parts of the shop, and the cart with its count. */
export function Frame({ page, cartCount, handle = null, url: switchUrl = null, children }: FrameProps) {
  const { t, language } = useTranslation();
  const { eventName } = useOutletContext<ShopOutlet>();
  const { pathname, search, key } = useLocation();
  const isAfterNavigation = useNavigationType() !== "POP";
  const query = new URLSearchParams(search);
  const listQuery = ["q", "after", "before"].map((name) => query.get(name) ?? "").join(" ");
  const links = useShopLinks(handle);
  const busy = useNavigation().state === "loading";
  const shop = useContext(ShopContext);
  const updateCart = shop?.updateCart;
  // The count in this tab's new data takes precedence over the count of another tab, even if it is equal.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new data of this tab has precedence even if its number is equal
  useEffect(() => {
    if (cartCount !== null) updateCart?.(cartCount, handle);
  }, [updateCart, cartCount, handle, key]);
  const shownCount = shop?.otherTabCount ?? cartCount;
  // A visitor may scroll a document before its script runs, so the first effect keeps the scroll position.
  const isDocument = useRef(!useHydrated());
  // The panel is a scroll container, so a new page or a new part of a list starts at the panel's top. This effect may run after `FocusPageHeading`
  // has moved the focus to the panel. The focus is lost when the followed link is removed with its part of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another page
  useEffect(() => {
    const main = document.getElementById("main");
    if (!isDocument.current) main?.scrollTo(0, 0);
    isDocument.current = false;
    const heading = main?.querySelector<HTMLElement>("h1");
    const focused = document.activeElement;
    if (!heading || !(focused === main || (isAfterNavigation && focused === document.body))) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname, listQuery]);
  // The notice is removed from the URL once it was displayed, so that a reload does not repeat it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another navigation may bring another notice
  useEffect(() => {
    const url = new URL(window.location.href);
    const { size } = url.searchParams;
    for (const name of ["told", "gone"]) url.searchParams.delete(name);
    if (url.searchParams.size === size) return;
    // The history is changed without the router, because nothing has to be loaded or rendered again.
    window.history.replaceState(window.history.state, "", url);
  }, [key]);
  const parts = [
    ["products", links.list(), t("store-visitors:products")],
    ["collections", links.collections, t("store-visitors:collections")],
    ["cart", links.cart, t("store-visitors:cart")],
  ] as const;
  return (
    <div className="grid gap-5 px-5 pt-4 pb-8 sm:px-6" aria-busy={busy || undefined}>
      <header className="grid gap-2">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <ShopLink
            to={links.event}
            className="-ml-1 inline-flex min-h-10 min-w-0 items-center gap-2 rounded px-1 text-sm text-muted no-underline hover:text-ink hover:underline"
          >
            <Icon name="arrow-left" size={16} />
            <span className="sr-only">{t("store-visitors:back")}: </span>
            <span className="min-w-0 wrap-anywhere">{eventName}</span>
          </ShopLink>
          <LanguageSwitch lang={language} url={switchUrl ?? pathname + search} className="-mr-2 ml-auto" />
        </div>
        <nav
          aria-label={t("store-visitors:parts")}
          className="flex flex-wrap gap-x-5 border-b border-line text-sm"
        >
          {parts.map(([part, href, name]) => (
            <ShopLink
              key={part}
              to={href}
              aria-current={part === page ? "page" : undefined}
              className="-mb-px inline-flex min-h-11 items-center gap-1.5 border-b-2 border-transparent text-muted no-underline hover:text-ink aria-[current]:border-accent aria-[current]:font-semibold aria-[current]:text-ink"
            >
              {part === "cart" && <Icon name="cart" size={16} />}
              {name}
              {part === "cart" && shownCount !== null && shownCount > 0 && <CartCount count={shownCount} />}
            </ShopLink>
          ))}
        </nav>
      </header>
      {links.isPreview && <Notice tone="info">{t("store-visitors:preview")}</Notice>}
      {children}
    </div>
  );
}

/** Number of items in the cart, beside its label. */
export function CartCount({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  return (
    <>
      <span
        aria-hidden="true"
        className="grid min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink tabular-nums"
      >
        {count > 999 ? "999+" : count}
      </span>
      <span className="sr-only">{t("store-visitors:inCart", { count })}</span>
    </>
  );
}
