import fc from "fast-check";
import { expect, it } from "vitest";
import { FILE_NAME_MAX, MEDIA_TITLE_MAX } from "../shared/limits";
import { countCharacters, isBlank, textProblem } from "../shared/text";
import { tidyFileName, titleOfFile } from "./file-name";

it.each([
  ["入口.png", "入口.png", "入口"],
  ["../../etc/passwd", ".._.._etc_passwd", ".._.._etc_passwd"],
  ["C:\\a\\b.jpg", "C__a_b.jpg", "C__a_b"],
  ["a\r\nSet-Cookie: x.pdf", "a__Set-Cookie_ x.pdf", "a__Set-Cookie_ x"],
  ["\u202egnp.exe", "_gnp.exe", "_gnp"],
  ["か\u3099.png", "が.png", "が"],
  ["a\ud800b.png", "a_b.png", "a_b"],
  ["مرحبا بالعالم.mp4", "مرحبا بالعالم.mp4", "مرحبا بالعالم"],
  ["👩‍👩‍👧.gif", "👩‍👩‍👧.gif", "👩‍👩‍👧"],
  [".png", ".png", ".png"],
  ["  \u200b ", "file", "file"],
  ["", "file", "file"],
  ["archive.tar.gz", "archive.tar.gz", "archive.tar"],
])("keeps the valid characters of %j", (fileName, name, title) => {
  expect(tidyFileName(fileName)).toBe(name);
  expect(titleOfFile(tidyFileName(fileName))).toBe(title);
});

it("keeps the extension of a name that is too long", () => {
  const name = tidyFileName(`${"長".repeat(999)}.jpeg`);
  expect([...name]).toHaveLength(FILE_NAME_MAX);
  expect(name.endsWith("長.jpeg")).toBe(true);
  expect([...titleOfFile(name)]).toHaveLength(MEDIA_TITLE_MAX);
});

it("makes a storable and visible name from any input", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (fileName) => {
      const name = tidyFileName(fileName);
      const title = titleOfFile(name);
      for (const text of [name, title]) {
        expect(textProblem(text)).toBeNull();
        expect(isBlank(text)).toBe(false);
      }
      expect(countCharacters(name)).toBeLessThanOrEqual(FILE_NAME_MAX);
      expect(countCharacters(title)).toBeLessThanOrEqual(MEDIA_TITLE_MAX);
    }),
    { numRuns: 1000 },
  );
});
