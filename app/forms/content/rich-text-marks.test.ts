import { expect, test } from "vitest";
import { getMarkForKey, type TextMark, toggleMark } from "./rich-text-marks";

/** Applies a mark to a text. Bars enclose the selection before and after. */
const applyMark = (text: string, mark: TextMark) => {
  const [start, end] = [text.indexOf("|"), text.lastIndexOf("|") - 1];
  const { text: after, selection } = toggleMark(text.replaceAll("|", ""), [start, end], mark);
  return `${after.slice(0, selection[0])}|${after.slice(selection[0], selection[1])}|${after.slice(selection[1])}`;
};

test.each<[string, TextMark, string]>([
  ["a |word| here", "bold", "a **|word|** here"],
  ["a **|word|** here", "bold", "a |word| here"],
  ["|word|", "italic", "*|word|*"],
  ["*|word|*", "italic", "|word|"],
  ["**|word|**", "italic", "***|word|***"],
  ["*|word|*", "bold", "***|word|***"],
  ["***|word|***", "italic", "**|word|**"],
  ["***|word|***", "bold", "*|word|*"],
  ["**a |word|**", "italic", "**a *|word|***"],
  ["**a *|word|***", "italic", "**a |word|**"],
  ["**|word| a**", "italic", "***|word|* a**"],
  ["***|word|* a**", "italic", "**|word| a**"],
  ["*a |word|*", "bold", "*a **|word|***"],
  ["*a **|word|***", "bold", "*a |word|*"],
  // The selection contains the markers, or spaces.
  ["a |**word**| here", "bold", "a |word| here"],
  ["|***word***|", "italic", "**|word|**"],
  ["|*a **word***|", "italic", "|a **word**|"],
  ["|**a *word* b**|", "bold", "|a *word* b|"],
  ["|**あ*い*う**|", "bold", "|あ*い*う|"],
  ["|**a** and **b**|", "bold", "**|**a** and **b**|**"],
  ["|* a*|", "italic", "*|* a*|*"],
  ["a |word |here", "bold", "a **|word|** here"],
  ["a\\*|word|*", "italic", "a\\**|word|**"],
  ["**||**", "bold", "||"],
  ["one\n|two\nthree|", "list", "one\n|- two\n- three|"],
  ["|- two\n- three|\nfour", "list", "|two\nthree|\nfour"],
  ["one\ntw||o", "heading", "one\n|## two|"],
  ["see |this| page", "link", "see [this](|https://|) page"],
  ["||", "link", "[||](https://)"],
])("%j marked as %s is %j", (before, mark, after) => {
  expect(applyMark(before, mark)).toBe(after);
});

test("B, I and K apply marks with Ctrl, on a Mac with Cmd, but Z and other modifiers do not", () => {
  const getMark = (key: string, overrides: object = { ctrlKey: true }, isMac = false) =>
    getMarkForKey(
      { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...overrides },
      isMac,
    );
  const cmd = { metaKey: true };
  expect(["b", "I", "k"].map((key) => getMark(key))).toEqual(["bold", "italic", "link"]);
  expect(["b", "I", "k"].map((key) => getMark(key, cmd, true))).toEqual(["bold", "italic", "link"]);
  // On a Mac, Ctrl+B moves back by a character, and Ctrl+K deletes to the end of the line.
  expect([getMark("b", undefined, true), getMark("k", undefined, true), getMark("k", cmd)]).toEqual([
    null,
    null,
    null,
  ]);
  expect([getMark("z"), getMark("b", {})]).toEqual([null, null]);
  for (const modifier of ["shiftKey", "altKey", "metaKey"])
    expect(getMark("b", { ctrlKey: true, [modifier]: true })).toBe(null);
});
