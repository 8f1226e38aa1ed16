import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoreImageData } from "~/domain/store/store";
import { readDescription } from "./description";

const imageOf = (url: string, alt: string): StoreImageData | null =>
  url.startsWith("https://cdn.shopify.com/")
    ? { small: `/p/${url}`, large: `/p/${url}`, alt, width: null, height: null }
    : null;
const read = (html: string) => readDescription(html, imageOf);

describe("a description", () => {
  it.each([
    ["", []],
    ["  \n ", []],
    ["plain", [{ p: ["plain"] }]],
    ["<p>一</p><p>二<br>三</p>", [{ p: ["一"] }, { p: ["二\n三"] }]],
    [
      "loose <b>bold</b><p>para</p>tail",
      [{ p: ["loose ", { b: ["bold"] }] }, { p: ["para"] }, { p: ["tail"] }],
    ],
    ["<div><div><p>deep</p></div></div>", [{ p: ["deep"] }]],
    ["<p><span style='color:red'>red</span> <em>soft</em></p>", [{ p: ["red ", { i: ["soft"] }] }]],
    [
      "<h1>A</h1><h4>B</h4><h6>C</h6>",
      [
        { h: ["A"], level: 1 },
        { h: ["B"], level: 2 },
        { h: ["C"], level: 3 },
      ],
    ],
    ["<ul><li>a<li><p>b</p></ul>", [{ li: [[{ p: ["a"] }], [{ p: ["b"] }]], start: null }]],
    ["<ol start=3><li>c</li></ol>", [{ li: [[{ p: ["c"] }]], start: 3 }]],
    [
      "<ul><li>a<ul><li>b</li></ul></li></ul>",
      [{ li: [[{ p: ["a"] }, { li: [[{ p: ["b"] }]], start: null }]], start: null }],
    ],
    [
      "<p><a href='https://shop.example/a'>here</a> <a href='mailto:a@b.example'>mail</a></p>",
      [
        {
          p: [
            { a: ["here"], href: "https://shop.example/a" },
            " ",
            { a: ["mail"], href: "mailto:a@b.example" },
          ],
        },
      ],
    ],
    [
      "<table><caption>寸法</caption><tr><th>S</th><th>M</th></tr><tr><td>1</td><td><b>2</b></td></tr></table>",
      [
        {
          caption: ["寸法"],
          table: [
            [
              { text: ["S"], isHead: true },
              { text: ["M"], isHead: true },
            ],
            [{ text: ["1"] }, { text: [{ b: ["2"] }] }],
          ],
          head: true,
        },
      ],
    ],
    [
      "<table><tr><th>寸法<td colspan=2 rowspan=x>1<tr><td rowspan=2000><p>a</p><ul><li>b</li></ul></table>",
      [
        {
          caption: [],
          table: [
            [
              { text: ["寸法"], isHead: true },
              { text: ["1"], columns: 2 },
            ],
            [{ text: ["a\n\nb"], rows: 100 }],
          ],
          head: false,
        },
      ],
    ],
    [
      "<blockquote><p>一</p><p>二</p></blockquote>三",
      [{ quote: [{ p: ["一"] }, { p: ["二"] }] }, { p: ["三"] }],
    ],
    ["<blockquote> </blockquote>", []],
    ["<ul><li><blockquote>a</blockquote></li></ul>", [{ li: [[{ p: ["a"] }]], start: null }]],
    ["<dl><dt>紙</dt><dd>楮</dd></dl>", [{ p: [{ b: ["紙"] }] }, { p: ["楮"] }]],
    [
      "<p>see <img src='https://cdn.shopify.com/a.png' alt='図'></p>",
      [{ p: ["see"] }, { image: imageOf("https://cdn.shopify.com/a.png", "図") }],
    ],
    ["a &amp; b &lt;c&gt;", [{ p: ["a & b <c>"] }]],
  ])("converts %j to %j", (html, blocks) => {
    expect(read(html)).toEqual(blocks);
  });

  it.each([
    "<script>alert(1)</script>",
    "<style>body{display:none}</style>",
    "<iframe src='https://evil.example'>inside</iframe>",
    "<svg><script>alert(1)</script></svg>",
    "<math><mi>x</mi></math>",
    "<template><p>hidden</p></template>",
    "<object data='x'></object><embed src='x'>",
    "<img src=x onerror=alert(1)>",
    "<img src='http://cdn.shopify.com/a.png'>",
    "<img src='data:image/png;base64,AAAA'>",
    "<img src='https://evil.example/pixel.gif'>",
    "<!-- comment --><link rel=stylesheet href=x><meta http-equiv=refresh content=0><base href=//evil.example>",
  ])("drops %s completely", (html) => {
    expect(read(html)).toEqual([]);
  });

  it.each([
    ["<p onclick='x()'>a</p>", [{ p: ["a"] }]],
    ["<a href='javascript:alert(1)'>a</a>", [{ p: ["a"] }]],
    ["<a href='JaVaScRiPt&#58;alert(1)'>a</a>", [{ p: ["a"] }]],
    ["<a href='/relative'>a</a>", [{ p: ["a"] }]],
    ["<a href='https://user:pass@evil.example'>a</a>", [{ p: ["a"] }]],
    ["<form action=//evil.example><button>buy</button></form>", [{ p: ["buy"] }]],
    ["<noscript><p title='</noscript><img src=x onerror=alert(1)>'></p></noscript>b", [{ p: ["b"] }]],
  ])("keeps only the text of %s", (html, blocks) => {
    expect(read(html)).toEqual(blocks);
  });

  it("accepts any HTML from a store, nested or truncated", () => {
    const tags = [
      "div",
      "p",
      "ul",
      "li",
      "table",
      "tr",
      "td",
      "b",
      "a href='https://a.example'",
      "script",
      "svg",
      "h2",
    ];
    const piece = fc.oneof(
      fc.constantFrom(...tags.map((tag) => `<${tag}>`), ...tags.map((tag) => `</${tag.split(" ")[0]}>`)),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = JSON.stringify(read(pieces.join("")));
        expect(text).not.toMatch(/"(script|on\w+|style)":/);
      }),
      { numRuns: 200 },
    );
    expect(JSON.stringify(read(`${"<div>".repeat(30_000)}deep`))).toContain("deep");
    expect(JSON.stringify(read(`${"<b>".repeat(5_000)}deep`))).toContain("deep");
    expect(read("x".repeat(500_000))).toEqual([{ p: ["x".repeat(200_000)] }]);
  });
});
