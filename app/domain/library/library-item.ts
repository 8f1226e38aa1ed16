import type { Instant, MediaKind, Uuid, WebMedium } from "../shared/model";
import type { ItemPreparation } from "./prepared";
import type { UploadCheck } from "./upload-check";

/** A file or web resource in an owner's library. */
export interface LibraryItem {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The group with which it is shared; null when it is not shared. */
  readonly groupId: Uuid | null;
  readonly kind: MediaKind;
  readonly title: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels; null when there is no picture or its size is unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** R2 key, different for every uploaded file; null for web media. */
  readonly fileKey: string | null;
  /** R2 key of a small still picture, for an item that is no picture. */
  readonly thumbKey: string | null;
  /** The state of a check that keeps the file from being used; null when the file may be used. */
  readonly check: UploadCheck | null;
  /** Bytes of the still picture that count in addition to the file. 0 without one, and for web media, which have no other file. */
  readonly stillSize: number;
  /** Bytes of the files that the conversion made for visitors. They count in addition to the file. */
  readonly preparedSize: number;
  /** The conversion of the file; null before it was started. */
  readonly preparation: ItemPreparation | null;
  /** Null for media that are not web media. */
  readonly web: WebMedium | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}
