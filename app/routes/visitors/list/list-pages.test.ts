import { expect, it } from "vitest";
import type { Uuid } from "~/domain/shared/model";
import { VISITOR_LIST_PAGE_SIZE } from "~/domain/visitors/visitor-list";
import type { Scene } from "../scene/scene-types";
import {
  entriesOnPage,
  indexContent,
  isPaged,
  listedEntries,
  pageCount,
  pageOfEntry,
  resolvePageNumber,
} from "./list-pages";

const ids = (count: number, mark = "t") => Array.from({ length: count }, (_, i) => `${mark}${i}` as Uuid);
const index = (tags: number, untaggedMedia = 0) => ({
  tags: ids(tags),
  media: ids(untaggedMedia, "m"),
  untaggedMedia: ids(untaggedMedia, "m"),
});

it("lists tags, then the media items that no tag shows", () => {
  const scene = {
    tags: [{ id: "t", mediaIds: ["b"] }],
    media: [{ id: "a" }, { id: "b" }],
  } as unknown as Scene;
  expect(indexContent(scene)).toEqual({ tags: ["t"], media: ["a", "b"], untaggedMedia: ["a"] });
  expect(listedEntries(indexContent(scene), null, null)).toEqual(["t", "a"]);
});

it("lists the results of a search and the open entry in the list's order", () => {
  expect(listedEntries(index(5, 2), new Set(["m1", "t3"] as Uuid[]), "t1")).toEqual(["t1", "t3", "m1"]);
});

it("divides a long list into pages, and returns the page of an entry", () => {
  const entries = listedEntries(index(1000, 5), null, null);
  expect([
    isPaged(index(1000)),
    isPaged(index(VISITOR_LIST_PAGE_SIZE)),
    isPaged(index(VISITOR_LIST_PAGE_SIZE, 1)),
  ]).toEqual([true, false, true]);
  expect(pageCount(entries)).toBe(Math.ceil(1005 / VISITOR_LIST_PAGE_SIZE));
  const all = Array.from({ length: pageCount(entries) }, (_, i) => entriesOnPage(entries, i + 1)).flat();
  expect(all).toEqual(entries);
  for (const id of ["t0", "t99", "t100", "t999", "m4"]) {
    const page = pageOfEntry(entries, id) ?? 0;
    expect(entriesOnPage(entries, page)).toContain(id);
  }
  expect([pageOfEntry(entries, "x"), pageOfEntry(entries, null), pageCount([])]).toEqual([null, null, 1]);
});

it("opens the page of a link's tag instead of the page number in the URL, and never a page beyond the last", () => {
  const entries = listedEntries(index(1000), null, null);
  expect(resolvePageNumber(entries, "t250", 9)).toBe(pageOfEntry(entries, "t250"));
  expect(resolvePageNumber(entries, "unknown", 9)).toBe(9);
  expect(resolvePageNumber(entries, null, 99999)).toBe(pageCount(entries));
});
