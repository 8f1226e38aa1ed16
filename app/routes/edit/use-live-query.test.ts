import { expect, test } from "vitest";
import { queryHref } from "./use-live-query";

test("the address of a query names what is asked for, and nothing that is not", () => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ panel: "tags", q: "ドア & 窓", show: "", k: "入口" }))
    form.append(name, value);
  expect([...new URLSearchParams(queryHref(form))]).toEqual([
    ["panel", "tags"],
    ["q", "ドア & 窓"],
    ["k", "入口"],
  ]);
});
