import * as z from "zod";
import { createUploadSchema } from "~/domain/library/upload.schema";
import { FILE_NAME_SENT_MAX, FINGERPRINT_MAX, THUMBNAIL_MAX_BYTES } from "~/domain/shared/limits";
import { call, type ProblemCode } from "../core/call";
import { describe, optional, optionalId } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson, libraryItemJson, uploadJson } from "../core/record-json";
import { type ApiCall, readWhole, reportFileErrorsForCall, withBodyFieldNames } from "../core/request";
import { count, DeletedSchema, LibraryItemSchema, UploadSchema } from "../core/schemas";

const uploadFields = createUploadSchema().shape;
/** Codes for a file that is rejected and deleted because of its bytes. */
const FILE_PROBLEMS = [
  "upload_kind",
  "upload_format",
  "upload_other_kind",
  "upload_damaged",
  "upload_pixels",
  "upload_model",
  "upload_model_files",
  "upload_model_empty",
  "upload_model_loop",
  "upload_model_extension",
  "upload_model_zip",
  "upload_model_splats",
  "upload_model_positions",
  "upload_model_pixels",
  "upload_splats",
  "upload_splat_attributes",
  "upload_splat_parts",
  "upload_misnamed",
] as const satisfies readonly ProblemCode[];

/** Uploads in slices, and thumbnails: /v1/uploads, /v1/media/{uuid}/thumbnail. */
export const uploadCalls = [
  call({
    id: "listUploads",
    method: "GET",
    path: "/v1/uploads",
    tag: "uploads",
    summary: "List the caller's open uploads, with the received slices",
    who: "user",
    may: PERMISSION_TEXTS.own,
    response: z.array(UploadSchema),
    wholeListKey: "uuid",
    handle: async ({ services, actor }) => (await services.uploads.listUploads({ actor })).map(uploadJson),
  }),

  call({
    id: "startUpload",
    method: "POST",
    path: "/v1/uploads",
    tag: "uploads",
    summary: "Begin an upload",
    description:
      "A file of up to 300 MB is sent in slices of `part_size` bytes, numbered from 1; the last one may be shorter. They may arrive in any order, best three at a time. A repeated slice replaces the earlier one. An upload expires 24 hours after it was begun.",
    who: "user",
    may: PERMISSION_TEXTS.add,
    body: z.object({
      file_name: describe(uploadFields.fileName, {
        type: "string",
        minLength: 1,
        maxLength: FILE_NAME_SENT_MAX,
      }),
      byte_size: describe(uploadFields.byteSize, {
        type: "integer",
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
      folder_uuid: optionalId("Destination folder. Default: the root folder."),
      replaces_uuid: optionalId("The item of the same kind whose file is replaced; its uses stay."),
      owner_uuid: optionalId("The owner. Default: the caller."),
      fingerprint: optional(uploadFields.fingerprint, {
        type: ["string", "null"],
        maxLength: FINGERPRINT_MAX,
        pattern: "^[ -~]*$",
        description: "Chosen by the caller to recognize the file when it resumes the upload.",
      }),
    }),
    response: UploadSchema,
    problems: [
      "upload_empty",
      "upload_too_large",
      "upload_other_kind",
      "upload_kind",
      "forbidden",
      "library_capacity",
      "trash_full",
      "too_many_media",
      "too_many_uploads",
      "other_type",
      "other_owner",
    ],
    acceptsIdempotencyKey: true,
    handle: async ({ services, actor, body }) => {
      const starting = services.uploads.startUpload({
        actor,
        fileName: body.file_name,
        byteSize: body.byte_size,
        folderId: body.folder_uuid ?? null,
        replacesId: body.replaces_uuid ?? null,
        ownerId: body.owner_uuid ?? null,
        fingerprint: body.fingerprint ?? "",
      });
      // The file is not sent yet, so its errors belong to these fields of the body.
      const bodyNameOfFile = (code: string) => ({
        file: code === "upload_other_kind" ? "replaces_uuid" : "byte_size",
      });
      return uploadJson(await withBodyFieldNames(starting, bodyNameOfFile));
    },
  }),

  call({
    id: "getUpload",
    method: "GET",
    path: "/v1/uploads/{uuid}",
    tag: "uploads",
    summary: "Get an open upload, with the received slices",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    response: UploadSchema,
    problems: ["upload_gone"],
    handle: async ({ services, actor, params }) =>
      uploadJson(await services.uploads.getUpload({ actor, uploadId: params.uuid })),
  }),

  call({
    id: "abortUpload",
    method: "DELETE",
    path: "/v1/uploads/{uuid}",
    tag: "uploads",
    summary: "Cancel an upload",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    response: DeletedSchema,
    problems: ["forbidden", "upload_gone", "upload_busy"],
    handle: async ({ services, actor, params: { uuid } }) => {
      await services.uploads.abortUpload({ actor, uploadId: uuid });
      return deletedJson(uuid);
    },
  }),

  call({
    id: "sendUploadPart",
    method: "PUT",
    path: "/v1/uploads/{uuid}/parts/{number}",
    tag: "uploads",
    summary: "Send a slice",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    body: { bytesDescription: "The slice's bytes.", mediaTypes: ["application/octet-stream"] },
    response: z.object({ number: count, byte_size: count }).meta({ id: "UploadPart" }),
    problems: ["forbidden", "upload_gone", "upload_busy", "upload_part_size", ...FILE_PROBLEMS],
    handle: async ({ c, services, actor, params }) => {
      const slice = toSliceInput(c, params.number);
      return sliceJson(
        await reportFileErrorsForCall(services.uploads.storePart({ actor, uploadId: params.uuid, ...slice })),
      );
    },
  }),

  call({
    id: "completeUpload",
    method: "POST",
    path: "/v1/uploads/{uuid}/complete",
    tag: "uploads",
    summary: "Complete an upload",
    description:
      "Creates an item, or replaces the file of an existing one. If the response was lost, repeat the call with `media_uuid` to get the same item. The type of a file is detected from its bytes. `upload_busy`: the upload is being completed, which continues even if the connection is lost.",
    who: "user",
    may: PERMISSION_TEXTS.sender,
    body: z.object({ media_uuid: optionalId("Id of the upload's item.") }),
    response: LibraryItemSchema,
    problems: [
      "upload_gone",
      "upload_busy",
      "upload_incomplete",
      "library_capacity",
      "forbidden",
      ...FILE_PROBLEMS,
    ],
    hasEtag: true,
    handle: async ({ services, actor, params, body }) => {
      const uploadInput = { actor, uploadId: params.uuid, itemId: body.media_uuid };
      const { item } = await reportFileErrorsForCall(services.uploads.completeUpload(uploadInput));
      return libraryItemJson(item);
    },
  }),

  call({
    id: "setThumbnail",
    method: "PUT",
    path: "/v1/media/{uuid}/thumbnail",
    tag: "media",
    summary: "Set the thumbnail of a media item",
    description:
      "At most 256 KB and 2,048 pixels; not for web media. Its size counts as storage (`still_size`).",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: { bytesDescription: "The image's bytes.", mediaTypes: ["image/jpeg", "image/webp", "image/png"] },
    response: LibraryItemSchema,
    problems: ["forbidden", "upload_thumbnail", "library_capacity"],
    hasEtag: true,
    handle: async ({ c, services, actor, params }) => {
      const bytes = await readWhole(c.req.raw, THUMBNAIL_MAX_BYTES);
      const setting = services.uploads.setThumbnail({ actor, itemId: params.uuid, bytes });
      return libraryItemJson(await reportFileErrorsForCall(setting));
    },
  }),
];

/** Reads the number of a slice. Anything else becomes NaN, which is never the number of a slice. */
const sliceNumber = (text: string): number => (/^\d{1,5}$/.test(text) ? Number(text) : Number.NaN);

/** The declared length of the body; null if there is none. */
const declaredLength = (c: ApiCall): number | null => {
  const text = c.req.header("content-length");
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
};

/** The slice in a call's body, as a stream for the service that stores it. */
export const toSliceInput = (c: ApiCall, number: string) => ({
  number: sliceNumber(number),
  declaredBytes: declaredLength(c),
  body: c.req.raw.body,
});

/** The JSON of a stored slice. */
export const sliceJson = ({ number, byteSize }: { readonly number: number; readonly byteSize: number }) => ({
  number,
  byte_size: byteSize,
});
