/** Ports of stored files: their records, and their bytes in R2. */
import type { LibraryItem } from "~/domain/library/library-item";
import type { ItemPreparation } from "~/domain/library/prepared";
import type { CheckState } from "~/domain/library/upload-check";
import type { Instant, Uuid } from "~/domain/shared/model";

/** The record of a stored file. */
export interface StoredFileRecord {
  /** Edition of the rules by which the file was looked at; 0 before that. */
  readonly edition: number;
  /** JSON of the overwrites: the parts that visitors receive with other bytes. */
  readonly overwrites: string;
  readonly checkState: CheckState | null;
}

/** A file that waits for a verdict, claimed by one caller. */
export interface ClaimedCheck {
  readonly fileKey: string;
  /** This one included. */
  readonly attempts: number;
  readonly itemId: Uuid;
  /** The owner of the library that the file is in. */
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
  /** @param found.checkAt time of the first request for a verdict; null for a file that needs none */
  saveOverwrites(
    fileKey: string,
    record: { readonly edition: number; readonly overwrites: string; readonly checkAt: Instant | null },
  ): Promise<unknown>;
  forget(fileKeys: readonly string[]): Promise<void>;
  /** Keys of files that an older edition of the rules inspected. */
  listOlder(edition: number, limit: number): Promise<readonly string[]>;
}

/** The data needed to send a file without another database query. */
export interface StoredFile {
  readonly itemId: Uuid;
  readonly kind: LibraryItem["kind"];
  readonly fileKey: string;
  /** The thumbnail of an item that is not an image. */
  readonly thumbKey: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  readonly width: number | null;
  readonly height: number | null;
  /** The files that were made of it for visitors; null or absent for none. */
  readonly preparation?: Pick<ItemPreparation, "runId" | "display" | "preview" | "tiles"> | null;
  /** Whether the reader gets the file as it was uploaded, because they may change it. All others get it without its metadata. */
  readonly isOriginal?: boolean;
}

/** A part of a file, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A stored file, or a part of it. */
export interface FileBody {
  /** Bytes of the whole file, also where `body` is a part. */
  readonly size: number;
  /** Strong, quoted as in the header. */
  readonly etag: string;
  readonly uploadedAt: Date;
  /** Null for a head request, and if `unless` matches. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Which part of a file is wanted, and when it is not. */
export interface FileQuery {
  /** Absent: the whole file. */
  readonly range?: ByteRange | undefined;
  /** No body is wanted of what the reader has. */
  readonly unless?: FileCondition | undefined;
}

/** The client's cached version: its etag without quotes, or its date in whole seconds. */
export type FileCondition = { readonly etag: string } | { readonly since: Date };

/** Files by their keys. Methods return null if there is no file. */
export interface FileStore {
  head(key: string): Promise<FileBody | null>;
  /** One question to the store: the bytes, or that they are not wanted. A range behind the file's end finds no body either. */
  get(key: string, query?: FileQuery): Promise<FileBody | null>;
  /** Deletes files; those that are not there are no matter. */
  delete(keys: readonly string[]): Promise<void>;
}

/** A medium whose time in the trash is over. */
export interface ExpiredFile {
  readonly id: Uuid;
  /** Null for web media. */
  readonly fileKey: string | null;
  /** Null for what has no still picture. */
  readonly thumbKey: string | null;
}
