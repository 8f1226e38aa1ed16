import { expect, it } from "vitest";
import { parseSize, readCell, readEncoding, writeCell } from "./user-csv";

it.each([
  ["5 GB", 5 * 1024 ** 3],
  ["5gb", 5 * 1024 ** 3],
  ["１．５ MB", 1.5 * 1024 ** 2],
  ["1,5 GB", 1.5 * 1024 ** 3],
  ["１，２５gb", 1.25 * 1024 ** 3],
  ["1,024", null],
  ["1,024 MB", null],
  ["1,024MB", null],
  ["1,5,5 GB", null],
  ["0", 0],
  ["1048576", 1048576],
  ["5 PB", null],
  ["-1", null],
  ["1e3", null],
  ["", null],
  ["999999999999999", null],
])("a size written as %j", (text, bytes) => expect(parseSize(text)).toBe(bytes));

it("rejects a cell that a spreadsheet would evaluate, and restores an escaped one", () => {
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

it("restores a text from its cell, including apostrophes before a sign", () => {
  for (const text of ["=1+1", "'=1+1", "''-5", "' =1", "'＝1", "'tis", "''", "山田", "a=1"])
    expect(readCell(writeCell(text))).toBe(text);
  expect([writeCell("=1"), writeCell("'=1"), writeCell("'tis")]).toEqual(["'=1", "''=1", "'tis"]);
});

it("reads a known encoding, and returns null for any other value", () => {
  expect(["euc-jp", "shift_jis", "utf-8", "", "utf-16", undefined].map(readEncoding)).toEqual([
    ...["euc-jp", "shift_jis", "utf-8"],
    ...[null, null, null],
  ]);
});
