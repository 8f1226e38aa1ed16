/** Ports and values that several features use. Ports of one feature are in its own `*-ports.ts`. */

import type { Instant, LinkPurpose, User, Uuid } from "~/domain/shared/model";
import type { AuditAction, AuditKind } from "~/domain/users/audit";

// ── time, ids, secrets ───────────────────────────────────────────────────────────────────────────────────────────

/** The current time. Use cases read the time only here, so that tests can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Unpredictable values. */
export interface IdSource {
  uuid(): Uuid;
  /** 256 bits in base64url (43 characters): session tickets and link tokens. */
  token(): string;
  /** A space's public id of 11 Base58 characters. A showcase (an embedded Matterport space) has its own. */
  sid(): string;
}

/** Encrypts (seals) texts that the database, a URL or a browser keeps. */
export interface TextSealer {
  /** Seals a text for one purpose. @param expires epoch milliseconds */
  seal(purpose: string, text: string, expires: number): string;
  /** Opens a sealed text; null if it is invalid, was sealed for another purpose, or has expired. @param now epoch milliseconds */
  open(purpose: string, value: string, now: number): string | null;
}

// ── mail ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One mail to one person, in that person's language. Both bodies have the same content. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Additional headers, for stopping such mails (RFC 2369, RFC 8058). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The mail service. */
export interface Mailer {
  /**
   * Sends a mail.
   * @throws if the mail service rejects it; the caller must not report such a mail as sent
   */
  send(mail: Mail): Promise<void>;
}

/** The kind of a mail: the purpose of the link that it contains (`email` confirms a new address), or the occurrence that it reports. */
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
  /** URL of the page to which the mail links. */
  readonly link: string;
  /** Expiry of the link; null for a link without expiry. */
  readonly expiresAt: Instant | null;
  /** The other address in the mail: the new one for `email` and `emailChanged`. */
  readonly email?: string;
  /** A value in the text, such as the token, the webhook's host, the event, the file, or the number of remaining recovery codes. */
  readonly name?: string;
  /** Time of the reported change or other occurrence. */
  readonly at?: Instant;
  /** URL at which the recipient can stop mails of this kind, for mails that can be stopped. */
  readonly stopLink?: string;
  /** Further lines below the text, as message keys with their values. */
  readonly lines?: readonly EmailLine[];
}

/** A line in a mail about a change of an account. */
export interface EmailLine {
  /** A key below `privilegesChanged.line` in the mail messages. */
  readonly phrase:
    | "madeAdministrator"
    | "madeUser"
    | "administratorInvited"
    | "administratorBack"
    | "addressChanged"
    | "more";
  readonly values: Readonly<Record<string, string | number>>;
}

/** Writes a mail in its recipient's language. A pure function. */
export type EmailTemplate = (kind: EmailKind, content: EmailContent) => Omit<Mail, "to">;

// ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The requested page of a list, read by pageRequest from the caller's values. */
export interface PageRequest {
  /** Page number from 1. */
  readonly page: number;
  /** Rows of a full page. */
  readonly pageSize: number;
}

/** One page of a list with a known total. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  readonly pageSize: number;
  /** Number of items of all pages. */
  readonly total: number;
}

/** The part of a list that a cursor selects, in the order of the list. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** The total: exact, or a lower bound if counting all would cost more than reading a page. */
export interface Total {
  readonly count: number;
  readonly hasMore: boolean;
}

// ── audit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** An entry of the audit log. Details name the changed fields and never contain secrets. */
export interface AuditEntry {
  readonly id: Uuid;
  readonly at: Instant;
  /** Null for automatic changes and for visitors. */
  readonly actorId: Uuid | null;
  readonly action: AuditAction;
  readonly resourceType: AuditKind;
  readonly resourceId: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** User whom an entry about another resource also concerns, such as a group's member. */
  readonly subjectId?: Uuid | null;
  /** `session:` and a handle, or `token:` and an id: see ActingCredential. */
  readonly credential?: string | null;
  /** Keyed hash of the caller's network. */
  readonly network?: string | null;
}

// ── repeated calls ───────────────────────────────────────────────────────────────────────────────────────────────

/** A call with an idempotency key that is running. */
export interface RunningCall {
  /** SHA-256 of the user's id and the key, hex. */
  readonly id: string;
  readonly userId: Uuid;
  /** SHA-256 of the whole request, hex. */
  readonly requestHash: string;
  readonly beganAt: Instant;
  readonly expiresAt: Instant;
}
