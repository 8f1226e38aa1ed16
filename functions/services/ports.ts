/**
 * What the use cases need from the outside. functions/data, media and platform implement these; tests may pass plain
 * objects. Every method that reads or writes records is one D1 round trip unless it says otherwise.
 */
import type { AuditAction, AuditKind } from "~/domain/audit";
import type { Cursor } from "~/domain/cursor";
import type { EventFormValue } from "~/domain/event-form";
import type {
  Event,
  EventMedia,
  EventScene,
  EventStatusId,
  EventTag,
  Folder,
  FolderType,
  Instant,
  Lang,
  LibraryItem,
  LinkPurpose,
  Role,
  Space,
  SpaceSource,
  User,
  UserStatus,
  Uuid,
} from "~/domain/model";
import type { PasskeyRegistration, PasskeySignIn } from "~/domain/passkey.schema";
import type { ItemPreparation } from "~/domain/prepared";
import type { AccountUsage } from "~/domain/usage";
import type { UserListQuery } from "~/domain/user-list.schema";
import type { ItemUses, UseReader } from "./library-ports";

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
export interface PasswordFlags {
  /** @param passwordVersion changes with the password; only its MAC leaves the server. @param expires epoch milliseconds */
  sign(eventId: Uuid, passwordVersion: string, expires: number): string;
  verify(eventId: Uuid, passwordVersion: string, value: string | null, now: number): boolean;
}

/**
 * Counts failures by key; nobody is slowed down by succeeding. A key is free again when its window is over. Keys that begin
 * with `place:` stand for an address behind which many people may sit, those that begin with `event:` for an event that all of
 * its visitors share, those that begin with `site:` for an IPv6 /48: the first is allowed more than an account is, the others more still.
 * Implementations may be approximate across machines, never across calls in one isolate: a guess is counted before it is
 * checked, so that those that come at once are not all admitted.
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
  /** Hands the mail over. @throws when the service refuses it: nobody may be told that a mail is on its way which is not. */
  send(mail: Mail): Promise<void>;
}

/** What a letter is about. `email` confirms a new address; the others tell of what has been done. */
export type LetterKind =
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

/** What the words of a letter are filled with. */
export interface LetterContent {
  /** Of the reader, as formatName writes it. */
  readonly user: Pick<User, "firstName" | "lastName" | "email" | "language" | "timeZone">;
  /** The address of the page that the letter leads to. */
  readonly link: string;
  /** Until when the link works; null where the letter carries none that ends. */
  readonly expiresAt: Instant | null;
  /** The other address that the letter names: the new one of `email` and `emailChanged`. */
  readonly email?: string;
  /** The subject of the mail: the token, the host of the receiver, the event, the file, or the number of recovery codes that are left. */
  readonly name?: string;
  /** When that happened of which the letter tells. */
  readonly at?: Instant;
  /** Where letters of this kind are stopped, of those that somebody has asked for. */
  readonly stopLink?: string;
  /** Further lines below the text, as keys of the mails' words with their values. */
  readonly lines?: readonly LetterLine[];
}

/** A line of a mail about a change of an account. */
export interface LetterLine {
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
export type WriteLetter = (kind: LetterKind, content: LetterContent) => Omit<Mail, "to">;

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
  /** Of all pages together. */
  readonly total: number;
}

// ── sessions and users ───────────────────────────────────────────────────────────────────────────────────────────

/** What a log-in with a password is checked against. */
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
  /** The live groups of which the user is a member. */
  readonly groupIds: readonly Uuid[];
}

/** Sessions by the hashes of their tickets. */
export interface SessionRepository {
  /** The user behind an address, whatever its case, with the password hash. Deleted users are not found. */
  findCredentials(email: string): Promise<Credentials | null>;
  /** The session with its user and groups. Null when unknown, expired at `now`, or its user is deleted. */
  find(id: string, now: Instant): Promise<AuthenticatedSession | null>;
  /**
   * Adds a session and ends another one (the ticket that was presented at log-in), atomically. False, with nothing done, when
   * the account may no longer log in, or its password is no longer the one that was checked.
   */
  create(
    session: SessionRecord,
    passwordHash: string,
    endId: string | null,
    audit: AuditEntry,
  ): Promise<boolean>;
  /**
   * Gives a live session another ticket, atomically: of two exchanges of one ticket only one succeeds. When it began and when
   * it ends stay. Returns the session, or null when the old one was not alive at `fresh.lastSeenAt`.
   */
  exchange(
    oldId: string,
    fresh: Pick<SessionRecord, "id" | "lastSeenAt" | "userAgent">,
  ): Promise<AuthenticatedSession | null>;
  /** Notes that a session was in use then. */
  touch(id: string, lastSeenAt: Instant): Promise<void>;
  /** Ends a session with an audit entry about its user; nothing is written when there is none. */
  delete(id: string, audit: SessionAuditEntry): Promise<void>;
  /** Notes that the password was given again in a session, with its audit entry. False when the session has ended. */
  reauthenticate(id: string, at: Instant, audit: AuditEntry): Promise<boolean>;
  /**
   * Removes what has expired, and sessions of administrators that were used last at `idleAdministrators` or earlier, each with an audit entry.
   * Returns how many.
   */
  deleteExpired(now: Instant, idleAdministrators: Instant): Promise<number>;
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
  /** Whether its owner has set a password: until then nobody has proved the address. */
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

/** What an administrator changes of an account. What is missing stays. */
export interface UserChanges {
  /** What searches and sorting go by: given whole or not at all. */
  readonly identity?: Pick<NewUser, "email" | "firstName" | "lastName" | "companyName">;
  readonly role?: Role;
  readonly status?: UserStatus;
  readonly spaceLicense?: number;
  readonly storageLimit?: number;
  readonly language?: Lang;
  readonly timeZone?: string;
  /** Into the trash at that time by somebody, or out of it. */
  readonly trash?: { readonly at: Instant; readonly by: Uuid } | null;
  readonly deletionRequestedAt?: null;
}

/**
 * What must hold at the moment of the change, in the statement itself. Beside it always: the account is in the trash only
 * when it is to be taken out, and the change does not take the last administrator who can log in.
 */
export interface UserGuard {
  readonly version?: number;
  /** Statuses from which the change may be made. */
  readonly from?: readonly UserStatus[];
  /** Whether the account must have a password, or must have none. */
  readonly hasPassword?: boolean;
  /** Whom the change may not meet: administrators do not lock themselves out. */
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

/** What became of a change, and the account afterwards; null when there is none. */
export interface UserChangeResult {
  readonly changed: boolean;
  readonly saved: ListedUser | null;
}

/** Accounts. Those in the trash are not found unless a method says so. */
export interface UserRepository {
  find(id: Uuid): Promise<User | null>;
  usage(id: Uuid, now: Instant): Promise<AccountUsage | null>;
  /** Those of some accounts that there are, in the trash or not, in any order. */
  findListed(ids: readonly Uuid[]): Promise<readonly ListedUser[]>;
  /** By their addresses, whatever their case. Those in the trash are not found. */
  findByEmail(emails: readonly string[]): Promise<readonly ListedUser[]>;
  /** A page of `size`. Reads as many rows however many users there are (decision 013). */
  list(query: UserListQuery, size: number): Promise<UserSlice>;
  /** How many a list has in all, exactly: for who reads all of it anyway. */
  count(query: UserListQuery): Promise<number>;
  /** Adds the user with both root folders. "email_taken" when the address is in use. */
  create(user: NewUser, roots: RootFolders, audit: AuditEntry): Promise<"created" | "email_taken">;
  /** Adds many in one batch; for each whether it was added or its address was in use. */
  createMany(
    users: readonly { readonly user: NewUser; readonly roots: RootFolders; readonly audit: AuditEntry }[],
  ): Promise<readonly ("created" | "email_taken")[]>;
  /**
   * Makes changes in one batch, each with its audit entry or not at all. An account that can no longer log in loses its
   * sessions. "email_taken" (and nothing changed) when an address is in use.
   */
  change(changes: readonly UserChange[], at: Instant): Promise<readonly UserChangeResult[] | "email_taken">;
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
  /** Of an invitation: accepting it activates the account. */
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

/** What using a link does to its account, all of it or nothing. */
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

/** Links in mails, by the hashes of their tokens. */
export interface LinkRepository {
  /**
   * Adds a link and closes the account's earlier ones of its purpose. False, with nothing done, when the account has had
   * `max` links of this purpose since `since`, or is gone.
   */
  issue(
    link: Omit<UserLink, "usedAt">,
    limit: { readonly since: Instant; readonly max: number },
    audit: AuditEntry,
  ): Promise<boolean>;
  /** A link with its account, whether or not it still works. Null when unknown or the account is gone. */
  find(id: string, purpose: LinkPurpose): Promise<LinkWithUser | null>;
  /** The latest link of a purpose that an account was sent. */
  findLatest(userId: Uuid, purpose: LinkPurpose): Promise<UserLink | null>;
  /** Takes back a link whose mail was not sent. */
  withdraw(id: string): Promise<void>;
  /**
   * Uses a link: the change, the link's end and the audit entry in one batch, or nothing. "stale" when the link was used or
   * closed, or the account saved, since `found` was read: of two uses at once one wins. "email_taken" from the unique index.
   */
  redeem(
    found: LinkWithUser,
    change: AccountChange,
    at: Instant,
    audit: AuditEntry,
  ): Promise<"redeemed" | "stale" | "email_taken">;
  /** Removes links that expired before. Returns how many. */
  deleteExpired(before: Instant): Promise<number>;
}

// ── accounts and passkeys ────────────────────────────────────────────────────────────────────────────────────────

/** What the profile form saves. */
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

/** What people read and change of their own accounts. */
export interface AccountRepository {
  /** Null when the account is gone. */
  passwordHash(userId: Uuid): Promise<string | null>;
  /** Saves the profile with its audit entry, or nothing. "stale" as EventRepository.update. */
  updateProfile(
    user: User,
    values: ProfileValues,
    at: Instant,
    audit: AuditEntry,
  ): Promise<
    | { readonly status: "updated"; readonly user: User }
    | { readonly status: "stale"; readonly saved: User | null }
  >;
  /**
   * Sets a password, gives one session the id of another ticket, and ends all other sessions and the links that would set another password.
   * False, without any change, when the password is not the checked one any more.
   * @returns when the session ends; null when it had ended already
   */
  changePassword(
    userId: Uuid,
    hashes: { readonly from: string; readonly to: string },
    session: { readonly oldId: string; readonly newId: string },
    at: Instant,
    audit: AuditEntry,
  ): Promise<false | { readonly expiresAt: Instant | null }>;
  /** Live sessions of an account, the one used last first. */
  listSessions(userId: Uuid, now: Instant, limit: number): Promise<readonly SessionListItem[]>;
  /** Ends one session of an account. False when it has none with this handle. */
  endSession(userId: Uuid, handle: string, audit: AuditEntry): Promise<boolean>;
  /** Closes the links for a new address that an account waits for. */
  cancelEmailChange(userId: Uuid, at: Instant, audit: AuditEntry): Promise<void>;
  /** Ends the sessions of an account, but for `keepSession` if given. */
  endSessions(userId: Uuid, keepSession: string | null, audit: AuditEntry): Promise<void>;
  /** Writes down or takes back that somebody wants the account deleted. False when that is how it was already. */
  setDeletionRequest(
    userId: Uuid,
    requestedAt: Instant | null,
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
  /** Those who are told of such a request: administrators who may log in, the longest here first. */
  listAdministrators(limit: number): Promise<readonly User[]>;
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

/** What a log-in with a passkey is checked against. */
export interface PasskeyWithUser {
  readonly passkey: { readonly id: string; readonly publicKey: string; readonly counter: number };
  readonly user: User;
}

/** Passkeys, and the challenges that they answer. */
export interface PasskeyRepository {
  /** Newest first. Every account has few. */
  list(userId: Uuid): Promise<readonly Passkey[]>;
  /** Remembers a challenge; of somebody who adds a passkey, instead of earlier ones. */
  addChallenge(challenge: {
    readonly id: string;
    readonly userId: Uuid | null;
    readonly expiresAt: Instant;
  }): Promise<void>;
  /** Takes a challenge of this user out, once. False when there is none that is still alive. */
  takeChallenge(id: string, userId: Uuid, now: Instant): Promise<boolean>;
  /**
   * Takes a log-in's challenge out, once, and reads the passkey that answered it. Null when there is no such challenge that
   * is still alive, or no such passkey of an account that is there.
   */
  takeSignIn(challengeId: string, passkeyId: string, now: Instant): Promise<PasskeyWithUser | null>;
  /** Adds a passkey, unless the account has `max` of them or somebody has it already. */
  add(passkey: NewPasskey, max: number, audit: AuditEntry): Promise<"added" | "taken" | "too_many">;
  /** False when the account has no such passkey. */
  rename(userId: Uuid, id: string, name: string, audit: AuditEntry): Promise<boolean>;
  /** As rename. */
  remove(userId: Uuid, id: string, audit: AuditEntry): Promise<boolean>;
  /**
   * As SessionRepository.create, and notes that the passkey was used. False, with no session begun, when its counter is no
   * longer the one that was checked, or the account may no longer log in.
   */
  signIn(
    session: SessionRecord,
    endId: string | null,
    used: { readonly id: string; readonly from: number; readonly to: number },
    audit: AuditEntry,
  ): Promise<boolean>;
  /** Stores the time of a reauthentication by a passkey in a session. False, without any change, when the passkey's counter is not the checked one any more. */
  reauthenticate(
    sessionId: string,
    used: { readonly id: string; readonly from: number; readonly to: number },
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
  /** The account of a passkey; null when there is no such passkey. */
  findOwner(passkeyId: string): Promise<Uuid | null>;
  /** Removes challenges that nobody answered. Returns how many. */
  deleteExpired(now: Instant): Promise<number>;
}

/** Where a passkey is good: the origin of the page and the host that the authenticator knows it by. */
export interface Site {
  readonly origin: string;
  readonly rpId: string;
}

/** The checks of WebAuthn (§7.1, §7.2). Binary values are base64url. */
export interface PasskeyVerifier {
  /** The challenge that client data answers; null when it is no client data, or of a frame in another site's page. */
  challengeOf(clientDataJson: string): Promise<string | null>;
  /** The public key (COSE) and the counter of a new credential; null unless it answers the challenge as we asked for it. */
  registration(
    credential: PasskeyRegistration,
    challenge: string,
    site: Site,
  ): Promise<{ readonly publicKey: string; readonly counter: number } | null>;
  /**
   * The authenticator's counter, when the holder of the passkey signed the challenge here and had proved to the authenticator who it is; else null. Also
   * null when the counter does not grow: the authenticator may be a copy. Many keep no counter, which is 0 for ever (§7.2 step 22).
   */
  signIn(
    credential: PasskeySignIn,
    challenge: string,
    passkey: { readonly publicKey: string; readonly counter: number },
    site: Site,
  ): Promise<{ readonly counter: number } | null>;
}

// ── folders and spaces ───────────────────────────────────────────────────────────────────────────────────────────

/** A folder to be added. It is shared with nobody. */
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

/** Folders. Those in the trash are not found. */
export interface FolderRepository {
  find(id: Uuid): Promise<Folder | null>;
  /** The root folder of an owner for one type; null before it is made. */
  findRoot(ownerId: Uuid, folderType: FolderType): Promise<Folder | null>;
  /** All folders of an owner of one type, root first, then by name. Every account has few. */
  listByOwner(ownerId: Uuid, folderType: FolderType): Promise<readonly Folder[]>;
  /** Adds the root folders that the owner lacks and returns the ids of both; harmless when they exist. */
  ensureRoots(roots: RootFolders): Promise<Readonly<Record<FolderType, Uuid>>>;
}

/** Which page of which spaces is asked for. */
export interface SpaceQuery {
  readonly ownerId: Uuid;
  /** Spaces that others share with these groups are listed too, unless a folder is named. */
  readonly groupIds: readonly Uuid[];
  /** Of a folder, only what is shared with these groups: what a reader sees who is not its owner. */
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

/** Spaces. Those in the trash are not found. */
export interface SpaceRepository {
  find(id: Uuid): Promise<Space | null>;
  /** Newest first. */
  list(query: SpaceQuery): Promise<Page<Space>>;
  /** The same from a cursor on. */
  slice(query: Omit<SpaceQuery, "page">, cursor: Cursor, size: number): Promise<Slice<Space>>;
  /**
   * Adds a space and its first event, atomically, unless the owner's licence is used up (the guard is in the statement,
   * so two requests cannot pass it together). "no_folder" when the folder is not a space folder of that owner, "no_media"
   * when one of its files is in the trash.
   */
  createWithFirstEvent(
    space: NewSpace,
    event: NewEvent,
    audit: AuditEntry,
  ): Promise<"created" | "license_reached" | "too_many_events" | "no_folder" | "no_media">;
  /**
   * Changes what a space is made of, or its picture, if it has this version and the files that are new to it are not in the
   * trash. Its events keep everything else.
   */
  changeSource(
    space: { readonly id: Uuid; readonly version: number },
    change: SpaceChange,
    audit: AuditEntry,
  ): Promise<"changed" | "stale" | "no_media">;
}

/** What is written of a space whose source or picture changes. */
export interface SpaceChange {
  readonly source: SpaceSource;
  readonly sid: string;
  readonly posterMediaId: Uuid | null;
  readonly updatedAt: Instant;
  /** Library items that the space did not have before. */
  readonly newFiles: readonly Uuid[];
}

// ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** What the event form saves, checked, without the version it names and the password it sets. */
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

/** Events. Those in the trash are not found. */
export interface EventRepository {
  find(id: Uuid): Promise<EventInSpace | null>;
  findForEditor(id: Uuid): Promise<EventEditorData | null>;
  /** Newest first. */
  listBySpace(spaceId: Uuid, page: PageRequest): Promise<readonly Event[]>;
  /** Events of all spaces an owner has, newest first. */
  listByOwner(ownerId: Uuid, page: PageRequest): Promise<Page<Event>>;
  /** "name_taken" comes from the unique index, so two requests cannot both pass. */
  create(
    event: NewEvent,
    audit: AuditEntry,
  ): Promise<"created" | "name_taken" | "no_space" | "too_many_events" | "too_many_space_events">;
  /**
   * Saves all values with the audit entry, or nothing. "name_taken" as above; "stale" when the version moved on or the
   * event is gone, with what is saved now (null when gone).
   */
  update(
    id: Uuid,
    version: number,
    values: EventValues,
    password: PasswordHashChange,
    at: Instant,
    audit: AuditEntry,
  ): Promise<
    | { readonly status: "updated"; readonly event: Event }
    | { readonly status: "stale"; readonly saved: Event | null }
    | { readonly status: "name_taken" }
    | { readonly status: "content_full" }
  >;
  /**
   * Moves an event to the trash, unless its space has no other one, or it has another version: the guards are in the statement.
   * @param version null for any
   */
  trash(
    id: Uuid,
    by: Uuid,
    at: Instant,
    audit: AuditEntry,
    version: number | null,
  ): Promise<"deleted" | "stale" | "last" | "gone">;
  /** Events of a space that were deleted since then, the latest first, at most so many. */
  listTrash(spaceId: Uuid, since: Instant, limit: number): Promise<readonly TrashedEvent[]>;
  /** An event deleted since then with its space; null when there is none. */
  findTrashed(id: Uuid, since: Instant): Promise<EventInSpace | null>;
  /** Takes an event out of the trash, with everything that it had. */
  restore(
    id: Uuid,
    since: Instant,
    at: Instant,
    audit: AuditEntry,
  ): Promise<"restored" | "gone" | "name_taken" | "too_many_space_events">;
  /** Events whose saved status may lag behind the clock at `now`, oldest change first. */
  listDueForStatus(now: Instant, limit: number): Promise<readonly Event[]>;
  /** Writes down a status that the clock has already brought about, unless the event is no longer as it was read. Does not count as a save: the version stays. */
  settleStatus(
    event: Pick<Event, "id" | "statusId" | "version">,
    to: EventStatusId,
    at: Instant,
    audit: AuditEntry,
  ): Promise<boolean>;
}

// ── visitors ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** What is needed to send a file: no second look at the database. */
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

/** Events for visitors: the whole record, or only whether it has changed. */
export interface VisitorRepository {
  /** The whole record in one batch. Null when the event, its space or its owner's account is gone. */
  load(eventId: Uuid): Promise<EventRecord | null>;
  /** One row: the revision now, null when gone. */
  revision(eventId: Uuid): Promise<number | null>;
}

// ── library and files ────────────────────────────────────────────────────────────────────────────────────────────

/** Items of libraries. Those in the trash are not found. */
export interface LibraryRepository {
  find(id: Uuid): Promise<LibraryItem | null>;
  /** Those of a list that are there, in no order. */
  findAll(ids: readonly Uuid[]): Promise<readonly LibraryItem[]>;
  /** What uses an item. A reader of null sees everything. */
  findUses(id: Uuid, reader: UseReader | null): Promise<ItemUses>;
  /** Whether a space of these groups, or an event of one, uses the item. */
  isUsedByGroups(id: Uuid, groupIds: readonly Uuid[]): Promise<boolean>;
}

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

/** What a reader has: the file with an etag, unquoted, or as it was at an instant, of which whole seconds count. */
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

/** Who did what to which record. Details name fields, never secrets. */
export interface AuditEntry {
  readonly id: Uuid;
  readonly at: Instant;
  /** Null for the clock and for visitors. */
  readonly actorId: Uuid | null;
  readonly action: AuditAction;
  readonly resourceType: AuditKind;
  readonly resourceId: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** Whom an entry about something else is about as well: the member of a group. */
  readonly subjectId?: Uuid | null;
  /** `session:` and a handle, or `token:` and an id: see ActingCredential. */
  readonly credential?: string | null;
  /** Keyed hash of the network from which it was done. */
  readonly network?: string | null;
}
