/**
 * A printing press in numbers: washi, blocks cut as shapes, and pigments laid one over the other. A print says for
 * each point which pigments lie there and how strongly; the press adds paper fibre and the grain of wood and rubbing.
 */
import { clamp, fbm, noise, random, smoothstep } from "../noise";

/** An sRGB colour, each channel 0…1. */
export type Pigment = readonly [r: number, g: number, b: number];

export const pigment = (text: string): Pigment => {
  const n = Number.parseInt(text.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
};

export const pigments = {
  indigo: pigment("#22366b"),
  indigoDeep: pigment("#141f45"),
  indigoMid: pigment("#48659c"),
  indigoPale: pigment("#a9bfd8"),
  ink: pigment("#24262c"),
  inkPale: pigment("#8c8f95"),
  vermilion: pigment("#c9442c"),
  ochre: pigment("#cfa14b"),
  verdigris: pigment("#4f7d68"),
  gold: pigment("#c9a659"),
  shell: pigment("#f4f1e6"),
} as const;

/** A print: blocks cut as SVG shapes (white prints, black does not), and what is laid where. */
export interface Print {
  /** SVG documents of the blocks for a sheet of this size in pixels; shapes only, since no fonts may be there. */
  blocks(width: number, height: number): readonly string[];
  /** Called for each pixel. */
  ink(press: Press): void;
}

const tile = 1024;

/** The sheet under the press, one pixel at a time. */
export class Press {
  /** The pixel's middle, in pixels. */
  x = 0;
  y = 0;
  /** The colour so far. */
  r = 1;
  g = 1;
  b = 1;
  /** Grain of the pixel, 0…1: where a block's wood or the rubbing left less pigment. */
  grain = 0;
  /** 1 inside the printed area, 0 on the margin, between at its edge. */
  inside = 0;
  readonly margin: number;
  private readonly paper: Float32Array;
  private readonly wood: Float32Array;

  constructor(
    readonly width: number,
    readonly height: number,
    private readonly masks: readonly Uint8Array[],
    private readonly seed: number,
  ) {
    this.margin = Math.round(Math.min(width, height) * 0.062);
    const tiles = tilesOnce();
    this.paper = tiles.paper;
    this.wood = tiles.wood;
  }

  /** Prints rows `from`…`to` into three sRGB bytes a pixel. */
  rows(print: Print, from: number, to: number, out: Uint8Array): void {
    const { width, height, margin } = this;
    const shiftX = Math.floor(random(this.seed, 1) * tile);
    const shiftY = Math.floor(random(this.seed, 2) * tile);
    for (let y = from; y < to; y++) {
      const wy = ((y + shiftY) % tile) * tile;
      for (let x = 0; x < width; x++) {
        const at = wy + ((x + shiftX) % tile);
        const p = this.paper[at] as number;
        this.x = x + 0.5;
        this.y = y + 0.5;
        this.r = 0.968 + p;
        this.g = 0.951 + p;
        this.b = 0.906 + p * 1.15;
        this.grain = this.wood[at] as number;
        const edge = Math.min(
          this.x - margin,
          width - margin - this.x,
          this.y - margin,
          height - margin - this.y,
        );
        // A block's edge is never quite sharp.
        this.inside = clamp(0.5 + edge + (this.grain - 0.4) * 0.8);
        print.ink(this);
        const o = (y * width + x) * 3;
        out[o] = clamp(this.r) * 255 + 0.5;
        out[o + 1] = clamp(this.g) * 255 + 0.5;
        out[o + 2] = clamp(this.b) * 255 + 0.5;
      }
    }
  }

  /** How much of block `k` prints here, 0…1. */
  block(k: number): number {
    const mask = this.masks[k];
    if (!mask) return 0;
    return (mask[Math.floor(this.y) * this.width + Math.floor(this.x)] as number) / 255;
  }

  /** Lays a transparent pigment over what is there. */
  lay([r, g, b]: Pigment, amount: number): void {
    if (amount <= 0) return;
    const k = amount * (1 - 0.26 * this.grain);
    this.r *= 1 - k + k * r;
    this.g *= 1 - k + k * g;
    this.b *= 1 - k + k * b;
  }

  /** Lays an opaque pigment (shell white, gold) over what is there. */
  cover([r, g, b]: Pigment, amount: number): void {
    if (amount <= 0) return;
    const k = amount * (1 - 0.3 * this.grain);
    this.r += (r - this.r) * k;
    this.g += (g - this.g) * k;
    this.b += (b - this.b) * k;
  }
}

let tiles: { paper: Float32Array; wood: Float32Array } | null = null;

/** Paper and wood repeat after 1024 pixels, further than the eye follows them. */
function tilesOnce(): { paper: Float32Array; wood: Float32Array } {
  if (tiles) return tiles;
  const paper = new Float32Array(tile * tile);
  const wood = new Float32Array(tile * tile);
  for (let y = 0; y < tile; y++) {
    for (let x = 0; x < tile; x++) {
      const cloud = fbm(x / 90, y / 90, 3, 301) - 0.5;
      const fine = random(x, y, 302) - 0.5;
      const tooth = noise(x / 2.6, y / 2.6, 303) - 0.5;
      // Fibres: ridges of noise drawn out along a turning direction.
      const turn = noise(x / 300, y / 300, 304) * 6;
      const u = x * Math.cos(turn) + y * Math.sin(turn);
      const v = y * Math.cos(turn) - x * Math.sin(turn);
      const fibre = 1 - smoothstep(0, 0.045, Math.abs(noise(u / 70, v / 7, 305) - 0.5));
      const present = noise(x / 34, y / 34, 306) > 0.68 ? 1 : 0;
      paper[y * tile + x] = cloud * 0.022 + fine * 0.012 + tooth * 0.02 - fibre * present * 0.03;
      const plank = noise(x / 260, y / 3.2, 307) * 0.55 + noise(x / 90, y / 1.6, 308) * 0.25;
      const rub = random(x, y, 309) * 0.3 + noise(x / 2.2, y / 2.2, 310) * 0.5;
      wood[y * tile + x] = clamp(plank * 0.75 + rub * 0.55 - 0.12);
    }
  }
  // The tile's own edges are blended, so that it repeats without a seam.
  for (const field of [paper, wood]) blendEdges(field);
  tiles = { paper, wood };
  return tiles;
}

function blendEdges(field: Float32Array): void {
  const width = 48;
  for (let k = 0; k < width; k++) {
    const t = 0.5 * (1 - k / width);
    for (let i = 0; i < tile; i++) {
      for (const [a, c] of [
        [i * tile + k, i * tile + tile - 1 - k],
        [k * tile + i, (tile - 1 - k) * tile + i],
      ] as const) {
        const p = field[a] as number;
        const q = field[c] as number;
        field[a] = p + (q - p) * t;
        field[c] = q + (p - q) * t;
      }
    }
  }
}

/** An SVG document with white shapes on black. */
export function svg(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#000"/>${shapes}</svg>`;
}

/** A number short enough for a path. */
export const n = (x: number): string => (Math.round(x * 100) / 100).toString();

/** A closed path through points. */
export function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join("L")}Z`;
}
