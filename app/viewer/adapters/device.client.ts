/** Gigabytes, as browsers tell it. */
const SMALL_MEMORY = 4;

/** Whether the device has little memory: by what the browser says of it, or a telephone by its screen. */
export function isSmallDevice(): boolean {
  const { deviceMemory = 8, maxTouchPoints } = navigator as Navigator & { deviceMemory?: number };
  return deviceMemory < SMALL_MEMORY || (maxTouchPoints > 0 && Math.min(screen.width, screen.height) < 600);
}
