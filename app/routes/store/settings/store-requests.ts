/** Asks the server about an event's store after the page has come. */
import type { Uuid } from "~/domain/shared/model";
import type { AttachedProduct, ConnectionTest, StoreId, StoreStatus } from "~/domain/store/store";
import { numberOf } from "~/domain/store/store-ids";
import type { AskTest } from "~/forms/use-connection-test";

/** An answer in JSON. Whoever is not logged in any more is led elsewhere, which is no answer. */
async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, { ...init, redirect: "error" });
  if (!response.ok) throw new Error(String(response.status));
  return (await response.json()) as T;
}

/** Tests a connection as it is typed. */
export const requestConnectionTest =
  (eventId: Uuid): AskTest =>
  ({ storeUrl, token }) => {
    const body = new FormData();
    body.set("spStoreUrl", storeUrl);
    body.set("spAccessToken", token);
    return ask<ConnectionTest>(`/event/${eventId}/store`, { method: "POST", body });
  };

/** How products stand, saved with the event or not yet; null when nobody knows. */
export const requestAttachedProducts = (
  eventId: Uuid,
  ids: readonly StoreId[],
): Promise<readonly AttachedProduct[] | null> =>
  ask<readonly AttachedProduct[] | null>(
    `/event/${eventId}/store?products=${ids.map(numberOf).join(".")}`,
  ).catch(() => null);

/** The present name and responses of the connected shop. */
export interface ConnectedShop {
  /** Null when the store did not respond. */
  readonly name: string | null;
  readonly status: StoreStatus | null;
}

/** The shop's name and the store's last responses; without either when nothing can be asked. */
export const requestShop = (eventId: Uuid): Promise<ConnectedShop> =>
  ask<ConnectedShop>(`/event/${eventId}/store?ask=name`).catch(() => ({ name: null, status: null }));
