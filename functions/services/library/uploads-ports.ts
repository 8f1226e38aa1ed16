/** Database and file storage ports of the use cases of uploads. */
import type { SplatFault } from "~/domain/library/formats/gltf-splats";
import type { RefusedFormat } from "~/domain/library/formats/refused-formats";
import type { SniffedMedia } from "~/domain/library/formats/sniffed-media";
import type { Instant, Uuid } from "~/domain/shared/model";

/** A slice that has arrived. */
export interface UploadPart {
  /** From 1. */
  readonly number: number;
  readonly byteSize: number;
  /** R2's name for these bytes. */
  readonly etag: string;
}

/** An upload in progress. */
export interface Upload {
  readonly id: Uuid;
  /** The account that sends it. */
  readonly actorId: Uuid;
  /** Owner of the library that receives the file. */
  readonly ownerId: Uuid;
  readonly folderId: Uuid;
  /** The item whose file it replaces; null for a new one. */
  readonly replacesId: Uuid | null;
  readonly fileName: string;
  /** As declared. */
  readonly byteSize: number;
  /** Bytes of each slice but the last. */
  readonly partSize: number;
  readonly fingerprint: string;
  /** library/{item}/{upload} */
  readonly fileKey: string;
  /** R2's name for the multipart upload. Empty if nothing is being uploaded and the file is only to be deleted. */
  readonly multipartId: string;
  readonly createdAt: Instant;
  /** When the job may clean it up. */
  readonly expiresAt: Instant;
  /** End of the claim of the call that is completing it; null for none. */
  readonly claimedUntil: Instant | null;
}

/** An upload with what has arrived of it, by number. */
export interface UploadWithParts extends Upload {
  readonly parts: readonly UploadPart[];
}

/** The room of a library, in bytes. */
export interface LibraryRoom {
  readonly storageLimit: number;
  readonly storageUsed: number;
  /** The declared bytes of open uploads and imports. */
  readonly declared: number;
}

/** Metadata of a completely stored file. */
export interface StoredMedium extends SniffedMedia {
  readonly byteSize: number;
  /** Pixels, the right way up. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** A model that phones cannot draw easily, so that it waits for its conversion (app/domain/library/heavy-model.ts). */
  readonly isHeavy?: boolean;
}

/** Result of adding a file, or its thumbnail, to a library. */
export type AdmitOutcome = "done" | "library_capacity" | "gone";

/** Where one slice goes. */
export interface SlicePlace {
  readonly fileKey: string;
  readonly multipartId: string;
  readonly number: number;
}

/** Result of storing a slice: stored, wrong size, content rejected, or the upload has ended. */
export type SliceOutcome = { readonly etag: string } | "wrong_size" | "refused" | "gone";

/** Why a whole file is refused: see the messages errors.upload.*. */
export type FileRejection =
  | "kind"
  | "pixels"
  | "model"
  | "model_positions"
  | "model_pixels"
  | "model_zip"
  | "misnamed"
  | "splats"
  | SplatFault
  | `format.${RefusedFormat}`;

/** Why a whole file is refused, with the values of its message. */
export interface FileRejectionReason {
  readonly refusal: FileRejection;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Files as they come in. Nothing here holds more of a file than a slice. */
export interface UploadStore {
  /** Begins a file. @returns the id of the multipart upload */
  begin(fileKey: string): Promise<string>;
  /**
   * Stores a slice as it arrives: exactly the declared bytes, or nothing.
   * @param accepts receives the first bytes before anything is stored
   */
  putSlice(
    place: SlicePlace,
    body: ReadableStream<Uint8Array> | null,
    byteSize: number,
    accepts: ((head: Uint8Array) => Promise<boolean>) | null,
  ): Promise<SliceOutcome>;
  /** Stores a slice that is in memory. */
  putBytes(place: SlicePlace, bytes: Uint8Array): Promise<SliceOutcome>;
  /** Puts the slices together. Null when they do not fit, or there is neither the upload nor the file. @returns its bytes */
  complete(
    fileKey: string,
    multipartId: string,
    parts: readonly Pick<UploadPart, "number" | "etag">[],
  ): Promise<number | null>;
  /** Forgets a file, wherever it has got to. */
  discard(fileKey: string, multipartId: string): Promise<void>;
  /** Inspects a stored file by bounded parts of it. */
  inspect(
    fileKey: string,
    fileName: string,
    byteSize: number,
  ): Promise<{ readonly medium: StoredMedium } | FileRejectionReason>;
  /** Type of a thumbnail in memory; null if it is not acceptable. */
  inspectThumbnail(bytes: Uint8Array): Promise<{ readonly mimeType: string } | null>;
  /** Stores a small file at once. */
  putFile(fileKey: string, bytes: Uint8Array, mimeType: string): Promise<void>;
}
