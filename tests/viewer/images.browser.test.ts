import type { Browser } from "playwright-core";
import sharp, { type Sharp } from "sharp";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FACES, type Face, panoramaDirection } from "~/domain/spaces/cubemap";
import { tilesOfNames } from "~/domain/spaces/panorama-tiles";
import { launchBrowser, STAGE_BROWSER_ARGS } from "../../scripts/lib/browser";
import { heicFile } from "../support/files/heic-file";
import { lockedDocument } from "../support/files/media-files";
import { type OpenPage, openPage } from "./open-page";

let browser: Browser;
let openedPage: OpenPage;

beforeAll(async () => {
  browser = await launchBrowser(STAGE_BROWSER_ARGS);
  openedPage = await openPage(browser, `${inject("stage").origin}/images`);
  await openedPage.page.waitForFunction(() => "images" in window);
});
afterAll(async () => {
  expect(openedPage?.problems).toEqual([]);
  await openedPage?.close(false);
  await browser?.close();
});

const encodeFile = (name: string, type: string, bytes: Uint8Array) => ({
  name,
  type,
  base64: Buffer.from(bytes).toString("base64"),
});
type EncodedFile = ReturnType<typeof encodeFile>;

const convert = (conversion: "image" | "panorama", files: readonly EncodedFile[], cancelAt?: string) =>
  openedPage.page.evaluate(
    ([conversionKind, convertedFiles, cancelStep]) =>
      window.images.convert(conversionKind, convertedFiles, cancelStep),
    [conversion, files, cancelAt] as const,
  );
const readColours = (name: string, points: readonly (readonly [number, number])[]) =>
  openedPage.page.evaluate(([image, sampledPoints]) => window.images.colours(image, sampledPoints), [
    name,
    points,
  ] as const);

/** A sphere with a smooth colour gradient. The colour depends only on the direction, so that correctly assembled faces join without a seam. */
const computeSphereColour = (x: number, y: number, z: number): [number, number, number] => {
  const distance = Math.hypot(x, y, z);
  return [127 + (120 * x) / distance, 127 + (120 * y) / distance, 127 + (120 * z) / distance];
};

/** A face of the sphere, seen from the inside. */
async function drawFace(name: Face, size = 64, isTurned = false): Promise<Buffer> {
  const pixels = Buffer.alloc(size * size * 3);
  const directions: Readonly<Record<Face, (u: number, v: number) => readonly [number, number, number]>> = {
    f: (u, v) => [u, -v, -1],
    b: (u, v) => [-u, -v, 1],
    r: (u, v) => [1, -v, u],
    l: (u, v) => [-1, -v, -u],
    u: (u, v) => [u, 1, -v],
    d: (u, v) => [u, -1, v],
  };
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const [u, v] = [((column + 0.5) / size) * 2 - 1, ((row + 0.5) / size) * 2 - 1];
      const offset = (isTurned ? (size - 1 - row) * size + (size - 1 - column) : row * size + column) * 3;
      computeSphereColour(...(directions[name](u, v) as [number, number, number])).forEach(
        (value, channel) => {
          pixels[offset + channel] = value;
        },
      );
    }
  return sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .png()
    .toBuffer();
}

const composeFaces = async (
  columns: number,
  rows: number,
  places: readonly (readonly [Face, number, number, boolean?])[],
  size = 64,
) =>
  sharp({ create: { width: columns * size, height: rows * size, channels: 3, background: "#000" } })
    .composite(
      await Promise.all(
        places.map(async ([name, column, row, isTurned]) => ({
          input: await drawFace(name, size, isTurned),
          left: column * size,
          top: row * size,
        })),
      ),
    )
    .png()
    .toBuffer();

const SAMPLE_POINTS = [
  ...[0.02, 0.13, 0.25, 0.37, 0.5, 0.63, 0.75, 0.88].flatMap((u) => [[u, 0.5] as const, [u, 0.22] as const]),
  ...([0.1, 0.6] as const).flatMap((u) => [[u, 0.03] as const, [u, 0.97] as const]),
];

async function expectSphere(): Promise<void> {
  const colors = await readColours("display.webp", SAMPLE_POINTS);
  for (const [index, [u, v]] of SAMPLE_POINTS.entries()) {
    const expectedColour = computeSphereColour(...(panoramaDirection(u, v) as [number, number, number]));
    const colour = colors[index] ?? [];
    for (const channel of [0, 1, 2])
      expect(
        Math.abs((colour[channel] ?? 0) - (expectedColour[channel] ?? 0)),
        `${u} ${v} ${colour}`,
      ).toBeLessThan(16);
  }
}

const createGradient = (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 3);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      pixels.set([(column / width) * 255, (row / height) * 255, 128], (row * width + column) * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
};

/** A JPEG with metadata for its position on the whole sphere. */
async function createCroppedPanorama(
  width: number,
  height: number,
  overrides: Readonly<Record<string, number>>,
): Promise<Uint8Array> {
  const jpeg = await createGradient(width, height).jpeg({ quality: 92 }).toBuffer();
  const values = Object.entries(overrides).map(([name, value]) => `GPano:${name}="${value}"`);
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular" ${values.join(" ")}/></rdf:RDF></x:xmpmeta>`;
  const segmentHeader = Buffer.alloc(4);
  segmentHeader.writeUInt16BE(0xffe1);
  segmentHeader.writeUInt16BE(xmp.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segmentHeader, Buffer.from(xmp, "latin1"), jpeg.subarray(2)]);
}

describe("a panorama that is not one whole equirectangular image", () => {
  test("is padded when its metadata state that it is a crop across the panorama's edge", async () => {
    const bytes = await createCroppedPanorama(400, 120, {
      FullPanoWidthPixels: 800,
      FullPanoHeightPixels: 400,
      CroppedAreaImageWidthPixels: 400,
      CroppedAreaImageHeightPixels: 120,
      CroppedAreaLeftPixels: 600,
      CroppedAreaTopPixels: 100,
    });
    const created = await convert("panorama", [encodeFile("hall.jpg", "image/jpeg", bytes)]);
    expect(created).toMatchObject({
      files: [{ role: "display", name: "display.webp", mimeType: "image/webp", width: 800, height: 400 }],
      before: { width: 400, height: 120 },
    });
    // The cropped area begins at three quarters of the width and continues at the left edge.
    const [areaStart, leftEdge, above, beside, below] = await readColours("display.webp", [
      ...([[0.76, 0.4] as const, [0.02, 0.4], [0.9, 0.1], [0.5, 0.4], [0.9, 0.7]] as const),
    ]);
    expect(areaStart?.[0]).toBeLessThan(30);
    expect(leftEdge?.[0]).toBeGreaterThan(110);
    expect(leftEdge?.[0]).toBeLessThan(160);
    for (const colour of [above, beside, below])
      for (const value of colour ?? [255]) expect(value).toBeLessThan(40);
  });

  test.each([
    [10_000, 10_000],
    [16_000, 12_000],
  ])("of %s pixels becomes an image of %s", async (fullWidth, width) => {
    const bytes = await createCroppedPanorama(400, 120, {
      FullPanoWidthPixels: fullWidth,
      FullPanoHeightPixels: fullWidth / 2,
      CroppedAreaImageWidthPixels: 400,
      CroppedAreaImageHeightPixels: 120,
      CroppedAreaLeftPixels: 0,
      CroppedAreaTopPixels: 0,
    });
    const created = await convert("panorama", [encodeFile("hall.jpg", "image/jpeg", bytes)]);
    expect(created).toMatchObject({ files: [{ role: "display", width, height: width / 2 }] });
  });

  test.each<[string, () => Promise<Buffer>]>([
    [
      "a lying cross",
      () =>
        composeFaces(4, 3, [
          ["u", 1, 0],
          ["l", 0, 1],
          ["f", 1, 1],
          ["r", 2, 1],
          ["b", 3, 1],
          ["d", 1, 2],
        ]),
    ],
    [
      "an upright cross",
      () =>
        composeFaces(3, 4, [
          ["u", 1, 0],
          ["l", 0, 1],
          ["f", 1, 1],
          ["r", 2, 1],
          ["d", 1, 2],
          ["b", 1, 3, true],
        ]),
    ],
    [
      "a strip as pannellum orders it",
      () =>
        composeFaces(
          6,
          1,
          FACES.map((name, index) => [name, index, 0] as const),
        ),
    ],
    [
      "a strip as OpenGL orders it",
      () =>
        composeFaces(
          6,
          1,
          (["r", "l", "u", "d", "f", "b"] as const).map((name, index) => [name, index, 0] as const),
        ),
    ],
    [
      "an upright strip",
      () =>
        composeFaces(
          1,
          6,
          (["l", "f", "r", "b", "u", "d"] as const).map((name, index) => [name, 0, index] as const),
        ),
    ],
  ])("is converted from a cubemap: %s", async (_what, image) => {
    const created = await convert("panorama", [encodeFile("cube.png", "image/png", await image())]);
    expect(created).toMatchObject({ files: [{ role: "display", width: 256, height: 128 }] });
    await expectSphere();
  });

  test.each<[string, (name: Face) => string]>([
    [
      "named in words",
      (name) => `hall_${{ f: "front", r: "right", b: "back", l: "left", u: "up", d: "down" }[name]}.png`,
    ],
    ["named by axes", (name) => `${{ f: "pz", r: "px", b: "nz", l: "nx", u: "py", d: "ny" }[name]}.png`],
    ["numbered as pannellum does", (name) => `cube${FACES.indexOf(name)}.png`],
    ["numbered as OpenGL does", (name) => `cube ${["r", "l", "u", "d", "f", "b"].indexOf(name) + 1}.png`],
  ])("is converted from six faces: %s", async (_what, createName) => {
    const files = await Promise.all(
      (["d", "b", "f", "u", "l", "r"] as const).map(async (name) =>
        encodeFile(createName(name), "image/png", await drawFace(name)),
      ),
    );
    expect(await convert("panorama", files)).toMatchObject({ files: [{ width: 256, height: 128 }] });
    await expectSphere();
  });

  test("is rejected with its reason: a photograph, an unstitched image, faces with unknown names, a broken file", async () => {
    const photograph = await createGradient(400, 300).png().toBuffer();
    expect(await convert("panorama", [encodeFile("a.png", "image/png", photograph)])).toEqual({
      error: "unsupported_feature",
      values: { reason: "not_panorama", width: 400, height: 300 },
    });
    const fisheyeImage = await sharp(
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="320"><rect width="640" height="320"/><circle cx="160" cy="160" r="158" fill="#8ab"/><circle cx="480" cy="160" r="158" fill="#ba8"/></svg>',
      ),
    )
      .jpeg()
      .toBuffer();
    expect(await convert("panorama", [encodeFile("theta.jpg", "image/jpeg", fisheyeImage)])).toMatchObject({
      error: "unsupported_feature",
      values: { reason: "fisheye" },
    });
    const faces = await Promise.all(FACES.map((name) => drawFace(name)));
    const unknownFaces = faces.map((bytes, index) =>
      encodeFile(`${"abcdeg"[index]}x.png`, "image/png", bytes),
    );
    expect(await convert("panorama", unknownFaces)).toMatchObject({ error: "missing_files" });
    expect(
      await convert("panorama", [encodeFile("b.jpg", "image/jpeg", Buffer.from("no picture"))]),
    ).toMatchObject({
      error: "damaged",
    });
  });

  test("can be cancelled", async () => {
    const bytes = await composeFaces(
      6,
      1,
      FACES.map((name, index) => [name, index, 0] as const),
      256,
    );
    expect(await convert("panorama", [encodeFile("cube.png", "image/png", bytes)], "decode")).toMatchObject({
      error: "AbortError",
    });
  });
});

describe("an image that most browsers cannot show", () => {
  test.each<[string, (image: Sharp) => Sharp]>([
    ["LZW", (image) => image.tiff({ compression: "lzw" })],
    [
      "Deflate with a predictor, in tiles",
      (image) =>
        image.tiff({
          compression: "deflate",
          predictor: "horizontal",
          tile: true,
          tileWidth: 256,
          tileHeight: 256,
        }),
    ],
    ["JPEG", (image) => image.tiff({ compression: "jpeg", quality: 95 })],
    ["uncompressed", (image) => image.tiff({ compression: "none" })],
    ["of 16 bits", (image) => image.toColourspace("rgb16").tiff({ compression: "lzw" })],
    ["CMYK", (image) => image.toColourspace("cmyk").tiff({ compression: "lzw" })],
    ["BigTIFF", (image) => image.tiff({ compression: "lzw", bigtiff: true })],
  ])("is converted from a TIFF: %s", async (_what, write) => {
    const bytes = await write(createGradient(640, 320)).toBuffer();
    expect(await convert("image", [encodeFile("a.tif", "image/tiff", bytes)])).toMatchObject({
      files: [{ role: "display", width: 640, height: 320 }],
      before: { width: 640, height: 320, bytes: bytes.length },
    });
    const [left, right, bottom] = await readColours("display.webp", [
      [0.05, 0.5],
      [0.95, 0.5],
      [0.5, 0.95],
    ]);
    expect(right?.[0]).toBeGreaterThan((left?.[0] ?? 255) + 120);
    expect(bottom?.[1]).toBeGreaterThan(140);
  });

  test("is converted from a rotated TIFF", async () => {
    const bytes = await createGradient(300, 200)
      .withMetadata({ orientation: 6 })
      .tiff({ compression: "lzw" })
      .toBuffer();
    const created = await convert("image", [encodeFile("a.tif", "image/tiff", bytes)]);
    expect(created).toMatchObject({ files: [{ width: 200, height: 300 }] });
    const [top, bottom] = await readColours("display.webp", [
      [0.5, 0.05],
      [0.5, 0.95],
    ]);
    expect(bottom?.[0]).toBeGreaterThan((top?.[0] ?? 255) + 150);
  });

  test("is converted from a HEIC, unless it is cut", async () => {
    const created = await convert("image", [encodeFile("IMG_0001.HEIC", "image/heic", heicFile())]);
    expect(created).toMatchObject({ files: [{ role: "display", width: 64, height: 48 }] });
    const [left, right] = await readColours("display.webp", [
      [0.2, 0.5],
      [0.8, 0.5],
    ]);
    expect(left?.[0]).toBeGreaterThan(150);
    expect(left?.[2]).toBeLessThan(110);
    expect(right?.[2]).toBeGreaterThan(150);
    expect(
      await convert("image", [encodeFile("b.heic", "image/heic", heicFile().subarray(0, 300))]),
    ).toMatchObject({
      error: "damaged",
    });
  });
});

test("a wide panorama is cut into tiles that meet without a seam, around its back as well", async () => {
  const bytes = await createGradient(4600, 2300).jpeg({ quality: 95 }).toBuffer();
  const created = await convert("image", [encodeFile("wide.jpg", "image/jpeg", bytes)]);
  if (!("files" in created) || !created.files) throw new Error(JSON.stringify(created));
  const tiles = created.files.filter(({ role }) => role === "tile");
  expect(tilesOfNames(tiles.map(({ name }) => name))).toEqual({
    width: 6144,
    tileSize: 1024,
    levels: 1,
    extension: "webp",
  });
  expect(tiles.every(({ width, height }) => width === 1026 && height === 1026)).toBe(true);
  expect(created.files.filter(({ role }) => role !== "tile")).toMatchObject([
    { role: "display", width: 4096, height: 2048 },
    { role: "preview", width: 1024, height: 512 },
  ]);
  expect(created.steps).toContain("tiles");
  // The margin of a tile equals the first column of the next tile.
  const [marginColour] = await readColours("0/0-1.webp", [[1025.5 / 1026, 0.5]]);
  const [nextColour] = await readColours("0/1-1.webp", [[1.5 / 1026, 0.5]]);
  for (const channel of [0, 1, 2])
    expect(Math.abs((marginColour?.[channel] ?? 0) - (nextColour?.[channel] ?? 99))).toBeLessThan(8);
  const [wrappedColour, firstColour] = await readColours("0/0-1.webp", [
    [0.5 / 1026, 0.5],
    [4 / 1026, 0.5],
  ]);
  expect(wrappedColour?.[0]).toBeGreaterThan(110);
  expect(firstColour?.[0]).toBeLessThan(60);
});

test("a document opens by its password, after a wrong one as well, and stays closed without it", async () => {
  const base64 = Buffer.from(lockedDocument("ajisai")).toString("base64");
  const readDocument = (passwords: readonly string[]) =>
    openedPage.page.evaluate(
      ([encodedFile, triedPasswords]) => window.images.document(encodedFile, triedPasswords),
      [base64, passwords] as const,
    );
  expect(await readDocument(["ajisai"])).toEqual({ text: "Locked plan", wrongBefore: [false] });
  expect(await readDocument(["rose", "ajisai"])).toEqual({ text: "Locked plan", wrongBefore: [false, true] });
  expect(await readDocument([])).toEqual({ text: null, wrongBefore: [false] });
});
