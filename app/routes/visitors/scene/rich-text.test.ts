import { describe, expect, test } from "vitest";
import { plainText } from "~/domain/content/rich-text";
import { readRichText } from "./rich-text.server";

describe("the body of a tag", () => {
  test("consists of paragraphs and lines if it has no markup", () => {
    expect(readRichText("一行目\n二行目\n\n次の段落 & <3 `code`")).toEqual([
      { p: ["一行目\n二行目"] },
      { p: ["次の段落 & <3 `code`"] },
    ]);
    expect(readRichText("")).toEqual([]);
    expect(readRichText("\n\n a \n\n \n\nb")).toEqual([{ p: ["a "] }, { p: ["b"] }]);
  });

  test("may contain bold, italic, links, headings, lists and line breaks", () => {
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

  test("keeps HTML, code and other disabled markup as plain text, and an image as a link", () => {
    for (const text of [
      "<script>alert(1)</script>",
      `<img src=x onerror="alert(1)">`,
      "<!-- x -->",
      "&lt;b&gt; *",
      "`code` *",
      "> quoted *",
      "a\n===\n*",
      "***",
      "[a]: https://x.example",
    ])
      expect(plainText(readRichText(text))).toBe(text);
    expect(readRichText("![x](https://a.example/i.png)")).toEqual([
      { p: ["!", { a: ["x"], href: "https://a.example/i.png" }] },
    ]);
  });

  test("links only to web pages and mail addresses", () => {
    for (const url of [
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
      expect(JSON.stringify(readRichText(`[go](${url})`)), url).not.toContain("href");
  });

  test("keeps the text of deep lists, and is parsed without an error if it is a long run of markup", () => {
    const deep = Array.from({ length: 200 }, (_, index) => `${"  ".repeat(index)}- ${index}`).join("\n");
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

  test("is parsed within the time limit of a test if list markers are far apart", () => {
    const apart = `${`*${" ".repeat(300)}`.repeat(6)}x`;
    expect(readRichText(apart)).not.toEqual([]);
  });

  test("has a plain text for lists and links", () => {
    expect(plainText(readRichText("## A\n\n- **b** [c](https://x.example)\n- d\n\ne"))).toBe("A\nb c\nd\ne");
  });
});
