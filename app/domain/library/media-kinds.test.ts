import { expect, it } from "vitest";
import { DRAWING_BYTES, lacksThumbnail } from "./media-kinds";

const withoutThumbnail = { fileKey: "a", thumbKey: null, mimeType: "", byteSize: 1 };

it("requests a thumbnail for PDFs, models and splats without one, but not for small files of other kinds", () => {
  expect(
    (["pdf", "model", "splat"] as const).every((kind) => lacksThumbnail({ kind, ...withoutThumbnail })),
  ).toBe(true);
  expect(
    (["image", "video", "audio", "subtitle", "web"] as const).some((kind) =>
      lacksThumbnail({ kind, ...withoutThumbnail }),
    ),
  ).toBe(false);
  expect(lacksThumbnail({ ...withoutThumbnail, kind: "pdf", thumbKey: "b" })).toBe(false);
  expect(lacksThumbnail({ ...withoutThumbnail, kind: "model", fileKey: null })).toBe(false);
});

it("requests a thumbnail for an SVG file that is too large for lists", () => {
  const drawing = { ...withoutThumbnail, kind: "image", mimeType: "image/svg+xml" } as const;
  expect(lacksThumbnail({ ...drawing, byteSize: DRAWING_BYTES })).toBe(false);
  expect(lacksThumbnail({ ...drawing, byteSize: DRAWING_BYTES + 1 })).toBe(true);
  expect(lacksThumbnail({ ...drawing, mimeType: "image/png", byteSize: DRAWING_BYTES + 1 })).toBe(false);
});
