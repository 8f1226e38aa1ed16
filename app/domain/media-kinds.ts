import type { MediaKind } from "./model";

/** Every kind of medium, in the order in which a filter offers them. */
export const MEDIA_KINDS = [
  "image",
  "video",
  "audio",
  "pdf",
  "model",
  "splat",
  "subtitle",
  "web",
] as const satisfies readonly MediaKind[];

/** The kinds that an address or a call names, each once, in their order; what is no kind is left out. */
export const readMediaKinds = (values: readonly string[]): readonly MediaKind[] =>
  MEDIA_KINDS.filter((kind) => values.includes(kind));
