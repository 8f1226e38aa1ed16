import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getPreparationNeed } from "../library/preparation";
import { cubeLayouts, FACES, type Face, faceAt, faceOfName, faceOrders, panoramaDirection } from "./cubemap";
import { isDualFisheye } from "./fisheye";
import { readPanoramaCrop } from "./gpano";
import { tileColumns, tileNames, tileShapeFor, tilesOfNames, tileUrl } from "./panorama-tiles";

const xmp = (text: string) => new TextEncoder().encode(`\xff\xd8\xff\xe1<x:xmpmeta>${text}</x:xmpmeta>`);
const size = { width: 4000, height: 1000 };

describe("the crop of a panorama", () => {
  it("is read from attributes and from elements", () => {
    const expected = { fullWidth: 8000, fullHeight: 4000, left: 2000, top: 1500, width: 4000, height: 1000 };
    const attributes = `<rdf:Description GPano:FullPanoWidthPixels="8000" GPano:FullPanoHeightPixels='4000' GPano:CroppedAreaLeftPixels="2000" GPano:CroppedAreaTopPixels="1500" GPano:CroppedAreaImageWidthPixels="4000" GPano:CroppedAreaImageHeightPixels="1000"/>`;
    expect(readPanoramaCrop(xmp(attributes), size)).toEqual(expected);
    const elements = attributes
      .replace("<rdf:Description", "")
      .replace(/ (GPano:\w+)=["'](\d+)["']/g, "<$1>$2</$1>");
    expect(readPanoramaCrop(xmp(elements), size)).toEqual(expected);
  });

  it("is converted to the size of an image that was reduced later", () => {
    const metadata = `GPano:FullPanoWidthPixels="16000" GPano:FullPanoHeightPixels="8000" GPano:CroppedAreaLeftPixels="4000" GPano:CroppedAreaTopPixels="3000" GPano:CroppedAreaImageWidthPixels="8000" GPano:CroppedAreaImageHeightPixels="2000"`;
    expect(readPanoramaCrop(xmp(metadata), size)).toEqual({
      fullWidth: 8000,
      fullHeight: 4000,
      left: 2000,
      top: 1500,
      width: 4000,
      height: 1000,
    });
  });

  it("is centred vertically if a phone writes the image's own height as the full height", () => {
    const metadata = `GPano:FullPanoWidthPixels="4000" GPano:FullPanoHeightPixels="1000"`;
    expect(readPanoramaCrop(xmp(metadata), size)).toMatchObject({ fullHeight: 2000, top: 500, left: 0 });
  });

  it.each([
    "",
    `GPano:FullPanoWidthPixels="0"`,
    `GPano:FullPanoWidthPixels="abc"`,
    `GPano:FullPanoWidthPixels="8000" GPano:CroppedAreaImageWidthPixels="9000"`,
    `GPano:FullPanoWidthPixels="8000" GPano:CroppedAreaLeftPixels="-5"`,
    `GPano:FullPanoWidthPixels="999999999" GPano:FullPanoHeightPixels="5"`,
    `GPano:FullPanoWidthPixels="8000" GPano:CroppedAreaImageWidthPixels="4000" GPano:CroppedAreaImageHeightPixels="4000"`,
  ])("is null for %s", (metadata) => {
    expect(readPanoramaCrop(xmp(metadata), size)).toBe(null);
  });

  it("is null for a panorama that covers the whole sphere", () => {
    const metadata = `GPano:FullPanoWidthPixels="4000" GPano:FullPanoHeightPixels="2000" GPano:CroppedAreaImageWidthPixels="4000" GPano:CroppedAreaImageHeightPixels="2000"`;
    expect(readPanoramaCrop(xmp(metadata), { width: 4000, height: 2000 })).toBe(null);
  });
});

describe("a cubemap", () => {
  it("is recognised as a cross or a strip only", () => {
    expect(cubeLayouts(4096, 3072)).toMatchObject({ size: 1024, layouts: [{ length: 6 }] });
    expect(cubeLayouts(300, 400)?.size).toBe(100);
    expect(cubeLayouts(6 * 512, 512)?.layouts.length).toBeGreaterThan(3);
    expect(cubeLayouts(512, 6 * 512)?.size).toBe(512);
    for (const [width, height] of [
      [1920, 1080],
      [2000, 1000],
      [12, 9],
      [0, 0],
    ] as const)
      expect(cubeLayouts(width, height)).toBe(null);
  });

  it("has front, right, back and left faces along the horizon, and a top and a bottom face", () => {
    const faceAtPoint = (u: number, v: number) => faceAt(panoramaDirection(u, v)).face;
    expect([0.5, 0.75, 0.999, 0.25].map((u) => faceAtPoint(u, 0.5))).toEqual(["f", "r", "b", "l"]);
    expect([faceAtPoint(0.3, 0.01), faceAtPoint(0.3, 0.99)]).toEqual(["u", "d"]);
    // Right of the middle of the front is right, above is up.
    expect(faceAt(panoramaDirection(0.55, 0.5)).u).toBeGreaterThan(0.6);
    expect(faceAt(panoramaDirection(0.5, 0.45)).v).toBeLessThan(0.45);
  });

  it("has a point on one of its faces for every direction", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (u, v) => {
          const facePoint = faceAt(panoramaDirection(u, v));
          expect(Math.min(facePoint.u, facePoint.v)).toBeGreaterThanOrEqual(-1e-9);
          expect(Math.max(facePoint.u, facePoint.v)).toBeLessThanOrEqual(1 + 1e-9);
        },
      ),
    );
  });

  it("recognises faces and their order by file names", () => {
    const names: Readonly<Record<string, Face | null>> = {
      "hall_front.JPG": "f",
      "px.png": "r",
      "Bridge-negy.jpg": "d",
      "top.webp": "u",
      "my.left.png": "l",
      "b_room.jpg": "b",
      "portrait.jpg": null,
      "IMG_0001.jpg": null,
      "": null,
    };
    for (const [name, face] of Object.entries(names)) expect(faceOfName(name), name).toBe(face);
    expect(faceOrders(["d.png", "l.png", "f.png", "r.png", "b.png", "u.png"])).toEqual([[2, 3, 4, 1, 5, 0]]);
    expect(faceOrders(["c3.jpg", "c1.jpg", "c2.jpg", "c6.jpg", "c5.jpg", "c4.jpg"]).length).toBeGreaterThan(
      3,
    );
    expect(faceOrders(["c3.jpg", "c1.jpg", "c2.jpg", "c9.jpg", "c5.jpg", "c4.jpg"])).toEqual([]);
    expect(faceOrders(["f.png", "f.png", "r.png", "l.png", "u.png", "d.png"])).toEqual([]);
    expect(faceOrders(["f.png"])).toEqual([]);
    for (const order of faceOrders(FACES.map((_face, index) => `p${index}.jpg`)))
      expect([...order].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("two fisheye circles", () => {
  const image = (light: (x: number, y: number) => number) => {
    const pixels = new Uint8ClampedArray(128 * 64 * 4);
    for (let y = 0; y < 64; y++)
      for (let x = 0; x < 128; x++)
        pixels.fill(light(x + 0.5, y + 0.5), (y * 128 + x) * 4, (y * 128 + x) * 4 + 3);
    return isDualFisheye(pixels, 128, 64);
  };
  const circles = (radius: number) => (x: number, y: number) =>
    Math.hypot((x % 64) - 32, y - 32) < radius ? 140 : 6;

  it("are recognised, whether or not they fill their halves", () => {
    expect(image(circles(32))).toBe(true);
    expect(image(circles(28))).toBe(true);
    expect(image(circles(34))).toBe(true);
  });

  it("are not found in panoramas: bright ones, dark ones, and those with black poles", () => {
    expect(image(() => 140)).toBe(false);
    expect(image(() => 4)).toBe(false);
    expect(image((_x, y) => (y < 10 || y > 54 ? 3 : 120))).toBe(false);
    expect(image((x, y) => (x < 30 || y < 20 ? 3 : 120))).toBe(false);
    // The image shows a lamp at night.
    expect(image((x, y) => (Math.hypot(x - 40, y - 32) < 12 ? 240 : 5))).toBe(false);
  });
});

describe("tiles", () => {
  it("are used for panoramas that are more than a tenth wider than the image without tiles", () => {
    const shapes = [2048, 4505, 4506, 5760, 8192, 11_968, 16_384].map((width) => tileShapeFor(width));
    expect(shapes).toEqual([
      null,
      null,
      { width: 6144, tileSize: 1024, levels: 1 },
      { width: 6144, tileSize: 1024, levels: 1 },
      { width: 8192, tileSize: 1024, levels: 1 },
      { width: 12_288, tileSize: 1024, levels: 2 },
      { width: 16_384, tileSize: 1024, levels: 2 },
    ]);
  });

  it("have an even number of columns on every level, are found by their names, and are at most 160", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), (width) => {
        const shape = tileShapeFor(width);
        if (!shape) return;
        for (let level = 0; level < shape.levels; level++) {
          const columns = tileColumns(shape, level);
          expect(Number.isInteger(columns / 2), `${width} ${level}`).toBe(true);
        }
        const shapeWithExtension = { ...shape, extension: "webp" as const };
        expect(tilesOfNames(tileNames(shapeWithExtension))).toEqual(shapeWithExtension);
        expect(tileNames(shapeWithExtension).length).toBeLessThanOrEqual(160);
      }),
    );
  });

  it("are not a set if one is missing, has another type, or is not a tile", () => {
    const names = tileNames({ width: 12_288, tileSize: 1024, levels: 2, extension: "jpg" });
    expect(tilesOfNames(names)?.levels).toBe(2);
    expect(tilesOfNames(names.slice(1))).toBe(null);
    expect(tilesOfNames([...names.slice(1), "0/0-0.webp"])).toBe(null);
    expect(tilesOfNames([...names, "../x"])).toBe(null);
    expect(tilesOfNames([])).toBe(null);
  });

  it("have URLs below the set's URL, before its query", () => {
    const tiles = { base: "/media/a/b/tiles?link=x&y", width: 8192, tileSize: 1024, levels: 1 } as const;
    expect(tileUrl({ ...tiles, extension: "webp" }, 0, 3, 2)).toBe("/media/a/b/tiles/0/3-2.webp?link=x&y");
    expect(tileUrl({ ...tiles, base: "/t/", extension: "jpg" }, 0, 0, 0)).toBe("/t/0/0-0.jpg");
  });
});

describe("the conversion of images", () => {
  it.each([
    ["image/tiff", 100, 100, "required"],
    ["image/heic", null, null, "required"],
    ["image/jpeg", 16_384, 8192, "required"],
    ["image/png", 12_001, 10, "required"],
    ["image/jpeg", 8192, 4096, "offered"],
    ["image/jpeg", 4096, 2048, null],
    ["image/jpeg", 8000, 6000, null],
    ["image/gif", 20_000, 20_000, null],
    ["image/jpeg", null, null, null],
  ] as const)("of %s with %s × %s pixels is %s", (mimeType, width, height, expected) => {
    expect(getPreparationNeed({ mimeType, width, height })).toBe(expected);
  });
});
