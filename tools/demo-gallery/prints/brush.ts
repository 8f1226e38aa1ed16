/** The print of a brush stroke with a seal, and the poster. */
import { smoothstep } from "~/viewer/core/flight";
import { clamp, noise, random } from "../noise";
import { wordLines } from "../scene/sign";
import { formatSvgNumber, type Press, type Print, pigments, svg } from "./press";
import { mixPigment } from "./shades";

/** One brush stroke of two hundred and forty bristles. */
export const enso: Print = {
  blocks: () => [],
  applyPigments: (p) => {
    const w = p.width;
    const [cx, cy] = [w * 0.5, p.height * 0.44];
    const dx = (p.x - cx) / w;
    const dy = (p.y - cy) / w;
    // The stroke begins at the lower left and runs clockwise for 341 degrees.
    const startAngle = 2.2;
    let a = Math.atan2(dy, dx) - startAngle;
    a = ((a % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI);
    const t = a / (2 * Math.PI);
    const radius = 0.33 + 0.008 * Math.sin(a * 2 + 0.6) + 0.003 * Math.sin(a * 3 + 2) - 0.012 * t;
    const half =
      0.058 *
      (0.72 + 0.42 * Math.sin(Math.PI * Math.min(1, t * 1.1)) + 0.1 * Math.sin(a * 5)) *
      (t > 0.86 ? 1 - (t - 0.86) * 2.1 : 1);
    const rho = (Math.hypot(dx, dy * 1.02) - radius) / half;
    if (rho < -1.25 || rho > 1.25) return seal(p);
    const strokeEnd = 341 / 360 - 0.02 * noise(rho * 9, 3, 481) - 0.035 * (rho + 1) * 0.5;
    const bristle = Math.floor((rho + 1.25) * 96);
    const along = a * 26;
    const wet = 1.2 - 0.47 * smoothstep(0.12, 1, t) - 0.16 * smoothstep(0.6, 1.2, Math.abs(rho));
    const bristleGrain = random(bristle, 0, 482) * 0.55 + random(bristle >> 2, 1, 483) * 0.45;
    const skip =
      noise(along * 0.32, bristle * 0.33, 484) * 0.55 +
      noise(along * 1.4, bristle * 0.9, 485) * 0.25 +
      p.grain * 0.3;
    const inked = smoothstep(-0.06, 0.13, wet - bristleGrain * 0.5 - skip * (0.3 + 0.62 * t));
    const side = smoothstep(
      1.02 + 0.07 * (bristleGrain - 0.5),
      0.965 + 0.07 * (bristleGrain - 0.5),
      Math.abs(rho),
    );
    const tip =
      smoothstep(0, 0.012, t + 0.01 * (bristleGrain - 0.5)) *
      smoothstep(strokeEnd + 0.004, strokeEnd - 0.02 - 0.05 * bristleGrain, t);
    // At the start the full brush presses down once.
    const press = smoothstep(1, 0.82, Math.hypot((t - 0.012) / 0.022, rho * 0.92));
    const amount = Math.max(inked * side * tip, press * side * (t < 0.05 ? 1 : 0));
    // A brush leaves no wood grain.
    p.lay(pigments.ink, (clamp(amount) * (0.93 + 0.05 * wet)) / (1 - 0.2 * p.grain));
    seal(p);
  },
};

/** Prints a red seal with a plan of four rooms, the product's mark. */
function seal(p: Press): void {
  const size = p.width * 0.07;
  const x = (p.x - p.width * 0.76) / size;
  const y = (p.y - p.height * 0.81) / size;
  if (x < 0 || y < 0 || x > 1 || y > 1) return;
  const ring = Math.min(x, y, 1 - x, 1 - y);
  const isRing = ring > 0.1 && ring < 0.17;
  const isInnerWall =
    (Math.abs(x - 0.58) < 0.035 && y > 0.13 && y < 0.87) ||
    (Math.abs(y - 0.46) < 0.035 && x > 0.58 && x < 0.87) ||
    (Math.abs(y - 0.68) < 0.035 && x > 0.13 && x < 0.58 && (x < 0.28 || x > 0.42));
  p.lay(pigments.vermilion, isRing || isInnerWall ? 0.06 : 0.97);
}

/** The poster: one disc of waves, one small sun, and the title in strokes. */
export const poster: Print = {
  blocks: (width, height) => {
    const [cx, cy, radius] = [width * 0.5, height * 0.4, width * 0.37];
    const rings: string[] = [];
    const r = width * 0.066;
    for (let row = -2; cy - radius + row * r * 0.56 < cy + radius + r; row++) {
      const y = cy - radius + row * r * 0.56;
      for (let i = -8; i <= 8; i++) {
        const x = cx + i * 2 * r + (row & 1 ? r : 0);
        rings.push(
          `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(r)}" fill="#000"/>`,
        );
        for (const k of [0.95, 0.73, 0.51, 0.29])
          rings.push(
            `<circle cx="${formatSvgNumber(x)}" cy="${formatSvgNumber(y)}" r="${formatSvgNumber(r * k)}" fill="none" stroke="#fff" stroke-width="${formatSvgNumber(r * 0.055)}"/>`,
          );
      }
    }
    const disc = `<circle cx="${formatSvgNumber(cx)}" cy="${formatSvgNumber(cy)}" r="${formatSvgNumber(radius)}" fill="#fff"/>`;
    const text = (word: string, y: number, size: number, weight: number, gap: number): string => {
      const { lines, width: textWidth } = wordLines(word, gap);
      const x0 = cx - (textWidth * size) / 2;
      const d = lines
        .map(
          (line) =>
            `M${line.map(([x, h]) => `${formatSvgNumber(x0 + x * size)} ${formatSvgNumber(y - h * size)}`).join("L")}`,
        )
        .join("");
      return `<path d="${d}" stroke="#fff" stroke-width="${formatSvgNumber(weight)}" fill="none" stroke-linecap="square" stroke-linejoin="miter"/>`;
    };
    return [
      svg(width, height, rings.join("")),
      svg(width, height, disc),
      svg(
        width,
        height,
        `<circle cx="${formatSvgNumber(cx + radius * 0.92)}" cy="${formatSvgNumber(cy - radius * 0.86)}" r="${formatSvgNumber(width * 0.05)}" fill="#fff"/>`,
      ),
      svg(
        width,
        height,
        text("INDIGO AND PAPER", height * 0.79, width * 0.044, width * 0.0046, 0.42) +
          text("HIROBA", height * 0.89, width * 0.026, width * 0.003, 0.5),
      ),
    ];
  },
  applyPigments: (p) => {
    const v = p.y / p.height;
    const disc = p.block(1);
    const deep = smoothstep(0.1, 0.68, v);
    p.lay(mixPigment(pigments.indigoPale, pigments.indigo, deep), disc * 0.95);
    p.cover(pigments.shell, disc * p.block(0) * 0.92);
    p.lay(pigments.vermilion, p.block(2) * 0.95);
    p.lay(pigments.indigoDeep, p.block(3) * 0.95);
  },
};
