import { WebIO } from "@gltf-transform/core";
import { ALL_EXTENSIONS } from "@gltf-transform/extensions";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sniffMedia } from "~/domain/library/sniff-media";
import { launchBrowser } from "../../scripts/lib/browser";
import { zipFile } from "../support/files/zip-file";
import {
  binaryStl,
  inCoordinates,
  inFeet,
  lasFile,
  lazFile,
  lazWithWaveforms,
  threeMfFile,
  threeMfWithParts,
  usdzFile,
  usdzOfTwo,
} from "../support/model-files/binary-files";
import { asciiFbx, binaryFbx } from "../support/model-files/fbx";
import {
  asciiPly,
  asciiStl,
  binaryPly,
  colladaFile,
  ifcFile,
  mtlFile,
  objFile,
  objOfTwo,
  texturedPly,
  usdaFile,
} from "../support/model-files/text-files";
import { colourPng, type Triple } from "../support/model-files/textured-box";
import { usdcFile } from "../support/model-files/usdc-file";
import type { Converted, Outcome } from "./converters/page.client";
import { type ConverterServer, serveConverters } from "./converters/serve";
import { makeBox } from "./gltf-files";
import { boxPoints } from "./shapes";

let server: ConverterServer;
let browser: Browser;
let page: Page;
/** Errors of the page and its workers, violations of its content security policy, and URLs of requests to other origins. */
const problems: string[] = [];

beforeAll(async () => {
  server = await serveConverters();
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 320, height: 240 } });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on(
    "console",
    (message) => /Content Security Policy|Refused/.test(message.text()) && problems.push(message.text()),
  );
  page.on("request", (request) => {
    if (![server.origin, "blob:", "data:"].some((prefix) => request.url().startsWith(prefix)))
      problems.push(request.url());
  });
  await page.goto(server.origin);
  await page.waitForFunction(() => "converters" in window);
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

interface Options {
  /** Files that belong to the converted file, such as textures and material libraries, by path. */
  readonly companions?: Readonly<Record<string, Uint8Array>>;
  /** Step of the conversion at which it is cancelled. */
  readonly abortAt?: string;
}

/** Converts a file as the library does, with the type that the server recognises. */
async function convert(
  name: string,
  bytes: Uint8Array,
  { companions = {}, abortAt }: Options = {},
): Promise<Outcome> {
  const mimeType = (await sniffMedia(bytes, name, bytes.length))?.mimeType ?? "unknown";
  const companionUrls = Object.fromEntries(
    Object.entries(companions).map(([path, content]) => [path, server.put(content)]),
  );
  const job = {
    name,
    url: server.put(bytes),
    mimeType,
    companions: companionUrls,
    ...(abortAt && { abortAt }),
  };
  const outcome = await page.evaluate((conversion) => window.converters.convert(conversion), job);
  expect(problems).toEqual([]);
  return outcome;
}

async function expectConverted(name: string, bytes: Uint8Array, options?: Options): Promise<Converted> {
  const outcome = await convert(name, bytes, options);
  if (!("converted" in outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.converted;
}

const readResultCode = async (name: string, bytes: Uint8Array, options?: Options) => {
  const outcome = await convert(name, bytes, options);
  return "code" in outcome ? outcome.code : "converted";
};

/** Compares sizes in metres to a tenth of a millimetre. */
function expectSize(actual: readonly number[], size: Triple): void {
  for (const axis of [0, 1, 2]) expect(actual[axis]).toBeCloseTo(size[axis] ?? 0, 4);
}

const RED = colourPng(220, 20, 30);
/** An image of 2,048 × 2,048 pixels in two colours, the first at its left. */
async function createTwoColourImage(left: Triple, right: Triple): Promise<Uint8Array> {
  const [r, g, b] = right;
  const rightHalf = await sharp({
    create: { width: 1024, height: 2048, channels: 3, background: { r, g, b } },
  })
    .png()
    .toBuffer();
  const background = { r: left[0], g: left[1], b: left[2] };
  return sharp({ create: { width: 2048, height: 2048, channels: 3, background } })
    .composite([{ input: rightHalf, left: 1024, top: 0 }])
    .png()
    .toBuffer();
}
/** Size along x, y, z in metres. */
const SIZE: Triple = [2, 1, 0.5];
const scaleSize = (scale: number, isZUp = false) =>
  (isZUp ? [SIZE[0], SIZE[2], SIZE[1]] : SIZE).map((value) => value * scale) as unknown as Triple;

/** A PLY file whose header's lines end as in Windows. */
function withWindowsLineEnds(file: Uint8Array): Uint8Array {
  const headerEnd = Buffer.from(file).indexOf("end_header\n") + "end_header\n".length;
  const header = Buffer.from(Buffer.from(file.subarray(0, headerEnd)).toString().replaceAll("\n", "\r\n"));
  return new Uint8Array(Buffer.concat([header, file.subarray(headerEnd)]));
}

const toUpperCase = (file: Uint8Array) =>
  new TextEncoder().encode(new TextDecoder().decode(file).toUpperCase());

describe("the size in metres and the triangles of", () => {
  test.each<[string, string, Uint8Array]>([
    ["STL as text, in millimetres by its size", "box.stl", asciiStl(scaleSize(1000, true))],
    ["STL as text in upper case", "box.stl", toUpperCase(asciiStl(scaleSize(1000, true)))],
    ["binary STL", "box.stl", binaryStl(scaleSize(1000, true))],
    ["OBJ", "box.obj", objFile(scaleSize(1))],
    ["PLY as text", "box.ply", asciiPly(scaleSize(1))],
    ["binary PLY", "box.ply", binaryPly(scaleSize(1))],
    ["binary PLY whose header has carriage returns", "box.ply", withWindowsLineEnds(binaryPly(scaleSize(1)))],
    ["USDA in centimetres", "box.usda", usdaFile(scaleSize(100, true))],
  ])("%s are those of its source", async (_, name, bytes) => {
    const { size, triangles, before, after } = await expectConverted(name, bytes);
    expectSize(size, SIZE);
    expect(triangles).toBe(12);
    expect([before.bytes, before.triangles, after.triangles]).toEqual([bytes.length, 12, 12]);
    expectSize(after.size ?? [], SIZE);
  });
});

test("a unit that had to be guessed is reported", async () => {
  const { notes } = await expectConverted("box.stl", binaryStl(scaleSize(1000, true)));
  expect(notes).toEqual([{ key: "unit_guessed", values: { unit: "mm" } }]);
});

describe("a geometry that is used twice is stored once", () => {
  const sizeOfTwo: Triple = [5, 1, 0.5];
  test.each<[string, string, Uint8Array, boolean]>([
    [
      "binary FBX, with a texture inside",
      "a.fbx",
      binaryFbx({ size: scaleSize(100), apart: 300, texture: RED }),
      true,
    ],
    [
      "FBX in metres",
      "a.fbx",
      binaryFbx({ size: scaleSize(1), apart: 3, texture: RED, unitScale: 100 }),
      true,
    ],
    ["FBX as text", "a.fbx", asciiFbx({ size: scaleSize(100), apart: 300, texture: RED }), true],
    [
      "3MF in millimetres, with a texture inside",
      "a.3mf",
      threeMfFile(scaleSize(1000, true), 3000, RED),
      true,
    ],
    ["3MF in inches", "a.3mf", threeMfFile(scaleSize(1 / 0.0254, true), 3 / 0.0254, RED, "inch"), true],
    ["COLLADA without its texture", "a.dae", colladaFile(scaleSize(100, true), 300), false],
  ])("%s", async (_, name, bytes, hasTexture) => {
    const { size, triangles, meshes, geometries, textures, texel } = await expectConverted(name, bytes);
    expectSize(size, sizeOfTwo);
    expect([triangles, meshes, geometries, textures]).toEqual([24, 2, 1, hasTexture ? 1 : 0]);
    if (hasTexture) expect(texel).toEqual([220, 20, 30]);
  });
});

test("USDZ keeps both references to a layer", async () => {
  const { size, triangles, meshes, texel } = await expectConverted(
    "a.usdz",
    usdzOfTwo(scaleSize(100, true), 300, RED),
  );
  expectSize(size, [5, 1, 0.5]);
  expect([triangles, meshes, texel]).toEqual([24, 2, [220, 20, 30]]);
});

test.each([
  ["a light", { parent: "Light" }],
  ["a mesh without points", { parent: "Mesh" }],
] as const)("FBX keeps a model whose parent is %s", async (_, parent) => {
  const fbx = binaryFbx({ size: scaleSize(100), apart: 300, texture: RED, ...parent });
  const { size, triangles, meshes } = await expectConverted("a.fbx", fbx);
  expectSize(size, [5, 1, 0.5]);
  expect([triangles, meshes]).toEqual([24, 2]);
});

test.each([
  ["binary", binaryFbx],
  ["text", asciiFbx],
] as const)("FBX loses a mesh without geometry and keeps its children: %s", async (_, createFile) => {
  const fbx = createFile({ size: scaleSize(100), apart: 300, texture: RED, parent: "Shapeless" });
  const { size, triangles, meshes, notes } = await expectConverted("a.fbx", fbx);
  expectSize(size, [5, 1, 0.5]);
  expect([triangles, meshes]).toEqual([24, 2]);
  expect(notes).toContainEqual({ key: "objects_left_out", values: { count: 1 } });
});

test("OBJ, which has no instances, keeps each copy", async () => {
  const { size, triangles, meshes } = await expectConverted("a.obj", objOfTwo(SIZE, 3));
  expectSize(size, [5, 1, 0.5]);
  expect([triangles, meshes]).toEqual([24, 2]);
});

/** A text in UTF-16 with a byte order mark. */
function encodeUtf16(bytes: Uint8Array, order: "little" | "big"): Uint8Array {
  const text = Buffer.from(`\ufeff${new TextDecoder().decode(bytes)}`, "utf16le");
  return new Uint8Array(order === "little" ? text : text.swap16());
}

describe("files that three's loaders do not read, or read only partially", () => {
  const sizeOfTwo: Triple = [5, 1, 0.5];
  test.each(["tristrips", "trifans", "polygons"] as const)("COLLADA with %s", async (primitive) => {
    const dae = colladaFile(scaleSize(100, true), 300, "textures/paint.png", primitive);
    const { size, triangles, texel } = await expectConverted("a.dae", dae, {
      companions: { "textures/paint.png": RED },
    });
    expectSize(size, sizeOfTwo);
    expect([triangles, texel]).toEqual([24, [220, 20, 30]]);
  });

  test("COLLADA without an asset is in metres, y up", async () => {
    const text = new TextDecoder().decode(colladaFile(SIZE, 3)).replace(/<asset>.*<\/asset>/, "");
    expectSize((await expectConverted("a.dae", new TextEncoder().encode(text))).size, sizeOfTwo);
  });

  test("COLLADA whose material does not exist", async () => {
    const text = new TextDecoder().decode(colladaFile(SIZE, 3)).replace(/<library_materials>.*\n/, "");
    const { triangles } = await expectConverted("a.dae", new TextEncoder().encode(text));
    expect(triangles).toBe(24);
  });

  test("COLLADA triangles without a material get the only one that is bound to them", async () => {
    const text = new TextDecoder()
      .decode(colladaFile(SIZE, 3))
      .replace(/(<triangles[^>]*) material="m"/, "$1");
    const { texel } = await expectConverted("a.dae", new TextEncoder().encode(text), {
      companions: { "textures/paint.png": RED },
    });
    expect(texel).toEqual([220, 20, 30]);
  });

  test("OBJ with comments behind its numbers", async () => {
    const text = new TextDecoder().decode(objFile(SIZE)).replace(/^([vf] .*)$/gm, "$1 # comment");
    const { size, triangles } = await expectConverted("a.obj", new TextEncoder().encode(text));
    expectSize(size, SIZE);
    expect(triangles).toBe(12);
  });

  test.each<[string, Uint8Array, Readonly<Record<string, Uint8Array>>]>([
    ["a.dae", encodeUtf16(colladaFile(SIZE, 3), "little"), { "textures/paint.png": RED }],
    [
      "a.obj",
      encodeUtf16(objFile(SIZE), "big"),
      { "box.mtl": encodeUtf16(mtlFile("paint.png"), "little"), "paint.png": RED },
    ],
  ])("%s in UTF-16", async (name, bytes, companions) => {
    const { triangles, texel } = await expectConverted(name, bytes, { companions });
    expect([triangles, texel]).toEqual([name === "a.dae" ? 24 : 12, [220, 20, 30]]);
  });

  test("3MF with several properties of a triangle and an undeclared prefix keeps triangles and texture", async () => {
    const file = threeMfFile(scaleSize(1000, true), 3000, RED, "millimeter", (model) =>
      model
        .replaceAll('pid="2"', 'pid="9"')
        .replace(
          "<object ",
          '<basematerials id="8"><base name="metal" displaycolor="#C0C0C0" displaypropertiesid="7"/></basematerials><m:multiproperties id="9" pids="8 2"><m:multi pindices="0 0"/><m:multi pindices="0 1"/><m:multi pindices="0 2"/></m:multiproperties><m:pbmetallicdisplayproperties id="7"><ms:pbmetallic name="metal" metallicness="1" roughness="0.2"/></m:pbmetallicdisplayproperties><object ',
        ),
    );
    const { size, triangles, texel } = await expectConverted("a.3mf", file);
    expectSize(size, sizeOfTwo);
    expect([triangles, texel]).toEqual([24, [220, 20, 30]]);
  });

  test("3MF with a model file for each part keeps parts of the same id apart", async () => {
    const file = threeMfWithParts([
      [40, 40, 10],
      [10, 10, 80],
      [70, 10, 10],
    ]);
    const { size, triangles } = await expectConverted("a.3mf", file);
    expectSize(size, [0.07, 0.08, 0.04]);
    expect(triangles).toBe(36);
  });

  test("3MF with slices reports that they are omitted", async () => {
    const slices =
      '<s:slicestack xmlns:s="http://schemas.microsoft.com/3dmanufacturing/slice/2015/07" id="20"/><object ';
    const file = threeMfFile(SIZE, 3, RED, "millimeter", (model) => model.replace("<object ", slices));
    expect((await expectConverted("a.3mf", file)).notes).toContainEqual({
      key: "slices_left_out",
      values: {},
    });
  });

  const fbx = new TextDecoder().decode(asciiFbx({ size: scaleSize(100), apart: 300, texture: RED }));
  test.each<[string, string, string]>([
    [
      "colours without their indices",
      fbx.replace(
        "LayerElementUV:",
        'LayerElementColor: 0 {\n\t\t\tMappingInformationType: "ByPolygonVertex"\n\t\t\tReferenceInformationType: "IndexToDirect"\n\t\t\tColors: *4 {\n\t\t\t\ta: 1,1,1,1\n\t\t\t}\n\t\t}\n\t\tLayerElementUV:',
      ),
      "colours",
    ],
    ["texture coordinates without their indices", fbx.replace('"Direct"', '"IndexToDirect"'), "materials"],
    [
      "a curve of an unknown property",
      fbx
        .replace(
          "Objects:  {",
          'Objects:  {\n\tAnimationCurveNode: 900,"AnimCurveNode::lock","" {\n\t}\n\tAnimationCurve: 901,"AnimCurve::","" {\n\t\tKeyTime: *1 {\n\t\t\ta: 0\n\t\t}\n\t\tKeyValueFloat: *1 {\n\t\t\ta: 1\n\t\t}\n\t}',
        )
        .replace("Connections:  {", 'Connections:  {\n\tC: "OP",901,900,"d|X"'),
      "animations",
    ],
  ])("FBX with %s", async (_, text, loss) => {
    const { size, triangles, losses } = await expectConverted("a.fbx", new TextEncoder().encode(text));
    expectSize(size, sizeOfTwo);
    expect([triangles, losses]).toEqual([24, expect.arrayContaining([loss])]);
  });

  test.each<[string, RegExp, string]>([
    ["empty metadata of a prim", /def Mesh "box" \([^)]*\)/, 'def Mesh "box" ()'],
    [
      "an attribute that has metadata and no value",
      /int\[\] faceVertexCounts/,
      'color3f[] primvars:displayColor (\n            interpolation = "vertex"\n        )\n        $&',
    ],
  ])("USDA with %s", async (_, pattern, replacement) => {
    const text = new TextDecoder().decode(usdaFile(scaleSize(100, true))).replace(pattern, replacement);
    const { size, triangles } = await expectConverted("a.usda", new TextEncoder().encode(text));
    expectSize(size, SIZE);
    expect(triangles).toBe(12);
  });
});

test("files without materials are grey, like an STL", async () => {
  const stl = await expectConverted("a.stl", binaryStl(SIZE));
  const obj = await expectConverted("a.obj", objFile(SIZE));
  expect(obj.colour).toEqual(stl.colour);
  expect(obj.colour[0]).toBeLessThan(200);
  const file = threeMfFile(SIZE, 3, RED, "millimeter", (model) =>
    model.replaceAll(' pid="2" p1="0" p2="1" p3="2"', ""),
  );
  expect((await expectConverted("a.3mf", file)).colour).toEqual(stl.colour);
  const removeParts = (file: Uint8Array, part: RegExp) =>
    new TextEncoder().encode(new TextDecoder().decode(file).replaceAll(part, ""));
  const usda = removeParts(usdaFile(SIZE), /rel material:binding = .*/g);
  expect((await expectConverted("a.usda", usda)).colour).toEqual(stl.colour);
  const collada = removeParts(colladaFile(SIZE, 3), /<bind_material>.*?<\/bind_material>| material="m"/g);
  expect((await expectConverted("a.dae", collada)).colour).toEqual(stl.colour);
  const unbound = removeParts(colladaFile(SIZE, 3), /<bind_material>.*?<\/bind_material>/g);
  expect((await expectConverted("a.dae", unbound)).colour).toEqual(stl.colour);
  const companions = { "box.mtl": mtlFile("paint.png"), "paint.png": RED };
  expect((await expectConverted("a.obj", objFile(SIZE), { companions })).colour).toEqual([255, 255, 255]);
});

test("an OBJ material with Tr 1 is opaque, and one with less is not", async () => {
  const createLibrary = (transparency: string) =>
    new TextEncoder().encode(`${new TextDecoder().decode(mtlFile("paint.png"))}${transparency}\n`);
  const readOpacity = async (transparency: string) => {
    const companions = { "box.mtl": createLibrary(transparency), "paint.png": RED };
    return (await expectConverted("a.obj", objFile(SIZE), { companions })).opacity;
  };
  expect(await readOpacity("Tr 1.000000")).toBe(1);
  expect(await readOpacity("Tr 0.25")).toBeCloseTo(0.75);
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
    ["PLY by its comment", "a.ply", texturedPly(SIZE, "paint.png"), { "paint.png": RED }],
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
    const { texel, losses } = await expectConverted(name, bytes, { companions });
    expect(texel).toEqual([220, 20, 30]);
    expect(losses).not.toContain("missing_textures");
  });

  test.each<[string, string, Uint8Array, Readonly<Record<string, Uint8Array>>]>([
    ["OBJ", "a.obj", objFile(SIZE), { "box.mtl": mtlFile("maps/paint.png"), "maps/paint.png": RED }],
    ["USDA", "a.usda", usdaFile(SIZE), { "textures/paint.png": RED }],
    ["COLLADA", "model/a.dae", colladaFile(SIZE, 3), { "model/textures/paint.png": RED }],
  ])("of %s are found in a ZIP archive", async (_, name, bytes, companions) => {
    const parts = Object.entries(companions).map(([path, content]) => ({ name: path, bytes: content }));
    const zip = zipFile([...parts, { name, bytes }]);
    const { texel, losses, before } = await expectConverted("a.zip", zip);
    expect([texel, before.bytes]).toEqual([[220, 20, 30], zip.length]);
    expect(losses).not.toContain("missing_textures");
  });

  test("that are missing or broken are reported", async () => {
    const companions = { "box.mtl": mtlFile("maps/paint.png") };
    const withoutTexture = await expectConverted("a.obj", objFile(SIZE), { companions });
    expect(withoutTexture.losses).toContain("missing_textures");
    expect(withoutTexture.notes).toContainEqual({
      key: "missing_textures",
      values: { names: "paint.png", count: 1 },
    });
    const brokenCompanions = { ...companions, "maps/paint.png": new TextEncoder().encode("no picture") };
    expect(
      (await expectConverted("a.obj", objFile(SIZE), { companions: brokenCompanions })).losses,
    ).toContain("missing_textures");
    expect((await expectConverted("a.obj", objFile(SIZE))).notes).toContainEqual({
      key: "missing_textures",
      values: { names: "box.mtl", count: 1 },
    });
  });
});

test("many large textures become KTX2, and are drawn in their colours", async () => {
  const colours = await createTwoColourImage([220, 20, 30], [20, 20, 230]);
  const { document, primitive } = makeBox(colours, "image/png");
  // The mesh with the other textures is inside of the box, where it does not cover it.
  const innerMesh = document.createMesh();
  document
    .getRoot()
    .listScenes()[0]
    ?.addChild(document.createNode().setMesh(innerMesh).setScale([0.1, 0.1, 0.1]));
  for (let copyIndex = 1; copyIndex <= 3; copyIndex++) {
    const image = await createTwoColourImage([128, 128, 255], [128, 128, 255 - copyIndex]);
    const texture = document.createTexture().setImage(image).setMimeType("image/png");
    const material = document.createMaterial().setNormalTexture(texture);
    innerMesh.addPrimitive(primitive.clone().setMaterial(material));
  }
  const bytes = await new WebIO().registerExtensions(ALL_EXTENSIONS).writeBinary(document);
  const { textures, compressed, before, after } = await expectConverted("many.glb", bytes);
  expect([textures, compressed]).toEqual([4, 4]);
  // A texture of 2,048² pixels has four bytes per pixel when it is decoded; as compressed blocks, colours have half a byte and normals one byte per pixel.
  const pixelsWithMipmaps = (2048 ** 2 * 4) / 3;
  expect(before.graphicsBytes).toBeGreaterThan(pixelsWithMipmaps * 16);
  expect(after.graphicsBytes).toBeLessThan(pixelsWithMipmaps * 4);
  await page.evaluate(() => window.converters.draw());
  const { data, info } = await sharp(await page.screenshot())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const countPixels = (isMatch: (red: number, blue: number) => boolean) => {
    let matches = 0;
    for (let offset = 0; offset < data.length; offset += info.channels)
      if (isMatch(data[offset] ?? 0, data[offset + 2] ?? 0)) matches++;
    return matches;
  };
  expect(countPixels((red, blue) => red > 150 && blue < 90)).toBeGreaterThan(500);
  expect(countPixels((red, blue) => blue > 150 && red < 90)).toBeGreaterThan(500);
});

test("an IFC file is converted to metres, and keeps the names and the shared geometries of its products", async () => {
  const { size, names, meshes, geometries, triangles, before } = await expectConverted(
    "house.ifc",
    ifcFile([3000, 2500, 200]),
  );
  // The wall and the two chairs are boxes.
  expect([triangles, before.triangles]).toEqual([36, 36]);
  expect(size[1]).toBeCloseTo(2.5, 3);
  expect(names.filter((name) => /wall|chair/i.test(name)).length).toBe(3);
  expect([meshes, geometries]).toEqual([3, 2]);
});

describe("point clouds", () => {
  const corners = [
    { position: [0, 0, 0], colour: [65_535, 0, 0] },
    { position: [2, 0.5, 1], colour: [65_535, 0, 0] },
  ] as const;

  test("LAS is moved to the ground at the origin and keeps its colours", async () => {
    const { size, points, notes, bottom, pointColour } = await expectConverted(
      "a.las",
      lasFile(corners, [500_000, 4_000_000, 80]),
    );
    expectSize(size, SIZE);
    expect([points, pointColour]).toEqual([2, [255, 0, 0]]);
    expect(bottom).toBeCloseTo(0, 6);
    expect(notes.map(({ key }) => key)).toEqual(["moved_to_origin"]);
  });

  test("LAS in feet", async () => {
    const { size } = await expectConverted("a.las", inFeet(lasFile(corners)));
    expectSize(size, scaleSize(0.3048));
  });

  test("colours of LAS files are as bright with 8 bits as with 16", async () => {
    const dimPoints = corners.map(({ position }) => ({ position, colour: [200, 100, 50] as const }));
    expect((await expectConverted("a.las", lasFile(dimPoints))).pointColour).toEqual([200, 100, 50]);
  });

  test("points without colours are lighter the higher they are", async () => {
    const uncolouredPoints = corners.map(({ position }) => ({ position, colour: [0, 0, 0] as const }));
    const shades: number[] = [];
    for (const points of [uncolouredPoints, [...uncolouredPoints].reverse()]) {
      const [red = 0, green, blue] = (await expectConverted("a.las", lasFile(points))).pointColour ?? [];
      expect([green, blue]).toEqual([red, red]);
      shades.push(red);
    }
    const [lowest = 0, highest = 0] = shades;
    expect(highest - lowest).toBeGreaterThan(100);
    // The viewer's background is lighter than both.
    expect(highest).toBeLessThan(190);
  });

  test("LAZ", async () => {
    const { size, points } = await expectConverted(
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
    const { size, points, pointColour } = await expectConverted(
      "a.ply",
      binaryPly(scaleSize(1, true), [120, 200, 255]),
    );
    expect([points, pointColour]).toEqual([8, [120, 200, 255]]);
    expectSize(size, SIZE);
  });

  test.each([
    ["horizontally", (x: number, y: number, z: number) => [x, -z, y]],
    ["upwards", (x: number, y: number, z: number) => [x, y, z]],
    ["downwards", (x: number, y: number, z: number) => [x, -y, -z]],
  ] as const)("PLY of a room in which y points %s", async (_, orient) => {
    const room = boxPoints([6, 2.8, 8], 0.1);
    const lines: string[] = [];
    for (let offset = 0; offset < room.length; offset += 3)
      lines.push(orient(room[offset] ?? 0, room[offset + 1] ?? 0, room[offset + 2] ?? 0).join(" "));
    const header = `ply\nformat ascii 1.0\nelement vertex ${lines.length}\n${["x", "y", "z"].map((axis) => `property float ${axis}\n`).join("")}end_header\n`;
    const { size } = await expectConverted(
      "a.ply",
      new TextEncoder().encode(`${header}${lines.join("\n")}\n`),
    );
    expectSize(
      size.map((metres) => Math.round(metres * 10) / 10),
      [6, 2.8, 8],
    );
  });
});

/** A text in which a part is repeated, each time with a different id. */
function repeatPart(file: Uint8Array, part: RegExp): Uint8Array {
  const text = new TextDecoder().decode(file);
  const createCopies = (name: string) =>
    Array.from({ length: 4000 }, (_, copy) =>
      copy === 0 ? name : name.replace(/(id="|source="#)/g, `$1copy${copy}-`),
    ).join("\n");
  return new TextEncoder().encode(text.replace(part, createCopies));
}

test.each<[string, Uint8Array]>([
  ["COLLADA", colladaFile(SIZE, 3)],
  ["strips", colladaFile(SIZE, 3, "textures/paint.png", "tristrips")],
  [
    "entities, comments and CDATA",
    new TextEncoder().encode('<a b="&lt;&#65;&quot;"><!-- c --><d>e &amp; <![CDATA[<f>]]></d><g/></a>'),
  ],
  [
    "namespaces",
    new TextEncoder().encode('<a xmlns="urn:a" xmlns:p="urn:p"><p:b p:c="1"/><d xmlns="urn:d"><e/></d></a>'),
  ],
  [
    "line ends of Windows",
    new TextEncoder().encode('<?xml version="1.0"?>\r\n<a\r\n b="1\t2">\r\n<c>1\r\n2</c></a>'),
  ],
])("XML with %s is parsed as in the browser", async (_, bytes) => {
  expect(await page.evaluate((url) => window.converters.parsesLikeBrowser(url), server.put(bytes))).toBe(
    true,
  );
});

describe("files with an unusual structure", () => {
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const encode = (content: string) => new TextEncoder().encode(content);

  test("PLY with comments among its data", async () => {
    const lines = decode(asciiPly(SIZE)).replace(
      /end_header\n/,
      "end_header\ncomment a 1 2 3\nobj_info 4 5\n\n",
    );
    const commented = encode(lines.replace(/\n(?=[^\n]+\n$)/, "\ncomment 7 8 9\n"));
    const { size, triangles } = await expectConverted("a.ply", commented);
    expect(triangles).toBe(12);
    expectSize(size, SIZE);
  });

  test("STL without normals", async () => {
    const original = await expectConverted("a.stl", asciiStl(SIZE));
    const withoutNormals = encode(decode(asciiStl(SIZE)).replaceAll(/facet normal[^\n]*/g, "facet"));
    const { size, triangles } = await expectConverted("a.stl", withoutNormals);
    expect([triangles, size]).toEqual([original.triangles, original.size]);
  });

  test("OBJ with its materials in it, and OBJ behind a long comment", async () => {
    const original = await expectConverted("a.obj", objFile(SIZE));
    const materials = "newmtl own\nKd 1 0 0\nillum 2\n";
    for (const prefix of [materials, `# ${"x".repeat(20_000)}\n`]) {
      const { size, triangles } = await expectConverted("a.obj", encode(prefix + decode(objFile(SIZE))));
      expect(triangles).toBe(original.triangles);
      expectSize(size, SIZE);
    }
  });

  test("LAS in degrees", async () => {
    const points = [
      { position: [0, 0, 0], colour: [0, 0, 0] },
      { position: [2, 0.5, 1], colour: [0, 0, 0] },
    ] as const;
    const { size } = await expectConverted(
      "a.las",
      inCoordinates(lasFile(points, [0, 0, 0]), { keys: [1024, 0, 1, 2] }),
    );
    // Degrees at the equator: two of longitude, half a degree of latitude; metres upwards.
    expect(size.map(Math.round)).toEqual([222_637, 1, 55_287]);
  });

  test("USD with a mesh without points and a reference to a part of itself", async () => {
    const original = await expectConverted("a.usda", usdaFile(SIZE));
    const box = decode(usdaFile(SIZE));
    const shapeless =
      '\ndef Mesh "none"\n{\n    int[] faceVertexCounts = [3]\n    int[] faceVertexIndices = [0, 1, 2]\n    float3 points = (0, 0, 0)\n}\n';
    const copy = '\ndef Xform "copy" (\n    references = </none>\n)\n{\n}\n';
    const { size, notes } = await expectConverted("a.usda", encode(box + shapeless + copy));
    expect(size).toEqual(original.size);
    expect(original.notes.map(({ key }) => key)).not.toContain("references_left_out");
    expect(notes.map(({ key }) => key)).toEqual(
      expect.arrayContaining(["references_left_out", "objects_left_out"]),
    );
  });
});

test.each([
  ["references", true],
  ["payload", true],
  ["inheritPaths", true],
  ["comment", false],
])("a binary USD layer with the field %j (reports references: %s)", async (field, isReported) => {
  const { size, triangles, notes } = await expectConverted("a.usdc", usdcFile(SIZE, field));
  expectSize(size, SIZE);
  expect(triangles).toBe(12);
  expect(notes.some(({ key }) => key === "references_left_out")).toBe(isReported);
});

describe("bad files", () => {
  const nestedNodes = `<node>${"<node>".repeat(2000)}${"</node>".repeat(2000)}</node>`;
  const deepCollada = new TextEncoder().encode(
    new TextDecoder().decode(colladaFile(SIZE, 3)).replace("<node ", `${nestedNodes}<node `),
  );
  const oversizedArchive = zipFile([
    { name: "3D/3dmodel.model", bytes: new Uint8Array(10), size: 0xf0000000 },
    { name: "_rels/.rels", bytes: new Uint8Array(1) },
  ]);
  test.each<[string, string, Uint8Array, string]>([
    ["an STL of no triangles", "a.stl", new TextEncoder().encode("solid a\nendsolid a\n"), "empty"],
    [
      "an STL whose triangles each have a corner that is no number",
      "a.stl",
      binaryStl(SIZE, 1, (view) => {
        for (let i = 0; i < 12; i++) view.setFloat32(96 + i * 50, Number.NaN, true);
      }),
      "empty",
    ],
    ["an STL whose corners are all at one point", "a.stl", binaryStl([0, 0, 0]), "empty"],
    [
      "an OBJ with a corner that is no number",
      "a.obj",
      new TextEncoder().encode("v 0 0 0\nv nan 0 0\nv 1 1 1\nf 1 2 3\n"),
      "damaged",
    ],
    [
      "an OBJ of 16 million lines",
      "a.obj",
      new TextEncoder().encode(`v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n${"\n".repeat(16_000_000)}`),
      "too_large",
    ],
    ["a 3MF that claims 4 GB", "a.3mf", oversizedArchive, "too_large"],
    [
      "a 3MF that claims 600 MB of XML, more than a string holds",
      "a.3mf",
      zipFile([{ name: "3D/3dmodel.model", bytes: new Uint8Array(10), size: 600_000_000 }]),
      "too_large",
    ],
    [
      "a 3MF that refers to an object that it does not contain",
      "a.3mf",
      threeMfFile(SIZE, 3, RED, "millimeter", (model) => model.replaceAll('objectid="3"', 'objectid="30"')),
      "unreadable_model",
    ],
    ["a LAZ with waveforms", "a.laz", lazWithWaveforms(), "unreadable_model"],
    ["a COLLADA document 2,000 levels deep", "a.dae", deepCollada, "too_large"],
    ["a cut FBX", "a.fbx", binaryFbx({ size: SIZE, apart: 3, texture: RED }).slice(0, 900), "damaged"],
    [
      "a cut LAS",
      "a.las",
      lasFile([
        { position: [0, 0, 0], colour: [0, 0, 0] },
        { position: [1, 1, 1], colour: [0, 0, 0] },
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
    expect(await readResultCode(name, bytes)).toBe(expected);
  });
});

test.each<[string, Uint8Array]>([
  ["a.stl", binaryStl(SIZE)],
  ["a.dae", colladaFile(SIZE, 3)],
  ["a.3mf", threeMfFile(SIZE, 3, RED)],
])("the conversion of %s ends when it is cancelled", async (name, bytes) => {
  for (const abortAt of ["read", "textures", "write"])
    expect(await readResultCode(name, bytes, { abortAt })).toBe("AbortError");
});

test.each<[string, Uint8Array]>([
  ["a.dae", repeatPart(colladaFile(SIZE, 3), /<geometry [\s\S]*<\/geometry>/)],
  [
    "a.3mf",
    threeMfFile(SIZE, 3, RED, "millimeter", (model) =>
      model.replace(/<triangles>[\s\S]*?<\/triangles>/, (triangles) => triangles.repeat(8000)),
    ),
  ],
])(
  "the page stays responsive while a large %s is converted, and can cancel it while it is parsed",
  async (name, bytes) => {
    // The longest time for which the page was blocked, and the time of the whole conversion, in milliseconds.
    const { pause, duration } = await expectConverted(name, bytes);
    expect(duration).toBeGreaterThan(300);
    expect(pause).toBeLessThan(Math.min(500, duration / 3));
    expect(await readResultCode(name, bytes, { abortAt: "decode" })).toBe("AbortError");
  },
);

test("a worker that does not respond is reported within 30 seconds", async () => {
  // The worker's file is requested but never arrives.
  await page.route("**/model.worker*", () => {});
  const startTime = performance.now();
  expect(await readResultCode("a.stl", binaryStl(SIZE))).toBe("timeout");
  expect(performance.now() - startTime).toBeLessThan(30_000);
  await page.unroute("**/model.worker*");
});

test("an STL of many triangles becomes smaller", async () => {
  const { triangles, before, after } = await expectConverted("a.stl", binaryStl(SIZE, 20_000));
  expect(triangles).toBe(240_000);
  expect(after.bytes).toBeLessThan(before.bytes / 2);
});
