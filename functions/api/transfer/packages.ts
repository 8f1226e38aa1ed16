import * as z from "zod";
import type { Services } from "#functions/services";
import type { ImportReport } from "#functions/services/transfer/transfer-ports";
import { singleName } from "~/domain/events/event-texts";
import { createUploadSchema } from "~/domain/library/upload.schema";
import { contentDisposition } from "~/domain/shared/content-disposition";
import {
  FILE_NAME_SENT_MAX,
  PACKAGE_MAX_BYTES,
  PACKAGE_MAX_MB,
  UPLOAD_PART_BYTES,
} from "~/domain/shared/limits";
import { PACKAGE_TYPE } from "~/domain/transfer/package-format";
import { call, type JsonOf, type ProblemCode } from "../core/call";
import { describe, optionalId } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson } from "../core/record-json";
import { type ApiCall, reportFileErrorsForCall, withBodyFieldNames } from "../core/request";
import { count, DeletedSchema, id, instant } from "../core/schemas";
import { sliceJson, toSliceInput } from "../library/uploads";

const uploadFields = createUploadSchema().shape;

const ImportSchema = z
  .object({
    uuid: id,
    file_name: z.string(),
    byte_size: count,
    part_size: count,
    parts: z
      .array(z.object({ number: count, byte_size: count }))
      .meta({ description: "The received slices." }),
    state: z.enum(["waiting", "running", "done"]),
    created_at: instant,
    expires_at: instant,
    report: z
      .object({
        kind: z.enum(["event", "space"]),
        space_uuid: id,
        space_name: z.string(),
        events: z.array(z.object({ uuid: id, event_name: z.string() })),
        tags: count,
        media: count,
        files_added: count,
        files_reused: count,
        bytes_added: count,
        notes: z.array(z.object({ code: z.string(), event_uuid: id.nullable(), message: z.string() })).meta({
          description: "Content that was left out or changed, and values that must be entered again.",
        }),
      })
      .nullable(),
  })
  .meta({ id: "PackageImport" });

type FoundImport = Awaited<ReturnType<Services["packages"]["getPackageImport"]>>;

function importJson(c: ApiCall, packageImport: FoundImport): JsonOf<typeof ImportSchema> {
  const { report } = packageImport;
  return {
    uuid: packageImport.id,
    file_name: packageImport.fileName,
    byte_size: packageImport.byteSize,
    part_size: packageImport.partSize,
    parts: packageImport.parts.map(({ number, byteSize }) => ({ number, byte_size: byteSize })),
    state: packageImport.state,
    created_at: packageImport.createdAt,
    expires_at: packageImport.expiresAt,
    report: report && reportJson(c, report),
  };
}

function reportJson(c: ApiCall, { kind, spaceId, spaceName, events, counts, notes }: ImportReport) {
  const translate = c.env.messagesFor(c.req.raw);
  return {
    kind,
    space_uuid: spaceId,
    space_name: spaceName,
    events: events.map((event) => ({ uuid: event.id, event_name: singleName(event.name) })),
    tags: counts.tags,
    media: counts.media,
    files_added: counts.added,
    files_reused: counts.reused,
    bytes_added: counts.bytes,
    notes: notes.map(({ eventId, ...message }) => ({
      code: message.key.split(/[.:]/).at(-1) ?? "",
      event_uuid: eventId,
      message: translate(message),
    })),
  };
}

const EXPORT_DESCRIPTION =
  "Does not contain links, store tokens, publish passwords, owners or visits. The last entry, `hiroba.json`, describes all others.";
const IMPORT_PROBLEMS = [
  "bad_package",
  "upload_gone",
  "upload_busy",
  "upload_incomplete",
  "forbidden",
  "space_license",
  "library_capacity",
  "too_many_folders",
  "content_full",
  "too_many_events",
  "too_many_space_events",
  "too_many_media",
] as const satisfies readonly ProblemCode[];

/** Responds with a file that is written while it is sent. Browsers save it with its name. */
const respondWithFile = (
  file: { readonly fileName: string; readonly body: ReadableStream<Uint8Array> },
  type: string,
): Response =>
  new Response(file.body, {
    headers: {
      "content-type": type,
      "content-disposition": contentDisposition(file.fileName, "attachment"),
      "cache-control": "private, no-store",
    },
  });

/** Events and spaces as files: /v1/events/{uuid}/export, /v1/spaces/{uuid}/export, /v1/imports. */
export const packageCalls = [
  call({
    id: "exportEvent",
    method: "GET",
    path: "/v1/events/{uuid}/export",
    tag: "packages",
    summary: "Export an event with its tags and media as one file (ZIP)",
    description: EXPORT_DESCRIPTION,
    who: "user",
    may: PERMISSION_TEXTS.eventOwner,
    response: z.string(),
    produces: PACKAGE_TYPE,
    problems: ["forbidden", "too_large"],
    handle: async ({ services, actor, params }) =>
      respondWithFile(await services.packages.exportEvent({ actor, eventId: params.uuid }), PACKAGE_TYPE),
  }),

  call({
    id: "exportSpace",
    method: "GET",
    path: "/v1/spaces/{uuid}/export",
    tag: "packages",
    summary: "Export a space with its files and events as one file (ZIP)",
    description: EXPORT_DESCRIPTION,
    who: "user",
    may: PERMISSION_TEXTS.owner,
    response: z.string(),
    produces: PACKAGE_TYPE,
    problems: ["forbidden", "too_large"],
    handle: async ({ services, actor, params }) =>
      respondWithFile(await services.packages.exportSpace({ actor, spaceId: params.uuid }), PACKAGE_TYPE),
  }),

  call({
    id: "startImport",
    method: "POST",
    path: "/v1/imports",
    tag: "packages",
    summary: "Begin the import of an exported event or space",
    description: `A file of up to ${PACKAGE_MAX_MB} MB is sent in slices of \`part_size\` bytes (${UPLOAD_PART_BYTES}), as in uploads. An event is imported into a space (\`space_uuid\`), a space into a folder (\`folder_uuid\`).`,
    who: "user",
    may: "The owner of the space or folder and administrators.",
    body: z.object({
      file_name: describe(uploadFields.fileName, {
        type: "string",
        minLength: 1,
        maxLength: FILE_NAME_SENT_MAX,
      }),
      byte_size: describe(uploadFields.byteSize, { type: "integer", minimum: 1, maximum: PACKAGE_MAX_BYTES }),
      space_uuid: optionalId("Destination space of an event."),
      folder_uuid: optionalId("Destination folder of a space."),
    }),
    response: ImportSchema,
    problems: ["bad_package", "forbidden", "too_many_imports", "library_capacity", "trash_full"],
    acceptsIdempotencyKey: true,
    handle: async ({ c, services, actor, body }) => {
      const starting = services.packages.startImport({
        actor,
        fileName: body.file_name,
        byteSize: body.byte_size,
        spaceId: body.space_uuid ?? null,
        folderId: body.folder_uuid ?? null,
      });
      return importJson(c, await withBodyFieldNames(starting, () => ({ file: "byte_size" })));
    },
  }),

  call({
    id: "getImport",
    method: "GET",
    path: "/v1/imports/{uuid}",
    tag: "packages",
    summary: "Get an import, with the received slices or its result",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    response: ImportSchema,
    problems: ["upload_gone"],
    handle: async ({ c, services, actor, params }) =>
      importJson(c, await services.packages.getPackageImport({ actor, importId: params.uuid })),
  }),

  call({
    id: "dropImport",
    method: "DELETE",
    path: "/v1/imports/{uuid}",
    tag: "packages",
    summary: "Cancel an import, or delete its result",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    response: DeletedSchema,
    problems: ["upload_gone", "upload_busy"],
    handle: async ({ services, actor, params: { uuid } }) => {
      await services.packages.dropImport({ actor, importId: uuid });
      return deletedJson(uuid);
    },
  }),

  call({
    id: "sendImportPart",
    method: "PUT",
    path: "/v1/imports/{uuid}/parts/{number}",
    tag: "packages",
    summary: "Send a slice of an import",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    body: { bytesDescription: "The slice's bytes.", mediaTypes: ["application/octet-stream"] },
    response: z.object({ number: count, byte_size: count }).meta({ id: "ImportPart" }),
    problems: ["upload_gone", "upload_busy", "upload_part_size"],
    handle: async ({ c, services, actor, params }) => {
      const slice = toSliceInput(c, params.number);
      return sliceJson(
        await reportFileErrorsForCall(
          services.packages.storeImportPart({ actor, importId: params.uuid, ...slice }),
        ),
      );
    },
  }),

  call({
    id: "completeImport",
    method: "POST",
    path: "/v1/imports/{uuid}/complete",
    tag: "packages",
    summary: "Complete an import: check the file, and create the event or space",
    description:
      "The whole file is checked before anything is written; then all of it is imported, or nothing. `errors` has the field names of `hiroba.json`. If the response was lost, a repeated call returns the same one. A rejected file is deleted.",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    response: ImportSchema,
    problems: IMPORT_PROBLEMS,
    handle: async ({ c, services, actor, user, params }) => {
      const importInput = { actor, importId: params.uuid, lang: user.language };
      return importJson(c, await reportFileErrorsForCall(services.packages.completeImport(importInput)));
    },
  }),
];
