import { expect, test } from "vitest";
import { markTargets } from "./dialog.server";

const tree = (...lines: readonly (readonly [id: string, depth: number])[]) =>
  lines.map(([id, depth]) => ({ folder: { id, name: id }, depth }));

test("a moved folder, the folders below it and the current folder are disabled as targets", () => {
  const folders = tree(["root", 0], ["a", 1], ["b", 2], ["c", 3], ["d", 1], ["e", 2]);
  const marks = (...rows: { id: string; parentId: string }[]) =>
    markTargets(folders, rows).map(({ disabledReason }) => disabledReason);
  expect(marks({ id: "a", parentId: "root" })).toEqual(["here", "itself", "itself", "itself", null, null]);
  expect(marks({ id: "space", parentId: "b" })).toEqual([null, null, "here", null, null, null]);
  // Items in several folders have no common folder.
  expect(marks({ id: "b", parentId: "a" }, { id: "d", parentId: "root" })).toEqual([
    null,
    null,
    "itself",
    "itself",
    "itself",
    "itself",
  ]);
});
