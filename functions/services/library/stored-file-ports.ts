/** Records of stored files beside their bytes. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { CheckState } from "~/domain/library/upload-check";
import type { Uuid } from "~/domain/shared/model";

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

/** The part of the repository that records the inspection of files. */
export type StoredFileMetadata = Pick<
  Repositories["storedFiles"],
  "find" | "saveOverwrites" | "forget" | "listOlder"
>;
