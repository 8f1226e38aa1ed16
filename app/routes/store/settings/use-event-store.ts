import { useCallback, useEffect, useState } from "react";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import { attachedProducts, getEventStore } from "~/domain/store/event-store";
import type { AttachedProduct, StoreCard, StoreId } from "~/domain/store/store";
import type { EventFormEvent } from "~/forms/events/event-form";
import type { Panel } from "../../content/editor/panels";
import { requestAttachedProducts } from "./store-requests";

/** Loaded data of the attached products. */
export interface AttachedProductData {
  /** Products by id; those without a response yet are missing. */
  readonly byId: ReadonlyMap<StoreId, AttachedProduct>;
  /** `idle`: nothing was requested. `loading`: a request is running. `reported`: the store responded for all products. `unknown`: not for all. */
  readonly state: "idle" | "loading" | "reported" | "unknown";
  /** Adds a product that was just chosen, until the store's response contains it. */
  readonly add: (card: StoreCard) => void;
}

interface StorePageData {
  /** Not null while the product picker is open. */
  readonly picker: object | null;
  /** Result that came with the page; null if there is none. */
  readonly check: { readonly attached: readonly AttachedProduct[] | null } | null;
}

/** Whether an event has a store (specification §5: its URL and its token are set), and the loaded data of its products on panels that show products. */
export function useEventStore(
  { saved, hasStoreToken }: EventFormEvent,
  content: Pick<EventContent, "tags" | "scene">,
  panel: Panel,
  { picker, check }: StorePageData,
): { readonly isConnected: boolean; readonly attachedProducts: AttachedProductData } {
  const isConnected = getEventStore(saved.spStoreUrl, hasStoreToken) !== null;
  const requestsStates = isConnected && picker === null && (panel === "store" || panel === "tags");
  const ids = attachedProducts(content).map(({ id }) => id);
  return {
    isConnected,
    attachedProducts: useAttachedProducts(saved.id, requestsStates ? ids : NO_IDS, check),
  };
}

const NO_IDS: readonly StoreId[] = [];
const indexById = (products: readonly AttachedProduct[]) =>
  new Map(products.map((product) => [product.id, product]));
const checkedProducts = (products: readonly AttachedProduct[] | null) =>
  (products ?? []).filter(({ state }) => state !== "unknown");

/**
 * States of the attached products. They are requested after the page has loaded, so that the page does not wait for the store. A product for which
 * the store did not respond is requested again when the products change.
 */
function useAttachedProducts(
  eventId: Uuid,
  ids: readonly StoreId[],
  initialCheck: StorePageData["check"],
): AttachedProductData {
  const initialProducts = checkedProducts(initialCheck?.attached ?? null);
  const [byId, setById] = useState<AttachedProductData["byId"]>(() => indexById(initialProducts));
  const [respondedIds, setRespondedIds] = useState<ReadonlySet<StoreId>>(
    () => new Set(initialProducts.map(({ id }) => id)),
  );
  const [state, setState] = useState<AttachedProductData["state"]>(
    initialCheck
      ? initialProducts.length === initialCheck.attached?.length
        ? "reported"
        : "unknown"
      : "idle",
  );
  const missingIds = ids.filter((id) => !respondedIds.has(id)).join(" ");
  useEffect(() => {
    if (missingIds === "") return;
    let isOutdated = false;
    const requestedIds = missingIds.split(" ");
    setState("loading");
    void requestAttachedProducts(eventId, requestedIds).then((products) => {
      if (isOutdated) return;
      const respondedProducts = checkedProducts(products);
      setState(respondedProducts.length === requestedIds.length ? "reported" : "unknown");
      setById((current) => new Map([...current, ...indexById(respondedProducts)]));
      setRespondedIds((current) => new Set([...current, ...respondedProducts.map(({ id }) => id)]));
    });
    return () => {
      isOutdated = true;
    };
  }, [eventId, missingIds]);
  const add = useCallback((card: StoreCard) => {
    const { id, title, state: stock } = card;
    const product: AttachedProduct = { id, title, card, state: stock, soldOut: [] };
    setById((current) => new Map(current).set(id, product));
  }, []);
  return { byId, state, add };
}
