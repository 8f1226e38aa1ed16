import { describe, expect, it } from "vitest";
import { mayShowSavedName } from "./saved-name";

describe("a name that is stored in one language", () => {
  it.each([
    ["Tenugui", "en", true],
    ["Café 1 – 2", "en", true],
    ["\u624b\u306c\u3050\u3044", "en", false],
    ["\u3066\u306c\u3050\u3044", "en", false],
    ["T\u30b7\u30e3\u30c4", "en", false],
    ["\u624b\u306c\u3050\u3044", "ja", true],
    ["Tenugui", "ja", true],
    ["", "ja", false],
  ] as const)("%j on a page in %s: %s", (name, lang, isAllowed) => {
    expect(mayShowSavedName(lang, name)).toBe(isAllowed);
  });
});
