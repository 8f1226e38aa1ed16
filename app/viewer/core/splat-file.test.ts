import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { writeUpComment } from "~/domain/library/formats/spz";
import { concatBytes, zeros } from "../../../tests/support/files/media-files";
import { rawSpz, writeGlbSplats, writeSpz4 } from "../../../tests/support/files/splat-files";
import { splatWriters } from "../../../tests/viewer/splat-writers";
import { hideInvalidSplats, readSplatFile } from "./splat-file";

const splats = [1, 2, 3].map((x) => ({
  position: [x, 0, 0] as const,
  scale: [0.1, 0.1, 0.01] as const,
  rotation: [0, 0, 0, 1] as const,
  color: [1, 0.5, 0] as const,
  opacity: 0.9,
}));
const text = (value: string) => new TextEncoder().encode(value);

describe("a file of splats", () => {
  it("is recognised by its bytes, and its splats are counted, but not those of a .sog", async () => {
    expect(await readSplatFile(splatWriters.ply(splats))).toEqual({ format: "ply", count: 3 });
    expect(await readSplatFile(splatWriters.spz(splats))).toEqual({ format: "spz", count: 3 });
    expect(await readSplatFile(rawSpz(splats))).toEqual({ format: "spz", count: 3 });
    expect(await readSplatFile(writeSpz4(splats))).toEqual({ format: "spz", count: 3 });
    expect(await readSplatFile(concatBytes("PK\x03\x04", zeros(90)))).toEqual({ format: "sog", count: null });
    expect(await readSplatFile(splatWriters.splat(splats))).toEqual({ format: "splat", count: 3 });
    expect(await readSplatFile(splatWriters.ksplat(splats))).toEqual({ format: "ksplat", count: 3 });
    const glb = writeGlbSplats(splats);
    expect(await readSplatFile(glb)).toEqual({ format: "glb", count: 3, up: [0, 1, 0] });
  });

  it("reports the upward axis when the file contains a known one", async () => {
    // Numbers of coordinate systems in an .spz file, and their upward axes.
    for (const [system, up] of [
      [4, [0, 1, 0]],
      [6, [0, -1, 0]],
      [11, [0, 0, 1]],
      [9, [0, 0, -1]],
    ] as const)
      expect((await readSplatFile(writeSpz4(splats, { system })))?.up, `${system}`).toEqual(up);
    const marked = writeUpComment(new Uint8Array(splatWriters.spz(splats)), [0, -1, 0]);
    expect(await readSplatFile(marked)).toEqual({ format: "spz", count: 3, up: [0, -1, 0] });
    expect([...gunzipSync(marked)]).toEqual([...rawSpz(splats)]);
    expect(await readSplatFile(writeSpz4(splats, { system: 99 }))).toEqual({ format: "spz", count: 3 });
  });

  it("is not recognised in empty files, meshes, texts, truncated splats, headers without an end, and splats that are all invalid", async () => {
    expect(await readSplatFile(new Uint8Array())).toBeNull();
    expect(await readSplatFile(splatWriters.splat(splats).subarray(0, 70))).toBeNull();
    const mesh = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n";
    expect(await readSplatFile(text(mesh))).toBeNull();
    expect(await readSplatFile(text(mesh.replace("end_header", "property float opacity")))).toBeNull();
    expect(await readSplatFile(text("<!doctype html><title>This is a page, not a splat</title>"))).toBeNull();
    expect(await readSplatFile(new Uint8Array(64).fill(0xff))).toBeNull();
  });

  const hideAndCountSplats = async (bytes: Uint8Array) => {
    const file = await readSplatFile(bytes);
    if (!file) throw new Error("No file of splats.");
    const pass = hideInvalidSplats(bytes, file);
    for (;;) {
      const { done, value } = pass.next();
      if (done) return value;
    }
  };
  const breakSplat = (splatIndex: number) =>
    splats.map((splat, index) =>
      index === splatIndex ? { ...splat, position: [Number.NaN, 0, 0] as const } : splat,
    );

  it.each(["ply", "splat"] as const)("hides only the invalid splats of a broken .%s", async (format) => {
    const fileBytes = splatWriters[format](splats);
    const originalBytes = Uint8Array.from(fileBytes);
    expect(await hideAndCountSplats(fileBytes)).toBe(3);
    expect(Uint8Array.from(fileBytes)).toEqual(originalBytes);
    for (const index of [0, 1]) {
      const bytes = splatWriters[format](breakSplat(index));
      expect(await hideAndCountSplats(bytes)).toBe(2);
      // On a second pass, no splat is invalid, and the last one has not changed.
      expect(await hideAndCountSplats(bytes)).toBe(3);
      const size = format === "ply" ? 14 * 4 : 32;
      expect(Uint8Array.from(bytes.subarray(-size))).toEqual(originalBytes.subarray(-size));
    }
  });

  it("has no visible splats if all of them are invalid; those of a .spz are not examined", async () => {
    const infinite = splats.map((splat) => ({ ...splat, scale: [Number.POSITIVE_INFINITY, 1, 1] as const }));
    expect(await hideAndCountSplats(splatWriters.ply(infinite))).toBe(0);
    expect(await hideAndCountSplats(splatWriters.spz(splats))).toBeNull();
  });
});
