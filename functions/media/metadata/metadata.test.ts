import { crc32 as referenceCrc } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import {
  concatBytes,
  gifFile,
  isoBox,
  jpegFile,
  pngFile,
  u16,
  u32,
  u32le,
  webpFile,
  zeros,
} from "../../../tests/support/files/media-files";
import { OverwritePlan } from "../overwrites";
import { createRanges, wholeFileBudget } from "../range-reader";
import { findMetadata } from ".";
import { tiffOrientation } from "./exif";

type Part = string | readonly number[] | Uint8Array;

const EXIF = {
  IFD0: { Make: "SECRETMAKE", Model: "SECRETMODEL", Software: "SECRETSOFT", Artist: "SECRETARTIST" },
  IFD2: { DateTimeOriginal: "2026:01:02 03:04:05", BodySerialNumber: "SECRETSERIAL" },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "35/1 41/1 2222/100", GPSMapDatum: "SECRETDATUM" },
};
const GPANO =
  'xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" GPano:ProjectionType="equirectangular" GPano:FullPanoWidthPixels="64"';
const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="SECRETCREATOR" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6" ${GPANO}><GPano:PoseHeadingDegrees>12.5</GPano:PoseHeadingDegrees></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** Returns a file as visitors receive it. It is overwritten in chunks of 997 bytes. */
async function deliver(bytes: Uint8Array, budget = wholeFileBudget(bytes.length)): Promise<Uint8Array> {
  const list = await findMetadata(
    createRanges(bytes.length, async (first, length) => bytes.slice(first, first + length), budget),
  );
  const apply = new OverwritePlan(list).overwriter(0);
  const chunks: Uint8Array[] = [];
  for (let offset = 0; offset < bytes.length; offset += 997)
    chunks.push(apply(bytes.subarray(offset, offset + 997)));
  return new Uint8Array(Buffer.concat(chunks));
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const SECRETS = /SECRET|2026:01:02|N\0\0\0\0\x05/;

const image = () =>
  sharp(Buffer.from(Uint8Array.from({ length: 64 * 32 * 3 }, (_, i) => (i * 37) % 251)), {
    raw: { width: 64, height: 32, channels: 3 },
  });
const pixels = async (bytes: Uint8Array) => (await sharp(bytes).raw().toBuffer()).toString("base64");

const withEverything = () => image().withMetadata({ orientation: 6, icc: "p3" }).withExifMerge(EXIF);

/** Inserts segments after the start marker of a JPEG. */
const withSegments = (jpeg: Uint8Array, ...segments: readonly (readonly [number, Uint8Array])[]) =>
  concatBytes(
    jpeg.subarray(0, 2),
    ...segments.map(([code, data]) => concatBytes([0xff, code], u16(data.length + 2), data)),
    jpeg.subarray(2),
  );

const pngChunk = (type: string, data: Uint8Array) =>
  concatBytes(u32(data.length), type, data, u32(referenceCrc(concatBytes(type, data))));
const withChunks = (png: Uint8Array, ...chunks: readonly Uint8Array[]) =>
  concatBytes(png.subarray(0, 33), ...chunks, png.subarray(33));

function checkPng(bytes: Uint8Array): readonly string[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const types: string[] = [];
  for (let offset = 8; offset < bytes.length && types.at(-1) !== "IEND"; ) {
    const length = view.getUint32(offset);
    const type = text(bytes.subarray(offset + 4, offset + 8));
    types.push(type);
    expect(view.getUint32(offset + 8 + length), type).toBe(
      referenceCrc(bytes.subarray(offset + 4, offset + 8 + length)),
    );
    offset += 12 + length;
  }
  return types;
}

describe("an image that visitors receive", () => {
  it.each([
    ["jpeg", () => withEverything().jpeg().toBuffer()],
    ["png", () => withEverything().png().toBuffer()],
    ["webp", () => withEverything().webp().toBuffer()],
    ["avif", () => withEverything().avif().toBuffer()],
  ])("has no Exif data except the orientation, and keeps colours and pixels: %s", async (_format, make) => {
    const original = new Uint8Array(await make());
    expect(text(original)).toMatch(/SECRETSERIAL/);
    const deliveredFile = await deliver(original);
    expect(deliveredFile).toHaveLength(original.length);
    expect(text(deliveredFile)).not.toMatch(SECRETS);
    const [before, after] = [await sharp(original).metadata(), await sharp(deliveredFile).metadata()];
    expect(after.orientation).toBe(before.orientation);
    // Sharp reads no orientation from AVIF and returns the Exif structure instead.
    const exif = after.exif ?? Buffer.alloc(0);
    expect(tiffOrientation(exif.subarray(exif.indexOf("II*")))).toBe(6);
    expect(before.icc).toBeDefined();
    expect(after.icc).toEqual(before.icc);
    expect(await pixels(deliveredFile)).toBe(await pixels(original));
  });

  it("keeps only the panorama's data and the orientation of XMP", async () => {
    const jpeg = withSegments(new Uint8Array(await image().jpeg().toBuffer()), [
      0xe1,
      concatBytes("http://ns.adobe.com/xap/1.0/\0", XMP),
    ]);
    const png = withChunks(
      new Uint8Array(await image().png().toBuffer()),
      pngChunk("iTXt", concatBytes("XML:com.adobe.xmp\0\0\0\0\0", XMP)),
    );
    const webp = new Uint8Array(await image().webp().withXmp(XMP).toBuffer());
    const avif = new Uint8Array(await image().avif().withXmp(XMP).toBuffer());
    for (const original of [jpeg, png, webp, avif]) {
      const deliveredFile = await deliver(original);
      const { xmp } = await sharp(deliveredFile).metadata();
      const packet = xmp?.toString() ?? "";
      expect(packet).toContain('GPano:ProjectionType="equirectangular"');
      expect(packet).toContain('GPano:FullPanoWidthPixels="64"');
      expect(packet).toContain('GPano:PoseHeadingDegrees="12.5"');
      expect(packet).toContain('tiff:Orientation="6"');
      expect(packet).toMatch(/<\/x:xmpmeta>\s*$/);
      expect(text(deliveredFile)).not.toMatch(SECRETS);
      expect(await pixels(deliveredFile)).toBe(await pixels(original));
    }
    checkPng(await deliver(png));
  });

  it("loses an XMP packet without a panorama", async () => {
    const packet = XMP.replace(GPANO, "").replace(/<GPano.*GPano:\w+>/, "");
    const deliveredFile = await deliver(new Uint8Array(await image().webp().withXmp(packet).toBuffer()));
    expect(text(deliveredFile)).not.toMatch(/SECRET|xmpmeta/);
  });

  it("loses the other segments of a JPEG, and the data after its end", async () => {
    const plain = new Uint8Array(await image().jpeg({ progressive: true }).withIccProfile("p3").toBuffer());
    const original = concatBytes(
      withSegments(
        plain,
        [0xe0, concatBytes("JFXX\0\x10", "SECRETTHUMB")],
        [0xe1, concatBytes("http://ns.adobe.com/xmp/extension/\0", "SECRETEXTENDED")],
        [0xe2, concatBytes("MPF\0", "SECRETMPF")],
        [0xeb, concatBytes("SECRETJUMBF")],
        [0xed, concatBytes("Photoshop 3.0\0", "8BIM\x04\x04SECRETIPTC")],
        [0xfe, concatBytes("SECRETCOMMENT")],
        [0xe1, concatBytes("Exif\0\0", "SECRETNOTIFF")],
        [0xe1, concatBytes("http://ns.adobe.com/xap/1.0/\0", "SECRETNOXML")],
      ),
      withSegments(plain, [0xe1, concatBytes("Exif\0\0", "SECRETPREVIEW")]),
      "ftypSECRETFILM",
    );
    const deliveredFile = await deliver(original);
    expect(text(deliveredFile)).not.toMatch(/SECRET/);
    expect((await sharp(deliveredFile).metadata()).icc).toBeDefined();
    expect(await pixels(deliveredFile)).toBe(await pixels(plain));
  });

  it("loses the metadata chunks of a PNG, with valid checksums, and the data after its end", async () => {
    const plain = new Uint8Array(await image().png().toBuffer());
    const original = concatBytes(
      withChunks(
        plain,
        pngChunk("tEXt", concatBytes("Author\0SECRET")),
        pngChunk("zTXt", concatBytes("Raw profile type exif\0\0SECRET")),
        pngChunk("tIME", concatBytes([7, 0xea, 1, 2, 3, 4, 5])),
        pngChunk("eXIf", concatBytes("SECRET no TIFF at all")),
        pngChunk("iTXt", concatBytes("XML:com.adobe.xmp\0\0\0\0\0SECRET")),
        pngChunk("caBX", concatBytes("SECRET")),
      ),
      "SECRET behind its end",
    );
    const deliveredFile = await deliver(original);
    expect(text(deliveredFile)).not.toMatch(/SECRET/);
    expect(checkPng(deliveredFile).filter((type) => type === "blNK")).toHaveLength(5);
    expect(await pixels(deliveredFile)).toBe(await pixels(plain));
  });

  it("loses comments and foreign data of a GIF", async () => {
    const plain = new Uint8Array(await image().gif().toBuffer());
    const start = 13 + ((plain[10] ?? 0) & 0x80 ? 3 * 2 ** (((plain[10] ?? 0) & 7) + 1) : 0);
    const trailer = Uint8Array.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]);
    const comment = "SECRET".repeat(40);
    const original = concatBytes(
      plain.subarray(0, start),
      [0x21, 0xfe, comment.length],
      comment,
      [17],
      "SECRET and more..",
      [0],
      [0x21, 0xff, 11],
      "XMP DataXMP",
      XMP,
      trailer,
      plain.subarray(start),
      "SECRET",
    );
    const deliveredFile = await deliver(original);
    expect(text(deliveredFile)).not.toMatch(/SECRET|rdf|purl/);
    expect(await pixels(deliveredFile)).toBe(await pixels(plain));
  });

  it("keeps the animation of a GIF", async () => {
    const moving = new Uint8Array(
      await sharp(Buffer.alloc(8 * 16 * 3, 90), { raw: { width: 8, height: 16, channels: 3, pageHeight: 8 } })
        .gif({ loop: 3, delay: [100, 200] })
        .toBuffer(),
    );
    const after = await sharp(await deliver(moving), { animated: true }).metadata();
    expect([after.loop, after.delay]).toEqual([
      3,
      (await sharp(moving, { animated: true }).metadata()).delay,
    ]);
  });
});

const infe = (id: number, type: string, ...rest: readonly Part[]) =>
  isoBox("infe", [2, 0, 0, 0], u16(id), u16(0), type, ...rest);
const exifTiff = concatBytes(
  "MM\0*",
  u32(8),
  u16(2),
  ...[u16(271), u16(2), u32(10), u32(38)],
  ...[u16(274), u16(3), u32(1), u16(6), u16(0)],
  u32(0),
  "SECRETMAKE",
);

describe("a TIFF image", () => {
  it("loses the tags that its pixels do not need, and the directories of the camera and the position", async () => {
    const entry = (tag: number, type: number, count: number, value: Uint8Array) =>
      concatBytes(u16(tag), u16(type), u32(count), value, zeros(4 - value.length));
    const directory = (...entries: readonly Uint8Array[]) =>
      concatBytes(u16(entries.length), ...entries, u32(0));
    const [pixel, make, camera, place, serial] = [8, 12, 200, 230, 260];
    const original = new Uint8Array(500);
    const write = (offset: number, bytes: Uint8Array) => original.set(bytes, offset);
    write(0, concatBytes("MM\0*", u32(40)));
    write(pixel, concatBytes([90]));
    write(make, concatBytes("SECRETMAKE\0"));
    write(
      40,
      directory(
        ...[256, 257].map((tag) => entry(tag, 3, 1, u16(1))),
        entry(258, 3, 1, u16(8)),
        entry(259, 3, 1, u16(1)),
        entry(262, 3, 1, u16(1)),
        entry(271, 2, 11, u32(make)),
        entry(273, 4, 1, u32(pixel)),
        entry(274, 3, 1, u16(6)),
        entry(277, 3, 1, u16(1)),
        entry(279, 4, 1, u32(1)),
        entry(34665, 4, 1, u32(camera)),
        entry(34853, 4, 1, u32(place)),
      ),
    );
    write(camera, directory(entry(42033, 2, 13, u32(serial))));
    write(place, directory(entry(1, 2, 2, concatBytes("QQ"))));
    write(serial, concatBytes("SECRETSERIAL"));
    const deliveredFile = await deliver(original);
    expect(text(deliveredFile)).not.toMatch(/SECRET|QQ/);
    expect(await pixels(deliveredFile)).toBe(await pixels(original));
    expect((await sharp(deliveredFile).metadata()).orientation).toBe(6);
  });
});

describe("a TIFF image with several directories", () => {
  it("loses the metadata of each sub-image", async () => {
    const directory = (tag: number, type: number, count: number, value: number) =>
      concatBytes(u16(1), u16(tag), u16(type), u32(count), u32(value), u32(0));
    const make = (first: number) =>
      concatBytes(
        ...["MM\0*", u32(8)],
        directory(330, 4, 2, 26),
        ...[u32(34), u32(52)],
        directory(271, 2, 11, first),
        directory(271, 2, 11, first + 12),
      );
    const original = concatBytes(make(make(0).length), "SECRETMAKE1\0SECRETMAKE2\0");
    expect(text(await deliver(original))).not.toMatch(/SECRET/);
  });

  it("loses the metadata of a page after the hundredth", async () => {
    const pages = Array.from({ length: 300 }, (_, page) =>
      concatBytes(
        u16(1),
        ...[u16(271), u16(2), u32(11), u32(8 + 300 * 18)],
        u32(page === 299 ? 0 : 8 + (page + 1) * 18),
      ),
    );
    // Only the last page refers to the text.
    for (const page of pages.slice(0, -1)) page.set(u32(0), 10);
    const deliveredFile = await deliver(concatBytes("MM\0*", u32(8), ...pages, "SECRETMAKE\0"));
    expect(text(deliveredFile)).not.toMatch(/SECRET/);
  });

  it("of 64-bit offsets (BigTIFF) loses its metadata too", async () => {
    const u64 = (value: number) => concatBytes(u32(0), u32(value));
    const original = concatBytes(
      ...["MM\0+", u16(8), u16(0), u64(16)],
      u64(3),
      ...[u16(270), u16(2), u64(8), "SECRET1\0"],
      ...[u16(271), u16(2), u64(11), u64(92)],
      ...[u16(34853), u16(18), u64(1), u64(112)],
      u64(0),
      ...["SECRETMAKE\0", zeros(9)],
      ...[u64(1), u16(1), u16(2), u64(7), "SECRET\0\0"],
    );
    expect(text(original.subarray(92, 98))).toBe("SECRET");
    expect(text(await deliver(original))).not.toMatch(/SECRET/);
  });
});

describe("a crafted image or video that exceeds a limit", () => {
  const head = (brand: string) => isoBox("ftyp", brand, u32(0), brand);
  const emptyBoxes = (count: number) => concatBytes(...new Array<Uint8Array>(count).fill(isoBox("free")));
  const exifItem = isoBox("iinf", u32(0), u16(1), infe(1, "Exif", [0]));
  const exifLocation = [u16(1), u16(0), u16(1), u32(16), u32(6)] as const;

  it.each<readonly [string, () => Uint8Array]>([
    [
      "a GIF with a comment after two million blocks",
      () =>
        concatBytes(
          gifFile(4, 3, "").subarray(0, 13),
          [0x2c, ...zeros(9), 2],
          new Uint8Array(4_000_000).fill(1),
          [0, 0x21, 0xfe, 6],
          "SECRET\0;",
        ),
    ],
    [
      "a WebP with metadata after 100,000 chunks of a frame",
      () => {
        const chunks = new Array<Uint8Array>(100_000).fill(concatBytes("VP8L", u32le(0)));
        const frame = concatBytes(zeros(16), ...chunks, "EXIF", u32le(6), "SECRET");
        const animation = concatBytes("ANMF", u32le(frame.length), frame);
        return concatBytes(webpFile("VP8X", zeros(10), animation.length), animation);
      },
    ],
    [
      "a HEIF whose table of locations is larger than 8 MiB",
      () =>
        concatBytes(
          head("heic"),
          isoBox("mdat", "SECRET"),
          isoBox(
            "meta",
            u32(0),
            exifItem,
            isoBox("iloc", [0, 0, 0, 0, 0x44, 0], u16(1), ...exifLocation, zeros(9e6)),
          ),
        ),
    ],
    [
      "a HEIF with a location after 20,000 others",
      () =>
        concatBytes(
          head("heic"),
          isoBox("mdat", "SECRET"),
          isoBox(
            "meta",
            u32(0),
            exifItem,
            isoBox(
              "iloc",
              [0, 0, 0, 0, 0x44, 0],
              u16(20_001),
              ...new Array<Uint8Array>(20_000).fill(concatBytes(u16(2), zeros(4))),
              ...exifLocation,
            ),
          ),
        ),
    ],
    [
      "a HEIF with metadata after 20,000 boxes",
      () => concatBytes(head("heic"), emptyBoxes(20_000), isoBox("uuid", zeros(16), "SECRET")),
    ],
    [
      "a HEIF whose Exif item is a part of another item",
      () =>
        concatBytes(
          head("heic"),
          isoBox("mdat", "SECRET"),
          isoBox(
            "meta",
            u32(0),
            exifItem,
            isoBox("iloc", [1, 0, 0, 0, 0x44, 0], u16(1), ...[u16(1), u16(2), ...exifLocation.slice(1)]),
          ),
        ),
    ],
    [
      "a video with a position after 20,000 boxes of its movie",
      () =>
        concatBytes(
          head("isom"),
          isoBox("moov", emptyBoxes(20_000), isoBox("udta", isoBox("loci", "SECRET"))),
          isoBox("mdat", "PIXELS"),
        ),
    ],
    [
      "a video whose movie follows 20,000 boxes",
      () =>
        concatBytes(
          head("isom"),
          emptyBoxes(20_000),
          isoBox("moov", isoBox("udta", isoBox("loci", "SECRET"))),
        ),
    ],
    [
      "a video with positions in more than 30,000 parts",
      () => {
        const samples = (first: number) =>
          isoBox(
            "stbl",
            fullBox("stsc", u32(1), u32(1), u32(1), u32(1)),
            fullBox("stsz", u32(1), u32(40_000)),
            fullBox("stco", u32(40_000), ...Array.from({ length: 40_000 }, (_, i) => u32(first + 2 * i))),
          );
        const make = (first: number) =>
          concatBytes(
            head("isom"),
            isoBox(
              "moov",
              isoBox(
                "trak",
                isoBox("mdia", fullBox("hdlr", "mhlr", "gpmd", zeros(12)), isoBox("minf", samples(first))),
              ),
            ),
          );
        return concatBytes(make(make(0).length + 8), isoBox("mdat", ...new Array<string>(40_000).fill("S_")));
      },
    ],
  ])("loses its metadata: %s", async (_name, make) => {
    expect(text(await deliver(make()))).not.toMatch(/SECRET|S_$/);
  });
});

describe("a HEIF image", () => {
  it("loses items in several extents, and in the item data box", async () => {
    const exif = concatBytes(u32(6), "Exif\0\0", exifTiff);
    const head = isoBox("ftyp", "heic", u32(0), "mif1");
    const make = (first: number) =>
      concatBytes(
        head,
        isoBox(
          "meta",
          u32(0),
          isoBox(
            "iinf",
            u32(0),
            u16(3),
            infe(1, "Exif", [0]),
            infe(2, "mime", [0], "application/rdf+xml\0\0"),
            infe(3, "mime", [0], "text/plain\0\0"),
          ),
          isoBox(
            "iloc",
            [1, 0, 0, 0, 0x44, 0x00],
            u16(3),
            // Item 1 has two extents in the file.
            ...[u16(1), u16(0), u16(0), u16(2), u32(first), u32(20), u32(first + 30), u32(exif.length - 20)],
            // Items 2 and 3 are in the item data box.
            ...[u16(2), u16(1), u16(0), u16(1), u32(0), u32(XMP.length)],
            ...[u16(3), u16(1), u16(0), u16(1), u32(XMP.length), u32(6)],
          ),
          isoBox("idat", XMP, "SECRET"),
        ),
        isoBox("mdat", exif.subarray(0, 20), "0123456789", exif.subarray(20), "PIXELS"),
        isoBox("uuid", zeros(16), "SECRET"),
      );
    const first = make(0).length - isoBox("uuid", zeros(16), "SECRET").length - exif.length - 16;
    const original = make(first);
    expect(text(original.subarray(first, first + 20))).toBe(text(exif.subarray(0, 20)));
    const deliveredFile = await deliver(original);
    expect(deliveredFile).toHaveLength(original.length);
    expect(text(deliveredFile)).not.toMatch(/SECRET/);
    expect(text(deliveredFile)).toContain("0123456789");
    expect(text(deliveredFile)).toContain("PIXELS");
    expect(text(deliveredFile)).toContain('GPano:ProjectionType="equirectangular"');
    const remainingBytes = concatBytes(
      deliveredFile.subarray(first, first + 20),
      deliveredFile.subarray(first + 30),
    );
    expect(text(remainingBytes.subarray(4, 14))).toBe("Exif\0\0MM\0*");
    expect(new DataView(remainingBytes.buffer, remainingBytes.byteOffset).getUint16(10 + 18)).toBe(6);
  });
});

describe("a crafted HEIF image", () => {
  it("with hundreds of millions of empty extents is blanked completely", async () => {
    const count = 4000;
    const items = Array.from({ length: count }, (_, id) => concatBytes(u16(id), u16(0), u16(65_535)));
    const original = concatBytes(
      isoBox("ftyp", "heic", u32(0), "mif1"),
      isoBox(
        "meta",
        u32(0),
        isoBox("iinf", u32(0), u16(1), infe(1, "Exif", [0])),
        isoBox("iloc", [0, 0, 0, 0, 0, 0], u16(count), ...items),
      ),
      isoBox("mdat", "SECRET"),
    );
    expect((await deliver(original)).every((byte) => byte === 0)).toBe(true);
  });
});

const fullBox = (type: string, ...content: readonly Part[]) => isoBox(type, u32(0), ...content);

function createVideoFile(handler: string, name: string): Uint8Array {
  const make = (first: number) => {
    const samples = isoBox(
      "stbl",
      fullBox("stsc", u32(1), u32(1), u32(2), u32(1)),
      fullBox("stsz", u32(0), u32(3), u32(6), u32(6), u32(7)),
      fullBox("stco", u32(2), u32(first), u32(first + 20)),
    );
    return concatBytes(
      isoBox("ftyp", "qt  ", u32(0), "qt  "),
      isoBox(
        "moov",
        isoBox("mvhd", zeros(4), "DATEDATE", u32(600), u32(600), zeros(80)),
        isoBox(
          "trak",
          isoBox("tkhd", zeros(4), "DATEDATE", zeros(72)),
          isoBox("udta", isoBox("name", "SECRETTRACK")),
          isoBox(
            "mdia",
            isoBox("mdhd", zeros(4), "DATEDATE", zeros(12)),
            fullBox("hdlr", "mhlr", handler, zeros(12), name, [0]),
            isoBox("minf", samples),
          ),
          isoBox(
            "uuid",
            [0xff, 0xcc, 0x82, 0x63, 0xf8, 0x55, 0x4a, 0x93, 0x88, 0x14, 0x58, 0x7a, 0x02, 0x52, 0x1f, 0xdd],
            "SPHERICAL",
          ),
        ),
        isoBox(
          "udta",
          isoBox("\xa9xyz", u16(18), u16(0x15c7), "SECRET+35.68+139.7/"),
          isoBox("loci", "SECRET"),
        ),
        isoBox("meta", isoBox("keys", "com.apple.quicktime.location.ISO6709"), isoBox("ilst", "SECRET")),
      ),
      isoBox("uuid", zeros(16), "SECRET"),
      isoBox("free", "SECRET"),
      isoBox("GPMF", "SECRET"),
      isoBox("mdat", "GPS001GPS002________GPS0003"),
    );
  };
  return make(make(0).length - 27);
}

describe("a video", () => {
  it("loses its position, its dates and the camera's data, but keeps its panorama data", async () => {
    for (const [handler, name] of [
      ["meta", "GoPro MET"],
      ["sbtl", "DJI.Subtitle"],
    ] as const) {
      const original = createVideoFile(handler, name);
      const deliveredFile = await deliver(original);
      expect(deliveredFile).toHaveLength(original.length);
      expect(text(deliveredFile)).not.toMatch(/SECRET|GPS00|DATE|xyz|ISO6709/);
      expect(text(deliveredFile)).toContain("SPHERICAL");
      expect(text(deliveredFile)).toContain("________");
    }
  });

  it("loses a data track whose samples cannot be found, but keeps the content of its file", async () => {
    const original = createVideoFile("meta", "GoPro MET");
    // Compact sample sizes (ISO 14496-12, §8.7.3.3), which are not read.
    original.set(new TextEncoder().encode("stz2"), text(original).indexOf("stsz"));
    const deliveredFile = await deliver(original);
    expect(text(deliveredFile)).toContain("________");
    expect(text(deliveredFile)).not.toMatch(/SECRET|DATE|trak|GoPro/);
  });

  it("with more fragments than may be read loses the position that precedes them", async () => {
    const fragments = Array.from({ length: 200 }, () =>
      concatBytes(isoBox("moof", zeros(100)), isoBox("mdat", "SOUND")),
    );
    const video = concatBytes(
      isoBox("ftyp", "isom", u32(0), "isom"),
      isoBox("moov", isoBox("udta", isoBox("loci", "SECRET"))),
      ...fragments,
    );
    const deliveredFile = await deliver(video, { reads: 20, bytes: 1e6, page: 64 });
    expect(text(deliveredFile)).not.toMatch(/SECRET/);
    expect(text(deliveredFile).match(/SOUND/g)).toHaveLength(200);
  });

  it("keeps its video, audio and subtitle tracks", async () => {
    for (const handler of ["vide", "soun", "sbtl"])
      expect(text(await deliver(createVideoFile(handler, "Handler")))).toContain(
        "GPS001GPS002________GPS0003",
      );
  });
});

describe("a damaged file", () => {
  it("causes no error and no endless loop, and keeps its length", async () => {
    const files = [
      new Uint8Array(await withEverything().jpeg().toBuffer()),
      new Uint8Array(await withEverything().png().toBuffer()),
      new Uint8Array(await withEverything().webp().toBuffer()),
      new Uint8Array(await withEverything().avif().toBuffer()),
      new Uint8Array(await withEverything().tiff().toBuffer()),
      createVideoFile("meta", "x"),
      jpegFile(4, 3),
      pngFile(4, 3, 20),
      gifFile(4, 3),
    ];
    let seed = 7;
    const random = (max: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % max;
    };
    for (const file of files)
      for (let round = 0; round < 60; round++) {
        const damaged = file.slice(0, round % 3 === 0 ? random(file.length) : file.length);
        for (let i = 0; i < 1 + random(8) && damaged.length > 40; i++) {
          const offset = 12 + random(damaged.length - 16);
          damaged.set(round % 2 ? [255, 255, 255, 255] : [random(256)], offset);
        }
        expect(await deliver(damaged)).toHaveLength(damaged.length);
      }
  });

  it("may have a TIFF directory that points to itself, and loses Exif data whose directory points nowhere", async () => {
    const loop = concatBytes(
      "II*\0",
      [8, 0, 0, 0],
      [1, 0],
      [0x87, 0x69, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0],
      [8, 0, 0, 0],
    );
    expect(await deliver(loop)).toHaveLength(loop.length);
    const invalidOffset = withSegments(jpegFile(4, 3), [
      0xe1,
      concatBytes("Exif\0\0MM\0*", u32(0xfffffff0), "SECRET"),
    ]);
    expect(text(await deliver(invalidOffset))).not.toMatch(/SECRET/);
  });

  it("does not slow down the parsing of markup", async () => {
    const crafted = `xmlns:GPano="http://ns.google.com/photos/1.0/panorama/" ${"<GPano:a>".repeat(50)}${" ".repeat(60_000)}`;
    const started = performance.now();
    await deliver(
      withSegments(jpegFile(4, 3), [
        0xe1,
        concatBytes("http://ns.adobe.com/xap/1.0/\0", crafted.slice(0, 65_000)),
      ]),
    );
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
