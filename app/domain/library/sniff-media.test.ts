import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inflateHead } from "./formats/inflate";
import { SNIFF_BYTES, sniffMedia } from "./sniff-media";

const bytes = (...parts: readonly (string | readonly number[] | Uint8Array)[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : [...part])),
  );
const u32 = (value: number) => [...new Uint8Array(Uint32Array.of(value).buffer)];
const floats = (...values: readonly number[]) => new Uint8Array(Float32Array.from(values).buffer);
const zeros = (length: number) => new Uint8Array(length);
const ftyp = (brand: string, ...otherBrands: readonly string[]) =>
  bytes([0, 0, 0, 16 + otherBrands.length * 4], "ftyp", brand, zeros(4), ...otherBrands, zeros(16));
const frames = (head: readonly number[], length: number) =>
  bytes(head, zeros(length - head.length), head, zeros(length - head.length));
const ebml = (docType: string, rest = "") =>
  bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x80 + docType.length], docType, rest);
const oggPage = (packet: string) => bytes("OggS\0\x02", zeros(22), packet);
const plyHead = (...names: readonly string[]) =>
  `ply\nformat binary_little_endian 1.0\nelement vertex 2\n${names.map((name) => `property float ${name}\n`).join("")}end_header\n`;
const SPLAT_NAMES = ["x", "y", "z", "f_dc_0", "opacity", "scale_0", "rot_0"];
const spz = (version = 2, points = 9) =>
  new Uint8Array(gzipSync(bytes("NGSP", u32(version), u32(points), [3, 12, 0, 0], zeros(400))));
const splatRecord = bytes(floats(1, 2, -3, 0.1, 0.1, 0.1), [200, 100, 50, 255], [255, 128, 128, 128]);
const invalidRecord = bytes(floats(Number.NaN, 2, Number.POSITIVE_INFINITY, 0.1, 0.1, 0.1), zeros(8));
const ksplat = bytes(
  [0, 1, 0, 0],
  ...[1, 1, 100, 100].map(u32),
  [0, 0, 0, 0],
  floats(0, 0, 0, -1.5, 1.5),
  zeros(5100),
);
const archive = (name: string) => bytes("PK\x03\x04", zeros(22), [name.length, 0, 0, 0], name, zeros(20));
const gltf = `{"scenes":[],"asset":{"generator":"x","version":"2.0"}}`;

const SUPPORTED: readonly (readonly [
  description: string,
  type: string,
  content: Uint8Array,
  fileName?: string,
])[] = [
  ["png", "image image/png", bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR")],
  ["jpeg", "image image/jpeg", bytes([0xff, 0xd8, 0xff, 0xe0])],
  ["gif", "image image/gif", bytes("GIF89a")],
  ["a gif that is a page as well", "image image/gif", bytes("GIF89a/*<html><script>*/"), "a.html"],
  ["webp", "image image/webp", bytes("RIFF", u32(40), "WEBPVP8X")],
  ["avif", "image image/avif", ftyp("avif", "mif1")],
  ["avif with the major brand of heif", "image image/avif", ftyp("mif1", "avif")],
  ["heic", "image image/heic", ftyp("heic", "mif1")],
  ["heif", "image image/heif", ftyp("mif1", "unif")],
  ["bmp", "image image/bmp", bytes("BM", u32(70), u32(0), u32(54), u32(40))],
  ["tiff", "image image/tiff", bytes("II*\0", zeros(8))],
  ["big-endian tiff", "image image/tiff", bytes("MM\0*", zeros(8))],
  ["bigtiff", "image image/tiff", bytes("II+\0\x08\0", zeros(10))],
  ["big-endian bigtiff", "image image/tiff", bytes("MM\0+\0\x08", zeros(10))],
  ["svg", "image image/svg+xml", bytes(`<svg xmlns="http://www.w3.org/2000/svg"/>`)],
  [
    "svg after everything that may precede it",
    "image image/svg+xml",
    bytes(
      `\xef\xbb\xbf<?xml version="1.0"?>\n<!-- a - b -->\n<!DOCTYPE svg PUBLIC "x" "y" [<!ENTITY a "b">]>\n<svg:svg/>`,
    ),
  ],
  ["svg with a script", "image image/svg+xml", bytes("<svg><script>alert(1)</script></svg>")],
  ["mp4", "video video/mp4", ftyp("isom", "avc1")],
  ["mp4 of a phone", "video video/mp4", ftyp("3gp5", "isom")],
  ["mov", "video video/quicktime", ftyp("qt  ")],
  ["an old mov", "video video/quicktime", bytes([0, 0, 0, 8], "wide", [0, 0, 1, 0x34], "mdat", zeros(300))],
  ["webm", "video video/webm", ebml("webm", "V_VP9 A_OPUS")],
  [
    "webm whose lengths take eight bytes",
    "video video/webm",
    bytes([0x1a, 0x45, 0xdf, 0xa3, 0x9f], [0x42, 0x82, 1, 0, 0, 0, 0, 0, 0, 4], "webm", "V_VP8"),
  ],
  ["webm whose document type is padded with zeros", "video video/webm", ebml("webm\0\0\0\0", "V_VP9")],
  [
    "webm whose document type follows an empty element",
    "video video/webm",
    bytes([0x1a, 0x45, 0xdf, 0xa3, 0xa6], [0xec, 0x9b], zeros(27), [0x42, 0x82, 0x84], "webm", "V_VP8"),
  ],
  ["weba", "audio audio/webm", ebml("webm", "A_OPUS")],
  ["weba that only its file name shows", "audio audio/webm", ebml("webm"), "a.weba"],
  ["a video with the name of an audio file", "video video/webm", ebml("webm", "V_VP9"), "a.weba"],
  ["ogg video", "video video/ogg", bytes(oggPage("\x80theora"), oggPage("\x01vorbis"))],
  ["ogg video in VP8", "video video/ogg", bytes(oggPage("OVP80\x01"), oggPage("OpusHead"))],
  [
    "ogg video with a skeleton",
    "video video/ogg",
    bytes(oggPage("fishead\0"), oggPage("\x01vorbis"), oggPage("\x80theora")),
  ],
  ["ogg audio", "audio audio/ogg", oggPage("\x01vorbis")],
  ["opus", "audio audio/ogg", oggPage("OpusHead")],
  ["mp3", "audio audio/mpeg", frames([0xff, 0xfb, 0x90, 0], 417)],
  ["mp3 with tags", "audio audio/mpeg", bytes("ID3\x04", zeros(10))],
  ["aac", "audio audio/aac", frames([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc], 16)],
  ["m4a", "audio audio/mp4", ftyp("M4A ", "isom")],
  ["m4a by its name", "audio audio/mp4", ftyp("mp42", "isom"), "a.M4A"],
  ["wav", "audio audio/wav", bytes("RIFF", u32(40), "WAVEfmt ")],
  ["flac", "audio audio/flac", bytes("fLaC")],
  ["pdf", "pdf application/pdf", bytes("%PDF-1.7\n")],
  ["glb", "model model/gltf-binary", bytes("glTF", u32(2), u32(100))],
  ["gltf", "model model/gltf+json", bytes(gltf)],
  ["gltf that only its file name shows", "model model/gltf+json", bytes(`{"accessors":[{`), "a.gltf"],
  ["ply", "splat application/x-gaussian-ply", bytes(plyHead(...SPLAT_NAMES))],
  [
    "packed ply",
    "splat application/x-gaussian-ply",
    bytes(
      plyHead("packed_position", "packed_rotation", "packed_scale", "packed_color").replace(/\n/g, "\r\n"),
    ),
  ],
  ["spz", "splat application/x-gaussian-spz", spz()],
  ["spz of version 3", "splat application/x-gaussian-spz", spz(3)],
  ["uncompressed spz", "splat application/x-gaussian-spz", bytes("NGSP", u32(2), u32(9), [0, 12, 0, 0])],
  [
    "spz of version 4",
    "splat application/x-gaussian-spz",
    bytes("NGSP", u32(4), u32(9), [0, 12, 0, 5], u32(32), zeros(12)),
  ],
  ["sog", "splat application/x-gaussian-sog", archive("means_l.webp"), "a.zip"],
  ["sog in a folder", "splat application/x-gaussian-sog", archive("scan/shN_labels.webp"), "a.zip"],
  ["sog that begins with its description", "splat application/x-gaussian-sog", archive("meta.json"), "a.sog"],
  ["splat", "splat application/x-gaussian-splat", bytes(splatRecord, splatRecord), "a.splat"],
  [
    "splat whose first position is invalid",
    "splat application/x-gaussian-splat",
    bytes(invalidRecord, splatRecord),
    "a.splat",
  ],
  [
    "splat with many invalid positions",
    "splat application/x-gaussian-splat",
    bytes(...Array.from({ length: 600 }, () => invalidRecord), splatRecord),
    "a.splat",
  ],
  ["ksplat", "splat application/x-gaussian-ksplat", ksplat, "a.ksplat"],
  ["matroska that is no webm", "video video/x-matroska", ebml("matroska", "V_VP9"), "a.webm"],
  [
    "a transport stream",
    "video video/mp2t",
    bytes(...Array.from({ length: 4 }, () => bytes([0x47], zeros(187)))),
    "a.mp4",
  ],
  [
    "a transport stream of a camera",
    "video video/mp2t",
    bytes(...Array.from({ length: 4 }, () => bytes(zeros(4), [0x47], zeros(187)))),
  ],
  ["vtt", "subtitle text/vtt", bytes("\xef\xbb\xbfWEBVTT\n\n")],
  ["an empty vtt", "subtitle text/vtt", bytes("WEBVTT")],
  ["srt", "subtitle application/x-subrip", bytes("\r\n1\r\n00:00:01,000 --> 00:00:02,000\r\nx")],
];

const UNSUPPORTED: readonly (readonly [description: string, content: Uint8Array, fileName?: string])[] = [
  ["an empty file", bytes()],
  ["a page", bytes("<!DOCTYPE html><html><svg/></html>"), "a.png"],
  ["a page after a comment", bytes("<!-- --><html>"), "a.svg"],
  ["a page that calls itself svg in its doctype", bytes("<!DOCTYPE html><svg/>"), "a.svg"],
  ["a script", bytes("alert(1)"), "a.pdf"],
  ["a container that only begins like webm", ebml("webmaster", "V_VP9")],
  ["a program", bytes("MZ", zeros(64)), "a.jpg"],
  ["a program for Linux", bytes("\x7fELF", zeros(64)), "a.splat"],
  ["an archive", bytes("PK\x03\x04", zeros(64)), "a.glb"],
  ["a pdf after another byte", bytes("\n%PDF-1.7"), "a.pdf"],
  ["an archive with a pdf in it", bytes("PK\x03\x04%PDF-1.7"), "a.pdf"],
  ["an unsupported video", bytes("RIFF", u32(40), "AVI LIST"), "a.mp4"],
  ["an unsupported container", ftyp("crx "), "a.heic"],
  ["a text that begins like a bitmap", bytes("BMW is a maker of cars, and not a picture."), "a.bmp"],
  ["a single audio frame", bytes([0xff, 0xfb, 0x90, 0], zeros(600)), "a.mp3"],
  ["glTF 1", bytes("glTF", u32(1), u32(100)), "a.glb"],
  ["json", bytes(`{"name":"x"}`), "a.gltf"],
  ["a header that does not end", bytes("ply\n", "property float x\n"), "a.ply"],
  ["gzip of a text", new Uint8Array(gzipSync("hello, world, hello")), "a.spz"],
  ["an spz of a later version", spz(99), "a.spz"],
  ["an spz of version 4 as if it were packed by gzip", spz(4), "a.spz"],
  ["an archive without splats", archive("meta.json"), "a"],
  ["an archive that is called sog", archive("word/document.xml"), "a.sog"],
  ["an spz without points", spz(2, 0), "a.spz"],
  ["splat with another name", bytes(splatRecord), "a.bin"],
  ["a text that is named splat", bytes("The quick brown fox jumps over the lazy dog."), "a.splat"],
  ["zeros that are named splat", zeros(320), "a.splat"],
  ["splats with invalid positions only", bytes(invalidRecord, invalidRecord), "a.splat"],
  ["ksplat with another name", ksplat, "a.bin"],
  ["zeros that are named ksplat", zeros(5000), "a.ksplat"],
  ["text", bytes("hello"), "a.vtt"],
  ["a text that begins like WebVTT", bytes("WEBVTTX"), "a.vtt"],
  ["a list of numbers", bytes("1\n2\n3"), "a.srt"],
];

describe("the kind of a file", () => {
  it.each(SUPPORTED)("is detected: %s", async (_description, type, content, fileName = "download.bin") => {
    const sniffed = await sniffMedia(content as Uint8Array, fileName as string);
    expect(sniffed && `${sniffed.kind} ${sniffed.mimeType}`).toBe(type);
  });

  it.each(UNSUPPORTED)("is unsupported: %s", async (_description, content, fileName = "a") => {
    expect(await sniffMedia(content as Uint8Array, fileName as string)).toBeNull();
  });

  it("never follows a file name that contradicts the bytes", async () => {
    for (const [, type, content, fixedName] of SUPPORTED)
      if (fixedName === undefined && !/webm|mp4/.test(type))
        for (const name of ["a.splat", "a.ksplat", "a.gltf", "a.m4a", "a.html", "a"]) {
          const sniffed = await sniffMedia(content, name);
          expect(sniffed && `${sniffed.kind} ${sniffed.mimeType}`).toBe(type);
        }
  });

  it("is splats only if their points fill the file", async () => {
    const content = bytes(splatRecord, splatRecord);
    expect((await sniffMedia(content, "a.splat", 64))?.kind).toBe("splat");
    expect(await sniffMedia(content, "a.splat", 65)).toBeNull();
    expect(await sniffMedia(ksplat, "a.ksplat", 5000)).toBeNull();
  });

  it("is decided without an exception for damaged bytes, and from the head alone", async () => {
    const signature = fc.constantFrom(
      ...[...SUPPORTED, ...UNSUPPORTED].map(([, a, b]) => (typeof a === "string" ? (b as Uint8Array) : a)),
    );
    const name = fc.constantFrom("a.splat", "a.ksplat", "a.gltf", "a");
    await fc.assert(
      fc.asyncProperty(
        signature,
        fc.nat(60),
        fc.uint8Array({ maxLength: 400 }),
        name,
        async (head, cut, tail, fileName) => {
          const content = bytes((head as Uint8Array).subarray(0, cut), tail);
          await sniffMedia(content, fileName);
        },
      ),
      { numRuns: 500 },
    );
    const longHead = bytes("ply\n", zeros(SNIFF_BYTES), plyHead(...SPLAT_NAMES).slice(4));
    expect(await sniffMedia(longHead, "a.ply")).toBeNull();
  });
});

describe("the head of a gzip file", () => {
  it("is decompressed for any compression", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 3000 }),
          fc.array(fc.constantFrom(1, 2, 3), { maxLength: 3000 }).map((list) => Uint8Array.from(list)),
        ),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        async (content, level, isFixedHuffman) => {
          const packed = gzipSync(content, { level, strategy: isFixedHuffman ? 4 : 0 });
          const unpacked = await inflateHead(new Uint8Array(packed), 500, "gzip");
          expect([...unpacked]).toEqual([...content.subarray(0, 500)]);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("is read after an extra field, a name and a comment", async () => {
    const body = deflateRawSync(Buffer.from("hello"));
    const head = bytes([0x1f, 0x8b, 8, 0x1c, 0, 0, 0, 0, 0, 0], [2, 0, 7, 7], "name\0", "comment\0", body);
    expect(Buffer.from(await inflateHead(head, 5, "gzip")).toString()).toBe("hello");
  });

  it("is short for incomplete data and empty for data that is not gzip, without waiting forever", async () => {
    const gzipFile = new Uint8Array(gzipSync(zeros(100_000)));
    expect(await inflateHead(gzipFile, 10, "gzip")).toHaveLength(10);
    expect((await inflateHead(gzipFile.subarray(0, 12), 10, "gzip")).length).toBeLessThan(10);
    expect(await inflateHead(bytes("hello"), 10, "gzip")).toHaveLength(0);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (tail) => {
        const head = bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0], tail);
        expect((await inflateHead(head, 16, "gzip")).length).toBeLessThanOrEqual(16);
      }),
      { numRuns: 500 },
    );
  });
});
