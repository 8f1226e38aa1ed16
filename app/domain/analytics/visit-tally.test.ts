import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOfHour, FIRST_SECONDS_MAX, partKey, VISIT_GAP_MS, type VisitRecord, visitorKey } from "./visit";
import {
  type HourTotal,
  NO_VISITS,
  type StoredVisitState,
  tally,
  VISIT_NUMBERS,
  type VisitorState,
} from "./visit-tally";

const START = Date.parse("2026-04-01T00:00:00.000Z");
const hourOf = (time: number) => new Date(time).toISOString().slice(0, 13);

/** An in-memory store that, like a database, holds only the values that were written. */
class CountStore {
  readonly parts = new Set<string>();
  readonly visitors = new Map<string, VisitorState>();
  readonly totals: HourTotal[] = [];
  readonly live = new Map<number, number>();

  count(records: readonly VisitRecord[]) {
    const storedState: StoredVisitState = { parts: this.parts, visitors: this.visitors, erased: new Map() };
    const sums = tally(records, storedState);
    for (const record of sums.newParts) this.parts.add(partKey(record));
    for (const { state, ...visitorOfDay } of sums.visitors) {
      expect(state.version).toBe((this.visitors.get(visitorKey(visitorOfDay))?.version ?? 0) + 1);
      this.visitors.set(visitorKey(visitorOfDay), state);
    }
    this.totals.push(...sums.totals);
    for (const { minute, visitors } of sums.live)
      this.live.set(minute, (this.live.get(minute) ?? 0) + visitors);
    return sums;
  }

  get numbers() {
    const sum = { ...NO_VISITS } as Record<string, number>;
    for (const { numbers } of this.totals)
      for (const name of VISIT_NUMBERS) sum[name] = (sum[name] ?? 0) + numbers[name];
    return sum;
  }

  part(name: string) {
    return this.totals.reduce((sum, { parts }) => sum + (parts[name] ?? 0), 0);
  }
}

const TRAITS = { lang: "ja", device: "phone", country: "JP", from: "" };

const record = (changes: Partial<VisitRecord> & { readonly at?: number } = {}): VisitRecord => {
  const time = changes.at ?? START;
  return {
    eventId: "e",
    visit: "v",
    part: 0,
    at: time,
    hour: hourOf(time),
    visitor: "a",
    traits: TRAITS,
    things: [],
    stays: [],
    ...changes,
  };
};

const SITES = ["from:", "from:a.example", "from:b.example"];

/** Streams of visit reports from a few visitors of two events over a day and a half. Each report has its own part number. */
const streams = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 36 * 60 }),
      eventId: fc.constantFrom("e", "f"),
      visitor: fc.constantFrom("a", "b", "c"),
      traits: fc.constantFrom(null, "", "a.example", "b.example").map((from) => ({ ...TRAITS, from })),
      things: fc.array(
        fc.record({
          act: fc.constantFrom("tag" as const, "product" as const, "cart" as const),
          id: fc.constantFrom("1", "2", "3"),
        }),
        { maxLength: 4 },
      ),
      stays: fc.array(
        fc.record({ place: fc.constantFrom("", "c0,0,0"), seconds: fc.integer({ min: 1, max: 120 }) }),
        { maxLength: 3 },
      ),
    }),
    { maxLength: 40 },
  )
  .map((all) =>
    all
      .sort((a, b) => a.minutes - b.minutes)
      .map(({ minutes, ...rest }, part) => record({ ...rest, part, at: START + minutes * 60_000 + part })),
  );

describe("counting", () => {
  it("gives the same result for any division into writes, and for repeated parts", () => {
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.integer({ min: 1, max: 6 })), (stream, sizes) => {
        const inOneWrite = new CountStore();
        inOneWrite.count(stream);
        const inSeveralWrites = new CountStore();
        for (let index = 0; index < stream.length; ) {
          const size = sizes.next().value as number;
          const part = stream.slice(index, index + size);
          inSeveralWrites.count([...part, ...part, ...stream.slice(0, index)]);
          index += size;
        }
        expect(inSeveralWrites.numbers).toEqual(inOneWrite.numbers);
        for (const site of SITES) expect(inSeveralWrites.part(site)).toBe(inOneWrite.part(site));
        const [a, b] = [inSeveralWrites, inOneWrite].map(({ visitors }) =>
          [...visitors].map(([key, { version: _, ...state }]) => [key, state]).sort(),
        );
        expect(a).toEqual(b);
      }),
    );
  });

  it("gives the same counts as a simple reference implementation", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const store = new CountStore();
        store.count(stream);
        const days = new Map<string, VisitRecord[]>();
        for (const record of stream) {
          const key = visitorKey({ ...record, day: dayOfHour(record.hour) });
          days.set(key, [...(days.get(key) ?? []), record]);
        }
        let [visits, tags, seconds] = [0, 0, 0];
        const visitsBySite = new Map(SITES.map((site) => [site, 0]));
        for (const records of days.values()) {
          const runs: VisitRecord[][] = [];
          for (const record of records) {
            const run = runs.at(-1);
            const last = run?.at(-1);
            if (run && last && record.at - last.at < VISIT_GAP_MS) run.push(record);
            else runs.push([record]);
          }
          visits += runs.length;
          for (const run of runs) {
            // The first report whose `from` is not null sets the site.
            const site = `from:${run.find(({ traits }) => traits.from !== null)?.traits.from ?? ""}`;
            visitsBySite.set(site, (visitsBySite.get(site) ?? 0) + 1);
            const items = run.flatMap((record) => record.things).filter(({ act }) => act === "tag");
            tags += new Set(items.map(({ id }) => id)).size;
            let countedSeconds = 0;
            for (const record of run) {
              const elapsedSeconds = Math.floor((record.at - (run[0]?.at ?? 0)) / 1000) + FIRST_SECONDS_MAX;
              for (const dwellTime of record.stays)
                countedSeconds += Math.max(0, Math.min(dwellTime.seconds, elapsedSeconds - countedSeconds));
            }
            seconds += countedSeconds;
          }
        }
        expect(store.numbers).toMatchObject({ visitors: days.size, visits, tags, seconds });
        expect(store.part("at:") + store.part("at:c0,0,0")).toBe(seconds);
        expect(store.part("lang:ja")).toBe(visits);
        expect(SITES.map((site) => [site, store.part(site)])).toEqual([...visitsBySite]);
        expect(store.part("tag:1") + store.part("tag:2") + store.part("tag:3")).toBe(tags);
      }),
    );
  });

  it("counts the minute of each recent visitor's last report", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const store = new CountStore();
        for (const record of stream) {
          store.count([record]);
          const now = Math.floor(record.at / 60_000);
          const presentVisitors = [...store.live].filter(([minute]) => minute > now - 5);
          const last = new Map(
            stream
              .filter(({ at }) => at <= record.at)
              .map((record) => [
                visitorKey({ ...record, day: dayOfHour(record.hour) }),
                Math.floor(record.at / 60_000),
              ]),
          );
          const recentMinutes = [...last.values()].filter((minute) => minute > now - 5);
          expect(presentVisitors.reduce((sum, [, visitors]) => sum + visitors, 0)).toBe(recentMinutes.length);
          expect(presentVisitors.every(([, visitors]) => visitors >= 0)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("ignores reported time from before the visit began, however often the page is reloaded", () => {
    const store = new CountStore();
    const stays = [{ place: "", seconds: 60 }];
    store.count([record({ visit: "v", at: START })]);
    store.count([record({ visit: "v", part: 1, at: START + 6000, stays })]);
    expect(store.numbers).toMatchObject({ visits: 1, seconds: 16 });
    store.count([record({ visit: "w", at: START + 8000, stays })]);
    store.count([record({ visit: "w", part: 1, at: START + 16_000, stays })]);
    expect(store.numbers).toMatchObject({ visits: 1, seconds: 26 });
    store.count([record({ visit: "w", part: 2, at: START + 600_000, stays })]);
    expect(store.numbers).toMatchObject({ visits: 1, seconds: 86 });
  });

  it("counts one visit although the clocks of isolates differ", () => {
    const store = new CountStore();
    store.count([record({ part: 0, at: START + 500 })]);
    store.count([record({ part: 1, at: START, stays: [{ place: "", seconds: 10 }] })]);
    expect(store.numbers).toMatchObject({ visits: 1, seconds: 10 });
    expect([...store.visitors.values()]).toMatchObject([{ lastAt: START + 500, startedAt: START + 500 }]);
  });
});
