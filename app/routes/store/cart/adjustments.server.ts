import type { CartAdjustment } from "~/domain/store/store";
import type { Translate } from "~/i18n/messages";
import type { Note } from "../shared/store-result";

/** Message for a change or a warning of the store about a cart. Warnings of unknown types use the store's own text. */
export const createAdjustmentNote = (t: Translate, adjustment: CartAdjustment): Note => ({
  text: adjustmentMessage(t, adjustment),
  // A warning of an unknown type does not necessarily mean that the cart was changed. If it has no text, the message says that it was.
  isChange: adjustment.kind !== "other" || adjustment.message === "",
});

function adjustmentMessage(t: Translate, adjustment: CartAdjustment): string {
  const { kind, title, message } = adjustment;
  // `asked` is the requested quantity, for "removed" the earlier one.
  const values = {
    title,
    message,
    asked: adjustment.asked ?? 0,
    quantity: adjustment.quantity ?? 0,
  };
  if (
    kind === "not_enough_stock" &&
    title !== "" &&
    adjustment.asked === null &&
    adjustment.quantity !== null
  )
    return t("store-visitors:adjusted.not_enough_stock_some", values);
  if (kind === "not_added" && title !== "" && adjustment.quantity === 0)
    return t("store-visitors:adjusted.not_added_none", values);
  // Messages whose key ends with `_plain` need no values.
  const isPlain = {
    not_added: title === "",
    not_enough_stock: title === "" || adjustment.asked === null || adjustment.quantity === null,
    out_of_stock: title === "",
    removed: false,
    expired: false,
    other: message === "",
  }[kind];
  if (kind === "removed" || kind === "expired") return t(`store-visitors:adjusted.${kind}`, values);
  return isPlain ? t(`store-visitors:adjusted.${kind}_plain`) : t(`store-visitors:adjusted.${kind}`, values);
}
