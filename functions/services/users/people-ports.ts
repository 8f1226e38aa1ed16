/** Ports of the administration: groups, the audit log, files of users. See also ports.ts. */

import type { Cursor } from "~/domain/shared/cursor";
import type { Instant, User, Uuid } from "~/domain/shared/model";
import type { AuditAction, AuditKind } from "~/domain/users/audit";
import type { CsvEncoding } from "~/domain/users/user-csv";
import type { AuditEntry } from "../shared/ports";

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

/** Which part of the audit trail is asked for; null means all. */
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

/** Names for a person of the trail; null when the account is gone for good. */
export type AuditPerson = Pick<User, "id" | "firstName" | "lastName" | "email">;

/** An audit entry with the names of its records, if they still exist. */
export interface AuditRow extends Omit<AuditEntry, "action"> {
  /** An action of an earlier version may no longer be known. */
  readonly action: string;
  readonly actor: AuditPerson | null;
  /** The name of the thing, or of the person. */
  readonly resource: { readonly name: string } | { readonly person: AuditPerson } | null;
}

// ── files of users ───────────────────────────────────────────────────────────────────────────────────────────────

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
