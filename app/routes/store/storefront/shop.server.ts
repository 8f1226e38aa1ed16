import { data, type LoaderFunctionArgs, redirect, redirectDocument } from "@remix-run/cloudflare";
import type { ShopReader } from "#functions/services/store/shop-access";
import type { CartResult } from "#functions/services/store/shop-cart";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import type { VisitThing } from "~/domain/analytics/visit";
import type { StoreOperation, TakenOut } from "~/domain/store/store";
import { cartCountOf, cartHandle } from "~/domain/store/store-ids";
import { languages } from "~/i18n/instances.server";
import { parsePreviewQuery } from "../../events/visitor-preview/visitor-preview.server";
import { uuidParam } from "../../shared/ids";
import { openLink, withoutCart } from "../../visitors/page/link.server";
import { noteOf } from "../cart/adjustments.server";
import { readChange, readCount, tellChange, tellCount } from "../cart/cart-notice.server";
import { type ShopLinks, shopLinks, visitKeys } from "./links";
import { eventAddress, isPreviewPath } from "./path";

type Asked = Pick<LoaderFunctionArgs, "request" | "params" | "context">;

/**
 * Lets a visitor into the shop of an event, by the event's own door. A locked event is asked for its password at its own page.
 * @param operation the operation of the page, which the message of a failure names
 * @throws redirects, and 404 for an event without a shop
 */
export async function enterShop({ request, params, context }: Asked, operation: StoreOperation = "product") {
  const url = new URL(request.url);
  const { lang } = context;
  const path = eventAddress(url.pathname.replace(/\.data$/, ""));
  const isPreview = isPreviewPath(path);
  const handle = isPreview ? null : url.searchParams.get("cart");
  const linksWith = (cart: string | null) =>
    shopLinks({ path, keys: visitKeys(url.searchParams), lang, cart });
  const links = linksWith(handle);
  const { eventId, event, reader } = isPreview
    ? await openPreview({ request, params, context }, links)
    : await openDoor({ request, params, context }, links);
  if (!event.hasStore) throw data("no_shop", { status: 404 });
  const cookie = isPreview ? null : context.visitor.storedCart(eventId);
  // A cookie came back: the address need not carry the cart any more.
  if (request.method === "GET" && handle !== null && cookie) throw redirect(withoutCart(url));
  const { t } = languages[lang];
  const kept = cookie ?? (handle === null ? null : context.visitor.storedCart(eventId, handle));
  const count = cookie ? cookie.quantity : handle === null ? 0 : cartCountOf(handle);
  const told = readChange(context, eventId, kept && { id: kept.id, quantity: count }, url.searchParams);
  const sent = { hasBegun: false };
  return {
    t,
    operation,
    /** Whether the page has gone out as far as it goes without the store. */
    sent,
    /** The page is kept for others: it must be whole. */
    isKept: context.page.buffered,
    /** A whole page is loaded, and not the data of one by scripts. */
    isDocument: context.page.isDocument,
    event,
    input: { reader, lang, country: context.client.country },
    kept,
    /** Input of calls about the visitor's cart. */
    cartInput: { reader, lang, country: context.client.country, kept, buyerIp: context.client.buyerIp },
    /** How many things are in the cart, as far as the browser or the address knows; null where only the store does. */
    count,
    /** What the store made of the change that led here, in words. */
    notes: told.adjustments.map((adjustment) => noteOf(t, adjustment)),
    /** What the change that led here took out. */
    taken: told.taken,
    search: url.searchParams,
    /** Counts what a visitor of a public link has just done with a product (decision 030). */
    countAct(thing: VisitThing) {
      if ("link" in reader) context.visitor.trackEvent(reader.link, thing);
    },
    /** Keeps a cart after a call, and says under which handle the next page finds it: null where the cookie does. */
    keep({ keep }: Pick<CartResult, "keep">): string | null {
      if (!sent.hasBegun && !isPreview) context.visitor.storeCart(eventId, keep);
      return keep && !cookie ? cartHandle(keep.id, keep.quantity) : null;
    },
    /** What corrects the browser's cart where the page has begun and its cookie says otherwise; null where there is nothing to correct. */
    correction({ keep }: Pick<CartResult, "keep">): string | null {
      if (!sent.hasBegun || !cookie || keep?.quantity === cookie.quantity) return null;
      return links.seen(tellCount(context, eventId, cookie, keep));
    },
    /** Does so. */
    correct(): void {
      const found = cookie && readCount(context, eventId, cookie, url.searchParams.get("told"));
      if (found !== undefined && cookie) context.visitor.storeCart(eventId, found);
    },
    /**
     * Where a form leads after a change: to the cart, or, when the store made something else of it, to a page that says so. Always another page, so
     * that loading it anew changes nothing again, and one whose links know the cart where no cookie comes back.
     * @param taken what the visitor took out, which the page offers to put back
     */
    after(result: CartResult, page: (links: ShopLinks) => string, taken: TakenOut | null = null): Response {
      const own = linksWith(this.keep(result));
      if (!result.keep) return redirect(`${own.cart}&gone=1`, 303);
      if (result.adjustments.length === 0 && !taken) return redirect(own.cart, 303);
      const told = tellChange(context, eventId, result.keep, result.adjustments, taken);
      return redirect(`${page(own)}&${new URLSearchParams({ told })}`, 303);
    },
  };
}

interface Opened {
  readonly eventId: string;
  readonly event: VisitorEvent;
  readonly reader: ShopReader;
}

async function openDoor({ context, ...asked }: Asked, links: ShopLinks): Promise<Opened> {
  const { link, found } = await openLink(asked, context);
  // As a new document: the event's own page is not asked anew for its own address.
  if (found.state === "locked") throw redirectDocument(links.event);
  return { eventId: link.eventId, event: found.event, reader: { link } };
}

/** The shop of an owner's preview: as visitors see it, but that nothing is bought, as no cookie is set there. */
async function openPreview({ request, params, context }: Asked, links: ShopLinks): Promise<Opened> {
  if (request.method !== "GET") throw data("preview", { status: 405 });
  const { actor, user } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { mode, at } = parsePreviewQuery(new URL(request.url).searchParams, user.timeZone, context.now);
  const { event } = await context.services.visitors.readAsVisitor({
    actor,
    eventId,
    mode,
    at: at ?? context.now,
  });
  // The preview's own page says that the link is closed then.
  if (!event) throw redirectDocument(links.event);
  return { eventId, event, reader: { actor, eventId } };
}

/** A visitor in the shop. */
export type InShop = Awaited<ReturnType<typeof enterShop>>;
