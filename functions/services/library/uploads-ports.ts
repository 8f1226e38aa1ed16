/** Database and file storage ports of the use cases of uploads. */
import type { SplatFault } from "~/domain/library/formats/gltf-splats";
import type { RejectedFormat } from "~/domain/library/formats/rejected-formats";
import type { SniffedMedia } from "~/domain/library/formats/sniffed-media";
import type { Instant, Uuid } from "~/domain/shared/model";

/** A received slice. */
export interface UploadPart {
  /** From 1. */
  readonly number: number;
  readonly byteSize: number;
  /** R2's etag of the slice. */
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
  /** The item whose file it replaces; null for a new item. */
  readonly replacesId: Uuid | null;
  readonly fileName: string;
  /** Size that the client declared. */
  readonly byteSize: number;
  /** Size of each slice except the last. */
  readonly partSize: number;
  /** The browser's hash of the file, by which it finds the upload that it can resume; empty without one. */
  readonly fingerprint: string;
  /** library/{item}/{upload} */
  readonly fileKey: string;
  /** R2's id of the multipart upload. Empty if the record only causes the deletion of the file. */
  readonly multipartId: string;
  readonly createdAt: Instant;
  /** Time after which the cron trigger deletes it. */
  readonly expiresAt: Instant;
  /** Time until which the call that is completing or deleting it keeps other calls out; null if there is no such call. */
  readonly claimedUntil: Instant | null;
}

/** An upload with its received slices, which are the parts of an R2 multipart upload. */
export interface UploadWithParts extends Upload {
  readonly parts: readonly UploadPart[];
}

/** The capacity of a library, in bytes. */
export interface LibraryCapacity {
  readonly storageLimit: number;
  readonly storageUsed: number;
  /** Bytes that open uploads, imports and conversions have declared. */
  readonly declaredBytes: number;
}

/** Metadata of a completely stored file. */
export interface InspectedFile extends SniffedMedia {
  readonly byteSize: number;
  /** Pixels, after applying the orientation. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** A model that phones cannot draw easily, so that it waits for its conversion (app/domain/library/heavy-model.ts). */
  readonly isHeavy?: boolean;
}

/** Result of adding a file, or its thumbnail, to a library. */
export type AdmitOutcome = "done" | "library_capacity" | "gone";

/** Destination of one slice. */
export interface SlicePlace {
  readonly fileKey: string;
  readonly multipartId: string;
  readonly number: number;
}

/** Result of storing a slice: stored, wrong size, content rejected, or the upload has ended. */
export type SliceOutcome = { readonly etag: string } | "wrong_size" | "rejected" | "gone";

/**
 * Reason why a whole file is rejected, and the key of its message below errors.upload. kind: an unsupported type. pixels: the image is too large. model,
 * model_pixels: the model or a texture of it is too large. model_positions: positions are not finite numbers. model_zip: a ZIP file without a model.
 * misnamed: the name is that of a glTF model, which the file does not contain. splats: more than SPLATS_MAX splats. format.…: an unsupported format that is recognised.
 */
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
  | `format.${RejectedFormat}`;

/** The reason why a whole file is rejected, with the values of its message. */
export interface FileRejectionReason {
  readonly rejection: FileRejection;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** Files while they are uploaded. An implementation holds at most one slice in memory. */
export interface UploadStore {
  /** Begins a multipart upload. @returns its id */
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
  /** Stores a slice from memory. */
  putBytes(place: SlicePlace, bytes: Uint8Array): Promise<SliceOutcome>;
  /** Joins the slices. Returns the file's size in bytes; null if the slices do not match, or neither the upload nor the file exists. */
  complete(
    fileKey: string,
    multipartId: string,
    parts: readonly Pick<UploadPart, "number" | "etag">[],
  ): Promise<number | null>;
  /** Deletes a file, whether or not its upload is complete. */
  discard(fileKey: string, multipartId: string): Promise<void>;
  /** Inspects a stored file by reading limited parts of it. */
  inspect(
    fileKey: string,
    fileName: string,
    byteSize: number,
  ): Promise<{ readonly file: InspectedFile } | FileRejectionReason>;
  /** Returns the type of a thumbnail in memory; null if it is not acceptable. */
  inspectThumbnail(bytes: Uint8Array): Promise<{ readonly mimeType: string } | null>;
  /** Stores a small file in one request. */
  putFile(fileKey: string, bytes: Uint8Array, mimeType: string): Promise<void>;
}
