import type { Lang } from "~/domain/model";
import type { Selection, StoreId } from "~/domain/store";
import { writeSelection } from "~/domain/store-options";
import type { ShopLinks } from "./links";

/** What of a product is chosen. */
export interface Chosen {
  readonly id: StoreId;
  /** As `selectionPositions` writes it. */
  readonly places: string;
  readonly selection: Selection;
  /** Of the product: see StoreProduct. */
  readonly isLarge: boolean;
}

/** The address of a choice, by places; of a large product also by the names, with which the store is asked once. */
export function choiceLink(links: ShopLinks, { id, places, selection, isLarge }: Chosen, lang: Lang): string {
  const link = links.product(id, places);
  return isLarge ? `${link}&${writeSelection(selection, lang)}` : link;
}
