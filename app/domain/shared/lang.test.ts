import { describe, expect, it } from "vitest";
import { acceptedLang, isLang, resolveLang } from "./lang";

describe("the language of a request", () => {
  it.each([
    ["jp", null, "ja"],
    ["ja", "en", "ja"],
    ["JA", null, "ja"],
    ["en", "ja", "en"],
    ["fr", "ja", "en"],
    ["", "ja", "en"],
    ["ja-JP", null, "en"],
    ["__proto__", null, "en"],
    [null, "en", "en"],
    [null, "ja", "ja"],
    [null, "fr", "ja"],
    [null, "", "ja"],
    [null, null, "ja"],
  ] as const)("with lang=%s and the cookie %s is %s", (param, cookie, lang) => {
    expect(resolveLang(param, cookie)).toBe(lang);
  });

  it("is supported only if it is ja or en", () => {
    expect(["ja", "en", "jp", null].map(isLang)).toEqual([true, true, false, false]);
  });
});

it.each([
  ["ja", "ja"],
  ["JA-jp", "ja"],
  ["en-GB,en;q=0.9,ja;q=0.8", "en"],
  ["ja;q=0.2, en;q=0.7", "en"],
  ["fr, ja;q=0.1", "ja"],
  ["ja;q=0", null],
  ["ja;q=zzz", "ja"],
  ["*", null],
  ["", null],
  [null, null],
] as const)("the language for Accept-Language: %s is %s", (header, lang) => {
  expect(acceptedLang(header)).toBe(lang);
});
