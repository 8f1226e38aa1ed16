import { expect, it } from "vitest";
import type { StoreResponse } from "../store/store";
import { type ChecklistInput, publishChecklist } from "./publish-checklist";

const AT = "2030-04-01T03:00:00.000Z";
const translated = { ja: "藍", en: "Indigo" };
const japaneseOnly = { ja: "藍", en: "" };
const noText = { ja: "", en: "" };
const tag = (title: typeof translated, body: typeof translated, hidden = false) =>
  ({ id: "a tag", title, body, hidden }) as ChecklistInput["tags"][number];

const NOW = Date.parse(AT);
const timing = (statusId: 1 | 2 | 3 | 4, startDate: string | null = null) => ({
  statusId,
  startDate,
  endDate: null,
});

const items = (over: Partial<ChecklistInput> = {}) =>
  Object.fromEntries(
    publishChecklist({
      timing: timing(1),
      now: NOW,
      hasCover: false,
      name: translated,
      detail: noText,
      tags: [],
      media: [],
      tour: [],
      hasStartView: false,
      checks: {},
      store: null,
      ...over,
    }).map((item) => [item.name, item]),
  );
const response = (at: number, code: StoreResponse["code"] = null) => ({ at, code }) as StoreResponse;

it("marks the cover image and the start view as done if they exist", () => {
  expect(items()).toMatchObject({ cover: { isDone: false }, start: { isDone: false } });
  expect(items({ hasCover: true, hasStartView: true })).toMatchObject({
    cover: { isDone: true },
    start: { isDone: true },
  });
});

it("counts items that visitors see and that exist in one language only", () => {
  const tags = [
    tag(japaneseOnly, noText),
    tag(translated, japaneseOnly),
    tag(translated, noText),
    tag(translated, translated),
    tag(japaneseOnly, japaneseOnly, true),
  ];
  const langs = ["en"];
  expect(items({ tags }).texts).toEqual({
    name: "texts",
    isDone: false,
    missing: 2,
    langs,
    first: { section: "tags", itemId: null, field: "title.en" },
  });
  const tour = [{ id: "a stop", title: noText, text: japaneseOnly }] as unknown as ChecklistInput["tour"];
  const stopText = { section: "tour", itemId: "a stop", field: "text.en" };
  expect(items({ tour }).texts).toMatchObject({ missing: 1, first: stopText });
  const tagText = { section: "tags", itemId: "a tag", field: "body.en" };
  expect(items({ tags: tags.slice(1), tour }).texts).toMatchObject({ missing: 2, first: tagText });
  expect(items({ tags: [tag(translated, noText)] }).texts).toMatchObject({
    isDone: true,
    missing: 0,
    langs: [],
    first: null,
  });
  // A name in one language offers the event in this language only.
  expect(items({ name: japaneseOnly, tags }).texts).toBeUndefined();
  const first = { section: "details", itemId: null, field: "eventDetail.en" };
  expect(items({ detail: japaneseOnly }).texts).toMatchObject({ missing: 1, langs, first });
  // The language that is missing depends on the text, not on the page.
  const detail = { ja: "", en: "Indigo" };
  expect(items({ detail }).texts).toMatchObject({ langs: ["ja"], first: { field: "eventDetail.ja" } });
  expect(items({ detail, tags }).texts).toMatchObject({ missing: 3, langs: ["ja", "en"] });
});

it("counts the tags that visitors see and that have no position, and has no item without visible tags", () => {
  expect(items().places).toBeUndefined();
  const tagAt = (position: unknown, hidden = false) => ({ ...tag(translated, translated, hidden), position });
  const tags = [tagAt(null), tagAt([0, 1, 2]), tagAt(null, true)] as unknown as ChecklistInput["tags"];
  expect(items({ tags }).places).toEqual({ name: "places", isDone: false, missing: 1 });
  expect(items({ tags: tags.slice(1) }).places).toMatchObject({ isDone: true });
  expect(items({ tags: tags.slice(2) }).places).toBeUndefined();
});

it("needs the preview link to be opened, and the public link of an open or scheduled event", () => {
  expect(items().links).toMatchObject({ isDone: false, next: null });
  expect(items({ timing: timing(2) }).links).toMatchObject({ isDone: false, next: "preview" });
  const checks = { preview: AT };
  expect(items({ timing: timing(2), checks }).links).toMatchObject({ isDone: true, at: AT });
  expect(items({ timing: timing(3), checks }).links).toMatchObject({
    isDone: false,
    next: "published",
    at: AT,
  });
  const later = "2030-04-02T03:00:00.000Z";
  expect(items({ timing: timing(3), checks: { ...checks, published: later } }).links).toMatchObject({
    isDone: true,
    at: later,
  });
  // Links of a scheduled event show when it opens, so they can be tried before.
  const scheduled = timing(1, later);
  expect(items({ timing: scheduled }).links).toMatchObject({ isDone: false, next: "preview" });
  expect(items({ timing: scheduled, checks }).links).toMatchObject({ isDone: false, next: "published" });
  expect(items({ timing: scheduled, checks: { ...checks, published: AT } }).links).toMatchObject({
    isDone: true,
  });
  // A closed event keeps what was tried.
  expect(items({ timing: timing(4), checks }).links).toMatchObject({ isDone: true, at: AT });
});

it("reports the time of the view at phone size", () => {
  expect(items().phone).toMatchObject({ isDone: false, at: null });
  expect(items({ checks: { phone: AT } }).phone).toMatchObject({ isDone: true, at: AT });
});

it("takes the store's state from its last response, and has no item without a store", () => {
  expect(items().store).toBeUndefined();
  expect(items({ store: { response: null, failure: null } }).store).toMatchObject({
    isDone: false,
    at: null,
  });
  const lastResponse = response(Date.parse(AT));
  expect(items({ store: { response: lastResponse, failure: response(1, "network") } }).store).toMatchObject({
    isDone: true,
    at: AT,
  });
  expect(
    items({ store: { response: response(1), failure: response(Date.parse(AT), "network") } }).store,
  ).toEqual({ name: "store", isDone: false, at: AT });
});
