/** Ports of the administration: users, groups, the audit log, CSV files. */

import type { Cursor } from "~/domain/shared/cursor";
import type { Instant, Lang, Localized, Role, User, UserStatus, Uuid } from "~/domain/shared/model";
import type { AuditAction, AuditKind } from "~/domain/users/audit";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { AuditEntry, Slice, Total } from "../shared/ports";

// ── users ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A user to be added, checked; the password as its hash. */
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

/** A user as administrators see it. */
export interface ListedUser extends User {
  /** When the account was put into the trash. */
  readonly deletedAt: Instant | null;
  /** True if the owner has set a password. Before that the address is unverified. */
  readonly hasPassword: boolean;
}

/** A part of a list of users, and how many the whole list has. */
export interface UserSlice extends Slice<ListedUser> {
  readonly total: Total;
  /** Whether more wait for a decision than WAITING_SEARCHED, of whom a search leaves out the earliest. */
  readonly unsearched: boolean;
}

/** Changes by an administrator to an account. Missing fields stay as they are. */
export interface UserChanges {
  /** Fields for searching and sorting: all of them or none. */
  readonly identity?: Pick<NewUser, "email" | "firstName" | "lastName" | "companyName">;
  readonly role?: Role;
  readonly status?: UserStatus;
  readonly spaceLicense?: number;
  readonly storageLimit?: number;
  readonly language?: Lang;
  readonly timeZone?: string;
  /** Moves the account to the trash at this time, or restores it. */
  readonly trash?: { readonly at: Instant; readonly by: Uuid } | null;
  readonly deletionRequestedAt?: null;
}

/**
 * Conditions that the update statement checks. Two conditions always hold as well: an account in the trash can only be restored, and the last
 * administrator who can log in stays.
 */
export interface UserGuard {
  readonly version?: number;
  /** Statuses from which the change may be made. */
  readonly from?: readonly UserStatus[];
  /** Whether the account must have a password, or must have none. */
  readonly hasPassword?: boolean;
  /** User whom the change must not affect, so that administrators cannot lock themselves out. */
  readonly notUser?: Uuid;
  /** Deleted at this time or later; older records are being purged. */
  readonly trashedSince?: Instant;
}

/** A change of one account: what, under which condition, and what the trail says of it. */
export interface UserChange {
  readonly id: Uuid;
  readonly changes: UserChanges;
  readonly guard: UserGuard;
  readonly audit: readonly AuditEntry[];
}

/** Result of a change, with the account afterwards; null if there is none. */
export interface UserChangeResult {
  readonly changed: boolean;
  readonly saved: ListedUser | null;
}

// ── groups ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Kinds of items that can belong to a group. */
export type SharedKind = "folder" | "space" | "media";

/** Something that belongs to a group. */
export interface SharedThing {
  readonly kind: SharedKind;
  readonly id: Uuid;
  /** Empty for a root folder. */
  readonly name: string;
  readonly owner: Pick<User, "id" | "firstName" | "lastName" | "email">;
}

/** A member of a group, as administrators see them in a list. */
export type Member = Pick<User, "id" | "firstName" | "lastName" | "companyName" | "email" | "status">;

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The requested part of the audit log; null means all. */
export interface AuditQuery {
  /** The person who made the change, or whom it concerns. */
  readonly person: Uuid | null;
  readonly action: AuditAction | null;
  readonly kind: AuditKind | null;
  /** From that instant on, and up to but without that one. */
  readonly from: Instant | null;
  readonly to: Instant | null;
  readonly cursor: Cursor;
}

/** Names of a person in the audit log; null when the account was deleted permanently. */
export type AuditPerson = Pick<User, "id" | "firstName" | "lastName" | "email">;

/** An audit entry with the names of its records, if they still exist. */
export interface AuditRow extends Omit<AuditEntry, "action"> {
  /** An action of an earlier version may no longer be known. */
  readonly action: string;
  readonly actor: AuditPerson | null;
  /** The name of the resource, or of the person. */
  readonly resource: { readonly name: string | Localized } | { readonly person: AuditPerson } | null;
}

// ── CSV files ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A record of a CSV file. */
export interface CsvRecord {
  /** Where it begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** A quotation mark is not closed or in the wrong place. */
  readonly broken: boolean;
}

/** CSV (RFC 4180) as spreadsheets write and read it. */
export interface CsvCodec {
  /** The text of a file and how it was read; null when it is not in the encoding named, or with null in none that is known. */
  decode(
    bytes: Uint8Array,
    encoding: CsvEncoding | null,
  ): { readonly text: string; readonly encoding: CsvEncoding } | null;
  /** Records, empty lines left out; at most `limit`, and after a broken one no more. */
  parse(text: string, limit: number): readonly CsvRecord[];
  /** A line with its end. What a spreadsheet would take for a formula is defused. */
  line(cells: readonly (string | number | null)[]): string;
}
