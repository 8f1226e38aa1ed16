/**
 * Stands in for the packages ndarray, ndarray-ops and ndarray-pixels, which glTF-Transform imports to read the pixels of
 * textures. They compile code from strings when they load, which the policy of worker scripts forbids. The optimizer reads no
 * pixels (prune with keepSolidTextures; textures are resized by the browser).
 */
const unavailable = (): never => {
  throw new Error("Pixels of textures cannot be read here.");
};

/** Throws. */
export const getPixels = unavailable;
/** Throws. */
export const savePixels = unavailable;
export default unavailable;
