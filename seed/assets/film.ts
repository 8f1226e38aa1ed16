/**
 * A short silent film: the sea of the wave print, moving. Each frame is drawn as shapes and encoded as a lossy WebP
 * picture; such a picture holds exactly one VP8 key frame (RFC 6386, RFC 9649 §2.5), so the frames only need to be put
 * into a WebM container (RFC 8794, RFC 9559) to be a film that browsers play.
 */
import { availableParallelism } from "node:os";
import sharp from "sharp";
import { mix } from "./noise";
import { n } from "./prints/press";

export const film = { width: 640, height: 360, frames: 80, perSecond: 10 };

/** @param count frames: fewer are a shorter film. */
export async function makeFilm(count: number = film.frames): Promise<Uint8Array> {
  const frames: Buffer[] = new Array(count);
  let next = 0;
  const draw = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) frames[i] = await frame(i / film.frames);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, draw));
  return webm(frames);
}

/** @param t 0…1 of the film, which ends as it begins */
async function frame(t: number): Promise<Buffer> {
  const picture = await sharp(Buffer.from(drawing(t)))
    .flatten()
    .webp({ quality: 40, effort: 1 })
    .toBuffer();
  // RIFF header, then chunks: a name of four letters, a length, the bytes, padded to an even length.
  let at = 12;
  while (at + 8 <= picture.length) {
    const name = picture.toString("latin1", at, at + 4);
    const length = picture.readUInt32LE(at + 4);
    if (name === "VP8 ") return picture.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  throw new Error("the encoder wrote no VP8 frame");
}

function drawing(t: number): string {
  const { width, height } = film;
  const turn = 2 * Math.PI * t;
  const horizon = height * 0.34;
  const far = [176, 195, 218];
  const near = [34, 54, 107];
  const shade = (k: number, dark = 1): string =>
    `rgb(${[0, 1, 2].map((c) => Math.round(mix(far[c] as number, near[c] as number, k) * dark)).join()})`;
  const shapes: string[] = [];
  const sunY = horizon - height * (0.06 + 0.05 * Math.sin(turn - Math.PI / 2));
  shapes.push(`<circle cx="${n(width * 0.68)}" cy="${n(sunY)}" r="${n(height * 0.085)}" fill="#c9442c"/>`);
  shapes.push(
    `<rect y="${n(horizon)}" width="${width}" height="${n(height - horizon)}" fill="${shade(0.1)}"/>`,
  );
  let radius = width * 0.017;
  let y = horizon + radius * 0.6;
  for (let row = 0; y - radius < height + radius * 0.6; row++) {
    const k = Math.min(1, (y - horizon) / (height - horizon));
    const sway = radius * 0.55 * Math.sin(turn + row * 0.55) + (row % 2) * radius;
    const lift = radius * 0.13 * Math.cos(turn + row * 0.55);
    const count = Math.ceil(width / radius / 4) + 2;
    for (let i = -count; i <= count; i++) {
      const x = width / 2 + i * 2 * radius + sway;
      const ring = (r: number, fill: string): string =>
        `<circle cx="${n(x)}" cy="${n(y + lift)}" r="${n(radius * r)}" fill="${fill}"/>`;
      shapes.push(
        ring(1, shade(k, 0.78)),
        ring(0.94, "#eef0ea"),
        ring(0.9, shade(k)),
        ring(0.7, "#eef0ea"),
        ring(0.66, shade(k * 0.62)),
        ring(0.46, "#eef0ea"),
        ring(0.24, shade(k)),
      );
    }
    const grown = radius * 1.22;
    y += grown * 0.6;
    radius = grown;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="#7f96c0"/><stop offset=".6" stop-color="#e9e4d6"/><stop offset="1" stop-color="#eecfaa"/></linearGradient></defs><rect width="${width}" height="${n(horizon + 1)}" fill="url(#s)"/>${shapes.join("")}</svg>`;
}

// ── Matroska ────────────────────────────────────────────────────────────────────────────────────────────────────

/** An element: its id, the length of what it holds in eight bytes, and what it holds. */
function element(id: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUIntBE(body.length, 2, 6);
  head[0] = 1;
  const name = Buffer.from(
    id.toString(16).padStart(id > 0xffffff ? 8 : id > 0xffff ? 6 : id > 0xff ? 4 : 2, "0"),
    "hex",
  );
  return Buffer.concat([name, head, body]);
}

function whole(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(value, 2, 6);
  return bytes;
}

function float(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");

function webm(frames: readonly Buffer[]): Buffer {
  const step = 1000 / film.perSecond;
  const info = element(
    0x1549a966,
    element(0x2ad7b1, whole(1_000_000)),
    element(0x4489, float(frames.length * step)),
    element(0x4d80, text("Hiroba demo")),
    element(0x5741, text("Hiroba demo")),
  );
  const tracks = element(
    0x1654ae6b,
    element(
      0xae,
      element(0xd7, whole(1)),
      element(0x73c5, whole(1)),
      element(0x83, whole(1)),
      element(0x9c, whole(0)),
      element(0x86, text("V_VP8")),
      element(0x23e383, whole(Math.round(step * 1_000_000))),
      element(0xe0, element(0xb0, whole(film.width)), element(0xba, whole(film.height))),
    ),
  );
  // One cluster a second, each frame a key frame.
  const clusters: { readonly time: number; readonly bytes: Buffer }[] = [];
  for (let first = 0; first < frames.length; first += film.perSecond) {
    const time = Math.round(first * step);
    const blocks = frames.slice(first, first + film.perSecond).map((data, i) => {
      const head = Buffer.alloc(4);
      head[0] = 0x81;
      head.writeInt16BE(Math.round((first + i) * step) - time, 1);
      head[3] = 0x80;
      return element(0xa3, head, data);
    });
    clusters.push({ time, bytes: element(0x1f43b675, element(0xe7, whole(time)), ...blocks) });
  }
  // All numbers have eight bytes, so the cues are as long before as after their positions are known.
  const cuesFor = (start: number): Buffer => {
    let at = start;
    const points = clusters.map(({ time, bytes }) => {
      const point = element(
        0xbb,
        element(0xb3, whole(time)),
        element(0xb7, element(0xf7, whole(1)), element(0xf1, whole(at))),
      );
      at += bytes.length;
      return point;
    });
    return element(0x1c53bb6b, ...points);
  };
  const cues = cuesFor(info.length + tracks.length + cuesFor(0).length);
  const head = element(
    0x1a45dfa3,
    element(0x4286, whole(1)),
    element(0x42f7, whole(1)),
    element(0x42f2, whole(4)),
    element(0x42f3, whole(8)),
    element(0x4282, text("webm")),
    element(0x4287, whole(4)),
    element(0x4285, whole(2)),
  );
  return Buffer.concat([
    head,
    element(0x18538067, info, tracks, cues, ...clusters.map(({ bytes }) => bytes)),
  ]);
}
