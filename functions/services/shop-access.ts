/** Who may use an event's store, and how it is told when that fails. */
import type { Actor, Lang, Uuid } from "~/domain/model";
import { can } from "~/domain/permissions";
import type { StoreFailureCode } from "~/domain/store";
import { StoreFailure } from "~/domain/store-failure";
import { type StoreLocale, storeLocale } from "~/domain/store-locale";
import { storeOf } from "~/domain/store-of";
import { AppError, ForbiddenError, NotFoundError } from "./errors";
import { eventResource } from "./events";
import type { Clock, EventRecord, PasswordFlags } from "./ports";
import type { StoreAccess, Storefront } from "./shop-ports";
import { type VisitorLink, visitorState } from "./visitors";

/** What the use cases of an event's store need. */
export interface ShopDeps {
  readonly readRecord: (eventId: Uuid) => Promise<EventRecord | null>;
  readonly clock: Clock;
  readonly flags: PasswordFlags;
  readonly storefront: Storefront;
}

/** Who looks at a store: a visitor by the event's link, or somebody who may edit the event. */
export type ShopReader =
  | { readonly link: VisitorLink & { readonly sid?: string } }
  | { readonly actor: Actor; readonly eventId: Uuid };

/** What every use case of a store is told. */
export interface ShopInput {
  readonly reader: ShopReader;
  readonly lang: Lang;
  /** Where the visitor is (context.country); null or something unknown leaves it to the store. */
  readonly country: string | null;
}

/** The event has no store: address or token is missing (§8: 'client is not ready'). */
export class ShopNotReadyError extends AppError {
  constructor() {
    super({
      kind: "conflict",
      code: "shop_not_ready",
      message: "client is not ready",
      words: { key: "errors.store.notReady" },
    });
  }
}

/** What could not be done, in the words of §8. */
export type ShopPurpose = "product" | "cart" | "add";

const WORDS: Readonly<Record<ShopPurpose, string>> = {
  product: "errors.store.productFailed",
  cart: "errors.store.cartFailed",
  add: "errors.store.addToCartFailed",
};

/** The store gave nothing. `code` is store_<StoreFailureCode>; its own message is for the log. */
export class ShopUnavailableError extends AppError {
  readonly reason: StoreFailureCode;
  constructor(purpose: ShopPurpose, failure: StoreFailure) {
    super({
      kind: "unavailable",
      code: `store_${failure.code}`,
      message: `store: ${failure.message}`,
      words: { key: WORDS[purpose] },
    });
    this.reason = failure.code;
  }
}

/** Something of the store is not there, or not to be had: a product, a page, a variant. */
export class ShopRefusal extends AppError {
  constructor(code: "shop_no_product" | "shop_no_collection" | "shop_no_variant" | "shop_no_line") {
    const words = {
      shop_no_product: "errors.store.productGone",
      shop_no_collection: "errors.store.collectionGone",
      shop_no_variant: "errors.store.noVariant",
      shop_no_line: "errors.store.noLine",
    };
    super({ kind: "not_found", code, message: `store: ${code}`, words: { key: words[code] } });
  }
}

/** The store has refused a change of a cart, for reasons that it tells people in its own words, if at all. */
export class ChangeRefusedError extends AppError {
  constructor(purpose: "add" | "cart", message: string) {
    const key = purpose === "add" ? "errors.store.addRefused" : "errors.store.changeRefused";
    super({
      kind: "conflict",
      code: "shop_refused",
      message: "store: shop_refused",
      words: message === "" ? { key: `${key}Plain` } : { key, values: { message } },
    });
  }
}

/** An open store: whose event it is of, where it answers, and what it is asked for. */
export interface OpenShop {
  readonly record: EventRecord;
  readonly store: StoreAccess;
  readonly locale: StoreLocale;
}

/**
 * The one door to an event's store: a visitor's link that shows the event now, or an actor who may edit it (§5), and both fields.
 * @throws NotFoundError when the link is closed or locked, or the actor does not see the event
 * @throws ForbiddenError when the actor may not edit it
 * @throws ShopNotReadyError without address or token
 */
export async function openShop(deps: ShopDeps, { reader, lang, country }: ShopInput): Promise<OpenShop> {
  const record = await deps.readRecord("link" in reader ? reader.link.eventId : reader.eventId);
  if (!record) throw new NotFoundError("event");
  if ("link" in reader) {
    if (visitorState(deps.flags, record, reader.link, deps.clock.now()).state !== "open")
      throw new NotFoundError("event");
  } else {
    if (!can(reader.actor, "read", eventResource(record.space))) throw new NotFoundError("event");
    if (!can(reader.actor, "update", eventResource(record.space))) throw new ForbiddenError("use store");
  }
  const store = storeOf(record.event.spStoreUrl, record.event.spAccessToken);
  if (!store) throw new ShopNotReadyError();
  return { record, store, locale: storeLocale(lang, country) };
}

/** A question to the store, whose failure is told as that of its purpose. */
export async function ask<T>(purpose: ShopPurpose, question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof StoreFailure) throw new ShopUnavailableError(purpose, error);
    throw error;
  }
}
