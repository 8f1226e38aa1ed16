import { type AppLoadContext, data } from "@remix-run/cloudflare";
import { createAddSchema, readSeveralItems } from "~/domain/store/store.schema";
import type { MessageKey, Translate } from "~/i18n/messages";
import { toStoreResult } from "../shared/page-with-store-result.server";
import type { EnteredShop } from "../storefront/shop.server";
import type { RejectedPurchase } from "./buy";
import type { RejectedVariants } from "./several";

/** The intent of the form that adds several variants at once. */
export const ADD_VARIANTS_INTENT = "several";

/**
 * Adds several variants of a product with one call to the store.
 * @returns the changed cart, or the rejected form with its input
 */
export async function addVariants(context: AppLoadContext, shop: EnteredShop, form: FormData) {
  const { t, cartInput } = shop;
  const formItems = readSeveralItems(form);
  const reject = (status: number, formError: string | null) =>
    ({
      ok: false,
      rejection: data(createRejectedVariants(t, formItems, formError), { status }),
    }) as const;
  if (formItems.formError !== null) return reject(400, t(formItems.formError as MessageKey));
  if (Object.keys(formItems.errors).length > 0) return reject(400, null);
  const addition = context.services.shop.addToCart({ ...cartInput, items: formItems.items });
  const addResult = await toStoreResult(context, t, addition, "cartAdd");
  if (!addResult.ok) return reject(addResult.status, addResult.message);
  return { ok: true, items: formItems.items, value: addResult.value } as const;
}

function createRejectedVariants(
  t: Translate,
  { typed, errors }: ReturnType<typeof readSeveralItems>,
  formError: string | null,
): RejectedVariants {
  const messages = Object.entries(errors).map(
    ([variantNumber, messageKey]) => [variantNumber, t(messageKey as MessageKey)] as const,
  );
  return { state: "several", typed, errors: Object.fromEntries(messages), form: formError };
}

/** Adds a quantity of one variant. @returns the changed cart, or the rejected form with its input */
export async function addVariant(context: AppLoadContext, { t, cartInput }: EnteredShop, form: FormData) {
  const input = { variant: String(form.get("variant") ?? ""), quantity: String(form.get("quantity") ?? "") };
  const reject = (status: number, errors: RejectedPurchase["errors"]) => {
    const rejectedPurchase: RejectedPurchase = { state: "rejected", quantity: input.quantity, errors };
    return { ok: false, rejection: data(rejectedPurchase, { status }) } as const;
  };
  // An emptied field is an error. A form without the field adds one piece.
  if (form.has("quantity") && input.quantity.trim() === "")
    return reject(400, { quantity: t("store:errors.store.quantity") });
  const parsed = createAddSchema().safeParse(input);
  if (!parsed.success) {
    const readError = (name: string) => {
      const issue = parsed.error.issues.find(({ path }) => path[0] === name);
      return issue && { [name]: t(issue.message as MessageKey) };
    };
    const { variant: formError, quantity } = { ...readError("variant"), ...readError("quantity") } as Record<
      string,
      string
    >;
    return reject(400, { ...(formError && { form: formError }), ...(quantity && { quantity }) });
  }
  const { variant: variantId, quantity } = parsed.data;
  const items = [{ variantId, quantity }];
  const addResult = await toStoreResult(
    context,
    t,
    context.services.shop.addToCart({ ...cartInput, items }),
    "cartAdd",
  );
  if (!addResult.ok) return reject(addResult.status, { form: addResult.message });
  return { ok: true, items, value: addResult.value } as const;
}
