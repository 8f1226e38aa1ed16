/** Prints of star trails and of ridges with a sun. */
import { smoothstep } from "~/viewer/core/flight";
import { fbm, lerp, noise, randomSequence } from "../noise";
import { formatSvgNumber, type Pigment, type Press, type Print, pigment, pigments, svg } from "./press";
import { byColumn, dippedIndigo, mixPigment } from "./shades";

const [dusk, midnight] = ["#2c4685", "#0d1636"].map(pigment) as [Pigment, Pigment];

const skyline = byColumn((u) => 0.9 - 0.1 * fbm(u * 2.6, 0.4, 4, 461) * 1.4 - 0.008 * noise(u * 70, 0, 462));

/** Six hundred arcs of forty degrees around one point. */
export const stars: Print = {
  blocks: (width, height) => {
    const [cx, cy] = [width * 0.64, height * 0.4];
    const next = randomSequence(61);
    const groups: string[][] = [[], [], []];
    const heads: string[] = [];
    const arcAngle = (40 * Math.PI) / 180;
    for (let i = 0; i < 600; i++) {
      const r = Math.sqrt(next()) * width * 0.72 + 8;
      const a = next() * 2 * Math.PI;
      const brightness = next() ** 2.6;
      const [x0, y0, x1, y1] = [
        cx + r * Math.cos(a),
        cy + r * Math.sin(a),
        cx + r * Math.cos(a + arcAngle),
        cy + r * Math.sin(a + arcAngle),
      ];
      const group = groups[Math.min(2, Math.floor(next() * 3))] as string[];
      group.push(
        `<path d="M${formatSvgNumber(x0)} ${formatSvgNumber(y0)}A${formatSvgNumber(r)} ${formatSvgNumber(r)} 0 0 1 ${formatSvgNumber(x1)} ${formatSvgNumber(y1)}" stroke-width="${formatSvgNumber(0.8 + brightness * 2.8)}"/>`,
      );
      if (brightness > 0.35)
        heads.push(
          `<circle cx="${formatSvgNumber(x1)}" cy="${formatSvgNumber(y1)}" r="${formatSvgNumber(1.3 + brightness * 2.6)}"/>`,
        );
    }
    const strokes = (shapes: string[]): string =>
      svg(width, height, `<g stroke="#fff" fill="none" stroke-linecap="round">${shapes.join("")}</g>`);
    return [
      strokes(groups[0] as string[]),
      strokes(groups[1] as string[]),
      strokes(groups[2] as string[]),
      svg(
        width,
        height,
        `<g fill="#fff">${heads.join("")}<circle cx="${formatSvgNumber(cx)}" cy="${formatSvgNumber(cy)}" r="4.2"/></g>`,
      ),
    ];
  },
  applyPigments: (p) => {
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

const ridgeAt = (u: number, k: number): number => {
  const base = 0.44 + k * 0.064;
  const rough = fbm(u * (1.7 + k * 0.32) + k * 5.31, 1.7, 5, 471 + k) - 0.5;
  return base - rough * (0.3 - k * 0.014);
};

const ridgeTops = Array.from({ length: 8 }, (_, k) => byColumn((u) => ridgeAt(u, k)));

const sunTop = ridgeAt(0.66, 0);

const haze = pigment("#f0cdb4");

/** Eight ridgelines with mist between them, and a sun that touches the farthest one. */
export const ridges: Print = {
  blocks: () => [],
  applyPigments: (p) => {
    const u = p.x / p.width;
    const v = p.y / p.height;
    const aspect = p.width / p.height;
    // The sky is behind everything, and the sun rests on the farthest ridge.
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
      const deep = dippedIndigo(lerp(0.2, 0.9, near ** 0.9));
      const fade = lerp(Math.exp(-(v - top) * 13), 1, k === 7 ? 0.75 : 0.05);
      p.lay(deep, p.inside * cover * fade * 0.98);
    }
  },
};
