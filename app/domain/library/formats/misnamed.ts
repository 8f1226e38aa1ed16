import { type SniffedMedia, SPLAT_TYPES } from "../media-kind";

const MODEL_NAME = /\.(glb|gltf)$/i;

/** Whether a file's name promises a model and its bytes are of another kind: a picture that was saved as "chair.glb". */
export const isMisnamed = (fileName: string, { kind, mimeType }: SniffedMedia): boolean =>
  MODEL_NAME.test(fileName) && kind !== "model" && mimeType !== SPLAT_TYPES.glb;
