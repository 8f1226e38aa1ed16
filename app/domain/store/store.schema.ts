/** Schemas of the requests that visitors and owners make to a store. */
import * as z from "zod";
import { field, formError, isMissing, readInteger, readText } from "../shared/fields.schema";
import {
  CART_ITEMS_MAX,
  CART_QUANTITY_MAX,
  LINE_TITLE_MAX,
  STORE_CURSOR_MAX,
  STORE_SEARCH_MAX,
} from "../shared/limits";
import type { CartItem, RemovedItem, StoreId } from "./store";
import { isLineId, isVariantId, variantIdOf } from "./store-ids";

const readQuantity = (value: unknown, min: number): number | null =>
  readInteger(value, min, CART_QUANTITY_MAX);

/** Quantity to add: an integer from 1; the default is 1. */
const addQuantityField = field<number>((value) => {
  if (isMissing(value)) return { value: 1 };
  const quantity = readQuantity(value, 1);
  return quantity === null ? { error: "store:errors.store.quantity" } : { value: quantity };
});

/** New quantity of a line: an integer; 0 removes the line. */
const lineQuantityField = field<number>((value) => {
  const quantity = readQuantity(value, 0);
  return quantity === null ? { error: "store:errors.store.quantity" } : { value: quantity };
});

/** A variant, by its number or its whole id. */
const variantField = field<StoreId>((value) => {
  const id = isVariantId(value) ? value : variantIdOf(value);
  return id === null ? { error: "store-visitors:states.noVariant" } : { value: id };
});

const lineField = field<StoreId>((value) =>
  isLineId(value) ? { value } : { error: "store:errors.store.noLine" },
);

/** The form that adds to a cart: {variant, quantity}. */
export const createAddSchema = () =>
  z.object({ variant: variantField, quantity: addQuantityField }, formError);

/** The form that changes a line: {line, quantity}. */
export const createLineSchema = () => z.object({ line: lineField, quantity: lineQuantityField }, formError);

/** The form that removes a line: {line}. */
export const createRemoveSchema = () => z.object({ line: lineField }, formError);

/** Additional fields of a line's forms, by which a removed line can be put back: {variant, had, title}. `had` is its quantity. */
export const createRemovedItemSchema = (): z.ZodType<RemovedItem> =>
  z
    .object({
      variant: variantField,
      had: field<number>((value) => {
        const quantity = readQuantity(value, 1);
        return quantity === null ? { error: "store:errors.store.quantity" } : { value: quantity };
      }),
      title: field<string>((value) =>
        readText(value, {
          max: LINE_TITLE_MAX,
          tooLong: "shared-owners:errors.field.invalid",
          required: "shared-owners:errors.field.invalid",
        }),
      ),
    })
    .transform(({ variant, had, title }) => ({ variantId: variant, quantity: had, title }));

/** Several variants to add at once: [{variantId, quantity}], from 1 to CART_ITEMS_MAX of them. */
export const cartItemsField = field<readonly CartItem[]>((value) => {
  if (!Array.isArray(value) || value.length === 0) return { error: "shared-owners:errors.field.invalid" };
  if (value.length > CART_ITEMS_MAX) return { error: "store:errors.store.tooManyItems" };
  const items: CartItem[] = [];
  for (const [index, item] of value.entries()) {
    const { variantId, quantity } = (item ?? {}) as { variantId?: unknown; quantity?: unknown };
    const variant = variantField.safeParse(variantId);
    if (!variant.success)
      return { error: "store-visitors:states.noVariant", path: [String(index), "variantId"] };
    const count = addQuantityField.safeParse(quantity);
    if (!count.success) return { error: "store:errors.store.quantity", path: [String(index), "quantity"] };
    items.push({ variantId: variant.data, quantity: count.data });
  }
  return { value: items };
});

/**
 * Prefix of the fields that hold the quantities in the form for several variants; the variant's number follows. Field names cannot have a
 * digit after a dot (FIELD_NAME in functions/http/read-form.ts), hence the letter.
 */
const SEVERAL_FIELD = "quantity.v";

/** Returns the name of a variant's quantity field. */
export const severalField = (variantNumber: string): string => SEVERAL_FIELD + variantNumber;

/** Result of the form that adds several variants: the items, or the message keys of the errors. */
export interface SeveralItems {
  readonly items: readonly CartItem[];
  /** Quantities as typed, by the variant's number. */
  readonly typed: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
  /** Message key of an error of the whole form; null without one. */
  readonly formError: string | null;
}

/** Reads the form that adds several variants at once. Skips variants with an empty quantity or 0. */
export function readSeveralItems(fields: Iterable<readonly [string, unknown]>): SeveralItems {
  const items: CartItem[] = [];
  const typed: Record<string, string> = {};
  const errors: Record<string, string> = {};
  for (const [name, value] of fields) {
    if (!name.startsWith(SEVERAL_FIELD)) continue;
    const variantNumber = name.slice(SEVERAL_FIELD.length);
    const text = typeof value === "string" ? value.trim() : "";
    const variantId = variantIdOf(variantNumber);
    if (variantId === null) return { items, typed, errors, formError: "store-visitors:states.noVariant" };
    typed[variantNumber] = text;
    if (text === "") continue;
    const quantity = readQuantity(text, 0);
    if (quantity === null) errors[variantNumber] = "store:errors.store.lineQuantity";
    else if (quantity > 0) items.push({ variantId, quantity });
  }
  const hasTooMany = items.length > CART_ITEMS_MAX;
  const isEmpty = items.length === 0 && Object.keys(errors).length === 0;
  const formError = hasTooMany
    ? "store:errors.store.tooManyItems"
    : isEmpty
      ? "store:errors.store.noneChosen"
      : null;
  return { items, typed, errors, formError };
}

/** Parameters of a product list. */
export interface ProductQuery {
  /** Search text for titles; empty for all products. */
  readonly q: string;
  /** Cursor after which the page starts. At most one of the two cursors is set. */
  readonly after: string | null;
  /** Cursor before which the page ends. */
  readonly before: string | null;
}

/** The store's own cursor, usually base64. */
const cursorField = field<string | null>((value) => {
  if (isMissing(value)) return { value: null };
  return typeof value === "string" && value.length <= STORE_CURSOR_MAX && /^[\x21-\x7e]+$/.test(value)
    ? { value }
    : { error: "store:errors.store.noPage" };
});

/** The query of a list of products: {q, after, before}, all optional. */
export const createProductQuerySchema = () =>
  z
    .object(
      {
        q: field<string>((value) => {
          const text = readText(value, {
            max: STORE_SEARCH_MAX,
            tooLong: "shared-owners:errors.list.searchTooLong",
          });
          // An asterisk is a wildcard in a store's search. A search of asterisks alone lists all products.
          return "value" in text && /^[*\s]+$/u.test(text.value) ? { value: "" } : text;
        }),
        after: cursorField,
        before: cursorField,
      },
      formError,
    )
    .refine(({ after, before }) => after === null || before === null, {
      message: "store:errors.store.noPage",
      path: ["after"],
    });
