/** The twelve prints and the poster. Each follows one rule; what it says about itself is in demo-texts.ts. */

import type { WorkId } from "../../../seed/gallery-plan";
import { clamp, fbm, mix, noise, random, randomSequence, smoothstep } from "../noise";
import { wordLines } from "../scene/sign";
import { n, type Pigment, type Press, type Print, pigment, pigments, polygon, svg } from "./press";

/** Indigo in ever deeper dippings, from a cloth that only peeped into the vat to nearly black. */
const dippings: readonly Pigment[] = [
  "#e3ecea",
  "#cfe0e6",
  "#b0cdd9",
  "#8db5cb",
  "#6a9bbb",
  "#4d82a8",
  "#396a96",
  "#2d5585",
  "#254474",
  "#1e3562",
  "#18284e",
  "#111c39",
  "#0c1328",
].map(pigment);

function dipping(t: number): Pigment {
  const x = clamp(t) * (dippings.length - 1);
  const i = Math.min(dippings.length - 2, Math.floor(x));
  const [a, b] = [dippings[i], dippings[i + 1]] as [Pigment, Pigment];
  const f = x - i;
  return [mix(a[0], b[0], f), mix(a[1], b[1], f), mix(a[2], b[2], f)];
}

/** What depends on nothing but how far to the right a pixel lies, found out once for each column of a sheet. */
function byColumn(find: (u: number) => number): (p: Press) => number {
  let known = new Float64Array(0);
  return (p) => {
    if (known.length !== p.width) known = new Float64Array(p.width).fill(Number.NaN);
    const column = Math.floor(p.x);
    let value = known[column] as number;
    if (Number.isNaN(value)) {
      value = find(p.x / p.width);
      known[column] = value;
    }
    return value;
  };
}

/** The hemp leaf: every triangle of a lattice, joined from its middle to its corners; lines thin out upwards. */
const asanoha: Print = {
  blocks: (width, height) => {
    const side = width / 5.5;
    const rise = (side * Math.sqrt(3)) / 2;
    const weight = (y: number): number =>
      mix(1.35, 8.2, clamp((y - height * 0.08) / (height * 0.84)) ** 1.25);
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
        // The triangle that stands on this edge and the one that hangs from it.
        for (const tip of [upper, y + rise]) {
          const middle = y + (tip - y) / 3;
          paths.push(line(l, y, t, middle), line(r, y, t, middle), line(t, tip, t, middle));
        }
        paths.push(line(l, y, r, y), line(l, y, t, upper), line(r, y, t, upper));
      }
    }
    return [svg(width, height, `<path d="${paths.join("")}" fill="#fff"/>`)];
  },
  ink: (p) => {
    const v = p.y / p.height;
    p.lay(pigments.indigoPale, p.inside * 0.16 * smoothstep(0.35, 1, v));
    p.lay(
      mixPigment(pigments.indigoMid, pigments.indigo, smoothstep(0.1, 0.75, v)),
      p.inside * p.block(0) * 0.96,
    );
  },
};

/** A check whose squares widen towards the middle. */
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

const ichimatsu: Print = {
  blocks: (width, height) => {
    const margin = Math.round(Math.min(width, height) * 0.062);
    const [w, h] = [width - 2 * margin, height - 2 * margin];
    const dark: string[] = [];
    const light: string[] = [];
    for (let j = 0; j < swell.cells; j++) {
      for (let i = 0; i < swell.cells; i++) {
        const x0 = margin + (swell.marks[i] as number) * w;
        const x1 = margin + (swell.marks[i + 1] as number) * w;
        const y0 = margin + (swell.marks[j] as number) * h;
        const y1 = margin + (swell.marks[j + 1] as number) * h;
        const cell = `M${n(x0)} ${n(y0)}H${n(x1)}V${n(y1)}H${n(x0)}Z`;
        ((i + j) % 2 === 0 ? dark : light).push(cell);
      }
    }
    const fill = (cells: string[]): string => svg(width, height, `<path d="${cells.join("")}" fill="#fff"/>`);
    return [fill(dark), fill(light)];
  },
  ink: (p) => {
    const u = p.x / p.width - 0.5;
    const v = p.y / p.height - 0.5;
    const rim = smoothstep(0.12, 0.5, Math.hypot(u, v));
    p.lay(mixPigment(pigments.indigo, pigments.indigoDeep, rim), p.block(0) * 0.97);
    p.lay(pigments.ochre, p.block(1) * (0.82 * rim + 0.05));
  },
};

/** One month in twenty-five moons. */
const moons: Print = {
  blocks: (width, height) => {
    const margin = Math.round(Math.min(width, height) * 0.062);
    const step = (width - 2 * margin) / 5;
    const radius = step * 0.335;
    const lit: string[] = [];
    const discs: string[] = [];
    let full = "";
    for (let k = 0; k < 25; k++) {
      const x = margin + ((k % 5) + 0.5) * step;
      const y = margin + (Math.floor(k / 5) + 0.5) * step;
      discs.push(`<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"/>`);
      if (k === 12) {
        full = `<circle cx="${n(x)}" cy="${n(y)}" r="${n(radius)}" fill="#fff"/>`;
        continue;
      }
      // The terminator is half an ellipse; before full moon the right side is lit, after it the left.
      const age = k / 24;
      const width2 = Math.cos(age * 2 * Math.PI) * radius;
      const waxing = age < 0.5;
      const side = waxing ? 1 : 0;
      const bulge = width2 > 0 ? 1 - side : side;
      if (Math.abs(1 - Math.cos(age * 2 * Math.PI)) < 0.002) continue;
      lit.push(
        `M${n(x)} ${n(y - radius)}A${n(radius)} ${n(radius)} 0 0 ${side} ${n(x)} ${n(y + radius)}A${n(Math.abs(width2))} ${n(radius)} 0 0 ${bulge} ${n(x)} ${n(y - radius)}Z`,
      );
    }
    return [
      svg(width, height, `<path d="${lit.join("")}" fill="#fff"/>`),
      svg(width, height, `<g fill="#fff">${discs.join("")}</g>`),
      svg(width, height, full),
    ];
  },
  ink: (p) => {
    const [lit, disc, full] = [p.block(0), p.block(1), p.block(2)];
    const bright = Math.max(lit, full);
    const v = p.y / p.height;
    p.lay(
      mixPigment(pigments.indigo, pigments.indigoDeep, 0.25 + 0.75 * Math.abs(v - 0.5)),
      p.inside * (1 - bright) * (disc > 0.5 ? 0.8 : 0.97),
    );
    // The faces of the moons: a breath of pale ink.
    const sea = fbm(
      p.x / 46,
      p.y / 46,
      3,
      401 + Math.floor((p.x / p.width) * 5) * 13 + Math.floor((p.y / p.height) * 5) * 7,
    );
    p.lay(pigments.inkPale, lit * smoothstep(0.5, 0.68, sea) * 0.3);
    p.lay(pigments.vermilion, full * (0.97 - smoothstep(0.5, 0.7, sea) * 0.1));
  },
};

/** Five stones and lines of equal distance around them. */
const stones: readonly (readonly [x: number, y: number, radius: number][])[] = [
  [
    [0.24, 0.36, 0.062],
    [0.285, 0.33, 0.05],
    [0.262, 0.405, 0.05],
  ],
  [
    [0.36, 0.47, 0.03],
    [0.378, 0.465, 0.025],
  ],
  [
    [0.71, 0.27, 0.042],
    [0.745, 0.25, 0.034],
  ],
  [
    [0.63, 0.68, 0.05],
    [0.685, 0.695, 0.058],
    [0.735, 0.67, 0.036],
  ],
  [[0.145, 0.72, 0.032]],
];

/** −1…1: whether the rim of a stone at this place looks to the lower right or to the upper left. */
function facing(u: number, v: number, scaleY: number, which: number): number {
  const stone = stones[which] ?? [];
  const x = stone.reduce((sum, disc) => sum + disc[0], 0) / stone.length;
  const y = (stone.reduce((sum, disc) => sum + disc[1], 0) / stone.length) * scaleY;
  const l = Math.hypot(u - x, v - y) || 1;
  return -((u - x) * 0.7 + (v - y) * 0.7) / l;
}

const sands = ["#e6dfd0", "#b9b2a6", "#6f7684"].map(pigment) as [Pigment, Pigment, Pigment];

const garden: Print = {
  blocks: () => [],
  ink: (p) => {
    const u = p.x / p.width;
    const scaleY = p.height / p.width;
    const v = (p.y / p.height) * scaleY;
    let nearest = 9;
    let which = 0;
    stones.forEach((stone, k) => {
      // A soft union of discs is the outline of a stone.
      let sum = 0;
      for (const [x, y, radius] of stone) sum += Math.exp(-(Math.hypot(u - x, v - y * scaleY) - radius) * 90);
      const d = -Math.log(sum) / 90;
      if (d < nearest) {
        nearest = d;
        which = k;
      }
    });
    const period = 1 / 70;
    const moss = 0.008 + 0.004 * noise(u * 60, v * 60, 411);
    const stone = smoothstep(0.0007, -0.0007, nearest);
    const onMoss = smoothstep(0.0012, -0.0012, nearest - moss) * (1 - stone);
    const phase = nearest / period - 0.75;
    const ridge = 0.5 - 0.5 * Math.cos(phase * 2 * Math.PI);
    const line = smoothstep(0.62, 0.98, ridge);
    const shade = 0.5 - 0.5 * Math.sin(phase * 2 * Math.PI);
    const sand = p.inside * (1 - stone) * (1 - onMoss);
    p.lay(sands[0], sand * 0.8);
    p.lay(sands[1], sand * (0.16 * shade + 0.05));
    p.lay(sands[2], sand * line * 0.66);
    if (onMoss > 0)
      p.lay(pigments.verdigris, p.inside * onMoss * (0.72 + 0.28 * noise(u * 300, v * 300, 412)));
    if (stone <= 0) return;
    // Lit from the upper left: the rim that looks there stays paler.
    const lift = smoothstep(-0.035, 0, nearest);
    const light = clamp(
      0.5 + (fbm(u * 24, v * 24, 4, 413 + which) - 0.5) * 1.9 - lift * 0.9 * facing(u, v, scaleY, which),
    );
    p.lay(mixPigment(pigments.inkPale, pigments.ink, 0.55 + 0.45 * light), p.inside * stone * 0.96);
  },
};

/** Rain at two angles over three hills. */
const hill = (u: number, k: number): number => {
  const base = [0.56, 0.68, 0.82][k] as number;
  const height = [0.12, 0.11, 0.09][k] as number;
  return (
    base -
    height * (fbm(u * (1.5 + k * 0.6) + k * 7.7, 3.3, 4, 421 + k) - 0.35) * 2 -
    0.012 * noise(u * 40, k, 425)
  );
};

const hills = [0, 1, 2].map((k) => byColumn((u) => hill(u, k)));
const wiped = byColumn((u) => 0.02 * (noise(u * 5, 1, 426) - 0.5));

const rain: Print = {
  blocks: (width, height) => {
    const draw = (angle: number, count: number, seed: number, weight: number): string => {
      const next = randomSequence(seed);
      // How far a line moves to the left on its way down.
      const drift = height / Math.tan((angle * Math.PI) / 180);
      const lines: string[] = [];
      for (let i = 0; i < count; i++) {
        const x = ((i + next() * 0.85) / count) * (width + drift);
        // Each line begins and ends somewhere: rain, not ruled paper.
        const from = next() < 0.5 ? -0.02 : next() * 0.6;
        const to = next() < 0.55 ? 1.02 : from + 0.3 + next() * 0.6;
        lines.push(`M${n(x - from * drift)} ${n(from * height)}L${n(x - to * drift)} ${n(to * height)}`);
      }
      return `<path d="${lines.join("")}" stroke="#fff" stroke-width="${weight}" fill="none"/>`;
    };
    return [svg(width, height, draw(74, 128, 31, 1.6)), svg(width, height, draw(80, 62, 37, 1.3))];
  },
  ink: (p) => {
    const v = p.y / p.height;
    // The wiped band of the sky, and a second breath of it above the hills.
    p.lay(pigments.indigo, p.inside * 0.95 * smoothstep(0.3, 0.06, v + wiped(p)));
    p.lay(pigments.indigoPale, p.inside * 0.5 * smoothstep(0.75, 0.2, v));
    const strengths = [0.42, 0.66, 0.97];
    const tones = [pigments.indigoPale, pigments.indigoMid, pigments.indigoDeep] as const;
    for (let k = 0; k < 3; k++) {
      const top = (hills[k] as (p: Press) => number)(p);
      const cover = smoothstep(-0.0008, 0.0008, v - top);
      if (cover === 0) continue;
      // What is nearer hides what is behind, then fades downwards into the wet.
      p.cover([0.962, 0.948, 0.91], p.inside * cover * (k === 0 ? 0.6 : 0.82));
      const fade =
        k === 2 ? mix(1, 0.62, clamp((v - top) / 0.25)) : Math.exp(-(v - top) * (k === 0 ? 11 : 8));
      p.lay(tones[k] as Pigment, p.inside * cover * (strengths[k] as number) * fade);
    }
    p.lay(pigments.ink, p.inside * p.block(0) * 0.62);
    p.lay(pigments.ink, p.inside * p.block(1) * 0.42);
  },
};

/** The wave pattern, drawn in perspective up to the horizon. */
const skyEdge = byColumn((u) => 0.012 * (noise(u * 6, 2, 431) - 0.5));
const glow = pigment("#e9c9a4");

const waves: Print = {
  blocks: (width, height) => {
    const horizon = height * 0.27;
    const rings: string[] = [];
    const bands: string[] = [];
    const hearts: string[] = [];
    let radius = width * 0.0085;
    let y = horizon + radius * 0.4;
    for (let row = 0; y - radius < height + radius; row++) {
      const step = radius * 2;
      const count = Math.ceil(width / step / 2) + 2;
      const shift = row % 2 === 0 ? 0 : radius;
      for (let i = -count; i <= count; i++) {
        const x = width / 2 + i * step + shift;
        const disc = (r: number, fill: string): string =>
          `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="${fill}"/>`;
        const ring = (r: number, w: number): string =>
          `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="none" stroke="#fff" stroke-width="${n(w)}"/>`;
        // A nearer wave hides the ones behind it on every block.
        rings.push(
          disc(radius, "#000"),
          ring(radius * 0.97, radius * 0.06),
          ring(radius * 0.75, radius * 0.035),
          ring(radius * 0.53, radius * 0.035),
          ring(radius * 0.31, radius * 0.035),
        );
        bands.push(disc(radius, "#000"), ring(radius * 0.64, radius * 0.22));
        hearts.push(disc(radius, "#000"), disc(radius * 0.31, "#fff"), ring(radius * 0.86, radius * 0.14));
      }
      const next = radius * 1.165;
      y += next * 0.56;
      radius = next;
    }
    return [rings, bands, hearts].map((shapes) => svg(width, height, shapes.join("")));
  },
  ink: (p) => {
    const v = p.y / p.height;
    const near = smoothstep(0.25, 1, v);
    const sea = smoothstep(0.268, 0.272, v);
    // Sky: the wiped band on top and a pale glow on the horizon.
    p.lay(pigments.indigoMid, p.inside * (1 - sea) * 0.85 * smoothstep(0.2, 0.04, v + skyEdge(p)));
    p.lay(glow, p.inside * (1 - sea) * 0.5 * smoothstep(0.15, 0.27, v));
    p.lay(pigments.indigoPale, p.inside * sea * (0.32 + 0.35 * near));
    const depth = mixPigment(pigments.indigoMid, pigments.indigo, near);
    p.lay(depth, p.inside * sea * p.block(2) * (0.35 + 0.6 * near));
    p.lay(pigments.indigoMid, p.inside * sea * p.block(1) * (0.22 + 0.4 * near));
    p.lay(mixPigment(depth, pigments.indigoDeep, near), p.inside * sea * p.block(0) * (0.55 + 0.42 * near));
  },
};

/** Bamboo from five blocks of growing strength. */
const dawn = pigment("#e4e6d6");
const nearLeaf = pigment("#1f332f");

const bamboo: Print = {
  blocks: (width, height) =>
    Array.from({ length: 5 }, (_, layer) => {
      const next = randomSequence(500 + layer * 17);
      const near = layer / 4;
      const count = [17, 12, 8, 5, 3][layer] as number;
      const shapes: string[] = [];
      const leaves: string[] = [];
      const gaps: string[] = [];
      for (let i = 0; i < count; i++) {
        const x = ((i + 0.15 + next() * 0.7) / count) * width;
        const stalk = mix(width * 0.008, width * 0.05, near ** 1.35) * (0.75 + next() * 0.5);
        const lean = (next() - 0.5) * width * 0.05;
        const at = (t: number): number => x + lean * (t - 0.5);
        const half = (t: number): number => (stalk / 2) * (0.86 + 0.14 * t);
        shapes.push(
          polygon([
            [at(-0.05) - half(0), -0.05 * height],
            [at(-0.05) + half(0), -0.05 * height],
            [at(1.05) + half(1), 1.05 * height],
            [at(1.05) - half(1), 1.05 * height],
          ]),
        );
        let t = next() * 0.12;
        while (t < 1.05) {
          const y = t * height;
          const w = half(t) * 1.16;
          // A node: a swelling with an unprinted line above it.
          shapes.push(
            `M${n(at(t) - w)} ${n(y)}q${n(w)} ${n(stalk * 0.16)} ${n(2 * w)} 0l${n(-0.1 * w)} ${n(stalk * 0.2)}q${n(-0.9 * w)} ${n(stalk * 0.12)} ${n(-1.8 * w)} 0Z`,
          );
          gaps.push(
            `M${n(at(t) - w * 1.05)} ${n(y - stalk * 0.06)}q${n(w)} ${n(stalk * 0.16)} ${n(2.1 * w)} 0`,
          );
          if (layer >= 1 && next() < 0.34 && t > 0.04 && t < 0.75) {
            const side = next() < 0.5 ? -1 : 1;
            const twigs = 2 + Math.floor(next() * 3);
            for (let k = 0; k < twigs; k++) {
              const length = mix(width * 0.06, width * 0.19, near) * (0.6 + next() * 0.6);
              const angle = 0.35 + next() * 0.85;
              const [bx, by] = [at(t) + side * (half(t) + next() * width * 0.03), y + next() * stalk];
              leaves.push(
                leaf(
                  bx,
                  by,
                  side * Math.cos(angle) * length,
                  Math.sin(angle) * length,
                  0.075 + next() * 0.03,
                ),
              );
            }
          }
          t += mix(0.085, 0.2, near) * (0.85 + next() * 0.3);
        }
      }
      return svg(
        width,
        height,
        `<path d="${shapes.join("")}" fill="#fff"/><path d="${gaps.join("")}" stroke="#000" fill="none" stroke-width="${n(mix(1, 4.5, near))}"/><path d="${leaves.join("")}" fill="#fff"/>`,
      );
    }),
  ink: (p) => {
    const u = p.x / p.width;
    const v = p.y / p.height;
    p.lay(dawn, p.inside * 0.6 * smoothstep(1, 0.1, v));
    for (let layer = 0; layer < 5; layer++) {
      const amount = p.block(layer);
      if (amount === 0) continue;
      const near = layer / 4;
      const mist = smoothstep(
        0.3,
        0.75,
        fbm(u * 2.2 + layer * 3.1, v * 3.4, 3, 441 + layer) +
          (v - 0.62) * mix(1.15, 0.35, near) +
          0.16 * (1 - near),
      );
      const strength = mix(0.2, 0.95, near ** 1.2) * (1 - mist * mix(0.96, 0.55, near));
      const tone = mixPigment(pigments.verdigris, nearLeaf, near);
      p.cover([0.95, 0.942, 0.9], p.inside * amount * strength * 0.7);
      p.lay(tone, p.inside * amount * strength);
    }
  },
};

function leaf(x: number, y: number, dx: number, dy: number, width: number): string {
  const [nx, ny] = [-dy * width, dx * width];
  return `M${n(x)} ${n(y)}C${n(x + dx * 0.3 + nx)} ${n(y + dy * 0.3 + ny)} ${n(x + dx * 0.7 + nx * 0.7)} ${n(y + dy * 0.7 + ny * 0.7)} ${n(x + dx)} ${n(y + dy)}C${n(x + dx * 0.6 - nx * 0.6)} ${n(y + dy * 0.6 - ny * 0.6)} ${n(x + dx * 0.25 - nx)} ${n(y + dy * 0.25 - ny)} ${n(x)} ${n(y)}Z`;
}

/** Forty-eight dippings, four in a row. */
const ai: Print = {
  blocks: () => [],
  ink: (p) => {
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
    // Threads cross over and under; dye gathers a little at the edges of a cloth.
    const [tx, ty] = [Math.floor(p.x / 2.4), Math.floor(p.y / 2.4)];
    const over = (tx + ty) % 2 === 0;
    const thread = (random(over ? tx : 0, over ? 0 : ty, 452) - 0.5) * 0.055 + (over ? 0.018 : -0.018);
    const uneven = (fbm(p.x / 60, p.y / 60, 3, 453 + j * 4 + i) - 0.5) * 0.05;
    const gathered = 0.03 * Math.exp(-Math.max(0, edge) / 5);
    const [r, g, b] = dipping(dye + uneven * (0.3 + dye) + thread * 0.6 + gathered);
    p.r = mix(p.r, r, cloth);
    p.g = mix(p.g, g, cloth);
    p.b = mix(p.b, b, cloth);
  },
};

/** A Miura fold that rises towards the middle, lit from the upper left. */
const fold: Print = {
  blocks: () => [],
  ink: (p) => {
    const columns = 9;
    const size = (p.width - 2 * p.margin) / columns;
    const slant = size * 0.36;
    const y = (p.y - p.margin) / size;
    const row = Math.floor(y);
    const fy = y - row;
    // Each row leans the other way, so that creases run in zigzags.
    const lean = row % 2 === 0 ? fy : 1 - fy;
    const x = (p.x - p.margin + slant * (lean - 0.5)) / size;
    const column = Math.floor(x);
    const fx = x - column;
    const u = p.x / p.width - 0.5;
    const v = p.y / p.height - 0.5;
    const raised = smoothstep(0.62, 0.08, Math.hypot(u, v));
    // A face slopes left or right by its column, up or down by its row.
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

/** Six hundred arcs of forty degrees about one point. */
const [dusk, midnight] = ["#2c4685", "#0d1636"].map(pigment) as [Pigment, Pigment];
const skyline = byColumn((u) => 0.9 - 0.1 * fbm(u * 2.6, 0.4, 4, 461) * 1.4 - 0.008 * noise(u * 70, 0, 462));

const stars: Print = {
  blocks: (width, height) => {
    const [cx, cy] = [width * 0.64, height * 0.4];
    const next = randomSequence(61);
    const groups: string[][] = [[], [], []];
    const heads: string[] = [];
    const turn = (40 * Math.PI) / 180;
    for (let i = 0; i < 600; i++) {
      const r = Math.sqrt(next()) * width * 0.72 + 8;
      const a = next() * 2 * Math.PI;
      const bright = next() ** 2.6;
      const [x0, y0, x1, y1] = [
        cx + r * Math.cos(a),
        cy + r * Math.sin(a),
        cx + r * Math.cos(a + turn),
        cy + r * Math.sin(a + turn),
      ];
      const group = groups[Math.min(2, Math.floor(next() * 3))] as string[];
      group.push(
        `<path d="M${n(x0)} ${n(y0)}A${n(r)} ${n(r)} 0 0 1 ${n(x1)} ${n(y1)}" stroke-width="${n(0.8 + bright * 2.8)}"/>`,
      );
      if (bright > 0.35) heads.push(`<circle cx="${n(x1)}" cy="${n(y1)}" r="${n(1.3 + bright * 2.6)}"/>`);
    }
    const strokes = (shapes: string[]): string =>
      svg(width, height, `<g stroke="#fff" fill="none" stroke-linecap="round">${shapes.join("")}</g>`);
    return [
      strokes(groups[0] as string[]),
      strokes(groups[1] as string[]),
      strokes(groups[2] as string[]),
      svg(width, height, `<g fill="#fff">${heads.join("")}<circle cx="${n(cx)}" cy="${n(cy)}" r="4.2"/></g>`),
    ];
  },
  ink: (p) => {
    const u = p.x / p.width;
    const v = p.y / p.height;
    const d = Math.hypot(u - 0.64, (v - 0.4) * (p.height / p.width));
    p.lay(mixPigment(dusk, midnight, smoothstep(0, 0.62, d + 0.18 * (v - 0.4))), p.inside * 1.12);
    const ground = smoothstep(-0.001, 0.001, v - skyline(p));
    const sky = p.inside * (1 - ground);
    p.cover(pigments.shell, sky * p.block(0) * 0.62);
    p.cover(pigments.gold, sky * p.block(1) * 0.9);
    p.cover(pigments.indigoPale, sky * p.block(2) * 0.6);
    p.cover(pigments.shell, sky * p.block(3) * 0.96);
    p.lay([0.32, 0.36, 0.5], p.inside * ground * 0.9);
  },
};

/** Eight ridgelines with mist between them, and a sun that touches the last. */
const ridgeAt = (u: number, k: number): number => {
  const base = 0.44 + k * 0.064;
  const rough = fbm(u * (1.7 + k * 0.32) + k * 5.31, 1.7, 5, 471 + k) - 0.5;
  return base - rough * (0.3 - k * 0.014);
};

const ridgeTops = Array.from({ length: 8 }, (_, k) => byColumn((u) => ridgeAt(u, k)));
const sunTop = ridgeAt(0.66, 0);
const haze = pigment("#f0cdb4");

const ridges: Print = {
  blocks: () => [],
  ink: (p) => {
    const u = p.x / p.width;
    const v = p.y / p.height;
    const aspect = p.width / p.height;
    // Behind everything: the sky, and the sun resting on the farthest ridge.
    p.lay(pigments.indigoPale, p.inside * 0.55 * smoothstep(0.36, 0.02, v));
    p.lay(haze, p.inside * 0.5 * smoothstep(0.16, 0.48, v));
    const radius = 0.105;
    const [sx, sy] = [0.66, sunTop - radius * 0.86];
    const sun = smoothstep(0.0014, -0.0014, Math.hypot((u - sx) * aspect, v - sy) - radius);
    p.lay(pigments.vermilion, p.inside * sun * 0.95);
    for (let k = 0; k < 8; k++) {
      const top = (ridgeTops[k] as (p: Press) => number)(p);
      const cover = smoothstep(-0.0009, 0.0009, v - top);
      if (cover === 0) continue;
      const near = k / 7;
      p.cover([0.962, 0.945, 0.903], p.inside * cover);
      const deep = dipping(mix(0.2, 0.9, near ** 0.9));
      const fade = mix(Math.exp(-(v - top) * 13), 1, k === 7 ? 0.75 : 0.05);
      p.lay(deep, p.inside * cover * fade * 0.98);
    }
  },
};

/** One stroke of two hundred and forty bristles. */
const enso: Print = {
  blocks: () => [],
  ink: (p) => {
    const w = p.width;
    const [cx, cy] = [w * 0.5, p.height * 0.44];
    const dx = (p.x - cx) / w;
    const dy = (p.y - cy) / w;
    // Begins at the lower left and runs clockwise for 341 degrees.
    const begin = 2.2;
    let a = Math.atan2(dy, dx) - begin;
    a = ((a % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    const t = a / (2 * Math.PI);
    const radius = 0.33 + 0.008 * Math.sin(a * 2 + 0.6) + 0.003 * Math.sin(a * 3 + 2) - 0.012 * t;
    const half =
      0.058 *
      (0.72 + 0.42 * Math.sin(Math.PI * Math.min(1, t * 1.1)) + 0.1 * Math.sin(a * 5)) *
      (t > 0.86 ? 1 - (t - 0.86) * 2.1 : 1);
    const rho = (Math.hypot(dx, dy * 1.02) - radius) / half;
    if (rho < -1.25 || rho > 1.25) return seal(p);
    const end = 341 / 360 - 0.02 * noise(rho * 9, 3, 481) - 0.035 * (rho + 1) * 0.5;
    const bristle = Math.floor((rho + 1.25) * 96);
    const along = a * 26;
    const wet = 1.2 - 0.47 * smoothstep(0.12, 1, t) - 0.16 * smoothstep(0.6, 1.2, Math.abs(rho));
    const own = random(bristle, 0, 482) * 0.55 + random(bristle >> 2, 1, 483) * 0.45;
    const skip =
      noise(along * 0.32, bristle * 0.33, 484) * 0.55 +
      noise(along * 1.4, bristle * 0.9, 485) * 0.25 +
      p.grain * 0.3;
    const inked = smoothstep(-0.06, 0.13, wet - own * 0.5 - skip * (0.3 + 0.62 * t));
    const side = smoothstep(1.02 + 0.07 * (own - 0.5), 0.965 + 0.07 * (own - 0.5), Math.abs(rho));
    const tip =
      smoothstep(0, 0.012, t + 0.01 * (own - 0.5)) * smoothstep(end + 0.004, end - 0.02 - 0.05 * own, t);
    // At the start the full brush presses down once.
    const press = smoothstep(1, 0.82, Math.hypot((t - 0.012) / 0.022, rho * 0.92));
    const amount = Math.max(inked * side * tip, press * side * (t < 0.05 ? 1 : 0));
    // A brush leaves no grain of wood.
    p.lay(pigments.ink, (clamp(amount) * (0.93 + 0.05 * wet)) / (1 - 0.2 * p.grain));
    seal(p);
  },
};

/** A red seal with a plan of four rooms, the product's own mark. */
function seal(p: Press): void {
  const size = p.width * 0.07;
  const x = (p.x - p.width * 0.76) / size;
  const y = (p.y - p.height * 0.81) / size;
  if (x < 0 || y < 0 || x > 1 || y > 1) return;
  const ring = Math.min(x, y, 1 - x, 1 - y);
  const lines = ring > 0.1 && ring < 0.17;
  const inner =
    (Math.abs(x - 0.58) < 0.035 && y > 0.13 && y < 0.87) ||
    (Math.abs(y - 0.46) < 0.035 && x > 0.58 && x < 0.87) ||
    (Math.abs(y - 0.68) < 0.035 && x > 0.13 && x < 0.58 && (x < 0.28 || x > 0.42));
  p.lay(pigments.vermilion, lines || inner ? 0.06 : 0.97);
}

/** The poster: one disc of waves, one small sun, and the title in strokes. */
const poster: Print = {
  blocks: (width, height) => {
    const [cx, cy, big] = [width * 0.5, height * 0.4, width * 0.37];
    const rings: string[] = [];
    const r = width * 0.066;
    for (let row = -2; cy - big + row * r * 0.56 < cy + big + r; row++) {
      const y = cy - big + row * r * 0.56;
      for (let i = -8; i <= 8; i++) {
        const x = cx + i * 2 * r + (row & 1 ? r : 0);
        rings.push(`<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" fill="#000"/>`);
        for (const k of [0.95, 0.73, 0.51, 0.29])
          rings.push(
            `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r * k)}" fill="none" stroke="#fff" stroke-width="${n(r * 0.055)}"/>`,
          );
      }
    }
    const disc = `<circle cx="${n(cx)}" cy="${n(cy)}" r="${n(big)}" fill="#fff"/>`;
    const text = (word: string, y: number, size: number, weight: number, gap: number): string => {
      const { lines, width: wide } = wordLines(word, gap);
      const x0 = cx - (wide * size) / 2;
      const d = lines
        .map((line) => `M${line.map(([x, h]) => `${n(x0 + x * size)} ${n(y - h * size)}`).join("L")}`)
        .join("");
      return `<path d="${d}" stroke="#fff" stroke-width="${n(weight)}" fill="none" stroke-linecap="square" stroke-linejoin="miter"/>`;
    };
    return [
      svg(width, height, rings.join("")),
      svg(width, height, disc),
      svg(
        width,
        height,
        `<circle cx="${n(cx + big * 0.92)}" cy="${n(cy - big * 0.86)}" r="${n(width * 0.05)}" fill="#fff"/>`,
      ),
      svg(
        width,
        height,
        text("INDIGO AND PAPER", height * 0.79, width * 0.044, width * 0.0046, 0.42) +
          text("HIROBA", height * 0.89, width * 0.026, width * 0.003, 0.5),
      ),
    ];
  },
  ink: (p) => {
    const v = p.y / p.height;
    const disc = p.block(1);
    const deep = smoothstep(0.1, 0.68, v);
    p.lay(mixPigment(pigments.indigoPale, pigments.indigo, deep), disc * 0.95);
    p.cover(pigments.shell, disc * p.block(0) * 0.92);
    p.lay(pigments.vermilion, p.block(2) * 0.95);
    p.lay(pigments.indigoDeep, p.block(3) * 0.95);
  },
};

function mixPigment(a: Pigment, b: Pigment, t: number): Pigment {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
}

export type PrintId = WorkId | "poster";

export const prints: Readonly<Record<PrintId, Print>> = {
  asanoha,
  ichimatsu,
  moons,
  garden,
  rain,
  waves,
  bamboo,
  ai,
  fold,
  stars,
  ridges,
  enso,
  poster,
};
