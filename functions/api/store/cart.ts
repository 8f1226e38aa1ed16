import * as z from "zod";
import type { ShopReader } from "#functions/services/store/shop-access";
import type { CartResult } from "#functions/services/store/shop-cart";
import { field } from "~/domain/shared/fields.schema";
import { CART_ITEMS_MAX, CART_QUANTITY_MAX } from "~/domain/shared/limits";
import type { Lang, Uuid } from "~/domain/shared/model";
import type { StoreId } from "~/domain/store/store";
import { cartItemsField } from "~/domain/store/store.schema";
import { lineTitle } from "~/domain/store/store-cart";
import { isCartId } from "~/domain/store/store-ids";
import { call } from "../core/call";
import { choice, describe, optional, uncheckedOptionalField } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { type ApiCall, requireSession } from "../core/request";
import { requireOpenLink } from "../visitors/visitors";
import { MoneySchema, moneyJson, STORE_PROBLEMS } from "./store";

const CartSchema = z
  .object({
    id: z
      .string()
      .meta({ description: "The store's id, with its key. Every holder of the id can change the cart." }),
    quantity: z.number().int(),
    subtotal: MoneySchema,
    total: MoneySchema,
    checkout_url: z.string().nullable(),
    lines: z.array(
      z.object({
        id: z.string(),
        variant: z.string(),
        product: z.string(),
        title: z.string(),
        quantity: z.number().int(),
        total: MoneySchema,
      }),
    ),
  })
  .meta({ id: "Cart" });
const AddedSchema = z
  .object({
    cart: CartSchema.nullable(),
    adjustments: z
      .array(
        z.object({
          kind: z.string(),
          title: z.string(),
          asked: z.number().int().nullable(),
          quantity: z.number().int().nullable(),
          message: z.string(),
        }),
      )
      .meta({ description: "Adjustments that the store made to the cart." }),
  })
  .meta({ id: "AddedToCart" });

const cartField = field<StoreId | null>((value) => {
  if (value === undefined || value === null || value === "") return { value: null };
  return isCartId(value) ? { value } : { error: "shared-owners:errors.field.invalid" };
});

/** Converts the lines of a body for the schema of carts. `variant` is the number of a variant or its whole id. */
const linesField = field<z.output<typeof cartItemsField>>((value) => {
  const items = Array.isArray(value)
    ? value.map((line: unknown) => {
        const { variant, quantity } = (line ?? {}) as { variant?: unknown; quantity?: unknown };
        return { variantId: typeof variant === "number" ? String(variant) : variant, quantity };
      })
    : value;
  const parsed = cartItemsField.safeParse(items);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  const path = issue?.path.map((part) => (part === "variantId" ? "variant" : String(part)));
  const error =
    issue?.message === "store-visitors:states.noVariant" ? "store:errors.store.lineVariant" : issue?.message;
  return { error: error ?? "shared-owners:errors.field.invalid", ...(path && path.length > 0 && { path }) };
});

function addedJson({ cart, adjustments }: CartResult): z.output<typeof AddedSchema> {
  return {
    cart: cart && {
      id: cart.id,
      quantity: cart.totalQuantity,
      subtotal: moneyJson(cart.subtotal),
      total: moneyJson(cart.total),
      checkout_url: cart.checkoutUrl,
      lines: cart.lines.map((line) => ({
        id: line.id,
        variant: line.variant.id,
        product: line.product.id,
        title: lineTitle(line),
        quantity: line.quantity,
        total: moneyJson(line.total),
      })),
    },
    adjustments: adjustments.map(({ kind, title, asked, quantity, message }) => ({
      kind,
      title,
      asked,
      quantity,
      message,
    })),
  };
}

/**
 * Returns the reader of a store: a visitor with the token of a link, or without a token the authenticated caller, who must be allowed to edit the event.
 */
async function findReader(c: ApiCall, eventId: Uuid, token: unknown): Promise<ShopReader> {
  if (typeof token !== "string") return { actor: (await requireSession(c)).actor, eventId };
  return { link: (await requireOpenLink(c, eventId, token)).link };
}

const LANGS = ["ja", "en"] as const satisfies readonly Lang[];

/** Carts of an event's store: /v1/events/{uuid}/cart/lines. */
export const cartCalls = [
  call({
    id: "addToCart",
    method: "POST",
    path: "/v1/events/{uuid}/cart/lines",
    tag: "store",
    summary: "Add one or several lines to a visitor's cart",
    description:
      "Without `cart`, or with one that has expired, the store makes a new cart. `adjustments` lists how the cart differs from the request.",
    who: "anyone",
    may: PERMISSION_TEXTS.link,
    body: z.object({
      token: uncheckedOptionalField({
        type: "string",
        description: "Token of a link. Without it, the session's user must be allowed to edit the event.",
      }),
      cart: optional(cartField, {
        type: ["string", "null"],
        description: "`cart.id` of an earlier response.",
      }),
      lines: describe(linesField, {
        type: "array",
        minItems: 1,
        maxItems: CART_ITEMS_MAX,
        items: {
          type: "object",
          required: ["variant"],
          properties: {
            variant: { type: "string", description: "A variant's number, or its whole id." },
            quantity: { type: "integer", minimum: 1, maximum: CART_QUANTITY_MAX, default: 1 },
          },
        },
      }),
      lang: choice(LANGS, "Language of the store's texts."),
    }),
    response: AddedSchema,
    problems: [
      ...STORE_PROBLEMS,
      "not_found",
      "unauthenticated",
      "password_required",
      "rate_limited",
      "shop_no_variant",
      "shop_refused",
    ],
    handle: async ({ c, services, params, body }) => {
      const { token, cart = null, lines, lang = "ja" } = body;
      const reader = await findReader(c, params.uuid, token);
      const storedCart = cart === null ? null : { id: cart, quantity: null };
      const buyerIp = c.req.raw.headers.get("cf-connecting-ip");
      const input = { reader, lang, country: null, storedCart, items: lines, buyerIp };
      return addedJson(await services.shop.addToCart(input));
    },
  }),
];
