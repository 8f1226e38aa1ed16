/** Access to an event's store, and the errors of its failures. */

import type { Actor } from "~/domain/auth/actor";
import type { Lang, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { getEventStore } from "~/domain/store/event-store";
import type { StoreFailureCode, StoreOperation } from "~/domain/store/store";
import { FAILURE_MESSAGES, StoreFailure } from "~/domain/store/store-failure";
import { type StoreLocale, storeLocale } from "~/domain/store/store-locale";
import { eventResource } from "../events/events";
import { AppError, ForbiddenError, NotFoundError } from "../shared/errors";
import type { Clock } from "../shared/ports";
import { eventAccess, type VisitorLink } from "../visitors/event-access";
import type { EventAccessSigner, EventRecord } from "../visitors/visitor-ports";
import type { CartAccess, StoreAccess, Storefront } from "./shop-ports";

/** Dependencies of the use cases of an event's store. */
export interface ShopDeps {
  readonly readRecord: (eventId: Uuid) => Promise<EventRecord | null>;
  readonly clock: Clock;
  readonly eventAccessSigner: EventAccessSigner;
  readonly storefront: Storefront;
}

/** The reader of a store: a visitor by the event's link (`sid`: the space's public id, on legacy routes), or a user who may edit the event. */
export type ShopReader =
  | { readonly link: VisitorLink & { readonly sid?: string } }
  | { readonly actor: Actor; readonly eventId: Uuid };

/** Input of the use cases of a store's products and carts. */
export interface ShopInput {
  readonly reader: ShopReader;
  readonly lang: Lang;
  /** Country of the visitor (context.client.country). For null or an unknown code, the store uses its default. */
  readonly country: string | null;
}

/** The additional input of the use cases of carts. */
export interface CartInput extends ShopInput {
  /** The visitor's IP address; null if unknown. Only calls about carts send it, because the responses about products are shared by all visitors. */
  readonly buyerIp?: string | null;
}

/** The event has no store: its URL or token is missing (specification §8: 'client is not ready'). */
export class ShopNotReadyError extends AppError {
  override readonly name: string = "ShopNotReadyError";
  constructor() {
    super({
      kind: "conflict",
      code: "shop_not_ready",
      message: "client is not ready",
      userMessage: { key: "store:errors.store.notReady" },
    });
  }
}

/** Operations that change the lines of a cart. */
export type CartChangeOperation = "cartAdd" | "cartUpdate" | "cartRemove";

const UNCERTAIN_MESSAGE_KEYS: Readonly<Record<CartChangeOperation, string>> = {
  cartAdd: "store:errors.store.addUncertain",
  cartUpdate: "store:errors.store.updateUncertain",
  cartRemove: "store:errors.store.removeUncertain",
};

/** It is not known whether the store made a change: its response was lost or had errors, and the cart could not be read or its earlier quantity is unknown. */
export class ChangeUncertainError extends AppError {
  override readonly name: string = "ChangeUncertainError";
  constructor(operation: CartChangeOperation, failure: StoreFailure) {
    super({
      kind: "unavailable",
      code: "shop_uncertain",
      message: `store: ${failure.message}`,
      userMessage: { key: UNCERTAIN_MESSAGE_KEYS[operation] },
    });
  }
}

/** The store did not respond successfully. `code` is store_<StoreFailureCode>; the store's own message is for the log. */
export class ShopUnavailableError extends AppError {
  override readonly name: string = "ShopUnavailableError";
  readonly reason: StoreFailureCode;
  constructor(operation: StoreOperation, failure: StoreFailure) {
    super({
      kind: "unavailable",
      code: `store_${failure.code}`,
      message: `store: ${failure.message}`,
      userMessage: { key: FAILURE_MESSAGES[operation] },
    });
    this.reason = failure.code;
  }
}

/** The store does not have the product, collection or variant, or the cart does not have the line. */
export class ShopRejection extends AppError {
  override readonly name: string = "ShopRejection";
  constructor(code: "shop_no_product" | "shop_no_collection" | "shop_no_variant" | "shop_no_line") {
    const messageKeys = {
      shop_no_product: "store:errors.store.productGone",
      shop_no_collection: "store:errors.store.collectionGone",
      shop_no_variant: "store-visitors:states.noVariant",
      shop_no_line: "store:errors.store.noLine",
    };
    super({ kind: "not_found", code, message: `store: ${code}`, userMessage: { key: messageKeys[code] } });
  }
}

/** The store rejected a change of a cart. The store's own message states the reason, if it sent one. */
export class ChangeRejectedError extends AppError {
  override readonly name: string = "ChangeRejectedError";
  constructor(operation: CartChangeOperation, message: string) {
    const key =
      operation === "cartAdd" ? "store:errors.store.addRejected" : "store:errors.store.changeRejected";
    super({
      kind: "conflict",
      code: "shop_refused",
      message: "store: shop_refused",
      userMessage: message === "" ? { key: `${key}Plain` } : { key, values: { message } },
    });
  }
}

/** An open store: the event, the store's URL and token, and the requested locale. */
export interface OpenShop {
  readonly record: EventRecord;
  readonly store: StoreAccess;
  readonly locale: StoreLocale;
}

/**
 * Opens an event's store; all calls to stores go through it, except connection tests. Requires a visitor's link that shows the event now, or an
 * actor who may edit it (specification §5), and both fields of the store.
 * @throws NotFoundError when the link is closed or locked, or the actor does not see the event
 * @throws ForbiddenError when the actor may not edit it
 * @throws ShopNotReadyError without URL or token
 */
export async function openShop(deps: ShopDeps, { reader, lang, country }: ShopInput): Promise<OpenShop> {
  const record = await deps.readRecord("link" in reader ? reader.link.eventId : reader.eventId);
  if (!record) throw new NotFoundError("event");
  if ("link" in reader) {
    if (eventAccess(deps.eventAccessSigner, record, reader.link, deps.clock.now()).state !== "open")
      throw new NotFoundError("event");
  } else {
    if (!can(reader.actor, "read", eventResource(record.space))) throw new NotFoundError("event");
    if (!can(reader.actor, "update", eventResource(record.space))) throw new ForbiddenError("use store");
  }
  const store = getEventStore(record.event.spStoreUrl, record.event.spAccessToken);
  if (!store) throw new ShopNotReadyError();
  return { record, store: { ...store, eventId: record.event.id }, locale: storeLocale(lang, country) };
}

/** An open shop for requests about one visitor's cart. */
export type OpenCart = OpenShop & { readonly store: CartAccess };

/** Opens a shop for calls about a visitor's cart. @throws as openShop */
export async function openCart(deps: ShopDeps, input: CartInput): Promise<OpenCart> {
  const shop = await openShop(deps, input);
  return { ...shop, store: { ...shop.store, buyerIp: input.buyerIp ?? null } };
}

/** Waits for a response of the store. Converts a failure into a ShopUnavailableError of the operation. */
export async function callStore<T>(operation: StoreOperation, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof StoreFailure) throw new ShopUnavailableError(operation, error);
    throw error;
  }
}
