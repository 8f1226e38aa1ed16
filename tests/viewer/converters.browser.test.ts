import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sniffMedia } from "~/domain/media-kind";
import { launchBrowser } from "../../scripts/lib/browser";
import { binaryStl, lasFile, lazFile, threeMfFile, usdzFile } from "../support/model-files/binary-files";
import { asciiFbx, binaryFbx } from "../support/model-files/fbx";
import { colourPng, type Triple } from "../support/model-files/shapes";
import {
  asciiPly,
  asciiStl,
  binaryPly,
  colladaFile,
  ifcFile,
  mtlFile,
  objFile,
  usdaFile,
} from "../support/model-files/text-files";
import { zipFile } from "../support/zip-file";
import type { Converted, Outcome } from "./converters/page.client";
import { type ConverterServer, serveConverters } from "./converters/serve";

let server: ConverterServer;
let browser: Browser;
let page: Page;
/** Errors of the page, of its workers and of its policy. */
const complaints: string[] = [];

beforeAll(async () => {
  server = await serveConverters();
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on(
    "console",
    (message) => /Content Security Policy|Refused/.test(message.text()) && complaints.push(message.text()),
  );
  page.on("request", (request) => {
    if (![server.origin, "blob:", "data:"].some((start) => request.url().startsWith(start)))
      complaints.push(request.url());
  });
  await page.goto(server.origin);
  await page.waitForFunction(() => "converters" in window);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Options {
  readonly companions?: Readonly<Record<string, Uint8Array>>;
  readonly abortAt?: string;
}

/** Converts as the library does: the type is what the server recognises. */
async function convert(
  name: string,
  bytes: Uint8Array,
  { companions = {}, abortAt }: Options = {},
): Promise<Outcome> {
  const mimeType = (await sniffMedia(bytes, name, bytes.length))?.mimeType ?? "unknown";
  const addresses = Object.fromEntries(
    Object.entries(companions).map(([path, content]) => [path, server.put(content)]),
  );
  const job = { name, url: server.put(bytes), mimeType, companions: addresses, ...(abortAt && { abortAt }) };
  const outcome = await page.evaluate((input) => window.converters.convert(input), job);
  expect(complaints).toEqual([]);
  return outcome;
}

async function converted(name: string, bytes: Uint8Array, options?: Options): Promise<Converted> {
  const outcome = await convert(name, bytes, options);
  if (!("converted" in outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.converted;
}

const code = async (name: string, bytes: Uint8Array, options?: Options) => {
  const outcome = await convert(name, bytes, options);
  return "code" in outcome ? outcome.code : "converted";
};

/** Compares sizes in metres to a tenth of a millimetre. */
function expectSize(actual: readonly number[], size: Triple): void {
  for (const axis of [0, 1, 2]) expect(actual[axis]).toBeCloseTo(size[axis] ?? 0, 4);
}

const RED = colourPng(220, 20, 30);
/** Along x, y, z in metres: two metres wide, one high, half a metre deep. */
const SIZE: Triple = [2, 1, 0.5];
const metres = (scale: number, isZUp = false) =>
  (isZUp ? [SIZE[0], SIZE[2], SIZE[1]] : SIZE).map((value) => value * scale) as unknown as Triple;

/** A PLY file whose header's lines end as in Windows. */
function withReturns(file: Uint8Array): Uint8Array {
  const end = Buffer.from(file).indexOf("end_header\n") + "end_header\n".length;
  const head = Buffer.from(Buffer.from(file.subarray(0, end)).toString().replaceAll("\n", "\r\n"));
  return new Uint8Array(Buffer.concat([head, file.subarray(end)]));
}

describe("the size in metres and the triangles of", () => {
  test.each<[string, string, Uint8Array]>([
    ["STL as text, in millimetres by its size", "box.stl", asciiStl(metres(1000, true))],
    ["binary STL", "box.stl", binaryStl(metres(1000, true))],
    ["OBJ", "box.obj", objFile(metres(1))],
    ["PLY as text", "box.ply", asciiPly(metres(1))],
    ["binary PLY", "box.ply", binaryPly(metres(1))],
    ["binary PLY whose header has carriage returns", "box.ply", withReturns(binaryPly(metres(1)))],
    ["USDA in centimetres", "box.usda", usdaFile(metres(100, true))],
  ])("%s are those of its source", async (_, name, bytes) => {
    const { size, triangles, before, after } = await converted(name, bytes);
    expectSize(size, SIZE);
    expect(triangles).toBe(12);
    expect([before.bytes, before.triangles, after.triangles]).toEqual([bytes.length, 12, 12]);
    expectSize(after.size ?? [], SIZE);
  });

  test("a unit that had to be guessed is reported", async () => {
    const { notes } = await converted("box.stl", binaryStl(metres(1000, true)));
    expect(notes).toEqual([{ key: "unit_guessed", values: { unit: "mm" } }]);
  });
});

describe("one geometry that stands at two places stays one", () => {
  const wide: Triple = [5, 1, 0.5];
  test.each<[string, string, Uint8Array, boolean]>([
    [
      "binary FBX, with a texture inside",
      "a.fbx",
      binaryFbx({ size: metres(100), apart: 300, texture: RED }),
      true,
    ],
    ["FBX in metres", "a.fbx", binaryFbx({ size: metres(1), apart: 3, texture: RED, unitScale: 100 }), true],
    ["FBX as text", "a.fbx", asciiFbx({ size: metres(100), apart: 300, texture: RED }), true],
    ["3MF in millimetres, with a texture inside", "a.3mf", threeMfFile(metres(1000, true), 3000, RED), true],
    ["3MF in inches", "a.3mf", threeMfFile(metres(1 / 0.0254, true), 3 / 0.0254, RED, "inch"), true],
    ["COLLADA without its texture", "a.dae", colladaFile(metres(100, true), 300), false],
  ])("%s", async (_, name, bytes, hasTexture) => {
    const { size, triangles, meshes, geometries, textures, texel } = await converted(name, bytes);
    expectSize(size, wide);
    expect([triangles, meshes, geometries, textures]).toEqual([24, 2, 1, hasTexture ? 1 : 0]);
    if (hasTexture) expect(texel).toEqual([220, 20, 30]);
  });
});

describe("textures", () => {
  test.each<[string, string, Uint8Array, Readonly<Record<string, Uint8Array>>]>([
    [
      "OBJ by a Windows path",
      "a.obj",
      objFile(SIZE),
      { "box.mtl": mtlFile("maps\\Paint.PNG"), "maps/paint.png": RED },
    ],
    [
      "OBJ by the base name",
      "a.obj",
      objFile(SIZE),
      { "BOX.mtl": mtlFile("C:\\work\\paint.png"), "paint.png": RED },
    ],
    [
      "COLLADA by the relative path",
      "a.dae",
      colladaFile(SIZE, 3),
      { "paint.png": colourPng(0, 0, 0), "textures/paint.png": RED },
    ],
    ["USDA by the relative path", "a.usda", usdaFile(SIZE), { "textures/paint.png": RED }],
    ["USDZ inside of it", "a.usdz", usdzFile(SIZE, RED), {}],
    [
      "COLLADA in an archive",
      "a.zae",
      zipFile([
        { name: "a.dae", bytes: colladaFile(SIZE, 3) },
        { name: "textures/paint.png", bytes: RED },
      ]),
      {},
    ],
  ])("of %s are found", async (_, name, bytes, companions) => {
    const { texel, losses } = await converted(name, bytes, { companions });
    expect(texel).toEqual([220, 20, 30]);
    expect(losses).not.toContain("missing_textures");
  });

  test.each<[string, string, Uint8Array, Readonly<Record<string, Uint8Array>>]>([
    ["OBJ", "a.obj", objFile(SIZE), { "box.mtl": mtlFile("maps/paint.png"), "maps/paint.png": RED }],
    ["USDA", "a.usda", usdaFile(SIZE), { "textures/paint.png": RED }],
    ["COLLADA", "model/a.dae", colladaFile(SIZE, 3), { "model/textures/paint.png": RED }],
  ])("of %s are found in a ZIP archive", async (_, name, bytes, others) => {
    const parts = Object.entries(others).map(([path, content]) => ({ name: path, bytes: content }));
    const zip = zipFile([...parts, { name, bytes }]);
    const { texel, losses, before } = await converted("a.zip", zip);
    expect([texel, before.bytes]).toEqual([[220, 20, 30], zip.length]);
    expect(losses).not.toContain("missing_textures");
  });

  test("that are missing or broken are named", async () => {
    const companions = { "box.mtl": mtlFile("maps/paint.png") };
    const missing = await converted("a.obj", objFile(SIZE), { companions });
    expect(missing.losses).toContain("missing_textures");
    expect(missing.notes).toContainEqual({
      key: "missing_textures",
      values: { names: "paint.png", count: 1 },
    });
    const broken = { ...companions, "maps/paint.png": new TextEncoder().encode("no picture") };
    expect((await converted("a.obj", objFile(SIZE), { companions: broken })).losses).toContain(
      "missing_textures",
    );
    expect((await converted("a.obj", objFile(SIZE))).notes).toContainEqual({
      key: "missing_textures",
      values: { names: "box.mtl", count: 1 },
    });
  });
});

test("an IFC building keeps its metres, the names of its products and mapped geometries", async () => {
  const { size, names, meshes, geometries } = await converted("house.ifc", ifcFile([3000, 2500, 200]));
  expect(size[1]).toBeCloseTo(2.5, 3);
  expect(names.filter((name) => /wall|chair/i.test(name)).length).toBe(3);
  expect([meshes, geometries]).toEqual([3, 2]);
});

describe("point clouds", () => {
  const corners = [
    { at: [0, 0, 0], colour: [65_535, 0, 0] },
    { at: [2, 0.5, 1], colour: [65_535, 0, 0] },
  ] as const;

  test("LAS moves to the ground at the origin and keeps its colours", async () => {
    const { size, points, notes, bottom, pointColour } = await converted(
      "a.las",
      lasFile(corners, [500_000, 4_000_000, 80]),
    );
    expectSize(size, SIZE);
    expect([points, pointColour]).toEqual([2, [255, 0, 0]]);
    expect(bottom).toBeCloseTo(0, 6);
    expect(notes.map(({ key }) => key)).toEqual(["moved_to_origin"]);
  });

  test("colours of LAS files that count to 255 are as bright", async () => {
    const dim = corners.map(({ at }) => ({ at, colour: [200, 100, 50] as const }));
    expect((await converted("a.las", lasFile(dim))).pointColour).toEqual([200, 100, 50]);
  });

  test("LAZ", async () => {
    const { size, points } = await converted(
      "a.laz",
      lazFile([
        [0, 0, 0],
        [2, 0.5, 1],
      ]),
    );
    expect(points).toBe(2);
    expectSize(size, SIZE);
  });

  test("PLY", async () => {
    const { size, points, pointColour } = await converted(
      "a.ply",
      binaryPly(metres(1, true), [120, 200, 255]),
    );
    expect([points, pointColour]).toEqual([8, [120, 200, 255]]);
    expectSize(size, SIZE);
  });
});

describe("bad files", () => {
  const nested = `<node>${"<node>".repeat(2000)}${"</node>".repeat(2000)}</node>`;
  const deep = new TextEncoder().encode(
    new TextDecoder().decode(colladaFile(SIZE, 3)).replace("<node ", `${nested}<node `),
  );
  const bomb = zipFile([
    { name: "3D/3dmodel.model", bytes: new Uint8Array(10), size: 0xf0000000 },
    { name: "_rels/.rels", bytes: new Uint8Array(1) },
  ]);
  test.each<[string, string, Uint8Array, string]>([
    ["an STL of no triangles", "a.stl", new TextEncoder().encode("solid a\nendsolid a\n"), "empty"],
    [
      "an STL whose corners are no numbers",
      "a.stl",
      binaryStl(SIZE, 1, (view) => {
        for (let i = 0; i < 12; i++) view.setFloat32(96 + i * 50, Number.NaN, true);
      }),
      "empty",
    ],
    ["an STL of one point", "a.stl", binaryStl([0, 0, 0]), "empty"],
    [
      "an OBJ of corners alone",
      "a.obj",
      new TextEncoder().encode("v 0 0 0\nv nan 0 0\nv 1 1 1\nf 1 2 3\n"),
      "damaged",
    ],
    ["a 3MF that claims 4 GB", "a.3mf", bomb, "too_large"],
    ["a COLLADA document 2,000 levels deep", "a.dae", deep, "too_large"],
    ["a cut FBX", "a.fbx", binaryFbx({ size: SIZE, apart: 3, texture: RED }).slice(0, 900), "damaged"],
    [
      "a cut LAS",
      "a.las",
      lasFile([
        { at: [0, 0, 0], colour: [0, 0, 0] },
        { at: [1, 1, 1], colour: [0, 0, 0] },
      ]).slice(0, 260),
      "damaged",
    ],
    [
      "an IFC of nothing",
      "a.ifc",
      new TextEncoder().encode(
        "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n",
      ),
      "empty",
    ],
  ])("%s", async (_, name, bytes, expected) => {
    expect(await code(name, bytes)).toBe(expected);
  });

  test.each<[string, string, Uint8Array]>([
    ["in a worker", "a.stl", binaryStl(SIZE)],
    ["on the page", "a.dae", colladaFile(SIZE, 3)],
  ])("a conversion %s ends when it is cancelled", async (_, name, bytes) => {
    for (const abortAt of ["read", "textures", "write"])
      expect(await code(name, bytes, { abortAt })).toBe("AbortError");
  });

  test("an STL of many triangles becomes smaller", async () => {
    const { triangles, before, after } = await converted("a.stl", binaryStl(SIZE, 20_000));
    expect(triangles).toBe(240_000);
    expect(after.bytes).toBeLessThan(before.bytes / 2);
  });
});
