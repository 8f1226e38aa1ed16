import { describe, expect, test } from "vitest";
import { plainText } from "~/domain/content/rich-text";
import { readRichText } from "./rich-text.server";

describe("the body of a tag", () => {
  test("is its paragraphs and lines where nothing is marked", () => {
    expect(readRichText("一行目\n二行目\n\n次の段落 & <3 `code`")).toEqual([
      { p: ["一行目\n二行目"] },
      { p: ["次の段落 & <3 `code`"] },
    ]);
    expect(readRichText("")).toEqual([]);
    expect(readRichText("\n\n a \n\n \n\nb")).toEqual([{ p: ["a "] }, { p: ["b"] }]);
  });

  test("has bold, italic, links, headings, lists and line breaks", () => {
    expect(readRichText("# 題\n\n**太字**と*斜体*、[作者](https://a.example/x?y=1)。\\\n次")).toEqual([
      { h: ["題"], level: 1 },
      {
        p: [
          { b: ["太字"] },
          "と",
          { i: ["斜体"] },
          "、",
          { a: ["作者"], href: "https://a.example/x?y=1" },
          "。\n次",
        ],
      },
    ]);
    expect(readRichText("- a\n- b\n  - c\n\n3. x\n4. y")).toEqual([
      { li: [[{ p: ["a"] }], [{ p: ["b"] }, { li: [[{ p: ["c"] }]], start: null }]], start: null },
      { li: [[{ p: ["x"] }], [{ p: ["y"] }]], start: 3 },
    ]);
    expect(readRichText("write to <mailto:a@b.example>")).toEqual([
      { p: ["write to ", { a: ["mailto:a@b.example"], href: "mailto:a@b.example" }] },
    ]);
  });

  test("has no HTML, picture or code: they stay what was typed", () => {
    for (const text of [
      "<script>alert(1)</script>",
      `<img src=x onerror="alert(1)">`,
      "<!-- x -->",
      "&lt;b&gt; *",
      "> quoted *",
      "a\n===\n*",
      "***",
      "[a]: https://x.example",
    ])
      expect(plainText(readRichText(text))).toBe(text);
    expect(JSON.stringify(readRichText("![x](https://a.example/i.png)"))).not.toContain("img");
  });

  test("leads nowhere but to the web and to mail", () => {
    for (const address of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "java&#10;script:alert(1)",
      "data:text/html,x",
      "vbscript:x",
      "//evil.example",
      "/space-list",
      "https://user:secret@a.example/",
      "file:///etc/passwd",
    ])
      expect(JSON.stringify(readRichText(`[go](${address})`)), address).not.toContain("href");
  });

  test("is read whole however deep or strange it is", () => {
    const deep = Array.from({ length: 200 }, (_, at) => `${"  ".repeat(at)}- ${at}`).join("\n");
    expect(plainText(readRichText(deep))).toContain("199");
    expect(JSON.stringify(readRichText(deep)).match(/"li"/g)?.length).toBeLessThan(6);
    expect(readRichText("- - - - - - - - a")).toEqual([{ p: ["- - - - - - - - a"] }]);
    for (const text of [
      "*".repeat(5000),
      "[".repeat(5000),
      "- ".repeat(2000),
      "_a_ ".repeat(1000),
      "\\".repeat(999),
    ])
      expect(readRichText(text).length).toBeGreaterThanOrEqual(0);
  });

  test("with marks of lists far apart is read at once", () => {
    const apart = `${`*${" ".repeat(300)}`.repeat(6)}x`;
    expect(readRichText(apart)).not.toEqual([]);
  });

  test("is one text without any marks, for lists and links", () => {
    expect(plainText(readRichText("## A\n\n- **b** [c](https://x.example)\n- d\n\ne"))).toBe("A\nb c\nd\ne");
  });
});
