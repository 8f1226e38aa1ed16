import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentDisposition } from "~/domain/shared/content-disposition";
import { fileHeaders, safeContentType } from "./file-headers";
import { matchesEtag, passesIfRange, readRange } from "./range-request";

describe("readRange", () => {
  it.each([
    ["bytes=0-0", { first: 0, last: 0 }],
    ["bytes=0-", { first: 0, last: 99 }],
    ["bytes=10-19", { first: 10, last: 19 }],
    ["bytes=90-1000", { first: 90, last: 99 }],
    ["bytes=-10", { first: 90, last: 99 }],
    ["bytes=-1000", { first: 0, last: 99 }],
    [" BYTES=5-6 ", { first: 5, last: 6 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=100-200", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    [null, "all"],
    ["", "all"],
    ["bytes=-", "all"],
    ["bytes=9-5", "all"],
    ["bytes=0-1,5-6", "all"],
    ["bytes=a-b", "all"],
    ["items=0-1", "all"],
    ["bytes=1.5-2", "all"],
    ["bytes=99999999999999999999-", "all"],
  ] as const)("reads %s of 100 bytes", (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });

  it("returns no range for an empty file", () => {
    expect(readRange("bytes=0-", 0)).toBe("unsatisfiable");
    expect(readRange("bytes=-5", 0)).toBe("unsatisfiable");
  });

  it("never exceeds the file, for any header", () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), fc.nat(10_000), (text, a, b, size) => {
        for (const header of [text, `bytes=${a}-${b}`, `bytes=${a}-`, `bytes=-${b}`, `bytes=${text}`]) {
          const range = readRange(header, size);
          if (typeof range === "string") continue;
          expect(range.first).toBeGreaterThanOrEqual(0);
          expect(range.last).toBeGreaterThanOrEqual(range.first);
          expect(range.last).toBeLessThan(size);
        }
      }),
    );
  });
});

it("compares etags and the date of If-Range as RFC 9110 requires", () => {
  expect(matchesEtag('"a"', '"a"')).toBe(true);
  expect(matchesEtag('W/"a"', '"a"')).toBe(true);
  expect(matchesEtag('"b", "a"', '"a"')).toBe(true);
  expect(matchesEtag("*", '"a"')).toBe(true);
  expect(matchesEtag('"b"', '"a"')).toBe(false);
  expect(matchesEtag(null, '"a"')).toBe(false);
  expect(passesIfRange(null, '"a"', "date")).toBe(true);
  expect(passesIfRange('"a"', '"a"', "date")).toBe(true);
  expect(passesIfRange("date", '"a"', "date")).toBe(true);
  expect(passesIfRange('W/"a"', '"a"', "date")).toBe(false);
});

describe("headers of an uploaded file", () => {
  it.each([
    ["image/png", "image/png", "inline"],
    ["IMAGE/SVG+XML; charset=utf-8", "image/svg+xml", "inline"],
    ["video/mp4", "video/mp4", "inline"],
    ["application/pdf", "application/pdf", "inline"],
    ["model/gltf-binary", "model/gltf-binary", "attachment"],
    ["text/html", "application/octet-stream", "attachment"],
    ["application/xhtml+xml", "application/octet-stream", "attachment"],
    ["application/javascript", "application/octet-stream", "attachment"],
    ["", "application/octet-stream", "attachment"],
  ])("treat %s as %s, %s", (mimeType, type, disposition) => {
    const headers = fileHeaders({ mimeType, fileName: "a" });
    expect(safeContentType(mimeType)).toBe(type);
    expect(headers["content-disposition"]).toMatch(new RegExp(`^${disposition};`));
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["cache-control"]).toBe("private, no-cache");
  });

  it("prevent scripts in SVG files, PDFs and pages", () => {
    expect(fileHeaders({ mimeType: "image/svg+xml", fileName: "a" })["content-security-policy"]).toMatch(
      /^sandbox; default-src 'none'/,
    );
    for (const mimeType of ["image/svg+xml", "application/pdf", "text/html"]) {
      const policy = fileHeaders({ mimeType, fileName: "a" })["content-security-policy"];
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toContain("script-src");
    }
  });

  it("contain any file name without header injection", () => {
    expect(contentDisposition('会場"図\r\nX-Evil: 1;.png', "inline")).toBe(
      "inline; filename=\"______X-Evil: 1;.png\"; filename*=UTF-8''%E4%BC%9A%E5%A0%B4%22%E5%9B%B3__X-Evil%3A%201%3B.png",
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
        const value = contentDisposition(name, "attachment");
        expect(value).toMatch(/^attachment; filename="[^"\\\r\n]*"; filename\*=UTF-8''[A-Za-z0-9%._~!*-]*$/);
        expect(new Headers({ "content-disposition": value }).get("content-disposition")).toBe(value);
      }),
    );
    expect(contentDisposition("\ud800", "inline")).toContain('filename="file"');
  });
});
