import { expect, test } from "vitest";
import { isUnnamed, unnamed, withName } from "./unnamed";

const placeholder = { lang: "en", words: "New tag" } as const;

test("a tag that was put into the space is hidden until its placeholder has become a title", () => {
  const tag = unnamed(placeholder);
  expect([tag, isUnnamed(tag, placeholder)]).toEqual([
    { title: { ja: "", en: "New tag" }, hidden: true },
    true,
  ]);
  const color = { color: "#000000" };
  expect(withName(tag, color, placeholder)).toEqual(color);
  // In the other language alone visitors of this one would still see the placeholder.
  const other = { title: { ja: "入口", en: "New tag" } };
  expect(withName(tag, other, placeholder)).toEqual(other);
  const title = { title: { ja: "入口", en: "Door" } };
  expect(withName({ ...tag, ...other }, title, placeholder)).toEqual({ ...title, hidden: false });
  // What somebody hid that has a title stays hidden.
  expect(withName({ title: { ja: "", en: "Door" }, hidden: true }, title, placeholder)).toEqual(title);
});
