import * as z from "zod";
import type { Services } from "#functions/services";
import type { CopyResult } from "#functions/services/folders/copy";
import { InvalidError, LimitError, limitReached } from "#functions/services/shared/errors";
import type { Actor } from "~/domain/auth/actor";
import { eventNameField } from "~/domain/events/event-create.schema";
import { mergeSentName } from "~/domain/events/event-texts";
import { COPY_BATCH_MAX } from "~/domain/folders/tree";
import { EVENT_NAME_MAX } from "~/domain/shared/limits";
import type { User, Uuid } from "~/domain/shared/model";
import {
  batchResponse,
  groupByFolder,
  KIND_OF_LIST,
  movesBody,
  requireBatchSize,
  runIntoFolder,
} from "../core/batch";
import { call, type ProblemCode } from "../core/call";
import { optionalId, requiredId, uncheckedOptionalField } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { eventJson, folderJson, spaceJson } from "../core/record-json";
import { validate, withBodyFieldNames } from "../core/request";
import { BatchSchema, EventSchema, FolderSchema, SpaceSchema } from "../core/schemas";
import { bodyNamesOfTexts, textByLangJson } from "../events/events";
import { requireChanged } from "./folders";

const COPY_PROBLEMS = [
  "forbidden",
  "root",
  "other_owner",
  "other_type",
  "too_deep",
  "too_many_folders",
  "space_license",
  "library_capacity",
  "too_large",
  "source_in_trash",
  "content_full",
  "too_many_events",
  "too_many_space_events",
] as const satisfies readonly ProblemCode[];

/** Copies of folders, spaces and events (specification §7): /v1/folders/{uuid}/copy, /v1/spaces/{uuid}/copy, /batch_copy, /copy_event. */
export const copyCalls = [
  call({
    id: "copyFolder",
    method: "POST",
    path: "/v1/folders/{uuid}/copy",
    tag: "folders",
    summary: "Copy a folder with the content that the caller can see",
    description:
      "Copies at most 5,000 records, all of them or none. If no folder is given, the copy is placed beside the original, where its name gets a suffix in the language of the caller's account.",
    who: "user",
    may: PERMISSION_TEXTS.copy,
    body: z.object({ parent_uuid: optionalId("The folder for the copy.") }),
    response: FolderSchema,
    problems: COPY_PROBLEMS,
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async (input) => {
      const { services, actor, params, body } = input;
      const folderId = await copyOne(input, "folders", params.uuid, body.parent_uuid, "parent_uuid");
      return folderJson((await services.tree.getPath({ actor, folderId })).folder);
    },
  }),

  call({
    id: "copySpace",
    method: "POST",
    path: "/v1/spaces/{uuid}/copy",
    tag: "spaces",
    summary: "Copy a space with its events",
    description:
      "Copied spaces use the same files and, except for showcases, get a new `sid`. Copied events are Unpublished, with new tokens, and without dates that have passed.",
    who: "user",
    may: PERMISSION_TEXTS.copy,
    body: z.object({ folder_uuid: optionalId("The folder for the copy.") }),
    response: SpaceSchema,
    problems: COPY_PROBLEMS,
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async (input) => {
      const { services, actor, params, body } = input;
      const spaceId = await copyOne(input, "spaces", params.uuid, body.folder_uuid, "folder_uuid");
      return spaceJson(await services.spaces.getSpace({ actor, spaceId }));
    },
  }),

  call({
    id: "copyMany",
    method: "POST",
    path: "/batch_copy",
    tag: "batches",
    summary: "Copy folders and spaces into folders",
    description: `At most ${COPY_BATCH_MAX} records. Each has its own result, with the id of its copy. Media cannot be copied: \`other_type\`.`,
    who: "user",
    may: PERMISSION_TEXTS.copy,
    body: movesBody,
    response: BatchSchema,
    problems: ["too_many"],
    acceptsIdempotencyKey: true,
    handle: async ({ services, actor, user, body }) => {
      requireBatchSize(COPY_BATCH_MAX, "folders:errors.tree.tooManyCopies", body);
      const results: CopyResult[] = [];
      for (const [folderId, selection] of groupByFolder(body))
        results.push(
          ...(await runIntoFolder(
            selection,
            () => services.copies.copyItems({ actor, selection, folderId, lang: user.language }),
            (deletedItem) => ({ ...deletedItem, copyId: null }),
          )),
        );
      return batchResponse(body, results, ({ copyId }) => copyId);
    },
  }),

  call({
    id: "copyEvent",
    method: "POST",
    path: "/copy_event",
    tag: "events",
    summary: "Copy an event, into its own space or another one",
    description:
      "If the target space is a different place, tags and media lose their positions, and the scene keeps only content without positions. The same place means the same showcase, the same model or splats with all points at the same positions, or panoramas with common nodes (same image, position and heading); viewpoints at these nodes are kept. `other_owner`: the target space belongs to another account than the event's, and the event shows files of a library that the caller does not see.",
    who: "user",
    may: PERMISSION_TEXTS.copy,
    body: z.object({
      target_event_uuid: requiredId("The event to copy."),
      space_uuid: optionalId("The target space. Default: the event's own space."),
      from_space_uuid: optionalId(
        "The expected present space of the event. The call fails if the event has moved.",
      ),
      event_name: uncheckedOptionalField({
        type: ["string", "null"],
        maxLength: EVENT_NAME_MAX,
        description:
          "The name of the copy, in the language of the event's `event_name`. By default, and in the other language, the event's name, with a suffix in the same space.",
      }),
      names: uncheckedOptionalField(textByLangJson(EVENT_NAME_MAX, "The name of the copy")),
    }),
    response: EventSchema,
    problems: [
      "forbidden",
      "event_name_taken",
      "other_owner",
      "content_full",
      "too_many_events",
      "too_many_space_events",
    ],
    acceptsIdempotencyKey: true,
    hasEtag: true,
    handle: async ({ services, actor, body, rawBody }) => {
      const { target_event_uuid: eventId, space_uuid: spaceId, event_name: singleName, names } = body;
      const copyEvent = async () => {
        // Null also means the default name.
        const eventName =
          singleName == null && names == null
            ? undefined
            : (
                await validate(z.object({ eventName: eventNameField() }), {
                  eventName: mergeSentName(
                    await services.copies.nameEventCopy({ actor, eventId, spaceId }),
                    singleName ?? undefined,
                    names,
                  ),
                })
              ).eventName;
        const fromSpaceId = body.from_space_uuid;
        return services.copies.copyEvent({ actor, eventId, fromSpaceId, spaceId, eventName });
      };
      return eventJson(
        await withBodyFieldNames(copyEvent(), () => ({
          ...bodyNamesOfTexts(rawBody),
          spaceId: "space_uuid",
        })),
      );
    },
  }),
];

/** Copies a record into the requested folder, or else beside the original. @returns the copy's id */
async function copyOne(
  { services, actor, user }: { readonly services: Services; readonly actor: Actor; readonly user: User },
  list: "folders" | "spaces",
  id: Uuid,
  requestedFolderId: Uuid | undefined,
  folderField: string,
): Promise<Uuid> {
  const kind = KIND_OF_LIST[list];
  const { parentId } = await services.tree.getTreeItem({ actor, kind, id });
  const folderId = requestedFolderId ?? parentId;
  if (folderId === null) throw new InvalidError({ "": [{ key: "folders:rejected.root" }] }, "root");
  const selection = { [kind]: [id] };
  const [result] = await services.copies.copyItems({ actor, selection, folderId, lang: user.language });
  if (result?.rejection === "space_license")
    throw new LimitError("space_license", { key: "folders:rejected.space_license" });
  if (
    result?.rejection === "content_full" ||
    result?.rejection === "too_many_events" ||
    result?.rejection === "too_many_space_events"
  )
    throw limitReached(result.rejection);
  requireChanged(result, requestedFolderId ? folderField : "");
  return result?.copyId ?? "";
}
