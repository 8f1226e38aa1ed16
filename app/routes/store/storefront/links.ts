/** Addresses of an event's shop: below the event's own, so that its token, its guard and its space hold for them too. */
import type { Lang } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { numberOf } from "~/domain/store/store-ids";
import { isPreviewPath } from "./path";

/** What opens an event: a link's token, or in its owner's preview the link and the moment that are looked at. */
export type VisitKeys = readonly (readonly [string, string])[];

/** Those of an address. */
export const visitKeys = (search: URLSearchParams): VisitKeys =>
  ["token", "link", "at"].flatMap((name) => {
    const value = search.get(name);
    return value === null ? [] : [[name, value] as const];
  });

/** What the addresses of a visit have in common. */
export interface Visit {
  /** Of the event's page. */
  readonly path: string;
  /** What opens it: see visitKeys. */
  readonly keys: VisitKeys;
  /** Named in every address: in frames of other sites no cookie may come back. */
  readonly lang: Lang;
  /** The cart's handle where no cookie comes back; null otherwise. */
  readonly cart: string | null;
}

/** Where the pages of a visit's shop are. */
export interface ShopLinks {
  /** They are those of an owner's preview, in which nothing is bought. */
  readonly isPreview: boolean;
  readonly event: string;
  readonly cart: string;
  readonly collections: string;
  readonly live: string;
  /** Corrects what the browser has of a cart (tellCount). */
  seen(told: string): string;
  list(query?: Query): string;
  collection(id: StoreId, query?: Query): string;
  product(id: StoreId): string;
}

type Query = Readonly<Record<string, string | null>>;

/** The addresses of a visit. */
export function shopLinks({ path, keys, lang, cart }: Visit): ShopLinks {
  const at = (place: string, query: readonly (readonly [string, string | null])[] = []) => {
    const params = new URLSearchParams([...keys.map(([name, value]) => [name, value]), ["lang", lang]]);
    if (cart) params.set("cart", cart);
    for (const [name, value] of query) if (value) params.append(name, value);
    return `${path}${place}?${params}`;
  };
  return {
    isPreview: isPreviewPath(path),
    event: at(""),
    cart: at("/shop/cart"),
    collections: at("/shop/collections"),
    live: at("/shop/live"),
    seen: (told) => at("/shop/seen", [["told", told]]),
    list: (query = {}) => at("/shop", Object.entries(query)),
    collection: (id, query = {}) => at(`/shop/collections/${numberOf(id)}`, Object.entries(query)),
    product: (id) => at(`/shop/products/${numberOf(id)}`),
  };
}
