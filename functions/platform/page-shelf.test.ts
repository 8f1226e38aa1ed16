import { expect, it } from "vitest";
import { PageShelf } from "./page-shelf";
import { makeTemplate } from "./page-template";

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
