import { expect, it } from "vitest";
import { keptPage, PageShelf } from "./page-shelf";
import { makeTemplate } from "./page-template";
import { SingleFlight } from "./single-flight";

const page = (bytes: number) => makeTemplate("x".repeat(bytes), "no nonce in it at all", new Headers());

it("keeps pages up to its size, and those that are used before those that are not", () => {
  const shelf = new PageShelf(100);
  for (const key of ["a", "b", "c"]) shelf.put(key, page(30));
  shelf.get("a");
  shelf.put("d", page(30));
  expect(["a", "b", "c", "d"].filter((key) => shelf.get(key))).toEqual(["a", "c", "d"]);
});

it("counts a page that was rendered again only once", () => {
  const shelf = new PageShelf(100);
  for (let i = 0; i < 10; i++) shelf.put("a", page(60));
  shelf.put("b", page(40));
  expect(["a", "b"].filter((key) => shelf.get(key))).toEqual(["a", "b"]);
});

it("does not give up all others for one that is too large", () => {
  const shelf = new PageShelf(100);
  shelf.put("a", page(60));
  shelf.put("b", page(101));
  expect(["a", "b"].filter((key) => shelf.get(key))).toEqual(["a"]);
});

it("serves the previous page while one is rendered anew, once for all who come, and waits for none that is missing", async () => {
  const shelf = new PageShelf(1000);
  const rendering = new SingleFlight({
    now: () => 0,
    sleep: () => new Promise((resolve) => setTimeout(resolve)),
  });
  const deferred: Promise<unknown>[] = [];
  let renderings = 0;
  let finish = () => {};
  const ask = (key: string, ...previous: string[]) =>
    keptPage({
      ...{ shelf, rendering, key, previous },
      render: async () => {
        renderings++;
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return page(renderings);
      },
      defer: (work) => deferred.push(work),
    });
  const first = ask("1", "0");
  finish();
  expect((await first)?.bytes.length).toBe(1);
  // Nobody waits for the next one.
  const meanwhile = await Promise.all([ask("2", "1"), ask("2", "1"), ask("2", "1")]);
  expect(meanwhile.map((each) => each?.bytes.length)).toEqual([1, 1, 1]);
  expect(renderings).toBe(2);
  finish();
  await Promise.all(deferred);
  expect((await ask("2", "1"))?.bytes.length).toBe(2);
  // The newest of those that are left is served.
  expect((await ask("5", "4", "3", "2", "1"))?.bytes.length).toBe(2);
  finish();
  await Promise.all(deferred);
  // What was there long before is not shown.
  const late = ask("9", "8");
  finish();
  expect((await late)?.bytes.length).toBe(4);
});
