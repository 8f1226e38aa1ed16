import type { Lang } from "~/domain/shared/model";
import { writeChoice } from "~/domain/store/product-choice";
import type { Selection, StoreId } from "~/domain/store/store";
import { isNoOption } from "~/domain/store/store-options";
import type { ShopLinks } from "../storefront/links";

/** A product and the selection of its options. */
export interface ProductSelection {
  readonly id: StoreId;
  readonly selection: Selection;
  /** Whether the product has more variants than fit into one response of the store. Its URLs then also state the language of the option names. */
  readonly isLarge: boolean;
}

/** URL of a selection, with the names of its options. */
export function choiceLink(
  links: ShopLinks,
  { id, selection, isLarge }: ProductSelection,
  lang: Lang,
): string {
  const link = links.product(id);
  if (selection.length === 0 || isNoOption(selection)) return link;
  return `${link}&${writeChoice(selection, isLarge ? lang : null)}`;
}
