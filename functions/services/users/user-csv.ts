import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { FIRST_PAGE } from "~/domain/shared/cursor";
import type { Instant, Uuid } from "~/domain/shared/model";
import { changedUserFields } from "~/domain/users/user.schema";
import { type CsvEncoding, EXPORT_COLUMNS, IMPORT_COLUMNS } from "~/domain/users/user-csv";
import type { UserListQuery } from "~/domain/users/user-list.schema";
import { USER_STATUS_WIRE } from "~/domain/users/user-status";
import { requireReauthentication } from "../auth/require-reauthentication";
import { createRootFolders } from "../folders/root-folders";
import { type ErrorMessage, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { EmailLine } from "../shared/ports";
import { type AlertDeps, alertAdministrators, readmittedLine, roleLine } from "./administrator-alerts";
import { auditEntry } from "./audit-entry";
import { type ImportState, isPrivilegedLine, NEW_USER, planUserImport } from "./user-import-plan";
import type { ImportLine, ImportLineResult, ImportPlan, UserImport } from "./user-import-ports";
import type { CsvCodec, ListedUser, NewUser } from "./user-ports";
import { creationDetail, listUsers, requireAdministrator, type UserDeps, userChange } from "./users";

/** Time for which a checked file can be confirmed, and an aborted import can be continued, in milliseconds. */
const CONFIRM_MS = 3_600_000;
/** Time for which each batch keeps other calls out, in milliseconds; many times the duration of a batch. */
const CLAIM_MS = 60_000;
/** Number of users per read of an export. */
const EXPORT_PAGE = 500;
/** Number of users per batch of an import. A batch of new users has four statements per user. */
const IMPORT_BATCH_ROWS = 25;

/** Dependencies of exports and imports of users. */
export interface UserCsvDeps extends UserDeps, AlertDeps, Pick<Repositories, "userImports"> {
  readonly users: UserDeps["users"];
  readonly audit: Pick<Repositories["audit"], "write">;
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
}

const CHANGED_MEANWHILE: ErrorMessage = { key: "users:refused.changedMeanwhile" };

/**
 * Exports a list of users as CSV, for administrators: all its pages, read and sent one after another. Search results are ordered by creation time,
 * because only the newest results can be sorted otherwise. The audit log records the export and the number of users before the export starts.
 * @throws NotFoundError for actors who are not administrators
 */
export async function exportUsers(
  deps: UserCsvDeps,
  input: { readonly actor: Actor; readonly query: UserListQuery },
): Promise<AsyncIterable<string>> {
  const { actor } = input;
  const csv = await deps.csv();
  const keepsOrder = input.query.q === "" || input.query.sort === "created";
  const order = keepsOrder ? {} : ({ sort: "created", direction: "desc" } as const);
  const query = { ...input.query, ...order, cursor: FIRST_PAGE };
  const firstPage = await listUsers(deps, { actor, query, size: EXPORT_PAGE });
  const count = firstPage.hasNext ? await deps.users.count(query) : firstPage.items.length;
  const entry = auditEntry(deps, actor, "users_exported", "user", actor.userId, { count });
  await deps.audit.write(entry);
  return writeLines(deps, csv, { actor, query }, firstPage);
}

async function* writeLines(
  deps: UserCsvDeps,
  csv: CsvCodec,
  { actor, query }: { readonly actor: Actor; readonly query: UserListQuery },
  firstPage: Awaited<ReturnType<typeof listUsers>>,
): AsyncIterable<string> {
  // Without this byte order mark, Excel with a Japanese locale reads the file as Shift_JIS.
  yield `\ufeff${csv.line([...IMPORT_COLUMNS, ...EXPORT_COLUMNS])}`;
  for (let page = firstPage; ; ) {
    yield page.items.map((user) => csv.line(toCells(user))).join("");
    const lastUser = page.items.at(-1);
    if (!page.hasNext || !lastUser) return;
    page = await listUsers(deps, {
      actor,
      query: { ...query, cursor: { position: "after", id: lastUser.id } },
      size: EXPORT_PAGE,
    });
  }
}

const toCells = (user: ListedUser): (string | number | null)[] => [
  ...[user.email, user.lastName, user.firstName, user.companyName, user.role, USER_STATUS_WIRE[user.status]],
  ...[user.spaceLicense, user.storageLimit, user.language, user.timeZone],
  ...[user.spaceCount, user.storageUsed, user.deletionRequestedAt, user.createdAt],
];

/**
 * Reads a file of users and reports what each line would do. It writes no user: the checked file is stored for an hour, so that the same
 * administrator can confirm it.
 * @throws InvalidError bad_file, about the field `file`, when it cannot be read at all
 * @throws NotFoundError for callers who are not administrators
 */
export async function checkImport(
  deps: UserCsvDeps,
  input: {
    readonly actor: Actor;
    readonly fileName: string;
    readonly bytes: Uint8Array;
    /** Null to detect it. */
    readonly encoding: CsvEncoding | null;
  },
): Promise<UserImport> {
  const { actor } = input;
  requireAdministrator(actor);
  const plan = await planUserImport(deps, input);
  const now = deps.clock.now();
  const newImport = {
    id: deps.ids.uuid(),
    actorId: actor.userId,
    fileName: [...input.fileName].slice(0, 100).join(""),
    plan,
    createdAt: toInstant(now),
    expiresAt: toInstant(now + CONFIRM_MS),
  };
  await deps.userImports.add(newImport);
  return { ...newImport, claimedUntil: null, doneAt: null };
}

/** Returns a file that the actor has checked or written. @throws NotFoundError when the actor has no such file, or it has expired */
export async function getUserImport(
  deps: Pick<UserCsvDeps, "userImports" | "clock">,
  input: { readonly actor: Actor; readonly importId: Uuid },
): Promise<UserImport & { readonly state: ImportState }> {
  requireAdministrator(input.actor);
  const now = toInstant(deps.clock.now());
  const userImport = await deps.userImports.find(input.importId);
  const isAvailable = userImport && userImport.actorId === input.actor.userId && userImport.expiresAt > now;
  if (!isAvailable) throw new NotFoundError("import");
  return { ...userImport, state: importState(userImport, now) };
}

function importState({ claimedUntil, doneAt }: UserImport, now: Instant): ImportState {
  if (doneAt !== null) return "done";
  if (claimedUntil === null) return "waiting";
  return claimedUntil > now ? "running" : "interrupted";
}

/**
 * Writes a checked file. Lines whose user was changed since the check are omitted, and their result states the reason. A second call has no effect;
 * after an interruption it continues with the lines that have no result.
 * @throws NotFoundError as getUserImport
 * @throws TokenNotAllowedError, ReauthenticationError when a waiting line is a privileged change
 */
export async function applyImport(
  deps: UserCsvDeps,
  input: { readonly actor: Actor; readonly importId: Uuid },
): Promise<void> {
  const { actor, importId } = input;
  const privilegedLines = (await getUserImport(deps, input)).plan.lines.filter(
    (line) => isWaiting(line) && isPrivilegedLine(line),
  );
  if (privilegedLines.length > 0) requireReauthentication(deps, actor);
  const now = deps.clock.now();
  let claimedUntil = toInstant(now + CLAIM_MS);
  const claim = { until: claimedUntil, expiresAt: toInstant(now + CONFIRM_MS) };
  if (!(await deps.userImports.claim(importId, toInstant(now), claim))) return;
  // The plan is read again, because another call may have been writing until now.
  const { plan } = await getUserImport(deps, input);
  const alertLines: EmailLine[] = [];
  const saveProgress = async (results: readonly ImportLineResult[], claimMs: number) => {
    const writtenLines = new Set(results.filter(({ refused }) => refused === null).map(({ line }) => line));
    alertLines.push(...privilegedLines.filter(({ line }) => writtenLines.has(line)).map(alertLine));
    const until = toInstant(deps.clock.now() + claimMs);
    const isClaimed = await deps.userImports.saveProgress(importId, results, { claimedUntil, until });
    claimedUntil = until;
    return isClaimed;
  };
  try {
    for (const [batch, write] of [
      // From the last line up, so that the list, which shows the newest first, has the order of the file.
      ...batches(plan.lines.toReversed(), "create").map((lines) => [lines, addLines] as const),
      ...batches(plan.lines, "update").map((lines) => [lines, changeLines] as const),
    ])
      if (!(await saveProgress(await write(deps, actor, batch), CLAIM_MS))) return;
  } catch (error) {
    // Ends the claim at once, so that the caller can continue immediately.
    await saveProgress([], 0).catch(() => {});
    throw error;
  } finally {
    alertAdministrators(deps, actor, alertLines);
  }
  const { lines } = (await getUserImport(deps, input)).plan;
  const countWritten = (outcome: ImportLine["outcome"]) =>
    lines.filter((line) => line.outcome === outcome && line.refused === null).length;
  const detail = {
    created: countWritten("create"),
    updated: countWritten("update"),
    refused: lines.filter((line) => line.refused || line.outcome === "error").length,
  };
  await deps.userImports.finish(
    importId,
    { claimedUntil, at: toInstant(deps.clock.now()) },
    auditEntry(deps, actor, "users_imported", "user", actor.userId, detail),
  );
}

/** Returns the line about a written privileged change for the mail to administrators. */
const alertLine = ({ email, outcome, fields, values }: ImportLine): EmailLine =>
  outcome === "create" || fields.includes("role")
    ? roleLine(email, values?.role ?? NEW_USER.role)
    : readmittedLine(email);

/** Whether a line is still to be written. */
const isWaiting = ({ outcome, refused }: ImportLine) =>
  (outcome === "create" || outcome === "update") && refused === undefined;

/** Divides the lines without a result into batches. */
function batches(lines: ImportPlan["lines"], outcome: ImportLine["outcome"]): ImportLine[][] {
  const waitingLines = lines.filter((line) => line.outcome === outcome && line.refused === undefined);
  return Array.from({ length: Math.ceil(waitingLines.length / IMPORT_BATCH_ROWS) }, (_, i) =>
    waitingLines.slice(i * IMPORT_BATCH_ROWS, (i + 1) * IMPORT_BATCH_ROWS),
  );
}

const findUsers = async (deps: UserCsvDeps, lines: readonly ImportLine[]) =>
  new Map(
    (await deps.users.findListed(lines.flatMap(({ userId }) => userId ?? []))).map((user) => [user.id, user]),
  );

async function addLines(
  deps: UserCsvDeps,
  actor: Actor,
  lines: readonly ImportLine[],
): Promise<ImportLineResult[]> {
  // Existing users were created just before the import was interrupted.
  const existingUsers = await findUsers(deps, lines);
  const missingLines = lines.filter(({ userId }) => !existingUsers.has(userId ?? ""));
  const now = deps.clock.now();
  const newUsers = missingLines.map(({ line, values, email, userId }) => {
    const user: NewUser = {
      ...NEW_USER,
      ...values,
      id: userId ?? deps.ids.uuid(),
      email,
      passwordHash: deps.hasher.dummyHash,
      // Each user gets a distinct time, descending by line, so that sorting by time keeps the file's order.
      createdAt: toInstant(now - line),
    };
    const entry = auditEntry(deps, actor, "user_created", "user", user.id, creationDetail(user));
    return { user, roots: createRootFolders(deps, user.id), audit: entry };
  });
  const results = await deps.users.createMany(newUsers);
  return lines.map((line) => {
    const i = missingLines.indexOf(line);
    const isCreated = i < 0 || results[i] === "created";
    return { line: line.line, refused: isCreated ? null : { key: "api:services.emailTaken" } };
  });
}

async function changeLines(
  deps: UserCsvDeps,
  actor: Actor,
  lines: readonly ImportLine[],
): Promise<ImportLineResult[]> {
  const users = await findUsers(deps, lines);
  const plannedChanges = lines.map((line) => {
    const user = users.get(line.userId ?? "");
    if (!user || user.deletedAt !== null) return { line, change: null, refused: CHANGED_MEANWHILE };
    const values = { ...line.values, email: user.email };
    const fields = changedUserFields(user, values);
    // The user has these values already: they were written just before the interruption, or by another administrator.
    if (fields.length === 0) return { line, change: null, refused: null };
    if (user.version !== line.version) return { line, change: null, refused: CHANGED_MEANWHILE };
    return { line, change: userChange(deps, actor, user, values, fields), refused: CHANGED_MEANWHILE };
  });
  const changes = plannedChanges.flatMap(({ change }) => change ?? []);
  const results = await deps.users.change(changes, toInstant(deps.clock.now()));
  return plannedChanges.map(({ line, change, refused }) => {
    if (!change) return { line: line.line, refused };
    const result = results === "email_taken" ? undefined : results[changes.indexOf(change)];
    const reason = result?.isLastAdministrator
      ? { key: "users:refused.lastAdministrator" }
      : CHANGED_MEANWHILE;
    return { line: line.line, refused: result?.isChanged ? null : reason };
  });
}

/** Deletes expired imports in any state; for the cron trigger. Returns their number. */
export function deleteExpiredUserImports(deps: Pick<UserCsvDeps, "userImports" | "clock">): Promise<number> {
  return deps.userImports.deleteExpired(toInstant(deps.clock.now()));
}
