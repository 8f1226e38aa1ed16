import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { EMPTY_SCENE, type EventFields, type MediaItemRecord } from "../content/content";
import { fullPlacement } from "../content/placement";
import type { EventTag, TourStop } from "../shared/model";
import {
  compareStates,
  type EventState,
  type HistoryChange,
  listMedia,
  listTags,
  type StateDifference,
  undoChanges,
} from "./history";

const fields: EventFields = {
  eventName: newText("展"),
  startDate: null,
  endDate: null,
  statusId: 1,
  enableAutoChangeStatus: true,
  eventDetail: newText(""),
  urlParams: {},
  hasStore: false,
  hasPassword: false,
  showBeforePassword: false,
};
const tag = (id: string, overrides: Partial<EventTag> = {}): EventTag => ({
  id,
  eventId: "e",
  title: { ja: id, en: "" },
  body: { ja: "", en: "" },
  color: "#000000",
  icon: "info",
  keywords: [],
  linkUrl: null,
  position: [0, 0, 0],
  stem: [0, 1, 0],
  viewpoint: null,
  mediaIds: [],
  product: null,
  hidden: false,
  sortOrder: 1,
  version: 1,
  ...overrides,
});
const mediaItem = (id: string, overrides: Partial<MediaItemRecord> = {}): MediaItemRecord => ({
  id,
  eventId: "e",
  libraryItemId: `item ${id}`,
  title: { ja: id, en: "" },
  description: { ja: "", en: "" },
  placement: null,
  hidden: false,
  createdOn: "2026-04-01T00:00:00.000Z",
  version: 1,
  ...overrides,
});
const byId = <Item extends { readonly id: string }>(items: readonly Item[]) =>
  new Map(items.map((item) => [item.id, item]));
const orderOf = (ids: readonly string[]) => new Map(ids.map((id, index) => [id, index]));
const state = (
  tags: readonly EventTag[] = [],
  media: readonly MediaItemRecord[] = [],
  overrides: Partial<EventState> = {},
): EventState => ({
  fields,
  tags: byId(tags),
  media: byId(media),
  scene: EMPTY_SCENE,
  order: orderOf(tags.map(({ id }) => id)),
  ...overrides,
});

const ids = fc.constantFrom("a", "b", "c", "d");
const numbers = fc.integer({ min: 0, max: 3 });
const itemValues = fc.option(
  fc.record({
    title: fc.string({ maxLength: 2 }),
    x: numbers,
    hidden: fc.boolean(),
    mediaIds: fc.uniqueArray(ids),
  }),
  { nil: null },
);
const edits = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("tag" as const), id: ids, value: itemValues }),
    fc.record({ type: fc.constant("media" as const), id: ids, value: itemValues }),
    fc.record({ type: fc.constant("scene" as const), id: ids, value: numbers }),
    fc.record({
      type: fc.constant("order" as const),
      id: ids,
      value: fc.shuffledSubarray(["a", "b", "c", "d"]),
    }),
    fc.record({ type: fc.constant("event" as const), id: ids, value: fc.string({ maxLength: 2 }) }),
  ),
  { maxLength: 30 },
);

/** A change with the item after it, too. */
type RecordedChange = HistoryChange & { readonly after: unknown };
/** Returns the state after a change. */
const applyChange = (before: EventState, change: RecordedChange): EventState =>
  undoChanges(before, [{ ...change, before: change.after } as HistoryChange]);

const isEmpty = ({ items, scene, reordered, fields }: StateDifference) =>
  items.length === 0 && scene.length === 0 && !reordered && fields.length === 0;

/** Records a history as the app writes it: each change stores its previous state. */
function record(first: EventState, list: ReturnType<typeof edits.generate>["value"]) {
  let currentState = first;
  const states = [first];
  const changes = list.map((edit): RecordedChange => {
    const base = { itemId: edit.id };
    const created = ((): RecordedChange => {
      switch (edit.type) {
        case "tag": {
          const after = edit.value && {
            ...tag(edit.id, {
              hidden: edit.value.hidden,
              position: [edit.value.x, 0, 0],
              mediaIds: edit.value.mediaIds,
            }),
            title: { ja: edit.value.title, en: "" },
          };
          return { ...base, itemType: "tag", before: currentState.tags.get(edit.id) ?? null, after };
        }
        case "media": {
          const after = edit.value && mediaItem(edit.id, { hidden: edit.value.hidden });
          return { ...base, itemType: "media", before: currentState.media.get(edit.id) ?? null, after };
        }
        case "scene": {
          const after = { ...EMPTY_SCENE, version: edit.value };
          return { ...base, itemType: "scene", before: currentState.scene, after };
        }
        case "order":
          return { ...base, itemType: "order", before: currentState.order, after: orderOf(edit.value) };
        case "event":
          return {
            ...base,
            itemType: "event",
            before: currentState.fields,
            after: { ...fields, eventName: newText(edit.value) },
          };
      }
    })();
    currentState = applyChange(currentState, created);
    states.push(currentState);
    return created;
  });
  return { states, changes };
}

describe("a history", () => {
  const start = state([tag("a"), tag("b")], [mediaItem("a")]);

  it("restores every previous state", () => {
    fc.assert(
      fc.property(edits, fc.nat(), (list, chosen) => {
        const { states, changes } = record(start, list);
        const last = states.at(-1) as EventState;
        const stateIndex = chosen % states.length;
        expect(undoChanges(last, changes.slice(stateIndex))).toEqual(states[stateIndex]);
        expect(undoChanges(last, changes)).toEqual(start);
      }),
    );
  });

  it("is undone by the first change of each record alone", () => {
    fc.assert(
      fc.property(edits, (list) => {
        const { states, changes } = record(start, list);
        const firstChanges = new Map<string, HistoryChange>();
        for (const change of changes) {
          const key = change.itemType === "tag" || change.itemType === "media" ? change.itemId : "";
          if (!firstChanges.has(`${change.itemType} ${key}`))
            firstChanges.set(`${change.itemType} ${key}`, change);
        }
        expect(undoChanges(states.at(-1) as EventState, [...firstChanges.values()])).toEqual(start);
      }),
    );
  });

  it("does not modify the states from which it is computed", () => {
    const before = structuredClone(start);
    undoChanges(start, [{ itemType: "tag", itemId: "a", before: null }]);
    undoChanges(start, [{ itemType: "media", itemId: "z", before: mediaItem("z") }]);
    expect(start).toEqual(before);
  });
});

describe("a state", () => {
  it("has its tags in their order, tags without a stored order at their own position, and only existing media", () => {
    const tags = [tag("a", { sortOrder: 3 }), tag("b", { sortOrder: 8, mediaIds: ["m", "gone"] }), tag("c")];
    const order = new Map([
      ["b", 2],
      ["x", 1],
      ["c", 4],
    ]);
    const visibleTags = listTags(state(tags, [mediaItem("m")], { order }));
    expect(visibleTags.map(({ id }) => id)).toEqual(["b", "a", "c"]);
    expect(visibleTags[0]?.mediaIds).toEqual(["m"]);
  });

  it("has its media in order of creation", () => {
    const media = [mediaItem("b"), mediaItem("a"), mediaItem("c", { createdOn: "2026-03-01T00:00:00.000Z" })];
    expect(listMedia(state([], media)).map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });
});

describe("the difference between two states", () => {
  it("is empty between equal states, and lists as many opposite changes in the opposite direction", () => {
    fc.assert(
      fc.property(edits, (list) => {
        const { states } = record(state([tag("a")]), list);
        for (const eventState of states) expect(isEmpty(compareStates(eventState, eventState))).toBe(true);
        const [first, last] = [states[0] as EventState, states.at(-1) as EventState];
        const difference = compareStates(first, last);
        const reverse = compareStates(last, first);
        expect(isEmpty(difference)).toBe(isEmpty(reverse));
        const count = (list: typeof difference, kind: string) =>
          list.items.filter(({ kinds }) => kinds.includes(kind as never)).length;
        expect(count(difference, "added")).toBe(count(reverse, "removed"));
        expect(count(difference, "moved")).toBe(count(reverse, "moved"));
        expect(count(difference, "reworded")).toBe(count(reverse, "reworded"));
        expect(count(difference, "restyled")).toBe(count(reverse, "restyled"));
        expect(count(difference, "hidden")).toBe(count(reverse, "shown"));
      }),
    );
  });

  it("lists the changes of each record, with the texts before and after", () => {
    const placement = fullPlacement({ position: [1, 1, 1], normal: [0, 0, 1], width: 1 });
    const before = state(
      [
        tag("kept"),
        tag("gone"),
        tag("words", { keywords: ["木"] }),
        tag("place"),
        tag("look"),
        tag("secret"),
      ],
      [mediaItem("wide", { placement }), mediaItem("hung")],
    );
    const after = state(
      [
        tag("new", { position: null }),
        tag("kept", { version: 7, sortOrder: 3 }),
        tag("words", { title: { ja: "語", en: "Words" }, keywords: ["木", "布"] }),
        tag("place", { position: [1, 0, 0] }),
        tag("look", { color: "#ffffff", product: { id: "gid://shopify/Product/1", title: "x" } }),
        tag("secret", { hidden: true }),
      ],
      [
        mediaItem("wide", { placement: { ...placement, width: 2 } }),
        mediaItem("hung", { placement, hidden: true }),
      ],
    );
    const difference = compareStates(before, after);
    expect(difference.items.map(({ id, kinds }) => [id, ...kinds])).toEqual([
      ["new", "added"],
      ["words", "reworded"],
      ["place", "moved"],
      ["look", "restyled"],
      ["secret", "hidden"],
      ["gone", "removed"],
      ["hung", "moved", "restyled", "hidden"],
      ["wide", "restyled"],
    ]);
    expect(difference.items[1]?.texts).toEqual([
      { field: "title", lang: "ja", before: "words", after: "語" },
      { field: "title", lang: "en", before: "", after: "Words" },
      { field: "keywords", lang: null, before: "木", after: "木, 布" },
    ]);
    expect(difference.items[2]).toMatchObject({ from: [0, 0, 0], to: [1, 0, 0] });
    expect(difference).toMatchObject({ reordered: false, scene: [], fields: [] });
    expect(compareStates(after, before).items.find(({ id }) => id === "secret")?.kinds).toEqual(["shown"]);
  });

  it("lists the changes of each stop of a tour, and reports moved stops as one change of order", () => {
    const stop = (id: string, overrides: Partial<TourStop> = {}): TourStop => ({
      id,
      tagId: null,
      viewpoint: null,
      seconds: 8,
      title: { ja: id, en: "" },
      text: { ja: "", en: "" },
      ...overrides,
    });
    const tourText = { title: { ja: "", en: "" }, tagId: "desk" };
    const withTour = (...tour: TourStop[]) =>
      state([tag("desk"), tag("jar")], [], { scene: { ...EMPTY_SCENE, tour } });
    const before = withTour(stop("gone"), stop("words"), stop("moved", tourText), stop("same"));
    const after = withTour(
      stop("same"),
      stop("new"),
      stop("words", { text: { ja: "ここ", en: "" }, seconds: 9 }),
      stop("moved", { ...tourText, tagId: "jar" }),
    );
    const { stops, scene, tourReordered } = compareStates(before, after);
    expect([scene, tourReordered]).toEqual([["tour"], true]);
    const shorter = withTour(stop("words"), stop("new"), stop("same"));
    expect(compareStates(before, shorter).tourReordered).toBe(false);
    expect(compareStates(withTour(stop("a"), stop("b")), withTour(stop("b"), stop("a")))).toMatchObject({
      scene: ["tour"],
      stops: [],
      tourReordered: true,
    });
    expect(stops.map(({ id, at, kinds }) => [id, at, ...kinds])).toEqual([
      ["new", 2, "added"],
      ["words", 3, "reworded", "restyled"],
      ["moved", 4, "moved"],
      ["gone", 1, "removed"],
    ]);
    expect(stops[1]?.texts).toEqual([{ field: "body", lang: "ja", before: "", after: "ここ" }]);
    expect(stops[2]?.tagTitle).toEqual({ ja: "jar", en: "" });
  });

  it("compares the order only of tags that are in both states", () => {
    const original = state([tag("a"), tag("b"), tag("c")]);
    expect(compareStates(original, state([tag("b"), tag("c")])).reordered).toBe(false);
    expect(compareStates(original, { ...original, order: orderOf(["c", "a", "b"]) })).toMatchObject({
      reordered: true,
      items: [],
    });
  });

  it("lists the changed parts of the scene and fields of the event", () => {
    const view = { position: [0, 0, 0], yaw: 0, pitch: 0, mode: "walk" } as const;
    const after = state([], [], {
      scene: { ...EMPTY_SCENE, startView: view, version: 4 },
      fields: { ...fields, statusId: 3, urlParams: { wts: 1 } },
    });
    expect(compareStates(state(), after)).toEqual({
      items: [],
      scene: ["startView"],
      stops: [],
      tourReordered: false,
      reordered: false,
      fields: [
        { field: "statusId", before: 1, after: 3 },
        { field: "urlParams", before: {}, after: { wts: 1 } },
      ],
    });
  });
});
