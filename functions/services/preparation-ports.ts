/** Queries of the database about conversions in owners' browsers (decision 054). */
import type { Instant, LibraryItem, Uuid } from "~/domain/model";
import type { TileShape } from "~/domain/panorama-tiles";
import type { PreparationCode, PreparationReport, PreparedRole } from "~/domain/prepared";
import type { AuditEntry } from "./ports";

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
  /** 0…1 */
  readonly quality: number;
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

/** Conversions by their items. Conditions are part of each statement. */
export interface PreparationRepository {
  /** Leases a file to one browser. Null when another one has it, or when the item has another file by now. */
  lease(lease: PreparationLease, now: Instant): Promise<PreparationLease | null>;
  /** The lease that an item has now, however old. */
  findLease(itemId: Uuid): Promise<Pick<PreparationLease, "runId" | "actorId" | "until" | "quality"> | null>;
  /** Extends a lease. False when another browser has it. */
  renew(itemId: Uuid, runId: Uuid, until: Instant): Promise<boolean>;
  /** Records a file of a running conversion. It replaces a file of the same name. */
  stage(file: StagedFile, limits: StageLimits): Promise<StageOutcome>;
  findStaged(itemId: Uuid, runId: Uuid): Promise<readonly StagedFile[]>;
  /** One file of a conversion under way. */
  findStagedFile(fileKey: string): Promise<StagedFile | null>;
  savePart(fileKey: string, number: number, etag: string): Promise<void>;
  /** Records the inspected properties of a stored file. Only such files can be finished. */
  settleFile(file: Pick<StagedFile, "fileKey" | "byteSize" | "width" | "height" | "duration">): Promise<void>;
  /** Files of an item that belong neither to the conversion in use nor to `except`. */
  listAbandoned(itemId: Uuid, except: Uuid | null): Promise<readonly StagedFile[]>;
  /** Files of conversions whose lease has ended, of any item. */
  listExpired(now: Instant, limit: number): Promise<readonly StagedFile[]>;
  forgetFiles(fileKeys: readonly string[]): Promise<void>;
  /** Replaces the files in use by those of a conversion, all or nothing. */
  finish(
    item: Pick<LibraryItem, "id" | "fileKey">,
    runId: Uuid,
    result: { readonly report: PreparationReport; readonly tiles: TileShape | null },
    times: LeftoverTimes,
    audit: AuditEntry,
  ): Promise<"done" | "gone" | "library_capacity">;
  /** Ends a conversion without a result. The files in use stay. False when another browser has the lease. */
  fail(itemId: Uuid, runId: Uuid, code: PreparationCode, at: Instant): Promise<boolean>;
  /** Uses the file as it was uploaded. Ends a running conversion. */
  skip(item: Pick<LibraryItem, "id" | "fileKey">, times: LeftoverTimes, audit: AuditEntry): Promise<boolean>;
}
