import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { CommandRefusal, ContentCommand, MediumFacts, MediumUse } from "~/domain/content/content";
import {
  differenceOf,
  type EventState,
  mediaOf,
  type StateDifference,
  tagsOf,
  undoChanges,
} from "~/domain/events/history";
import {
  type FieldsSince,
  groupChanges,
  type Moment,
  type PublishedTime,
  publishedTimes,
} from "~/domain/events/moments";
import type { EventTag, Instant, Localized, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { isEqual } from "~/domain/shared/same";
import { formatName } from "~/domain/users/person-name";
import { applyCommands, type ContentDeps } from "../content/content";
import { mediaValues, tagValues } from "../content/content-commands";
import { bindUseCases } from "../shared/bind";
import { ConflictError, NotFoundError } from "../shared/errors";
import type { StateNow } from "./history-ports";

/** Dependencies of the use cases of an event's history. */
export interface HistoryDeps extends ContentDeps, Pick<Repositories, "history"> {}

/** Changes that one page of the history is made of, at most. */
const MARKS_AT_ONCE = 1000;

/** A moment and who made it. */
export interface NamedChangeGroup extends Moment {
  /** Empty for what the clock has done. */
  readonly actorName: string;
}

/** The moments of an event, newest first. */
export interface ChangeHistory {
  readonly eventName: Localized;
  readonly space: StateNow["space"];
  readonly moments: readonly NamedChangeGroup[];
  /** The number before which earlier ones are read; null when there are none. */
  readonly earlier: number | null;
  /** The number of the latest change; 0 when nothing was ever changed. */
  readonly latest: number;
  readonly createdAt: Instant;
  /** Before it nothing was kept of what was done; null: everything since it was made is. */
  readonly historyFrom: Instant | null;
  /** Every time at which visitors could see it, oldest first. */
  readonly published: readonly PublishedTime[];
}

async function readVisible(deps: HistoryDeps, actor: Actor, eventId: Uuid, seqs: readonly number[]) {
  const changes = await deps.history.read(eventId, seqs);
  const isVisible =
    changes !== null &&
    can(actor, "read", { type: "event", ownerId: changes.space.ownerId, groupId: changes.space.groupId });
  if (!isVisible) throw new NotFoundError("event");
  return changes;
}

/** When an event was Published, from how its own fields were and are. */
async function timesOf(deps: HistoryDeps, eventId: Uuid, now: StateNow): Promise<readonly PublishedTime[]> {
  const changes = await deps.history.fieldChanges(eventId);
  // There are no records of the time before.
  const begin = now.historyFrom ?? now.createdAt;
  const timeline = changes.map(
    ({ before }, i): FieldsSince => ({ from: changes[i - 1]?.at ?? begin, fields: before }),
  );
  const latest = { from: changes.at(-1)?.at ?? begin, fields: now.state.fields };
  return publishedTimes([...timeline, latest], deps.clock.now());
}

/**
 * Changes of an event, newest first. Consecutive changes of one person form one group.
 * @throws NotFoundError when the event is not visible
 */
export async function listHistory(
  deps: HistoryDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly before?: number },
): Promise<ChangeHistory> {
  const { actor, eventId, before } = input;
  // On a page of earlier ones the first change of the next page is read too: until then the last state of this one lasted.
  const [now, read] = await Promise.all([
    readVisible(deps, actor, eventId, []),
    deps.history.marks(eventId, before === undefined ? null : before + 1, MARKS_AT_ONCE + 1),
  ]);
  const published = await timesOf(deps, eventId, now);
  const later = read.filter(({ seq }) => before !== undefined && seq >= before);
  const rows = read.slice(later.length, later.length + MARKS_AT_ONCE);
  const names = new Map(
    rows.map(({ actorId, actor: person }) => [actorId, person ? formatName(person) : ""]),
  );
  const moments = groupChanges([...rows].reverse(), published, later.at(-1)?.at ?? null);
  // The earliest of a full page may be cut in two: it is whole on the next one, unless it is all there is.
  const isCut = rows.length === MARKS_AT_ONCE;
  const shown = isCut && moments.length > 1 ? moments.slice(0, -1) : moments;
  const first = shown.at(-1)?.steps[0]?.seq ?? 0;
  return {
    eventName: now.state.fields.eventName,
    space: now.space,
    moments: shown.map((moment) => ({ ...moment, actorName: names.get(moment.actorId) ?? "" })),
    earlier: isCut ? firstSeq(rows, first) : null,
    latest: now.seq,
    createdAt: now.createdAt,
    historyFrom: now.historyFrom,
    published,
  };
}

/** The number of the first change of the call that ended with a number. */
function firstSeq(rows: readonly { readonly seq: number; readonly act: Uuid }[], seq: number): number {
  const act = rows.find((row) => row.seq === seq)?.act;
  return Math.min(...rows.filter((row) => row.act === act).map((row) => row.seq));
}

/** The state to compare with: the current one, the last published one, or the one before the changes. */
export type ComparedState = "now" | "published" | "before";

/** A medium of a former state with what its library item says today. */
export type SnapshotMedia = MediumUse & {
  /** Null if the item was deleted permanently. */
  readonly facts: MediumFacts | null;
  /** Why it cannot be shown: its file is gone or in the trash, or not shared with the actor any more. Null: it can. */
  readonly loss: "not_found" | "forbidden" | null;
};

/** An event as it was after a change. */
export interface PastEvent {
  readonly seq: number;
  /** When it became so. */
  readonly at: Instant;
  /** Whether nothing was changed since. */
  readonly isLatest: boolean;
  readonly state: EventState;
  readonly tags: readonly EventTag[];
  readonly media: readonly SnapshotMedia[];
  /** Library items that the event shows now. */
  readonly shownNow: ReadonlySet<Uuid>;
  /** The state that it was compared with. */
  readonly comparison: ComparedState;
  /** The state for the comparison; null if there is none, because the event was never published. */
  readonly other: { readonly seq: number; readonly state: EventState } | null;
  /** From the earlier one of the two to the later one. */
  readonly difference: StateDifference | null;
  /** The last published state: its number and when it was replaced; `to` is null while visitors see the saved state. */
  readonly published: { readonly seq: number; readonly to: Instant | null } | null;
}

/** The requested state of an event, and the state for comparison. */
export interface RevisionInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  readonly seq: number;
  readonly comparison: ComparedState;
  /** For "before": the number before which the moment began. */
  readonly since?: number;
}

/** Library items that an event shows. */
const itemsOf = ({ media }: EventState): ReadonlySet<Uuid> =>
  new Set([...media.values()].map(({ libraryItemId }) => libraryItemId));

/**
 * Media of a state with their current metadata.
 * @param shown library items that the event shows now; of other items the actor sees those that are shared with the actor
 */
export async function mediaThen(
  deps: Pick<HistoryDeps, "history">,
  actor: Actor,
  state: EventState,
  shown: ReadonlySet<Uuid>,
): Promise<readonly SnapshotMedia[]> {
  const media = mediaOf(state);
  const items = await deps.history.facts(media.map(({ libraryItemId }) => libraryItemId));
  return media.map((medium) => {
    const item = items.get(medium.libraryItemId);
    if (!item) return { ...medium, facts: null, loss: "not_found" };
    const { facts, isLive, ownerId, groupId } = item;
    const isAllowed =
      shown.has(medium.libraryItemId) || can(actor, "read", { type: "media", ownerId, groupId });
    return { ...medium, facts, loss: isLive ? (isAllowed ? null : "forbidden") : "not_found" };
  });
}

/**
 * An event as it was after a change (0: as it was made), held against another of its states.
 * @throws NotFoundError when the event is not visible, or has no such change
 */
export async function readRevision(deps: HistoryDeps, input: RevisionInput): Promise<PastEvent> {
  const { actor, eventId, seq, comparison } = input;
  const now = await readVisible(deps, actor, eventId, []);
  if (seq > now.seq) throw new NotFoundError("change");
  const last = (await timesOf(deps, eventId, now)).at(-1);
  const published = last && {
    seq: last.to === null ? now.seq : await deps.history.lastBefore(eventId, last.to),
    to: last.to,
  };
  const other = { now: now.seq, published: published?.seq ?? null, before: input.since ?? 0 }[comparison];
  const [content, [mark]] = await Promise.all([
    readVisible(deps, actor, eventId, other === null ? [seq] : [seq, other]),
    deps.history.marks(eventId, seq + 1, 1),
  ]);
  const [state = content.state, against] = content.undo.map((undo) => undoChanges(content.state, undo));
  const shownNow = itemsOf(content.state);
  const [earlier, later] = other !== null && other <= seq ? [against, state] : [state, against];
  return {
    seq,
    at: mark?.at ?? now.historyFrom ?? now.createdAt,
    isLatest: seq === content.seq,
    state,
    tags: tagsOf(state),
    media: await mediaThen(deps, actor, state, shownNow),
    shownNow,
    comparison,
    other: against === undefined || other === null ? null : { seq: other, state: against },
    difference: earlier && later ? differenceOf(earlier, later) : null,
    published: published ?? null,
  };
}

/**
 * An item that was not restored, with the reason. Media: not_found when the file was deleted, forbidden when it is no longer shared with the actor.
 */
export interface NotRestored {
  /** Null for the order of the tags. */
  readonly type: "tag" | "media" | "scene" | null;
  readonly title: EventTag["title"] | null;
  readonly reason: CommandRefusal;
}

/** Result of restoring a revision. */
export interface RestoreResult {
  /** The state before: bringing that back undoes it. */
  readonly from: number;
  readonly seq: number;
  /** The number of changed items. */
  readonly changed: number;
  readonly refused: readonly NotRestored[];
}

/**
 * Brings tags, media and scene of an event back to what they were after a change, by ordinary changes, which can be undone like all
 * others. The event's own fields stay: its dates and status are its owner's, not its content's. Media that cannot come back are left
 * out of the tags and of the scene that showed them.
 * @param input.expected the latest change that the actor knows: with it nothing that was done since is taken back
 * @throws NotFoundError when the event is not visible, or has no such change
 * @throws ConflictError when something else was changed after `expected`
 */
export async function restoreState(
  deps: HistoryDeps,
  input: {
    readonly actor: Actor;
    readonly eventId: Uuid;
    readonly seq: number;
    readonly expected?: number;
  },
): Promise<RestoreResult> {
  const { actor, eventId, seq, expected = null } = input;
  const now = await readVisible(deps, actor, eventId, [seq]);
  if (seq > now.seq) throw new NotFoundError("change");
  const whole = undoChanges(now.state, now.undo[0] ?? []);
  const { former, lost, shown } = await possible(deps, actor, eventId, now.state, whole);
  const refused = lost.map(
    ({ medium, reason }): NotRestored => ({ type: "media", title: medium.title, reason }),
  );
  const commands = commandsTo(now.state, former);
  if (commands.length === 0) return { from: now.seq, seq: now.seq, changed: 0, refused };
  // Concurrent changes from here on are safe: each command has the version of its item.
  if (expected !== null && expected !== now.seq) throw new ConflictError(now.seq, expected);
  const { results, seq: latest } = await applyCommands(
    deps,
    actor,
    eventId,
    commands.map((command) => ({ command })),
    { action: "event_content_restored", shown, lacks: true },
  );
  return {
    from: now.seq,
    seq: latest,
    changed: results.filter((result, i) => result.ok && commands[i]?.op !== "move_tags").length,
    refused: [
      ...refused,
      ...results.flatMap((result, i): NotRestored[] => {
        if (result.ok) return [];
        const { id, reason } = result;
        const op = commands[i]?.op;
        if (op === "move_tags" || op === "update_scene")
          return [{ type: op === "move_tags" ? null : "scene", title: null, reason }];
        const tag = former.tags.get(id) ?? now.state.tags.get(id);
        const medium = former.media.get(id) ?? now.state.media.get(id);
        return [{ type: tag ? "tag" : "media", title: (tag ?? medium)?.title ?? null, reason }];
      }),
    ],
  };
}

interface Lost {
  readonly medium: MediumUse;
  readonly reason: "not_found" | "forbidden";
}

/** The restorable part of a revision: without media whose file was deleted or is no longer shared with the actor. */
async function possible(
  deps: HistoryDeps,
  actor: Actor,
  eventId: Uuid,
  now: EventState,
  former: EventState,
): Promise<{
  readonly former: EventState;
  readonly lost: readonly Lost[];
  /** Library items that may be shown. */
  readonly shown: ReadonlySet<Uuid>;
}> {
  const away = mediaOf(former).filter(({ id }) => !now.media.has(id));
  const { tour, plan } = former.scene;
  const existing = await deps.content.find(eventId, {
    tags: tour.flatMap(({ tagId }) => tagId ?? []),
    media: [...away.map(({ id }) => id), ...(plan ? [plan.mediaId] : [])],
    items: away.map(({ libraryItemId }) => libraryItemId),
  });
  if (!existing) throw new NotFoundError("event");
  const shown = new Set(itemsOf(now));
  for (const { id, libraryItemId } of away)
    if (existing.media.get(id)?.isItemAsThen) shown.add(libraryItemId);
  const lost = away.flatMap((medium): Lost[] => {
    const item = existing.items.get(medium.libraryItemId);
    if (!item) return [{ medium, reason: "not_found" }];
    const { ownerId, groupId } = item;
    const isAllowed = shown.has(item.id) || can(actor, "read", { type: "media", ownerId, groupId });
    return isAllowed ? [] : [{ medium, reason: "forbidden" }];
  });
  const media = new Map(former.media);
  for (const { medium } of lost) media.delete(medium.id);
  const isThere = (tagId: Uuid) => former.tags.has(tagId) || existing.tags.has(tagId);
  const scene = {
    ...former.scene,
    // A stop whose tag was permanently deleted keeps its viewpoint, if it has one.
    tour: tour.flatMap((stop) => {
      if (stop.tagId === null || isThere(stop.tagId)) return [stop];
      return stop.viewpoint === null ? [] : [{ ...stop, tagId: null }];
    }),
    plan: plan && (media.has(plan.mediaId) || existing.media.has(plan.mediaId)) ? plan : null,
  };
  return { former: { ...former, media, scene }, lost, shown };
}

/** The commands that lead from one state to another: what goes first makes room, media come before the tags that show them. */
function commandsTo(now: EventState, former: EventState): readonly ContentCommand[] {
  const isDeletedHere = <Item extends { readonly id: Uuid; readonly version: number }>(
    type: "tag" | "media",
    is: ReadonlyMap<Uuid, Item>,
    was: ReadonlyMap<Uuid, Item>,
  ) =>
    [...is.values()]
      .filter(({ id }) => !was.has(id))
      .map(({ id, version }) => ({ op: "delete", type, id, version }) as const);
  const media = mediaOf(former).flatMap((medium): ContentCommand[] => {
    const { id } = medium;
    const is = now.media.get(id);
    const { libraryItemId, ...values } = mediaValues(medium);
    if (!is) return [{ op: "create_media", id, values: { libraryItemId, ...values } }];
    return isEqual(mediaValues(is), mediaValues(medium))
      ? []
      : [{ op: "update_media", id, version: is.version, values }];
  });
  const known = (tag: EventTag, { media: there }: EventState) => ({
    ...tagValues(tag),
    mediaIds: tag.mediaIds.filter((id) => there.has(id)),
  });
  const tags = tagsOf(former).flatMap((tag): ContentCommand[] => {
    const is = now.tags.get(tag.id);
    const values = known(tag, former);
    if (!is) return [{ op: "create_tag", id: tag.id, values }];
    return isEqual(known(is, now), values)
      ? []
      : [{ op: "update_tag", id: tag.id, version: is.version, values }];
  });
  const sceneValues = ({ startView, tour, plan, products }: EventState["scene"]) => ({
    startView,
    tour,
    plan,
    products,
  });
  const order = tagsOf(former).map(({ id }) => id);
  // Deleting tags keeps the order of the others.
  const staying = tagsOf(now).flatMap(({ id }) => (former.tags.has(id) ? [id] : []));
  const isInOrder = isEqual(staying, order);
  return [
    ...isDeletedHere("tag", now.tags, former.tags),
    ...isDeletedHere("media", now.media, former.media),
    ...media,
    ...tags,
    ...(isEqual(sceneValues(now.scene), sceneValues(former.scene))
      ? []
      : [
          {
            op: "update_scene",
            version: now.scene.version,
            values: sceneValues(former.scene),
          } as const,
        ]),
    ...(order.length === 0 || isInOrder ? [] : [{ op: "move_tags", ids: order, before: null } as const]),
  ];
}

/** `context.services.history`. */
export const historyServices = (deps: HistoryDeps) =>
  bindUseCases(deps, { listHistory, readRevision, restoreState });
