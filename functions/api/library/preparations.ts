import * as z from "zod";
import type { PreparationView } from "#functions/services/library/preparations";
import { fileVersion } from "~/domain/library/media-url";
import { HOLDER_MAX, preparationFields } from "~/domain/library/preparation.schema";
import {
  PREPARATION_CODES,
  PREPARATION_LOSSES,
  PREPARATION_NOTES,
  PREPARATION_STATES,
  PREPARED_ROLES,
  type PreparedMeasurements,
} from "~/domain/library/prepared";
import { PREPARED_FILES_MAX, UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import { call, type JsonOf, type ProblemCode } from "../core/call";
import { describe, optional, requiredId } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { readWhole, reportFileErrorsForCall } from "../core/request";
import { count, id, instant } from "../core/schemas";

const number = z.number();

const MeasurementsSchema = z
  .object({
    bytes: count,
    triangles: count.optional(),
    points: count.optional(),
    splats: count.optional(),
    graphics_bytes: count
      .optional()
      .meta({ description: "Estimated bytes of buffers and textures in graphics memory." }),
    width: count.optional().meta({ description: "Pixels." }),
    height: count.optional().meta({ description: "Pixels." }),
    size: z.array(number).optional().meta({ description: "Metres along x, y and z, y up." }),
  })
  .meta({ id: "PreparedFacts" });

const PreparationSchema = z
  .object({
    media_uuid: id,
    state: z.enum(["none", ...PREPARATION_STATES]).meta({
      description:
        "none: files of this type and size are not converted, or only on request. waiting: to be converted in a browser. done: visitors receive the converted file. failed: see `code`. skipped: visitors receive the file as it was uploaded.",
    }),
    code: z
      .enum(PREPARATION_CODES)
      .nullable()
      .meta({ description: "Reason why the last conversion failed." }),
    under_way: z.boolean().meta({ description: "Whether a browser is converting it." }),
    run_uuid: id.nullable().meta({ description: "The conversion whose files visitors receive." }),
    quality: number.nullable().meta({ description: "0 for the smallest files, 1 for the best ones." }),
    display_url: z.string().nullable().meta({ description: "The file that viewers load." }),
    preview_url: z.string().nullable().meta({ description: "The file that viewers show first." }),
    original_url: z.string().meta({ description: "The file as it was uploaded." }),
    byte_size: count.meta({ description: "Bytes of all files of the conversion; they count as storage." }),
    before: MeasurementsSchema.nullable(),
    after: MeasurementsSchema.nullable(),
    losses: z.array(z.enum(PREPARATION_LOSSES)),
    notes: z
      .array(
        z.object({
          key: z.enum(PREPARATION_NOTES),
          values: z.record(z.string(), z.union([z.string(), number])),
        }),
      )
      .meta({ description: "Notes for the owner about the conversion, with values for their texts." }),
    hidden: z
      .enum(["check", "waiting", "failed"])
      .nullable()
      .meta({ description: "Reason why visitors do not see the file; null if they do." }),
  })
  .meta({ id: "Preparation" });

const measurementsJson = ({
  graphicsBytes,
  size,
  ...measurements
}: PreparedMeasurements): JsonOf<typeof MeasurementsSchema> => ({
  ...measurements,
  ...(graphicsBytes === undefined ? {} : { graphics_bytes: graphicsBytes }),
  ...(size === undefined ? {} : { size: [...size] }),
});

/** The JSON of a file's conversion state. */
function preparationJson({
  item,
  state,
  preparation,
  isUnderWay,
  hiddenReason: hidden,
}: PreparationView): JsonOf<typeof PreparationSchema> {
  const { display = null, preview = null, report = null } = preparation ?? {};
  const base = `/media/${item.id}`;
  const version = display && fileVersion(display.fileKey);
  return {
    media_uuid: item.id,
    state,
    code: preparation?.code || null,
    under_way: isUnderWay,
    run_uuid: preparation?.runId ?? null,
    quality: preparation?.quality ?? null,
    display_url: version && `${base}/${version}`,
    preview_url: version && preview && `${base}/${version}/${preview}`,
    original_url: `${base}/${fileVersion(item.fileKey ?? "")}`,
    byte_size: item.preparedSize,
    before: report && measurementsJson(report.before),
    after: report && measurementsJson(report.after),
    losses: [...(report?.losses ?? [])],
    notes: [...(report?.notes ?? [])],
    hidden: hidden?.why ?? null,
  };
}

const runField = requiredId("The conversion, as startPreparation named it.");
const RUN_PROBLEMS = ["forbidden", "preparation_type", "preparation_gone"] as const satisfies ProblemCode[];
const FILE_PROBLEMS = [
  "preparation_name",
  "preparation_file",
  "preparation_part",
  "preparation_too_large",
  "library_capacity",
] as const satisfies readonly ProblemCode[];

const measurementsField = (description: string) =>
  ({
    type: "object",
    description: `${description}: bytes, and where the kind has them triangles, points, splats, graphics_bytes, width, height and size.`,
  }) as const;

const StartedSchema = z
  .object({
    state: z.literal("started"),
    run_uuid: id,
    until: instant,
    quality: number,
    file_url: z.string(),
    part_size: count,
  })
  .meta({ id: "StartedPreparation" });
const BusySchema = z.object({ state: z.literal("busy") }).meta({ id: "BusyPreparation" });

/** Conversions of files in owners' browsers: /v1/media/{uuid}/preparation. */
export const preparationCalls = [
  call({
    id: "getPreparation",
    method: "GET",
    path: "/v1/media/{uuid}/preparation",
    tag: "media",
    summary: "Get the state of the conversion of a media item's file",
    description:
      "Some files are converted for visitors, by the browser of a user who may change them. The original is stored first and kept. Other programs can convert files with these calls.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    response: PreparationSchema,
    handle: async ({ services, actor, params }) =>
      preparationJson(await services.preparations.getPreparation({ actor, itemId: params.uuid })),
  }),

  call({
    id: "startPreparation",
    method: "POST",
    path: "/v1/media/{uuid}/preparation",
    tag: "media",
    summary: "Begin the conversion of a media item's file",
    description:
      "`busy`: another caller converts it at this moment. No other caller can convert the file until one minute after the caller's last call about this conversion. Files of an interrupted conversion are deleted.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: z.object({
      holder: describe(preparationFields.holder, {
        type: "string",
        minLength: 8,
        maxLength: HOLDER_MAX,
        pattern: "^[A-Za-z0-9_-]+$",
        description: "Chosen by the caller. A caller that sends the same id again may restart at once.",
      }),
      quality: optional(preparationFields.quality, {
        type: ["number", "null"],
        minimum: 0,
        maximum: 1,
        description: "By default the quality of the last conversion, or 0.7.",
      }),
    }),
    response: z.discriminatedUnion("state", [StartedSchema, BusySchema]),
    problems: ["forbidden", "preparation_type", "preparation_check"],
    handle: async ({ services, actor, params, body }) => {
      const starting = services.preparations.startPreparation({ actor, itemId: params.uuid, ...body });
      const started = await reportFileErrorsForCall(starting);
      if (!started) return { state: "busy" as const };
      const { runId, until, quality, fileKey } = started;
      const file_url = `/media/${params.uuid}/${fileVersion(fileKey)}`;
      return {
        state: "started" as const,
        run_uuid: runId,
        until,
        quality,
        file_url,
        part_size: UPLOAD_PART_BYTES,
      };
    },
  }),

  call({
    id: "renewPreparation",
    method: "POST",
    path: "/v1/media/{uuid}/preparation/renew",
    tag: "media",
    summary: "Report that a conversion is still running",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: z.object({ run_uuid: runField }),
    response: z.object({ until: instant }).meta({ id: "RenewedPreparation" }),
    problems: RUN_PROBLEMS,
    handle: async ({ services, actor, params, body }) =>
      reportFileErrorsForCall(
        services.preparations.renewPreparation({ actor, itemId: params.uuid, runId: body.run_uuid }),
      ),
  }),

  call({
    id: "sendPreparedFile",
    method: "PUT",
    path: "/v1/media/{uuid}/preparation/file",
    tag: "media",
    summary: "Upload a file of a conversion",
    description: `Whole, or in slices of \`part_size\` bytes, the first one first. At most ${PREPARED_FILES_MAX} files of one conversion: exactly one with the role \`display\`, which is of the media item's kind, at most one \`preview\` of 1.5 MB, and tiles, which are pictures of up to 4 MB. A file's bytes must have the type of its extension.`,
    who: "user",
    may: PERMISSION_TEXTS.shared,
    query: z.object({
      run_uuid: runField,
      role: describe(preparationFields.role, { type: "string", enum: PREPARED_ROLES }),
      name: describe(preparationFields.name, {
        type: "string",
        description:
          "Letters, digits, `-`, `_` and `.`; tiles may have folders. The extension determines the type.",
      }),
      byte_size: describe(preparationFields.amount, {
        type: "integer",
        minimum: 1,
        description: "Size of the whole file, in bytes.",
      }),
      part: optional(preparationFields.part, {
        type: "integer",
        minimum: 1,
        description: "The slice's number, from 1.",
      }),
    }),
    body: {
      bytesDescription: "The file's bytes, or those of a slice.",
      mediaTypes: ["application/octet-stream"],
    },
    response: z.object({ byte_size: count }).meta({ id: "PreparedFile" }),
    problems: [...RUN_PROBLEMS, ...FILE_PROBLEMS],
    handle: async ({ c, services, actor, params, query }) => {
      const bytes = await readWhole(c.req.raw, UPLOAD_PART_BYTES);
      const { run_uuid: runId, role, name, byte_size: byteSize, part = 1 } = query;
      const input = { actor, itemId: params.uuid, runId, role, name, byteSize, part, bytes };
      const stored = await reportFileErrorsForCall(services.preparations.storePreparedFile(input));
      return { byte_size: stored.byteSize };
    },
  }),

  call({
    id: "finishPreparation",
    method: "POST",
    path: "/v1/media/{uuid}/preparation/finish",
    tag: "media",
    summary: "Publish the files of a conversion to visitors",
    description:
      "Publishes all files or none. Tags and placements stay. The previous files are deleted ten minutes later.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: z.object({
      run_uuid: runField,
      before: describe(preparationFields.measurements, measurementsField("The uploaded file")),
      after: describe(preparationFields.measurements, measurementsField("The display file")),
      losses: optional(preparationFields.losses, {
        type: "array",
        items: { enum: PREPARATION_LOSSES },
        description: "Features that the conversion could not keep.",
      }),
      notes: optional(preparationFields.notes, {
        type: "array",
        items: { type: "object", description: "`key` and `values`, as in a preparation." },
        description: "Notes for the owner about the conversion.",
      }),
    }),
    response: PreparationSchema,
    problems: [...RUN_PROBLEMS, ...FILE_PROBLEMS, "preparation_incomplete"],
    handle: async ({ services, actor, params, body }) => {
      const { run_uuid: runId, before, after, losses = [], notes = [] } = body;
      const report = { before, after, losses, notes };
      const finishing = services.preparations.finishPreparation({
        actor,
        itemId: params.uuid,
        runId,
        report,
      });
      return preparationJson(await reportFileErrorsForCall(finishing));
    },
  }),

  call({
    id: "failPreparation",
    method: "POST",
    path: "/v1/media/{uuid}/preparation/fail",
    tag: "media",
    summary: "Cancel a conversion",
    description: "Visitors continue to receive the previous files.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    body: z.object({
      run_uuid: runField,
      code: describe(preparationFields.code, { type: "string", enum: PREPARATION_CODES }),
    }),
    response: PreparationSchema,
    problems: RUN_PROBLEMS,
    handle: async ({ services, actor, params, body }) => {
      const { run_uuid: runId, code } = body;
      return preparationJson(
        await reportFileErrorsForCall(
          services.preparations.failPreparation({ actor, itemId: params.uuid, runId, code }),
        ),
      );
    },
  }),

  call({
    id: "skipPreparation",
    method: "POST",
    path: "/v1/media/{uuid}/preparation/skip",
    tag: "media",
    summary: "Show a file as it was uploaded",
    description:
      "Deletes the converted files. Rejected for files that browsers cannot show: `preparation_needed`.",
    who: "user",
    may: PERMISSION_TEXTS.shared,
    response: PreparationSchema,
    problems: ["forbidden", "preparation_type", "preparation_needed"],
    handle: async ({ services, actor, params }) =>
      preparationJson(
        await reportFileErrorsForCall(services.preparations.skipPreparation({ actor, itemId: params.uuid })),
      ),
  }),
];
