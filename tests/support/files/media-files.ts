/** Creates small files of many kinds byte by byte, complete or damaged. */
import { createHash } from "node:crypto";
import { crc32, deflateSync, gzipSync } from "node:zlib";

type Part = string | readonly number[] | Uint8Array;

/** Concatenates texts (one byte per letter), numbers and bytes. */
export const concatBytes = (...parts: readonly Part[]): Uint8Array =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    ),
  );

const dataView = (length: number, write: (view: DataView) => void) => {
  const view = new DataView(new ArrayBuffer(length));
  write(view);
  return new Uint8Array(view.buffer);
};
export const u16 = (value: number) => dataView(2, (view) => view.setUint16(0, value));
export const u32 = (value: number) => dataView(4, (view) => view.setUint32(0, value));
export const u16le = (value: number) => dataView(2, (view) => view.setUint16(0, value, true));
export const u32le = (value: number) => dataView(4, (view) => view.setUint32(0, value, true));
export const zeros = (length: number) => new Uint8Array(length);

/** A chunk of a PNG, with its checksum. */
export const pngChunk = (type: string, data: Uint8Array) =>
  concatBytes(u32(data.length), type, data, u32(crc32(concatBytes(type, data))));

/**
 * A greyscale PNG. A large one has too few bytes of pixel data, because tests need only its header.
 * @param padding bytes in a chunk that decoders ignore
 */
export function pngFile(width = 4, height = 3, padding = 0): Uint8Array {
  const rows = width * height > 1_000_000 ? zeros(10) : zeros((width + 1) * height);
  return concatBytes(
    "\x89PNG\r\n\x1a\n",
    pngChunk("IHDR", concatBytes(u32(width), u32(height), [8, 0, 0, 0, 0])),
    ...(padding > 0 ? [pngChunk("teSt", zeros(padding))] : []),
    pngChunk("IDAT", new Uint8Array(deflateSync(rows))),
    pngChunk("IEND", zeros(0)),
  );
}

/** The segments of a JPEG, without a visible image. */
export function jpegFile(width: number, height: number, orientation?: number, tail = "\xff\xd9"): Uint8Array {
  const exif =
    orientation === undefined
      ? ""
      : concatBytes(
          [0xff, 0xe1],
          u16(34),
          "Exif\0\0MM\0*",
          u32(8),
          u16(1),
          ...[u16(274), u16(3), u32(1), u16(orientation), u16(0)],
          u32(0),
        );
  return concatBytes(
    [0xff, 0xd8],
    exif,
    [0xff, 0xc2, 0, 11, 8],
    u16(height),
    u16(width),
    [1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0],
    zeros(60),
    tail,
  );
}

export const gifFile = (width: number, height: number, tail = ";"): Uint8Array =>
  concatBytes("GIF89a", u16le(width), u16le(height), zeros(20), tail);

export const webpFile = (kind: "VP8 " | "VP8L" | "VP8X", body: Uint8Array, missingBytes = 0): Uint8Array =>
  concatBytes("RIFF", u32le(12 + body.length + missingBytes), "WEBP", kind, u32le(body.length), body);

export const isoBox = (type: string, ...content: readonly Part[]): Uint8Array => {
  const body = concatBytes(...content);
  return concatBytes(u32(8 + body.length), type, body);
};

/** A TIFF without pixels, whose directory is behind other bytes, as many programs write it. */
export const tiffFile = (width: number, height: number, padding = 100_000): Uint8Array => {
  const entry = (tag: number, value: number) => concatBytes(u16le(tag), u16le(4), u32le(1), u32le(value));
  const entries = [entry(256, width), entry(257, height)];
  return concatBytes("II*\0", u32le(8 + padding), zeros(padding), u16le(2), ...entries, u32le(0));
};

/** An AVIF or HEIC with a valid header and no valid content. */
export const heifFile = (
  brand: string,
  sizes: readonly (readonly [number, number])[],
  quarterTurns?: number,
): Uint8Array =>
  concatBytes(
    isoBox("ftyp", brand, u32(0), "mif1"),
    isoBox(
      "meta",
      u32(0),
      isoBox(
        "iprp",
        isoBox(
          "ipco",
          ...sizes.map(([width, height]) => isoBox("ispe", u32(0), u32(width), u32(height))),
          ...(quarterTurns === undefined ? [] : [isoBox("irot", [quarterTurns])]),
        ),
      ),
    ),
    isoBox("mdat", zeros(50)),
  );

/** A GLB file from a glTF description. */
export function glbFile(scene: unknown, binary: Uint8Array = zeros(0)): Uint8Array {
  const text = typeof scene === "string" ? scene : JSON.stringify(scene);
  const json = concatBytes(
    new Uint8Array(Buffer.from(text)),
    " ".repeat((4 - (Buffer.byteLength(text) % 4)) % 4),
  );
  const chunk = binary.length > 0 ? concatBytes(u32le(binary.length), "BIN\0", binary) : zeros(0);
  const length = 20 + json.length + chunk.length;
  return concatBytes("glTF", u32le(2), u32le(length), u32le(json.length), "JSON", json, chunk);
}

/** A glTF scene with one triangle. */
export const triangle = {
  asset: { version: "2.0" },
  buffers: [{ byteLength: 36 }],
  bufferViews: [{ buffer: 0, byteLength: 36 }],
  accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3" }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  nodes: [{ mesh: 0 }],
  scenes: [{ nodes: [0] }],
};

export const plyFile = (points = 2, writtenPoints = points, coordinate = 0): Uint8Array => {
  const names = ["x", "y", "z", "f_dc_0", "opacity", "scale_0", "rot_0"];
  const head = `ply\nformat binary_little_endian 1.0\nelement vertex ${points}\n${names.map((name) => `property float ${name}\n`).join("")}end_header\n`;
  const position = new Uint8Array(new Float32Array([coordinate, coordinate, coordinate]).buffer);
  const point = concatBytes(position, zeros((names.length - 3) * 4));
  return concatBytes(head, ...Array.from({ length: writtenPoints }, () => point));
};

export const spzFile = (points = 3, writtenPoints = points): Uint8Array =>
  new Uint8Array(
    gzipSync(concatBytes("NGSP", u32le(2), u32le(points), [0, 12, 0, 0], zeros(writtenPoints * 19))),
  );

export const pdfFile = (tail = "%%EOF\n"): Uint8Array => concatBytes("%PDF-1.7\n1 0 obj\nendobj\n", tail);

/**
 * A document of two pages: "Plan of the gallery", and 広場 in a Japanese font that is not embedded, so that a reader needs the
 * character map and a font.
 */
export function documentFile(): Uint8Array {
  const text = (font: string, content: string) => `BT /${font} 24 Tf 40 300 Td ${content} Tj ET`;
  const stream = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
  const page = (content: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 560]/Resources<</Font<</A 7 0 R/B 8 0 R>>>>/Contents ${content} 0 R>>`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]>>",
    page(5),
    page(6),
    stream(text("A", "(Plan of the gallery)")),
    stream(text("B", "<5e835834>")),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    "<</Type/Font/Subtype/Type0/BaseFont/HeiseiKakuGo-W5/Encoding/UniJIS-UCS2-H/DescendantFonts[9 0 R]>>",
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/HeiseiKakuGo-W5/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/FontDescriptor 10 0 R>>",
    "<</Type/FontDescriptor/FontName/HeiseiKakuGo-W5/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>",
  ];
  let body = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  return concatBytes(
    body,
    `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

/** RC4, the encryption of `lockedDocument`. */
function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => {
    const swapped = state[a] ?? 0;
    state[a] = state[b] ?? 0;
    state[b] = swapped;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 255;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return data.map((byte) => {
    i = (i + 1) & 255;
    j = (j + (state[i] ?? 0)) & 255;
    swap(i, j);
    return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
  });
}

/** A document of one page that needs a password (PDF 1.7 §7.6.3, revision 2). */
export function lockedDocument(password: string): Uint8Array {
  const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");
  const padded = concatBytes(password, padding).subarray(0, 32);
  const md5 = (...parts: readonly Part[]) =>
    createHash("md5")
      .update(concatBytes(...parts))
      .digest();
  const hex = (bytes: Uint8Array) => `<${Buffer.from(bytes).toString("hex")}>`;
  const id = zeros(16);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const key = md5(padded, owner, u32le(0xfffffffc), id).subarray(0, 5);
  const content = rc4(
    md5(key, [4, 0, 0, 0, 0]).subarray(0, 10),
    concatBytes("BT /A 24 Tf 40 300 Td (Locked plan) Tj ET"),
  );
  const stream = Buffer.from(content).toString("latin1");
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Count 1/Kids[3 0 R]>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 560]/Resources<</Font<</A 5 0 R>>>>/Contents 4 0 R>>",
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    `<</Filter/Standard/V 1/R 2/O ${hex(owner)}/U ${hex(rc4(key, padding))}/P -4>>`,
  ];
  let body = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return concatBytes(
    body,
    `xref\n0 7\n0000000000 65535 f \n${table}trailer\n<</Size 7/Root 1 0 R/Encrypt 6 0 R/ID[${hex(id)}${hex(id)}]>>\nstartxref\n${body.length}\n%%EOF\n`,
  );
}

export const wavFile = (seconds = 1): Uint8Array => {
  const data = zeros(8000 * seconds);
  const format = concatBytes(u16le(1), u16le(1), u32le(8000), u32le(8000), u16le(1), u16le(8));
  return concatBytes(
    "RIFF",
    u32le(36 + data.length),
    "WAVEfmt ",
    u32le(16),
    format,
    "data",
    u32le(data.length),
    data,
  );
};

export const HTML = concatBytes("<!DOCTYPE html><html><script>alert(1)</script></html>");
export const HOSTILE_SVG = concatBytes(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" onload="alert(1)"><script>alert(1)</script></svg>`,
);
