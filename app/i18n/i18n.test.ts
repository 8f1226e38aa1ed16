import { afterEach, expect, it, vi } from "vitest";
import { createI18n } from "./create-i18n";
import type { MessageKey } from "./messages";

afterEach(() => vi.restoreAllMocks());

const createTranslator = (lang: "en" | "ja", messages: Parameters<typeof createI18n>[1][string]) => {
  const { t } = createI18n(lang, { shared: messages });
  return (path: string, values?: Parameters<typeof t>[1]) => t(`shared:${path}` as MessageKey, values);
};

it("finds messages by their path and inserts values", () => {
  const t = createTranslator("en", { a: { b: "Hello {{name}}, {{name}} of {{place}}" } });
  expect(t("a.b", { name: "Aoi", place: "Kyoto" })).toBe("Hello Aoi, Aoi of Kyoto");
});

it("reads a namespace when it is first used", () => {
  const read = vi.fn(() => ({ a: "x" }));
  const { t } = createI18n("en", Object.defineProperty({}, "shared", { enumerable: true, get: read }));
  expect(read).not.toHaveBeenCalled();
  expect([t("shared:a" as MessageKey), t("shared:a" as MessageKey)]).toEqual(["x", "x"]);
  expect(read).toHaveBeenCalledTimes(1);
});

it("never treats a value as a pattern, a slot, a reference or markup", () => {
  const t = createTranslator("en", { a: "{{x}}|{{y}}", b: "secret" });
  expect(t("a", { x: "{{y}} $& $1", y: "2" })).toBe("{{y}} $& $1|2");
  expect(t("a", { x: "$t(shared:b)", y: `<b>&"'` })).toBe(`$t(shared:b)|<b>&"'`);
});

it("isolates values in a right-to-left script, so that they do not reorder the sentence", () => {
  const t = createTranslator("en", { a: "{{x}} (3) moved to {{y}}" });
  expect(t("a", { x: "معرض الربيع", y: "אביב" })).toBe(
    "\u2068معرض الربيع\u2069 (3) moved to \u2068אביב\u2069",
  );
  expect(t("a", { x: "Frühling 春 🌸", y: "2026" })).toBe("Frühling 春 🌸 (3) moved to 2026");
});

it("chooses the plural form of the language", () => {
  const events = { events_one: "{{count}} event", events_other: "{{count}} events" };
  expect(createTranslator("en", events)("events", { count: 1 })).toBe("1 event");
  expect(createTranslator("en", events)("events", { count: 0 })).toBe("0 events");
  expect(
    createTranslator("ja", { ...events, events_other: "イベント{{count}}件" })("events", { count: 1 }),
  ).toBe("イベント1件");
});

it("adds thousands separators to numbers only", () => {
  const t = createTranslator("en", { total: "{{count}} in all", of: "{{used}} of {{limit}}" });
  expect(t("total", { count: 2033 })).toBe("2,033 in all");
  expect(t("of", { used: 12, limit: "2026" })).toBe("12 of 2026");
});

it("reports a key without a message, and returns an empty text", () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const t = createTranslator("en", { a: "x", group: { b: "y" } });
  for (const key of ["missing", "a.b", "group", "constructor", "toString.name"]) expect(t(key)).toBe("");
  const { t: translateShared } = createI18n("en", { shared: { a: "x" } });
  for (const key of ["a", "nothing:a"]) expect(translateShared(key as MessageKey)).toBe("");
  expect(error.mock.calls.flat()).toEqual([
    'No message for "shared:missing"',
    'No message for "shared:a.b"',
    expect.stringContaining("group"),
    'No message for "shared:constructor"',
    'No message for "shared:toString.name"',
    expect.stringContaining('a"'),
    'No message for "nothing:a"',
  ]);
});
