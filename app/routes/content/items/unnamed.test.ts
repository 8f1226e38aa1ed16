import { expect, test } from "vitest";
import { placeholderOf, unnamed, withTitle } from "./unnamed";

test("a tag that was placed in the space is hidden until its placeholder is replaced by a title, in whichever language it was created", () => {
  const tag = unnamed("en");
  expect([tag, placeholderOf(tag), placeholderOf(unnamed("ja"))]).toEqual([
    { title: { ja: "", en: "New tag" }, hidden: true },
    "New tag",
    "新しいタグ",
  ]);
  const color = { color: "#000000" };
  expect(withTitle(tag, color)).toEqual(color);
  // With only the other language changed, visitors would still see the placeholder of this one.
  const other = { title: { ja: "入口", en: "New tag" } };
  expect(withTitle(tag, other)).toEqual(other);
  expect(withTitle(unnamed("ja"), { title: { ja: "新しいタグ", en: "Door" } })).not.toHaveProperty("hidden");
  const title = { title: { ja: "入口", en: "Door" } };
  expect(withTitle({ ...tag, ...other }, title)).toEqual({ ...title, hidden: false });
  // A tag that a user hid and that has a title stays hidden, and a visible tag may have any title.
  expect(withTitle({ title: { ja: "", en: "Door" }, hidden: true }, title)).toEqual(title);
  expect(placeholderOf({ ...tag, hidden: false })).toBeNull();
});
