/** What the editor asks an event's store: never more than once a page, and never for the page to wait for long, unless it is the page. */
import type { AppLoadContext } from "@remix-run/cloudflare";
import type { Actor, TagProduct, Uuid } from "~/domain/shared/model";
import type { AttachedProduct, StorePage, StoreStatus } from "~/domain/store/store";
import { createProductQuerySchema } from "~/domain/store/store.schema";
import { attachedProducts } from "~/domain/store/store-of";
import { packWords, wordsOf } from "~/forms/words";
import { readPanel } from "../../content/editor/panels";
import { within } from "../../shared/with-time-limit";
import type { ConnectedShop } from "./store-requests";

interface AskedStore {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly eventId: Uuid;
}

interface AskedPage extends AskedStore {
  /** Of the page's address. */
  readonly search: URLSearchParams;
}

const reading = ({ context, actor, eventId }: AskedStore) => ({
  reader: { actor, eventId },
  lang: context.lang,
  country: context.client.country,
});

/** How products stand in the event's store; null when it has none. Whoever may not edit the event is told so, or that there is none. */
export async function readProducts(
  asked: AskedStore,
  products: readonly TagProduct[],
): Promise<readonly AttachedProduct[] | null> {
  const { context } = asked;
  const check = context.services.shop.checkAttached({ ...reading(asked), products });
  const found = await context.attempt(check);
  if (found.ok) return found.value;
  const { status, kind } = found.failure;
  if (kind === "not_found" || kind === "forbidden") throw new Response(null, { status });
  return null;
}

/** The shop's present name, null when the store does not respond, and the store's last responses, including this one. */
export async function readShop(asked: AskedStore): Promise<ConnectedShop> {
  const { context, actor, eventId } = asked;
  const { event } = await context.services.events.getEvent({ actor, eventId });
  const storeUrl = event.spStoreUrl ?? "";
  const test = await context.attempt(
    context.services.shop.testConnection({ actor, eventId, storeUrl, token: "" }),
  );
  const name = test.ok && test.value.state === "success" ? test.value.shopName : null;
  return { name, status: await readStatus(asked) };
}

/** The store's last responses; null for an event without a store. */
async function readStatus({ context, actor, eventId }: AskedStore): Promise<StoreStatus | null> {
  const found = await context.attempt(context.services.shop.readStoreStatus({ actor, eventId }));
  return found.ok ? found.value : null;
}

/** A page of products to choose from. */
export interface ProductPicker {
  /** What was searched for. */
  readonly q: string;
  readonly page: StorePage;
  /** How many products stand before this page; null where its address does not say. */
  readonly at: number | null;
  /** Packed words of what is in the way; then the page has nothing. */
  readonly problem: string | null;
  /** Whether the problem is that the address names no page of the list. */
  readonly isNoPage: boolean;
}

const NO_PAGE = "store:errors.store.noPage";

const NOTHING: StorePage = { products: [], next: null, previous: null };

/** The store's products, as the picker shows them; null where the address does not ask for it. */
async function readProductPicker({ search, ...asked }: AskedPage): Promise<ProductPicker | null> {
  if (search.get("pick") !== "product") return null;
  const q = search.get("find") ?? "";
  const at = /^\d{1,6}$/.exec(search.get("at") ?? "");
  const query = createProductQuerySchema().safeParse({
    q,
    after: search.get("after"),
    before: search.get("before"),
  });
  if (!query.success) {
    const problem = query.error.issues[0]?.message ?? "shared-owners:errors.field.invalid";
    return { q, page: NOTHING, at: null, problem, isNoPage: problem === NO_PAGE };
  }
  const { context } = asked;
  const found = await context.attempt(
    context.services.shop.listProducts({ ...reading(asked), query: query.data }),
  );
  if (found.ok) {
    const page = found.value;
    return {
      q: query.data.q,
      page,
      at: page.previous === null ? 0 : at && Number(at[0]),
      problem: null,
      isNoPage: false,
    };
  }
  const words = wordsOf(found.failure);
  return { q, page: NOTHING, at: null, problem: packWords(words), isNoPage: words.key === NO_PAGE };
}

/** How long a page of the store's panel waits to say how its products stand, in milliseconds: without scripts it could not say so afterwards. */
const GRACE_MS = 250;

/**
 * How the products stand, for the store's panel; null where scripts ask for it, where the store takes its time, or gives nothing. Who
 * asks for the check itself waits for it.
 */
async function readCheck({ search, ...asked }: AskedPage) {
  const { context, actor, eventId } = asked;
  const isAsked = search.has("check");
  if (readPanel(search) !== "store" || search.has("pick") || !(isAsked || context.page.isDocument))
    return null;
  const content = await context.services.content.getContent({ actor, eventId });
  const work = readProducts(asked, attachedProducts(content));
  if (isAsked) return { attached: await work };
  const attached = await within(work, GRACE_MS, null);
  return attached?.every(({ state }) => state !== "unknown") ? { attached } : null;
}

/** What a page of the editor waits for: products to choose from, and how those stand that are attached. */
export async function readStore(asked: AskedPage) {
  const [picker, check, status] = await Promise.all([
    readProductPicker(asked),
    readCheck(asked),
    readPanel(asked.search) === "store" ? readStatus(asked) : null,
  ]);
  return { picker, check, status };
}
