/** Database ports of conversions in owners' browsers (decision 054). */

import type { PreparedRole } from "~/domain/library/prepared";
import type { Instant, Uuid } from "~/domain/shared/model";

/** A browser's lease on the conversion of a file. */
export interface PreparationLease {
  readonly itemId: Uuid;
  /** Key of the file, which changes when the file is replaced. */
  readonly fileKey: string;
  /** Id of the conversion. */
  readonly runId: Uuid;
  /** Id of the browser tab, which may start its own conversion again. */
  readonly holder: string;
  readonly actorId: Uuid;
  readonly until: Instant;
  /** Quality that the owner chose, 0 to 1. Null for an automatic conversion, which uses the last quality or the default. */
  readonly chosenQuality: number | null;
}

/** A converted file that is not published yet. */
export interface StagedFile {
  readonly fileKey: string;
  readonly itemId: Uuid;
  readonly runId: Uuid;
  readonly role: PreparedRole;
  readonly name: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** R2's id of the multipart upload; empty for a file that was sent in one request, and after the inspection. */
  readonly multipartId: string;
  /** R2's etags of the slices by their numbers; empty after the inspection. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Limits on the files of one conversion. */
export interface StagedFileLimits {
  readonly files: number;
  /** Total bytes. */
  readonly bytes: number;
}

/** Result of recording a sent file. "gone": the conversion has ended. "too_many": its files exceed StagedFileLimits. */
export type StagedFileOutcome = "done" | "gone" | "library_capacity" | "too_many";

/** Times for the delayed deletion of replaced files, which open pages may still read. */
export interface LeftoverTimes {
  readonly at: Instant;
  readonly expiresAt: Instant;
}
