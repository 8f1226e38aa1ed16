import { expect, test } from "vitest";
import type { EditorContent } from "~/features/content/editor/content";
import { translateIn } from "../../../../tests/support/translate";
import { formName } from "./discard-button";

const TAG = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const STOP = "7f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b11";
const content = {
  tags: [{ id: TAG, title: { ja: "灯籠", en: "Lantern" } }],
  media: [],
  scene: { tour: [{ id: STOP, tagId: null, title: { ja: "", en: "" } }] },
} as unknown as EditorContent;

test("the name of a form consists of its panel and the title of its item, if it has one", () => {
  const names = (lang: "ja" | "en") =>
    [`?panel=tags&tag=${TAG}`, "?panel=tags&tag=new", `?panel=tour&stop=${STOP}`, "?panel=start"].map(
      (href) => formName(href, content, translateIn(lang), lang),
    );
  expect(names("en")).toEqual(["Tags – Lantern", "Tags", "Tour – Stop 1", "Start"]);
  expect(names("ja")[0]).toBe("タグ – 灯籠");
});
