import { data, type LoaderFunctionArgs, redirect, redirectDocument } from "@remix-run/cloudflare";
import type { ShopReader } from "#functions/services/store/shop-access";
import type { CartResult } from "#functions/services/store/shop-cart";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import type { VisitedItem } from "~/domain/analytics/visit";
import type { RemovedItem, StoreOperation } from "~/domain/store/store";
import { cartHandle, readCartCount } from "~/domain/store/store-ids";
import { languages } from "~/i18n/languages.server";
import { parsePreviewQuery } from "../../events/visitor-preview/preview-query.server";
import { uuidParam } from "../../shared/uuid-param";
import { readVisitorLink, withoutCart } from "../../visitors/page/link.server";
import { createAdjustmentNote } from "../cart/adjustments.server";
import { openCount, openNotice, sealCount, sealNotice } from "../cart/cart-notice.server";
import { readAccessParams, type ShopLinks, shopLinks } from "./links";
import { isPreviewPath, withoutShopPath } from "./path";

type ShopLoaderArgs = Pick<LoaderFunctionArgs, "request" | "params" | "context">;

/**
 * Opens the shop of an event for a visitor or an owner's preview, with the same access check as the event. A locked event redirects to its own page,
 * which has the password form.
 * @param operation what the page requests from the store; error messages name it
 * @throws redirects, 404 for an event without a shop, and 405 for a change in an owner's preview
 */
export async function enterShop(
  { request, params, context }: ShopLoaderArgs,
  operation: StoreOperation = "product",
) {
  const url = new URL(request.url);
  const { lang } = context;
  const path = withoutShopPath(url.pathname);
  const isPreview = isPreviewPath(path);
  // A cart handle is the cart's id in a short form, with its item count. It is in the URL until the browser returns the cart's cookie.
  const handle = isPreview ? null : url.searchParams.get("cart");
  const linksWith = (cart: string | null) =>
    shopLinks({ path, accessParams: readAccessParams(url.searchParams), lang, cart });
  const links = linksWith(handle);
  const { eventId, event, reader } = isPreview
    ? await openPreview({ request, params, context }, links)
    : await openForVisitor({ request, params, context }, links);
  if (!event.hasStore) throw data("no_shop", { status: 404 });
  const cookieCart = isPreview ? null : context.visitor.storedCart(eventId);
  // The browser has returned the cookie, so the cart is removed from the URL.
  if (request.method === "GET" && handle !== null && cookieCart) throw redirect(withoutCart(url));
  const { t } = languages[lang];
  const currentCart = cookieCart ?? (handle === null ? null : context.visitor.storedCart(eventId, handle));
  const count = cookieCart ? cookieCart.quantity : handle === null ? 0 : readCartCount(handle);
  const notice = openNotice(
    context,
    eventId,
    currentCart && { id: currentCart.id, quantity: count },
    url.searchParams,
  );
  const response = { hasBegun: false };
  return {
    t,
    operation,
    /** Whether the response has begun, so that it cannot set cookies any more. */
    response,
    /** Whether the page may be cached for other visitors; then it must be complete. */
    isCacheable: context.page.isForCache,
    /** Whether the request loads a document, not only data for scripts. */
    isDocument: context.page.isDocument,
    event,
    /** Input of use cases about the shop's products. */
    input: { reader, lang, country: context.client.country },
    storedCart: currentCart,
    /** Input of use cases about the visitor's cart. */
    cartInput: {
      reader,
      lang,
      country: context.client.country,
      storedCart: currentCart,
      buyerIp: context.client.buyerIp,
    },
    /** Number of items in the cart from the cookie or the URL; null if only the store knows it. */
    count,
    /** Messages about what the store adjusted in the cart change that redirected to this page. */
    notes: notice.adjustments.map((adjustment) => createAdjustmentNote(t, adjustment)),
    /** Line that was removed by the cart change that redirected to this page. */
    removedItem: notice.taken,
    searchParams: url.searchParams,
    /** Counts an action on a product, if the reader is a visitor with a link and not the owner in a preview (decision 030). */
    trackEvent(item: VisitedItem) {
      if ("link" in reader) context.visitor.trackEvent(reader.link, item);
    },
    /** Stores the cart of a result in the cookie. Returns its handle for the next page's URL; null if the cookie is sufficient. */
    saveCart({ cartForCookie }: Pick<CartResult, "cartForCookie">): string | null {
      if (!response.hasBegun && !isPreview) context.visitor.saveCart(eventId, cartForCookie);
      return cartForCookie && !cookieCart ? cartHandle(cartForCookie.id, cartForCookie.quantity) : null;
    },
    /** URL that the page requests to correct the item count in the cookie, if the response has already begun; null if the cookie is correct. */
    correctionHref({ cartForCookie }: Pick<CartResult, "cartForCookie">): string | null {
      if (!response.hasBegun || !cookieCart || cartForCookie?.quantity === cookieCart.quantity) return null;
      return links.countCorrection(sealCount(context, eventId, cookieCart, cartForCookie));
    },
    /** Handles the request to the URL of correctionHref: sets the cookie to the sealed count in its parameter `told`. */
    correctCount(): void {
      const openedCount = cookieCart && openCount(context, eventId, cookieCart, url.searchParams.get("told"));
      if (openedCount !== undefined && cookieCart) context.visitor.saveCart(eventId, openedCount);
    },
    /**
     * Returns a redirect after a change: to the cart, or to a page that reports the store's adjustments. It always redirects, so that a reload does not
     * repeat the change. The URL contains the cart unless the request had its cookie.
     * @param removedItem line that the visitor removed and may restore
     */
    redirectAfterChange(
      result: CartResult,
      pageHref: (links: ShopLinks) => string,
      removedItem: RemovedItem | null = null,
    ): Response {
      const linksWithCart = linksWith(this.saveCart(result));
      if (!result.cartForCookie) return redirect(`${linksWithCart.cart}&gone=1`, 303);
      if (result.adjustments.length === 0 && !removedItem) return redirect(linksWithCart.cart, 303);
      const sealedNotice = sealNotice(
        context,
        eventId,
        result.cartForCookie,
        result.adjustments,
        removedItem,
      );
      return redirect(`${pageHref(linksWithCart)}&${new URLSearchParams({ told: sealedNotice })}`, 303);
    },
  };
}

interface OpenedShop {
  readonly eventId: string;
  readonly event: VisitorEvent;
  readonly reader: ShopReader;
}

async function openForVisitor({ context, ...args }: ShopLoaderArgs, links: ShopLinks): Promise<OpenedShop> {
  const { link, result } = await readVisitorLink(args, context);
  // A new document is required, because the event's route does not load its data again for its own URL.
  if (result.state === "locked") throw redirectDocument(links.event);
  return { eventId: link.eventId, event: result.event, reader: { link } };
}

/** Opens the shop of an owner's preview: as visitors see it, but without purchases, because the preview sets no cookie. */
async function openPreview(
  { request, params, context }: ShopLoaderArgs,
  links: ShopLinks,
): Promise<OpenedShop> {
  if (request.method !== "GET") throw data("preview", { status: 405 });
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { mode, at } = parsePreviewQuery(new URL(request.url).searchParams, user.timeZone, context.now);
  const { event } = await context.services.visitors.readVisitorPreview({
    actor,
    eventId,
    mode,
    at: at ?? context.now,
  });
  // The preview's own page reports that the link is closed.
  if (!event) throw redirectDocument(links.event);
  return { eventId, event, reader: { actor, eventId } };
}

/** Context of a visitor in the shop. */
export type EnteredShop = Awaited<ReturnType<typeof enterShop>>;
