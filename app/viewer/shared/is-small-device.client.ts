/** Memory below which a device is small, in gigabytes, as browsers report it. */
const SMALL_MEMORY = 4;

/** Whether the device has little memory: as the browser reports it or, for phones, judged by the size of the screen. */
export function isSmallDevice(): boolean {
  const { deviceMemory = 8, maxTouchPoints } = navigator as Navigator & { deviceMemory?: number };
  return deviceMemory < SMALL_MEMORY || (maxTouchPoints > 0 && Math.min(screen.width, screen.height) < 600);
}
