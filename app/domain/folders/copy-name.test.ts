import fc from "fast-check";
import { expect, it } from "vitest";
import { countCharacters, nameKey, textProblem } from "../shared/text";
import { copyName, copyNamePrefix } from "./copy-name";

const EN = { first: " – copy", next: " – copy {{number}}" };
const JA = { first: "のコピー", next: "のコピー{{number}}" };
const keys = (...names: string[]) => new Set(names.map(nameKey));

it("a copy's name ends with the copy suffix", () => {
  expect(copyName("Lobby", EN, 64)).toBe("Lobby – copy");
  expect(copyName("𠮷".repeat(64), EN, 64)).toBe(`${"𠮷".repeat(57)} – copy`);
});

it("a copy's name is numbered after earlier copies, with the first free number", () => {
  expect(copyName("Lobby", EN, 64, keys("Lobby – copy"))).toBe("Lobby – copy 2");
  expect(copyName("Lobby", EN, 64, keys("lobby – COPY", "Lobby – copy 2"))).toBe("Lobby – copy 3");
  expect(copyName("Lobby", EN, 64, keys("Lobby – copy 2"))).toBe("Lobby – copy");
  expect(copyName("ロビー", JA, 64, keys("ロビーのコピー", "ロビーのコピー2"))).toBe("ロビーのコピー3");
  const longName = "あ".repeat(64);
  expect(copyName(longName, JA, 64, keys(copyName(longName, JA, 64)))).toBe(`${"あ".repeat(59)}のコピー2`);
});

it("the name of a copy's copy continues the numbers of the original's copies", () => {
  expect(copyName("Lobby – copy", EN, 64, keys("Lobby", "Lobby – copy"))).toBe("Lobby – copy 2");
  expect(copyName("Lobby – copy 12", EN, 64, keys("Lobby – copy 12"))).toBe("Lobby – copy");
  expect(copyName("ロビーのコピー2", JA, 64, keys("ロビーのコピー"))).toBe("ロビーのコピー2");
  expect(copyName("ロビーのコピー", EN, 64)).toBe("ロビーのコピー – copy");
  expect(copyName("Hall 2", EN, 64)).toBe("Hall 2 – copy");
  expect(copyName("のコピー", JA, 64)).toBe("のコピーのコピー");
});

it("a copy's name is never too long, never splits a character, and is never taken", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 80 }),
      fc.constantFrom(EN, JA),
      fc.integer({ min: 0, max: 12 }),
      (name, suffixes, earlier) => {
        const takenNames = new Set<string>();
        for (let i = 0; i <= earlier; i++) {
          const copy = copyName(name, suffixes, 32, takenNames);
          expect(countCharacters(copy)).toBeLessThanOrEqual(32);
          expect(textProblem(copy)).not.toBe("surrogate");
          expect(takenNames.has(nameKey(copy))).toBe(false);
          takenNames.add(nameKey(copy));
        }
      },
    ),
  );
});

it("a copy's name always begins with the prefix that is used to search for taken names", () => {
  for (const name of [
    "Lobby",
    "Lobby – copy 3",
    "ロビー",
    "ガ".repeat(40),
    "x".repeat(40),
    "Ｆｕｌｌ　Ｗｉｄｔｈ",
  ])
    for (const suffixes of [EN, JA])
      for (const takenNames of [keys(), keys(copyName(name, suffixes, 32))])
        expect(nameKey(copyName(name, suffixes, 32, takenNames))).toMatch(
          new RegExp(`^${copyNamePrefix(name, suffixes, 32)}`),
        );
});
