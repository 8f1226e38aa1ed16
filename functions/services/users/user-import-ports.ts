/** Ports of the import of users from a CSV file. */

import type { Instant, Lang, Role, UserStatus, Uuid } from "~/domain/shared/model";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { ErrorMessage } from "../shared/errors";

/** Validated values of a line. Fields that the line does not set are missing here and stay unchanged. */
export interface ImportValues {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly companyName?: string;
  readonly role?: Role;
  readonly status?: UserStatus;
  readonly spaceLicense?: number;
  /** Bytes. */
  readonly storageLimit?: number;
  readonly language?: Lang;
  readonly timeZone?: string;
}

/** A field of a user that a file can set. */
export type ImportField = keyof ImportValues;

/** A problem in a line, with its column if there is one. */
export interface ImportProblem {
  readonly column: string | null;
  readonly message: ErrorMessage;
}

/** A line of the file with its planned effect, and after the confirmation its result. */
export interface ImportLine {
  /** Line number in the file at which the record begins, from 1. */
  readonly line: number;
  /** The address; if it is invalid, the beginning of its cell. */
  readonly email: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  readonly problems: readonly ImportProblem[];
  /** The values of the line; for a new user, all values that will be written. */
  readonly values: ImportValues | null;
  /** The fields that an update changes. */
  readonly fields: readonly ImportField[];
  /** For an update: the saved values of these fields. */
  readonly from: Partial<ImportValues> | null;
  /** Id of the updated or new user. It identifies rows that were written before an interruption. */
  readonly userId: Uuid | null;
  /** For an update: the version that was compared. */
  readonly version: number | null;
  /** Whether the line creates an administrator, changes a role, or lets an administrator log in. */
  readonly privileged?: boolean;
  /** After the confirmation: the reason why the line was not written, or null if it was. Absent before, and for lines that write nothing. */
  readonly refused?: ErrorMessage | null;
}

/** Result of a line. */
export interface ImportLineResult {
  readonly line: number;
  /** The reason why the line was not written; null if it was. */
  readonly refused: ErrorMessage | null;
}

/** A checked file. */
export interface ImportPlan {
  readonly encoding: CsvEncoding;
  readonly lines: readonly ImportLine[];
}

/** A checked file that waits for its confirmation, or its result. */
export interface UserImport {
  readonly id: Uuid;
  readonly actorId: Uuid;
  readonly fileName: string;
  readonly plan: ImportPlan;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Time until which the call that is writing keeps other calls out. Each batch extends it. Null before the confirmation. */
  readonly claimedUntil: Instant | null;
  /** Time at which the whole file was written. */
  readonly doneAt: Instant | null;
}
