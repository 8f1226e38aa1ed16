/** What administration needs from the outside, beside ports.ts: groups, the audit trail, files of users. */
import type { AuditAction, AuditKind } from "~/domain/audit";
import type { Cursor } from "~/domain/cursor";
import type { Group, Instant, User, Uuid } from "~/domain/model";
import type { CsvEncoding } from "~/domain/user-csv";
import type { AuditEntry, Slice } from "./ports";
import type { ImportResult, UserImport } from "./user-import-plan";

// ── groups ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What can belong to a group. */
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

/** Groups, their members, and what is shared with them. */
export interface GroupRepository {
  /** Newest first; those in the trash the latest first. */
  list(query: { readonly trash: boolean; readonly cursor: Cursor }, size: number): Promise<Slice<Group>>;
  /** In the trash or not. */
  find(id: Uuid): Promise<Group | null>;
  /** Live groups of somebody, by name. Everybody has few. */
  listByMember(userId: Uuid): Promise<readonly Group[]>;
  /** False when another live group has the name. */
  create(
    group: { readonly id: Uuid; readonly name: string; readonly createdAt: Instant },
    audit: AuditEntry,
  ): Promise<boolean>;
  /** False when the version moved on, the group is in the trash, or another live group has the name. */
  rename(id: Uuid, version: number, name: string, at: Instant, audit: AuditEntry): Promise<boolean>;
  /**
   * Into the trash, if it has that version (null: any), or out of it when it went there at `since` or later and no live group has its name. False when nothing
   * was done.
   */
  setTrash(
    id: Uuid,
    to: { readonly by: Uuid; readonly version: number | null } | { readonly since: Instant },
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
  /** False when there is nothing to do: a member already, or one of both is gone. */
  addMember(groupId: Uuid, userId: Uuid, at: Instant, audit: AuditEntry): Promise<boolean>;
  /** False when there is no such member. */
  removeMember(groupId: Uuid, userId: Uuid, audit: AuditEntry): Promise<boolean>;
  /** The latest first. */
  listMembers(groupId: Uuid, cursor: Cursor, size: number): Promise<Slice<Member>>;
  /** Which of some users are members. */
  membersAmong(groupId: Uuid, userIds: readonly Uuid[]): Promise<readonly Uuid[]>;
  /** What belongs to a group, at most so many of each kind, the newest first. */
  listShared(groupId: Uuid, limit: number): Promise<readonly SharedThing[]>;
  /** Gives something of an owner to a group or to none. False when it, or the group, is gone. */
  setGroup(
    thing: { readonly kind: SharedKind; readonly id: Uuid; readonly ownerId: Uuid },
    groupId: Uuid | null,
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
}

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Which part of the audit trail is asked for; null means all. */
export interface AuditQuery {
  /** Who did it, or to whom it was done. */
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

/** An entry with what it names as far as that is there still. */
export interface AuditRow extends Omit<AuditEntry, "action"> {
  /** An action of an earlier version may no longer be known. */
  readonly action: string;
  readonly actor: AuditPerson | null;
  /** The name of the thing, or of the person. */
  readonly resource: { readonly name: string } | { readonly person: AuditPerson } | null;
}

/** The audit trail. Entries that belong to a change are written with it, by the repository of what is changed. */
export interface AuditRepository {
  /** Newest first. */
  list(query: AuditQuery, size: number): Promise<Slice<AuditRow>>;
  /** The latest entries about a space and about the 50 newest of its events, newest first. */
  listAboutSpace(spaceId: Uuid, limit: number): Promise<readonly AuditRow[]>;
  /** Writes what has no change of its own. */
  write(entry: AuditEntry): Promise<void>;
  /** Writes an entry whose detail has a `count` of 1, or counts the entry of that id up. Returns the count. */
  countUp(entry: AuditEntry): Promise<number>;
}

// ── files of users ───────────────────────────────────────────────────────────────────────────────────────────────

/** Files of users that were checked and wait for their confirmation. */
export interface UserImportRepository {
  /** Keeps a checked file, instead of the same person's earlier ones, but for those whose writing began and has not ended. */
  add(checked: Omit<UserImport, "claimedUntil" | "doneAt">): Promise<void>;
  /** Written or not, expired or not; its lines with what became of them. */
  find(id: Uuid): Promise<UserImport | null>;
  /** Claims a file for writing, and keeps it until `expiresAt`. False when somebody is writing it, or it is done or expired. */
  claim(
    id: Uuid,
    at: Instant,
    claim: { readonly until: Instant; readonly expiresAt: Instant },
  ): Promise<boolean>;
  /** Writes down what became of some lines and prolongs the claim. False, with nothing done, when it is somebody else's by now. */
  progress(
    id: Uuid,
    results: readonly ImportResult[],
    claim: { readonly held: Instant; readonly until: Instant },
  ): Promise<boolean>;
  /** Writes down that all lines were seen to, unless the claim is somebody else's by now. */
  finish(id: Uuid, claim: { readonly held: Instant; readonly at: Instant }, audit: AuditEntry): Promise<void>;
  /** Forgets those that expired before then; how many. */
  deleteExpired(before: Instant): Promise<number>;
}

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
