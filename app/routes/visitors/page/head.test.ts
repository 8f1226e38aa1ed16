import { describe, expect, test } from "vitest";
import { visitHead } from "./head.server";

const input = {
  origin: "https://h.example",
  lang: "ja",
  link: { eventId: "8d3b1f0e-0000-4000-8000-000000000001", mode: "published", token: "a b&c" },
  isPublic: true,
  event: {
    name: `</script><b>"春"`,
    detail: `一行目\n  二行目 ${"長".repeat(300)}`,
    startDate: "2031-05-01T00:00:00.000Z",
    endDate: "2031-06-01T03:30:00.000Z",
    timeZone: "Asia/Tokyo",
  },
  image: "/media/p?event=x&w=1280",
} as const;
const head = (change: Partial<Parameters<typeof visitHead>[0]> = {}) =>
  visitHead({ ...input, ...change }) as Record<string, unknown>[];
const findTag = (tags: Record<string, unknown>[], name: string) =>
  tags.find((tag) => tag.property === name || tag.name === name || tag.rel === name);

describe("the head of a public event", () => {
  test("contains the absolute URLs of the page and the image, and the description on one line", () => {
    const tags = head();
    const canonical = "https://h.example/event/published/8d3b1f0e-0000-4000-8000-000000000001?token=a+b%26c";
    expect(String(findTag(tags, "canonical")?.href).replace("a%20b", "a+b")).toBe(canonical);
    expect(findTag(tags, "og:image")?.content).toBe("https://h.example/media/p?event=x&w=1280");
    const text = String(findTag(tags, "og:description")?.content);
    expect(text).toMatch(/^一行目 二行目 長+…$/);
    expect([...text]).toHaveLength(160);
    expect(String(findTag(head({ lang: "en" }), "canonical")?.href)).toMatch(/&lang=en$/);
  });

  test("cuts a long text at a word boundary with an ellipsis", () => {
    const detail = `${"Walk from the entrance through the hall. ".repeat(3)}Then look at every one of the handmade bowls on show.`;
    const text = String(findTag(head({ event: { ...input.event, detail } }), "description")?.content);
    expect(text).toMatch(/ every one of the…$/);
    expect([...text].length).toBeLessThanOrEqual(160);
    const short = { ...input.event, detail: "A short one." };
    expect(findTag(head({ event: short }), "description")?.content).toBe("A short one.");
  });

  test("contains the event as structured data, in its own time zone", () => {
    const { "script:ld+json": data } = head().at(-1) as { "script:ld+json": Record<string, unknown> };
    expect(data).toMatchObject({
      "@type": "Event",
      startDate: "2031-05-01T09:00:00+09:00",
      endDate: "2031-06-01T12:30:00+09:00",
      eventAttendanceMode: "https://schema.org/OnlineEventAttendanceMode",
      image: ["https://h.example/media/p?event=x&w=1280"],
      location: { "@type": "VirtualLocation" },
    });
  });

  test("omits missing values", () => {
    const json = JSON.stringify(
      head({ image: null, event: { ...input.event, detail: " \n", startDate: null, endDate: null } }),
    );
    for (const word of ["og:image", "description", "startDate", "endDate", '"image"'])
      expect(json).not.toContain(word);
  });
});

test("the head of any other event contains only its title and noindex", () => {
  expect(head({ isPublic: false })).toEqual([
    { title: input.event.name },
    { name: "robots", content: "noindex" },
  ]);
});
