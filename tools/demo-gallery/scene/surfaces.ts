/** Draws floors and wood as colours by position: oak boards, stone slabs, and tatami mats. */

import { smoothstep } from "~/viewer/core/flight";
import { type Room, rooms } from "../../../seed/gallery-plan";
import { clamp, fbm, lerp, noise, random } from "../noise";
import { floorPixels, woodMetres } from "./building";

/** The image of a surface, as a function. */
export interface Surface {
  readonly id: string;
  readonly width: number;
  readonly height: number;
  readonly pixelsPerMetre: number;
  /** Returns the sRGB colour, 0…255, at (x, y) metres from the image's upper left corner. */
  readonly color: (x: number, y: number) => readonly [number, number, number];
}

const floor = (room: Room, color: Surface["color"]): Surface => ({
  id: `floor-${room.id}`,
  width: Math.round((room.x1 - room.x0) * floorPixels),
  height: Math.round((room.z1 - room.z0) * floorPixels),
  pixelsPerMetre: floorPixels,
  color,
});

/** Returns the images of floors and furniture. */
export function surfaces(): readonly Surface[] {
  return [
    floor(rooms.hall, (x, y) => boardColor(x, y)),
    floor(rooms.entrance, (x, y) => slabColor(x, y, 1, [206, 203, 197])),
    floor(rooms.indigo, (x, y) => slabColor(x + 0.25, y + 0.2, 1.25, [150, 151, 155])),
    floor(rooms.cabinet, (x, y) => matColor(x, y)),
    {
      id: "oak",
      width: Math.round(woodMetres[0] * 200),
      height: Math.round(woodMetres[1] * 200),
      pixelsPerMetre: 200,
      color: (x, y) => woodColor(x, y, 3, 0.5),
    },
  ];
}

type Color = readonly [number, number, number];

/**
 * Returns the colour of oak with its grain along x.
 * @param piece number of the board, which gives it its own pattern
 * @param shade 0…1, from light to dark boards
 */
function woodColor(x: number, y: number, piece: number, shade: number): Color {
  const off = piece * 17.3;
  // Growth rings that are cut lengthwise are lines along the board with varying distances.
  const drift = fbm(x * 0.55 + off, y * 2.6, 3, 5) * 1.1 + fbm(x * 0.22, y * 1.3 + off, 2, 6) * 0.8;
  const rings = 0.5 + 0.5 * Math.sin((y * 30 + drift * 8 + off) * 2.2);
  const fine = 0.5 + 0.5 * Math.sin((y * 95 + drift * 21 + off) * 2.6);
  const fibre = noise(x * 7 + off, y * 240, 8) * 0.55 + noise(x * 17 + off, y * 130, 9) * 0.45;
  const pores = smoothstep(0.8, 0.9, noise(x * 13 + off, y * 210, 10));
  const k = 0.3 * rings ** 1.7 + 0.18 * fine + 0.55 * fibre + pores * 0.22;
  const darkness = clamp(0.06 + shade * 0.36 + (k - 0.5) * 0.42);
  return [lerp(226, 166, darkness), lerp(207, 137, darkness), lerp(180, 102, darkness)];
}

/**
 * Returns which share of a pixel a joint covers.
 * @param distance distance from the middle of the joint in metres
 * @param halfWidth half the width of the joint in metres
 */
function jointAt(distance: number, halfWidth: number): number {
  const pixel = 1 / floorPixels;
  return clamp((halfWidth + pixel / 2 - distance) / pixel) * Math.min(1, (2 * halfWidth) / pixel);
}

/** Returns the colour of boards 0.15 m wide that run north, in random lengths, with fine joints. */
function boardColor(x: number, y: number): Color {
  const width = 0.15;
  const row = Math.floor(x / width);
  const length = 2.4;
  const shift = random(row, 71) * length;
  const index = Math.floor((y + shift) / length);
  const split = 0.3 + 0.4 * random(row, index, 72);
  const share = (y + shift) / length - index;
  const piece = row * 131 + index * 7 + (share > split ? 1 : 0);
  const fx = x - row * width;
  const edge = Math.min(fx, width - fx);
  const endDistance = Math.min(Math.abs(share - split), share, 1 - share) * length;
  const shade = random(piece, 73) * 0.75 + random(piece, 74) * 0.25;
  const [r, g, b] = woodColor(y + random(piece, 75) * 40, fx + random(piece, 76) * 10, piece % 97, shade);
  const joint =
    1 - 0.42 * (1 - smoothstep(0.0004, 0.003, edge)) - 0.38 * (1 - smoothstep(0.0004, 0.003, endDistance));
  return [r * joint, g * joint * 0.995, b * joint * 0.985];
}

/** Returns the colour of honed stone in square slabs with hairline joints. */
function slabColor(x: number, y: number, size: number, [r, g, b]: Color): Color {
  const i = Math.floor(x / size);
  const j = Math.floor(y / size);
  const fx = x - i * size;
  const fy = y - j * size;
  const edge = Math.min(fx, size - fx, fy, size - fy);
  const joint = 1 - 0.36 * jointAt(edge, 0.002);
  const tone = (random(i, j, 81) - 0.5) * 0.045;
  const cloud = (fbm(x * 1.7 + i * 9, y * 1.7 + j * 5, 4, 82) - 0.5) * 0.13;
  const speck = random(Math.floor(x * 150), Math.floor(y * 150), 83);
  const fleck = speck > 0.94 ? 0.05 : speck < 0.08 ? -0.05 : 0;
  const k = (1 + tone + cloud + fleck) * joint;
  return [clamp(r * k, 0, 255), clamp(g * k, 0, 255), clamp(b * k * 0.997, 0, 255)];
}

/** Eight mats within a border of boards. A cell is half a mat; equal letters belong to the same mat. */
const matPlan = ["aabc", "debc", "deff", "gghh"];
const cellSize = 0.91;

function matColor(x: number, y: number): Color {
  const room = rooms.cabinet;
  const left = (room.x1 - room.x0 - cellSize * 4) / 2;
  const top = (room.z1 - room.z0 - cellSize * 4) / 2;
  const u = (x - left) / cellSize;
  const v = (y - top) / cellSize;
  if (u < 0 || v < 0 || u >= 4 || v >= 4) return borderColor(x, y, left, top);
  const cell = (i: number, j: number): string => matPlan[j]?.[i] ?? "";
  const i = Math.floor(u);
  const j = Math.floor(v);
  const mat = cell(i, j);
  const isHorizontal = cell(i - 1, j) === mat || cell(i + 1, j) === mat;
  // These are the positions along the mat and across it, in metres.
  const firstCell = isHorizontal ? (cell(i - 1, j) === mat ? i - 1 : i) : cell(i, j - 1) === mat ? j - 1 : j;
  const along = ((isHorizontal ? u : v) - firstCell) * cellSize;
  const across = ((isHorizontal ? v : u) - (isHorizontal ? j : i)) * cellSize;
  const cloth = 0.032;
  const side = Math.min(across, cellSize - across);
  const end = Math.min(along, cellSize * 2 - along);
  const seam = 1 - 0.4 * jointAt(Math.min(side, end), 0.0016);
  if (side < cloth) {
    const weave = 0.92 + 0.16 * random(Math.floor(along * 500), Math.floor(across * 500), 91);
    return [44 * weave * seam, 53 * weave * seam, 84 * weave * seam];
  }
  // Rushes run across the mat, and fine ribs repeat along it.
  const rib = 0.5 + 0.5 * Math.cos((along / 0.0155) * 2 * Math.PI);
  const rush = noise(along * 420, across * 9, 92) * 0.6 + noise(along * 160, across * 3, 93) * 0.4;
  const k = seam * (0.88 + 0.07 * rib + 0.16 * (rush - 0.5) + 0.07 * (fbm(u * 1.3, v * 1.3, 3, 94) - 0.5));
  const light = isHorizontal ? 1.02 : 0.98;
  return [222 * k * light, 214 * k * light, 168 * k * light];
}

function borderColor(x: number, y: number, left: number, top: number): Color {
  const room = rooms.cabinet;
  const isHorizontal = y < top || y > room.z1 - room.z0 - top;
  const [a, c] = isHorizontal ? [x, y] : [y, x];
  const width = (isHorizontal ? top : left) / 3;
  const row = Math.floor(c / width);
  const edge = Math.min(c - row * width, (row + 1) * width - c);
  const joint = 1 - 0.5 * jointAt(edge, 0.0014);
  const [r, g, b] = woodColor(a + row * 3.7, c, row + 5, 0.75);
  return [r * joint * 0.86, g * joint * 0.82, b * joint * 0.78];
}
