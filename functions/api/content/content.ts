import * as z from "zod";
import type { Services } from "#functions/services";
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  LimitError,
  limitReached,
  NotFoundError,
} from "#functions/services/shared/errors";
import type { Actor } from "~/domain/auth/actor";
import type { CommandResult, ContentItem, PartType } from "~/domain/content/content";
import {
  apiPath,
  changeToJson,
  commandFromJson,
  contentToJson,
  mediaToJson,
  resultToJson,
  tagToJson,
} from "~/domain/content/content-json";
import { field } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { EVENT_TAGS_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { call, type JsonOf } from "../core/call";
import {
  type JsonSchema,
  optional,
  optionalId,
  optionalVersion,
  queryId,
  requiredId,
  uncheckedField,
  uncheckedOptionalField,
} from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { deletedJson } from "../core/record-json";
import { DeletedSchema, id } from "../core/schemas";
import { commands, mediaProperties, tagProperties } from "./content-inputs";
import {
  ChangeSchema,
  CommandResultSchema,
  ContentSchema,
  CopyResultSchema,
  EventMediaItemSchema,
  TagSchema,
} from "./content-schemas";

/** Ids of tags or media. A missing list is empty. */
const idList = field<readonly Uuid[]>((value) => {
  const list: unknown = value ?? [];
  const ids = Array.isArray(list) && list.length <= EVENT_TAGS_MAX ? list.map(toUuid) : [null];
  return ids.includes(null)
    ? { error: "shared-owners:errors.field.invalid" }
    : { value: ids.filter((candidate) => candidate !== null) };
});

const seq = z.int().meta({ description: "The number of the event's last change." });
const callIdSchema = z.string().nullable().meta({ description: "`act` of this call's changes." });
const idListJson = (description: string) => ({
  type: ["array", "null"],
  maxItems: EVENT_TAGS_MAX,
  items: { type: "string", format: "uuid" },
  description,
});

/** The sequence number after which changes are requested. */
const after = field<number>((value) => {
  const text = value ?? "0";
  return typeof text === "string" && /^\d{1,15}$/.test(text)
    ? { value: Number(text) }
    : { error: "shared-owners:errors.field.invalid" };
});

/** The content of events: /v1/events/{uuid}/content and /changes, and calls for single records (specification §7): /v1/event_tags, /v1/event_media. */
export const contentCalls = [
  call({
    id: "getContent",
    method: "GET",
    path: "/v1/events/{uuid}/content",
    tag: "content",
    summary: "Get all content of an event, for editors",
    description: "Includes versions and hidden records.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    response: ContentSchema,
    handle: async ({ services, actor, params: { uuid: eventId } }) =>
      contentToJson(await services.content.getContent({ actor, eventId }), eventId),
  }),

  call({
    id: "editContent",
    method: "POST",
    path: "/v1/events/{uuid}/content",
    tag: "content",
    summary: "Edit an event's content by commands",
    description:
      "At most 100 commands. The caller chooses the ids of new records, and a repeated command has no effect. Each command succeeds or fails independently. `move_tags` moves the tags, in the given order, before another one or to the end, without changing versions. The reason `limit` means that the event would have more than 1,000 tags or 200 media.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    body: z.object({ commands: uncheckedField(commands) }),
    response: z
      .object({ seq, act: callIdSchema, results: z.array(CommandResultSchema) })
      .meta({ id: "Edited" }),
    problems: ["forbidden", "too_many"],
    handle: async ({ services, actor, params: { uuid: eventId }, body }) => {
      const { commands } = body;
      if (!Array.isArray(commands))
        throw new InvalidError({ commands: [{ key: "shared-owners:errors.field.invalid" }] });
      const { seq, callId, results } = await services.content.editContent({
        actor,
        eventId,
        commands: commands.map(commandFromJson),
      });
      return { seq, act: callId, results: results.map((result) => commandResultJson(result, eventId)) };
    },
  }),

  call({
    id: "readChanges",
    method: "GET",
    path: "/v1/events/{uuid}/changes",
    tag: "content",
    summary: "List the changes after a number, oldest first",
    description: "At most 200 changes or 2 MB of changed records, but at least one change if there is any.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    query: z.object({
      after: after
        .prefault("0" as never)
        .meta({ type: "integer", minimum: 0, maximum: 999_999_999_999_999, default: 0 }),
    }),
    response: z
      .object({
        seq: seq.meta({ description: "The number of the last of these changes; `after` if there are none." }),
        changes: z.array(ChangeSchema),
        more: z.boolean().meta({ description: "Whether there are further changes." }),
      })
      .meta({ id: "Changes" }),
    handle: async ({ services, actor, params: { uuid: eventId }, query }) => {
      const {
        seq,
        changes,
        hasMore: more,
      } = await services.content.readChanges({ actor, eventId, ...query });
      return {
        seq,
        changes: changes.map((change) => changeToJson(change, eventId) as JsonOf<typeof ChangeSchema>),
        more,
      };
    },
  }),

  call({
    id: "copyContent",
    method: "POST",
    path: "/v1/events/{uuid}/content/copy",
    tag: "content",
    summary: "Copy tags and media into another event of the same space",
    description:
      "Includes the media of the tags. Records that exceed the target event's limits are rejected individually.",
    who: "user",
    may: PERMISSION_TEXTS.event,
    body: z.object({
      event_uuid: requiredId("Target event."),
      tag_uuids: optional(idList, idListJson("Tags of the event in the path.")),
      media_uuids: optional(idList, idListJson("Media of the event in the path.")),
    }),
    status: 201,
    response: z
      .object({
        seq,
        results: z.array(CopyResultSchema),
        // By the id of the original tag: the original media that its copy lacks.
        lacking: z
          .array(z.object({ uuid: id, media_uuids: z.array(id) }))
          .meta({ description: "Tags that were copied without some of their media." }),
      })
      .meta({ id: "Copied" }),
    problems: ["forbidden", "too_many"],
    acceptsIdempotencyKey: true,
    handle: async ({ services, actor, params: { uuid: eventId }, body }) => {
      const targetEventId = body.event_uuid;
      const items = { tags: body.tag_uuids ?? [], media: body.media_uuids ?? [] };
      const copied = await services.content.copyContent({ actor, eventId, items, targetEventId });
      return {
        seq: copied.seq,
        results: copied.results.map(
          (result, i) =>
            ({ copy_of: copied.originalIds[i], ...resultToJson(result, targetEventId) }) as JsonOf<
              typeof CopyResultSchema
            >,
        ),
        lacking: copied.incomplete.map(({ id, mediaIds }) => ({ uuid: id, media_uuids: mediaIds })),
      };
    },
  }),

  ...partCalls("tag", "/v1/event_tags", TagSchema),
  ...partCalls("media", "/v1/event_media", EventMediaItemSchema),
];

/** Calls for single tags and media. */
function partCalls(
  type: PartType,
  path: string,
  responseSchema: typeof TagSchema | typeof EventMediaItemSchema,
) {
  const isTag = type === "tag";
  const name = isTag ? "Tag" : "EventMedium";
  const noun = isTag ? "a tag" : "a media item";
  const toOptionalFields = (properties: Readonly<Record<string, JsonSchema>>) =>
    Object.fromEntries(Object.entries(properties).map(([key, json]) => [key, uncheckedOptionalField(json)]));
  const values = toOptionalFields(isTag ? tagProperties : mediaProperties);
  const libraryItemField = { type: "string", format: "uuid", description: "The library item that it shows." };
  return [
    call({
      id: `create${name}`,
      method: "POST",
      path,
      tag: "content",
      summary: `Add ${noun} to an event`,
      description: "If `uuid` is given, a retry does not create a second record.",
      who: "user",
      may: PERMISSION_TEXTS.event,
      body: z.object({
        event_uuid: requiredId("The event."),
        uuid: optionalId("Id of the new record."),
        ...(isTag ? {} : { library_item_uuid: uncheckedField(libraryItemField) }),
        ...values,
        title: uncheckedField(isTag ? tagProperties.title : mediaProperties.title),
      }),
      status: 201,
      response: responseSchema,
      problems: ["forbidden", "too_many_items", "content_full", "stale_version"],
      acceptsIdempotencyKey: true,
      hasEtag: true,
      handle: async ({ services, actor, body, rawBody }) => {
        const id = body.uuid ?? crypto.randomUUID();
        const command = { op: `create_${type}`, uuid: id, values: rawBody };
        return itemJson(
          await runCommand(services, actor, body.event_uuid, command, rawBody),
          body.event_uuid,
        );
      },
    }),

    call({
      id: `update${name}`,
      method: "PUT",
      path: `${path}/{uuid}`,
      tag: "content",
      summary: `Change ${noun} of an event`,
      description: "Changes only the given fields.",
      who: "user",
      may: PERMISSION_TEXTS.event,
      body: z.object({
        event_uuid: optionalId("The event to which it must belong."),
        version: optionalVersion,
        ...values,
      }),
      response: responseSchema,
      problems: ["forbidden", "content_full"],
      hasEtag: true,
      acceptsIfMatch: true,
      handle: async ({ services, actor, params: { uuid: id }, body, rawBody }) => {
        const eventUuid = body.event_uuid;
        const { eventId, version } = await services.content.findPart({ actor, type, id, eventId: eventUuid });
        const command = {
          op: `update_${type}`,
          uuid: id,
          version: rawBody.version ?? version,
          values: rawBody,
        };
        return itemJson(await runCommand(services, actor, eventId, command, rawBody), eventId);
      },
    }),

    call({
      id: `delete${name}`,
      method: "DELETE",
      path: `${path}/{uuid}`,
      tag: "content",
      summary: `Remove ${noun} from an event`,
      description: "The command `restore` of the event's content undoes this.",
      who: "user",
      may: PERMISSION_TEXTS.event,
      query: z.object({ event_uuid: queryId("The event to which it must belong.") }),
      response: DeletedSchema,
      problems: ["forbidden", "stale_version"],
      acceptsIfMatch: true,
      savedSchema: responseSchema,
      handle: async ({ services, actor, params: { uuid: id }, query, expectedVersion }) => {
        const eventUuid = query.event_uuid;
        const { eventId, version } = await services.content.findPart({ actor, type, id, eventId: eventUuid });
        await runCommand(
          services,
          actor,
          eventId,
          { op: "delete", type, uuid: id, version: expectedVersion ?? version },
          {},
        );
        return deletedJson(id);
      },
    }),
  ];
}

const commandResultJson = (result: CommandResult, eventId: Uuid) =>
  resultToJson(result, eventId) as JsonOf<typeof CommandResultSchema>;

/** Executes one command. A rejected command throws, as in other calls of the API. */
async function runCommand(
  services: Services,
  actor: Actor,
  eventId: Uuid,
  command: object,
  submitted: unknown,
): Promise<Extract<CommandResult, { ok: true }>> {
  const commands = [commandFromJson(command)];
  const { results } = await services.content.editContent({ actor, eventId, commands });
  const [result] = results;
  if (result?.ok) return result;
  switch (result?.reason) {
    case "stale":
      throw new ConflictError(result.saved?.item ? itemJson(result.saved, eventId) : null, submitted);
    case "forbidden":
      throw new ForbiddenError("edit event");
    case "limit":
      throw new LimitError("too_many_items", {
        key: "content:errors.content.limit",
      });
    case "content_full":
      throw limitReached("content_full");
    case "invalid":
      throw new InvalidError(
        Object.fromEntries(
          Object.entries(result.errors ?? {}).map(([path, keys]) => [
            apiPath(path),
            keys.map((key) => ({ key })),
          ]),
        ),
      );
    default:
      throw new NotFoundError("item");
  }
}

/** The JSON of a command's tag or media item. */
function itemJson(item: ContentItem, eventId: Uuid) {
  if (item.type === "tag" && item.item) return tagToJson(item.item, eventId);
  if (item.type === "media" && item.item) return mediaToJson(item.item, eventId);
  throw new NotFoundError("item");
}
