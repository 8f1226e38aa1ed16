import type * as z from "zod";
import type { Actor } from "~/domain/auth/actor";
import { emailField } from "~/domain/auth/login.schema";
import { isPrivilegedChange, isPrivilegedRole } from "~/domain/auth/privileged-change";
import { companyNameField, langField, personNameField, timeZoneField } from "~/domain/auth/profile.schema";
import { DEFAULT_LIMITS, IMPORT_LINES_MAX, IMPORT_MAX_BYTES } from "~/domain/shared/limits";

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
import { USER_STATUSES } from "~/domain/users/user-status";
import { type ErrorMessage, InvalidError } from "../shared/errors";
import type { IdSource } from "../shared/ports";
import type { ImportLine, ImportPlan, ImportProblem, ImportValues } from "./user-import-ports";
import type { CsvCodec, CsvRecord, ListedUser, NewUser } from "./user-ports";
import { statusChangeRejection, type UserDeps } from "./users";

/** State of an import. "waiting": for the confirmation. "interrupted": writing began, but stopped before the end. */
export type ImportState = "waiting" | "running" | "interrupted" | "done";

const problem = (key: string, values?: ErrorMessage["values"]): ErrorMessage => ({
  key: `users:csv.problem.${key}`,
  ...(values && { values }),
});
const badFile = (key: string, values?: ErrorMessage["values"]) =>
  new InvalidError({ file: [problem(key, values)] }, "bad_file");

/** Dependencies of planning an import. */
export interface UserImportPlanDeps {
  readonly users: Pick<UserDeps["users"], "findByEmail">;
  readonly ids: IdSource;
  /** Loads the code of CSV files. */
  readonly csv: () => Promise<CsvCodec>;
}

/**
 * Reads a file of users and plans the effect of each line.
 * @param input.encoding null to detect it
 * @throws InvalidError bad_file, about the field `file`, when it cannot be read at all
 */
export async function planUserImport(
  deps: UserImportPlanDeps,
  input: { readonly actor: Actor; readonly bytes: Uint8Array; readonly encoding: CsvEncoding | null },
): Promise<ImportPlan> {
  const { actor, bytes } = input;
  if (bytes.length === 0) throw badFile("empty");
  if (bytes.length > IMPORT_MAX_BYTES) throw badFile("tooLarge");
  const csv = await deps.csv();
  const file = csv.decode(bytes, input.encoding);
  if (!file) throw badFile(input.encoding === null ? "encoding" : `not.${input.encoding}`);
  // The header, the permitted records, and one more by which a longer file is recognised.
  const [header, ...records] = csv.parse(file.text, IMPORT_LINES_MAX + 2);
  if (!header) throw badFile("empty");
  if (header.isBroken) throw badFile("notCsv");
  if (records.length > IMPORT_LINES_MAX) throw badFile("tooLong");
  const columns = readColumns(header);
  const importLines = records.map((record) => readLine(record, columns));
  const existingUsers = await deps.users.findByEmail(importLines.map(({ email }) => email));
  const usersByEmail = new Map(existingUsers.map((user) => [nameKey(user.email), user]));
  const firstLine = new Map<string, number>();
  const lines = importLines.map((line) => {
    const key = nameKey(line.email);
    const earlierLine = line.email === "" ? undefined : firstLine.get(key);
    if (earlierLine !== undefined && isReadable(line))
      return withProblem(line, "email", problem("duplicate", { line: earlierLine }));
    firstLine.set(key, line.line);
    return line.problems.length > 0 ? line : planLine(deps, actor, line, usersByEmail.get(key) ?? null);
  });
  return { encoding: file.encoding, lines };
}

/** Whether the cells of a line could be read. A problem without a column is about the whole line. */
const isReadable = ({ problems }: ImportLine) => problems.every(({ column }) => column !== null);

/** Returns the column of each cell; null for columns that an import ignores. */
function readColumns({ cells }: CsvRecord): readonly (ImportColumn | null)[] {
  const names = cells.map((cell) => cell.normalize("NFKC").trim().toLowerCase().replaceAll(" ", "_"));
  const columns = names.map((name) => {
    if ((EXPORT_COLUMNS as readonly string[]).includes(name) || name === "") return null;
    const column = IMPORT_COLUMNS.find((importColumn) => importColumn === name);
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

const withProblem = (line: ImportLine, column: ImportColumn | null, message: ErrorMessage): ImportLine => ({
  ...line,
  outcome: "error",
  values: null,
  problems: [...line.problems, { column, message }],
});

/** Reads the text of a cell: returns the value, or the key of the error. */
type ReadCellValue = (text: string) => { readonly value: unknown } | { readonly error: string };
/** Validates with a form's schema. `error` replaces messages such as "Choose …", which fit a form but not a file. */
const createReader =
  (schema: z.ZodType, error?: string): ReadCellValue =>
  (text) => {
    const result = schema.safeParse(text);
    return result.success
      ? { value: result.data }
      : { error: error ?? result.error.issues[0]?.message ?? "shared-owners:errors.field.invalid" };
  };
const MESSAGE_PREFIX = "users:csv.problem";
const COLUMN_READERS: Readonly<
  Record<ImportColumn, readonly [field: keyof ImportValues, read: ReadCellValue]>
> = {
  email: ["email", createReader(emailField)],
  last_name: ["lastName", createReader(personNameField)],
  first_name: ["firstName", createReader(personNameField)],
  company_name: ["companyName", createReader(companyNameField)],
  role: ["role", (text) => createReader(roleField, `${MESSAGE_PREFIX}.role`)(text.toLowerCase())],
  status: [
    "status",
    (text) => {
      const status = USER_STATUSES.find(
        (candidate) => candidate === text.toUpperCase().replace(/[ _]+/g, "_"),
      );
      return status ? { value: status } : { error: `${MESSAGE_PREFIX}.status` };
    },
  ],
  space_license: ["spaceLicense", (text) => createReader(spaceLicenseField)(text.normalize("NFKC"))],
  storage_limit: [
    "storageLimit",
    (text) => {
      const bytes = parseSize(text);
      return bytes === null ? { error: `${MESSAGE_PREFIX}.size` } : { value: bytes };
    },
  ],
  language: ["language", (text) => createReader(langField, `${MESSAGE_PREFIX}.language`)(text.toLowerCase())],
  time_zone: ["timeZone", createReader(timeZoneField, `${MESSAGE_PREFIX}.timeZone`)],
};
/** Columns in which an empty cell is an empty text. In other columns an empty cell is ignored. */
const TEXT_COLUMNS: ReadonlySet<ImportColumn> = new Set(["email", "last_name", "first_name", "company_name"]);

function readLine(
  { line, cells, isBroken }: CsvRecord,
  columns: readonly (ImportColumn | null)[],
): ImportLine {
  const problems: ImportProblem[] = [];
  const values: Record<string, unknown> = {};
  if (isBroken) problems.push({ column: null, message: problem("quotes") });
  else if (cells.length !== columns.length) {
    const counts = { count: cells.length, wanted: columns.length };
    problems.push({
      column: null,
      message: problem(cells.length < columns.length ? "tooFew" : "tooMany", counts),
    });
  }
  const isUnreadable = problems.length > 0;
  for (const [i, column] of columns.entries()) {
    if (column === null || isUnreadable) continue;
    const text = readCell(cells[i] ?? "");
    // A cell that a spreadsheet would execute as a formula is rejected.
    if (text === null) problems.push({ column, message: problem("formula") });
    else if (text !== "" || TEXT_COLUMNS.has(column)) {
      const [field, read] = COLUMN_READERS[column];
      const result = read(text);
      if ("error" in result) problems.push({ column, message: { key: result.error } });
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
export const NEW_USER = {
  firstName: "",
  lastName: "",
  companyName: "",
  role: "user",
  status: "EMAIL_UNVERIFIED",
  ...DEFAULT_LIMITS,
  language: "ja",
  timeZone: DEFAULT_TIME_ZONE,
} as const satisfies Omit<NewUser, "id" | "email" | "passwordHash" | "createdAt">;

/** Plans the effect of a valid line. */
function planLine(
  deps: Pick<UserImportPlanDeps, "ids">,
  actor: Actor,
  line: ImportLine,
  user: ListedUser | null,
): ImportLine {
  const values = line.values ?? { email: line.email };
  const nameOf = (field: "firstName" | "lastName") => values[field] ?? user?.[field] ?? "";
  if (nameOf("firstName") === "" && nameOf("lastName") === "")
    return withProblem(line, "last_name", { key: "auth:errors.person.nameRequired" });
  if (!user)
    return values.status !== undefined && values.status !== "EMAIL_UNVERIFIED"
      ? withProblem(line, "status", problem("newStatus"))
      : markPrivileged(actor, isPrivilegedRole(values.role ?? NEW_USER.role), "role", {
          ...line,
          outcome: "create",
          values: { ...NEW_USER, ...values },
          userId: deps.ids.uuid(),
        });
  const fields = changedUserFields(user, { ...values, email: user.email });
  if (user.id === actor.userId && (fields.includes("role") || fields.includes("status")))
    return withProblem(line, fields.includes("role") ? "role" : "status", problem("own"));
  const rejection =
    fields.includes("status") && values.status
      ? statusChangeRejection(user.status, values.status, user.hasPassword)
      : null;
  if (rejection) return withProblem(line, "status", rejection);
  const column = fields.includes("role") ? "role" : "status";
  return markPrivileged(actor, isPrivilegedChange(user, fields, values), column, {
    ...line,
    outcome: fields.length === 0 ? "unchanged" : "update",
    fields,
    from: Object.fromEntries(fields.map((field) => [field, user[field]])),
    userId: user.id,
    version: user.version,
  });
}

/** Marks a line that needs reauthentication. For a caller with an API token the line is an error. */
function markPrivileged(
  actor: Actor,
  isPrivileged: boolean,
  column: ImportColumn,
  line: ImportLine,
): ImportLine {
  if (!isPrivileged) return line;
  if (actor.scopes !== undefined)
    return {
      ...withProblem(line, column, { key: "api:services.tokenNotAllowed" }),
      fields: [],
      from: null,
      userId: null,
      version: null,
    };
  return { ...line, privileged: true };
}

/** Whether a line that waits for the confirmation needs reauthentication. Plans from before reauthentication was required (decision 042) do not have the mark. */
export const isPrivilegedLine = ({ outcome, privileged, fields, values }: ImportLine): boolean =>
  privileged === true ||
  fields.includes("role") ||
  (outcome === "create" && isPrivilegedRole(values?.role ?? NEW_USER.role));
