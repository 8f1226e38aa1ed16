import { expect, it } from "vitest";
import { parseSize, readCell } from "./user-csv";

it.each([
  ["5 GB", 5 * 1024 ** 3],
  ["5gb", 5 * 1024 ** 3],
  ["１．５ MB", 1.5 * 1024 ** 2],
  ["0", 0],
  ["1048576", 1048576],
  ["5 PB", null],
  ["-1", null],
  ["1e3", null],
  ["", null],
  ["999999999999999", null],
])("a size written as %j", (text, bytes) => expect(parseSize(text)).toBe(bytes));

it("a cell that a spreadsheet would compute is a formula, and one that was defused is itself again", () => {
  expect(
    ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "\u3000=1", "\n=1", "＝1", "＋1", "－1", "＠x"].map(readCell),
  ).toEqual(Array(12).fill(null));
  expect(["'=1+1", "'-5", "' =1", "'＝1", "'tis", " a ", ""].map(readCell)).toEqual([
    "=1+1",
    "-5",
    " =1",
    "＝1",
    "'tis",
    "a",
    "",
  ]);
});
