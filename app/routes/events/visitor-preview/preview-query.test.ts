import { describe, expect, test } from "vitest";
import { parsePreviewQuery } from "./preview-query.server";

const parse = (query: string) => parsePreviewQuery(new URLSearchParams(query), "Asia/Tokyo", 1000);

describe("the query of the visitor preview", () => {
  test("selects the public link and the current time by default", () => {
    expect(parse("")).toEqual({ mode: "published", typedTime: "", at: 1000 });
    expect(parse("link=preview&at=%20").mode).toBe("preview");
    expect(parse("link=else&link=preview").mode).toBe("published");
  });

  test("accepts a local time of the owner's zone or a UTC instant", () => {
    const previewTime = Date.parse("2031-05-01T00:00:00.000Z");
    for (const typed of ["2031-05-01T09:00", "2031/5/1 9:00", "2031-05-01T00:00:00.000Z"])
      expect(parse(`at=${encodeURIComponent(typed)}`)).toMatchObject({
        at: previewTime,
        typedTime: "2031-05-01T09:00",
      });
  });

  test("returns null for an invalid time", () => {
    for (const typed of ["tomorrow", "2031-02-30T09:00", "-1Z", "9".repeat(5000)])
      expect(parse(`at=${typed}`).at, typed).toBe(null);
  });
});
