/** Ports of stored files: their records, and their bytes in R2. */
import type { LibraryItem } from "~/domain/library/library-item";
import type { ItemPreparation } from "~/domain/library/prepared";
import type { CheckState } from "~/domain/library/upload-check";
import type { Instant, Uuid } from "~/domain/shared/model";

/** The record of a stored file. */
export interface StoredFileRecord {
  /** Version of the inspection rules that were applied; 0 before the inspection. */
  readonly edition: number;
  /** JSON of the overwrites: byte ranges that visitors receive with other bytes. */
  readonly overwrites: string;
  readonly checkState: CheckState | null;
}

/** A file whose verdict (the answer of the operator's external file check) is requested by one caller at a time. */
export interface ClaimedCheck {
  readonly fileKey: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly itemId: Uuid;
  /** The owner of the file's library. */
  readonly ownerId: Uuid;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Name of a converted file; null for uploaded files. */
  readonly preparedName: string | null;
}

/** Records the inspection of files. */
export interface StoredFileMetadata {
  find(fileKey: string): Promise<StoredFileRecord | null>;
  /** @param record.checkAt time of the first request for a verdict; null for a file that needs none */
  saveOverwrites(
    fileKey: string,
    record: { readonly edition: number; readonly overwrites: string; readonly checkAt: Instant | null },
  ): Promise<unknown>;
  forget(fileKeys: readonly string[]): Promise<void>;
  /** Keys of files that were inspected by an older version of the rules. */
  listOlder(edition: number, limit: number): Promise<readonly string[]>;
}

/** The data needed to send a file without another database query. */
export interface StoredFile {
  readonly itemId: Uuid;
  readonly kind: LibraryItem["kind"];
  readonly fileKey: string;
  /** Key of the item's thumbnail; null without one. */
  readonly thumbKey: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  readonly width: number | null;
  readonly height: number | null;
  /** The converted files for visitors; null or absent if there are none. */
  readonly preparation?: Pick<ItemPreparation, "runId" | "display" | "preview" | "tiles"> | null;
  /** Whether the reader gets the uploaded file unchanged, because the reader may change it. All others get it without its metadata. */
  readonly isOriginal?: boolean;
}

/** A part of a file, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A stored file, or a part of it. */
export interface FileBody {
  /** Size of the whole file in bytes, also if `body` is a part. */
  readonly size: number;
  /** Strong, quoted as in the header. */
  readonly etag: string;
  readonly uploadedAt: Date;
  /** Null for a head request, if `unless` matches, and if the range begins after the end. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The requested part of a file, and the condition under which the body is omitted. */
export interface FileQuery {
  /** Default: the whole file. */
  readonly range?: ByteRange | undefined;
  /** If the client's cached version matches, no body is sent. */
  readonly unless?: FileCondition | undefined;
}

/** The client's cached version: its etag without quotes, or its date in whole seconds. */
export type FileCondition = { readonly etag: string } | { readonly since: Date };

/** Files by their keys. Methods return null if there is no file. */
export interface FileStore {
  head(key: string): Promise<FileBody | null>;
  /** One request to the store for the bytes. There is no body if `unless` matches or the range begins after the end. */
  get(key: string, query?: FileQuery): Promise<FileBody | null>;
  /** Deletes files. Missing files are ignored. */
  delete(keys: readonly string[]): Promise<void>;
}

/** A media item whose time in the trash has ended. */
export interface ExpiredFile {
  readonly id: Uuid;
  /** Null for web media. */
  readonly fileKey: string | null;
  /** Null for items without a thumbnail. */
  readonly thumbKey: string | null;
}
