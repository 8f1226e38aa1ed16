import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import { describe, expect, it } from "vitest";
import { getPreparationNeed } from "~/domain/library/preparation";
import {
  concatBytes,
  gifFile,
  glbFile,
  HOSTILE_SVG,
  HTML,
  heifFile,
  jpegFile,
  pdfFile,
  plyFile,
  pngFile,
  spzFile,
  triangle,
  u16,
  u16le,
  u32le,
  wavFile,
  webpFile,
  zeros,
} from "../../../tests/support/files/media-files";
import { objectCapture } from "../../../tests/support/files/splat-captures";
import {
  type GlbSplatJson,
  rawSpz,
  writeCompressedPly,
  writeGlbSplats,
  writeSog,
  writeSpz4,
} from "../../../tests/support/files/splat-files";
import { writeSpz } from "../../../tests/support/files/spz";
import { zipFile } from "../../../tests/support/files/zip-file";
import { createRanges, rangesOver } from "../range-reader";
import { inspectFile, inspectThumbnail } from "./inspect-file";

/** Inspects a file that is read in ranges, as from R2. */
const inspect = (bytes: Uint8Array, fileName = "a") =>
  inspectFile(
    createRanges(bytes.length, async (first, length) => bytes.slice(first, first + length)),
    fileName,
  );
const sizeOf = async (bytes: Uint8Array) => {
  const inspection = await inspect(bytes);
  return "file" in inspection ? [inspection.file.width, inspection.file.height] : inspection.rejection;
};
const readRejection = async (bytes: Uint8Array, fileName = "a") => {
  const inspection = await inspect(bytes, fileName);
  return "rejection" in inspection ? inspection.rejection : null;
};

/** A TIFF with several images; only their sizes are valid. */
const tiffFile = (sizes: readonly (readonly [number, number])[]) =>
  concatBytes(
    "II*\0",
    u32le(8),
    ...sizes.flatMap(([width, height], page) => [
      u16le(2),
      ...[u16le(256), u16le(3), u32le(1), u32le(width)],
      ...[u16le(257), u16le(4), u32le(1), u32le(height)],
      u32le(page + 1 < sizes.length ? 8 + (page + 1) * 30 : 0),
    ]),
  );

const u64le = (value: number) => concatBytes(u32le(value), u32le(0));
const bigTiffFile = (width: number, height: number) =>
  concatBytes(
    ...["II+\0", u16le(8), u16le(0), u64le(16), u64le(2)],
    ...[u16le(256), u16le(4), u64le(1), u64le(width)],
    ...[u16le(257), u16le(4), u64le(1), u64le(height)],
    u64le(0),
  );

describe("an image", () => {
  it.each<[string, Uint8Array, readonly [number, number]]>([
    ["png", pngFile(40, 30), [40, 30]],
    ["png followed by text", concatBytes(pngFile(40, 30), "tail"), [40, 30]],
    ["png followed by 300,000 bytes", concatBytes(pngFile(40, 30), zeros(300_000), "tail"), [40, 30]],
    ["jpeg", jpegFile(40, 30), [40, 30]],
    [
      "jpeg with a thousand bytes before a marker",
      concatBytes([0xff, 0xd8], new Uint8Array(1000).fill(255), jpegFile(40, 30).subarray(3)),
      [40, 30],
    ],
    [
      "CMYK jpeg, whose colour model is in Adobe's segment",
      concatBytes(
        [0xff, 0xd8, 0xff, 0xee],
        u16(14),
        "Adobe",
        [0, 100, 0, 0, 0, 0, 2],
        jpegFile(40, 30).subarray(2),
      ),
      [40, 30],
    ],
    ["jpeg followed by another image", concatBytes(jpegFile(40, 30), jpegFile(8, 6)), [40, 30]],
    ["jpeg rotated by 90 degrees", jpegFile(40, 30, 6), [30, 40]],
    ["jpeg rotated by 180 degrees", jpegFile(40, 30, 3), [40, 30]],
    ["jpeg followed by 400,000 bytes", jpegFile(40, 30, 1, `\xff\xd9${"\0".repeat(400_000)}`), [40, 30]],
    ["gif", gifFile(40, 30), [40, 30]],
    ["gif that is filled up with zeros", concatBytes(gifFile(40, 30), zeros(200_000)), [40, 30]],
    ["webp", webpFile("VP8 ", concatBytes(zeros(6), u16le(40), u16le(30), zeros(6))), [40, 30]],
    ["lossless webp", webpFile("VP8L", concatBytes([0x2f], u32le(39 | (29 << 14)), zeros(8))), [40, 30]],
    ["extended webp", webpFile("VP8X", concatBytes(zeros(4), [39, 0, 0, 29, 0, 0], zeros(4))), [40, 30]],
    ["avif", heifFile("avif", [[40, 30]]), [40, 30]],
    [
      "heic in tiles",
      heifFile("heic", [
        [16, 16],
        [40, 30],
        [8, 8],
      ]),
      [40, 30],
    ],
    ["heic rotated by 90 degrees", heifFile("heic", [[40, 30]], 1), [30, 40]],
    [
      "bmp",
      concatBytes(
        "BM",
        zeros(8),
        u32le(54),
        u32le(40),
        u32le(4),
        u32le(2 ** 32 - 3),
        [1, 0, 24, 0],
        zeros(24),
        zeros(36),
      ),
      [4, 3],
    ],
    [
      "tiff",
      concatBytes(
        "II*\0",
        u32le(8),
        u16le(2),
        ...[256, 257].flatMap((tag, i) => [u16le(tag), u16le(3), u32le(1), u32le(40 - i * 10)]),
        zeros(8),
      ),
      [40, 30],
    ],
    [
      "tiff after its preview",
      tiffFile([
        [16, 12],
        [40, 30],
        [8, 6],
      ]),
      [40, 30],
    ],
    ["bigtiff", bigTiffFile(40, 30), [40, 30]],
    ["svg by its box", concatBytes(`<svg viewBox="0,0 400.4 300"></svg>`), [400, 300]],
    [
      "svg by its size",
      concatBytes(`<?xml version="1.0"?><svg width="40px" height='30' viewBox="0 0 1 1"/>`),
      [40, 30],
    ],
    ["svg with a huge box", concatBytes(`<svg viewBox="0 0 1e9 5e8"/>`), [16_384, 8192]],
    ["a panorama", pngFile(16_384, 8192), [16_384, 8192]],
  ])("has a size: %s", async (_what, bytes, size) => {
    expect(await sizeOf(bytes)).toEqual(size);
  });

  it("may be an SVG file without a size, with scripts, or with a long attribute", async () => {
    expect(await sizeOf(concatBytes(`<svg width="100%"></svg>`))).toEqual([null, null]);
    expect(await sizeOf(HOSTILE_SVG)).toEqual([30, 20]);
    const padded = (first: string) =>
      concatBytes(`<svg ${first} style="${"x".repeat(9000)}" height="9"></svg>`);
    expect(await sizeOf(padded(`viewBox=" 0 0 40 30 " width="9"`))).toEqual([40, 30]);
  });

  it("does not block the processor as a crafted SVG file", async () => {
    const gaps = " ".repeat(60_000);
    const startedAt = performance.now();
    await sizeOf(concatBytes(`<svg width="${gaps}></svg>`));
    await sizeOf(concatBytes(`<svg ${"width='".repeat(8000)}></svg>`));
    await readRejection(concatBytes("<svg ".repeat(13_000)));
    await inspectThumbnail(concatBytes(`<svg viewBox="${gaps}></svg>`));
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it.each<[string, Uint8Array]>([
    ["20,000 × 20,000 png", pngFile(20_000, 20_000)],
    ["wide jpeg", jpegFile(16_385, 10)],
    ["square of 16,384", pngFile(16_384, 16_384)],
    ["avif", heifFile("avif", [[60_000, 60_000]])],
    ["heic", heifFile("heic", [[30_000, 30_000]])],
    ["tiff", tiffFile([[30_000, 30_000]])],
  ])("is rejected when it is too large: %s", async (_what, bytes) => {
    expect(await readRejection(bytes)).toBe("pixels");
  });

  it("is rejected when it is truncated", async () => {
    const images: readonly Uint8Array[] = [
      pngFile(400, 300),
      jpegFile(40, 30, 6),
      webpFile("VP8 ", concatBytes(zeros(6), u16le(40), u16le(30), zeros(600))),
      gifFile(40, 30),
      heifFile("avif", [[40, 30]]),
      HOSTILE_SVG,
    ];
    for (const bytes of images)
      for (let length = 1; length < bytes.length - 1; length += 7)
        expect(await readRejection(bytes.subarray(0, length)), `${length} of ${bytes.length}`).toMatch(
          /kind|damaged/,
        );
  });

  it("is rejected when its width is 0, when it is empty, and when it is HTML", async () => {
    expect(await readRejection(pngFile(0, 3))).toBe("damaged");
    expect(await readRejection(zeros(0))).toBe("damaged");
    expect(await readRejection(HTML, "a.png")).toBe("kind");
  });
});

/** A file in which every occurrence of a text has been replaced by one of the same length. */
function replaceText(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(from, to), "latin1");
}

async function writeVideo(
  format: Mp4OutputFormat | MkvOutputFormat,
  hasVideoTrack = true,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const video = new EncodedVideoPacketSource("vp9");
  const audio = new EncodedAudioPacketSource("opus");
  if (hasVideoTrack) output.addVideoTrack(video, { rotation: 0 });
  output.addAudioTrack(audio);
  await output.start();
  for (let i = 0; i < 4; i++) {
    const packet = (key: boolean) => new EncodedPacket(zeros(200), key ? "key" : "delta", i * 0.5, 0.5);
    if (hasVideoTrack)
      await video.add(packet(i === 0), {
        decoderConfig: { codec: "vp09.00.10.08", codedWidth: 320, codedHeight: 180 },
      });
    await audio.add(packet(true), {
      decoderConfig: {
        codec: "opus",
        numberOfChannels: 1,
        sampleRate: 48_000,
        description: concatBytes("OpusHead", [1, 1], u16le(0), u32le(48_000), [0, 0, 0]),
      },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

describe("a video or audio file", () => {
  it.each([
    ["mp4", new Mp4OutputFormat(), 2],
    ["mp4 that begins with its index", new Mp4OutputFormat({ fastStart: "in-memory" }), 2],
    [
      "mp4 in fragments, whose header has no duration",
      new Mp4OutputFormat({ fastStart: "fragmented" }),
      null,
    ],
    ["webm", new WebMOutputFormat(), 2],
  ] as const)(
    "has a size and the duration in its header, and is rejected when truncated: %s",
    async (_what, format, duration) => {
      const bytes = await writeVideo(format);
      expect(await inspect(bytes)).toMatchObject({
        file: { kind: "video", width: 320, height: 180, duration },
      });
      expect(await readRejection(bytes.subarray(0, bytes.length - 100))).toBe("damaged");
    },
  );

  it("without a video track is audio", async () => {
    for (const [format, mimeType] of [
      [new Mp4OutputFormat(), "audio/mp4"],
      [new WebMOutputFormat(), "audio/webm"],
    ] as const)
      expect(await inspect(await writeVideo(format, false))).toMatchObject({
        file: { kind: "audio", mimeType, width: null },
      });
  });

  it.each([
    ["mp4v", "MPEG-4 part 2"],
    ["jpeg", "Motion JPEG"],
    ["apch", "Apple ProRes"],
    ["zzzz", "zzzz"],
  ])("is rejected with the name of its unsupported codec: %s", async (entry, codec) => {
    const bytes = replaceText(await writeVideo(new Mp4OutputFormat()), "vp09", entry);
    expect(await inspect(bytes)).toMatchObject({ rejection: "format.film", values: { codec } });
  });

  it.each([
    ["AVI", concatBytes("RIFF", u32le(400), "AVI LIST", zeros(400))],
    ["Windows Media", concatBytes([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11], zeros(400))],
    ["Flash Video", concatBytes("FLV", [1, 5], zeros(400))],
    ["MPEG", concatBytes([0, 0, 1, 0xba], zeros(400))],
    ["Theora", concatBytes("OggS", zeros(24), "\x80theora", zeros(400))],
    ["VP8", concatBytes("OggS", zeros(24), "OVP80", zeros(400))],
  ])("is rejected with the name of its container or codec: %s", async (codec, bytes) => {
    expect(await inspect(bytes, "a.mp4")).toMatchObject({ rejection: "format.film", values: { codec } });
  });

  it("is accepted for conversion when it is Matroska, and rejected when it is truncated or audio only", async () => {
    const bytes = await writeVideo(new MkvOutputFormat());
    const inspection = await inspect(bytes);
    expect(inspection).toMatchObject({
      file: { kind: "video", mimeType: "video/x-matroska", width: 320 },
    });
    expect("file" in inspection && getPreparationNeed(inspection.file)).toBe("required");
    expect(await readRejection(bytes.subarray(0, bytes.length - 100))).toBe("damaged");
    expect(await inspect(await writeVideo(new MkvOutputFormat(), false))).toMatchObject({
      rejection: "format.sound",
      values: { codec: "Matroska" },
    });
  });

  it("needs a conversion when browsers play its video track but not its audio, and is rejected when it is audio only", async () => {
    const inAlac = async (hasVideoTrack: boolean) =>
      inspect(replaceText(await writeVideo(new Mp4OutputFormat(), hasVideoTrack), "Opus", "alac"));
    const inspection = await inAlac(true);
    expect(inspection).toMatchObject({ file: { kind: "video", width: 320 } });
    expect("file" in inspection && getPreparationNeed(inspection.file)).toBe("required");
    expect(await inAlac(false)).toMatchObject({
      rejection: "format.sound",
      values: { codec: "Apple Lossless" },
    });
  });

  it("is rejected when its container has no tracks", async () => {
    expect(
      await readRejection(concatBytes([0, 0, 0, 20], "ftypisom", zeros(4), "isom", [0, 0, 0, 8], "moov")),
    ).toBe("damaged");
    expect(await readRejection(concatBytes([0, 0, 0, 20], "ftypisom", zeros(4), "isom"))).toBe("damaged");
  });

  it("is audio when it is WAV, and rejected when it is truncated", async () => {
    const inspection = await inspect(wavFile(3));
    expect(inspection).toMatchObject({ file: { kind: "audio", mimeType: "audio/wav", duration: 3 } });
    expect(await readRejection(wavFile(3).subarray(0, 9000))).toBe("damaged");
  });
});

/** The beginning of a KTX2 texture of one level. @param unpacked bytes of the level */
function ktx2File(width: number, height: number, unpacked = 64): Uint8Array {
  const file = new Uint8Array(128);
  file.set([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 0x0d, 0x0a, 0x1a, 0x0a]);
  const view = new DataView(file.buffer);
  for (const [offset, value] of [
    [20, width],
    [24, height],
    [40, 1],
  ] as const)
    view.setUint32(offset, value, true);
  view.setBigUint64(96, BigInt(unpacked), true);
  return file;
}

/** A KTX2 texture without the end of its level. */
function cutKtx2File(): Uint8Array {
  const file = ktx2File(8, 8);
  const view = new DataView(file.buffer);
  view.setBigUint64(80, 104n, true);
  view.setBigUint64(88, 64n, true);
  return file;
}

describe("a 3D model", () => {
  const glb = (overrides: object, binary = zeros(36)) => glbFile({ ...triangle, ...overrides }, binary);
  const draco = { bufferView: 0, attributes: { POSITION: 0 } };
  const dracoMeshes = [
    { primitives: [{ attributes: { POSITION: 1 }, extensions: { KHR_draco_mesh_compression: draco } }] },
  ];
  const accessors = [
    ...triangle.accessors,
    { componentType: 5126, count: 100_000, type: "VEC3" },
    { componentType: 5125, count: 600_000, type: "SCALAR" },
  ];
  /**
   * Header of a mesh with 100,000 points and 200,000 triangles.
   * @param version of the Draco bitstream
   */
  const dracoHead = (...version: readonly [number, number]) =>
    new Uint8Array(
      concatBytes("DRACO", [...version, 1, 1, 0, 0, 0], [160, 141, 6], [192, 154, 12], zeros(18)),
    );

  it("is accepted with a large Draco mesh whose size its accessors state", async () => {
    expect(await readRejection(glb({ accessors, meshes: dracoMeshes }, dracoHead(2, 2)))).toBeNull();
  });

  it("is accepted when it is complete and references no external file", async () => {
    expect(await readRejection(glb({}))).toBeNull();
    const inline = {
      ...triangle,
      buffers: [{ byteLength: 36, uri: `data:;base64,${btoa("\0".repeat(36))}` }],
    };
    expect(await readRejection(concatBytes(JSON.stringify(inline)), "a.gltf")).toBeNull();
  });

  it.each<[string, Uint8Array, string]>([
    ["a header that declares more bytes than the file has", concatBytes(glb({}).subarray(0, 70)), "damaged"],
    ["a header that declares fewer bytes than the file has", concatBytes(glb({}), "x"), "damaged"],
    ["JSON that is not an object", glbFile("[1, 2]"), "damaged"],
    ["another version", glbFile({ asset: { version: "3.0" } }), "damaged"],
    [
      "JSON with 600,000 lists",
      glbFile(`{"asset":{"version":"2.0"},"x":[${"[],".repeat(600_000)}0]}`),
      "damaged",
    ],
    ["a truncated buffer", glb({}, zeros(20)), "damaged"],
    [
      "a view beyond its buffer",
      glb({ bufferViews: [{ buffer: 0, byteOffset: 8, byteLength: 36 }] }),
      "damaged",
    ],
    ["a view of a missing buffer", glb({ bufferViews: [{ buffer: 1, byteLength: 36 }] }), "damaged"],
    [
      "a view with a negative offset",
      glb({ bufferViews: [{ buffer: 0, byteOffset: -8, byteLength: 36 }] }),
      "damaged",
    ],
    [
      "an accessor of a missing view",
      glb({ accessors: [{ bufferView: 9, componentType: 5126, count: 3, type: "VEC3" }] }),
      "damaged",
    ],
    [
      "accessors that need gigabytes",
      glb({
        accessors: Array.from({ length: 100 }, () => ({
          componentType: 5126,
          count: 10_000_000,
          type: "MAT4",
        })),
      }),
      "model",
    ],
    [
      "a compressed view that needs gigabytes",
      glb({
        bufferViews: [
          {
            buffer: 0,
            byteLength: 36,
            extensions: { EXT_meshopt_compression: { count: 1e9, byteStride: 4 } },
          },
        ],
      }),
      "model",
    ],
    ["a file of another host", glb({ images: [{ uri: "https://evil.example/x.png" }] }), "model_files"],
    [
      "an external file",
      glb({ buffers: [{ byteLength: 36 }, { byteLength: 4, uri: "../secret.bin" }] }),
      "model_files",
    ],
    [
      "an image of 20,000 × 20,000",
      glbFile(
        {
          ...triangle,
          buffers: [{ byteLength: 200 }],
          bufferViews: [
            { buffer: 0, byteLength: 36 },
            { buffer: 0, byteLength: pngFile(20_000, 20_000).length },
          ],
          images: [{ bufferView: 1 }],
        },
        concatBytes(pngFile(20_000, 20_000), zeros(200 - pngFile(20_000, 20_000).length)),
      ),
      "model_pixels",
    ],
    [
      "an image of 20,000 × 20,000 in a data URL",
      glb({
        images: [{ uri: `data:image/png;base64,${Buffer.from(pngFile(20_000, 20_000)).toString("base64")}` }],
      }),
      "model_pixels",
    ],
    ["no mesh", glbFile({ asset: { version: "2.0" } }), "model_empty"],
    ["a node that is its own child", glb({ nodes: [{ mesh: 0, children: [0] }] }), "model_loop"],
    [
      "10,000 nested nodes",
      glb({ nodes: Array.from({ length: 10_000 }, (_, node) => ({ mesh: 0, children: [node + 1] })) }),
      "model_loop",
    ],
    [
      "a position that is not a number",
      glb({}, new Uint8Array(new Float32Array(9).fill(1).fill(Number.NaN, 7).buffer)),
      "model_positions",
    ],
    ["the content of a JPEG", jpegFile(40, 30), "misnamed"],
    [
      "a Draco mesh that becomes gigabytes",
      glb(
        {
          meshes: [
            {
              primitives: [
                {
                  attributes: { POSITION: 0 },
                  extensions: { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } },
                },
              ],
            },
          ],
        },
        new Uint8Array(
          concatBytes("DRACO", [2, 2, 1, 1, 0, 0, 0], [255, 255, 255, 127], [255, 255, 255, 127], zeros(16)),
        ),
      ),
      "model",
    ],
    [
      "a Draco mesh of a version whose size cannot be read",
      glb({ accessors, meshes: dracoMeshes }, dracoHead(2, 1)),
      "model_extension",
    ],
    [
      "a KTX2 texture of 40,000 × 40,000",
      glb({
        images: [
          { uri: `data:image/ktx2;base64,${Buffer.from(ktx2File(40_000, 40_000)).toString("base64")}` },
        ],
      }),
      "model_pixels",
    ],
    [
      "a KTX2 texture that becomes gigabytes",
      glb({
        images: [{ uri: `data:image/ktx2;base64,${Buffer.from(ktx2File(64, 64, 9e9)).toString("base64")}` }],
      }),
      "model",
    ],
    [
      "a KTX2 texture whose level lies beyond its end",
      glb(
        {
          buffers: [{ byteLength: 36 + 128 }],
          bufferViews: [
            { buffer: 0, byteLength: 36 },
            { buffer: 0, byteOffset: 36, byteLength: 128 },
          ],
          images: [{ bufferView: 1, mimeType: "image/ktx2" }],
        },
        new Uint8Array(concatBytes(zeros(36), cutKtx2File())),
      ),
      "damaged",
    ],
  ])("is rejected with %s", async (_what, bytes, expectedReason) => {
    expect(await readRejection(bytes, "a.glb")).toBe(expectedReason);
  });

  it("may have the maximum number of images, each of 130 KB", async () => {
    const png = pngFile(4, 3, 130_000);
    const offsets = Array.from({ length: 256 }, (_, i) => 36 + i * png.length);
    const bytes = glb(
      {
        buffers: [{ byteLength: 36 + 256 * png.length }],
        bufferViews: [
          { buffer: 0, byteLength: 36 },
          ...offsets.map((byteOffset) => ({ buffer: 0, byteOffset, byteLength: png.length })),
        ],
        images: offsets.map((_, i) => ({ bufferView: i + 1 })),
      },
      new Uint8Array(concatBytes(zeros(36), ...offsets.map(() => png))),
    );
    const file = createRanges(bytes.length, async (first, length) => bytes.subarray(first, first + length));
    expect(await inspectFile(file, "a.glb")).toMatchObject({ file: { kind: "model" } });
  });

  it("is rejected as glTF with external data, and as invalid glTF", async () => {
    const external = { ...triangle, buffers: [{ byteLength: 36, uri: "scene.bin" }] };
    expect(await inspectFile(rangesOver(concatBytes(JSON.stringify(external))), "a.gltf")).toEqual({
      rejection: "model_files",
      values: { files: "scene.bin" },
    });
    expect(await readRejection(concatBytes(`{"scenes": [`), "a.gltf")).toBe("damaged");
  });
});

describe("splats, documents and subtitles", () => {
  it("are accepted when complete; truncated splats and PDFs, and splats without a valid position, are rejected", async () => {
    for (const bytes of [plyFile(), spzFile(), pdfFile(), concatBytes("WEBVTT\n")])
      expect(await readRejection(bytes)).toBeNull();
    expect(await readRejection(plyFile(5, 4))).toBe("damaged");
    expect(await readRejection(plyFile(0))).toBe("damaged");
    // Points without valid coordinates cannot be shown.
    expect(await readRejection(plyFile(5, 5, Number.NaN))).toBe("damaged");
    expect(await readRejection(plyFile(5000, 5000, Number.POSITIVE_INFINITY))).toBe("damaged");
    const position = (value: number) =>
      concatBytes(new Uint8Array(new Float32Array([value, 1, 1, 1, 1, 1]).buffer));
    const splats = (value: number, count: number) =>
      Array.from({ length: count }, () => concatBytes(position(value), [9, 9, 9, 255], [255, 128, 128, 128]));
    const invalidSplats = splats(Number.NaN, 2000);
    expect(await readRejection(concatBytes(...invalidSplats), "a.splat")).toBe("damaged");
    expect(await readRejection(concatBytes(...invalidSplats, ...splats(1, 1)), "a.splat")).toBeNull();
    expect(await readRejection(spzFile(5, 4))).toBe("damaged");
    expect(await readRejection(spzFile(4, 400_000))).toBe("damaged");
    expect(await readRejection(pdfFile(""))).toBe("damaged");
    expect(await readRejection(pdfFile("2 0 obj\n<< /Type /Catalog /Pages 3 0 R >>\nendobj\n"))).toBeNull();
  });
});

describe("packed splats", () => {
  const splats = objectCapture();
  const typeOf = async (bytes: Uint8Array, fileName: string) => {
    const inspection = await inspect(bytes, fileName);
    return "file" in inspection ? inspection.file.mimeType : inspection.rejection;
  };

  it("are accepted in several versions and packings, also with another extension", async () => {
    for (const bytes of [
      rawSpz(splats),
      writeSpz4(splats),
      writeSpz4(splats, { degree: 4, system: 6 }),
      new Uint8Array(writeSpz(splats)),
    ])
      expect(await typeOf(bytes, "scan.bin")).toBe("application/x-gaussian-spz");
    for (const options of [{}, { isDeflated: true }, { folder: "scan/" }])
      expect(await typeOf(await writeSog(splats, options), "scan.zip")).toBe("application/x-gaussian-sog");
    expect(await typeOf(writeCompressedPly(splats), "scan.ply")).toBe("application/x-gaussian-ply");
  });

  it("are rejected if a part is missing or contradicts the header", async () => {
    const raw = rawSpz(splats);
    const version4 = writeSpz4(splats);
    for (const bytes of [
      raw.subarray(0, -1),
      version4.subarray(0, -1),
      version4.subarray(0, 100),
      writeSpz4(splats, { count: splats.length + 1 }),
      writeCompressedPly(splats).subarray(0, -16),
      await writeSog(splats, { without: ["quats.webp"] }),
      await writeSog(splats, { side: 8 }),
    ])
      expect(await readRejection(bytes, "a.sog")).toBe("damaged");
  });

  it("are rejected if they would unpack to more than their splats need", async () => {
    // The file has 5.8 million pixels for a hundred splats.
    expect(await readRejection(await writeSog(splats.slice(0, 100), { side: 2400 }), "a.sog")).toBe(
      "damaged",
    );
    const archive = zipFile([
      { name: "means_l.webp", bytes: zeros(9), size: 2 ** 31 },
      { name: "meta.json", bytes: concatBytes("{}"), size: 2 ** 31 },
    ]);
    expect(await readRejection(archive, "a.sog")).toBe("damaged");
  });

  it("are rejected with their own reason if there are too many splats or if images are missing", async () => {
    const many = 20_000_000;
    for (const bytes of [
      spzFile(many, 3),
      writeSpz4(splats, { count: many }),
      plyFile(many, 3),
      await writeSog(splats, { count: many }),
    ])
      expect(await readRejection(bytes)).toBe("splats");
    const [meta] = /\{"version":2.*\}/s.exec(Buffer.from(await writeSog(splats)).toString("latin1")) ?? [];
    expect(await readRejection(concatBytes(meta ?? ""), "meta.json")).toBe("format.sogDescription");
    const levels = JSON.stringify({ lodLevels: 2, filenames: ["0_0/meta.json"] });
    expect(await readRejection(concatBytes(levels), "lod-meta.json")).toBe("format.sogDescription");
    expect(await readRejection(concatBytes(`{"means":1}`), "meta.json")).toBe("kind");
  });
});

describe("splats in a GLB file", () => {
  const splats = objectCapture().slice(0, 90);
  const glb = (change: (json: GlbSplatJson) => object) => writeGlbSplats(splats, { change });
  const withPrimitive = (json: GlbSplatJson, overrides: object) => ({
    ...json,
    meshes: json.meshes.map(({ primitives }) => ({
      primitives: primitives.map((primitive) => ({ ...primitive, ...overrides })),
    })),
  });
  const withAccessor = (json: GlbSplatJson, index: number, overrides: object) => ({
    ...json,
    accessors: json.accessors.map((accessor, i) => (i === index ? { ...accessor, ...overrides } : accessor)),
  });

  it("are accepted in each form, even if the beginning of the file does not show the form", async () => {
    const longExtras = { extras: { comment: " ".repeat(20_000) } };
    for (const bytes of [
      ...(["floats", "quantized", "draft"] as const).map((form) => writeGlbSplats(splats, { form })),
      writeGlbSplats(splats, { spz: writeSpz4(splats) }),
      writeGlbSplats(splats, { spz: new Uint8Array(writeSpz(splats)) }),
      glb(({ extensionsUsed, extensionsRequired, ...json }) => ({ ...longExtras, ...json })),
    ])
      expect(await inspect(bytes, "room.glb")).toMatchObject({
        file: { kind: "splat", mimeType: "application/x-gaussian-glb" },
      });
  });

  it("stay a model if the description only mentions splats", async () => {
    const bytes = glbFile({ ...triangle, extensionsUsed: ["KHR_gaussian_splatting"] }, zeros(36));
    expect(await inspect(bytes, "a.glb")).toMatchObject({ file: { kind: "model" } });
  });

  it.each<readonly [string, (json: GlbSplatJson) => object, string]>([
    [
      "a missing attribute",
      (json) => withPrimitive(json, { attributes: { POSITION: 0 } }),
      "splat_attributes",
    ],
    ["counts that differ", (json) => withAccessor(json, 2, { count: 89 }), "splat_attributes"],
    ["an accessor of a wrong type", (json) => withAccessor(json, 2, { type: "VEC2" }), "splat_attributes"],
    ["integers of four bytes", (json) => withAccessor(json, 0, { componentType: 5125 }), "splat_attributes"],
    ["a sparse accessor", (json) => withAccessor(json, 0, { sparse: { count: 1 } }), "splat_attributes"],
    [
      "more parts than are read",
      (json) => ({
        ...json,
        nodes: Array.from({ length: 257 }, () => ({ mesh: 0 })),
        scenes: [{ nodes: Array.from({ length: 257 }, (_, index) => index) }],
      }),
      "splat_parts",
    ],
    ["no splats", (json) => withAccessor(json, 0, { count: 0 }), "splat_attributes"],
    ["an offset beyond its view", (json) => withAccessor(json, 0, { byteOffset: 4 }), "damaged"],
    ["a negative offset", (json) => withAccessor(json, 0, { byteOffset: -4 }), "damaged"],
    ["a missing view", (json) => withAccessor(json, 0, { bufferView: 99 }), "damaged"],
    [
      "a view beyond the end of the file",
      (json) => ({
        ...json,
        bufferViews: json.bufferViews.map((view) => ({ ...view, byteOffset: 2 ** 40 })),
      }),
      "damaged",
    ],
    [
      "a node that is its own child",
      (json) => ({ ...json, nodes: [{ mesh: 0, children: [0] }] }),
      "model_loop",
    ],
    [
      "a node of two parents",
      (json) => ({ ...json, nodes: [{ children: [1, 2] }, { children: [2] }, { mesh: 0 }] }),
      "damaged",
    ],
    [
      "a matrix of texts",
      (json) => ({ ...json, nodes: [{ mesh: 0, matrix: Array(16).fill("x") }] }),
      "damaged",
    ],
    ["another required extension", (json) => ({ ...json, extensionsRequired: ["EXT_x"] }), "model_extension"],
    [
      "another compression",
      (json) =>
        withPrimitive(json, {
          extensions: {
            KHR_gaussian_splatting: { extensions: { KHR_gaussian_splatting_compression_x: {} } },
          },
        }),
      "model_extension",
    ],
    [
      "accessors that are not a list",
      (json) => ({ ...json, accessors: 7, nodes: [{ mesh: 0 }] }),
      "splat_attributes",
    ],
  ])("are rejected with %s", async (_what, change, reason) => {
    expect(await readRejection(glb(change), "a.glb")).toBe(reason);
  });

  it("are rejected without a finite position, with a truncated SPZ file or another count in it, with too many splats, and in a .gltf file", async () => {
    const invalidSplats = splats.map((splat) => ({ ...splat, position: [Number.NaN, 0, 0] as const }));
    expect(await readRejection(writeGlbSplats(invalidSplats), "a.glb")).toBe("damaged");
    const spz = rawSpz(splats);
    expect(await readRejection(writeGlbSplats(splats.slice(1), { spz }), "a.glb")).toBe("splat_attributes");
    expect(await readRejection(writeGlbSplats(splats, { spz: spz.subarray(0, -1) }), "a.glb")).toBe(
      "damaged",
    );
    const many = (json: GlbSplatJson) => ({
      ...json,
      accessors: json.accessors.map((accessor) => ({ ...accessor, count: 20_000_000 })),
    });
    expect(await readRejection(writeGlbSplats(splats, { spz, change: many }), "a.glb")).toBe("splats");
    const text = glb((json) => json);
    const length = new DataView(text.buffer, text.byteOffset).getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(text.subarray(20, 20 + length)));
    const inline = `data:application/octet-stream;base64,${Buffer.from(text.subarray(28 + length)).toString("base64")}`;
    json.buffers[0].uri = inline;
    expect(await readRejection(concatBytes(JSON.stringify(json)), "a.gltf")).toBe("model_splats");
  });
});

describe("the inspection of a file", () => {
  it("reads less than a megabyte of a damaged file of 300 MB, and rejects an image with too many segments", async () => {
    const size = 300 * 1024 * 1024;
    let read = 0;
    const head = pngFile(4, 3).subarray(0, 33);
    const file = createRanges(size, async (first, length) => {
      read += length;
      const part = zeros(length);
      if (first === 0) part.set(head);
      return part;
    });
    expect(await inspectFile(file, "a.png")).toEqual({ rejection: "damaged" });
    expect(read).toBeLessThan(1_000_000);
    const endless = concatBytes(
      [0xff, 0xd8],
      ...Array.from({ length: 400 }, () => concatBytes([0xff, 0xe2, 0, 2])),
    );
    expect(await readRejection(endless)).toBe("damaged");
  });
});

it("accepts only a small JPEG, WebP or PNG as a thumbnail", async () => {
  expect(await inspectThumbnail(pngFile(320, 200))).toEqual({ mimeType: "image/png" });
  expect(await inspectThumbnail(jpegFile(320, 200))).toEqual({ mimeType: "image/jpeg" });
  const webp = webpFile("VP8 ", concatBytes(zeros(6), u16le(40), u16le(30), zeros(6)));
  expect(await inspectThumbnail(webp)).toEqual({ mimeType: "image/webp" });
  for (const bytes of [
    pngFile(2049, 10),
    gifFile(10, 10),
    HOSTILE_SVG,
    HTML,
    zeros(0),
    pngFile(320, 200).subarray(0, 60),
  ])
    expect(await inspectThumbnail(bytes)).toBeNull();
});

it("reads bytes in memory from their beginning at a negative offset", async () => {
  expect(await rangesOver(zeros(3)).read(-1, 9)).toHaveLength(3);
});
