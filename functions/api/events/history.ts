import * as z from "zod";
import type {
  ComparedState,
  NamedChangeGroup,
  NotRestored,
  SnapshotMedia,
} from "#functions/services/events/history";
import { NotFoundError } from "#functions/services/shared/errors";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import { fieldsToJson, mediaToJson, sceneToJson, tagToJson } from "~/domain/content/content-json";
import type { PublishedTime } from "~/domain/events/change-groups";
import type { StateDifference } from "~/domain/events/history";
import { field, readInteger } from "~/domain/shared/fields.schema";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import {
  EventFieldsSchema,
  EventMediaItemSchema,
  SceneSchema,
  TagSchema,
  VisitorEventSchema,
} from "../content/content-schemas";
import { call, type JsonOf } from "../core/call";
import { fieldName } from "../core/field-name";
import { choice, instantText, optional, readInstant } from "../core/fields";
import { PERMISSION_TEXTS } from "../core/permission-texts";
import { namesJson, visitorEventJson } from "../core/record-json";
import { count, eventNameFields, id, instant, localized, vec3 } from "../core/schemas";

const INVALID_RESULT = { error: "shared-owners:errors.field.invalid" } as const;
const SEQ_MAX = Number.MAX_SAFE_INTEGER;

const optionalNumber = (description: string) =>
  optional(
    field<number>((value) => {
      const number = readInteger(value, 0, SEQ_MAX);
      return number === null ? INVALID_RESULT : { value: number };
    }),
    { type: "integer", minimum: 0, description },
  );
const COMPARISONS = ["now", "published", "before"] as const satisfies readonly ComparedState[];
const comparisonQuery = {
  compare: choice(
    COMPARISONS,
    "The state for comparison: the saved one, the last published one, or the one before the change.",
  ),
  since: optionalNumber(
    "For `before`: the number of the state before the first change of a group. Default: 0, the state before all recorded changes.",
  ),
};

const published = z.object({ from: instant, to: instant.nullable() });
const counts = z.object({ added: count, changed: count, removed: count });
const ChangeGroupSchema = z
  .object({
    seq: count.meta({ description: "The number of its last change, which identifies the state after it." }),
    from: instant,
    to: instant,
    actor_uuid: id.nullable().meta({ description: "Null for scheduled changes." }),
    actor_name: z.string(),
    steps: z.array(z.object({ seq: count, at: instant })),
    tags: counts,
    media: counts,
    changed: z.array(z.enum(["scene", "order", "event"])),
    published: published.nullable().meta({ description: "When visitors could see the state after it." }),
  })
  .meta({ id: "Moment" });
const HistorySchema = z
  .object({
    ...eventNameFields,
    moments: z.array(ChangeGroupSchema),
    earlier: count.nullable().meta({ description: "`before` of the next page; null at the end." }),
    latest: count,
    created_at: instant,
    history_from: instant
      .nullable()
      .meta({ description: "Start of the stored history; null if it is complete." }),
    published: z.array(published),
  })
  .meta({ id: "History" });

const DifferenceSchema = z
  .object({
    items: z.array(
      z.object({
        type: z.enum(["tag", "media"]),
        uuid: id,
        title: localized,
        kinds: z.array(z.enum(["added", "removed", "moved", "reworded", "restyled", "hidden", "shown"])),
        texts: z.array(
          z.object({
            field: z.string(),
            lang: z.enum(["ja", "en"]).nullable(),
            before: z.string(),
            after: z.string(),
          }),
        ),
        from: vec3.nullable(),
        to: vec3.nullable(),
      }),
    ),
    scene: z.array(z.enum(["start_view", "tour", "plan", "products"])),
    reordered: z.boolean(),
    fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  })
  .meta({ id: "Difference", description: "Changes from the earlier to the later state." });
const LossSchema = z.object({
  title: localized,
  reason: z
    .enum(["not_found", "forbidden"])
    .meta({ description: "The file was deleted, or is no longer shared." }),
});
const StateSchema = z
  .object({
    seq: count,
    at: instant,
    is_latest: z.boolean(),
    fields: EventFieldsSchema,
    tags: z.array(TagSchema),
    media: z.array(EventMediaItemSchema),
    lost: z.array(LossSchema).meta({ description: "Media that can no longer be shown." }),
    scene: SceneSchema,
    compared_with: count.nullable().meta({ description: "Null if there is no such state." }),
    difference: DifferenceSchema.nullable(),
  })
  .meta({ id: "FormerState" });
const RestoredSchema = z
  .object({
    from: count.meta({ description: "The state before the call. Restoring it undoes the call." }),
    seq: count,
    changed: count,
    refused: z.array(
      z.object({
        type: z.enum(["tag", "media", "scene", "order"]),
        title: localized.nullable(),
        reason: z.string(),
      }),
    ),
  })
  .meta({ id: "Restored" });
const VisitSchema = z
  .object({ event: VisitorEventSchema, tags: z.array(TagSchema), media: z.array(EventMediaItemSchema) })
  .meta({ id: "Visit" });
const SnapshotVisitSchema = z
  .object({
    seq: count,
    at: instant,
    time_zone: z.string(),
    visit: VisitSchema,
    lost: z.array(LossSchema),
    difference: DifferenceSchema.nullable(),
  })
  .meta({ id: "FormerVisit" });
const VisitorPreviewSchema = z
  .object({
    at: instant,
    time_zone: z.string(),
    ...eventNameFields,
    status_id: z.int().meta({ description: "The status at that time." }),
    asks_password: z.boolean(),
    visit: VisitSchema.nullable().meta({ description: "Null when the link is closed." }),
    opens_at: instant.nullable().meta({ description: "When a closed link opens automatically." }),
    starts_at: instant.nullable().meta({
      description: "The start of an event that is already Published but starts later; otherwise null.",
    }),
  })
  .meta({ id: "AsVisitor" });

const publishedTimeJson = ({ from, to }: PublishedTime) => ({ from, to });
const changeGroupJson = (group: NamedChangeGroup): JsonOf<typeof ChangeGroupSchema> => ({
  seq: group.seq,
  from: group.from,
  to: group.to,
  actor_uuid: group.actorId,
  actor_name: group.actorName,
  steps: group.steps.map(({ seq, at }) => ({ seq, at })),
  tags: group.counts.tag,
  media: group.counts.media,
  changed: group.changed,
  published: group.published && publishedTimeJson(group.published),
});

const differenceJson = (difference: StateDifference): JsonOf<typeof DifferenceSchema> => ({
  items: difference.items.map(({ type, id, title, kinds, texts, from, to }) => ({
    type,
    uuid: id,
    title,
    kinds,
    from,
    to,
    texts: texts.map(({ field, lang, before, after }) => ({ field, lang, before, after })),
  })),
  scene: difference.scene.map((part) => (part === "startView" ? "start_view" : part)),
  reordered: difference.reordered,
  fields: difference.fields.map(({ field, before, after }) => ({ field: fieldName(field), before, after })),
});

/** The JSON of a state's media: those that can be shown, and those that cannot. */
function mediaJson(media: readonly SnapshotMedia[], eventId: Uuid) {
  const visibleMedia = media.flatMap(({ metadata, loss, ...mediaItem }) =>
    metadata && loss === null ? [mediaToJson({ ...mediaItem, ...metadata }, eventId)] : [],
  );
  const lostMedia = media.flatMap(({ title, loss, metadata }) =>
    metadata && loss === null ? [] : [{ title, reason: loss ?? ("not_found" as const) }],
  );
  return { media: visibleMedia as JsonOf<typeof EventMediaItemSchema>[], lost: lostMedia };
}

const visitJson = (event: VisitorEvent): JsonOf<typeof VisitSchema> => ({
  event: visitorEventJson(event),
  tags: event.tags.map((tag) => tagToJson(tag, event.id)),
  media: event.media.map((mediaItem) => mediaToJson(mediaItem, event.id)),
});

const notRestoredJson = ({ type, title, reason }: NotRestored) => ({
  type: type ?? ("order" as const),
  title,
  reason,
});

/** Reads the sequence number of a change from a URL. @throws NotFoundError for any other text */
function readSeq(text: string): number {
  const seq = /^\d+$/.test(text) ? readInteger(text, 0, SEQ_MAX) : null;
  if (seq === null) throw new NotFoundError("change");
  return seq;
}

const MODES = ["published", "preview"] as const satisfies readonly LinkMode[];

/** An event's history, its earlier states, and its content as visitors see it at a given time: /v1/events/{uuid}/history, …/as_visitor. */
export const historyCalls = [
  call({
    id: "listHistory",
    method: "GET",
    path: "/v1/events/{uuid}/history",
    tag: "history",
    summary: "List the changes of an event, newest first, grouped by person and time",
    who: "user",
    may: PERMISSION_TEXTS.event,
    query: z.object({ before: optionalNumber("Only earlier changes: `earlier` of the previous response.") }),
    response: HistorySchema,
    handle: async ({ services, actor, params: { uuid: eventId }, query: { before } }) => {
      const list = await services.history.listHistory({
        actor,
        eventId,
        ...(before !== undefined && { before }),
      });
      return {
        ...namesJson(list.eventName),
        moments: list.changeGroups.map(changeGroupJson),
        earlier: list.earlier,
        latest: list.latest,
        created_at: list.createdAt,
        history_from: list.historyFrom,
        published: list.published.map(publishedTimeJson),
      };
    },
  }),

  call({
    id: "getFormerState",
    method: "GET",
    path: "/v1/events/{uuid}/history/{seq}",
    tag: "history",
    summary: "Get an event after a change, and its difference from another state",
    who: "user",
    may: PERMISSION_TEXTS.event,
    query: z.object(comparisonQuery),
    response: StateSchema,
    handle: async ({ services, actor, params: { uuid: eventId, seq }, query }) => {
      const { compare: comparison = "now", since } = query;
      const stateQuery = {
        actor,
        eventId,
        seq: readSeq(seq),
        comparison,
        ...(since !== undefined && { since }),
      };
      const pastEvent = await services.history.readPastEvent(stateQuery);
      return {
        seq: pastEvent.seq,
        at: pastEvent.at,
        is_latest: pastEvent.isLatest,
        fields: fieldsToJson(pastEvent.state.fields) as JsonOf<typeof EventFieldsSchema>,
        tags: pastEvent.tags.map((tag) => tagToJson(tag, eventId)),
        ...mediaJson(pastEvent.media, eventId),
        scene: sceneToJson(pastEvent.state.scene),
        compared_with: pastEvent.compared?.seq ?? null,
        difference: pastEvent.difference && differenceJson(pastEvent.difference),
      };
    },
  }),

  call({
    id: "getFormerVisit",
    method: "GET",
    path: "/v1/events/{uuid}/history/{seq}/as_visitor",
    tag: "history",
    summary: "Get an earlier state as visitors saw it, in the current space",
    who: "user",
    may: "Users who may edit the event.",
    query: z.object(comparisonQuery),
    response: SnapshotVisitSchema,
    handle: async ({ services, actor, params: { uuid: eventId, seq }, query }) => {
      const { compare: comparison = "now", since } = query;
      const stateQuery = {
        actor,
        eventId,
        seq: readSeq(seq),
        comparison,
        ...(since !== undefined && { since }),
      };
      const snapshot = await services.history.readEventSnapshot({ ...stateQuery, isMarked: false });
      return {
        seq: snapshot.seq,
        at: snapshot.at,
        time_zone: snapshot.timeZone,
        visit: visitJson(snapshot.event),
        lost: snapshot.missing.map(({ title, loss }) => ({ title, reason: loss })),
        difference: snapshot.difference && differenceJson(snapshot.difference),
      };
    },
  }),

  call({
    id: "restoreFormerState",
    method: "POST",
    path: "/v1/events/{uuid}/history/{seq}/restore",
    tag: "history",
    summary: "Restore tags, media and scene to their state after a change",
    description:
      "Makes ordinary changes, which can be undone by restoring `from`. The event's own fields stay unchanged. `refused` lists records that cannot be restored.",
    who: "user",
    may: "Users who may edit the event.",
    response: RestoredSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params: { uuid: eventId, seq } }) => {
      const restored = await services.history.restoreState({ actor, eventId, seq: readSeq(seq) });
      return {
        from: restored.from,
        seq: restored.seq,
        changed: restored.changed,
        refused: restored.notRestored.map(notRestoredJson),
      };
    },
  }),

  call({
    id: "readAsVisitor",
    method: "GET",
    path: "/v1/events/{uuid}/as_visitor",
    tag: "visitors",
    summary: "Preview the current content as visitors see it at a given time",
    who: "user",
    may: "Users who may edit the event. No token of a link is needed.",
    query: z.object({
      mode: choice(MODES, "Kind of the link."),
      at: instantText("Default: now."),
    }),
    response: VisitorPreviewSchema,
    handle: async ({ c, services, actor, user, params: { uuid: eventId }, query }) => {
      const { mode = "published", at: requestedTime } = query;
      const previewInstant = requestedTime === undefined ? null : readInstant(requestedTime, user.timeZone);
      const time = previewInstant === null ? c.env.now : Date.parse(previewInstant);
      const page = await services.visitors.readVisitorPreview({ actor, eventId, mode, at: time });
      return {
        at: new Date(time).toISOString(),
        time_zone: page.timeZone,
        ...namesJson(page.eventName),
        status_id: page.statusId,
        asks_password: page.requiresPassword,
        visit: page.event && visitJson(page.event),
        opens_at: page.opensAt,
        starts_at: page.startsAt,
      };
    },
  }),
];
