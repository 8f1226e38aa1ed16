import * as z from "zod";
import {
  STORE_CURSOR_MAX,
  STORE_SEARCH_MAX,
  STORE_TOKEN_MAX,
  STORE_URL_MAX,
  STOREFRONT_API_VERSION,
} from "~/domain/shared/limits";
import type { Lang } from "~/domain/shared/model";
import { attachedProducts } from "~/domain/store/event-store";
import {
  type AttachedProduct,
  STORE_FAILURES,
  STORE_OPERATIONS,
  type StoreCard,
  type StoreFailureCode,
  type StoreResponse,
} from "~/domain/store/store";
import { createProductQuerySchema } from "~/domain/store/store.schema";
import { call, type JsonOf, type ProblemCode } from "../core/call";
import { choice, optionalId, optionalText } from "../core/fields";
import { validate } from "../core/request";

/** An amount of money in the format of the store. */
export const MoneySchema = z.object({ amount: z.string(), currency_code: z.string() }).meta({ id: "Money" });
const ProductSchema = z
  .object({
    id: z.string().meta({ description: "The store's id." }),
    title: z.string(),
    picture_url: z.string().nullable(),
    price: z.object({ from: MoneySchema, to: MoneySchema }),
    state: z.enum(["in_stock", "back_order", "some_sold_out", "sold_out", "not_for_sale"]),
    as_of: z.string().meta({ format: "date-time", description: "When the store sent the data." }),
  })
  .meta({ id: "Product" });
const ProductPageSchema = z
  .object({
    products: z.array(ProductSchema),
    next: z.string().nullable().meta({ description: "`after` of the next page." }),
    previous: z.string().nullable().meta({ description: "`before` of the page before." }),
  })
  .meta({ id: "ProductPage" });
const AttachedSchema = z
  .object({
    id: z.string(),
    title: z.string(),
    state: z.enum([...ProductSchema.shape.state.options, "gone", "unknown"]),
    sold_out: z.array(z.string()).meta({ description: "Titles of variants." }),
    product: ProductSchema.nullable(),
  })
  .meta({ id: "AttachedProduct" });
const TestSchema = z
  .object({
    state: z
      .enum(["idle", "success", "failure"])
      .meta({ description: "`idle`: the address or the token is missing, and no request was made." }),
    shop_name: z.string().nullable(),
    code: z.enum([...STORE_FAILURES, "address", "token"]).nullable(),
    message: z.string().nullable(),
    scope: z.string().optional().meta({ description: "The access scope that the token lacks." }),
    answered_version: z
      .string()
      .optional()
      .meta({ description: "Version of the store's API, if it differs from the requested one." }),
  })
  .meta({ id: "ConnectionTest" });
const ResponseSchema = z
  .object({
    at: z.string().meta({ format: "date-time" }),
    operation: z.enum(STORE_OPERATIONS),
    code: z.enum(STORE_FAILURES).nullable(),
    status: z.number().int().nullable().meta({ description: "HTTP status; null without a response." }),
    message: z
      .string()
      .meta({ description: "Message of the Storefront API client; empty if nothing failed." }),
    scope: z.string().nullable(),
    version: z.string().nullable().meta({ description: "Version of the store's API in the response." }),
    ms: z.number().int(),
    attempts: z.number().int(),
  })
  .meta({ id: "StoreResponse" });
const StatusSchema = z
  .object({
    requested_version: z.string(),
    last_answer: ResponseSchema.nullable(),
    last_failure: ResponseSchema.nullable(),
  })
  .meta({ id: "StoreStatus" });

/** Problems of every call to an event's store. */
export const STORE_PROBLEMS: readonly ProblemCode[] = [
  "forbidden",
  "shop_not_ready",
  ...STORE_FAILURES.map((code: StoreFailureCode) => `store_${code}` as const),
];
const EDITORS = "Users who may edit the event.";
const LANGS = ["ja", "en"] as const satisfies readonly Lang[];
const lang = choice(LANGS, "Language of the store's texts.");

/** An amount of money as the API's JSON. */
export const moneyJson = ({ amount, currencyCode }: StoreCard["price"]["from"]) => ({
  amount,
  currency_code: currencyCode,
});
const productJson = (card: StoreCard): JsonOf<typeof ProductSchema> => ({
  id: card.id,
  title: card.title,
  picture_url: card.image,
  price: { from: moneyJson(card.price.from), to: moneyJson(card.price.to) },
  state: card.state,
  as_of: new Date(card.respondedAt).toISOString(),
});
const responseJson = (response: StoreResponse | null): JsonOf<typeof ResponseSchema> | null =>
  response && { ...response, at: new Date(response.at).toISOString() };
const attachedJson = (product: AttachedProduct): JsonOf<typeof AttachedSchema> => ({
  id: product.id,
  title: product.title,
  state: product.state,
  sold_out: product.soldOut,
  product: product.card && productJson(product.card),
});

/** The store of an event, for its editors: /v1/store/test, /v1/events/{uuid}/store, /v1/events/{uuid}/products. */
export const storeCalls = [
  call({
    id: "testStore",
    method: "POST",
    path: "/v1/store/test",
    tag: "store",
    summary: "Test the connection to a store",
    description: "With `event_uuid` and the saved URL, an empty token stands for the saved one.",
    who: "user",
    may: "Every user with a session; with `event_uuid`, only users who may edit that event.",
    body: z.object({
      event_uuid: optionalId("The event that uses the store."),
      sp_store_url: optionalText({ type: "string", maxLength: STORE_URL_MAX }),
      sp_access_token: optionalText({ type: "string", maxLength: STORE_TOKEN_MAX }),
    }),
    response: TestSchema,
    problems: ["forbidden"],
    handle: async ({ c, services, actor, body }) => {
      const { event_uuid: eventId = null, sp_store_url: storeUrl = "", sp_access_token: token = "" } = body;
      const test = await services.shop.testConnection({ actor, eventId, storeUrl, token });
      const message =
        test.state !== "failure"
          ? null
          : test.key === null
            ? test.message
            : c.env.messagesFor(c.req.raw)({ key: test.key });
      return {
        state: test.state,
        shop_name: test.state === "success" ? test.shopName : null,
        code: test.state === "failure" ? test.code : null,
        message,
        ...(test.state === "failure" && test.scope && { scope: test.scope }),
        ...(test.state === "success" && test.answeredVersion && { answered_version: test.answeredVersion }),
      };
    },
  }),

  call({
    id: "readStoreStatus",
    method: "GET",
    path: "/v1/events/{uuid}/store",
    tag: "store",
    summary: "Get the last response of the event's store, and its last failure",
    who: "user",
    may: EDITORS,
    response: StatusSchema,
    problems: ["forbidden", "shop_not_ready"],
    handle: async ({ services, actor, params: { uuid: eventId } }) => {
      const { response, failure } = await services.shop.readStoreStatus({ actor, eventId });
      return {
        requested_version: STOREFRONT_API_VERSION,
        last_answer: responseJson(response),
        last_failure: responseJson(failure),
      };
    },
  }),

  call({
    id: "listProducts",
    method: "GET",
    path: "/v1/events/{uuid}/products",
    tag: "store",
    summary: "List products of the event's store, optionally by words in their titles, at most 250",
    who: "user",
    may: EDITORS,
    query: z.object({
      q: optionalText({ type: "string", maxLength: STORE_SEARCH_MAX }),
      after: optionalText({ type: "string", maxLength: STORE_CURSOR_MAX, description: "Not with `before`." }),
      before: optionalText({ type: "string", maxLength: STORE_CURSOR_MAX }),
      lang,
    }),
    response: ProductPageSchema,
    problems: STORE_PROBLEMS,
    handle: async ({
      services,
      actor,
      params: { uuid: eventId },
      query: { lang = "ja", ...productQuery },
    }) => {
      const query = await validate(createProductQuerySchema(), productQuery);
      const reader = { actor, eventId };
      const page = await services.shop.listProducts({ reader, lang, country: null, query });
      return { products: page.products.map(productJson), next: page.next, previous: page.previous };
    },
  }),

  call({
    id: "listAttachedProducts",
    method: "GET",
    path: "/v1/events/{uuid}/products/attached",
    tag: "store",
    summary: "Get the current state of the products of an event and its tags",
    who: "user",
    may: EDITORS,
    query: z.object({ lang }),
    response: z.array(AttachedSchema),
    wholeListKey: "id",
    problems: STORE_PROBLEMS,
    handle: async ({ services, actor, params: { uuid: eventId }, query: { lang = "ja" } }) => {
      const content = await services.content.getContent({ actor, eventId });
      const products = attachedProducts(content);
      const reader = { actor, eventId };
      const attached = await services.shop.checkAttached({ reader, lang, country: null, products });
      return attached.map(attachedJson);
    },
  }),
];
