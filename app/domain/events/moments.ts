/** The moments of an event's history: what one person did in one go, and when visitors could see the outcome. */
import type { ChangeType, EventFields } from "../content/content";
import type { Instant, Uuid } from "../shared/model";
import { EVENT_STATUS, statusAt } from "./status";

/** Changes of one person that are no further apart than this are one moment, in milliseconds. */
export const QUIET = 10 * 60_000;

/** What one person types into the stops of a tour within so many milliseconds is one change: each holds the whole tour twice. */
export const TYPING = 60_000;

/** A change, without what it changed. */
export interface ChangeMark {
  readonly seq: number;
  readonly at: Instant;
  /** Null for what the clock has done. */
  readonly actorId: Uuid | null;
  /** Of all changes of one call. */
  readonly act: Uuid;
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  /** The thing was not there before, or is not there after. */
  readonly isAdded: boolean;
  readonly isRemoved: boolean;
}

/** A time during which the event was Published; `to` is null while it still is. */
export interface PublishedTime {
  readonly from: Instant;
  readonly to: Instant | null;
}

/** From when on the event's own fields were so. */
export interface FieldsSince {
  readonly from: Instant;
  readonly fields: Pick<EventFields, "statusId" | "startDate" | "endDate" | "enableAutoChangeStatus">;
}

/** When an event was Published: its fields as they were, and the clock (§4). @param timeline oldest first @param now ms since 1970 */
export function publishedTimes(timeline: readonly FieldsSince[], now: number): readonly PublishedTime[] {
  const times: { from: number; to: number | null }[] = [];
  for (const [index, { from, fields }] of timeline.entries()) {
    const begin = Date.parse(from);
    const next = timeline[index + 1];
    const end = next ? Date.parse(next.from) : null;
    const isWithin = (ms: number) => ms > begin && ms < (end ?? now + 1);
    const turns = [fields.startDate, fields.endDate].flatMap((date) =>
      date === null ? [] : [Date.parse(date)],
    );
    const points = [begin, ...turns.filter(isWithin).sort((a, b) => a - b)];
    for (const [i, point] of points.entries()) {
      if (begin === end || statusAt(fields, point) !== EVENT_STATUS.published) continue;
      const to = points[i + 1] ?? end;
      const last = times.at(-1);
      if (last && last.to === point) last.to = to;
      else times.push({ from: point, to });
    }
  }
  const instant = (ms: number) => new Date(ms).toISOString();
  return times.map(({ from, to }) => ({ from: instant(from), to: to === null ? null : instant(to) }));
}

/** What one person did in one go. */
export interface Moment {
  /** The number of its last change: the state after it is what it is looked at by. */
  readonly seq: number;
  readonly from: Instant;
  readonly to: Instant;
  readonly actorId: Uuid | null;
  /** The numbers of the last changes of its calls, oldest first: each left a state of its own. */
  readonly steps: readonly { readonly seq: number; readonly at: Instant }[];
  /** How many things of each kind were added, changed and removed. */
  readonly counts: Readonly<
    Record<"tag" | "media", Readonly<Record<"added" | "changed" | "removed", number>>>
  >;
  /** What else was changed. That what was added was put in its place is told by its being added. */
  readonly changed: readonly Exclude<ChangeType, "tag" | "media">[];
  /** When visitors could see the state that it left; null when never. */
  readonly published: PublishedTime | null;
}

const endOf = (times: readonly PublishedTime[]) =>
  times.flatMap(({ from, to }) => (to === null ? [from] : [from, to]));

/** Whether the event became Published or ceased to be after one instant and not after another. */
const turnsBetween = (turns: readonly Instant[], after: Instant, upTo: Instant) =>
  turns.some((turn) => turn > after && turn <= upTo);

function momentOf(
  marks: readonly ChangeMark[],
  until: Instant | null,
  times: readonly PublishedTime[],
): Moment {
  const [first, last] = [marks[0], marks.at(-1)] as [ChangeMark, ChangeMark];
  const counts = {
    tag: { added: 0, changed: 0, removed: 0 },
    media: { added: 0, changed: 0, removed: 0 },
  };
  for (const type of ["tag", "media"] as const) {
    const things = new Map<Uuid, { readonly wasThere: boolean; isThere: boolean }>();
    for (const { itemType, itemId, isAdded, isRemoved } of marks) {
      if (itemType !== type) continue;
      const known = things.get(itemId);
      if (known) known.isThere = !isRemoved;
      else things.set(itemId, { wasThere: !isAdded, isThere: !isRemoved });
    }
    for (const { wasThere, isThere } of things.values())
      if (wasThere || isThere) counts[type][wasThere ? (isThere ? "changed" : "removed") : "added"]++;
  }
  const adding = new Set(
    marks.flatMap(({ itemType, isAdded, act }) => (itemType === "tag" && isAdded ? [act] : [])),
  );
  const shown = times.filter(
    ({ from, to }) => (to === null || to > last.at) && (until === null || from < until),
  );
  const [earliest] = shown;
  const latest = shown.at(-1);
  const max = (a: Instant, b: Instant) => (a > b ? a : b);
  return {
    seq: last.seq,
    from: first.at,
    to: last.at,
    actorId: last.actorId,
    steps: marks.flatMap(({ seq, at, act }, i) => (marks[i + 1]?.act === act ? [] : [{ seq, at }])),
    counts,
    changed: (["order", "scene", "event"] as const).filter((type) =>
      marks.some(({ itemType, act }) => itemType === type && (type !== "order" || !adding.has(act))),
    ),
    published:
      earliest && latest
        ? {
            from: max(earliest.from, last.at),
            to: until !== null && (latest.to === null || latest.to > until) ? until : latest.to,
          }
        : null,
  };
}

/**
 * The moments of a history, newest first. A moment ends with another person, with ten quiet minutes, and whenever the event became
 * Published or ceased to be: so that every state that was published is the end of one.
 * @param marks oldest first
 * @param until when the first change after them was made; null when there is none
 */
export function momentsOf(
  marks: readonly ChangeMark[],
  times: readonly PublishedTime[],
  until: Instant | null,
): readonly Moment[] {
  const turns = endOf(times);
  const groups: ChangeMark[][] = [];
  for (const mark of marks) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isSame =
      last &&
      last.actorId === mark.actorId &&
      Date.parse(mark.at) - Date.parse(last.at) <= QUIET &&
      !turnsBetween(turns, last.at, mark.at);
    if (group && isSame) group.push(mark);
    else groups.push([mark]);
  }
  return groups.map((group, index) => momentOf(group, groups[index + 1]?.[0]?.at ?? until, times)).reverse();
}
