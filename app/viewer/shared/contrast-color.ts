/**
 * Returns the relative luminance of an sRGB colour, 0 black … 1 white (WCAG 2.2, definition of relative luminance).
 * @param color #rrggbb; any other text counts as black
 */
export function relativeLuminance(color: string): number {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(color);
  if (!match) return 0;
  const [red = 0, green = 0, blue = 0] = match.slice(1).map((hex) => {
    const value = Number.parseInt(hex, 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns whether white or black has the higher contrast on a colour (WCAG 2.2 contrast ratio). */
export function contrastColor(color: string): "white" | "black" {
  const light = relativeLuminance(color);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "white" : "black";
}
