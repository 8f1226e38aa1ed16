import * as z from "zod";
import type { ImportState } from "#functions/services/users/user-import-plan";
import type { UserImport } from "#functions/services/users/user-import-ports";
import { field } from "~/domain/shared/fields.schema";
import { FILE_NAME_SENT_MAX, IMPORT_MAX_BYTES } from "~/domain/shared/limits";
import { CSV_ENCODINGS, type CsvEncoding } from "~/domain/users/user-csv";
import { call, type JsonOf } from "../core/call";
import { fieldName } from "../core/field-name";
import { optional, uncheckedOptionalField } from "../core/fields";
import { type ApiCall, bodyTooLargeError, readWhole, reportFileErrorsForCall } from "../core/request";
import { count, id, instant } from "../core/schemas";
import { ADMINISTRATORS, userFilters, userQuery } from "./users";

const ImportSchema = z
  .object({
    uuid: id,
    file_name: z.string(),
    encoding: z.enum(CSV_ENCODINGS),
    state: z.enum(["waiting", "running", "interrupted", "done"]).meta({
      description:
        "The import can be applied for one hour. If it was interrupted, applying it again continues it.",
    }),
    created_at: instant,
    expires_at: instant,
    lines: z.array(
      z.object({
        line: count.meta({ description: "Line of the file at which it begins, from 1." }),
        email: z.string(),
        outcome: z.enum(["create", "update", "unchanged", "error"]),
        fields: z.array(z.string()).meta({ description: "Columns that the update changes." }),
        problems: z.array(z.object({ column: z.string().nullable(), message: z.string() })),
        written: z
          .boolean()
          .nullable()
          .meta({ description: "Null before the line is processed, and for a line that writes nothing." }),
        refused: z.string().nullable().meta({ description: "Reason why the line was not written." }),
      }),
    ),
  })
  .meta({ id: "UserImport" });

function importJson(
  c: ApiCall,
  userImport: UserImport & { readonly state?: ImportState },
): JsonOf<typeof ImportSchema> {
  const translate = c.env.messagesFor(c.req.raw);
  return {
    uuid: userImport.id,
    file_name: userImport.fileName,
    encoding: userImport.plan.encoding,
    state: userImport.state ?? "waiting",
    created_at: userImport.createdAt,
    expires_at: userImport.expiresAt,
    lines: userImport.plan.lines.map(({ line, email, outcome, fields, problems, refused }) => ({
      line,
      email,
      outcome,
      fields: fields.map(fieldName),
      problems: problems.map(({ column, message }) => ({ column, message: translate(message) })),
      written: refused === undefined ? null : refused === null,
      refused: refused ? translate(refused) : null,
    })),
  };
}

/** Files of accounts, for administrators: /v1/users/export, /v1/users/imports. */
export const userCsvCalls = [
  call({
    id: "exportUsers",
    method: "GET",
    path: "/v1/users/export",
    tag: "users",
    summary: "Export a list of accounts as a CSV file",
    description:
      "Contains all rows; results of a search are sorted by creation time, newest first by default. The audit log records the export.",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object(userFilters),
    response: z.string(),
    produces: "text/csv",
    handle: async ({ services, actor, query }) => {
      const firstPageQuery = { ...userQuery(query), cursor: { position: "first" } } as const;
      const lines = (await services.users.exportUsers({ actor, query: firstPageQuery }))[
        Symbol.asyncIterator
      ]();
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          const { value, done } = await lines.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
      });
      const headers = {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="users.csv"',
      };
      return new Response(body, { headers });
    },
  }),

  call({
    id: "checkUserImport",
    method: "POST",
    path: "/v1/users/imports",
    tag: "users",
    summary: "Check a CSV file of accounts, and report the effect of each line",
    description: "Nothing is written before `apply`. Columns are those of the export.",
    who: "user",
    may: ADMINISTRATORS,
    query: z.object({
      file_name: uncheckedOptionalField({ type: "string", description: "Name of the file." }),
      encoding: optional(
        field<CsvEncoding>((value) => {
          const known = CSV_ENCODINGS.find((encoding) => encoding === value);
          return known ? { value: known } : { error: "shared-owners:errors.field.invalid" };
        }),
        { type: "string", enum: CSV_ENCODINGS, description: "Detected if missing." },
      ),
    }),
    body: { bytesDescription: `The file, at most ${IMPORT_MAX_BYTES} bytes.`, mediaTypes: ["text/csv"] },
    response: ImportSchema,
    problems: ["bad_file"],
    handle: async ({ c, services, actor, query }) => {
      // Rejects callers who are not administrators before the body is read.
      await services.users.listUsers({ actor, size: 1 });
      const bytes = await readWhole(c.req.raw, IMPORT_MAX_BYTES);
      if (bytes === null) throw bodyTooLargeError(IMPORT_MAX_BYTES);
      const fileName =
        typeof query.file_name === "string" ? query.file_name.slice(0, FILE_NAME_SENT_MAX) : "";
      const encoding = query.encoding ?? null;
      const checking = services.users.checkImport({ actor, fileName, bytes, encoding });
      return importJson(c, await reportFileErrorsForCall(checking));
    },
  }),

  call({
    id: "getUserImport",
    method: "GET",
    path: "/v1/users/imports/{uuid}",
    tag: "users",
    summary: "Get one of the caller's imports, with the results of its lines",
    who: "user",
    may: ADMINISTRATORS,
    response: ImportSchema,
    handle: async ({ c, services, actor, params: { uuid: importId } }) =>
      importJson(c, await services.users.getUserImport({ actor, importId })),
  }),

  call({
    id: "applyUserImport",
    method: "POST",
    path: "/v1/users/imports/{uuid}/apply",
    tag: "users",
    summary: "Apply a checked import",
    description:
      "Repeating the call only continues an interrupted import. A line whose account was changed since the check is skipped and reported. An access token cannot apply a file that sets roles (`token_not_allowed`), and a session can do so only within ten minutes of its log-in or of `POST /v1/account/reauthentication` (`reauthentication_required`).",
    who: "user",
    may: ADMINISTRATORS,
    response: ImportSchema,
    problems: ["token_not_allowed", "reauthentication_required"],
    handle: async ({ c, services, actor, params: { uuid: importId } }) => {
      await services.users.applyImport({ actor, importId });
      return importJson(c, await services.users.getUserImport({ actor, importId }));
    },
  }),
];
