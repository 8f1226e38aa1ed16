import type { MediaKind } from "../../shared/model";

/** The kind and the MIME type of a file, detected from its bytes. */
export interface SniffedMedia {
  readonly kind: Exclude<MediaKind, "web">;
  readonly mimeType: string;
}
