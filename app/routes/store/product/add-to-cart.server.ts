import { type AppLoadContext, data } from "@remix-run/cloudflare";
import { createAddSchema, readSeveralItems } from "~/domain/store/store.schema";
import type { MessageKey, Translate } from "~/i18n/messages";
import { answerOf } from "../shared/store-answer.server";
import type { InShop } from "../storefront/shop.server";
import type { RefusedPurchase } from "./buy";
import type { RefusedSeveral } from "./several";

/** The intent of the form that adds several variants at once. */
export const SEVERAL = "several";

/**
 * Adds several variants of a product with one call to the store.
 * @returns the changed cart, or the rejected form with its input
 */
export async function addSeveral(context: AppLoadContext, shop: InShop, form: FormData) {
  const { t, cartInput } = shop;
  const read = readSeveralItems(form);
  const refuse = (status: number, formError: string | null) =>
    ({
      ok: false,
      refused: data(refusedOf(t, read, formError), { status }),
    }) as const;
  if (read.formError !== null) return refuse(400, t(read.formError as MessageKey));
  if (Object.keys(read.errors).length > 0) return refuse(400, null);
  const work = context.services.shop.addToCart({ ...cartInput, items: read.items });
  const added = await answerOf(context, t, work, "cartAdd");
  if (!added.ok) return refuse(added.status, added.message);
  return { ok: true, items: read.items, value: added.value } as const;
}

function refusedOf(
  t: Translate,
  { typed, errors }: ReturnType<typeof readSeveralItems>,
  form: string | null,
): RefusedSeveral {
  const messages = Object.entries(errors).map(([number, key]) => [number, t(key as MessageKey)] as const);
  return { state: "several", typed, errors: Object.fromEntries(messages), form };
}

/** Adds a quantity of one variant. @returns the changed cart, or the rejected form with its input */
export async function addOne(context: AppLoadContext, { t, cartInput }: InShop, form: FormData) {
  const typed = { variant: String(form.get("variant") ?? ""), quantity: String(form.get("quantity") ?? "") };
  const refuse = (status: number, errors: RefusedPurchase["errors"]) => {
    const refused: RefusedPurchase = { state: "refused", quantity: typed.quantity, errors };
    return { ok: false, refused: data(refused, { status }) } as const;
  };
  // An emptied field is an error; a form without the field adds one.
  if (form.has("quantity") && typed.quantity.trim() === "")
    return refuse(400, { quantity: t("store:errors.store.quantity") });
  const read = createAddSchema().safeParse(typed);
  if (!read.success) {
    const of = (name: string) => {
      const issue = read.error.issues.find(({ path }) => path[0] === name);
      return issue && { [name]: t(issue.message as MessageKey) };
    };
    const { variant: form, quantity } = { ...of("variant"), ...of("quantity") } as Record<string, string>;
    return refuse(400, { ...(form && { form }), ...(quantity && { quantity }) });
  }
  const { variant: variantId, quantity } = read.data;
  const items = [{ variantId, quantity }];
  const added = await answerOf(
    context,
    t,
    context.services.shop.addToCart({ ...cartInput, items }),
    "cartAdd",
  );
  if (!added.ok) return refuse(added.status, { form: added.message });
  return { ok: true, items, value: added.value } as const;
}
