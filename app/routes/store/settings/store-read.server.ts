/** Store queries of the editor. A page makes at most one. It waits for the store only briefly, except on the product picker and for an explicit check. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { attachedProducts } from "~/domain/store/event-store";
import type { AttachedProduct, StorePage, StoreStatus } from "~/domain/store/store";
import { createProductQuerySchema } from "~/domain/store/store.schema";
import { failureMessage, packMessage } from "~/forms/shared/user-message";
import { readPanel } from "../../content/editor/panels";
import { withTimeLimit } from "../../shared/with-time-limit";
import type { ConnectedShop, FoundProducts } from "./store-requests";

interface StoreRead {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly eventId: Uuid;
}

interface StorePageRead extends StoreRead {
  /** Query of the page. */
  readonly searchParams: URLSearchParams;
}

const readerInput = ({ context, actor, eventId }: StoreRead) => ({
  reader: { actor, eventId },
  lang: context.lang,
  country: context.client.country,
});

/** States of products in the event's store, "unknown" if it does not respond; null if there is no store. @throws a 403 or 404 response for callers who may not edit the event */
export async function readProducts(
  input: StoreRead,
  products: readonly TagProduct[],
): Promise<readonly AttachedProduct[] | null> {
  const { context } = input;
  const attachedRead = context.services.shop.checkAttached({ ...readerInput(input), products });
  const result = await context.attempt(attachedRead);
  if (result.ok) return result.value;
  const { status, kind } = result.failure;
  if (kind === "not_found" || kind === "forbidden") throw new Response(null, { status });
  return null;
}

/** Reads the shop's current name (null if the connection fails), and then the store's last responses, including this one. */
export async function readShop(input: StoreRead): Promise<ConnectedShop> {
  const { context, actor, eventId } = input;
  const { event } = await context.services.events.getEvent({ actor, eventId });
  const storeUrl = event.spStoreUrl ?? "";
  const test = await context.attempt(
    context.services.shop.testConnection({ actor, eventId, storeUrl, token: "" }),
  );
  const name = test.ok && test.value.state === "success" ? test.value.shopName : null;
  return { name, status: await readStatus(input) };
}

/** Last responses of the store; null for an event without a store. */
async function readStatus({ context, actor, eventId }: StoreRead): Promise<StoreStatus | null> {
  const result = await context.attempt(context.services.shop.readStoreStatus({ actor, eventId }));
  return result.ok ? result.value : null;
}

/** A page of the product picker. */
export interface ProductPicker {
  /** Search text. */
  readonly q: string;
  readonly page: StorePage;
  /** Number of products before this page; null if the URL does not contain it. */
  readonly at: number | null;
  /** Message of a problem, packed into one string (its key and values); then the page has no products. */
  readonly problem: string | null;
  /** Whether the problem is that the URL is not a page of the list. */
  readonly isNoPage: boolean;
}

const NO_PAGE_MESSAGE = "store:errors.store.noPage";

const EMPTY_PAGE: StorePage = { products: [], next: null, previous: null };

/** The store's products for the picker. */
async function readProductPicker({ searchParams, ...input }: StorePageRead): Promise<ProductPicker> {
  const q = searchParams.get("find") ?? "";
  const atMatch = /^\d{1,6}$/.exec(searchParams.get("at") ?? "");
  const query = createProductQuerySchema().safeParse({
    q,
    after: searchParams.get("after"),
    before: searchParams.get("before"),
  });
  if (!query.success) {
    const problem = query.error.issues[0]?.message ?? "shared-owners:errors.field.invalid";
    return { q, page: EMPTY_PAGE, at: null, problem, isNoPage: problem === NO_PAGE_MESSAGE };
  }
  const { context } = input;
  const result = await context.attempt(
    context.services.shop.listProducts({ ...readerInput(input), query: query.data }),
  );
  if (result.ok) {
    const page = result.value;
    return {
      q: query.data.q,
      page,
      at: page.previous === null ? 0 : atMatch && Number(atMatch[0]),
      problem: null,
      isNoPage: false,
    };
  }
  const text = failureMessage(result.failure);
  return {
    q,
    page: EMPTY_PAGE,
    at: null,
    problem: packMessage(text),
    isNoPage: text.key === NO_PAGE_MESSAGE,
  };
}

/** Time for which the store panel waits for the states of its products, in milliseconds. Without scripts they could not be added later. */
const STATES_WAIT_MS = 250;

/** Maximum number of products that the picker shows while the user types. */
const RESULTS_MAX = 20;

/** The first products whose titles contain the words of the search text. */
export async function readFoundProducts(input: StorePageRead): Promise<FoundProducts> {
  const { page, problem } = await readProductPicker(input);
  const products = page.products.slice(0, RESULTS_MAX);
  return { products, hasMore: page.next !== null || page.products.length > RESULTS_MAX, problem };
}

/**
 * States of the products for the store panel; null on other pages, after a navigation (then scripts request them), and if the store is slow or does not
 * respond. An explicit check waits for the response.
 */
async function readCheck({ searchParams, ...input }: StorePageRead) {
  const { context, actor, eventId } = input;
  const isRequested = searchParams.has("check");
  if (
    readPanel(searchParams) !== "store" ||
    searchParams.has("pick") ||
    !(isRequested || context.page.isDocument)
  )
    return null;
  const content = await context.services.content.getContent({ actor, eventId });
  const productRead = readProducts(input, attachedProducts(content));
  if (isRequested) return { attached: await productRead };
  const attached = await withTimeLimit(productRead, STATES_WAIT_MS, null);
  return attached?.every(({ state }) => state !== "unknown") ? { attached } : null;
}

/** Store data of an editor page: products to choose from, the states of the attached ones, and the store's last responses. */
export async function readStore(input: StorePageRead) {
  const panel = readPanel(input.searchParams);
  const [picker, check, status] = await Promise.all([
    input.searchParams.get("pick") === "product" ? readProductPicker(input) : null,
    readCheck(input),
    // The checklist of the links panel shows the status, too.
    panel === "store" || panel === "links" ? readStatus(input) : null,
  ]);
  return { picker, check, status };
}
