import { expect, it } from "vitest";
import { noscriptTracking } from "./noscript-tracking.server";

const reportHref = "/v/e?token=t";
const scene = { tags: [{ id: "1" }, { id: "2" }], media: [{ id: "3" }] };
const trackingOf = (data: object | null, path = "/event/published/e?token=t", from = "") =>
  noscriptTracking({ root: null, viewer: data }, new URL(path, "https://h.example"), from);

it("reports a visit with its referring site, and links the style sheet that reports what is opened", () => {
  const html = trackingOf({ reportHref, scene }, undefined, "news.example");
  expect(html).toMatch(/^<noscript><link .*><img .*><\/noscript>$/);
  expect(html).toContain('<link rel="stylesheet" href="/v/e/opened.css?token=t">');
  expect(html).toContain('src="/v/e?token=t&amp;from=news.example"');
});

it("reports the tag or media item of the URL if the page shows it", () => {
  expect(trackingOf({ reportHref, scene }, "/event/published/e?tag=2")).toContain(
    "token=t&amp;tag=2&amp;from=",
  );
  expect(trackingOf({ reportHref, scene }, "/event/published/e?tag=3")).toContain(
    "token=t&amp;media=3&amp;from=",
  );
  expect(trackingOf({ reportHref, scene }, "/event/published/e?tag=%22><script>")).toContain(
    'token=t&amp;from="',
  );
  // The shop's pages show neither tags nor media items.
  expect(trackingOf({ reportHref, scene }, "/event/published/e/shop?tag=2")).not.toMatch(/stylesheet|tag=2/);
});

it("is empty if visits are not counted", () => {
  expect(trackingOf({ reportHref: null, scene })).toBe("");
  expect(trackingOf(null)).toBe("");
});
