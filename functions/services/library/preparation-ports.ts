/** Queries of the database about conversions in owners' browsers (decision 054). */

import type { PreparedRole } from "~/domain/library/prepared";
import type { Instant, Uuid } from "~/domain/shared/model";

/** The conversion of a file that is under way. */
export interface PreparationLease {
  readonly itemId: Uuid;
  /** Which version of the file. */
  readonly fileKey: string;
  /** Id of the conversion. */
  readonly runId: Uuid;
  /** Id of a tab, which may start its own conversion again. */
  readonly holder: string;
  readonly actorId: Uuid;
  readonly until: Instant;
  /** Quality that the owner chose, 0…1. Null for a conversion that begins by itself, in the quality of the last one or the default. */
  readonly askedQuality: number | null;
}

/** A file that a conversion made. */
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
  /** R2's name for the multipart upload; empty for a file that was sent whole. */
  readonly multipartId: string;
  /** Etags of slices by their numbers. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Limits on the files of one conversion. */
export interface StageLimits {
  readonly files: number;
  /** Bytes of all of them. */
  readonly bytes: number;
}

/** Result of storing a sent file. "gone": the conversion has ended. "too_many": its files exceed StageLimits. */
export type StageOutcome = "done" | "gone" | "library_capacity" | "too_many";

/** Times for the delayed deletion of replaced files, which open pages may still read. */
export interface LeftoverTimes {
  readonly at: Instant;
  readonly expiresAt: Instant;
}
