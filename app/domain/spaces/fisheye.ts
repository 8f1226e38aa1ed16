/** Recognises images of 360° cameras that were not stitched: two circles side by side, with dark corners. */

/** Maximum brightness of a corner, 0…255. JPEG makes black a little brighter. */
const DARK = 30;
/** Share of the corners that must be dark. */
const DARK_SHARE = 0.97;
/** Minimum difference in brightness between the circles and the corners. */
const CONTRAST = 12;
/** Number of sectors of each circle. All of them, or all except one, must be brighter than the corners. */
const SECTORS = 8;

/**
 * Returns whether a 2:1 image contains two fisheye circles.
 * @param pixels four bytes per pixel; about 128 × 64 pixels are enough
 */
export function isDualFisheye(pixels: Uint8ClampedArray, width: number, height: number): boolean {
  const radius = height / 2;
  let corners = 0;
  let darkCorners = 0;
  let cornerSum = 0;
  const sectors = Array.from({ length: 2 * SECTORS }, () => ({ sum: 0, count: 0 }));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const offset = (y * width + x) * 4;
      const brightness =
        0.299 * (pixels[offset] ?? 0) + 0.587 * (pixels[offset + 1] ?? 0) + 0.114 * (pixels[offset + 2] ?? 0);
      const half = x < width / 2 ? 0 : 1;
      const [dx, dy] = [x + 0.5 - ((half + 0.5) * width) / 2, y + 0.5 - radius];
      // Pixels far outside both circles are corners. They are compared with a ring inside each circle.
      const radiusShare = Math.hypot(dx, dy) / radius;
      if (radiusShare > 1.1) {
        corners++;
        cornerSum += brightness;
        if (brightness < DARK) darkCorners++;
      } else if (radiusShare > 0.55 && radiusShare < 0.8) {
        const turnShare = (Math.atan2(dy, dx) + Math.PI) / (2 * Math.PI);
        const sector = sectors[half * SECTORS + Math.min(SECTORS - 1, Math.floor(turnShare * SECTORS))];
        if (sector) {
          sector.sum += brightness;
          sector.count++;
        }
      }
    }
  if (corners === 0 || darkCorners / corners < DARK_SHARE) return false;
  const corner = cornerSum / corners;
  const brightSectors = sectors.map(({ sum, count }) => count > 0 && sum / count > corner + CONTRAST);
  return [0, 1].every(
    (half) => brightSectors.slice(half * SECTORS, (half + 1) * SECTORS).filter(Boolean).length >= SECTORS - 1,
  );
}
