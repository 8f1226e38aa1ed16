import { describe, expect, it } from "vitest";
import { isLang, resolveLang } from "./lang";

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
  ] as const)("with lang=%s and %s remembered is %s", (param, cookie, lang) => {
    expect(resolveLang(param, cookie)).toBe(lang);
  });

  it("is one of ours", () => {
    expect(["ja", "en", "jp", null].map(isLang)).toEqual([true, true, false, false]);
  });
});
