import { expect, it } from "vitest";
import { zipFile } from "../../../tests/support/files/zip-file";
import {
  binaryStl,
  lasFile,
  lazFile,
  threeMfFile,
  usdzFile,
} from "../../../tests/support/model-files/binary-files";
import { asciiFbx, binaryFbx } from "../../../tests/support/model-files/fbx";
import {
  asciiPly,
  asciiStl,
  binaryPly,
  colladaFile,
  ifcFile,
  objFile,
  usdaFile,
} from "../../../tests/support/model-files/text-files";
import { colourPng, type Triple } from "../../../tests/support/model-files/textured-box";
import { rangesOver } from "../range-reader";
import { inspectFile } from "./inspect-file";

const SIZE: Triple = [2, 1, 0.5];
const RED = colourPng(255, 0, 0);
const outcome = async (name: string, bytes: Uint8Array) => {
  const inspection = await inspectFile(rangesOver(bytes), name);
  return "file" in inspection ? inspection.file.mimeType : inspection.rejection;
};
const fbx = { size: SIZE, apart: 3, texture: RED };
const points = [
  { position: [0, 0, 0], colour: [0, 0, 0] },
  { position: [1, 1, 1], colour: [0, 0, 0] },
] as const;

/** MIME type, file name, content, and the share of the file that remains after the cut. */
const FILES: readonly (readonly [string, string, Uint8Array, number])[] = [
  ["model/stl", "a.stl", asciiStl(SIZE), 0.7],
  ["model/stl", "a.stl", binaryStl(SIZE), 0.7],
  ["model/x-ply", "a.ply", asciiPly(SIZE), 0.6],
  ["model/x-ply", "a.ply", binaryPly(SIZE), 0.7],
  ["application/x-fbx", "a.fbx", binaryFbx(fbx), 0.7],
  ["application/x-fbx", "a.fbx", asciiFbx(fbx), 0.7],
  ["model/3mf", "a.3mf", threeMfFile(SIZE, 3, RED), 0.7],
  ["model/vnd.usdz+zip", "a.usdz", usdzFile(SIZE, RED), 0.7],
  ["model/vnd.collada+xml", "a.dae", colladaFile(SIZE, 3), 0.7],
  ["application/x-ifc", "a.ifc", ifcFile([3000, 2500, 200]), 0.7],
  ["application/vnd.las", "a.las", lasFile(points), 0.9],
];

it.each(FILES)(
  "%s is accepted when complete and rejected when truncated",
  async (type, name, bytes, remainingShare) => {
    expect(await outcome(name, bytes)).toBe(type);
    expect(await outcome(name, bytes.slice(0, Math.floor(bytes.length * remainingShare)))).toBe("damaged");
  },
);

it("accepts STL without normals, OBJ with embedded materials, and OBJ after a long comment, but not materials alone", async () => {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const file = (content: string) => new TextEncoder().encode(content);
  const withoutNormals = file(text(asciiStl(SIZE)).replaceAll(/facet normal[^\n]*/g, "facet"));
  expect(await outcome("a.stl", withoutNormals)).toBe("model/stl");
  const materials = "newmtl wood\nKd 1 0.5 0\nmap_Kd wood.png\n";
  expect(await outcome("a.obj", file(materials + text(objFile(SIZE))))).toBe("model/obj");
  expect(await outcome("a.mtl", file(materials))).toBe("format.mtl");
  for (const comment of [`# ${"x".repeat(40_000)}\n`, "# exported\n".repeat(4000)])
    expect(await outcome("a.obj", file(comment + text(objFile(SIZE))))).toBe("model/obj");
});

it("accepts OBJ and USDA", async () => {
  expect(await outcome("a.obj", objFile(SIZE))).toBe("model/obj");
  expect(await outcome("a.usda", usdaFile(SIZE))).toBe("model/vnd.usda");
});

it("accepts LAZ with its chunk table and rejects it without one", async () => {
  const laz = lazFile([
    [0, 0, 0],
    [1, 1, 1],
  ]);
  expect(await outcome("a.laz", laz)).toBe("application/vnd.laszip");
  const streamed = new Uint8Array([...laz, ...new Uint8Array(8)]);
  const view = new DataView(streamed.buffer);
  const pointsOffset = view.getUint32(96, true);
  view.setBigInt64(laz.length, view.getBigInt64(pointsOffset, true), true);
  view.setBigInt64(pointsOffset, -1n, true);
  expect(await outcome("a.laz", streamed)).toBe("application/vnd.laszip");
  expect(await outcome("a.laz", laz.slice(0, -20))).toBe("damaged");
  expect(await outcome("a.laz", streamed.slice(0, -12))).toBe("damaged");
});

it("accepts a ZIP archive with a model in a folder, and rejects one that is truncated, has no model or would unpack to too much", async () => {
  const paint = { name: "textures/paint.png", bytes: RED };
  const archive = zipFile([paint, { name: "box/box.obj", bytes: objFile(SIZE) }]);
  expect(await outcome("box.zip", archive)).toBe("model/x-zip");
  expect(await outcome("box.zip", archive.slice(0, 300))).toBe("damaged");
  const resourceFork = { name: "__MACOSX/._box.obj", bytes: new Uint8Array(4) };
  expect(await outcome("box.zip", zipFile([paint, resourceFork]))).toBe("model_zip");
  const bomb = zipFile([{ name: "box.obj", bytes: new Uint8Array(10), size: 0xf0000000 }]);
  expect(await outcome("box.zip", bomb)).toBe("model");
});

it("rejects an old FBX file and an archive that would unpack to too much, each with its reason", async () => {
  expect(await outcome("a.fbx", binaryFbx(fbx, 6100))).toBe("format.fbxOld");
  const bomb = zipFile([{ name: "3D/3dmodel.model", bytes: new Uint8Array(10), size: 0xf0000000 }]);
  expect(await outcome("a.3mf", bomb)).toBe("model");
});
