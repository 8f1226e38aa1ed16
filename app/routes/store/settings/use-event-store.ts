import { useCallback, useEffect, useState } from "react";
import type { EventContent } from "~/domain/content/content";
import type { Uuid } from "~/domain/shared/model";
import type { AttachedProduct, StoreCard, StoreId } from "~/domain/store/store";
import { attachedProducts, storeOf } from "~/domain/store/store-of";
import type { EventFormEvent } from "~/forms/event-form";
import type { Panel } from "../../content/editor/panels";
import { requestAttachedProducts } from "./store-requests";

/** What is known of the products that are attached. */
export interface Attached {
  /** By their ids; those of which nobody has told yet are missing. */
  readonly known: ReadonlyMap<StoreId, AttachedProduct>;
  /** `unknown`: the store gave nothing. `idle`: nobody asked. */
  readonly state: "idle" | "asking" | "told" | "unknown";
  /** Takes in a product that was just chosen, until the store is asked for it. */
  readonly remember: (card: StoreCard) => void;
}

interface Shop {
  /** Set while products are chosen. */
  readonly picker: object | null;
  /** The answer that came with the page, without scripts. */
  readonly check: { readonly attached: readonly AttachedProduct[] | null } | null;
}

/** Whether an event has a store (§5: both fields), and what is known of its products on a panel that shows some. */
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
const told = (products: readonly AttachedProduct[] | null) =>
  (products ?? []).filter(({ state }) => state !== "unknown");

/** How products stand in their store, asked for once the page is there: it waits for no store. Each is asked for once. */
function useAttached(eventId: Uuid, ids: readonly StoreId[], given: Shop["check"]): Attached {
  const first = told(given?.attached ?? null);
  const [known, setKnown] = useState<Attached["known"]>(() => byId(first));
  const [asked, setAsked] = useState<ReadonlySet<StoreId>>(() => new Set(first.map(({ id }) => id)));
  const [state, setState] = useState<Attached["state"]>(
    given ? (first.length === given.attached?.length ? "told" : "unknown") : "idle",
  );
  const missing = ids.filter((id) => !asked.has(id)).join(" ");
  useEffect(() => {
    if (missing === "") return;
    let gone = false;
    const wanted = missing.split(" ");
    setState("asking");
    void requestAttachedProducts(eventId, wanted).then((products) => {
      if (gone) return;
      const answers = told(products);
      setState(answers.length === wanted.length ? "told" : "unknown");
      setKnown((before) => new Map([...before, ...byId(answers)]));
      setAsked((before) => new Set([...before, ...answers.map(({ id }) => id)]));
    });
    return () => {
      gone = true;
    };
  }, [eventId, missing]);
  const remember = useCallback((card: StoreCard) => {
    const { id, title, state: stock } = card;
    const product: AttachedProduct = { id, title, card, state: stock, soldOut: [] };
    setKnown((before) => new Map(before).set(id, product));
  }, []);
  return { known, state, remember };
}
