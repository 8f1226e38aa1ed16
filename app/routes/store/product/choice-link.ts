import type { Lang } from "~/domain/shared/model";
import { writeChoice } from "~/domain/store/product-choice";
import type { Selection, StoreId } from "~/domain/store/store";
import { isNoOption } from "~/domain/store/store-options";
import type { ShopLinks } from "../storefront/links";

/** Selection of a product's options. */
export interface SelectedOptions {
  readonly id: StoreId;
  readonly selection: Selection;
  /** Property of the product: see StoreProduct. */
  readonly isLarge: boolean;
}

/** URL of a selection, with the names of its options. */
export function choiceLink(
  links: ShopLinks,
  { id, selection, isLarge }: SelectedOptions,
  lang: Lang,
): string {
  const link = links.product(id);
  if (selection.length === 0 || isNoOption(selection)) return link;
  return `${link}&${writeChoice(selection, isLarge ? lang : null)}`;
}
