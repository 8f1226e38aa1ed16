import type { PasskeyRegistration, PasskeySignIn } from "~/domain/auth/passkey.schema";
import type { EventFormValue } from "~/domain/events/event-form";
import type { LibraryItem } from "~/domain/library/library-item";
import type { ItemPreparation } from "~/domain/library/prepared";
import type {
  Event,
  EventMedia,
  EventScene,
  EventTag,
  FolderType,
  Instant,
  Lang,
  LinkPurpose,
  Role,
  Space,
  SpaceSource,
  User,
  UserStatus,
  Uuid,
} from "~/domain/shared/model";
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

/** Hashes that are slow on purpose. A hash names its own parameters, so old ones stay good when these are raised. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False, never an error, for a hash of unknown form. */
  verify(password: string, hash: string): Promise<boolean>;
  /** A hash that no password matches and that costs as much to verify as a real one. */
  readonly dummyHash: string;
}

/** Signs texts for addresses of files. */
export interface MediaSigner {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The signed flag that a visitor keeps after giving an event's publish password (§4). */
export interface EventAccessSigner {
  /** @param passwordVersion changes with the password; only its MAC leaves the server. @param expires epoch milliseconds */
  sign(eventId: Uuid, passwordVersion: string, expires: number): string;
  verify(eventId: Uuid, passwordVersion: string, value: string | null, now: number): boolean;
}

/**
 * Counts failed attempts by key; a successful attempt uses up nothing. A key is free again when its window ends. Keys that begin with `place:` stand
 * for a network with many possible users, `event:` for an event that all of its visitors share, `site:` for an IPv6 /48: their limits are higher
 * than an account's, in this order. Implementations may be approximate across machines, but never across calls in one isolate: an attempt is counted
 * before it is checked, so that simultaneous attempts are not all admitted.
 */
export interface RateLimiter {
  /**
   * Takes a place for one guess. False when failures and guesses under way have used the allowance up. `fail` or `release`
   * follows each true; a guess that never came to an end counts as a failure.
   */
  reserve(key: string): Promise<boolean>;
  /** The guess was wrong: its place stays taken until the window is over. False when that went beyond the allowance. */
  fail(key: string): Promise<boolean>;
  /** The guess was right, or was never checked: gives its place back. */
  release(key: string): void;
  /**
   * Notes a guess for the operator's log.
   * @param what the secret that was guessed at, such as "log-in"
   * @param account the account that it belongs to; null for a secret of no account, and for an unknown address
   */
  note(what: string, outcome: "wrong" | "refused", account: Uuid | null): void;
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

/** Which page of a list is asked for: see pageRequest for what a caller may send. */
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

// ── sessions and users ───────────────────────────────────────────────────────────────────────────────────────────

/** The data that a log-in with a password is checked against. */
export interface Credentials {
  readonly user: User;
  readonly passwordHash: string;
  /** Whether the account has an authenticator app. */
  readonly hasSecondFactor: boolean;
}

/** A session as it is stored. */
export interface SessionRecord {
  /** SHA-256 of the ticket, hex. The ticket itself is stored nowhere. */
  readonly id: string;
  readonly userId: Uuid;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Exact to an hour. */
  readonly lastSeenAt: Instant;
  readonly userAgent: string;
  /** When the password or a passkey was given last; null means when the session began. */
  readonly authenticatedAt: Instant | null;
}

/** A live session and whose it is. */
export interface AuthenticatedSession {
  readonly session: SessionRecord;
  readonly user: User;
  /** The user's groups that are not in the trash. */
  readonly groupIds: readonly Uuid[];
}

/** An audit entry about the user of a session, who is read from it. */
export type SessionAuditEntry = Omit<AuditEntry, "actorId" | "resourceId">;

/** A user to be added, checked; the password as its hash. */
export interface NewUser {
  readonly id: Uuid;
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  readonly spaceLicense: number;
  /** Bytes. */
  readonly storageLimit: number;
  readonly language: Lang;
  readonly timeZone: string;
  readonly createdAt: Instant;
}

/** A user as administrators see it. */
export interface ListedUser extends User {
  /** When the account was put into the trash. */
  readonly deletedAt: Instant | null;
  /** True if the owner has set a password. Before that the address is unverified. */
  readonly hasPassword: boolean;
}

/** A part of a list that is read from a cursor, in the order of the list. */
export interface Slice<T> {
  readonly items: readonly T[];
  readonly hasPrevious: boolean;
  readonly hasNext: boolean;
}

/** How many there are: exactly, or at least so many where counting all would cost more than showing some. */
export interface Total {
  readonly count: number;
  readonly isMore: boolean;
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
  /** In the trash since then or later: what is older is being removed. */
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

// ── links in mails ───────────────────────────────────────────────────────────────────────────────────────────────

/** A link that a mail carries. Its token is stored nowhere. */
export interface UserLink {
  /** SHA-256 of the token, hex. */
  readonly id: string;
  readonly userId: Uuid;
  readonly purpose: LinkPurpose;
  /** The address to which it was sent. */
  readonly email: string;
  /** True for an invitation: accepting it activates the account. */
  readonly activates: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly usedAt: Instant | null;
}

/** A link and the account to which it was sent. */
export interface LinkWithUser {
  readonly link: UserLink;
  readonly user: User;
}

/** The change that using a link makes to its account, atomically. */
export interface AccountChange {
  /** Closes the account's other links to a new password, too. */
  readonly passwordHash?: string;
  /** Closes the account's other invitations. */
  readonly status?: UserStatus;
  /** The new address. */
  readonly email?: string;
  /** Ends all sessions of the account. */
  readonly endSessions: boolean;
}

// ── accounts and passkeys ────────────────────────────────────────────────────────────────────────────────────────

/** Values of the profile form. */
export interface ProfileValues {
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly language: Lang;
  readonly timeZone: string;
}

/** A session as its owner sees it. */
export interface SessionListItem {
  /** The first 64 bits of the ticket's hash: enough to tell one's own sessions apart, and the rest stays here. */
  readonly handle: string;
  readonly createdAt: Instant;
  readonly lastSeenAt: Instant;
  readonly expiresAt: Instant;
  readonly userAgent: string;
}

/** A passkey, as its owner sees it. */
export interface Passkey {
  /** The credential's id, base64url. */
  readonly id: string;
  readonly name: string;
  /** How the browser reaches the authenticator: "internal", "usb", … (WebAuthn §5.8.4). */
  readonly transports: readonly string[];
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
}

/** A passkey to be added. */
export interface NewPasskey extends Omit<Passkey, "lastUsedAt"> {
  readonly userId: Uuid;
  /** COSE, base64url; SPKI if it was added before decision 075. */
  readonly publicKey: string;
  /** How often it has signed, as the authenticator counts; 0 from those that keep no count (WebAuthn §6.1.1). */
  readonly counter: number;
}

/** The data that a log-in with a passkey is checked against. */
export interface PasskeyWithUser {
  readonly passkey: { readonly id: string; readonly publicKey: string; readonly counter: number };
  readonly user: User;
}

/** Where a passkey is good: the origin of the page and the host that the authenticator knows it by. */
export interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/** The checks of WebAuthn (§7.1, §7.2). Binary values are base64url. */
export interface PasskeyVerifier {
  /** The challenge in client data; null for invalid client data, and for that of a frame in another site's page. */
  challengeOf(clientDataJson: string): Promise<string | null>;
  /** The public key (COSE) and the counter of a new credential; null unless it responds to the challenge as requested. */
  registration(
    credential: PasskeyRegistration,
    challenge: string,
    site: Site,
  ): Promise<{ readonly publicKey: string; readonly counter: number } | null>;
  /**
   * The authenticator's counter when the passkey's holder, verified by the authenticator, signed the challenge for this site; else null. Also
   * null when the counter does not grow: the authenticator may be a copy. Many authenticators have no counter and always send 0 (§7.2 step 22).
   */
  signIn(
    credential: PasskeySignIn,
    challenge: string,
    passkey: { readonly publicKey: string; readonly counter: number },
    site: Site,
  ): Promise<{ readonly counter: number } | null>;
}

// ── folders and spaces ───────────────────────────────────────────────────────────────────────────────────────────

/** A folder to be added. It is not shared with a group. */
export interface NewFolder {
  readonly id: Uuid;
  /** Null for a root folder. */
  readonly parentId: Uuid | null;
  readonly ownerId: Uuid;
  readonly folderType: FolderType;
  /** Empty for a root folder. */
  readonly name: string;
  /** The group with which it is shared from the beginning. */
  readonly groupId: Uuid | null;
  readonly createdAt: Instant;
}

/** The root folders of one account (§1). */
export type RootFolders = Readonly<Record<FolderType, NewFolder>>;

/** The spaces and the page that are requested. */
export interface SpaceQuery {
  readonly ownerId: Uuid;
  /** Spaces that others share with these groups are listed too, unless a folder is named. */
  readonly groupIds: readonly Uuid[];
  /** True to list only items of the folder that are shared with these groups, for a reader who is not its owner. */
  readonly onlyGroups: boolean;
  /** Only spaces directly in this folder; null for all. */
  readonly folderId: Uuid | null;
  readonly page: PageRequest;
}

/** A space to be added, checked. */
export interface NewSpace {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The folder's group: what is made in a shared folder is shared. */
  readonly groupId: Uuid | null;
  readonly name: string;
  readonly sid: string;
  readonly source: SpaceSource;
  readonly posterMediaId: Uuid | null;
  readonly createdAt: Instant;
}

/** Values of a space whose source or thumbnail changes. */
export interface SpaceChange {
  readonly source: SpaceSource;
  readonly sid: string;
  readonly posterMediaId: Uuid | null;
  readonly updatedAt: Instant;
  /** Library items that the space did not have before. */
  readonly newFiles: readonly Uuid[];
}

// ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Validated values of the event form, without the version and the password. */
export type EventValues = Omit<EventFormValue, "version" | "publishPassword" | "spAccessToken"> & {
  readonly spAccessToken: string | null;
};

/** An event to be added, with its link tokens. */
export interface NewEvent {
  readonly id: Uuid;
  readonly spaceId: Uuid;
  readonly accessToken: string;
  readonly previewAccessToken: string;
  readonly values: EventValues;
  /** Null for an event without a publish password. */
  readonly publishPasswordHash: string | null;
  readonly createdAt: Instant;
}

/** undefined keeps the password, null removes it. */
export type PasswordHashChange = string | null | undefined;

/** An event with the space that decides who may see it. */
export interface EventInSpace {
  readonly event: Event;
  readonly space: Space;
}

/** An event with all that hangs in its space: what its editor and its visitors' pages are made from. */
export interface EventEditorData extends EventInSpace {
  /** By sortOrder. */
  readonly tags: readonly EventTag[];
  /** By createdOn (§3). */
  readonly media: readonly EventMedia[];
}

/** An event in the trash. */
export interface TrashedEvent {
  readonly id: Uuid;
  readonly eventName: string;
  readonly deletedAt: Instant;
}

// ── visitors ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** The data needed to send a file without another database query. */
export interface StoredFile {
  readonly itemId: Uuid;
  readonly kind: LibraryItem["kind"];
  readonly fileKey: string;
  /** A still picture of what is no picture itself. */
  readonly thumbKey: string | null;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  readonly width: number | null;
  readonly height: number | null;
  /** The files that were made of it for visitors; null or absent for none. */
  readonly preparation?: Pick<ItemPreparation, "runId" | "display" | "preview" | "tiles"> | null;
  /** Whether the reader gets the file as it was uploaded, because they may change it. All others get it without its metadata. */
  readonly isOriginal?: boolean;
}

/**
 * Everything that any visitor's page of one event needs, secrets included. Stays on the server: an isolate may keep it
 * under its revision. `toVisitorEvent` makes what may leave.
 */
export interface EventRecord extends EventEditorData {
  readonly scene: EventScene;
  readonly revision: number;
  readonly publishPasswordHash: string | null;
  /** The owner's: in which the event's dates are shown. */
  readonly timeZone: string;
  /** The files that this event's visitors may fetch: of its media, its space and the space's poster. By item id. */
  readonly files: Readonly<Record<Uuid, StoredFile>>;
}

// ── library and files ────────────────────────────────────────────────────────────────────────────────────────────

/** A part of a file, both ends inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** A stored file, or a part of it. */
export interface FileBody {
  /** Bytes of the whole file, also where `body` is a part. */
  readonly size: number;
  /** Strong, quoted as in the header. */
  readonly etag: string;
  readonly uploadedAt: Date;
  /** Null for a head, and for what is as `unless` says. */
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Which part of a file is wanted, and when it is not. */
export interface FileQuery {
  /** Absent: the whole file. */
  readonly range?: ByteRange | undefined;
  /** No body is wanted of what the reader has. */
  readonly unless?: FileCondition | undefined;
}

/** The client's cached version: its etag without quotes, or its date in whole seconds. */
export type FileCondition = { readonly etag: string } | { readonly since: Date };

/** Files by their keys. Null when there is none. */
export interface FileStore {
  head(key: string): Promise<FileBody | null>;
  /** One question to the store: the bytes, or that they are not wanted. A range behind the file's end finds no body either. */
  get(key: string, query?: FileQuery): Promise<FileBody | null>;
  /** Deletes files; those that are not there are no matter. */
  delete(keys: readonly string[]): Promise<void>;
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
