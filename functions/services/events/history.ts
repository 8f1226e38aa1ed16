import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type {
  CommandRejection,
  ContentCommand,
  MediaItemMetadata,
  MediaItemRecord,
} from "~/domain/content/content";
import {
  type ChangeGroup,
  type FieldsSince,
  groupChanges,
  type PublishedTime,
  publishedTimes,
} from "~/domain/events/change-groups";
import {
  compareStates,
  type EventState,
  listMedia,
  listTags,
  type StateDifference,
  undoChanges,
} from "~/domain/events/history";
import { isEqual } from "~/domain/shared/is-equal";
import type { EventTag, Instant, Localized, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { formatName } from "~/domain/users/format-name";
import { applyCommands, type ContentDeps } from "../content/content";
import { mediaValues, tagValues } from "../content/content-commands";
import { bindUseCases } from "../shared/bind";
import { ConflictError, NotFoundError } from "../shared/errors";
import type { StateNow } from "./event-ports";

/** Dependencies of the use cases of an event's history. */
export interface HistoryDeps extends ContentDeps, Pick<Repositories, "history"> {}

/** Maximum number of changes on one page of the history. */
const CHANGES_PER_PAGE = 1000;

/** A group of changes and the name of its author. */
export interface NamedChangeGroup extends ChangeGroup {
  /** Empty for automatic changes. */
  readonly actorName: string;
}

/** One page of an event's change groups, newest first. */
export interface ChangeHistory {
  readonly eventName: Localized;
  readonly space: StateNow["space"];
  readonly changeGroups: readonly NamedChangeGroup[];
  /** Sequence number before which the next page begins; null on the last page. */
  readonly earlier: number | null;
  /** Sequence number of the latest change; 0 if there are none. */
  readonly latest: number;
  readonly createdAt: Instant;
  /** Time at which recording began; null if everything since the event's creation is recorded. */
  readonly historyFrom: Instant | null;
  /** All periods in which the event was Published, oldest first. */
  readonly published: readonly PublishedTime[];
}

async function readVisible(deps: HistoryDeps, actor: Actor, eventId: Uuid, seqs: readonly number[]) {
  const current = await deps.history.read(eventId, seqs);
  const isVisible =
    current !== null &&
    can(actor, "read", { type: "event", ownerId: current.space.ownerId, groupId: current.space.groupId });
  if (!isVisible) throw new NotFoundError("event");
  return current;
}

/** Returns the periods in which an event was Published, derived from the changes of its own fields. */
async function readPublishedTimes(
  deps: HistoryDeps,
  eventId: Uuid,
  current: StateNow,
): Promise<readonly PublishedTime[]> {
  const changes = await deps.history.fieldChanges(eventId);
  // Earlier changes are not recorded.
  const start = current.historyFrom ?? current.createdAt;
  const timeline = changes.map(
    ({ before }, i): FieldsSince => ({ from: changes[i - 1]?.at ?? start, fields: before }),
  );
  const latest = { from: changes.at(-1)?.at ?? start, fields: current.state.fields };
  return publishedTimes([...timeline, latest], deps.clock.now());
}

/**
 * Lists the changes of an event in groups (groupChanges), newest first.
 * @throws NotFoundError when the event is not visible
 */
export async function listHistory(
  deps: HistoryDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly before?: number },
): Promise<ChangeHistory> {
  const { actor, eventId, before } = input;
  // On later pages the last change of the previous page is read too, because it ended the newest state of this page.
  const [current, newestRows] = await Promise.all([
    readVisible(deps, actor, eventId, []),
    deps.history.listMarks(eventId, before === undefined ? null : before + 1, CHANGES_PER_PAGE + 1),
  ]);
  const published = await readPublishedTimes(deps, eventId, current);
  const newerChanges = newestRows.filter(({ seq }) => before !== undefined && seq >= before);
  const rows = newestRows.slice(newerChanges.length, newerChanges.length + CHANGES_PER_PAGE);
  const names = new Map(
    rows.map(({ actorId, actor: person }) => [actorId, person ? formatName(person) : ""]),
  );
  const groups = groupChanges([...rows].reverse(), published, newerChanges.at(-1)?.at ?? null);
  // The oldest group of a full page may continue on the next page and is then shown there, unless it is the only group.
  const hasMore = rows.length === CHANGES_PER_PAGE;
  const visibleGroups = hasMore && groups.length > 1 ? groups.slice(0, -1) : groups;
  const oldestSeq = visibleGroups.at(-1)?.steps[0]?.seq ?? 0;
  return {
    eventName: current.state.fields.eventName,
    space: current.space,
    changeGroups: visibleGroups.map((group) => ({ ...group, actorName: names.get(group.actorId) ?? "" })),
    earlier: hasMore ? firstSeqOfCall(rows, oldestSeq) : null,
    latest: current.seq,
    createdAt: current.createdAt,
    historyFrom: current.historyFrom,
    published,
  };
}

/** Returns the first sequence number of the call that made a change. */
function firstSeqOfCall(
  rows: readonly { readonly seq: number; readonly callId: Uuid }[],
  seq: number,
): number {
  const callId = rows.find((row) => row.seq === seq)?.callId;
  return Math.min(...rows.filter((row) => row.callId === callId).map((row) => row.seq));
}

/** The state to compare with: the current one, the last published one, or the one before a group of changes. */
export type ComparedState = "now" | "published" | "before";

/** A media item of an earlier state with its current metadata. */
export type SnapshotMedia = MediaItemRecord & {
  /** Null if the item was deleted permanently. */
  readonly metadata: MediaItemMetadata | null;
  /** Reason why it cannot be shown: its file was deleted or is in the trash, or is no longer shared with the actor. Null if it can be shown. */
  readonly loss: "not_found" | "forbidden" | null;
};

/** An event after an earlier change. */
export interface PastEvent {
  readonly seq: number;
  /** Time of the change. */
  readonly at: Instant;
  /** Whether `seq` is the event's latest change. */
  readonly isLatest: boolean;
  readonly state: EventState;
  readonly tags: readonly EventTag[];
  readonly media: readonly SnapshotMedia[];
  /** Library items that the event shows now. */
  readonly shownNow: ReadonlySet<Uuid>;
  /** The requested kind of comparison. */
  readonly comparison: ComparedState;
  /** The state for the comparison; null if there is none, because the event was never published. */
  readonly compared: { readonly seq: number; readonly state: EventState } | null;
  /** Difference from the earlier of the two states to the later one; null if there is no state for the comparison. */
  readonly difference: StateDifference | null;
  /** The last published state: its sequence number and when it ended; `to` is null while the event is Published. */
  readonly published: { readonly seq: number; readonly to: Instant | null } | null;
}

/** The requested state of an event, and the state for comparison. */
export interface PastEventInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  readonly seq: number;
  readonly comparison: ComparedState;
  /** For "before": sequence number before the first change of the group; default 0, the state before all recorded changes. */
  readonly since?: number;
}

/** Library items that an event shows. */
const shownItemIds = ({ media }: EventState): ReadonlySet<Uuid> =>
  new Set([...media.values()].map(({ libraryItemId }) => libraryItemId));

/**
 * Returns the media of a state with their current metadata.
 * @param visibleIds library items that the event shows now, which need no permission; other items must be shared with the actor
 */
export async function mediaOfState(
  deps: Pick<HistoryDeps, "history">,
  actor: Actor,
  state: EventState,
  visibleIds: ReadonlySet<Uuid>,
): Promise<readonly SnapshotMedia[]> {
  const media = listMedia(state);
  const items = await deps.history.readMediaMetadata(media.map(({ libraryItemId }) => libraryItemId));
  return media.map((mediaItem) => {
    const item = items.get(mediaItem.libraryItemId);
    if (!item) return { ...mediaItem, metadata: null, loss: "not_found" };
    const { metadata, isLive, ownerId, groupId } = item;
    const isAllowed =
      visibleIds.has(mediaItem.libraryItemId) || can(actor, "read", { type: "media", ownerId, groupId });
    return { ...mediaItem, metadata, loss: isLive ? (isAllowed ? null : "forbidden") : "not_found" };
  });
}

/**
 * Reads an event as it was after a change (0: before the first recorded change), compared with another of its states.
 * @throws NotFoundError when the event is not visible, or has no such change
 */
export async function readPastEvent(deps: HistoryDeps, input: PastEventInput): Promise<PastEvent> {
  const { actor, eventId, seq, comparison } = input;
  const current = await readVisible(deps, actor, eventId, []);
  if (seq > current.seq) throw new NotFoundError("change");
  const lastPublished = (await readPublishedTimes(deps, eventId, current)).at(-1);
  const published = lastPublished && {
    seq: lastPublished.to === null ? current.seq : await deps.history.lastBefore(eventId, lastPublished.to),
    to: lastPublished.to,
  };
  const comparedSeq = { now: current.seq, published: published?.seq ?? null, before: input.since ?? 0 }[
    comparison
  ];
  const [recorded, [change]] = await Promise.all([
    readVisible(deps, actor, eventId, comparedSeq === null ? [seq] : [seq, comparedSeq]),
    deps.history.listMarks(eventId, seq + 1, 1),
  ]);
  const [state = recorded.state, comparedState] = recorded.undo.map((changes) =>
    undoChanges(recorded.state, changes),
  );
  const shownNow = shownItemIds(recorded.state);
  const [earlier, later] =
    comparedSeq !== null && comparedSeq <= seq ? [comparedState, state] : [state, comparedState];
  return {
    seq,
    at: change?.at ?? current.historyFrom ?? current.createdAt,
    isLatest: seq === recorded.seq,
    state,
    tags: listTags(state),
    media: await mediaOfState(deps, actor, state, shownNow),
    shownNow,
    comparison,
    compared:
      comparedState === undefined || comparedSeq === null ? null : { seq: comparedSeq, state: comparedState },
    difference: earlier && later ? compareStates(earlier, later) : null,
    published: published ?? null,
  };
}

/**
 * An item that was not restored, and the reason. For media, not_found means a deleted file and forbidden a file that is no longer shared with the
 * actor.
 */
export interface NotRestored {
  /** Null for the order of the tags. */
  readonly type: "tag" | "media" | "scene" | null;
  readonly title: EventTag["title"] | null;
  readonly reason: CommandRejection;
}

/** Result of restoring an earlier state. */
export interface RestoreResult {
  /** Sequence number before the restoration. Restoring that state undoes it. */
  readonly from: number;
  /** Sequence number of the event's latest change after the restoration. */
  readonly seq: number;
  /** Number of changed tags and media, plus one for the scene if it was changed. */
  readonly changed: number;
  readonly notRestored: readonly NotRestored[];
}

/**
 * Restores the tags, media and scene of an event to their state after a change. This makes ordinary changes, which can be undone. The event's own
 * fields, such as its dates and status, are not restored. Media that cannot be restored are removed from the restored tags and scene.
 * @param input.expected latest change that the actor knows; if given, nothing newer is overwritten
 * @throws NotFoundError when the event is not visible, or has no such change
 * @throws ConflictError when something was changed after `expected`
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
  const current = await readVisible(deps, actor, eventId, [seq]);
  if (seq > current.seq) throw new NotFoundError("change");
  const requestedState = undoChanges(current.state, current.undo[0] ?? []);
  const { restorable, unrestorableMedia, visibleIds } = await restorableState(
    deps,
    actor,
    eventId,
    current.state,
    requestedState,
  );
  const notRestored = unrestorableMedia.map(
    ({ mediaItem, reason }): NotRestored => ({ type: "media", title: mediaItem.title, reason }),
  );
  const commands = commandsBetween(current.state, restorable);
  if (commands.length === 0) return { from: current.seq, seq: current.seq, changed: 0, notRestored };
  // Later concurrent changes are not overwritten, because updates and deletions contain the version of their item.
  if (expected !== null && expected !== current.seq) throw new ConflictError(current.seq, expected);
  const { results, seq: latest } = await applyCommands(
    deps,
    actor,
    eventId,
    commands.map((command) => ({ command })),
    { action: "event_content_restored", shownItems: visibleIds, skipsMissingMedia: true },
  );
  return {
    from: current.seq,
    seq: latest,
    changed: results.filter((result, i) => result.ok && commands[i]?.op !== "move_tags").length,
    notRestored: [
      ...notRestored,
      ...results.flatMap((result, i): NotRestored[] => {
        if (result.ok) return [];
        const { id, reason } = result;
        const op = commands[i]?.op;
        if (op === "move_tags" || op === "update_scene")
          return [{ type: op === "move_tags" ? null : "scene", title: null, reason }];
        const tag = restorable.tags.get(id) ?? current.state.tags.get(id);
        const mediaItem = restorable.media.get(id) ?? current.state.media.get(id);
        return [{ type: tag ? "tag" : "media", title: (tag ?? mediaItem)?.title ?? null, reason }];
      }),
    ],
  };
}

interface UnrestorableMediaItem {
  readonly mediaItem: MediaItemRecord;
  readonly reason: "not_found" | "forbidden";
}

/** Returns the restorable part of a state: without media whose file was deleted or is no longer shared with the actor. */
async function restorableState(
  deps: HistoryDeps,
  actor: Actor,
  eventId: Uuid,
  currentState: EventState,
  requestedState: EventState,
): Promise<{
  readonly restorable: EventState;
  readonly unrestorableMedia: readonly UnrestorableMediaItem[];
  /** Library items that the restored media may show without the actor's access to them in the library. */
  readonly visibleIds: ReadonlySet<Uuid>;
}> {
  const removedMedia = listMedia(requestedState).filter(({ id }) => !currentState.media.has(id));
  const { tour, plan } = requestedState.scene;
  const existing = await deps.content.find(eventId, {
    tags: tour.flatMap(({ tagId }) => tagId ?? []),
    media: [...removedMedia.map(({ id }) => id), ...(plan ? [plan.mediaId] : [])],
    items: removedMedia.map(({ libraryItemId }) => libraryItemId),
  });
  if (!existing) throw new NotFoundError("event");
  const visibleIds = new Set(shownItemIds(currentState));
  for (const { id, libraryItemId } of removedMedia)
    if (existing.media.get(id)?.isItemUnchanged) visibleIds.add(libraryItemId);
  const unrestorableMedia = removedMedia.flatMap((mediaItem): UnrestorableMediaItem[] => {
    const item = existing.items.get(mediaItem.libraryItemId);
    if (!item) return [{ mediaItem, reason: "not_found" }];
    const { ownerId, groupId } = item;
    const isAllowed = visibleIds.has(item.id) || can(actor, "read", { type: "media", ownerId, groupId });
    return isAllowed ? [] : [{ mediaItem, reason: "forbidden" }];
  });
  const media = new Map(requestedState.media);
  for (const { mediaItem } of unrestorableMedia) media.delete(mediaItem.id);
  const hasTag = (tagId: Uuid) => requestedState.tags.has(tagId) || existing.tags.has(tagId);
  const scene = {
    ...requestedState.scene,
    // A stop whose tag was permanently deleted keeps its viewpoint, if it has one.
    tour: tour.flatMap((stop) => {
      if (stop.tagId === null || hasTag(stop.tagId)) return [stop];
      return stop.viewpoint === null ? [] : [{ ...stop, tagId: null }];
    }),
    plan: plan && (media.has(plan.mediaId) || existing.media.has(plan.mediaId)) ? plan : null,
  };
  return { restorable: { ...requestedState, media, scene }, unrestorableMedia, visibleIds };
}

/**
 * Returns the commands that change one state into another. Deletions come first, because they free room; media come before the tags that refer to
 * them.
 */
function commandsBetween(currentState: EventState, target: EventState): readonly ContentCommand[] {
  const deletions = <Item extends { readonly id: Uuid; readonly version: number }>(
    type: "tag" | "media",
    currentById: ReadonlyMap<Uuid, Item>,
    targetById: ReadonlyMap<Uuid, Item>,
  ) =>
    [...currentById.values()]
      .filter(({ id }) => !targetById.has(id))
      .map(({ id, version }) => ({ op: "delete", type, id, version }) as const);
  const media = listMedia(target).flatMap((mediaItem): ContentCommand[] => {
    const { id } = mediaItem;
    const currentMediaItem = currentState.media.get(id);
    const { libraryItemId, ...values } = mediaValues(mediaItem);
    if (!currentMediaItem) return [{ op: "create_media", id, values: { libraryItemId, ...values } }];
    return isEqual(mediaValues(currentMediaItem), mediaValues(mediaItem))
      ? []
      : [{ op: "update_media", id, version: currentMediaItem.version, values }];
  });
  const withKnownMedia = (tag: EventTag, { media: knownMedia }: EventState) => ({
    ...tagValues(tag),
    mediaIds: tag.mediaIds.filter((id) => knownMedia.has(id)),
  });
  const tags = listTags(target).flatMap((tag): ContentCommand[] => {
    const currentTag = currentState.tags.get(tag.id);
    const values = withKnownMedia(tag, target);
    if (!currentTag) return [{ op: "create_tag", id: tag.id, values }];
    return isEqual(withKnownMedia(currentTag, currentState), values)
      ? []
      : [{ op: "update_tag", id: tag.id, version: currentTag.version, values }];
  });
  const sceneValues = ({ startView, tour, plan, products }: EventState["scene"]) => ({
    startView,
    tour,
    plan,
    products,
  });
  const order = listTags(target).map(({ id }) => id);
  // Deleting tags keeps the order of the others.
  const remainingIds = listTags(currentState).flatMap(({ id }) => (target.tags.has(id) ? [id] : []));
  const isInOrder = isEqual(remainingIds, order);
  return [
    ...deletions("tag", currentState.tags, target.tags),
    ...deletions("media", currentState.media, target.media),
    ...media,
    ...tags,
    ...(isEqual(sceneValues(currentState.scene), sceneValues(target.scene))
      ? []
      : [
          {
            op: "update_scene",
            version: currentState.scene.version,
            values: sceneValues(target.scene),
          } as const,
        ]),
    ...(order.length === 0 || isInOrder ? [] : [{ op: "move_tags", ids: order, before: null } as const]),
  ];
}

/** `context.services.history`. */
export const historyServices = (deps: HistoryDeps) =>
  bindUseCases(deps, { listHistory, readPastEvent, restoreState });
