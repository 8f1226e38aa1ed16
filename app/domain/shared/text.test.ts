import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countCharacters, isBlank, nameKey, normaliseText, passwordKey, textProblem } from "./text";

const anyText = fc.string({ unit: "binary" });

describe("normalising a text", () => {
  it("converts every line end to \\n and composes letters with their accents", () => {
    expect(normaliseText("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
    expect(normaliseText("か\u3099e\u0301")).toBe("がé");
  });

  it("trims spaces, including the wide Japanese one, and keeps inner spaces", () => {
    expect(normaliseText(" \u3000春の 展示会\u3000\n")).toBe("春の 展示会");
  });

  it("is idempotent", () => {
    fc.assert(fc.property(anyText, (text) => normaliseText(normaliseText(text)) === normaliseText(text)));
  });

  it("lengthens a text to at most three times its length", () => {
    fc.assert(fc.property(anyText, (text) => normaliseText(text).length <= text.length * 3));
  });
});

describe("counting characters", () => {
  it("counts an accented letter in either spelling as one, and an emoji or rare kanji of two code units as one", () => {
    expect(countCharacters("")).toBe(0);
    expect(countCharacters("東京")).toBe(2);
    expect(countCharacters("か\u3099")).toBe(1);
    expect(countCharacters("e\u0301")).toBe(1);
    expect(countCharacters("😀😀")).toBe(2);
    expect(countCharacters("𠮷野家")).toBe(3);
  });

  it("counts every form of a line end as one", () => {
    for (const lineEnd of ["\r\n", "\r", "\n"]) expect(countCharacters(`a${lineEnd}b`)).toBe(3);
  });

  it("counts a text as typed and as stored equally, so that the counter agrees with the server", () => {
    expect(countCharacters("  展示 会\u3000\r\n")).toBe(4);
    fc.assert(fc.property(anyText, (text) => countCharacters(text) === countCharacters(normaliseText(text))));
  });
});

describe("forbidden characters", () => {
  it("are control characters, except line ends and tabs in multi-line texts", () => {
    for (const control of ["\0", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029"]) {
      expect(textProblem(`a${control}b`)).toBe("control");
      expect(textProblem(`a${control}b`, { multiline: true })).toBe("control");
    }
    for (const space of ["\n", "\t"]) {
      expect(textProblem(`a${space}b`)).toBe("control");
      expect(textProblem(`a${space}b`, { multiline: true })).toBeNull();
    }
  });

  it("are lone surrogates", () => {
    expect(textProblem("a\ud83d")).toBe("surrogate");
    expect(textProblem("\ude00a")).toBe("surrogate");
    expect(textProblem("\ude00\ud83d")).toBe("surrogate");
    expect(textProblem("\ud83d\ude00")).toBeNull();
  });

  it("are characters that change the writing direction of others", () => {
    for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
      expect(textProblem(`a${String.fromCodePoint(code)}b`)).toBe("bidi");
    }
  });

  it("do not include emoji, flags, joined emoji or right-to-left writing", () => {
    for (const text of ["👨‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🇯🇵", "معرض الربيع", "תערוכת האביב", "שלום\u200f (1)", "☂️", "1️⃣"]) {
      expect(textProblem(text)).toBeNull();
    }
  });
});

describe("a text", () => {
  it("is blank without visible characters", () => {
    for (const text of ["", " ", "\u3000", "\u200b", "\ufeff", "\u00ad", "\u3164", "\u2060 \u200d"]) {
      expect(isBlank(text)).toBe(true);
    }
  });

  it("is not blank with a letter, digit, sign or emoji", () => {
    for (const text of ["a", "0", "展", "😀", " . "]) expect(isBlank(text)).toBe(false);
  });
});

describe("the key of a name", () => {
  it("is equal for names that differ only in case, width, spaces, spelling of accents or invisible characters", () => {
    expect(nameKey("ＳＰＲＩＮＧ　Ｓａｌｅ")).toBe(nameKey(" spring  sale "));
    expect(nameKey("ﾊﾙﾉﾃﾝｼﾞ")).toBe(nameKey("ハルノテンジ"));
    expect(nameKey("Été")).toBe(nameKey("E\u0301TE\u0301"));
    expect(nameKey("秋の版画展\u200b")).toBe(nameKey("秋の\u00ad版画展"));
  });

  it("differs for different names", () => {
    expect(nameKey("春の展示 1")).not.toBe(nameKey("春の展示 2"));
    expect(nameKey("はる")).not.toBe(nameKey("ハル"));
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(anyText, (text) => nameKey(nameKey(text)) === nameKey(text)),
      { numRuns: 2000 },
    );
  });
});

describe("a password", () => {
  it("is equal in any character width and spelling of accents, and keeps spaces and case", () => {
    expect(passwordKey("ｐａｓｓ１２３")).toBe("pass123");
    expect(passwordKey("e\u0301")).toBe(passwordKey("é"));
    expect(passwordKey(" Pass word ")).toBe(" Pass word ");
  });
});
