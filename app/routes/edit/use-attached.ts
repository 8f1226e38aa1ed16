import { useCallback, useEffect, useState } from "react";
import type { Uuid } from "~/domain/model";
import type { AttachedProduct, StoreCard, StoreId } from "~/domain/store";
import type { EventFormEvent } from "~/forms/event-form";
import type { Panel } from "./panels";
import { askAttached } from "./store-ask";

/** What is known of the products that are attached. */
export interface Attached {
  /** By their ids; those of which nobody has told yet are missing. */
  readonly known: ReadonlyMap<StoreId, AttachedProduct>;
  /** `unknown`: the store gave nothing. `idle`: nobody asked. */
  readonly state: "idle" | "asking" | "told" | "unknown";
  /** Takes in a product that was just chosen. */
  readonly remember: (card: StoreCard) => void;
}

const byId = (products: readonly AttachedProduct[]) =>
  new Map(products.map((product) => [product.id, product]));
const isUnknown = (products: readonly AttachedProduct[] | null) =>
  products === null || products.some(({ state }) => state === "unknown");

/** Whether an event has a store (§5: both fields), and what is known of its products on a panel that shows some. */
export function useEventStore(
  { saved, hasStoreToken }: EventFormEvent,
  panel: Panel,
  given: Parameters<typeof useAttached>[2],
): { readonly isConnected: boolean; readonly attached: Attached } {
  const isConnected = Boolean(saved.spStoreUrl) && hasStoreToken;
  const attached = useAttached(saved.id, isConnected && (panel === "store" || panel === "tags"), given);
  return { isConnected, attached };
}

/**
 * How the products of an event stand in its store, asked for once the page is there: it waits for no store.
 * @param asks whether the panel shows products, and there is a store
 * @param given the answer that came with the page, without scripts
 */
function useAttached(
  eventId: Uuid,
  asks: boolean,
  given: { readonly attached: readonly AttachedProduct[] | null } | null,
): Attached {
  const [known, setKnown] = useState<Attached["known"]>(() => byId(given?.attached ?? []));
  const [state, setState] = useState<Attached["state"]>(
    given ? (isUnknown(given.attached) ? "unknown" : "told") : "idle",
  );
  const isGiven = given !== null;
  useEffect(() => {
    if (!asks || isGiven) return;
    let gone = false;
    setState("asking");
    void askAttached(eventId).then((products) => {
      if (gone) return;
      setState(isUnknown(products) ? "unknown" : "told");
      const told = (products ?? []).filter((product) => product.state !== "unknown");
      setKnown((before) => new Map([...before, ...byId(told)]));
    });
    return () => {
      gone = true;
    };
  }, [eventId, asks, isGiven]);
  const remember = useCallback((card: StoreCard) => {
    const { id, title, availableForSale } = card;
    const product: AttachedProduct = {
      ...{ id, title, card, soldOut: [] },
      state: availableForSale ? "ok" : "sold_out",
    };
    setKnown((before) => new Map(before).set(id, product));
  }, []);
  return { known, state, remember };
}
