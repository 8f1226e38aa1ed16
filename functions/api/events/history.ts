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
import type { StateDifference } from "~/domain/events/history";
import type { PublishedTime } from "~/domain/events/moments";
import { field, readInteger } from "~/domain/shared/fields.schema";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import {
  EventFieldsSchema,
  EventMediumSchema,
  SceneSchema,
  TagSchema,
  VisitorEventSchema,
} from "../content/content-schemas";
import { call, type JsonOf } from "../core/call";
import { fieldName } from "../core/field-name";
import { choice, instantText, optional, readInstant } from "../core/fields";
import { MAY } from "../core/may";
import { count, eventNameFields, id, instant, localized, vec3 } from "../core/schemas";
import { namesJson, visitorEventJson } from "../core/shapes";

const WRONG = { error: "shared-owners:errors.field.invalid" } as const;
const MAX = Number.MAX_SAFE_INTEGER;

const numberOf = (description: string) =>
  optional(
    field<number>((value) => {
      const number = readInteger(value, 0, MAX);
      return number === null ? WRONG : { value: number };
    }),
    { type: "integer", minimum: 0, description },
  );
const COMPARISONS = ["now", "published", "before"] as const satisfies readonly ComparedState[];
const compared = {
  compare: choice(
    COMPARISONS,
    "What it is held against: what is saved now, what was last published, or what was before.",
  ),
  since: numberOf("For `before`: the number of the state before the first change."),
};

const published = z.object({ from: instant, to: instant.nullable() });
const counts = z.object({ added: count, changed: count, removed: count });
const MomentSchema = z
  .object({
    seq: count.meta({ description: "The number of its last change: the state after it is read by it." }),
    from: instant,
    to: instant,
    actor_uuid: id.nullable().meta({ description: "Null for what the clock has done." }),
    actor_name: z.string(),
    steps: z.array(z.object({ seq: count, at: instant })),
    tags: counts,
    media: counts,
    changed: z.array(z.enum(["scene", "order", "event"])),
    published: published.nullable().meta({ description: "When visitors could see what it left." }),
  })
  .meta({ id: "Moment" });
const HistorySchema = z
  .object({
    ...eventNameFields,
    moments: z.array(MomentSchema),
    earlier: count.nullable().meta({ description: "`before` of the next part; null at the end." }),
    latest: count,
    created_at: instant,
    history_from: instant.nullable().meta({ description: "Nothing is kept of before; null: all is." }),
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
  .meta({ id: "Difference", description: "From the earlier one of two states to the later one." });
const LossSchema = z.object({
  title: localized,
  reason: z
    .enum(["not_found", "forbidden"])
    .meta({ description: "The file is gone, or not shared any more." }),
});
const StateSchema = z
  .object({
    seq: count,
    at: instant,
    is_latest: z.boolean(),
    fields: EventFieldsSchema,
    tags: z.array(TagSchema),
    media: z.array(EventMediumSchema),
    lost: z.array(LossSchema).meta({ description: "Media that cannot be shown any more." }),
    scene: SceneSchema,
    compared_with: count.nullable().meta({ description: "Null: there is no such state." }),
    difference: DifferenceSchema.nullable(),
  })
  .meta({ id: "FormerState" });
const RestoredSchema = z
  .object({
    from: count.meta({ description: "The state before: to restore that undoes it." }),
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
  .object({ event: VisitorEventSchema, tags: z.array(TagSchema), media: z.array(EventMediumSchema) })
  .meta({ id: "Visit" });
const FormerVisitSchema = z
  .object({
    seq: count,
    at: instant,
    time_zone: z.string(),
    visit: VisitSchema,
    lost: z.array(LossSchema),
    difference: DifferenceSchema.nullable(),
  })
  .meta({ id: "FormerVisit" });
const AsVisitorSchema = z
  .object({
    at: instant,
    time_zone: z.string(),
    ...eventNameFields,
    status_id: z.int().meta({ description: "The status that holds then." }),
    asks_password: z.boolean(),
    visit: VisitSchema.nullable().meta({ description: "Null when the link is closed." }),
    opens_at: instant.nullable().meta({ description: "When a closed link opens by itself." }),
    starts_at: instant.nullable().meta({ description: "The start of an event that is Published before it." }),
  })
  .meta({ id: "AsVisitor" });

const timeJson = ({ from, to }: PublishedTime) => ({ from, to });
const momentJson = (moment: NamedChangeGroup): JsonOf<typeof MomentSchema> => ({
  seq: moment.seq,
  from: moment.from,
  to: moment.to,
  actor_uuid: moment.actorId,
  actor_name: moment.actorName,
  steps: moment.steps.map(({ seq, at }) => ({ seq, at })),
  tags: moment.counts.tag,
  media: moment.counts.media,
  changed: moment.changed,
  published: moment.published && timeJson(moment.published),
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

/** Media of a state: those that can be shown, and those that cannot. */
function mediaJson(media: readonly SnapshotMedia[], eventId: Uuid) {
  const shown = media.flatMap(({ facts, loss, ...medium }) =>
    facts && loss === null ? [mediaToJson({ ...medium, ...facts }, eventId)] : [],
  );
  const lost = media.flatMap(({ title, loss, facts }) =>
    facts && loss === null ? [] : [{ title, reason: loss ?? ("not_found" as const) }],
  );
  return { media: shown as JsonOf<typeof EventMediumSchema>[], lost };
}

const visitJson = (event: VisitorEvent): JsonOf<typeof VisitSchema> => ({
  event: visitorEventJson(event),
  tags: event.tags.map((tag) => tagToJson(tag, event.id)),
  media: event.media.map((medium) => mediaToJson(medium, event.id)),
});

const refusedJson = ({ type, title, reason }: NotRestored) => ({
  type: type ?? ("order" as const),
  title,
  reason,
});

/** The number of a change in an address. @throws NotFoundError when it is none */
function seqOf(text: string): number {
  const seq = /^\d+$/.test(text) ? readInteger(text, 0, MAX) : null;
  if (seq === null) throw new NotFoundError("change");
  return seq;
}

const MODES = ["published", "preview"] as const satisfies readonly LinkMode[];

/** An event's history, its revisions, and its content as visitors see it at a given time: /v1/events/{uuid}/history, …/as_visitor. */
export const historyCalls = [
  call({
    id: "listHistory",
    method: "GET",
    path: "/v1/events/{uuid}/history",
    tag: "history",
    summary: "What was done to an event, newest first: what one person did in one go is one moment",
    who: "user",
    may: MAY.event,
    query: z.object({ before: numberOf("Those before this change: `earlier` of the part before.") }),
    answer: HistorySchema,
    handle: async ({ services, actor, params: { uuid: eventId }, query: { before } }) => {
      const found = await services.history.listHistory({
        actor,
        eventId,
        ...(before !== undefined && { before }),
      });
      return {
        ...namesJson(found.eventName),
        moments: found.moments.map(momentJson),
        earlier: found.earlier,
        latest: found.latest,
        created_at: found.createdAt,
        history_from: found.historyFrom,
        published: found.published.map(timeJson),
      };
    },
  }),

  call({
    id: "getFormerState",
    method: "GET",
    path: "/v1/events/{uuid}/history/{seq}",
    tag: "history",
    summary: "An event as it was after a change, and how that differs from another of its states",
    who: "user",
    may: MAY.event,
    query: z.object(compared),
    answer: StateSchema,
    handle: async ({ services, actor, params: { uuid: eventId, seq }, query }) => {
      const { compare: comparison = "now", since } = query;
      const look = { actor, eventId, seq: seqOf(seq), comparison, ...(since !== undefined && { since }) };
      const found = await services.history.readRevision(look);
      return {
        seq: found.seq,
        at: found.at,
        is_latest: found.isLatest,
        fields: fieldsToJson(found.state.fields) as JsonOf<typeof EventFieldsSchema>,
        tags: found.tags.map((tag) => tagToJson(tag, eventId)),
        ...mediaJson(found.media, eventId),
        scene: sceneToJson(found.state.scene),
        compared_with: found.other?.seq ?? null,
        difference: found.difference && differenceJson(found.difference),
      };
    },
  }),

  call({
    id: "getFormerVisit",
    method: "GET",
    path: "/v1/events/{uuid}/history/{seq}/as_visitor",
    tag: "history",
    summary: "A former state as visitors saw it, in the space as it is now",
    who: "user",
    may: "Whoever may edit the event.",
    query: z.object(compared),
    answer: FormerVisitSchema,
    handle: async ({ services, actor, params: { uuid: eventId, seq }, query }) => {
      const { compare: comparison = "now", since } = query;
      const look = { actor, eventId, seq: seqOf(seq), comparison, ...(since !== undefined && { since }) };
      const found = await services.history.readEventSnapshot({ ...look, marked: false });
      return {
        seq: found.seq,
        at: found.at,
        time_zone: found.timeZone,
        visit: visitJson(found.event),
        lost: found.missing.map(({ title, loss }) => ({ title, reason: loss })),
        difference: found.difference && differenceJson(found.difference),
      };
    },
  }),

  call({
    id: "restoreFormerState",
    method: "POST",
    path: "/v1/events/{uuid}/history/{seq}/restore",
    tag: "history",
    summary: "Bring tags, media and scene back to what they were after a change",
    description:
      "By ordinary changes, which are undone like all others: restore `from`. The event's own fields stay. What cannot come back is said under `refused`.",
    who: "user",
    may: "Whoever may edit the event.",
    answer: RestoredSchema,
    problems: ["forbidden"],
    handle: async ({ services, actor, params: { uuid: eventId, seq } }) => {
      const restored = await services.history.restoreState({ actor, eventId, seq: seqOf(seq) });
      return {
        from: restored.from,
        seq: restored.seq,
        changed: restored.changed,
        refused: restored.refused.map(refusedJson),
      };
    },
  }),

  call({
    id: "readAsVisitor",
    method: "GET",
    path: "/v1/events/{uuid}/as_visitor",
    tag: "visitors",
    summary: "What visitors see at a moment, of the content as it is now",
    who: "user",
    may: "Whoever may edit the event. It has no token.",
    query: z.object({
      mode: choice(MODES, "By which link."),
      at: instantText("Now without it."),
    }),
    answer: AsVisitorSchema,
    handle: async ({ c, services, actor, user, params: { uuid: eventId }, query }) => {
      const { mode = "published", at: named } = query;
      const moment = named === undefined ? null : readInstant(named, user.timeZone);
      const at = moment === null ? c.env.now : Date.parse(moment);
      const found = await services.visitors.readAsVisitor({ actor, eventId, mode, at });
      return {
        at: new Date(at).toISOString(),
        time_zone: found.timeZone,
        ...namesJson(found.eventName),
        status_id: found.statusId,
        asks_password: found.asksPassword,
        visit: found.event && visitJson(found.event),
        opens_at: found.opensAt,
        starts_at: found.startsAt,
      };
    },
  }),
];
