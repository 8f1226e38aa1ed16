/**
 * Simulates a printing press: washi paper, carved blocks, and pigments in layers. A print decides for each point which pigments are applied
 * and how strongly; the press adds paper fibres and the grain of wood and rubbing.
 */
import { smoothstep } from "~/viewer/core/flight";
import { clamp, fbm, noise, random } from "../noise";

/** An sRGB colour; each channel is 0…1. */
export type Pigment = readonly [r: number, g: number, b: number];

/** Returns the pigment of a colour that is written as #rrggbb. */
export const pigment = (text: string): Pigment => {
  const n = Number.parseInt(text.slice(1), 16);
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255];
};

/** Pigments that several prints use. */
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

/** A print: its blocks as SVG shapes (white prints, black does not), and a function that applies the pigments. */
export interface Print {
  /** Returns the blocks as SVG documents for a sheet of this size in pixels. They contain shapes only, because fonts may be missing. */
  blocks(width: number, height: number): readonly string[];
  /** Applies the pigments of one pixel. */
  applyPigments(press: Press): void;
}

/** Side of the square of paper and wood texture that is repeated over the sheet, in pixels. */
const tile = 1024;

/** The sheet in the press, processed one pixel at a time. */
export class Press {
  /** Centre of the current pixel, in pixels. */
  x = 0;
  y = 0;
  /** Current colour of the pixel. */
  r = 1;
  g = 1;
  b = 1;
  /** Grain of the pixel, 0…1: high where a block's wood or the rubbing left less pigment. */
  grain = 0;
  /** 1 inside the printed area, 0 on the margin, and between them at the edge. */
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
    const tiles = getTiles();
    this.paper = tiles.paper;
    this.wood = tiles.wood;
  }

  /** Prints rows `from`…`to` as three sRGB bytes per pixel. */
  printRows(print: Print, from: number, to: number, out: Uint8Array): void {
    const { width, height, margin } = this;
    const shiftX = Math.floor(random(this.seed, 1) * tile);
    const shiftY = Math.floor(random(this.seed, 2) * tile);
    for (let y = from; y < to; y++) {
      const wy = ((y + shiftY) % tile) * tile;
      for (let x = 0; x < width; x++) {
        const tileIndex = wy + ((x + shiftX) % tile);
        const p = this.paper[tileIndex] as number;
        this.x = x + 0.5;
        this.y = y + 0.5;
        this.r = 0.968 + p;
        this.g = 0.951 + p;
        this.b = 0.906 + p * 1.15;
        this.grain = this.wood[tileIndex] as number;
        const edge = Math.min(
          this.x - margin,
          width - margin - this.x,
          this.y - margin,
          height - margin - this.y,
        );
        // A block's edge is slightly blurred.
        this.inside = clamp(0.5 + edge + (this.grain - 0.4) * 0.8);
        print.applyPigments(this);
        const byteOffset = (y * width + x) * 3;
        out[byteOffset] = clamp(this.r) * 255 + 0.5;
        out[byteOffset + 1] = clamp(this.g) * 255 + 0.5;
        out[byteOffset + 2] = clamp(this.b) * 255 + 0.5;
      }
    }
  }

  /** Returns how strongly block `k` prints at the current pixel, 0…1. */
  block(k: number): number {
    const mask = this.masks[k];
    if (!mask) return 0;
    return (mask[Math.floor(this.y) * this.width + Math.floor(this.x)] as number) / 255;
  }

  /** Applies a transparent pigment over the current colour. */
  lay([r, g, b]: Pigment, amount: number): void {
    if (amount <= 0) return;
    const k = amount * (1 - 0.26 * this.grain);
    this.r *= 1 - k + k * r;
    this.g *= 1 - k + k * g;
    this.b *= 1 - k + k * b;
  }

  /** Applies an opaque pigment (shell white, gold) over the current colour. */
  cover([r, g, b]: Pigment, amount: number): void {
    if (amount <= 0) return;
    const k = amount * (1 - 0.3 * this.grain);
    this.r += (r - this.r) * k;
    this.g += (g - this.g) * k;
    this.b += (b - this.b) * k;
  }
}

let tiles: { paper: Float32Array; wood: Float32Array } | null = null;

/** Returns the tiles of paper and wood, which are made at the first call. */
function getTiles(): { paper: Float32Array; wood: Float32Array } {
  if (tiles) return tiles;
  const paper = new Float32Array(tile * tile);
  const wood = new Float32Array(tile * tile);
  for (let y = 0; y < tile; y++) {
    for (let x = 0; x < tile; x++) {
      const cloud = fbm(x / 90, y / 90, 3, 301) - 0.5;
      const fine = random(x, y, 302) - 0.5;
      const tooth = noise(x / 2.6, y / 2.6, 303) - 0.5;
      // Fibres are ridges of noise that are stretched along a varying direction.
      const direction = noise(x / 300, y / 300, 304) * 6;
      const u = x * Math.cos(direction) + y * Math.sin(direction);
      const v = y * Math.cos(direction) - x * Math.sin(direction);
      const fibre = 1 - smoothstep(0, 0.045, Math.abs(noise(u / 70, v / 7, 305) - 0.5));
      const hasFibre = noise(x / 34, y / 34, 306) > 0.68 ? 1 : 0;
      paper[y * tile + x] = cloud * 0.022 + fine * 0.012 + tooth * 0.02 - fibre * hasFibre * 0.03;
      const plank = noise(x / 260, y / 3.2, 307) * 0.55 + noise(x / 90, y / 1.6, 308) * 0.25;
      const rub = random(x, y, 309) * 0.3 + noise(x / 2.2, y / 2.2, 310) * 0.5;
      wood[y * tile + x] = clamp(plank * 0.75 + rub * 0.55 - 0.12);
    }
  }
  // The edges of the tile are blended, so that it repeats without a seam.
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

/** Returns an SVG document with shapes on a black background. */
export function svg(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="#000"/>${shapes}</svg>`;
}

/** Formats a number with at most two decimals for SVG. */
export const formatSvgNumber = (x: number): string => (Math.round(x * 100) / 100).toString();

/** Returns a closed path through points. */
export function polygon(points: readonly (readonly [number, number])[]): string {
  return `M${points.map(([x, y]) => `${formatSvgNumber(x)} ${formatSvgNumber(y)}`).join("L")}Z`;
}
