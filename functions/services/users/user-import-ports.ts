/** Ports of the import of users from a CSV file. */

import type { Instant, Lang, Role, UserStatus, Uuid } from "~/domain/shared/model";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { ErrorMessage } from "../shared/errors";

/** Validated values of a line. Columns that the file lacks are missing here and stay unchanged. */
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
  readonly words: ErrorMessage;
}

/** A line of the file, what it would do, and after the confirmation what it did. */
export interface ImportLine {
  /** Where the record begins in the file, counted from 1 as editors do. */
  readonly line: number;
  /** The address, if it could be read. */
  readonly email: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  readonly problems: readonly ImportProblem[];
  /** The values of the line; for a new user, all values that will be written. */
  readonly values: ImportValues | null;
  /** Which fields an update changes, and what they were when it was compared. */
  readonly fields: readonly ImportField[];
  readonly from: Partial<ImportValues> | null;
  /** Id of the updated or new user. It identifies rows that were written before an interruption. */
  readonly userId: Uuid | null;
  /** For an update: the version that was compared. */
  readonly version: number | null;
  /** It sets a role, or lets an administrator in: see isPrivilegedChange. */
  readonly privileged?: boolean;
  /** After the confirmation: why it was not written; null when it was. Missing before. */
  readonly refused?: ErrorMessage | null;
}

/** Result of a line. */
export interface ImportLineResult {
  readonly line: number;
  /** Why it was not written; null when it was. */
  readonly refused: ErrorMessage | null;
}

/** A whole file, as it was checked. */
export interface ImportPlan {
  readonly encoding: CsvEncoding;
  readonly lines: readonly ImportLine[];
}

/** A checked file that waits for its confirmation, or what became of it. */
export interface UserImport {
  readonly id: Uuid;
  readonly actorId: Uuid;
  readonly fileName: string;
  readonly plan: ImportPlan;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** End of the claim of the call that is writing, extended with every batch; null before the confirmation. */
  readonly claimedUntil: Instant | null;
  /** When all of it was written. */
  readonly doneAt: Instant | null;
}
