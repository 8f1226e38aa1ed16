/** Inspects one small file of each kind in docs/formats.md, and compares the server's result with that page. */
import { readFileSync } from "node:fs";
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import { expect, it } from "vitest";
import { inspectFile } from "#functions/media/inspect/inspect-file";
import { rangesOver } from "#functions/media/range-reader";
import { getPreparationNeed } from "~/domain/library/preparation";
import { fromRoot } from "../scripts/lib/paths";
import { heicFile } from "./support/files/heic-file";
import {
  concatBytes,
  gifFile,
  glbFile,
  HTML,
  heifFile,
  jpegFile,
  pdfFile,
  pngFile,
  triangle,
  u16le,
  u32le,
  wavFile,
  webpFile,
  zeros,
} from "./support/files/media-files";
import { objectCapture } from "./support/files/splat-captures";
import { rawSpz, writeCompressedPly, writeGlbSplats, writeSog, writeSpz4 } from "./support/files/splat-files";
import { writeSpz } from "./support/files/spz";
import {
  binaryStl,
  lasFile,
  lazFile,
  lazWithWaveforms,
  threeMfFile,
  usdzFile,
} from "./support/model-files/binary-files";
import { binaryFbx } from "./support/model-files/fbx";
import { binaryPly, colladaFile, ifcFile, objFile, usdaFile } from "./support/model-files/text-files";
import { colourPng, type Triple } from "./support/model-files/textured-box";

const SIZE: Triple = [2, 1, 0.5];
const RED = colourPng(255, 0, 0);
const splats = objectCapture().slice(0, 300);

async function writeVideo(format: Mp4OutputFormat | MkvOutputFormat): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const video = new EncodedVideoPacketSource("vp9");
  output.addVideoTrack(video);
  await output.start();
  await video.add(new EncodedPacket(zeros(200), "key", 0, 0.5), {
    decoderConfig: { codec: "vp09.00.10.08", codedWidth: 320, codedHeight: 180 },
  });
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

const tiff = concatBytes(
  ...["II*\0", u32le(8), u16le(2)],
  ...[u16le(256), u16le(3), u32le(1), u32le(64), u16le(257), u16le(3), u32le(1), u32le(32), u32le(0)],
);
const bmp = concatBytes("BM", u32le(70), u32le(0), u32le(54), u32le(40), u32le(2), u32le(2), zeros(44));
const hdr = concatBytes("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 8 +X 16\n", zeros(600));
const EMPTY_DATA = `data:application/octet-stream;base64,${Buffer.alloc(36).toString("base64")}`;
const splatRecord = concatBytes(
  new Uint8Array(Float32Array.of(1, 2, -3, 0.1, 0.1, 0.1).buffer),
  [200, 100, 50, 255],
  [255, 128, 128, 128],
);

/** File name and content per row of the page's matrix. */
const CORPUS: Readonly<Record<string, readonly [string, Uint8Array]>> = {
  GLB: ["a.glb", glbFile(triangle, zeros(36))],
  "GLB without a mesh": ["a.glb", glbFile({ asset: { version: "2.0" }, scenes: [{}] })],
  glTF: [
    "a.gltf",
    concatBytes(JSON.stringify({ ...triangle, buffers: [{ byteLength: 36, uri: EMPTY_DATA }] })),
  ],
  "glTF 1.0": ["a.glb", concatBytes("glTF", u32le(1), u32le(20), zeros(8))],
  "a picture named .glb": ["a.glb", jpegFile(4, 3)],
  OBJ: ["a.obj", objFile(SIZE)],
  FBX: ["a.fbx", binaryFbx({ size: SIZE, apart: 3, texture: RED })],
  "FBX, transferred as text": [
    "a.fbx",
    binaryFbx({ size: SIZE, apart: 3, texture: RED }).map((byte) => (byte === 0 ? 32 : byte)),
  ],
  "OBJ in UTF-16": [
    "a.obj",
    new Uint8Array(Buffer.from(`\ufeff${new TextDecoder().decode(objFile(SIZE))}`, "utf16le")),
  ],
  STL: ["a.stl", binaryStl(SIZE)],
  "3MF": ["a.3mf", threeMfFile(SIZE, 3, RED)],
  COLLADA: ["a.dae", colladaFile(SIZE, 3)],
  USDZ: ["a.usdz", usdzFile(SIZE, RED)],
  USDA: ["a.usda", usdaFile(SIZE)],
  IFC: ["a.ifc", ifcFile([3000, 2500, 200])],
  LAS: ["a.las", lasFile([{ position: [0, 0, 0], colour: [0, 0, 0] }])],
  LAZ: [
    "a.laz",
    lazFile([
      [0, 0, 0],
      [1, 1, 1],
    ]),
  ],
  "LAZ with waveforms": ["a.laz", lazWithWaveforms()],
  "PLY, mesh or points": ["a.ply", binaryPly(SIZE)],
  Blender: ["a.blend", concatBytes("BLENDER-v300")],
  STEP: ["a.step", concatBytes("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));")],
  "PLY, compressed splats": ["a.ply", writeCompressedPly(splats)],
  ".splat": ["a.splat", concatBytes(splatRecord, splatRecord)],
  "SPZ 1 to 3": ["a.spz", new Uint8Array(writeSpz(splats))],
  "SPZ, not packed": ["a.spz", rawSpz(splats)],
  "SPZ 4": ["a.spz", writeSpz4(splats)],
  SOG: ["a.sog", await writeSog(splats)],
  "GLB of splats": ["a.glb", writeGlbSplats(splats)],
  "GLB of splats, SPZ inside": ["a.glb", writeGlbSplats(splats, { spz: rawSpz(splats) })],
  "GLB of splats and meshes": [
    "a.glb",
    writeGlbSplats(splats, {
      change: (json) => ({
        ...json,
        meshes: [...json.meshes, { primitives: [{ attributes: { POSITION: 0 } }] }],
      }),
    }),
  ],
  "GLB of splats without rotations": [
    "a.glb",
    writeGlbSplats(splats, {
      change: ({ meshes, ...json }) => {
        delete meshes[0]?.primitives[0]?.attributes["KHR_gaussian_splatting:ROTATION"];
        return { ...json, meshes };
      },
    }),
  ],
  "meta.json of SOG": ["meta.json", concatBytes('{"means":{"files":["means_l.webp","means_u.webp"]}}')],
  JPEG: ["a.jpg", jpegFile(4, 3)],
  PNG: ["a.png", pngFile()],
  "PNG of 30,000 × 30,000": ["a.png", pngFile(30_000, 30_000)],
  WebP: ["a.webp", webpFile("VP8X", concatBytes(zeros(4), [3, 0, 0, 2, 0, 0], zeros(4)))],
  GIF: ["a.gif", gifFile(4, 3)],
  BMP: ["a.bmp", bmp],
  SVG: ["a.svg", concatBytes('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>')],
  TIFF: ["a.tif", tiff],
  AVIF: ["a.avif", heifFile("avif", [[4, 3]])],
  HEIC: ["a.heic", heicFile()],
  "Radiance HDR": ["a.hdr", hdr],
  "MP4 of VP9": ["a.mp4", await writeVideo(new Mp4OutputFormat())],
  "WebM of VP9": ["a.webm", await writeVideo(new WebMOutputFormat())],
  "Matroska of VP9": ["a.mkv", await writeVideo(new MkvOutputFormat())],
  AVI: ["a.avi", concatBytes("RIFF", u32le(40), "AVI LIST", zeros(40))],
  WAV: ["a.wav", wavFile()],
  PDF: ["a.pdf", pdfFile()],
  WebVTT: ["a.vtt", concatBytes("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n")],
  "a web page": ["a.html", HTML],
};

async function resultOf([name, bytes]: readonly [string, Uint8Array]): Promise<string> {
  const inspection = await inspectFile(rangesOver(bytes), name);
  if ("rejection" in inspection) return `rejected: ${inspection.rejection}`;
  const isConverted = getPreparationNeed(inspection.file) === "required";
  return `${isConverted ? "converted" : "shown"}: ${inspection.file.mimeType}`;
}

/** First and second column of the matrix. */
function readDocumentedResults(): Record<string, string> {
  const page = readFileSync(fromRoot("docs", "formats.md"), "utf8");
  const matrix = page.slice(page.indexOf("## Matrix"));
  const rows = [...matrix.matchAll(/^\| ([^|]+) \| `([^`]+)` \|/gm)];
  return Object.fromEntries(rows.map(([, name = "", result = ""]) => [name, result]));
}

it("docs/formats.md states the server's result for each kind of file", async () => {
  const results: Record<string, string> = {};
  for (const [name, file] of Object.entries(CORPUS)) results[name] = await resultOf(file);
  expect(readDocumentedResults()).toEqual(results);
});
