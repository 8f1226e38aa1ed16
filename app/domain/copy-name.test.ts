import fc from "fast-check";
import { expect, it } from "vitest";
import { copyName } from "./copy-name";
import { LANGS } from "./lang";
import { countCharacters, textProblem } from "./text";

it("says in the language of whoever copies that it is a copy", () => {
  expect(copyName("渋谷", "ja", 64)).toBe("渋谷 のコピー");
  expect(copyName("Lobby", "en", 64)).toBe("Lobby – copy");
  expect(copyName("𠮷".repeat(64), "en", 64)).toBe(`${"𠮷".repeat(57)} – copy`);
});

it("is never too long, and never cuts a character", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
      fc.constantFrom(...LANGS),
      (name, lang) => {
        const copy = copyName(name, lang, 32);
        expect(countCharacters(copy)).toBeLessThanOrEqual(32);
        expect(textProblem(copy)).not.toBe("surrogate");
      },
    ),
  );
});
