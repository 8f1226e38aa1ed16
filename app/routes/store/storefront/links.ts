/** URLs of an event's shop. They are below the event's URL, so that its token, its access check and its space apply to them. */
import type { Lang } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import { isPreviewPath } from "./path";

/** Parameters that open an event: a link's token, or the link and the time of the owner's preview. */
export type AccessParams = readonly (readonly [string, string])[];

/** Reads the AccessParams of a URL. */
export const readAccessParams = (searchParams: URLSearchParams): AccessParams =>
  ["token", "link", "at"].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [[name, value] as const];
  });

/** Common parts of all URLs of a visit. */
export interface Visit {
  /** Path of the event's page. */
  readonly path: string;
  /** Parameters that open the event: see readAccessParams. */
  readonly accessParams: AccessParams;
  /** Part of every URL, because frames of other sites may not receive the language cookie. */
  readonly lang: Lang;
  /** The cart's id in a short form, with its item count, if cookies are blocked; otherwise null. */
  readonly cart: string | null;
}

/** URLs of the shop's pages during a visit. */
export interface ShopLinks {
  /** Whether the links belong to an owner's preview, in which nothing can be bought. */
  readonly isPreview: boolean;
  readonly event: string;
  readonly cart: string;
  readonly collections: string;
  /** URL of the data that differs between visitors (visit/live.ts). */
  readonly liveHref: string;
  /** URL that corrects the cart count in the browser. */
  countCorrection(sealedCount: string): string;
  list(query?: Query): string;
  collection(id: StoreId, query?: Query): string;
  product(id: StoreId): string;
}

type Query = Readonly<Record<string, string | null>>;

/** Creates the URLs of a visit. */
export function shopLinks({ path, accessParams, lang, cart }: Visit): ShopLinks {
  const common = new URLSearchParams([...accessParams.map(([name, value]) => [name, value]), ["lang", lang]]);
  if (cart) common.set("cart", cart);
  const commonText = common.toString();
  const hrefOf = (subpath: string, query: readonly (readonly [string, string | null])[] = []) => {
    if (query.length === 0) return `${path}${subpath}?${commonText}`;
    const params = new URLSearchParams(common);
    for (const [name, value] of query) if (value) params.append(name, value);
    return `${path}${subpath}?${params}`;
  };
  return {
    isPreview: isPreviewPath(path),
    event: hrefOf(""),
    cart: hrefOf("/shop/cart"),
    collections: hrefOf("/shop/collections"),
    liveHref: hrefOf("/shop/live"),
    countCorrection: (sealedCount) => hrefOf("/shop/seen", [["told", sealedCount]]),
    list: (query = {}) => hrefOf("/shop", Object.entries(query)),
    collection: (id, query = {}) => hrefOf(`/shop/collections/${toIdNumber(id)}`, Object.entries(query)),
    product: (id) => hrefOf(`/shop/products/${toIdNumber(id)}`),
  };
}
