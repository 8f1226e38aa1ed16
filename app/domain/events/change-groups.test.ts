import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChangeMark,
  type FieldsSince,
  GROUP_PAUSE_MS,
  groupChanges,
  publishedTimes,
} from "./change-groups";
import { statusAt } from "./status";

const START = Date.parse("2026-04-01T00:00:00.000Z");
const instantAfter = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
const fields = (statusId: 1 | 2 | 3 | 4, startDate: string | null = null, endDate: string | null = null) => ({
  statusId,
  startDate,
  endDate,
  enableAutoChangeStatus: true,
});
const fieldsSince = (minutes: number, eventFields: FieldsSince["fields"]): FieldsSince => ({
  from: instantAfter(minutes),
  fields: eventFields,
});

describe("a period in which an event was Published", () => {
  it("starts when a user publishes it and ends when a user withdraws it", () => {
    const timeline = [
      fieldsSince(0, fields(1)),
      fieldsSince(10, fields(3)),
      fieldsSince(20, fields(2)),
      fieldsSince(30, fields(3)),
    ];
    expect(publishedTimes(timeline, START + 60 * 60_000)).toEqual([
      { from: instantAfter(10), to: instantAfter(20) },
      { from: instantAfter(30), to: null },
    ]);
  });

  it("lasts from its start date to its end date, limited to the past", () => {
    const timeline = [fieldsSince(0, fields(2, instantAfter(10), instantAfter(50)))];
    const times = (minutes: number) => publishedTimes(timeline, START + minutes * 60_000);
    expect(times(5)).toEqual([]);
    expect(times(10)).toEqual([{ from: instantAfter(10), to: null }]);
    expect(times(60)).toEqual([{ from: instantAfter(10), to: instantAfter(50) }]);
  });

  it("continues through saves that do not affect it", () => {
    const timeline = [
      fieldsSince(0, fields(3)),
      fieldsSince(10, fields(3)),
      fieldsSince(20, fields(3, null, instantAfter(30))),
    ];
    expect(publishedTimes(timeline, START + 90 * 60_000)).toEqual([
      { from: instantAfter(0), to: instantAfter(30) },
    ]);
  });

  it("agrees with the rule of statuses at every minute", () => {
    const date = fc.option(fc.integer({ min: 0, max: 100 }).map(instantAfter), { nil: null });
    const step = fc.record({
      statusId: fc.constantFrom(1, 2, 3, 4 as const),
      startDate: date,
      endDate: date,
      enableAutoChangeStatus: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 99 }), step), { maxLength: 8 }), (steps) => {
        const entries = [
          ...new Map([[0, { ...fields(1) }], ...steps] as [number, FieldsSince["fields"]][]),
        ].sort(([a], [b]) => a - b);
        const timeline = entries.map(([minute, eventFields]) => fieldsSince(minute, eventFields));
        const times = publishedTimes(timeline, START + 100 * 60_000);
        for (let minute = 0; minute <= 100; minute++) {
          const now = instantAfter(minute);
          const current = [...timeline].reverse().find(({ from }) => from <= now);
          const isPublished =
            current !== undefined && statusAt(current.fields, START + minute * 60_000) === 3;
          const isInPublishedTimes = times.some(({ from, to }) => from <= now && (to === null || now < to));
          expect([minute, isInPublishedTimes]).toEqual([minute, isPublished]);
        }
      }),
    );
  });
});

let seq = 0;
const mark = (minutes: number, overrides: Partial<ChangeMark> = {}): ChangeMark => {
  seq++;
  return {
    seq,
    at: instantAfter(minutes),
    actorId: "a",
    callId: `call ${seq}`,
    itemType: "tag",
    itemId: `t${seq}`,
    isAdded: false,
    isRemoved: false,
    ...overrides,
  };
};

describe("the change groups of a history", () => {
  it("mention the order of tags only when a user changed it", () => {
    seq = 0;
    const order = (minutes: number, callId: string) =>
      mark(minutes, { itemType: "order", itemId: "", callId });
    const restored = [mark(0, { isAdded: true, callId: "back" }), order(0, "back")];
    expect(groupChanges(restored, [], null).map(({ changed }) => changed)).toEqual([[]]);
    expect(groupChanges([...restored, order(1, "moved")], [], null).map(({ changed }) => changed)).toEqual([
      ["order"],
    ]);
  });

  it("end before a change by another user or a pause of more than ten minutes, and are listed newest first", () => {
    seq = 0;
    const marks = [
      mark(0),
      mark(9),
      mark(19),
      mark(30),
      mark(31, { actorId: "b" }),
      mark(32, { actorId: null }),
    ];
    expect(GROUP_PAUSE_MS).toBe(600_000);
    const groups = groupChanges(marks, [], null);
    expect(groups.map((group) => [group.seq, group.actorId, group.from, group.to])).toEqual([
      [6, null, instantAfter(32), instantAfter(32)],
      [5, "b", instantAfter(31), instantAfter(31)],
      [4, "a", instantAfter(30), instantAfter(30)],
      [3, "a", instantAfter(0), instantAfter(19)],
    ]);
    expect(groupChanges([], [], null)).toEqual([]);
  });

  it("count each record once, by its state before and after the group", () => {
    seq = 0;
    const created = { itemId: "x", isAdded: true };
    const groups = groupChanges(
      [
        mark(0, created),
        mark(0, { itemId: "x", callId: "call 1" }),
        mark(1, { itemId: "y" }),
        mark(1, { itemId: "y" }),
        mark(1, { itemId: "z", isRemoved: true }),
        mark(1, { itemId: "brief", isAdded: true }),
        mark(1, { itemId: "brief", isRemoved: true }),
        mark(2, { itemType: "media", itemId: "m", isAdded: true }),
        mark(2, { itemType: "order", itemId: "e" }),
        mark(2, { itemType: "event", itemId: "e" }),
      ],
      [],
      null,
    );
    expect(groups).toMatchObject([
      {
        counts: { tag: { added: 1, changed: 1, removed: 1 }, media: { added: 1, changed: 0, removed: 0 } },
        changed: ["order", "event"],
        published: null,
      },
    ]);
    expect(groups[0]?.steps.map((step) => step.seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("end when the event becomes visible or invisible to visitors, and state those times", () => {
    seq = 0;
    const marks = [mark(0), mark(2), mark(6), mark(8), mark(30)];
    const times = [
      { from: instantAfter(4), to: instantAfter(7) },
      { from: instantAfter(40), to: null },
    ];
    const groups = groupChanges(marks, times, null).map(({ seq: last, published }) => [last, published]);
    expect(groups).toEqual([
      [5, { from: instantAfter(40), to: null }],
      [4, null],
      [3, { from: instantAfter(6), to: instantAfter(7) }],
      [2, { from: instantAfter(4), to: instantAfter(6) }],
    ]);
    // On a page of earlier groups, the newest group lasts until the first change after it.
    const [newest] = groupChanges(marks.slice(0, 2), times, instantAfter(6));
    expect(newest?.published).toEqual({ from: instantAfter(4), to: instantAfter(6) });
  });

  it("include the last state of a published period as the end of a group", () => {
    const minutes = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        minutes,
        fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 60 })),
        (list, [from, length]) => {
          seq = 0;
          const marks = list.sort((a, b) => a - b).map((minute) => mark(minute));
          const times = [{ from: instantAfter(from), to: instantAfter(from + length) }];
          const groups = groupChanges(marks, times, null);
          expect(groups.flatMap(({ steps }) => steps).length).toBe(marks.length);
          // The state at the end of a published period is the state of a group.
          const last = marks.filter((changeMark) => changeMark.at < instantAfter(from + length)).at(-1);
          if (last) expect(groups.map((group) => group.seq)).toContain(last.seq);
        },
      ),
    );
  });
});
