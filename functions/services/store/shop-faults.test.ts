/** Tests the messages of every store fault against the table in docs/store-faults.md, and the handling of some faults. */
import { readFileSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "~/domain/auth/actor";
import { languages } from "~/i18n/languages.server";
import type { MessageKey } from "~/i18n/messages";
import { createAdjustmentNote } from "~/routes/store/cart/adjustments.server";
import { fromRoot } from "../../../scripts/lib/paths";
import { DEMO_STORE_HOST } from "../../../seed/store/hosts-and-tokens";
import { DemoStore, FAULTS, type Fault } from "../../../seed/store/store";
import {
  DEMO_STORE_TOKEN,
  faultHost,
  NO_CHOICE,
  storeDeps,
} from "../../../tests/support/external/demo-store";
import type { AppError } from "../shared/errors";
import type { EventRecord } from "../visitors/visitor-ports";
import { listProducts, readProduct, readStoreStatus, testConnection } from "./shop";
import {
  addToCart,
  type CartResult,
  createCart,
  readCart,
  removeCartLine,
  updateCartLine,
} from "./shop-cart";

const EVENT = "00000000-0000-4000-8000-000000000001";
const actor = { id: "u", role: "admin", groupIds: [] } as unknown as Actor;
const reader = { actor, eventId: EVENT };
const input = { reader, lang: "en" as const, country: null };

/** Faults without a response within the time limit, which is short for them. */
const SILENT: ReadonlySet<Fault> = new Set<Fault>(["hang", "late"]);

let now: number;
let logged: Record<string, unknown>[];
let store: DemoStore;
beforeEach(() => {
  now = 1_000_000_000;
  logged = [];
  store = new DemoStore({ sleep: async () => {} });
});

/** Returns the use cases over the demo store, which fails with the given fault or as each test sets. */
function shopWith(fault: Fault | null, limitMs?: number) {
  const host = fault ? faultHost(fault) : DEMO_STORE_HOST;
  const record = {
    event: { id: EVENT, spStoreUrl: `https://${host}`, spAccessToken: DEMO_STORE_TOKEN },
    space: { id: "s", ownerId: "u", groupId: null },
  } as unknown as EventRecord;
  const storeDependencies = storeDeps({
    store,
    now: () => now,
    secret: "secret",
    defer: (work: Promise<unknown>) => void work.catch(() => {}),
    logged,
    ...(limitMs !== undefined && { limitMs }),
  });
  const deps = {
    ...storeDependencies,
    readRecord: async () => record,
    clock: { now: () => now },
    eventAccessSigner: { sign: () => "", verify: () => false },
  } as unknown as Parameters<typeof testConnection>[0];
  const items = ["seigaiha-tenugui", "seigaiha-postcard"].map((handle) => ({
    variantId: store.product(handle).variants[0]?.id ?? "",
    quantity: 1,
  }));
  return {
    items,
    product: async () => {
      const productId = store.product("seigaiha-tenugui").id;
      const { related } = await readProduct(deps, { ...input, productId, choice: NO_CHOICE });
      return { related: await related };
    },
    list: (q = "") => listProducts(deps, { ...input, query: { q, after: null, before: null } }),
    cart: (cart: CartResult["cartForCookie"] = { id: "gid://shopify/Cart/a?key=b", quantity: 1 }) =>
      readCart(deps, { ...input, storedCart: cart }),
    add: (cart: CartResult["cartForCookie"] = null, addedItems = items) =>
      addToCart(deps, { ...input, storedCart: cart, items: addedItems }),
    create: () => createCart(deps, input),
    update: (cart: CartResult["cartForCookie"], id: string, quantity: number) =>
      updateCartLine(deps, { ...input, storedCart: cart, line: { id, quantity } }),
    remove: (cart: CartResult["cartForCookie"], lineId: string) =>
      removeCartLine(deps, { ...input, storedCart: cart, lineId }),
    test: () => testConnection(deps, { actor, eventId: EVENT, storeUrl: `https://${host}`, token: "" }),
    status: () => readStoreStatus(deps, { actor, eventId: EVENT }),
  };
}
/** Log lines about failures. */
const failures = () => logged.filter(({ message }) => message === "store failure");
const { t } = languages.en;
const messageOf = (error: AppError) => t(error.userMessage.key as MessageKey, error.userMessage.values);
const notesOf = ({ adjustments }: CartResult) =>
  adjustments.map((adjustment) => createAdjustmentNote(t, adjustment).text).join(" ");
/** The text that a visitor reads: the message of a failure, the note on a change, or a dash for a success. */
const readMessage = (work: Promise<unknown>) =>
  work.then(
    (result) => ("adjustments" in (result as object) && notesOf(result as CartResult)) || "–",
    (error: AppError) => messageOf(error),
  );
async function readTest(work: ReturnType<typeof testConnection>) {
  const test = await work;
  if (test.state === "success")
    return test.answeredVersion === undefined
      ? "–"
      : t("store:test.otherVersion", { requested: "2025-01", answered: test.answeredVersion });
  return test.state === "failure" ? t(`store:failure.${test.code as "network"}`) : "";
}
async function readAdvice(work: ReturnType<typeof readStoreStatus>) {
  const { failure } = await work;
  return failure?.code ? t(`store:failure.${failure.code}`, { scope: failure.scope ?? "" }) : "–";
}

describe("the messages of all faults", () => {
  it("are those of docs/store-faults.md", { timeout: 60_000 }, async () => {
    const rows: string[] = [];
    for (const fault of FAULTS) {
      const shop = shopWith(fault, SILENT.has(fault) ? 200 : undefined);
      const product = await readMessage(shop.product());
      const list = await readMessage(shop.list());
      const add = await readMessage(shop.add());
      const createdCart = await shop.create().catch(() => null);
      const cart = await readMessage(shop.cart(createdCart?.cartForCookie));
      const advice = await readAdvice(shop.status());
      rows.push(
        `| \`${fault}\` | ${[product, list, cart, add, advice, await readTest(shop.test())].join(" | ")} |`,
      );
    }
    expect(rows.length).toBeGreaterThanOrEqual(22);
    const path = fromRoot("docs/store-faults.md");
    const text = readFileSync(path, "utf8");
    const [head = ""] = text.split("\n| `");
    // WRITE_FAULTS=1 rewrites the table.
    if (process.env.WRITE_FAULTS) writeFileSync(path, `${head}\n${rows.join("\n")}\n`);
    else expect(text.slice(head.length + 1)).toBe(`${rows.join("\n")}\n`);
    expect(JSON.stringify([rows, logged])).not.toContain(DEMO_STORE_TOKEN);
  });

  it("differ by operation, in both languages", () => {
    const keys = (
      ["products", "search", "product", "collections", "collection", "attached", "cartCreate"] as const
    )
      .map((name) =>
        name === "product"
          ? "store-visitors:states.productFailed"
          : (`store:errors.store.${name}Failed` as MessageKey),
      )
      .concat(
        ["cart", "addToCart", "update", "remove", "connection"].map(
          (name) => `store:errors.store.${name}Failed` as MessageKey,
        ),
      );
    for (const translate of [t, languages.ja.t]) {
      const messages = keys.map((key) => translate(key));
      expect(messages.every((message) => message !== "")).toBe(true);
      expect(new Set(messages).size).toBe(keys.length);
    }
  });
});

describe("an add to the cart", () => {
  it("with errors counts if the cart contains the item, and names the items that were not added", async () => {
    const shop = shopWith(null);
    store.fail("partial", 1);
    const { cart, adjustments, cartForCookie } = await shop.add();
    expect(cart?.lines.map(({ product, quantity }) => [product.title, quantity])).toHaveLength(1);
    expect(cartForCookie?.quantity).toBe(1);
    expect(adjustments).toEqual([
      expect.objectContaining({
        kind: "not_added",
        asked: 1,
        quantity: 0,
        title: expect.stringContaining("") as string,
      }),
    ]);
    expect(adjustments[0]?.title).not.toBe("");
    expect(store.requests.filter(({ operation }) => operation === "CartLinesAdd")).toHaveLength(1);
  });

  it("that succeeded despite errors is not a failure", async () => {
    const shop = shopWith(null);
    store.fail("errors-beside", 1);
    const { cart, adjustments } = await shop.add();
    expect([cart?.totalQuantity, adjustments]).toEqual([2, []]);
  });

  it.each(["lost", "late"] as const)(
    "whose response is %s is detected in the cart, and never sent again",
    async (fault) => {
      const shop = shopWith(null, 200);
      const { cartForCookie } = await shop.add();
      store.fail(fault, 1);
      const { cart, adjustments } = await shop.add(cartForCookie);
      expect([cart?.totalQuantity, adjustments]).toEqual([4, []]);
      expect(store.requests.map(({ operation }) => operation)).toEqual([
        "CartCreate",
        "CartLinesAdd",
        "CartLinesAdd",
        "Cart",
      ]);
    },
  );

  it("that is not in the cart has failed, with the message of specification §8", async () => {
    const shop = shopWith(null, 200);
    const { cartForCookie } = await shop.add();
    for (const fault of ["reset", "500", "html", "hang"] as const) {
      store.fail(fault, 1);
      expect(await readMessage(shop.add(cartForCookie)), fault).toBe(
        "Failed to add to cart. Please wait a moment and try again.",
      );
      now += 60_000;
    }
    expect((await shop.cart(cartForCookie)).cart?.totalQuantity).toBe(2);
  });

  it("is uncertain if the cart cannot be read afterwards", async () => {
    const shop = shopWith(null);
    const { cartForCookie } = await shop.add();
    store.fail("lost", 1);
    store.fail("500", 1);
    await expect(shop.add(cartForCookie)).rejects.toMatchObject({
      code: "shop_uncertain",
      userMessage: { key: "store:errors.store.addUncertain" },
    });
  });

  it("of a variant that is already in the cart is distinguished from the existing items", async () => {
    const shop = shopWith(null);
    const [first] = shop.items;
    const oneItem = first ? [first] : [];
    const { cartForCookie } = await shop.add(null, oneItem);
    store.fail("reset", 1);
    expect(await readMessage(shop.add(cartForCookie, oneItem))).toMatch(/^Failed to add/);
    store.fail("lost", 1);
    expect((await shop.add(cartForCookie, oneItem)).cart?.totalQuantity).toBe(2);
  });
});

describe("a change of a line", () => {
  it.each(["errors-beside", "lost", "late"] as const)(
    "counts as done if the cart shows it (%s)",
    async (fault) => {
      const shop = shopWith(null, 200);
      const { cartForCookie, cart } = await shop.add();
      const id = cart?.lines[0]?.id ?? "";
      store.fail(fault, 1);
      const changed = await shop.update(cartForCookie, id, 3);
      expect(changed.cart?.lines.find((line) => line.id === id)?.quantity).toBe(3);
      store.fail(fault, 1);
      expect((await shop.remove(changed.cartForCookie, id)).cart?.lines).toHaveLength(1);
    },
  );

  it("that failed has a message of its own", async () => {
    const shop = shopWith(null);
    const { cartForCookie, cart } = await shop.add();
    const id = cart?.lines[0]?.id ?? "";
    store.fail("500", 1);
    expect(await readMessage(shop.update(cartForCookie, id, 3))).toBe(t("store:errors.store.updateFailed"));
    now += 60_000;
    store.fail("500", 1);
    expect(await readMessage(shop.remove(cartForCookie, id))).toBe(t("store:errors.store.removeFailed"));
  });
});

describe("a failure", () => {
  it("is one log line with its operation and event, without a token", async () => {
    const shop = shopWith(null);
    store.fail("503");
    await readMessage(shop.product());
    expect(failures()).toEqual([
      {
        message: "store failure",
        operation: "product",
        event: EVENT,
        status: 503,
        code: "retries",
        ms: 0,
        attempt: 3,
      },
    ]);
    // The failure comes from the cache, and the store was not called.
    await readMessage(shop.list());
    expect(failures()).toHaveLength(1);
    store.reset();
    store.fail("partial", 1);
    await shop.add();
    expect(failures().slice(1)).toMatchObject([
      { operation: "cartAdd", status: 200, code: "server", attempt: 1 },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/demo0storefront|gid:/);
  });

  it("is shown to the owner with the store's message, its time, its code, and the number of attempts", async () => {
    const shop = shopWith(null);
    await shop.test();
    expect((await shop.status()).response).toMatchObject({
      at: now,
      operation: "shop",
      status: 200,
      code: null,
    });
    now += 5_000;
    store.fail("503");
    await readMessage(shop.product());
    const { failure } = await shop.status();
    expect(failure).toMatchObject({
      at: now,
      operation: "product",
      status: 503,
      code: "retries",
      attempts: 3,
    });
    expect(failure?.message).toContain("Attempted maximum number of 2 network retries");
  });

  it("of a token without a scope states the scope", async () => {
    const shop = shopWith("access-denied");
    expect(await readMessage(shop.product())).toBe("Failed to obtain product information");
    expect((await shop.status()).failure).toMatchObject({
      code: "access_denied",
      scope: "unauthenticated_read_product_listings",
      status: 200,
    });
    expect(await readAdvice(shop.status())).toContain("unauthenticated_read_product_listings");
  });
});

it("reports a response of another API version than the requested one", async () => {
  const shop = shopWith("version");
  expect(await shop.test()).toMatchObject({ state: "success", answeredVersion: "2026-01" });
  await shop.product();
  expect((await shop.status()).response).toMatchObject({ version: "2026-01", operation: "product" });
});
