import { describe, expect, it } from "vitest";
import { TREE_BATCH_MAX } from "./tree";
import {
  groupTreeIds,
  parseTreeListQuery,
  readTreeDialogName,
  readTreeRefs,
  treeListParams,
  writeTreeRef,
  writeTreeSort,
} from "./tree-list.schema";

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const query = (text: string) => parseTreeListQuery(new URLSearchParams(text));

describe("the parameters of a list with folders", () => {
  it("are read, and default to a folder by name, as cards", () => {
    const defaults = {
      show: "folder",
      view: "cards",
      sort: "name",
      direction: "asc",
      cursor: { position: "first" },
      kinds: [],
    };
    for (const text of ["", "show=x&view=x&sort=x&cursor=x&kind=x", "sort=--name", "sort=-", "q="])
      expect([text, query(text)]).toEqual([text, defaults]);
    expect(query(`show=trash&view=rows&sort=-updated&cursor=after~${id(1)}`)).toEqual({
      show: "trash",
      view: "rows",
      sort: "updated",
      direction: "desc",
      cursor: { position: "after", id: id(1) },
      kinds: [],
    });
  });

  it("select kinds of media, without duplicates", () => {
    const listParams = "kind=video&kind=image&kind=folder&kind=video";
    expect(query(listParams).kinds).toEqual(["image", "video"]);
    expect(treeListParams(new URLSearchParams(listParams)).toString()).toBe("kind=image&kind=video");
  });

  it("show all items for a search", () => {
    expect([query("q=a").show, query("show=all").show]).toEqual(["all", "all"]);
  });

  it("are kept without those of dialogs, items and messages; a written sort order is read back", () => {
    const params = new URLSearchParams("view=rows&sort=-name&dialog=move&item=x&toast=y&other=z&q=");
    expect(treeListParams(params).toString()).toBe("view=rows&sort=-name");
    expect(query(`sort=${writeTreeSort("created", "desc")}`)).toMatchObject({
      sort: "created",
      direction: "desc",
    });
  });

  it("open only existing dialogs", () => {
    expect(["move", "new", "", null].map(readTreeDialogName)).toEqual(["move", null, null, null]);
  });
});

describe("item references in a form", () => {
  it("are parsed without duplicates, and grouped by kind", () => {
    const refs = [
      { kind: "folder", id: id(1) },
      { kind: "space", id: id(2) },
      { kind: "space", id: id(3) },
    ] as const;
    const [first = "", ...others] = refs.map(writeTreeRef);
    expect(readTreeRefs([first, others.join(" "), first], "space")).toEqual(refs);
    expect(groupTreeIds(refs)).toEqual({ folder: [id(1)], space: [id(2), id(3)], media: [] });
  });

  it("are ignored if they are invalid, or of another kind than the folder's", () => {
    const invalidRefs = [
      "",
      "x",
      "folder",
      `user~${id(1)}`,
      "space~x",
      `space~${id(1)}~1`,
      `space~${id(1)}x`,
    ];
    expect(readTreeRefs([...invalidRefs, `media~${id(1)}`], "space")).toEqual([]);
    expect(readTreeRefs([`media~${id(1)}`, `space~${id(1)}`], "media")).toEqual([
      { kind: "media", id: id(1) },
    ]);
  });

  it("are limited to one more than may be changed at once", () => {
    const refs = Array.from({ length: TREE_BATCH_MAX * 3 }, (_, index) => `space~${id(index)}`);
    expect(readTreeRefs(refs, "space")).toHaveLength(TREE_BATCH_MAX + 1);
    expect(readTreeRefs([refs.join(" ")], "space")).toHaveLength(TREE_BATCH_MAX + 1);
  });
});
