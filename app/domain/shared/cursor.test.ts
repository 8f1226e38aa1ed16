import { expect, it } from "vitest";
import { type Cursor, FIRST_PAGE, readCursor, writeCursor } from "./cursor";

const ID = "0b9c7a52-58f5-4d1c-9d9e-2b1f3a4c5d6e";

it("a cursor can be written to and read from a URL", () => {
  const cursors: Cursor[] = [
    FIRST_PAGE,
    { position: "last" },
    { position: "after", id: ID },
    { position: "before", id: ID },
  ];
  for (const cursor of cursors) expect(readCursor(writeCursor(cursor))).toEqual(cursor);
});

it.each([
  null,
  "",
  "first",
  "after~",
  `beside~${ID}`,
  `after~${ID}x`,
  `after~${ID}\n`,
  "after~1 OR 1",
  "LAST",
])("an invalid cursor means the first page: %j", (text) => expect(readCursor(text)).toEqual(FIRST_PAGE));
