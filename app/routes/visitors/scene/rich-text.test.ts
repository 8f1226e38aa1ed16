import { describe, expect, test } from "vitest";
import { plainText } from "~/domain/content/rich-text";
import { toggleMark } from "~/forms/content/rich-text-marks";
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

  test.each([
    ["on its own", "", ""],
    ["in a sentence", "一", "二"],
  ])("shows the marks that the buttons toggle on a word %s, in any order", (_place, before, after) => {
    const around = (mark: object) => [before, mark, after].filter((part) => part !== "");
    const word = "字";
    const toggle = (value: ReturnType<typeof toggleMark>, mark: "bold" | "italic") =>
      toggleMark(value.text, value.selection, mark);
    const shown = ({ text: body }: { readonly text: string }) => readRichText(body);
    const start = before.length;
    const plain = { text: before + word + after, selection: [start, start + 1] as [number, number] };
    for (const [first, second] of [
      ["bold", "italic"],
      ["italic", "bold"],
    ] as const) {
      const key = { bold: "b", italic: "i" } as const;
      const one = toggle(plain, first);
      expect(shown(one)).toEqual([{ p: around({ [key[first]]: [word] }) }]);
      const both = toggle(one, second);
      expect(shown(both)).toEqual([{ p: around({ i: [{ b: [word] }] }) }]);
      expect(toggle(both, second)).toEqual(one);
      const other = toggle(both, first);
      expect(shown(other)).toEqual([{ p: around({ [key[second]]: [word] }) }]);
      expect(toggle(other, second)).toEqual(plain);
    }
  });

  test("shows a mark that is toggled in a part of a marked text", () => {
    const shown = (body: string, start: number, end: number, mark: "bold" | "italic") => {
      const marked = toggleMark(body, [start, end], mark);
      expect(toggleMark(marked.text, marked.selection, mark)).toMatchObject({ text: body });
      return readRichText(marked.text);
    };
    expect(shown("**一字**", 3, 4, "italic")).toEqual([{ p: [{ b: ["一", { i: ["字"] }] }] }]);
    expect(shown("**字一**", 2, 3, "italic")).toEqual([{ p: [{ b: [{ i: ["字"] }, "一"] }] }]);
    expect(shown("*一字*", 2, 3, "bold")).toEqual([{ p: [{ i: ["一", { b: ["字"] }] }] }]);
    expect(shown("*字一*", 1, 2, "bold")).toEqual([{ p: [{ i: [{ b: ["字"] }, "一"] }] }]);
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
