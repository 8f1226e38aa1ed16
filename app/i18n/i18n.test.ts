import { afterEach, expect, it, vi } from "vitest";
import { en } from "./en";
import { mail as mailEn } from "./en/mail";
import { createTranslator, learn, type WordKey, type WordTree } from "./i18n";
import { ja } from "./ja";
import { mail as mailJa } from "./ja/mail";

afterEach(() => vi.restoreAllMocks());

it("finds words by their path and puts values in", () => {
  const { t } = createTranslator("en", { a: { b: "Hello {{name}}, {{name}} of {{place}}" } });
  expect(t("a.b" as WordKey, { name: "Aoi", place: "Kyoto" })).toBe("Hello Aoi, Aoi of Kyoto");
});

it("never treats a value as a pattern or a slot", () => {
  const { t } = createTranslator("en", { a: "{{x}}|{{y}}" });
  expect(t("a" as WordKey, { x: "{{y}} $& $1", y: "2" })).toBe("{{y}} $& $1|2");
});

it("chooses the form that the number asks for in its language", () => {
  const english = createTranslator("en", en);
  expect(english.t("spaces.events", { count: 1 })).toBe("1 event");
  expect(english.t("spaces.events", { count: 0 })).toBe("0 events");
  expect(createTranslator("ja", ja).t("spaces.events", { count: 1 })).toBe("イベント1件");
});

it("separates the thousands of a number, and of nothing else", () => {
  const { t } = createTranslator("en", { total: "{{count}} in all", of: "{{used}} of {{limit}}" });
  expect(t("total" as WordKey, { count: 2033 })).toBe("2,033 in all");
  expect(t("of" as WordKey, { used: 12, limit: "2026" })).toBe("12 of 2026");
});

it("reports a key that has no words, also one that every object has", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const { t } = createTranslator("en", { a: "x" });
  for (const key of ["missing", "a.b", "constructor", "toString.name"]) expect(t(key as WordKey)).toBe("");
  expect(error).toHaveBeenCalledTimes(4);
});

it("names the same values in both languages", () => {
  const slots = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();
  const walk = (a: WordTree, b: WordTree, path: string) => {
    for (const [key, value] of Object.entries(a)) {
      const other = b[key];
      if (typeof value === "string") expect(slots(String(other)), `${path}${key}`).toEqual(slots(value));
      else walk(value, other as WordTree, `${path}${key}.`);
    }
  };
  walk(en, ja, "");
  walk(mailEn, mailJa, "mail.");
});

it("finds words that came after the page, and never in place of the page's own", () => {
  const { t } = createTranslator("en", { later: { own: "own" } });
  learn({ later: { own: "other", more_one: "{{count}} more", more_other: "{{count}} more of them" } });
  expect(t("later.own" as WordKey)).toBe("own");
  expect(t("later.more" as WordKey, { count: 1 })).toBe("1 more");
  expect(t("later.more" as WordKey, { count: 3 })).toBe("3 more of them");
});
