/** Prints of regular patterns: hemp leaf, check, indigo cloths, and a fold. */
import { smoothstep } from "~/viewer/core/flight";
import { clamp, fbm, lerp, noise, random } from "../noise";
import { formatSvgNumber, type Print, pigments, polygon, svg } from "./press";
import { dippedIndigo, mixPigment } from "./shades";

/** The hemp leaf pattern: each triangle of a lattice has lines from its centre to its corners. Lines get thinner upwards. */
export const asanoha: Print = {
  blocks: (width, height) => {
    const side = width / 5.5;
    const rise = (side * Math.sqrt(3)) / 2;
    const weight = (y: number): number =>
      lerp(1.35, 8.2, clamp((y - height * 0.08) / (height * 0.84)) ** 1.25);
    const line = (ax: number, ay: number, bx: number, by: number): string => {
      const l = Math.hypot(bx - ax, by - ay);
      const [nx, ny] = [-(by - ay) / l / 2, (bx - ax) / l / 2];
      const [wa, wb] = [weight(ay), weight(by)];
      return polygon([
        [ax + nx * wa, ay + ny * wa],
        [bx + nx * wb, by + ny * wb],
        [bx - nx * wb, by - ny * wb],
        [ax - nx * wa, ay - ny * wa],
      ]);
    };
    const paths: string[] = [];
    const rows = Math.ceil(height / rise) + 2;
    const columns = Math.ceil(width / side) + 2;
    const cx = width / 2;
    const cy = height / 2;
    for (let j = -Math.ceil(rows / 2) - 1; j < rows / 2 + 1; j++) {
      for (let i = -Math.ceil(columns / 2) - 1; i < columns / 2 + 1; i++) {
        const x = cx + (i + (j & 1 ? 0.5 : 0)) * side;
        const y = cy + j * rise;
        const upper = y - rise;
        const [l, r, t] = [x, x + side, x + side / 2];
        // The edge belongs to two triangles, one above it and one below it.
        for (const tip of [upper, y + rise]) {
          const middle = y + (tip - y) / 3;
          paths.push(line(l, y, t, middle), line(r, y, t, middle), line(t, tip, t, middle));
        }
        paths.push(line(l, y, r, y), line(l, y, t, upper), line(r, y, t, upper));
      }
    }
    return [svg(width, height, `<path d="${paths.join("")}" fill="#fff"/>`)];
  },
  applyPigments: (p) => {
    const v = p.y / p.height;
    p.lay(pigments.indigoPale, p.inside * 0.16 * smoothstep(0.35, 1, v));
    p.lay(
      mixPigment(pigments.indigoMid, pigments.indigo, smoothstep(0.1, 0.75, v)),
      p.inside * p.block(0) * 0.96,
    );
  },
};

/** The number of squares along a side of the check, and the positions of their edges, 0…1. */
const swell = (() => {
  const cells = 14;
  const sizes = Array.from({ length: cells }, (_, i) => {
    const d = (i + 0.5 - cells * 0.5) / 2.6;
    return 0.42 + 1.75 * Math.exp(-d * d);
  });
  const total = sizes.reduce((a, b) => a + b);
  const marks = [0];
  for (const size of sizes) marks.push((marks.at(-1) as number) + size / total);
  return { cells, marks };
})();

/** A check pattern whose rows and columns are wider in the middle. */
export const ichimatsu: Print = {
  blocks: (width, height) => {
    const margin = Math.round(Math.min(width, height) * 0.062);
    const [w, h] = [width - 2 * margin, height - 2 * margin];
    const darkSquares: string[] = [];
    const light: string[] = [];
    for (let j = 0; j < swell.cells; j++) {
      for (let i = 0; i < swell.cells; i++) {
        const x0 = margin + (swell.marks[i] as number) * w;
        const x1 = margin + (swell.marks[i + 1] as number) * w;
        const y0 = margin + (swell.marks[j] as number) * h;
        const y1 = margin + (swell.marks[j + 1] as number) * h;
        const cell = `M${formatSvgNumber(x0)} ${formatSvgNumber(y0)}H${formatSvgNumber(x1)}V${formatSvgNumber(y1)}H${formatSvgNumber(x0)}Z`;
        ((i + j) % 2 === 0 ? darkSquares : light).push(cell);
      }
    }
    const fill = (cells: string[]): string => svg(width, height, `<path d="${cells.join("")}" fill="#fff"/>`);
    return [fill(darkSquares), fill(light)];
  },
  applyPigments: (p) => {
    const u = p.x / p.width - 0.5;
    const v = p.y / p.height - 0.5;
    const rim = smoothstep(0.12, 0.5, Math.hypot(u, v));
    p.lay(mixPigment(pigments.indigo, pigments.indigoDeep, rim), p.block(0) * 0.97);
    p.lay(pigments.ochre, p.block(1) * (0.82 * rim + 0.05));
  },
};

/** Forty-eight cloths in indigo shades, four in a row. */
export const ai: Print = {
  blocks: () => [],
  applyPigments: (p) => {
    const gap = p.width * 0.014;
    const w = (p.width - 2 * p.margin + gap) / 4;
    const h = (p.height - 2 * p.margin + gap) / 12;
    const i = Math.floor((p.x - p.margin) / w);
    const j = Math.floor((p.y - p.margin) / h);
    if (i < 0 || j < 0 || i > 3 || j > 11) return;
    const fx = p.x - p.margin - i * w;
    const fy = p.y - p.margin - j * h;
    const wobble = 0.9 * (noise(p.x / 14, p.y / 14, 451) - 0.5) * 2;
    const edge = Math.min(fx, w - gap - fx, fy, h - gap - fy) + wobble;
    const cloth = clamp(edge * 0.8);
    if (cloth <= 0) return;
    const dye = (j * 4 + i) / 47;
    // Threads cross over and under each other. The dye is darker at the edges of a cloth.
    const [tx, ty] = [Math.floor(p.x / 2.4), Math.floor(p.y / 2.4)];
    const isOver = (tx + ty) % 2 === 0;
    const thread = (random(isOver ? tx : 0, isOver ? 0 : ty, 452) - 0.5) * 0.055 + (isOver ? 0.018 : -0.018);
    const uneven = (fbm(p.x / 60, p.y / 60, 3, 453 + j * 4 + i) - 0.5) * 0.05;
    const gathered = 0.03 * Math.exp(-Math.max(0, edge) / 5);
    const [r, g, b] = dippedIndigo(dye + uneven * (0.3 + dye) + thread * 0.6 + gathered);
    p.r = lerp(p.r, r, cloth);
    p.g = lerp(p.g, g, cloth);
    p.b = lerp(p.b, b, cloth);
  },
};

/** A Miura fold that rises towards the middle, lit from the upper left. */
export const fold: Print = {
  blocks: () => [],
  applyPigments: (p) => {
    const columns = 9;
    const size = (p.width - 2 * p.margin) / columns;
    const slant = size * 0.36;
    const y = (p.y - p.margin) / size;
    const row = Math.floor(y);
    const fy = y - row;
    // Rows lean in alternating directions, so that creases form zigzags.
    const lean = row % 2 === 0 ? fy : 1 - fy;
    const x = (p.x - p.margin + slant * (lean - 0.5)) / size;
    const column = Math.floor(x);
    const fx = x - column;
    const u = p.x / p.width - 0.5;
    const v = p.y / p.height - 0.5;
    const raised = smoothstep(0.62, 0.08, Math.hypot(u, v));
    // A face slopes left or right by its column, and up or down by its row.
    const [sx, sy] = [column % 2 === 0 ? 1 : -1, row % 2 === 0 ? 1 : -1];
    const slope = 0.75 * raised;
    const [nx, ny, nz] = [-sx * slope, -sy * slope * 0.62, 1];
    const l = Math.hypot(nx, ny, nz);
    const light = (-0.56 * nx - 0.5 * ny + 0.66 * nz) / l;
    const valley = sx > 0 ? 1 - fx : fx;
    const hollow = raised * 0.12 * (1 - valley) ** 2;
    const crease = Math.min(fx, 1 - fx, fy, 1 - fy) * size;
    const line = (0.1 + 0.12 * raised) * (1 - smoothstep(0.2, 1.7, crease));
    const shade = clamp(0.66 - light + hollow + line, -0.2, 0.75);
    p.lay([0.4, 0.43, 0.52], p.inside * Math.max(0, shade) * 0.86);
    p.cover([1, 0.995, 0.98], p.inside * Math.max(0, -shade) * 1.6);
  },
};
