import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { type Document, getBounds, NodeIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import { ALL_FORMATS, BufferSource, Input } from "mediabunny";
import { MeshoptDecoder } from "meshoptimizer";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { inspectFile } from "#functions/media/inspect/inspect-file";
import { rangesOver } from "#functions/media/range-reader";
import { assetKeys, type DemoAssetKey, getAsset, getFileName, readAsset } from "./demo-assets";
import { floorPlanFrame, panoramas, pointOnWork, rooms, works } from "./gallery-plan";

const MB = 2 ** 20;
const folder = fileURLToPath(new URL("assets", import.meta.url));

describe("the demo's files", () => {
  it("are exactly those of the list, each under a name of its own", () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
    expect(files.sort()).toEqual(
      [...assetKeys.map((key) => getAsset(key).path), "assets.json", "README.md"].sort(),
    );
    expect(new Set(assetKeys.map(getFileName)).size).toBe(assetKeys.length);
  });

  it("are at most 2 MB each and 8 MB together", () => {
    const sizes = assetKeys.map((key) => readAsset(key).byteLength);
    for (const [index, size] of sizes.entries()) {
      expect(size, assetKeys[index]).toBeGreaterThan(1000);
      expect(size, assetKeys[index]).toBeLessThanOrEqual(2 * MB);
    }
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8 * MB);
  });

  it("have the type and kind that the list states", async () => {
    for (const key of assetKeys) {
      const { path, kind, mimeType } = getAsset(key);
      const inspection = await inspectFile(rangesOver(readAsset(key)), path);
      expect(inspection, key).toMatchObject({ file: { kind, mimeType } });
    }
  });

  it("contain images of the size that the list states", async () => {
    for (const key of assetKeys) {
      const asset = getAsset(key);
      if (asset.kind !== "image") continue;
      const { width, height, format } = await sharp(readAsset(key)).metadata();
      expect([width, height, `image/${format}`], key).toEqual([asset.width, asset.height, asset.mimeType]);
    }
  });

  it("contain works with a longer side of at least 1600 pixels", () => {
    for (const { id } of works) {
      const { width, height } = getAsset(`work-${id}`);
      expect(Math.max(width ?? 0, height ?? 0), id).toBeGreaterThanOrEqual(1600);
    }
  });
});

describe("the floor plan", () => {
  it("is small, and has the proportions of the area that it covers", () => {
    const { width, height } = getAsset("floor-plan");
    expect(readAsset("floor-plan").byteLength).toBeLessThan(100_000);
    // The plan reaches from the alcove's end to the street, with the same margin as at the sides.
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
    model = await io.readBinary(readAsset("showroom"));
  });
  const node = (name: string) => {
    const foundNode = model
      .getRoot()
      .listNodes()
      .find((n) => n.getName() === name);
    if (!foundNode) throw new Error(`no node ${name}`);
    return foundNode;
  };

  it("is compressed, and its materials need no lights", () => {
    const extensionNames = model
      .getRoot()
      .listExtensionsUsed()
      .map((extension) => extension.extensionName);
    expect(extensionNames).toEqual(
      expect.arrayContaining(["EXT_meshopt_compression", "EXT_texture_webp", "KHR_materials_unlit"]),
    );
    for (const material of model.getRoot().listMaterials()) {
      expect(material.getExtension("KHR_materials_unlit"), material.getName()).toBeTruthy();
    }
  });

  it("has a floor at height 0 for each room, as large as in the plan", () => {
    for (const { id, x0, x1, z0, z1 } of Object.values(rooms)) {
      const { min, max } = getBounds(node(`floor-${id}`));
      expect(min[0]).toBeCloseTo(x0, 2);
      expect(max[0]).toBeCloseTo(x1, 2);
      expect(min[2]).toBeCloseTo(z0, 2);
      expect(max[2]).toBeCloseTo(z1, 2);
      expect(max[1]).toBeCloseTo(0, 3);
    }
  });

  it("has every work at its position in the plan", () => {
    for (const work of works) {
      const { min, max } = getBounds(node(`work-${work.number}`));
      const [x, y, z] = pointOnWork(work);
      expect(Math.abs((min[0] + max[0]) / 2 - x), work.id).toBeLessThan(0.05);
      expect(Math.abs((min[1] + max[1]) / 2 - y), work.id).toBeLessThan(0.05);
      expect(Math.abs((min[2] + max[2]) / 2 - z), work.id).toBeLessThan(0.05);
    }
  });

  it("names its nodes by kind", () => {
    const names = model
      .getRoot()
      .listNodes()
      .map((n) => n.getName());
    for (const kind of ["floor", "wall", "ceiling", "work-", "plinth"]) {
      expect(names.filter((name) => name.startsWith(kind)).length, kind).toBeGreaterThanOrEqual(4);
    }
    // Parts above a visitor's head are walls, or ceilings, which the view from above hides.
    for (const n of model.getRoot().listNodes()) {
      if (getBounds(n).min[1] > 2.85) expect(n.getName()).toMatch(/^(ceiling|wall)/);
    }
  });
});

describe("the panoramas", () => {
  it("are twice as wide as high, with enough resolution and a limited size", () => {
    for (const { id } of panoramas) {
      const { width = 0, height = 0 } = getAsset(`pano-${id}`);
      expect(width).toBe(height * 2);
      expect(width).toBeGreaterThanOrEqual(3072);
      expect(readAsset(`pano-${id}`).byteLength).toBeLessThanOrEqual(1.5 * MB);
    }
  });

  it("show the red moon in the direction that follows from the plan", async () => {
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
    const { width = 0, height = 0 } = getAsset("pano-hall");
    // The middle column shows the heading, and yaw decreases to the right.
    const u = (((0.5 - (yaw - hall.heading) / (2 * Math.PI)) % 1) + 1) % 1;
    const v = 0.5 - pitch / Math.PI;
    const { data } = await sharp(readAsset("pano-hall"))
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
  async function trackOf<K extends "audio" | "video">(key: DemoAssetKey, kind: K) {
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(readAsset(key)) });
    const track = kind === "video" ? await input.getPrimaryVideoTrack() : await input.getPrimaryAudioTrack();
    return track as NonNullable<
      Awaited<ReturnType<K extends "video" ? Input["getPrimaryVideoTrack"] : Input["getPrimaryAudioTrack"]>>
    >;
  }

  it("include a sound of ten seconds in AAC", async () => {
    const track = await trackOf("sound", "audio");
    expect([track.codec, await track.computeDuration()]).toEqual(["aac", getAsset("sound").duration]);
    expect(getAsset("sound").duration).toBe(10);
  });

  it("include a leaflet of two pages", async () => {
    const loadingTask = getDocument({ data: new Uint8Array(readAsset("leaflet")) });
    expect((await loadingTask.promise).numPages).toBe(2);
    await loadingTask.destroy();
  });

  it("include a video of eighty frames in H.264, of the size that the list states", async () => {
    const track = await trackOf("film", "video");
    const { width, height, duration } = getAsset("film");
    expect([track.codec, track.displayWidth, track.displayHeight]).toEqual(["avc", width, height]);
    expect([await track.computeDuration(), (await track.computePacketStats()).packetCount]).toEqual([8, 80]);
    expect(duration).toBe(8);
  });
});
