/** Requests data of an event's store from the server after the page has loaded. */
import type { Uuid } from "~/domain/shared/model";
import type { AttachedProduct, ConnectionTest, StoreCard, StoreId, StoreStatus } from "~/domain/store/store";
import { toIdNumber } from "~/domain/store/store-ids";
import type { RequestConnectionTest } from "~/forms/store/use-connection-test";

/** Requests JSON. A redirect to the login page does not count as a response. */
async function requestJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, redirect: "error" });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as T;
}

/** Tests a connection with the typed values. */
export const requestConnectionTest =
  (eventId: Uuid): RequestConnectionTest =>
  ({ storeUrl, token }) => {
    const body = new FormData();
    body.set("spStoreUrl", storeUrl);
    body.set("spAccessToken", token);
    return requestJson<ConnectionTest>(`/event/${eventId}/store`, { method: "POST", body });
  };

/** States of products, whether they are saved with the event yet or not; null if the request fails or the event has no store. */
export const requestAttachedProducts = (
  eventId: Uuid,
  ids: readonly StoreId[],
): Promise<readonly AttachedProduct[] | null> =>
  requestJson<readonly AttachedProduct[] | null>(
    `/event/${eventId}/store?products=${ids.map(toIdNumber).join(".")}`,
  ).catch(() => null);

/** The first products of a search. */
export interface FoundProducts {
  readonly products: readonly StoreCard[];
  readonly hasMore: boolean;
  /** Message of a problem, packed into one string (its key and values); then there are no products. */
  readonly problem: string | null;
}

/** Products whose titles contain the words of a text; rejects if the request fails. */
export const findProducts = (eventId: Uuid, text: string, signal: AbortSignal): Promise<FoundProducts> =>
  requestJson<FoundProducts>(`/event/${eventId}/store?${new URLSearchParams({ find: text })}`, { signal });

/** Current name and last responses of the connected shop. */
export interface ConnectedShop {
  /** Null if the connection failed. */
  readonly name: string | null;
  readonly status: StoreStatus | null;
}

/** The shop's name and the store's last responses; neither if the request fails. */
export const requestShop = (eventId: Uuid): Promise<ConnectedShop> =>
  requestJson<ConnectedShop>(`/event/${eventId}/store?ask=name`).catch(() => ({ name: null, status: null }));
