/** HDR panoramas, whose light shines on the model of a space. Browsers do not show them as images. */

/** Types by the name of their format. */
export const LIGHT_TYPES = { hdr: "image/vnd.radiance", exr: "image/x-exr" } as const;

/** Returns whether a file of this type can light a model. */
export const isLightType = (mimeType: string): boolean =>
  Object.values(LIGHT_TYPES).some((type) => type === mimeType);

/**
 * Detects the type of an HDR panorama: Radiance by its first line, OpenEXR by its magic number and version 2.
 * @param head at least the first 16 bytes of the file
 * @returns the MIME type; null for any other file
 */
export function sniffLight(head: Uint8Array): (typeof LIGHT_TYPES)[keyof typeof LIGHT_TYPES] | null {
  const text = String.fromCharCode(...head.subarray(0, 16));
  if (/^#\?(RADIANCE|RGBE)\r?\n/.test(text)) return LIGHT_TYPES.hdr;
  return text.startsWith("\x76\x2f\x31\x01\x02") ? LIGHT_TYPES.exr : null;
}
