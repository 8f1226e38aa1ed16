import fc from "fast-check";
import { expect, it } from "vitest";
import { copyName } from "./copy-name";
import { countCharacters, textProblem } from "./text";

it("ends in what says that it is a copy", () => {
  expect(copyName("Lobby", " – copy", 64)).toBe("Lobby – copy");
  expect(copyName("𠮷".repeat(64), " – copy", 64)).toBe(`${"𠮷".repeat(57)} – copy`);
});

it("is never too long, and never cuts a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }), (name) => {
      const copy = copyName(name, " – copy", 32);
      expect(countCharacters(copy)).toBeLessThanOrEqual(32);
      expect(textProblem(copy)).not.toBe("surrogate");
    }),
  );
});
