import { describe, expect, test } from "vitest";
import { readAsked } from "./visitor-preview.server";

const ask = (query: string) => readAsked(new URLSearchParams(query), "Asia/Tokyo", 1000);

describe("what an owner asks to see", () => {
  test("is the public link now, unless told otherwise", () => {
    expect(ask("")).toEqual({ mode: "published", typed: "", at: 1000 });
    expect(ask("link=preview&at=%20").mode).toBe("preview");
    expect(ask("link=else&link=preview").mode).toBe("published");
  });

  test("is a moment on the owner's clocks, or an instant", () => {
    const at = Date.parse("2031-05-01T00:00:00.000Z");
    for (const typed of ["2031-05-01T09:00", "2031/5/1 9:00", "2031-05-01T00:00:00.000Z"])
      expect(ask(`at=${encodeURIComponent(typed)}`)).toMatchObject({ at, typed: "2031-05-01T09:00" });
  });

  test("is nothing that can be answered where it is no moment", () => {
    for (const typed of ["tomorrow", "2031-02-30T09:00", "-1Z", "9".repeat(5000)])
      expect(ask(`at=${typed}`).at, typed).toBe(null);
  });
});
