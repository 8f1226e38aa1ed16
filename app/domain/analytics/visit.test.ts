import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { cellCentre, firstLanguage, readPlaceNode, referringHost, toVisitPlace } from "./visit";
import { parseTrackingQuery, readVisitReport } from "./visit.schema";

const validReport = {
  visit: "0123456789abcdef0123456789abcdef",
  part: 0,
  from: "example.org",
  things: [
    { act: "tag", id: "11111111-1111-4111-8111-111111111111" },
    { act: "checkout", id: "" },
  ],
  stays: [
    { place: "", seconds: 1 },
    { place: "c-3,0,12", seconds: 120 },
    { place: "nentrance", seconds: 5 },
  ],
};

describe("a page's report", () => {
  it("is returned unchanged if it is valid", () => {
    expect(readVisitReport(JSON.stringify(validReport))).toEqual(validReport);
  });

  it.each<readonly [string, object]>([
    ["an invalid visit id", { visit: "1" }],
    ["a missing part number", { part: undefined }],
    ["a part number above the maximum", { part: 10_000 }],
    ["a fractional part number", { part: 0.5 }],
    ["a time of its own", { at: 9e15 }],
    ["a URL instead of a host", { from: "https://example.org/?q=secret" }],
    ["a long host", { from: "a".repeat(254) }],
    ["a cart action, which the server counts itself", { things: [{ act: "cart", id: "1" }] }],
    ["a product action, which the server counts itself", { things: [{ act: "product", id: "1" }] }],
    ["an invalid id", { things: [{ act: "tag", id: "x' OR 1" }] }],
    ["too many items", { things: Array.from({ length: 51 }, () => validReport.things[0]) }],
    ["too many dwell times", { stays: Array.from({ length: 51 }, () => validReport.stays[0]) }],
    ["a dwell time of zero", { stays: [{ place: "", seconds: 0 }] }],
    ["a dwell time above the maximum", { stays: [{ place: "", seconds: 121 }] }],
    ["a negative dwell time", { stays: [{ place: "", seconds: -5 }] }],
    ["an invalid place", { stays: [{ place: "x1,2,3", seconds: 1 }] }],
    ["a place outside every space", { stays: [{ place: "c9999,0,0", seconds: 1 }] }],
  ])("is null with %s", (_, invalidField) => {
    expect(readVisitReport(JSON.stringify({ ...validReport, ...invalidField }))).toBeNull();
  });

  it("is null for any other text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(readVisitReport(text)).toBeNull();
      }),
    );
  });

  it("may be a URL, for pages without scripts", () => {
    const newVisitName = validReport.visit;
    const read = (query: string) => parseTrackingQuery(new URLSearchParams(query), newVisitName);
    expect(read("token=x")).toEqual({ visit: newVisitName, part: 0, from: "", things: [], stays: [] });
    expect(read("token=x&checkout=")?.things).toEqual([{ act: "checkout", id: "" }]);
    expect(read("token=x&from=example.org")?.from).toBe("example.org");
    expect(read("from=")?.from).toBe("");
    expect(read("from=x/y")).toBeNull();
    expect(read("tag=1")).toBeNull();
    // Parameters that no page sends: actions that only the server records, unknown names, and duplicates.
    for (const invalidQuery of ["product=12", "token=x&at=9", "from=&x", "from=a.example&from=b.example"])
      expect(read(invalidQuery), invalidQuery).toBeNull();
  });
});

describe("the place of a viewpoint", () => {
  const viewAt = (x: number, y: number, z: number) => ({ position: [x, y, z] as const });

  it("is a cell whose centre is at most half a cell away", () => {
    const metre = fc.double({ min: -1900, max: 1900, noNaN: true });
    fc.assert(
      fc.property(metre, metre, metre, (x, y, z) => {
        const centre = cellCentre(toVisitPlace("model", viewAt(x, y, z)));
        expect(Math.abs((centre?.[0] ?? 9e9) - x)).toBeLessThanOrEqual(0.5);
        expect(Math.abs((centre?.[1] ?? 9e9) - y)).toBeLessThanOrEqual(1.5);
        expect(Math.abs((centre?.[2] ?? 9e9) - z)).toBeLessThanOrEqual(0.5);
      }),
    );
  });

  it("is the node of a panorama, and empty if it is unknown or too far away", () => {
    expect(toVisitPlace("panorama", { ...viewAt(1, 2, 3), nodeId: "hall" })).toBe("nhall");
    expect(readPlaceNode("nhall")).toBe("hall");
    expect(toVisitPlace("panorama", viewAt(1, 2, 3))).toBe("");
    expect(toVisitPlace("model", viewAt(Number.NaN, 0, 0))).toBe("");
    expect(toVisitPlace("splat", viewAt(1e9, 0, 0))).toBe("");
    expect(toVisitPlace("showcase", null)).toBe("");
    expect([cellCentre(""), cellCentre("nhall"), readPlaceNode("c1,2,3"), readPlaceNode("n")]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

it("keeps only the host of another website's URL", () => {
  expect(referringHost("https://www.example.org/a?q=secret", "hiroba.example")).toBe("example.org");
  expect(referringHost("https://hiroba.example/space", "hiroba.example")).toBe("");
  // Parsing an empty URL throws, which costs a quarter of the time for a cached page.
  const parse = vi.spyOn(globalThis, "URL");
  expect(referringHost("", "hiroba.example")).toBe("");
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(referringHost("android-app://com.example", "hiroba.example")).toBe("");
  expect(referringHost("https://my_site.example.org/", "hiroba.example")).toBe("my_site.example.org");
  for (const url of ["http://[::1]/", "https://example.org./", `https://${"a.".repeat(130)}example`])
    expect(referringHost(url, "hiroba.example")).toBe("");
});

it("returns the first language that a browser states", () => {
  expect(firstLanguage("ja-JP,ja;q=0.9,en;q=0.8")).toBe("ja");
  expect(firstLanguage("EN-us")).toBe("en");
  for (const header of ["", "*", "x", "<script>"]) expect(firstLanguage(header)).toBe("");
});
