import type { CommandRefusal, ContentCommand } from "~/domain/content";
import {
  differenceOf,
  type EventState,
  type HistoryMedium,
  mediaOf,
  type StateDifference,
  tagsOf,
  undoChanges,
} from "~/domain/history";
import type { Actor, EventTag, Instant, MediaKind, Uuid } from "~/domain/model";
import {
  type FieldsSince,
  type Moment,
  momentsOf,
  type PublishedTime,
  publishedTimes,
} from "~/domain/moments";
import { can } from "~/domain/permissions";
import { formatName } from "~/domain/person-name";
import { isEqual } from "~/domain/same";
import { applyCommands, type ContentDeps } from "./content";
import { mediaValues, tagValues } from "./content-commands";
import { NotFoundError } from "./errors";
import type { HistoryRepository, StateNow } from "./history-ports";

/** What the use cases of an event's history need. */
export interface HistoryDeps extends ContentDeps {
  readonly history: HistoryRepository;
}

/** Changes that one page of the history is made of, at most. */
const MARKS_AT_ONCE = 1000;

/** A moment and who made it. */
export interface NamedMoment extends Moment {
  /** Empty for what the clock has done. */
  readonly actorName: string;
}

/** The moments of an event, newest first. */
export interface EventHistory {
  readonly eventName: string;
  readonly space: StateNow["space"];
  readonly moments: readonly NamedMoment[];
  /** The number before which earlier ones are read; null when there are none. */
  readonly earlier: number | null;
  /** The number of the latest change; 0 when nothing was ever changed. */
  readonly latest: number;
  readonly createdAt: Instant;
  /** Every time at which visitors could see it, oldest first. */
  readonly published: readonly PublishedTime[];
}

async function readVisible(deps: HistoryDeps, actor: Actor, eventId: Uuid, seqs: readonly number[]) {
  const found = await deps.history.read(eventId, seqs);
  const isVisible =
    found !== null &&
    can(actor, "read", { type: "event", ownerId: found.space.ownerId, groupId: found.space.groupId });
  if (!isVisible) throw new NotFoundError("event");
  return found;
}

/** When an event was Published, from how its own fields were and are. */
async function timesOf(deps: HistoryDeps, eventId: Uuid, now: StateNow): Promise<readonly PublishedTime[]> {
  const changes = await deps.history.fieldChanges(eventId);
  const timeline = changes.map(
    ({ before }, i): FieldsSince => ({ from: changes[i - 1]?.at ?? now.createdAt, fields: before }),
  );
  const latest = { from: changes.at(-1)?.at ?? now.createdAt, fields: now.state.fields };
  return publishedTimes([...timeline, latest], deps.clock.now());
}

/**
 * What was done to an event, newest first: what one person did in one go is one moment.
 * @throws NotFoundError when the event is not visible
 */
export async function listHistory(
  deps: HistoryDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly before?: number },
): Promise<EventHistory> {
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
  const moments = momentsOf([...rows].reverse(), published, later.at(-1)?.at ?? null);
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
    published,
  };
}

/** The number of the first change of the call that ended with a number. */
function firstSeq(rows: readonly { readonly seq: number; readonly act: Uuid }[], seq: number): number {
  const act = rows.find((row) => row.seq === seq)?.act;
  return Math.min(...rows.filter((row) => row.act === act).map((row) => row.seq));
}

/** What a former state is held against: what is saved now, what was last published, or what was there before the moment. */
export type Comparison = "now" | "published" | "before";

/** A medium of a former state with what its library item says today; null where that is gone for good. */
export type FormerMedium = HistoryMedium & {
  readonly kind: MediaKind | null;
  /** Whether its file can be shown. */
  readonly isShown: boolean;
};

/** An event as it was after a change. */
export interface FormerState {
  readonly seq: number;
  /** Whether nothing was changed since. */
  readonly isLatest: boolean;
  readonly state: EventState;
  readonly tags: readonly EventTag[];
  readonly media: readonly FormerMedium[];
  /** What it was held against. */
  readonly comparison: Comparison;
  /** From the earlier one of the two to the later one; null when there is nothing to hold it against: it never was published. */
  readonly difference: StateDifference | null;
  /** The last published state: its number and when it ceased to be; `to` is null while visitors see what is saved. */
  readonly published: { readonly seq: number; readonly to: Instant | null } | null;
}

/**
 * An event as it was after a change (0: as it was made), held against another of its states.
 * @throws NotFoundError when the event is not visible, or has no such change
 */
export async function lookAt(
  deps: HistoryDeps,
  input: {
    readonly actor: Actor;
    readonly eventId: Uuid;
    readonly seq: number;
    readonly comparison: Comparison;
    /** For "before": the number before which the moment began. */
    readonly since?: number;
  },
): Promise<FormerState> {
  const { actor, eventId, seq, comparison } = input;
  const now = await readVisible(deps, actor, eventId, []);
  if (seq > now.seq) throw new NotFoundError("change");
  const last = (await timesOf(deps, eventId, now)).at(-1);
  const published = last && {
    seq: last.to === null ? now.seq : await deps.history.lastBefore(eventId, last.to),
    to: last.to,
  };
  const other = { now: now.seq, published: published?.seq ?? null, before: input.since ?? 0 }[comparison];
  const found = await readVisible(deps, actor, eventId, other === null ? [seq] : [seq, other]);
  const [state = found.state, against] = found.undo.map((undo) => undoChanges(found.state, undo));
  const media = mediaOf(state);
  const facts = await deps.history.facts(media.map(({ libraryItemId }) => libraryItemId));
  return {
    seq,
    isLatest: seq === found.seq,
    state,
    tags: tagsOf(state),
    media: media.map((medium) => {
      const item = facts.get(medium.libraryItemId);
      return { ...medium, kind: item?.kind ?? null, isShown: Boolean(item?.isLive && item.hasStill) };
    }),
    comparison,
    difference:
      against === undefined || other === null
        ? null
        : other <= seq
          ? differenceOf(against, state)
          : differenceOf(state, against),
    published: published ?? null,
  };
}

/** What bringing back a former state came to. */
export interface RestoreResult {
  readonly seq: number;
  /** How many things were changed. */
  readonly changed: number;
  /** What could not be brought back, and why: its file is gone, or somebody changed it at this moment. */
  readonly refused: readonly { readonly title: EventTag["title"] | null; readonly reason: CommandRefusal }[];
}

/**
 * Brings tags, media and scene of an event back to what they were after a change, by ordinary changes, which can be undone like all
 * others. The event's own fields stay: its dates and status are its owner's, not its content's.
 * @throws NotFoundError when the event is not visible, or has no such change
 */
export async function restoreState(
  deps: HistoryDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly seq: number },
): Promise<RestoreResult> {
  const { actor, eventId, seq } = input;
  const now = await readVisible(deps, actor, eventId, [seq]);
  if (seq > now.seq) throw new NotFoundError("change");
  const former = undoChanges(now.state, now.undo[0] ?? []);
  const commands = commandsTo(now.state, former);
  if (commands.length === 0) return { seq: now.seq, changed: 0, refused: [] };
  const shown = new Set([...former.media.values()].map(({ libraryItemId }) => libraryItemId));
  const { results, seq: latest } = await applyCommands(
    deps,
    actor,
    eventId,
    commands.map((command) => ({ command })),
    { action: "event_content_restored", shown },
  );
  const titleOf = (id: Uuid) =>
    (former.tags.get(id) ?? former.media.get(id) ?? now.state.tags.get(id))?.title;
  return {
    seq: latest,
    changed: results.filter((result, i) => result.ok && commands[i]?.op !== "move_tags").length,
    refused: results.flatMap((result) =>
      result.ok ? [] : [{ title: titleOf(result.id) ?? null, reason: result.reason }],
    ),
  };
}

/** The commands that lead from one state to another: what goes first makes room, media come before the tags that show them. */
function commandsTo(now: EventState, former: EventState): readonly ContentCommand[] {
  const gone = <Item extends { readonly id: Uuid; readonly version: number }>(
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
  const isInOrder = isEqual(
    tagsOf(now).map(({ id }) => id),
    order,
  );
  return [
    ...gone("tag", now.tags, former.tags),
    ...gone("media", now.media, former.media),
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
export const historyServices = (deps: HistoryDeps) => ({
  listHistory: (input: Parameters<typeof listHistory>[1]) => listHistory(deps, input),
  lookAt: (input: Parameters<typeof lookAt>[1]) => lookAt(deps, input),
  restoreState: (input: Parameters<typeof restoreState>[1]) => restoreState(deps, input),
});
/** The use cases of an event's history, bound to their dependencies. */
export type HistoryServices = ReturnType<typeof historyServices>;
