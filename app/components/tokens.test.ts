import { describe, expect, test } from "vitest";
import { dark, light, moreContrast } from "../../tailwind.config";

type Palette = Readonly<Record<keyof typeof light, string>>;

/** Relative luminance of a colour: WCAG 2.2. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((offset) => Number.parseInt(hex.slice(offset, offset + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(foreground: string, background: string): number {
  const [low = 0, high = 0] = [luminance(foreground), luminance(background)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

const textColors = [
  "ink",
  "muted",
  "faint",
  "accent",
  "danger",
  "warning",
  "success",
  "status-unpublished",
  "status-preview",
  "status-published",
  "status-archived",
] as const;

describe.each([
  ["light", light as Palette],
  ["dark", dark as Palette],
])("the %s palette", (_, palette) => {
  test.each(textColors)("%s is readable on each of its backgrounds", (text) => {
    for (const background of ["paper", "surface", "raised"] as const)
      expect(contrast(palette[text], palette[background]), background).toBeGreaterThanOrEqual(4.5);
  });

  test("texts on filled buttons are readable, also under the pointer", () => {
    for (const name of ["accent", "danger"] as const) {
      expect(contrast(palette[`${name}-ink`], palette[name])).toBeGreaterThanOrEqual(4.5);
      expect(contrast(palette[`${name}-ink`], palette[`${name}-strong`])).toBeGreaterThanOrEqual(4.5);
    }
  });

  test("the edges of controls and the focus ring are visible", () => {
    for (const name of ["edge", "accent", "danger"] as const)
      for (const background of ["paper", "surface", "raised"] as const)
        expect(
          contrast(palette[name], palette[background]),
          `${name} on ${background}`,
        ).toBeGreaterThanOrEqual(3);
  });

  test("with more contrast, grey texts and edges have a higher contrast, and lines are visible", () => {
    const highContrast = { ...palette, ...moreContrast(palette) };
    for (const background of ["paper", "surface", "raised"] as const) {
      for (const name of ["muted", "faint", "edge"] as const)
        expect(
          contrast(highContrast[name], highContrast[background]),
          `${name} on ${background}`,
        ).toBeGreaterThan(contrast(palette[name], palette[background]));
      expect(
        contrast(highContrast.line, highContrast[background]),
        `line on ${background}`,
      ).toBeGreaterThanOrEqual(3);
    }
  });
});
