import { expect, it } from "vitest";
import { StoreFailure } from "~/domain/store/store-failure";
import { CIRCUIT_OPEN_MS, CircuitBreaker } from "./circuit-breaker";
import { beginStoreCall } from "./store-calls";

it("admits an operation again after a trial call whose failure concerns only its query", () => {
  let now = 0;
  const breaker = new CircuitBreaker({ now: () => now, random: () => 0 });
  const deps = { breaker, now: () => now, report: () => {} };
  const store = { origin: "https://store.example", token: "t" };
  const begin = () => beginStoreCall(deps, store, "products");
  begin().fail(new StoreFailure("access_denied", "no scope"));
  expect(begin).toThrow("no scope");
  now += CIRCUIT_OPEN_MS;
  begin().fail(new StoreFailure("graphql", "an unknown cursor"));
  begin().succeed();
  expect(begin).not.toThrow();
});
