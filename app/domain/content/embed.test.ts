import { describe, expect, test } from "vitest";
import { embedHtml, embedSize, readMaximum } from "./embed";

describe("a frame for another site", () => {
  test("escapes its URL and title, and declares full screen only once", () => {
    const html = embedHtml({
      src: "https://h.example/event/published/x?token=a&poster=1",
      title: `"><script>alert(1)</script>`,
      width: 960,
      height: 600,
    });
    expect(html).toContain(`src="https://h.example/event/published/x?token=a&amp;poster=1"`);
    expect(html).toContain(`title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"`);
    expect(html).toContain(`referrerpolicy="strict-origin-when-cross-origin"`);
    expect(html.match(/</g)).toHaveLength(2);
    // Full screen is declared only once, because browsers warn when both attributes declare it.
    expect(html).toContain(" allowfullscreen>");
    expect(/ allow="([^"]*)"/.exec(html)?.[1]).not.toContain("fullscreen");
  });

  test("limits its size", () => {
    expect(embedSize(null, null)).toEqual({ width: 960, height: 600 });
    expect(embedSize(480, null)).toEqual({ width: 480, height: 300 });
    expect(embedSize(5000, 200)).toEqual({ width: 960, height: 200 });
    expect(embedSize(40, null)).toEqual({ width: 40, height: 150 });
    expect(embedSize(null, 10)).toEqual({ width: 960, height: 10 });
  });

  test("ignores an invalid size", () => {
    for (const value of [null, "", "0", "-5", "1e3", "12.5", "９６０", "9999999"])
      expect(readMaximum(value)).toBe(null);
    expect(readMaximum("640")).toBe(640);
  });
});
