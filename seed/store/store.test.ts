import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { DOCUMENTS } from "#functions/storefront/documents";
import { fromRoot } from "../../scripts/lib/paths";
import { DEMO_STORE_HOST, DEMO_STORE_TOKEN } from "./hosts-and-tokens";
import { DemoStore, FAULTS, type Fault, faultHost } from "./store";

interface QueryResult {
  readonly data: Record<string, { readonly cart?: CartJson } & CartJson>;
}
interface CartJson {
  readonly id: string;
  readonly totalQuantity: number;
}

const store = new DemoStore();
const merchandiseId = store.product("seigaiha-tenugui").variants[0]?.id ?? "";

async function query(host: string, document: string, variables: object): Promise<QueryResult["data"]> {
  const request = new Request(`https://${host}/api/2025-01/graphql.json`, {
    method: "POST",
    headers: { "x-shopify-storefront-access-token": DEMO_STORE_TOKEN },
    body: JSON.stringify({ query: document, variables }),
  });
  return ((await (await store.handle(request)).json()) as QueryResult).data;
}
const lines = [{ merchandiseId, quantity: 1 }];
const createCart = async (host: string) =>
  (await query(host, DOCUMENTS.cartCreate, {})).cartCreate?.cart?.id ?? "";
const addLine = (host: string, cartId: string) => query(host, DOCUMENTS.cartLinesAdd, { cartId, lines });

it.each(["vanished", "expired"] as const)(
  "the fault “%s” of one host does not affect the host without faults",
  async (fault: Fault) => {
    const cartId = await createCart(DEMO_STORE_HOST);
    await addLine(DEMO_STORE_HOST, cartId);
    const faultyHost = faultHost(fault);
    expect((await addLine(faultyHost, await createCart(faultyHost))).cartLinesAdd?.cart ?? null).toBeNull();
    expect((await query(DEMO_STORE_HOST, DOCUMENTS.cart, { cartId })).cart?.totalQuantity).toBe(1);
    expect((await addLine(DEMO_STORE_HOST, cartId)).cartLinesAdd?.cart?.totalQuantity).toBe(2);
  },
);

it("the operations manual documents every fault", () => {
  const [, table = ""] = readFileSync(fromRoot("docs/operations.md"), "utf8").split("| NAME |");
  const documentedFaults = (table.split("\n\n")[0] ?? "")
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(documentedFaults.toSorted()).toEqual([...FAULTS].toSorted());
});
