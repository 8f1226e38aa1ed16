/** Prints of nature: moons, a stone garden, rain, waves and bamboo. */
import { smoothstep } from "~/viewer/core/flight";
import { clamp, fbm, lerp, noise, randomSequence } from "../noise";
import {
  formatSvgNumber,
  type Pigment,
  type Press,
  type Print,
  pigment,
  pigments,
  polygon,
  svg,
} from "./press";
import { byColumn, mixPigment } from "./shades";

/** One month as twenty-five moons. */
export const moons: Print = {
  blocks: (width, height) => {
    const margin = Math.round(Math.min(width, height) * 0.062);
    const step = (width - 2 * margin) / 5;
    const radius = step * 0.335;
    const litShapes: string[] = [];
    const discs: string[] = [];
    let full = "";
    for (let k = 0; k < 25; k++) {
      const x = margin + ((k % 5) + 0.5) * step;
      const y = margin + (Math.floor(k / 5) + 0.5) * step;
      discs.push(
        `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(radius)}"/>`,
      );
      if (k === 12) {
        full = `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(radius)}" fill="#fff"/>`;
        continue;
      }
      // The terminator is half an ellipse. Before full moon the right side is lit, afterwards the left side.
      const age = k / 24;
      const terminator = Math.cos(age * 2 * Math.PI) * radius;
      const waxing = age < 0.5;
      const side = waxing ? 1 : 0;
      const bulge = terminator > 0 ? 1 - side : side;
      if (Math.abs(1 - Math.cos(age * 2 * Math.PI)) < 0.002) continue;
      litShapes.push(
        `M${formatSvgNumber(x)} ${formatSvgNumber(y - radius)}A${formatSvgNumber(radius)} ${formatSvgNumber(radius)} 0 0 ${side} ${formatSvgNumber(x)} ${formatSvgNumber(y + radius)}A${formatSvgNumber(Math.abs(terminator))} ${formatSvgNumber(radius)} 0 0 ${bulge} ${formatSvgNumber(x)} ${formatSvgNumber(y - radius)}Z`,
      );
    }
    return [
      svg(width, height, `<path d="${litShapes.join("")}" fill="#fff"/>`),
      svg(width, height, `<g fill="#fff">${discs.join("")}</g>`),
      svg(width, height, full),
    ];
  },
  applyPigments: (p) => {
    const [litShapes, disc, full] = [p.block(0), p.block(1), p.block(2)];
    const bright = Math.max(litShapes, full);
    const v = p.y / p.height;
    p.lay(
      mixPigment(pigments.indigo, pigments.indigoDeep, 0.25 + 0.75 * Math.abs(v - 0.5)),
      p.inside * (1 - bright) * (disc > 0.5 ? 0.8 : 0.97),
    );
    // The moons' surfaces get a little pale ink.
    const sea = fbm(
      p.x / 46,
      p.y / 46,
      3,
      401 + Math.floor((p.x / p.width) * 5) * 13 + Math.floor((p.y / p.height) * 5) * 7,
    );
    p.lay(pigments.inkPale, litShapes * smoothstep(0.5, 0.68, sea) * 0.3);
    p.lay(pigments.vermilion, full * (0.97 - smoothstep(0.5, 0.7, sea) * 0.1));
  },
};

/** The stones of the garden, each as a union of discs. x and radius are shares of the sheet's width, y is a share of its height. */
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

/** Returns −1…1: −1 where the rim of a stone faces the lower right, 1 where it faces the upper left. */
function facingOf(u: number, v: number, scaleY: number, stoneIndex: number): number {
  const stone = stones[stoneIndex] ?? [];
  const x = stone.reduce((sum, disc) => sum + disc[0], 0) / stone.length;
  const y = (stone.reduce((sum, disc) => sum + disc[1], 0) / stone.length) * scaleY;
  const l = Math.hypot(u - x, v - y) || 1;
  return -((u - x) * 0.7 + (v - y) * 0.7) / l;
}

const sands = ["#e6dfd0", "#b9b2a6", "#6f7684"].map(pigment) as [Pigment, Pigment, Pigment];

/** Five stones with lines at equal distances around them. */
export const garden: Print = {
  blocks: () => [],
  applyPigments: (p) => {
    const u = p.x / p.width;
    const scaleY = p.height / p.width;
    const v = (p.y / p.height) * scaleY;
    let nearest = 9;
    let stoneIndex = 0;
    stones.forEach((stone, k) => {
      // The outline of a stone is a smooth union of discs.
      let sum = 0;
      for (const [x, y, radius] of stone) sum += Math.exp(-(Math.hypot(u - x, v - y * scaleY) - radius) * 90);
      const d = -Math.log(sum) / 90;
      if (d < nearest) {
        nearest = d;
        stoneIndex = k;
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
    // The light comes from the upper left, so that rim is paler.
    const lift = smoothstep(-0.035, 0, nearest);
    const darkness = clamp(
      0.5 +
        (fbm(u * 24, v * 24, 4, 413 + stoneIndex) - 0.5) * 1.9 -
        lift * 0.9 * facingOf(u, v, scaleY, stoneIndex),
    );
    p.lay(mixPigment(pigments.inkPale, pigments.ink, 0.55 + 0.45 * darkness), p.inside * stone * 0.96);
  },
};

/** Height of the outline of a hill of the rain print, as a share of the sheet from its top. */
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

const skyGradientEdge = byColumn((u) => 0.02 * (noise(u * 5, 1, 426) - 0.5));

/** Rain at two angles over three hills. */
export const rain: Print = {
  blocks: (width, height) => {
    const draw = (angle: number, count: number, seed: number, weight: number): string => {
      const next = randomSequence(seed);
      // Horizontal shift of a line over the height of the sheet.
      const drift = height / Math.tan((angle * Math.PI) / 180);
      const lines: string[] = [];
      for (let i = 0; i < count; i++) {
        const x = ((i + next() * 0.85) / count) * (width + drift);
        // Each line has a random start and end, so that the rain looks irregular.
        const startShare = next() < 0.5 ? -0.02 : next() * 0.6;
        const endShare = next() < 0.55 ? 1.02 : startShare + 0.3 + next() * 0.6;
        lines.push(
          `M${formatSvgNumber(x - startShare * drift)} ${formatSvgNumber(startShare * height)}L${formatSvgNumber(x - endShare * drift)} ${formatSvgNumber(endShare * height)}`,
        );
      }
      return `<path d="${lines.join("")}" stroke="#fff" stroke-width="${weight}" fill="none"/>`;
    };
    return [svg(width, height, draw(74, 128, 31, 1.6)), svg(width, height, draw(80, 62, 37, 1.3))];
  },
  applyPigments: (p) => {
    const v = p.y / p.height;
    // The sky has a graded band at the top, and a weaker one that fades down to the hills.
    p.lay(pigments.indigo, p.inside * 0.95 * smoothstep(0.3, 0.06, v + skyGradientEdge(p)));
    p.lay(pigments.indigoPale, p.inside * 0.5 * smoothstep(0.75, 0.2, v));
    const strengths = [0.42, 0.66, 0.97];
    const tones = [pigments.indigoPale, pigments.indigoMid, pigments.indigoDeep] as const;
    for (let k = 0; k < 3; k++) {
      const top = (hills[k] as (p: Press) => number)(p);
      const cover = smoothstep(-0.0008, 0.0008, v - top);
      if (cover === 0) continue;
      // Each hill covers those behind it, and fades downwards.
      p.cover([0.962, 0.948, 0.91], p.inside * cover * (k === 0 ? 0.6 : 0.82));
      const fade =
        k === 2 ? lerp(1, 0.62, clamp((v - top) / 0.25)) : Math.exp(-(v - top) * (k === 0 ? 11 : 8));
      p.lay(tones[k] as Pigment, p.inside * cover * (strengths[k] as number) * fade);
    }
    p.lay(pigments.ink, p.inside * p.block(0) * 0.62);
    p.lay(pigments.ink, p.inside * p.block(1) * 0.42);
  },
};

const skyEdge = byColumn((u) => 0.012 * (noise(u * 6, 2, 431) - 0.5));

const glow = pigment("#e9c9a4");

/** The wave pattern in perspective, up to the horizon. */
export const waves: Print = {
  blocks: (width, height) => {
    const horizon = height * 0.27;
    const rings: string[] = [];
    const bands: string[] = [];
    const centres: string[] = [];
    let radius = width * 0.0085;
    let y = horizon + radius * 0.4;
    for (let row = 0; y - radius < height + radius; row++) {
      const step = radius * 2;
      const count = Math.ceil(width / step / 2) + 2;
      const shift = row % 2 === 0 ? 0 : radius;
      for (let i = -count; i <= count; i++) {
        const x = width / 2 + i * step + shift;
        const disc = (r: number, fill: string): string =>
          `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(r)}" fill="${fill}"/>`;
        const ring = (r: number, w: number): string =>
          `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(r)}" fill="none" stroke="#fff" stroke-width="${formatSvgNumber(w)}"/>`;
        // A nearer wave covers the ones behind it on every block.
        rings.push(
          disc(radius, "#000"),
          ring(radius * 0.97, radius * 0.06),
          ring(radius * 0.75, radius * 0.035),
          ring(radius * 0.53, radius * 0.035),
          ring(radius * 0.31, radius * 0.035),
        );
        bands.push(disc(radius, "#000"), ring(radius * 0.64, radius * 0.22));
        centres.push(disc(radius, "#000"), disc(radius * 0.31, "#fff"), ring(radius * 0.86, radius * 0.14));
      }
      const nextRadius = radius * 1.165;
      y += nextRadius * 0.56;
      radius = nextRadius;
    }
    return [rings, bands, centres].map((shapes) => svg(width, height, shapes.join("")));
  },
  applyPigments: (p) => {
    const v = p.y / p.height;
    const near = smoothstep(0.25, 1, v);
    const sea = smoothstep(0.268, 0.272, v);
    // The sky has a graded band at the top and a pale glow on the horizon.
    p.lay(pigments.indigoMid, p.inside * (1 - sea) * 0.85 * smoothstep(0.2, 0.04, v + skyEdge(p)));
    p.lay(glow, p.inside * (1 - sea) * 0.5 * smoothstep(0.15, 0.27, v));
    p.lay(pigments.indigoPale, p.inside * sea * (0.32 + 0.35 * near));
    const depth = mixPigment(pigments.indigoMid, pigments.indigo, near);
    p.lay(depth, p.inside * sea * p.block(2) * (0.35 + 0.6 * near));
    p.lay(pigments.indigoMid, p.inside * sea * p.block(1) * (0.22 + 0.4 * near));
    p.lay(mixPigment(depth, pigments.indigoDeep, near), p.inside * sea * p.block(0) * (0.55 + 0.42 * near));
  },
};

const dawn = pigment("#e4e6d6");

const nearLeaf = pigment("#1f332f");

/** Bamboo in five layers of increasing strength. */
export const bamboo: Print = {
  blocks: (width, height) =>
    Array.from({ length: 5 }, (_, layer) => {
      const next = randomSequence(500 + layer * 17);
      const near = layer / 4;
      const count = [17, 12, 8, 5, 3][layer] as number;
      const shapes: string[] = [];
      const leafShapes: string[] = [];
      const gaps: string[] = [];
      for (let i = 0; i < count; i++) {
        const x = ((i + 0.15 + next() * 0.7) / count) * width;
        const stalk = lerp(width * 0.008, width * 0.05, near ** 1.35) * (0.75 + next() * 0.5);
        const lean = (next() - 0.5) * width * 0.05;
        const xAt = (t: number): number => x + lean * (t - 0.5);
        const halfWidthAt = (t: number): number => (stalk / 2) * (0.86 + 0.14 * t);
        shapes.push(
          polygon([
            [xAt(-0.05) - halfWidthAt(0), -0.05 * height],
            [xAt(-0.05) + halfWidthAt(0), -0.05 * height],
            [xAt(1.05) + halfWidthAt(1), 1.05 * height],
            [xAt(1.05) - halfWidthAt(1), 1.05 * height],
          ]),
        );
        let t = next() * 0.12;
        while (t < 1.05) {
          const y = t * height;
          const w = halfWidthAt(t) * 1.16;
          // A node of the bamboo is thicker, with an unprinted line above it.
          shapes.push(
            `M${formatSvgNumber(xAt(t) - w)} ${formatSvgNumber(y)}q${formatSvgNumber(w)} ${formatSvgNumber(stalk * 0.16)} ${formatSvgNumber(2 * w)} 0l${formatSvgNumber(-0.1 * w)} ${formatSvgNumber(stalk * 0.2)}q${formatSvgNumber(-0.9 * w)} ${formatSvgNumber(stalk * 0.12)} ${formatSvgNumber(-1.8 * w)} 0Z`,
          );
          gaps.push(
            `M${formatSvgNumber(xAt(t) - w * 1.05)} ${formatSvgNumber(y - stalk * 0.06)}q${formatSvgNumber(w)} ${formatSvgNumber(stalk * 0.16)} ${formatSvgNumber(2.1 * w)} 0`,
          );
          if (layer >= 1 && next() < 0.34 && t > 0.04 && t < 0.75) {
            const side = next() < 0.5 ? -1 : 1;
            const twigs = 2 + Math.floor(next() * 3);
            for (let k = 0; k < twigs; k++) {
              const length = lerp(width * 0.06, width * 0.19, near) * (0.6 + next() * 0.6);
              const angle = 0.35 + next() * 0.85;
              const [bx, by] = [xAt(t) + side * (halfWidthAt(t) + next() * width * 0.03), y + next() * stalk];
              leafShapes.push(
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
          t += lerp(0.085, 0.2, near) * (0.85 + next() * 0.3);
        }
      }
      return svg(
        width,
        height,
        `<path d="${shapes.join("")}" fill="#fff"/><path d="${gaps.join("")}" stroke="#000" fill="none" stroke-width="${formatSvgNumber(lerp(1, 4.5, near))}"/><path d="${leafShapes.join("")}" fill="#fff"/>`,
      );
    }),
  applyPigments: (p) => {
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
          (v - 0.62) * lerp(1.15, 0.35, near) +
          0.16 * (1 - near),
      );
      const strength = lerp(0.2, 0.95, near ** 1.2) * (1 - mist * lerp(0.96, 0.55, near));
      const tone = mixPigment(pigments.verdigris, nearLeaf, near);
      p.cover([0.95, 0.942, 0.9], p.inside * amount * strength * 0.7);
      p.lay(tone, p.inside * amount * strength);
    }
  },
};

function leaf(x: number, y: number, dx: number, dy: number, width: number): string {
  const [nx, ny] = [-dy * width, dx * width];
  return `M${formatSvgNumber(x)} ${formatSvgNumber(y)}C${formatSvgNumber(x + dx * 0.3 + nx)} ${formatSvgNumber(y + dy * 0.3 + ny)} ${formatSvgNumber(x + dx * 0.7 + nx * 0.7)} ${formatSvgNumber(y + dy * 0.7 + ny * 0.7)} ${formatSvgNumber(x + dx)} ${formatSvgNumber(y + dy)}C${formatSvgNumber(x + dx * 0.6 - nx * 0.6)} ${formatSvgNumber(y + dy * 0.6 - ny * 0.6)} ${formatSvgNumber(x + dx * 0.25 - nx)} ${formatSvgNumber(y + dy * 0.25 - ny)} ${formatSvgNumber(x)} ${formatSvgNumber(y)}Z`;
}
