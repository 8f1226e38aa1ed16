/** Ports of the administration: users, groups, the audit log, CSV files. */

import type { Cursor } from "~/domain/shared/cursor";
import type { Instant, Lang, Localized, Role, User, UserStatus, Uuid } from "~/domain/shared/model";
import type { AuditAction, AuditKind } from "~/domain/users/audit";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { AuditEntry, Slice, Total } from "../shared/ports";

// ── users ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A validated user to add, with the hash of the password. */
export interface NewUser
  extends Pick<
    User,
    | "id"
    | "email"
    | "firstName"
    | "lastName"
    | "companyName"
    | "role"
    | "status"
    | "spaceLicense"
    | "storageLimit"
    | "language"
    | "timeZone"
    | "createdAt"
  > {
  readonly passwordHash: string;
}

/** A user in the administrators' list. */
export interface ListedUser extends User {
  /** Time at which the account was moved to the trash. */
  readonly deletedAt: Instant | null;
  /** Whether the owner has set a password. Before that, the address is unverified. */
  readonly hasPassword: boolean;
}

/** A part of a list of users, and the number of users in the whole list. */
export interface UserSlice extends Slice<ListedUser> {
  readonly total: Total;
  /** Whether some users were not searched: among deletion requests and in the trash, only the latest DELETION_SEARCH_MAX are searched. */
  readonly hasUnsearched: boolean;
}

/** Changes by an administrator to an account. Absent fields stay unchanged. */
export interface UserChanges {
  /** All of them or none, because the search key is computed from all of them. */
  readonly identity?: Pick<NewUser, "email" | "firstName" | "lastName" | "companyName">;
  readonly role?: Role;
  readonly status?: UserStatus;
  /** Number of spaces that the licence includes. */
  readonly spaceLicense?: number;
  /** Bytes. */
  readonly storageLimit?: number;
  readonly language?: Lang;
  readonly timeZone?: string;
  /** Moves the account to the trash at this time; null restores it. */
  readonly trash?: { readonly at: Instant; readonly by: Uuid } | null;
  /** Null declines the owner's request to delete the account. */
  readonly deletionRequestedAt?: null;
}

/**
 * Conditions that the update statement checks. It also checks that an account in the trash gets no change but its restoration, and that at least one
 * administrator can still log in.
 */
export interface UserGuard {
  readonly version?: number;
  /** Statuses from which the change may be made. */
  readonly from?: readonly UserStatus[];
  /** Whether the account must have a password, or must have none. */
  readonly hasPassword?: boolean;
  /** User whom the change must not affect, so that administrators cannot lock themselves out. */
  readonly notUser?: Uuid;
  /** The account must have been deleted at this time or later, because earlier ones are being purged. */
  readonly trashedSince?: Instant;
}

/** A change of one account with its conditions and its audit entries. */
export interface UserChange {
  readonly id: Uuid;
  readonly changes: UserChanges;
  readonly guard: UserGuard;
  readonly audit: readonly AuditEntry[];
}

/** Result of a change. */
export interface UserChangeResult {
  readonly isChanged: boolean;
  /** The account afterwards; null if there is none. */
  readonly saved: ListedUser | null;
  /** Whether nothing was changed because the account is the last administrator who can log in. */
  readonly isLastAdministrator: boolean;
}

// ── groups ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Kinds of items that can belong to a group. */
export type SharedKind = "folder" | "space" | "media";

/** An item that is shared with a group. */
export interface SharedItem {
  readonly kind: SharedKind;
  readonly id: Uuid;
  /** Empty for a root folder. */
  readonly name: string;
  readonly owner: Pick<User, "id" | "firstName" | "lastName" | "email">;
}

/** A member of a group in the administrators' list. */
export type Member = Pick<User, "id" | "firstName" | "lastName" | "companyName" | "email" | "status">;

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The requested part of the audit log; null means all. */
export interface AuditQuery {
  /** The person who made the change or whom it concerns. */
  readonly person: Uuid | null;
  readonly action: AuditAction | null;
  readonly kind: AuditKind | null;
  /** Beginning of the period, inclusive. */
  readonly from: Instant | null;
  /** End of the period, exclusive. */
  readonly to: Instant | null;
  readonly cursor: Cursor;
}

/** A person in the audit log. */
export type AuditPerson = Pick<User, "id" | "firstName" | "lastName" | "email">;

/** An audit entry with the names of its records, if they still exist. */
export interface AuditRow extends Omit<AuditEntry, "action"> {
  /** As stored, because actions of earlier versions may be unknown. */
  readonly action: string;
  /** Null for an entry without an actor, and when the actor's account was deleted permanently. */
  readonly actor: AuditPerson | null;
  /** The name of the resource, or the affected person. */
  readonly resource: { readonly name: string | Localized } | { readonly person: AuditPerson } | null;
}

// ── CSV files ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A record of a CSV file. */
export interface CsvRecord {
  /** Line number in the file at which the record begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Whether a quotation mark is misplaced or has no closing one. */
  readonly isBroken: boolean;
}

/** CSV as in RFC 4180 and as spreadsheets write it. */
export interface CsvCodec {
  /** Decodes a file; without an encoding, it is detected. Returns null if the file is not in the given encoding, or in no known one. */
  decode(
    bytes: Uint8Array,
    encoding: CsvEncoding | null,
  ): { readonly text: string; readonly encoding: CsvEncoding } | null;
  /** Returns the records without empty lines: at most `limit`, and none after a broken one. */
  parse(text: string, limit: number): readonly CsvRecord[];
  /** Returns a line with its line break. Text that a spreadsheet would execute as a formula is escaped. */
  line(cells: readonly (string | number | null)[]): string;
}
