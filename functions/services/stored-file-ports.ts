/** Records of stored files beside their bytes. */
import type { Instant, Uuid } from "~/domain/model";
import type { CheckState, UploadCheck } from "~/domain/upload-check";

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

/** Records of stored files by their keys. */
export interface StoredFileRepository {
  find(fileKey: string): Promise<StoredFileRecord | null>;
  /**
   * Records how a file was looked at.
   * @param found.checkAt time of the first request for a verdict, before which the file may not be used; null for a file that needs none
   */
  saveOverwrites(
    fileKey: string,
    found: { readonly edition: number; readonly overwrites: string; readonly checkAt: Instant | null },
  ): Promise<void>;
  /** Forgets the records of files that are deleted. */
  forget(fileKeys: readonly string[]): Promise<void>;
  /** Keys of files that were looked at by an older edition. */
  listOlder(edition: number, limit: number): Promise<readonly string[]>;
  /** Claims the file whose verdict has been due for longest, until `until`. @param fileKey the only file to claim; null for any */
  claimCheck(fileKey: string | null, now: Instant, until: Instant): Promise<ClaimedCheck | null>;
  /** Records a verdict: null lets the file in. Raises the revision of events that use it. */
  settleCheck(fileKey: string, verdict: UploadCheck | null): Promise<void>;
  /** Sets when the verdict is asked for again. */
  retryCheck(fileKey: string, at: Instant): Promise<void>;
}
