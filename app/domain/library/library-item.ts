import type { Instant, MediaKind, Uuid, WebMediaItem } from "../shared/model";
import type { ItemPreparation } from "./prepared";
import type { UploadCheck } from "./upload-check";

/** A file or web resource in an owner's library. */
export interface LibraryItem {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** Group with which the item is shared; null if it is not shared. */
  readonly groupId: Uuid | null;
  readonly kind: MediaKind;
  readonly title: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Width in pixels; null if there is no image or its size is unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Duration in seconds. */
  readonly duration: number | null;
  /** R2 key, different for every uploaded file; null for web media. */
  readonly fileKey: string | null;
  /** R2 key of the thumbnail; null without one. Most images have none, because they are their own thumbnails. */
  readonly thumbKey: string | null;
  /** The check by an external service while it prevents the use of the file: no verdict yet, or a rejection. Null if the file may be used. */
  readonly check: UploadCheck | null;
  /** Size of the thumbnail in bytes, which counts in addition to byteSize. 0 without one, and for web media, whose byteSize is that of the thumbnail. */
  readonly thumbnailSize: number;
  /** Size in bytes of the files that the conversion made for visitors, which counts in addition to the file. */
  readonly preparedSize: number;
  /** The conversion of the file; null before it was started. */
  readonly preparation: ItemPreparation | null;
  /** Null for items that are not web media. */
  readonly web: WebMediaItem | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}
