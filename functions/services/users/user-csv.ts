import type * as z from "zod";
import type { Repositories } from "#functions/data/shared/repositories";
import { emailField } from "~/domain/auth/login.schema";
import { isPrivilegedChange, isPrivilegedRole } from "~/domain/auth/privileged-change";
import { companyNameField, langField, personNameField, timeZoneField } from "~/domain/auth/profile.schema";
import { FIRST_PAGE } from "~/domain/shared/cursor";
import { DEFAULT_LIMITS, IMPORT_LINES_MAX, IMPORT_MAX_BYTES } from "~/domain/shared/limits";
import type { Actor, Instant, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import { DEFAULT_TIME_ZONE } from "~/domain/shared/time-zone";
import { changedUserFields, roleField, spaceLicenseField } from "~/domain/users/user.schema";
import {
  type CsvEncoding,
  EXPORT_COLUMNS,
  IMPORT_COLUMNS,
  type ImportColumn,
  parseSize,
  readCell,
} from "~/domain/users/user-csv";
import type { UserListQuery } from "~/domain/users/user-list.schema";
import { USER_STATUS_WIRE, USER_STATUSES } from "~/domain/users/user-status";
import { requireReauthentication } from "../auth/require-reauthentication";
import { rootFolders } from "../folders/folders";
import { instant } from "../shared/digest";
import { type ErrorMessage, InvalidError, NotFoundError } from "../shared/errors";
import type { EmailLine, ListedUser, NewUser } from "../shared/ports";
import { type AlertDeps, alertAdministrators, backLine, roleLine } from "./administrator-alerts";
import { auditEntry } from "./audit-entry";
import type { CsvCodec, CsvRecord } from "./people-ports";
import type {
  ImportLine,
  ImportPlan,
  ImportProblem,
  ImportResult,
  ImportState,
  ImportValues,
  UserImport,
} from "./user-import-plan";
import {
  creationDetail,
  listUsers,
  moveRejection,
  requireAdministrator,
  type UserDeps,
  userChange,
} from "./users";

/** Time for which a checked file can be confirmed, and an aborted import can be continued, in milliseconds. */
const WAITS = 3_600_000;
/** Duration of a claim after each batch, in milliseconds: many times the duration of a batch. */
const CLAIM = 60_000;
/** Users read at once for an export, and written at once by an import: a batch has four statements of each. */
const EXPORT_PAGE = 500;
const IMPORT_BATCH = 25;

/** Dependencies of files of users. */
export interface UserCsvDeps extends UserDeps, AlertDeps, Pick<Repositories, "userImports"> {
  readonly users: UserDeps["users"];
  readonly audit: Pick<Repositories["audit"], "write">;
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
}

const CHANGED: ErrorMessage = { key: "users:refused.changedMeanwhile" };
const problem = (key: string, values?: ErrorMessage["values"]): ErrorMessage => ({
  key: `users:csv.problem.${key}`,
  ...(values && { values }),
});
const badFile = (key: string, values?: ErrorMessage["values"]) =>
  new InvalidError({ file: [problem(key, values)] }, "bad_file");

/**
 * Exports a list of users as CSV, line by line, read in pages, for administrators. It includes all users. A search result comes newest
 * first, because only the newest results can be sorted. The audit log records the export and its number of users before it starts.
 * @throws NotFoundError for others
 */
export async function exportUsers(
  deps: UserCsvDeps,
  input: { readonly actor: Actor; readonly query: UserListQuery },
): Promise<AsyncIterable<string>> {
  const { actor } = input;
  const csv = await deps.csv();
  const byAge = input.query.q === "" || input.query.sort === "created";
  const order = byAge ? {} : ({ sort: "created", direction: "desc" } as const);
  const query = { ...input.query, ...order, cursor: FIRST_PAGE };
  const first = await listUsers(deps, { actor, query, size: EXPORT_PAGE });
  const count = first.hasNext ? await deps.users.count(query) : first.items.length;
  const entry = auditEntry(deps, actor, "users_exported", "user", actor.userId, { count });
  await deps.audit.write(entry);
  return linesOf(deps, csv, { actor, query }, first);
}

async function* linesOf(
  deps: UserCsvDeps,
  csv: CsvCodec,
  { actor, query }: { readonly actor: Actor; readonly query: UserListQuery },
  first: Awaited<ReturnType<typeof listUsers>>,
): AsyncIterable<string> {
  // A spreadsheet takes a file without this mark for Shift_JIS.
  yield `\ufeff${csv.line([...IMPORT_COLUMNS, ...EXPORT_COLUMNS])}`;
  for (let page = first; ; ) {
    yield page.items.map((user) => csv.line(cellsOf(user))).join("");
    const last = page.items.at(-1);
    if (!page.hasNext || !last) return;
    page = await listUsers(deps, {
      actor,
      query: { ...query, cursor: { at: "after", id: last.id } },
      size: EXPORT_PAGE,
    });
  }
}

const cellsOf = (user: ListedUser): (string | number | null)[] => [
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
    /** Null: whichever it turns out to have. */
    readonly encoding: CsvEncoding | null;
  },
): Promise<UserImport> {
  const { actor, bytes } = input;
  requireAdministrator(actor);
  if (bytes.length === 0) throw badFile("empty");
  if (bytes.length > IMPORT_MAX_BYTES) throw badFile("tooLarge");
  const csv = await deps.csv();
  const file = csv.decode(bytes, input.encoding);
  if (!file) throw badFile(input.encoding === null ? "encoding" : `not.${input.encoding}`);
  const [head, ...records] = csv.parse(file.text, IMPORT_LINES_MAX + 2);
  if (!head) throw badFile("empty");
  if (head.broken) throw badFile("notCsv");
  if (records.length > IMPORT_LINES_MAX) throw badFile("tooLong");
  const columns = columnsOf(head);
  const read = records.map((record) => readLine(record, columns));
  const found = await deps.users.findByEmail(read.map(({ email }) => email));
  const known = new Map(found.map((user) => [nameKey(user.email), user]));
  const firstLine = new Map<string, number>();
  const lines = read.map((line) => {
    const key = nameKey(line.email);
    const earlier = line.email === "" ? undefined : firstLine.get(key);
    if (earlier !== undefined && isRead(line))
      return withProblem(line, "email", problem("duplicate", { line: earlier }));
    firstLine.set(key, line.line);
    return line.problems.length > 0 ? line : decide(deps, actor, line, known.get(key) ?? null);
  });
  const now = deps.clock.now();
  const checked = {
    id: deps.ids.uuid(),
    actorId: actor.userId,
    fileName: [...input.fileName].slice(0, 100).join(""),
    plan: { encoding: file.encoding, lines },
    createdAt: instant(now),
    expiresAt: instant(now + WAITS),
  };
  await deps.userImports.add(checked);
  return { ...checked, claimedUntil: null, doneAt: null };
}

/** Whether the cells of a line could be read at all. */
const isRead = ({ problems }: ImportLine) => problems.every(({ column }) => column !== null);

/** Which cell holds which column; null for what an import passes over. */
function columnsOf({ cells }: CsvRecord): readonly (ImportColumn | null)[] {
  const names = cells.map((cell) => cell.normalize("NFKC").trim().toLowerCase().replaceAll(" ", "_"));
  const columns = names.map((name) => {
    if ((EXPORT_COLUMNS as readonly string[]).includes(name) || name === "") return null;
    const column = IMPORT_COLUMNS.find((each) => each === name);
    if (!column && names.includes("email"))
      throw badFile("column", { column: [...name].slice(0, 40).join("") });
    return column ?? null;
  });
  if (!columns.includes("email")) throw badFile("noEmail");
  for (const column of columns)
    if (column && columns.indexOf(column) !== columns.lastIndexOf(column))
      throw badFile("columnTwice", { column });
  return columns;
}

const withProblem = (line: ImportLine, column: ImportColumn | null, words: ErrorMessage): ImportLine => ({
  ...line,
  outcome: "error",
  values: null,
  problems: [...line.problems, { column, words }],
});

/** How each column is read: its value, or the key of what is wrong with it. */
type Read = (text: string) => { readonly value: unknown } | { readonly error: string };
/** Validates by a form's schema. `error` replaces form messages that speak of choosing, which does not fit a file. */
const by =
  (schema: z.ZodType, error?: string): Read =>
  (text) => {
    const result = schema.safeParse(text);
    return result.success
      ? { value: result.data }
      : { error: error ?? result.error.issues[0]?.message ?? "shared-owners:errors.field.invalid" };
  };
const WORDS = "users:csv.problem";
const READ: Readonly<Record<ImportColumn, readonly [field: keyof ImportValues, read: Read]>> = {
  email: ["email", by(emailField)],
  last_name: ["lastName", by(personNameField)],
  first_name: ["firstName", by(personNameField)],
  company_name: ["companyName", by(companyNameField)],
  role: ["role", (text) => by(roleField, `${WORDS}.role`)(text.toLowerCase())],
  status: [
    "status",
    (text) => {
      const status = USER_STATUSES.find((each) => each === text.toUpperCase().replace(/[ _]+/g, "_"));
      return status ? { value: status } : { error: `${WORDS}.status` };
    },
  ],
  space_license: ["spaceLicense", (text) => by(spaceLicenseField)(text.normalize("NFKC"))],
  storage_limit: [
    "storageLimit",
    (text) => {
      const bytes = parseSize(text);
      return bytes === null ? { error: `${WORDS}.size` } : { value: bytes };
    },
  ],
  language: ["language", (text) => by(langField, `${WORDS}.language`)(text.toLowerCase())],
  time_zone: ["timeZone", by(timeZoneField, `${WORDS}.timeZone`)],
};
/** An empty cell of these is an empty text; of the others it says nothing. */
const TEXTS: ReadonlySet<ImportColumn> = new Set(["email", "last_name", "first_name", "company_name"]);

function readLine({ line, cells, broken }: CsvRecord, columns: readonly (ImportColumn | null)[]): ImportLine {
  const problems: ImportProblem[] = [];
  const values: Record<string, unknown> = {};
  if (broken) problems.push({ column: null, words: problem("quotes") });
  else if (cells.length !== columns.length) {
    const counts = { count: cells.length, wanted: columns.length };
    problems.push({
      column: null,
      words: problem(cells.length < columns.length ? "tooFew" : "tooMany", counts),
    });
  }
  const unreadable = problems.length > 0;
  for (const [i, column] of columns.entries()) {
    if (column === null || unreadable) continue;
    const text = readCell(cells[i] ?? "");
    if (text === null) problems.push({ column, words: problem("formula") });
    else if (text !== "" || TEXTS.has(column)) {
      const [field, read] = READ[column];
      const result = read(text);
      if ("error" in result) problems.push({ column, words: { key: result.error } });
      else values[field] = result.value;
    }
  }
  const email = typeof values.email === "string" ? values.email : "";
  return {
    line,
    email: email || (cells[columns.indexOf("email")] ?? "").trim().slice(0, 100),
    outcome: problems.length > 0 ? "error" : "unchanged",
    problems,
    values: problems.length > 0 ? null : (values as unknown as ImportValues),
    fields: [],
    from: null,
    userId: null,
    version: null,
  };
}

/** Default values of a new user where the file has none. */
const NEW_USER = {
  firstName: "",
  lastName: "",
  companyName: "",
  role: "user",
  status: "EMAIL_UNVERIFIED",
  ...DEFAULT_LIMITS,
  language: "ja",
  timeZone: DEFAULT_TIME_ZONE,
} as const satisfies Omit<NewUser, "id" | "email" | "passwordHash" | "createdAt">;

/** Decides what a valid line would do. */
function decide(
  deps: Pick<UserCsvDeps, "ids">,
  actor: Actor,
  line: ImportLine,
  user: ListedUser | null,
): ImportLine {
  const values = line.values ?? { email: line.email };
  const name = (field: "firstName" | "lastName") => values[field] ?? user?.[field] ?? "";
  if (name("firstName") === "" && name("lastName") === "")
    return withProblem(line, "last_name", { key: "auth:errors.person.nameRequired" });
  if (!user)
    return values.status !== undefined && values.status !== "EMAIL_UNVERIFIED"
      ? withProblem(line, "status", problem("newStatus"))
      : privilegedLine(actor, isPrivilegedRole(values.role ?? NEW_USER.role), "role", {
          ...line,
          outcome: "create",
          values: { ...NEW_USER, ...values },
          userId: deps.ids.uuid(),
        });
  const fields = changedUserFields(user, { ...values, email: user.email });
  if (user.id === actor.userId && (fields.includes("role") || fields.includes("status")))
    return withProblem(line, fields.includes("role") ? "role" : "status", problem("own"));
  const refused =
    fields.includes("status") && values.status
      ? moveRejection(user.status, values.status, user.hasPassword)
      : null;
  if (refused) return withProblem(line, "status", refused);
  const column = fields.includes("role") ? "role" : "status";
  return privilegedLine(actor, isPrivilegedChange(user, fields, values), column, {
    ...line,
    outcome: fields.length === 0 ? "unchanged" : "update",
    fields,
    from: Object.fromEntries(fields.map((field) => [field, user[field]])),
    userId: user.id,
    version: user.version,
  });
}

/** Marks a line that needs reauthentication. For a caller with an access token the line is an error. */
function privilegedLine(
  actor: Actor,
  privileged: boolean,
  column: ImportColumn,
  line: ImportLine,
): ImportLine {
  if (!privileged) return line;
  if (actor.scopes !== undefined)
    return {
      ...withProblem(line, column, { key: "api:services.tokenNotAllowed" }),
      fields: [],
      from: null,
      userId: null,
      version: null,
    };
  return { ...line, privileged };
}

/** Whether a line that waits to be written is privileged. Lines of plans that were made before decision 042 lack the mark. */
const isPrivilegedLine = ({ outcome, privileged, fields, values }: ImportLine): boolean =>
  privileged === true ||
  fields.includes("role") ||
  (outcome === "create" && isPrivilegedRole(values?.role ?? NEW_USER.role));

/**
 * A file that the actor has checked or written.
 * @throws NotFoundError when the actor has no such file, or it has expired
 */
export async function getImport(
  deps: Pick<UserCsvDeps, "userImports" | "clock">,
  input: { readonly actor: Actor; readonly importId: Uuid },
): Promise<UserImport & { readonly state: ImportState }> {
  requireAdministrator(input.actor);
  const now = instant(deps.clock.now());
  const found = await deps.userImports.find(input.importId);
  const alive = found && found.actorId === input.actor.userId && found.expiresAt > now;
  if (!alive) throw new NotFoundError("import");
  return { ...found, state: stateOf(found, now) };
}

function stateOf({ claimedUntil, doneAt }: UserImport, now: Instant): ImportState {
  if (doneAt !== null) return "done";
  if (claimedUntil === null) return "waiting";
  return claimedUntil > now ? "running" : "interrupted";
}

/**
 * Writes what was checked and nothing else: a line whose user was changed since is left out and says so. Doing it twice is
 * doing it once, and doing it after it was cut off goes on with the lines that nothing was said of.
 * @throws NotFoundError as getImport
 * @throws TokenNotAllowedError, ReauthenticationError when a waiting line is a privileged change, also when another administrator checked the file
 */
export async function applyImport(
  deps: UserCsvDeps,
  input: { readonly actor: Actor; readonly importId: Uuid },
): Promise<void> {
  const { actor, importId } = input;
  const waiting = (await getImport(deps, input)).plan.lines.filter(
    (line) => isWaiting(line) && isPrivilegedLine(line),
  );
  if (waiting.length > 0) requireReauthentication(deps, actor);
  const now = deps.clock.now();
  let held = instant(now + CLAIM);
  const claim = { until: held, expiresAt: instant(now + WAITS) };
  if (!(await deps.userImports.claim(importId, instant(now), claim))) return;
  // The plan is read again, because another call may have been writing until now.
  const { plan } = await getImport(deps, input);
  const alertLines: EmailLine[] = [];
  const keep = async (results: readonly ImportResult[], life: number) => {
    const done = new Set(results.filter(({ refused }) => refused === null).map(({ line }) => line));
    alertLines.push(...waiting.filter(({ line }) => done.has(line)).map(letterLine));
    const until = instant(deps.clock.now() + life);
    const kept = await deps.userImports.progress(importId, results, { held, until });
    held = until;
    return kept;
  };
  try {
    for (const [batch, write] of [
      // From the last line up: the list, whose newest stand first, then has them as the file does.
      ...batches(plan.lines.toReversed(), "create").map((lines) => [lines, addLines] as const),
      ...batches(plan.lines, "update").map((lines) => [lines, changeLines] as const),
    ])
      if (!(await keep(await write(deps, actor, batch), CLAIM))) return;
  } catch (error) {
    // Ends the claim at once, so that the caller can continue without waiting for it.
    await keep([], 0).catch(() => {});
    throw error;
  } finally {
    alertAdministrators(deps, actor, alertLines);
  }
  const { lines } = (await getImport(deps, input)).plan;
  const written = (outcome: ImportLine["outcome"]) =>
    lines.filter((line) => line.outcome === outcome && line.refused === null).length;
  const detail = {
    created: written("create"),
    updated: written("update"),
    refused: lines.filter((line) => line.refused || line.outcome === "error").length,
  };
  await deps.userImports.finish(
    importId,
    { held, at: instant(deps.clock.now()) },
    auditEntry(deps, actor, "users_imported", "user", actor.userId, detail),
  );
}

/** The line of the mail to administrators about a privileged line that was written. */
const letterLine = ({ email, outcome, fields, values }: ImportLine): EmailLine =>
  outcome === "create" || fields.includes("role")
    ? roleLine(email, values?.role ?? NEW_USER.role)
    : backLine(email);

/** Whether a line is still to be written. */
const isWaiting = ({ outcome, refused }: ImportLine) =>
  (outcome === "create" || outcome === "update") && refused === undefined;

/** The lines that nothing was said of yet, as many at once as one batch writes. */
function batches(lines: ImportPlan["lines"], outcome: ImportLine["outcome"]): ImportLine[][] {
  const wanted = lines.filter((line) => line.outcome === outcome && line.refused === undefined);
  return Array.from({ length: Math.ceil(wanted.length / IMPORT_BATCH) }, (_, i) =>
    wanted.slice(i * IMPORT_BATCH, (i + 1) * IMPORT_BATCH),
  );
}

const usersOf = async (deps: UserCsvDeps, lines: readonly ImportLine[]) =>
  new Map(
    (await deps.users.findListed(lines.flatMap(({ userId }) => userId ?? []))).map((user) => [user.id, user]),
  );

async function addLines(
  deps: UserCsvDeps,
  actor: Actor,
  lines: readonly ImportLine[],
): Promise<ImportResult[]> {
  // Users that exist already were written just before the import was aborted.
  const there = await usersOf(deps, lines);
  const missing = lines.filter(({ userId }) => !there.has(userId ?? ""));
  const now = deps.clock.now();
  const added = missing.map(({ line, values, email, userId }) => {
    const user: NewUser = {
      ...NEW_USER,
      ...values,
      id: userId ?? deps.ids.uuid(),
      email,
      passwordHash: deps.hasher.dummyHash,
      // Each user gets a distinct time, descending by line, so that sorting by time keeps the file's order.
      createdAt: instant(now - line),
    };
    const entry = auditEntry(deps, actor, "user_created", "user", user.id, creationDetail(user));
    return { user, roots: rootFolders(deps, user.id), audit: entry };
  });
  const results = await deps.users.createMany(added);
  return lines.map((line) => {
    const i = missing.indexOf(line);
    const created = i < 0 || results[i] === "created";
    return { line: line.line, refused: created ? null : { key: "api:services.emailTaken" } };
  });
}

async function changeLines(
  deps: UserCsvDeps,
  actor: Actor,
  lines: readonly ImportLine[],
): Promise<ImportResult[]> {
  const users = await usersOf(deps, lines);
  const planned = lines.map((line) => {
    const user = users.get(line.userId ?? "");
    if (!user || user.deletedAt !== null) return { line, user, change: null, refused: CHANGED };
    const values = { ...line.values, email: user.email };
    const fields = changedUserFields(user, values);
    // The user has these values already: they were written just before the import was aborted, or by another administrator.
    if (fields.length === 0) return { line, user, change: null, refused: null };
    if (user.version !== line.version) return { line, user, change: null, refused: CHANGED };
    return { line, user, change: userChange(deps, actor, user, values, fields), refused: CHANGED };
  });
  const changes = planned.flatMap(({ change }) => change ?? []);
  const results = await deps.users.change(changes, instant(deps.clock.now()));
  return planned.map(({ line, user, change, refused }) => {
    if (!change) return { line: line.line, refused };
    const done = results !== "email_taken" && results[changes.indexOf(change)]?.changed;
    const last = user?.role === "admin" && user.status === "ACTIVATED" && user.hasPassword;
    const why = last ? { key: "users:refused.lastAdministrator" } : CHANGED;
    return { line: line.line, refused: done ? null : why };
  });
}

/** Deletes expired files, whatever their state; for the cron trigger. */
export function deleteExpiredImports(deps: Pick<UserCsvDeps, "userImports" | "clock">): Promise<number> {
  return deps.userImports.deleteExpired(instant(deps.clock.now()));
}
