import { SPLAT_TYPES } from "./mime-types";
import type { SniffedMedia } from "./sniffed-media";

const MODEL_NAME = /\.(glb|gltf)$/i;

/** Returns whether a file named as a glTF model contains neither a model nor splats in glTF, such as an image that was saved as "chair.glb". */
export const isMisnamed = (fileName: string, { kind, mimeType }: SniffedMedia): boolean =>
  MODEL_NAME.test(fileName) && kind !== "model" && mimeType !== SPLAT_TYPES.glb;
