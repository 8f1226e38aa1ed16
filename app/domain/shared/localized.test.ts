import { expect, it } from "vitest";
import { inLanguage } from "./localized";

it("returns a text in the reader's language, or in the other one, with its language", () => {
  expect(inLanguage({ ja: "受付", en: "" }, "en")).toEqual({ text: "受付", lang: "ja" });
  expect(inLanguage({ ja: "受付", en: "Desk" }, "en")).toEqual({ text: "Desk", lang: "en" });
  expect(inLanguage({ ja: "", en: "" }, "ja")).toEqual({ text: "", lang: "ja" });
});
