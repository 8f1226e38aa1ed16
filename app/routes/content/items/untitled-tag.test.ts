import { expect, test } from "vitest";
import { findPlaceholderTitle, showIfTitled, untitledTag, withProduct } from "./untitled-tag";

test("a tag that was placed in the space is hidden until its placeholder is replaced by a title, in whichever language it was created", () => {
  const tag = untitledTag("en");
  expect([tag, findPlaceholderTitle(tag), findPlaceholderTitle(untitledTag("ja"))]).toEqual([
    { title: { ja: "", en: "New tag" }, hidden: true },
    "New tag",
    "新しいタグ",
  ]);
  const color = { color: "#000000" };
  expect(showIfTitled(tag, color)).toEqual(color);
  // With only the other language changed, visitors would still see the placeholder of this one.
  const other = { title: { ja: "入口", en: "New tag" } };
  expect(showIfTitled(tag, other)).toEqual(other);
  expect(showIfTitled(untitledTag("ja"), { title: { ja: "新しいタグ", en: "Door" } })).not.toHaveProperty(
    "hidden",
  );
  const title = { title: { ja: "入口", en: "Door" } };
  expect(showIfTitled({ ...tag, ...other }, title)).toEqual({ ...title, hidden: false });
  // A tag that a user hid and that has a title stays hidden, and a visible tag may have any title.
  expect(showIfTitled({ title: { ja: "", en: "Door" }, hidden: true }, title)).toEqual(title);
  expect(findPlaceholderTitle({ ...tag, hidden: false })).toBeNull();
});

test("a tag without a title gets that of its product, and becomes visible", () => {
  const product = { id: "gid://shopify/Product/1", title: "Tea cup" } as const;
  expect(withProduct(untitledTag("en"), product, "en")).toEqual({
    product,
    title: { ja: "", en: "Tea cup" },
    hidden: false,
  });
  expect(withProduct(untitledTag("ja"), product, "ja").title).toEqual({ ja: "Tea cup", en: "" });
  expect(withProduct(untitledTag("en"), { ...product, title: "湯呑" }, "en").title).toEqual({
    ja: "湯呑",
    en: "",
  });
  expect([
    ...(withProduct(untitledTag("en"), { ...product, title: "x".repeat(255) }, "en").title?.en ?? ""),
  ]).toHaveLength(100);
  // A title that the owner has typed stays, and a tag that the owner has hidden stays hidden.
  expect(withProduct({ title: { ja: "", en: "Cup" }, hidden: true }, product, "en")).toEqual({ product });
  // A product without a title leaves the tag untitled.
  expect(withProduct(untitledTag("en"), { ...product, title: "" }, "en")).toEqual({
    product: { ...product, title: "" },
  });
});
