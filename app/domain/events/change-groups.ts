/** Groups of one person's consecutive changes in an event's history, and the periods in which visitors could see the result. */
import type { ChangeType, EventFields } from "../content/content";
import type { Instant, Uuid } from "../shared/model";
import { EVENT_STATUS, statusAt } from "./status";

/** Maximum pause between two changes of one person in the same group, in milliseconds. */
export const GROUP_PAUSE_MS = 10 * 60_000;

/**
 * Time from the first of a person's consecutive edits of existing tour stops within which they are stored as one change, in milliseconds. They are
 * merged because each stored change contains the whole scene before and after the edit.
 */
export const TOUR_EDIT_MERGE_MS = 60_000;

/** A change without its content. */
export interface ChangeMark {
  readonly seq: number;
  readonly at: Instant;
  /** Null for automatic changes. */
  readonly actorId: Uuid | null;
  /** Id of the save or API call that made the change; all changes of one call share it. */
  readonly callId: Uuid;
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  /** Whether the change created or restored the item. */
  readonly isAdded: boolean;
  readonly isRemoved: boolean;
}

/** A period in which the event was Published; `to` is null if it still is. */
export interface PublishedTime {
  readonly from: Instant;
  readonly to: Instant | null;
}

/** The fields of an event from an instant until the next entry. */
export interface FieldsSince {
  readonly from: Instant;
  readonly fields: Pick<EventFields, "statusId" | "startDate" | "endDate" | "enableAutoChangeStatus">;
}

/**
 * Returns the periods in which an event was Published, from its fields and the clock (specification §4).
 * @param timeline oldest first
 * @param now milliseconds since 1970
 */
export function publishedTimes(timeline: readonly FieldsSince[], now: number): readonly PublishedTime[] {
  const times: { from: number; to: number | null }[] = [];
  for (const [index, { from, fields }] of timeline.entries()) {
    const begin = Date.parse(from);
    const nextEntry = timeline[index + 1];
    const end = nextEntry ? Date.parse(nextEntry.from) : null;
    const isWithin = (ms: number) => ms > begin && ms < (end ?? now + 1);
    const statusDates = [fields.startDate, fields.endDate].flatMap((date) =>
      date === null ? [] : [Date.parse(date)],
    );
    const boundaries = [begin, ...statusDates.filter(isWithin).sort((a, b) => a - b)];
    for (const [i, boundary] of boundaries.entries()) {
      if (begin === end || statusAt(fields, boundary) !== EVENT_STATUS.published) continue;
      const to = boundaries[i + 1] ?? end;
      const lastTime = times.at(-1);
      if (lastTime && lastTime.to === boundary) lastTime.to = to;
      else times.push({ from: boundary, to });
    }
  }
  const instant = (ms: number) => new Date(ms).toISOString();
  return times.map(({ from, to }) => ({ from: instant(from), to: to === null ? null : instant(to) }));
}

/** A group of consecutive changes by one person. */
export interface ChangeGroup {
  /** Sequence number of the group's last change. The state after it is the state of the group. */
  readonly seq: number;
  readonly from: Instant;
  readonly to: Instant;
  readonly actorId: Uuid | null;
  /** The last change of each call, oldest first. The state after each can be shown. */
  readonly steps: readonly { readonly seq: number; readonly at: Instant }[];
  /** Numbers of added, changed and removed items of each kind. */
  readonly counts: Readonly<
    Record<"tag" | "media", Readonly<Record<"added" | "changed" | "removed", number>>>
  >;
  /** Other kinds of changes. The order change of a call that adds a tag is not listed. */
  readonly changed: readonly Exclude<ChangeType, "tag" | "media">[];
  /** The period in which visitors could see the resulting state; null for never. */
  readonly published: PublishedTime | null;
}

const listBoundaries = (times: readonly PublishedTime[]) =>
  times.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));

/** Returns whether the event became or stopped being Published between two instants. */
const hasBoundaryBetween = (boundaries: readonly Instant[], after: Instant, upTo: Instant) =>
  boundaries.some((boundary) => boundary > after && boundary <= upTo);

function createGroup(
  marks: readonly ChangeMark[],
  until: Instant | null,
  times: readonly PublishedTime[],
): ChangeGroup {
  const [firstMark, lastMark] = [marks[0], marks.at(-1)] as [ChangeMark, ChangeMark];
  const counts = {
    tag: { added: 0, changed: 0, removed: 0 },
    media: { added: 0, changed: 0, removed: 0 },
  };
  for (const type of ["tag", "media"] as const) {
    const presence = new Map<Uuid, { readonly before: boolean; after: boolean }>();
    for (const { itemType, itemId, isAdded, isRemoved } of marks) {
      if (itemType !== type) continue;
      const itemPresence = presence.get(itemId);
      if (itemPresence) itemPresence.after = !isRemoved;
      else presence.set(itemId, { before: !isAdded, after: !isRemoved });
    }
    for (const { before, after } of presence.values())
      if (before || after) counts[type][before ? (after ? "changed" : "removed") : "added"]++;
  }
  const callsAddingTags = new Set(
    marks.flatMap(({ itemType, isAdded, callId }) => (itemType === "tag" && isAdded ? [callId] : [])),
  );
  const visibleTimes = times.filter(
    ({ from, to }) => (to === null || to > lastMark.at) && (until === null || from < until),
  );
  const [earliest] = visibleTimes;
  const latest = visibleTimes.at(-1);
  const laterOf = (a: Instant, b: Instant) => (a > b ? a : b);
  return {
    seq: lastMark.seq,
    from: firstMark.at,
    to: lastMark.at,
    actorId: lastMark.actorId,
    steps: marks.flatMap(({ seq, at, callId }, i) => (marks[i + 1]?.callId === callId ? [] : [{ seq, at }])),
    counts,
    changed: (["order", "scene", "event"] as const).filter((type) =>
      marks.some(
        ({ itemType, callId }) => itemType === type && (type !== "order" || !callsAddingTags.has(callId)),
      ),
    ),
    published:
      earliest && latest
        ? {
            from: laterOf(earliest.from, lastMark.at),
            to: until !== null && (latest.to === null || latest.to > until) ? until : latest.to,
          }
        : null,
  };
}

/**
 * Groups the changes of a history, newest first. A group ends at a change by another person, at a pause of more than ten minutes, and whenever the
 * event became or stopped being Published. Therefore the last state of each published period is the end of a group.
 * @param marks oldest first
 * @param until time of the first change after `marks`; null for none
 */
export function groupChanges(
  marks: readonly ChangeMark[],
  times: readonly PublishedTime[],
  until: Instant | null,
): readonly ChangeGroup[] {
  const boundaries = listBoundaries(times);
  const groups: ChangeMark[][] = [];
  for (const mark of marks) {
    const group = groups.at(-1);
    const lastMark = group?.at(-1);
    const continuesGroup =
      lastMark &&
      lastMark.actorId === mark.actorId &&
      Date.parse(mark.at) - Date.parse(lastMark.at) <= GROUP_PAUSE_MS &&
      !hasBoundaryBetween(boundaries, lastMark.at, mark.at);
    if (group && continuesGroup) group.push(mark);
    else groups.push([mark]);
  }
  return groups
    .map((group, index) => createGroup(group, groups[index + 1]?.[0]?.at ?? until, times))
    .reverse();
}
