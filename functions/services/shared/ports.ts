/** Ports and values that several features use. Ports of one feature are in its own `*-ports.ts`. */

import type { Instant, LinkPurpose, User, Uuid } from "~/domain/shared/model";
import type { AuditAction, AuditKind } from "~/domain/users/audit";

// ── time, chance, secrets ────────────────────────────────────────────────────────────────────────────────────────

/** The time. Nothing else in the use cases asks for it, so a test can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Unpredictable values. */
export interface IdSource {
  uuid(): Uuid;
  /** 256 bits in base64url (43 characters): session tickets and link tokens. */
  token(): string;
  /** 11 Base58 characters, for a space that is no showcase. */
  sid(): string;
}

/** Seals texts so that the database contains nothing readable. */
export interface TextSealer {
  /** @param expires epoch milliseconds */
  seal(about: string, text: string, expires: number): string;
  /** Null for what was not sealed about this, or has expired. */
  open(about: string, value: string, now: number): string | null;
}

// ── mail ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One mail to one person, in that person's language. Both bodies say the same. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Further headers: how to stop such mails (RFC 2369, RFC 8058). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The way out for mails. */
export interface Mailer {
  /**
   * Sends a mail.
   * @throws if the mail service rejects it; the caller must not report such a mail as sent
   */
  send(mail: Mail): Promise<void>;
}

/** The kind of a mail. `email` confirms a new address; the others report a completed change. */
export type EmailKind =
  | LinkPurpose
  | "passwordChanged"
  | "emailChanged"
  | "passkeyAdded"
  | "accountAttacked"
  | "newBrowser"
  | "passkeyRemoved"
  | "secondFactorAdded"
  | "secondFactorRemoved"
  | "secondFactorReset"
  | "recoveryCodeUsed"
  | "tokenCreated"
  | "webhookStopped"
  | "eventOpened"
  | "eventEnded"
  | "deletionRequested"
  | "uploadRejected"
  | "privilegesChanged";

/** Values for the texts of a mail. */
export interface EmailContent {
  /** The recipient. */
  readonly user: Pick<User, "firstName" | "lastName" | "email" | "language" | "timeZone">;
  /** The address of the page that the letter leads to. */
  readonly link: string;
  /** Until when the link works; null where the letter carries none that ends. */
  readonly expiresAt: Instant | null;
  /** The other address that the letter names: the new one of `email` and `emailChanged`. */
  readonly email?: string;
  /** The subject of the mail: the token, the host of the receiver, the event, the file, or the number of recovery codes that are left. */
  readonly name?: string;
  /** Time of the reported change. */
  readonly at?: Instant;
  /** Address at which the recipient can stop mails of this kind, for mails that can be stopped. */
  readonly stopLink?: string;
  /** Further lines below the text, as keys of the mails' words with their values. */
  readonly lines?: readonly EmailLine[];
}

/** A line of a mail about a change of an account. */
export interface EmailLine {
  /** A name below `privilegesChanged.line` in the mails' texts. */
  readonly phrase:
    | "madeAdministrator"
    | "madeUser"
    | "administratorInvited"
    | "administratorBack"
    | "addressChanged"
    | "more";
  readonly values: Readonly<Record<string, string | number>>;
}

/** Writes a letter in its reader's language. Pure. */
export type EmailTemplate = (kind: EmailKind, content: EmailContent) => Omit<Mail, "to">;

// ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The requested page of a list; pageRequest reads it from the caller's values. */
export interface PageRequest {
  /** From 1. */
  readonly page: number;
  /** Rows of a full page. */
  readonly pageSize: number;
}

/** A page of a list that is counted, as it was asked for. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly pageSize: number;
  /** Number of items of all pages. */
  readonly total: number;
}

/** A part of a list that is read from a cursor, in the order of the list. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** The total: exact, or a lower bound if counting all would cost more than reading a page. */
export interface Total {
  readonly count: number;
  readonly isMore: boolean;
}

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An entry of the audit log. Details name fields, never secrets. */
export interface AuditEntry {
  readonly id: Uuid;
  readonly at: Instant;
  /** Null for the clock and for visitors. */
  readonly actorId: Uuid | null;
  readonly action: AuditAction;
  readonly resourceType: AuditKind;
  readonly resourceId: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** User whom an entry about another resource also concerns, such as a group's member. */
  readonly subjectId?: Uuid | null;
  /** `session:` and a handle, or `token:` and an id: see ActingCredential. */
  readonly credential?: string | null;
  /** Keyed hash of the network from which it was done. */
  readonly network?: string | null;
}

// ── repeated calls ───────────────────────────────────────────────────────────────────────────────────────────────

/** A call that is under way. */
export interface BegunCall {
  readonly id: string;
  readonly userId: Uuid;
  readonly asked: string;
  readonly beganAt: Instant;
  readonly expiresAt: Instant;
}
