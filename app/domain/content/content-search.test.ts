import { describe, expect, test } from "vitest";
import { contentQueryParams, readContentQuery } from "./content-query";
import { collectKeywords, contentSearch } from "./content-search";

const items = [
  { id: "a", texts: ["ティーテーブル", "Oak, 1962"], keywords: ["家具", "Oak"] },
  { id: "b", texts: ["Poster", "オークの額"], keywords: ["印刷"] },
  { id: "c", texts: ["ＡＢＣ 展示"], keywords: [] },
];
const find = (text: string, keywords: readonly string[] = []) => {
  const matches = contentSearch(items)({ text, keywords });
  return matches && [...matches];
};

describe("a search within an event", () => {
  test("requires every word in the texts or keywords, and ignores width, case and kana type", () => {
    expect(find("てぃー")).toEqual(["a"]);
    expect(find("OAK")).toEqual(["a"]);
    expect(find("おーく 額")).toEqual(["b"]);
    expect(find("abc")).toEqual(["c"]);
    expect(find("家具 1962")).toEqual(["a"]);
    expect(find("家具 poster")).toEqual([]);
  });

  test("does not find a word across two texts", () => {
    expect(find("テーブルoak")).toEqual([]);
  });

  test("requires all selected keywords, and compares whole keywords", () => {
    expect(find("", ["oak"])).toEqual(["a"]);
    expect(find("", ["家"])).toEqual([]);
    expect(find("", ["oak", "印刷"])).toEqual([]);
    expect(find("poster", ["印刷"])).toEqual(["b"]);
  });

  test("returns null for a text of spaces only", () => {
    expect(find(" 　")).toBe(null);
  });

  test("searches 600 entries", () => {
    const many = Array.from({ length: 600 }, (_, index) => ({
      id: `${index}`,
      texts: [`展示物 ${index}`, "長い説明 ".repeat(60)],
      keywords: [`k${index % 20}`],
    }));
    const search = contentSearch(many);
    expect(search({ text: "展示物 59", keywords: [] })?.size).toBe(16);
    expect(search({ text: "", keywords: ["K7"] })?.size).toBe(30);
  });
});

describe("the query in a URL", () => {
  const read = (query: string) => readContentQuery(new URLSearchParams(query));

  test("is parsed to the same query", () => {
    const query = { text: "茶 室", keywords: ["家具", "oak"] };
    expect(readContentQuery(new URLSearchParams(contentQueryParams(query)))).toEqual(query);
    expect(contentQueryParams({ text: "", keywords: [] })).toEqual([]);
  });

  test("has a maximum length and number of keywords, and no empty, repeated or too long keyword", () => {
    expect(read(`q=${"あ".repeat(1_000_000)}`).text).toHaveLength(100);
    expect([...read(`q=${"😀".repeat(300)}`).text]).toHaveLength(100);
    const keywords = Array.from({ length: 5000 }, (_, index) => `k=${index}`).join("&");
    expect(read(keywords).keywords).toHaveLength(10);
    expect(read(`k=${"x".repeat(5000)}&k=&k[]=a&k=b&k=b`).keywords).toEqual(["b"]);
    expect(read("")).toEqual({ text: "", keywords: [] });
  });
});

test("keywords are offered once, first those in the reader's script, sorted by their number of entries", () => {
  const entries = [{ keywords: ["b", "木", "ａ"] }, { keywords: ["A", "かみ"] }, { keywords: ["c", "かみ"] }];
  expect(collectKeywords(entries, "en")).toEqual(["ａ", "b", "c", "かみ", "木"]);
  expect(collectKeywords(entries, "ja")).toEqual(["かみ", "木", "ａ", "b", "c"]);
});
