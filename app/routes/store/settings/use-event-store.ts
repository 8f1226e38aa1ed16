import { useCallback, useEffect, useState } from "react";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import type { AttachedProduct, StoreCard, StoreId } from "~/domain/store/store";
import { attachedProducts, storeOf } from "~/domain/store/store-of";
import type { EventFormEvent } from "~/forms/events/event-form";
import type { Panel } from "../../content/editor/panels";
import { requestAttachedProducts } from "./store-requests";

/** Loaded data of the attached products. */
export interface Attached {
  /** Products by id; those without a response yet are missing. */
  readonly known: ReadonlyMap<StoreId, AttachedProduct>;
  /** `unknown`: the store did not respond. `idle`: nothing was requested. */
  readonly state: "idle" | "asking" | "reported" | "unknown";
  /** Adds a product that was just chosen, until the store is queried for it. */
  readonly remember: (card: StoreCard) => void;
}

interface Shop {
  /** Set while the product picker is open. */
  readonly picker: object | null;
  /** Result that came with the page, without scripts. */
  readonly check: { readonly attached: readonly AttachedProduct[] | null } | null;
}

/** Whether an event has a store (§5: both fields), and the loaded data of its products on panels that show some. */
export function useEventStore(
  { saved, hasStoreToken }: EventFormEvent,
  content: Pick<EventContent, "tags" | "scene">,
  panel: Panel,
  { picker, check }: Shop,
): { readonly isConnected: boolean; readonly attached: Attached } {
  const isConnected = storeOf(saved.spStoreUrl, hasStoreToken) !== null;
  const asks = isConnected && picker === null && (panel === "store" || panel === "tags");
  const ids = attachedProducts(content).map(({ id }) => id);
  return { isConnected, attached: useAttached(saved.id, asks ? ids : NONE, check) };
}

const NONE: readonly StoreId[] = [];
const byId = (products: readonly AttachedProduct[]) =>
  new Map(products.map((product) => [product.id, product]));
const checkedProducts = (products: readonly AttachedProduct[] | null) =>
  (products ?? []).filter(({ state }) => state !== "unknown");

/**
 * States of the attached products, requested after the page has loaded so that the page does not wait for the store. Each product is requested
 * once.
 */
function useAttached(eventId: Uuid, ids: readonly StoreId[], given: Shop["check"]): Attached {
  const first = checkedProducts(given?.attached ?? null);
  const [known, setKnown] = useState<Attached["known"]>(() => byId(first));
  const [requestedIds, setRequestedIds] = useState<ReadonlySet<StoreId>>(
    () => new Set(first.map(({ id }) => id)),
  );
  const [state, setState] = useState<Attached["state"]>(
    given ? (first.length === given.attached?.length ? "reported" : "unknown") : "idle",
  );
  const missing = ids.filter((id) => !requestedIds.has(id)).join(" ");
  useEffect(() => {
    if (missing === "") return;
    let isUnmounted = false;
    const wanted = missing.split(" ");
    setState("asking");
    void requestAttachedProducts(eventId, wanted).then((products) => {
      if (isUnmounted) return;
      const answers = checkedProducts(products);
      setState(answers.length === wanted.length ? "reported" : "unknown");
      setKnown((before) => new Map([...before, ...byId(answers)]));
      setRequestedIds((before) => new Set([...before, ...answers.map(({ id }) => id)]));
    });
    return () => {
      isUnmounted = true;
    };
  }, [eventId, missing]);
  const remember = useCallback((card: StoreCard) => {
    const { id, title, state: stock } = card;
    const product: AttachedProduct = { id, title, card, state: stock, soldOut: [] };
    setKnown((before) => new Map(before).set(id, product));
  }, []);
  return { known, state, remember };
}
