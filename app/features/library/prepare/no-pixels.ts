/**
 * Replaces the packages ndarray, ndarray-ops and ndarray-pixels, which glTF-Transform imports to read the pixels of textures. They compile code from
 * strings when they are loaded, which the CSP of worker scripts forbids. The optimizer reads no pixels: it keeps textures of one colour
 * (keepSolidTextures of `prune`), and the browser resizes textures.
 */
const unavailable = (): never => {
  throw new Error("Pixels of textures cannot be read here.");
};

export const getPixels = unavailable;
export const savePixels = unavailable;
export default unavailable;
