import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Document, getBounds, NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { MeshoptDecoder } from "meshoptimizer";
import { PDFDocument } from "pdf-lib";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { floorPlanFrame } from "./floor-plan";
import { type DemoAsset, makeDemoAssets } from "./index";
import { photoWidths } from "./make";
import { assetKeys } from "./names";
import { panoramas, pointOnWork, rooms, works } from "./plan";

const cache = fileURLToPath(new URL("../../.cache/demo", import.meta.url));
const assets = new Map<string, DemoAsset>();

function asset(key: string): DemoAsset {
  const found = assets.get(key);
  if (!found) throw new Error(`no asset ${key}`);
  return found;
}

// Made once a change of the programs; a second run finds them in the cache.
beforeAll(async () => {
  for (const made of await makeDemoAssets(cache, "draft", () => {})) assets.set(made.key, made);
}, 300_000);

describe("the demo's files", () => {
  it("are all there, as large as they say", async () => {
    expect([...assets.keys()].sort()).toEqual([...assetKeys].sort());
    for (const made of assets.values()) {
      const bytes = await readFile(made.file);
      expect(bytes.byteLength, made.key).toBe(made.byteSize);
      expect(bytes.byteLength, made.key).toBeGreaterThan(1000);
    }
  });

  it("are found on the second call, and not made again", async () => {
    const lines: string[] = [];
    const again = await makeDemoAssets(cache, "draft", (line) => lines.push(line));
    expect(lines).toEqual([]);
    expect(again.length).toBe(assets.size);
  });

  it("have pictures of the size they say", async () => {
    for (const made of assets.values()) {
      if (made.kind !== "image") continue;
      const { width, height, format } = await sharp(made.file).metadata();
      expect([width, height, `image/${format}`], made.key).toEqual([made.width, made.height, made.mimeType]);
    }
  });

  it("have works of at least 1600 pixels", () => {
    for (const { id } of works) {
      const { width, height } = asset(`work-${id}`);
      expect(Math.max(width ?? 0, height ?? 0), id).toBeGreaterThanOrEqual(1600);
    }
  });
});

describe("the floor plan", () => {
  it("is small, and drawn to the scale by which it lies under the gallery", () => {
    const { width, height, byteSize } = asset("floor-plan");
    expect(byteSize).toBeLessThan(100_000);
    // From the alcove's end to the street, with as much room around as at the sides.
    expect(((height ?? 0) / (width ?? 1)) * floorPlanFrame.width).toBeCloseTo(
      2 * (rooms.entrance.z1 + 0.7 - floorPlanFrame.center[1]),
      1,
    );
  });
});

describe("the showroom model", () => {
  let model: Document;
  beforeAll(async () => {
    await MeshoptDecoder.ready;
    const io = new NodeIO()
      .registerExtensions(ALL_EXTENSIONS)
      .registerDependencies({ "meshopt.decoder": MeshoptDecoder });
    model = await io.read(asset("showroom").file);
  });
  const node = (name: string) => {
    const found = model
      .getRoot()
      .listNodes()
      .find((n) => n.getName() === name);
    if (!found) throw new Error(`no node ${name}`);
    return found;
  };

  it("is at most 3 MB, compressed, and looks the same without lamps", () => {
    expect(asset("showroom").byteSize).toBeLessThanOrEqual(3 * 1024 * 1024);
    const used = model
      .getRoot()
      .listExtensionsUsed()
      .map((extension) => extension.extensionName);
    expect(used).toEqual(
      expect.arrayContaining(["EXT_meshopt_compression", "EXT_texture_webp", "KHR_materials_unlit"]),
    );
    for (const material of model.getRoot().listMaterials()) {
      expect(material.getExtension("KHR_materials_unlit"), material.getName()).toBeTruthy();
    }
  });

  it("has a floor at height 0 for each room, as large as the plan says", () => {
    for (const { id, x0, x1, z0, z1 } of Object.values(rooms)) {
      const { min, max } = getBounds(node(`floor-${id}`));
      expect(min[0]).toBeCloseTo(x0, 2);
      expect(max[0]).toBeCloseTo(x1, 2);
      expect(min[2]).toBeCloseTo(z0, 2);
      expect(max[2]).toBeCloseTo(z1, 2);
      expect(max[1]).toBeCloseTo(0, 3);
    }
  });

  it("has every work where the plan hangs it", () => {
    for (const work of works) {
      const { min, max } = getBounds(node(`work-${work.number}`));
      const [x, , z] = pointOnWork(work);
      expect(Math.abs((min[0] + max[0]) / 2 - x), work.id).toBeLessThan(0.05);
      expect(Math.abs((min[2] + max[2]) / 2 - z), work.id).toBeLessThan(0.05);
    }
  });

  it("names what viewers tell apart", () => {
    const names = model
      .getRoot()
      .listNodes()
      .map((n) => n.getName());
    for (const kind of ["floor", "wall", "ceiling", "work-", "plinth"]) {
      expect(names.filter((name) => name.startsWith(kind)).length, kind).toBeGreaterThanOrEqual(4);
    }
    // What is above a visitor's head must be possible to hide in the view from above.
    for (const n of model.getRoot().listNodes()) {
      if (getBounds(n).min[1] > 2.85) expect(n.getName()).toMatch(/^(ceiling|wall)/);
    }
  });
});

describe("the panoramas", () => {
  it("are twice as wide as high, and neither coarse nor too heavy when they are taken in full", () => {
    const times = photoWidths.full.panorama / photoWidths.draft.panorama;
    for (const { id } of panoramas) {
      const { width = 0, height = 0, byteSize } = asset(`pano-${id}`);
      expect(width).toBe(height * 2);
      expect(width * times).toBeGreaterThanOrEqual(3072);
      expect(byteSize * times ** 2).toBeLessThanOrEqual(1.5 * 1024 * 1024);
    }
  });

  it("show the red moon in the direction in which it hangs", async () => {
    const hall = panoramas.find(({ id }) => id === "hall");
    const moons = works.find(({ id }) => id === "moons");
    if (!hall || !moons) throw new Error("the plan has changed");
    const target = pointOnWork(moons);
    const [dx, dy, dz] = [0, 1, 2].map((axis) => (target[axis] ?? 0) - (hall.position[axis] ?? 0)) as [
      number,
      number,
      number,
    ];
    const yaw = Math.atan2(-dx, -dz);
    const pitch = Math.atan2(dy, Math.hypot(dx, dz));
    const { width = 0, height = 0, file } = asset("pano-hall");
    // The middle column shows the heading, and yaw decreases to the right.
    const u = (((0.5 - (yaw - hall.heading) / (2 * Math.PI)) % 1) + 1) % 1;
    const v = 0.5 - pitch / Math.PI;
    const { data } = await sharp(file)
      .extract({ left: Math.round(u * width) - 2, top: Math.round(v * height) - 2, width: 5, height: 5 })
      .resize(1, 1)
      .raw()
      .toBuffer({ resolveWithObject: true });
    const [r, g, b] = data as unknown as [number, number, number];
    expect(r).toBeGreaterThan(b + 60);
    expect(r).toBeGreaterThan(g + 60);
  });
});

describe("the other files", () => {
  it("include a sound of ten seconds that does not clip", async () => {
    const wav = await readFile(asset("sound").file);
    expect(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 12)).toBe("RIFFWAVE");
    expect(wav.byteLength).toBeLessThanOrEqual(500_000);
    const rate = wav.readUInt32LE(24);
    expect((wav.byteLength - 44) / 2 / rate).toBeCloseTo(asset("sound").duration ?? 0, 3);
    let peak = 0;
    for (let at = 44; at < wav.byteLength; at += 2) peak = Math.max(peak, Math.abs(wav.readInt16LE(at)));
    expect(peak).toBeGreaterThan(8000);
    expect(peak).toBeLessThan(32000);
  });

  it("include a leaflet of two pages", async () => {
    const leaflet = await PDFDocument.load(await readFile(asset("leaflet").file));
    expect(leaflet.getPageCount()).toBe(2);
  });

  it("include a film whose frames are VP8 key frames of its size", async () => {
    const { file, width, height, duration, byteSize } = asset("film");
    const bytes = await readFile(file);
    expect(bytes.readUInt32BE(0)).toBe(0x1a45dfa3);
    expect(bytes.includes("webm")).toBe(true);
    expect(byteSize).toBeLessThan(4 * 1024 * 1024);
    expect(duration).toBe(8);
    // Each key frame repeats its start code and size (RFC 6386 §9.1).
    const start = Buffer.from([
      0x9d,
      0x01,
      0x2a,
      (width ?? 0) & 255,
      (width ?? 0) >> 8,
      (height ?? 0) & 255,
      (height ?? 0) >> 8,
    ]);
    let frames = 0;
    for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) frames++;
    expect(frames).toBe(80);
  });
});
