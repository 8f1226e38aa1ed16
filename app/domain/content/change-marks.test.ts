import { describe, expect, it } from "vitest";
import type { ItemDifference } from "../events/history";
import type { EventTag } from "../shared/model";
import { MARKS, type MarkTexts, markedTags } from "./change-marks";

const texts: MarkTexts = {
  lang: "en",
  kind: (kind) => kind,
  title: (kinds, title) => `[${kinds}] ${title}`,
  mediaItem: (title) => `Media: ${title}`,
};
const tag = (id: string): Omit<EventTag, "version" | "eventId" | "hidden"> => ({
  id,
  title: { ja: "受付", en: id },
  body: { ja: "", en: "" },
  color: "#ff0000",
  icon: "star",
  keywords: ["wood"],
  linkUrl: null,
  position: [1, 2, 3],
  stem: [0, 1, 0],
  viewpoint: null,
  mediaIds: [],
  product: null,
  sortOrder: 1,
});
const item = (
  id: string,
  kinds: ItemDifference["kinds"],
  overrides: Partial<ItemDifference> = {},
): ItemDifference => ({
  type: "tag",
  id,
  title: { ja: "", en: id },
  kinds,
  texts: [],
  from: null,
  to: null,
  ...overrides,
});

describe("a scene with marked changes", () => {
  it("marks changed tags by their label and icon, and dims the others", () => {
    const marked = markedTags(
      [tag("new"), tag("same"), tag("both")],
      [item("new", ["added"]), item("both", ["moved", "reworded"], { from: [0, 0, 0], to: [1, 2, 3] })],
      texts,
    );
    expect(
      marked.map(({ id, title, icon, keywords, position }) => [id, title.en, icon, keywords, position]),
    ).toEqual([
      ["new", "[added] new", "plus", ["added", "wood"], [1, 2, 3]],
      ["both", "[moved・reworded] both", "place", ["moved", "reworded", "wood"], [1, 2, 3]],
      ["both-from", "[from] both", "undo", ["from"], [0, 0, 0]],
      ["same", "same", "star", ["wood"], [1, 2, 3]],
    ]);
    expect(marked[0]?.title.ja).toBe(marked[0]?.title.en);
    expect(new Set(marked.map(({ color }) => color)).size).toBe(4);
    expect(marked.at(-1)?.color).not.toBe(tag("same").color);
    expect(new Set(MARKS.map(({ icon }) => icon)).size).toBe(MARKS.length);
  });

  it("shows removed items at their previous position, and marks media beside their own entries", () => {
    const marked = markedTags(
      [],
      [
        item("gone", ["removed"], { from: [4, 0, 0] }),
        item("film", ["moved"], { type: "media", from: [0, 0, 0], to: [0, 0, 5] }),
        item("nowhere", ["added"], { type: "media" }),
        item("turned", ["moved"], { type: "media", from: [1, 1, 1], to: [1, 1, 1] }),
      ],
      texts,
    );
    expect(marked.map(({ id, title, position }) => [id, title.ja, position])).toEqual([
      ["gone", "[removed] gone", [4, 0, 0]],
      ["film-marked", "[moved] Media: film", [0, 0, 5]],
      ["film-from", "[from] Media: film", [0, 0, 0]],
      ["nowhere-marked", "[added] Media: nowhere", null],
      ["turned-marked", "[moved] Media: turned", [1, 1, 1]],
    ]);
  });
});
