import { describe, expect, test } from "vitest";
import { TAG_TITLE_MAX } from "~/domain/shared/limits";
import { applyEdit, type EditorContent } from "~/features/content/editor/content";
import { makeTag } from "~/features/content/editor/test-server";
import { findFarAwayIds } from "../placement/far-notice";
import { createdIds, type ListAction, listEdits, parseListAction } from "./list-actions";
import { filterItems, listKeywords, listMissingLanguages, readListQuery } from "./list-filter";

const tags = [
  { ...makeTag("a", "ようこそ", 1), keywords: ["案内", "Café"] },
  { ...makeTag("b", "Ｗｅｌｃｏｍｅ", 2), hidden: true, title: { ja: "", en: "Ｗｅｌｃｏｍｅ" } },
  { ...makeTag("c", "カタカナ", 3), position: [0, 0, 0] as const, title: { ja: "カタカナ", en: "Kana" } },
  { ...makeTag("d", "終わり", 4), keywords: ["ＣＡＦÉ"] },
];
const filteredIds = (url: string) =>
  filterItems(tags, readListQuery(new URLSearchParams(url))).map(({ id }) => id);

describe("the list of tags", () => {
  test.each([
    ["", ["a", "b", "c", "d"]],
    ["q=welcome", ["b"]],
    ["q=かたかな", ["c"]],
    ["q=cafe", []],
    ["q=caf%C3%A9", ["a", "d"]],
    ["k=caf%C3%A9", ["a", "d"]],
    ["show=hidden", ["b"]],
    ["show=unplaced", ["a", "b", "d"]],
    ["show=missing", ["a", "d"]],
    ["show=nonsense&q=", ["a", "b", "c", "d"]],
  ])("shows for %j exactly %j", (query, ids) => {
    expect(filteredIds(query)).toEqual(ids);
  });

  test("offers a keyword once although two tags write it differently, and recognises missing languages", () => {
    expect(listKeywords(tags, "en").filter((keyword) => /caf/i.test(keyword.normalize("NFKC")))).toHaveLength(
      1,
    );
    expect(tags.map(listMissingLanguages)).toEqual([["en"], ["ja"], [], ["en"]]);
  });

  test("recognises tags far outside of the space, and no others", () => {
    const tagAt = (id: string, ...position: [number, number, number]) => ({ ...makeTag(id, id), position });
    const room = [tagAt("a", 0, 1, 0), tagAt("b", 4, 1, 2), tagAt("c", -6, 1, 9), tagAt("d", 40, 12, -30)];
    expect([...findFarAwayIds({ tags: [...room, makeTag("e", "unplaced")], media: [] })]).toEqual([]);
    expect([
      ...findFarAwayIds({ tags: [...room, tagAt("f", 9999, 1, 0), tagAt("g", 0, -800, 0)], media: [] }),
    ]).toEqual(["f", "g"]);
  });

  test("finds a tag among five hundred", () => {
    const manyTags = Array.from({ length: 500 }, (_, index) => makeTag(`t${index}`, `タグ ${index}`, index));
    expect(filterItems(manyTags, { q: "たぐ 499", keyword: "", show: null })).toHaveLength(1);
  });
});

describe("the buttons of the list", () => {
  const idsAfter = (action: ListAction, ...ids: string[]) => {
    let copyCount = 0;
    const content: EditorContent = {
      tags,
      media: [],
      scene: { startView: null, tour: [], plan: null, products: [], version: 0 },
      deleted: {},
    };
    const edits = listEdits(content, action, "tag", ids, () => `n${copyCount++}`);
    return edits
      .reduce((editedContent, edit) => applyEdit(editedContent, edit, "e"), content)
      .tags.map(({ id }) => id)
      .join("");
  };
  test.each<[ListAction, string[], string]>([
    ["up", ["c"], "acbd"],
    ["up", ["a"], "abcd"],
    ["up", ["b", "d"], "bdac"],
    ["down", ["a"], "bacd"],
    ["down", ["a", "b"], "cabd"],
    ["down", ["d"], "abcd"],
    ["delete", ["a", "z"], "bcd"],
    ["duplicate", ["a", "d"], "an0bcdn1"],
  ])("%s of %j makes %s", (action, ids, order) => {
    expect(idsAfter(action, ...ids)).toBe(order);
  });

  test("make copies that differ from their originals in title and position, within the limit of titles", () => {
    const longTitle = "長".repeat(TAG_TITLE_MAX);
    // A tag on a wall: `stem` leads from the wall to the tag's head. Its copies are placed beside it.
    const wall = { position: [2, 1.5, 0] as const, stem: [0, 0, 0.3] as const };
    const all = [
      { ...makeTag("a", "A", 1), ...wall, title: { ja: "あ", en: "" } },
      { ...makeTag("b", "B", 2), title: { ja: "あ (2)", en: longTitle } },
      { ...makeTag("c", "C", 3), title: { ja: "椅子 (1964)", en: "Chair (1964)" } },
    ];
    const scene = { startView: null, tour: [], plan: null, products: [], version: 0 };
    let content: EditorContent = { tags: all, media: [], scene, deleted: {} };
    const copy = (id: string, newId: string) => {
      const edits = listEdits(content, "duplicate", "tag", [id], () => newId);
      expect(createdIds(edits)).toEqual([newId]);
      content = edits.reduce((editedContent, edit) => applyEdit(editedContent, edit, "e"), content);
      return content.tags.find((tag) => tag.id === newId);
    };
    const firstCopy = copy("a", "n1");
    expect(firstCopy?.title).toEqual({ ja: "あ (3)", en: "" });
    expect(firstCopy?.position).toEqual([2.25, 1.5, 0]);
    expect(copy("a", "n2")?.position).toEqual([2.5, 1.5, 0]);
    expect(content.tags.find(({ id }) => id === "n2")?.title.ja).toBe("あ (4)");
    const copyOfLongTitle = copy("b", "n3");
    expect(copyOfLongTitle?.position).toBeNull();
    expect([...(copyOfLongTitle?.title.en ?? "")].length).toBe(TAG_TITLE_MAX);
    expect(copyOfLongTitle?.title.en).toMatch(/長 \(2\)$/);
    // A year is not the number of a copy.
    expect(copy("c", "n4")?.title).toEqual({ ja: "椅子 (1964) (2)", en: "Chair (1964) (2)" });
    expect(copy("n4", "n5")?.title).toEqual({ ja: "椅子 (1964) (3)", en: "Chair (1964) (3)" });
  });

  test("have values from which the action and its item are parsed; null for an unknown action", () => {
    expect(parseListAction("hide")).toEqual({ action: "hide", onlyId: null });
    expect(parseListAction("delete~x")).toEqual({ action: "delete", onlyId: "x" });
    expect(parseListAction("explode")).toBeNull();
  });
});
