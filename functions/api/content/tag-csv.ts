import * as z from "zod";
import type { TagCsvReport } from "#functions/services/transfer/tag-import-plan";
import { contentDisposition } from "~/domain/shared/content-disposition";
import { TAG_CSV_MAX_BYTES } from "~/domain/shared/limits";
import { TAG_COLUMNS } from "~/domain/transfer/tag-csv.schema";
import { CSV_ENCODINGS } from "~/domain/users/user-csv";
import { call, type JsonOf } from "../core/call";
import { choice, optionalFlag } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { type ApiCall, bodyTooLargeError, readWhole, reportFileErrorsForCall } from "../core/request";
import { count, id } from "../core/schemas";

const ReportSchema = z
  .object({
    encoding: z.enum(CSV_ENCODINGS),
    applied: z.boolean().meta({ description: "Whether the import was applied." }),
    moves: z.boolean().meta({ description: "Whether the order of the tags changes." }),
    deleted: z.array(z.object({ uuid: id, title: z.string() })),
    lines: z.array(
      z.object({
        line: count.meta({ description: "Line of the file at which the record begins, from 1." }),
        uuid: id
          .nullable()
          .meta({ description: "The existing tag; after the import also the created one. Otherwise null." }),
        title: z.string(),
        outcome: z.enum(["create", "update", "unchanged", "error"]),
        columns: z.array(z.enum(TAG_COLUMNS)).meta({ description: "Columns that the update changes." }),
        problems: z.array(z.object({ column: z.enum(TAG_COLUMNS).nullable(), message: z.string() })),
      }),
    ),
  })
  .meta({ id: "TagImport" });

function reportJson(c: ApiCall, report: TagCsvReport, applied: boolean): JsonOf<typeof ReportSchema> {
  const translate = c.env.messagesFor(c.req.raw);
  return {
    encoding: report.encoding,
    applied,
    moves: report.changesOrder,
    deleted: report.deleted.map((tag) => ({ uuid: tag.id, title: tag.title })),
    lines: report.lines.map((line) => ({
      line: line.line,
      title: line.title,
      outcome: line.outcome,
      columns: line.columns,
      uuid: line.id !== "" && (applied || line.outcome !== "create") ? line.id : null,
      problems: line.problems.map(({ column, message }) => ({ column, message: translate(message) })),
    })),
  };
}

/** Export and import of an event's tags as CSV: /v1/events/{uuid}/tags/export and /import. */
export const tagCsvCalls = [
  call({
    id: "exportTags",
    method: "GET",
    path: "/v1/events/{uuid}/tags/export",
    tag: "content",
    summary: "Export the tags of an event as a CSV file",
    description:
      "UTF-8 with a byte order mark, RFC 4180. A text that a spreadsheet would treat as a formula begins with an apostrophe, which imports remove. `media` names library items by their ids and web media by their addresses.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    response: z.string(),
    produces: "text/csv",
    handle: async ({ services, actor, params }) => {
      const { fileName, text } = await services.content.exportTags({ actor, eventId: params.uuid });
      return new Response(text, {
        headers: {
          "content-type": "text/csv; charset=utf-8",
          "content-disposition": contentDisposition(fileName, "attachment"),
        },
      });
    },
  }),

  call({
    id: "importTags",
    method: "POST",
    path: "/v1/events/{uuid}/tags/import",
    tag: "content",
    summary: "Import tags from a CSV file",
    description:
      "The file has the columns of the export; fields of missing columns stay unchanged. A line with an `id` changes that tag; a line without one creates a tag. The import is one change in the history. If a line is invalid, nothing is written, and `errors` name it by `lines.{line}.{column}`. With `preview`, nothing is written either, and `lines` state the outcome of each line, also of invalid ones.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    query: z.object({
      preview: optionalFlag("Report the changes without making them."),
      delete_missing: optionalFlag("Delete tags that are not in the file."),
      encoding: choice(["auto", ...CSV_ENCODINGS], "Character encoding."),
    }),
    body: { bytesDescription: `The file, at most ${TAG_CSV_MAX_BYTES} bytes.`, mediaTypes: ["text/csv"] },
    response: ReportSchema,
    problems: ["bad_file", "forbidden", "too_large"],
    handle: async ({ c, services, actor, params, query }) => {
      // Callers without access to the event are rejected before their file is received.
      await services.content.getContent({ actor, eventId: params.uuid });
      const bytes = await readWhole(c.req.raw, TAG_CSV_MAX_BYTES);
      if (bytes === null) throw bodyTooLargeError(TAG_CSV_MAX_BYTES);
      const { preview = false, delete_missing: deletesMissing = false, encoding = "auto" } = query;
      const importing = services.content.importTags({
        actor,
        eventId: params.uuid,
        bytes,
        deletesMissing,
        isPreview: preview,
        encoding: encoding === "auto" ? null : encoding,
      });
      return reportJson(c, await reportFileErrorsForCall(importing), !preview);
    },
  }),
];
