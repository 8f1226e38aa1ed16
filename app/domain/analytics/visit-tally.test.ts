import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayOf, FIRST_SECONDS_MAX, partKey, VISIT_GAP_MS, type VisitSign, visitorKey } from "./visit";
import {
  type HourTotal,
  type Known,
  NO_VISITS,
  tally,
  VISIT_NUMBERS,
  type VisitorState,
} from "./visit-tally";

const START = Date.parse("2026-04-01T00:00:00.000Z");
const hourOf = (at: number) => new Date(at).toISOString().slice(0, 13);

/** Stores counts as a database does: only the values that were written. */
class Kept {
  readonly parts = new Set<string>();
  readonly visitors = new Map<string, VisitorState>();
  readonly totals: HourTotal[] = [];
  readonly live = new Map<number, number>();

  count(signs: readonly VisitSign[]) {
    const known: Known = { parts: this.parts, visitors: this.visitors, erased: new Map() };
    const sums = tally(signs, known);
    for (const sign of sums.fresh) this.parts.add(partKey(sign));
    for (const { state, ...of } of sums.visitors) {
      expect(state.version).toBe((this.visitors.get(visitorKey(of))?.version ?? 0) + 1);
      this.visitors.set(visitorKey(of), state);
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

const NOBODY = { lang: "ja", device: "phone", country: "JP", from: "" };

const sign = (more: Partial<VisitSign> & { readonly at?: number } = {}): VisitSign => {
  const at = more.at ?? START;
  return {
    eventId: "e",
    visit: "v",
    part: 0,
    at,
    hour: hourOf(at),
    visitor: "a",
    traits: NOBODY,
    things: [],
    stays: [],
    ...more,
  };
};

const SITES = ["from:", "from:a.example", "from:b.example"];

/** Streams of signs from a few visitors of two events over a day and a half. Each part has its own name. */
const streams = fc
  .array(
    fc.record({
      minutes: fc.integer({ min: 0, max: 36 * 60 }),
      eventId: fc.constantFrom("e", "f"),
      visitor: fc.constantFrom("a", "b", "c"),
      traits: fc.constantFrom(null, "", "a.example", "b.example").map((from) => ({ ...NOBODY, from })),
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
      .map(({ minutes, ...rest }, part) => sign({ ...rest, part, at: START + minutes * 60_000 + part })),
  );

describe("counting", () => {
  it("gives the same result for any division into writes, and for repeated parts", () => {
    fc.assert(
      fc.property(streams, fc.infiniteStream(fc.integer({ min: 1, max: 6 })), (stream, sizes) => {
        const whole = new Kept();
        whole.count(stream);
        const cut = new Kept();
        for (let at = 0; at < stream.length; ) {
          const size = sizes.next().value as number;
          const part = stream.slice(at, at + size);
          cut.count([...part, ...part, ...stream.slice(0, at)]);
          at += size;
        }
        expect(cut.numbers).toEqual(whole.numbers);
        for (const site of SITES) expect(cut.part(site)).toBe(whole.part(site));
        const [a, b] = [cut, whole].map(({ visitors }) =>
          [...visitors].map(([key, { version: _, ...state }]) => [key, state]).sort(),
        );
        expect(a).toEqual(b);
      }),
    );
  });

  it("gives the same counts as a simple reference implementation", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const kept = new Kept();
        kept.count(stream);
        const days = new Map<string, VisitSign[]>();
        for (const each of stream) {
          const key = visitorKey({ ...each, day: dayOf(each.hour) });
          days.set(key, [...(days.get(key) ?? []), each]);
        }
        let [visits, tags, seconds] = [0, 0, 0];
        const led = new Map(SITES.map((site) => [site, 0]));
        for (const signs of days.values()) {
          const runs: VisitSign[][] = [];
          for (const each of signs) {
            const run = runs.at(-1);
            const last = run?.at(-1);
            if (run && last && each.at - last.at < VISIT_GAP_MS) run.push(each);
            else runs.push([each]);
          }
          visits += runs.length;
          for (const run of runs) {
            // The first sign that has the referring site sets it.
            const site = `from:${run.find(({ traits }) => traits.from !== null)?.traits.from ?? ""}`;
            led.set(site, (led.get(site) ?? 0) + 1);
            const things = run.flatMap((each) => each.things).filter(({ act }) => act === "tag");
            tags += new Set(things.map(({ id }) => id)).size;
            let counted = 0;
            for (const each of run) {
              const lasted = Math.floor((each.at - (run[0]?.at ?? 0)) / 1000) + FIRST_SECONDS_MAX;
              for (const stay of each.stays) counted += Math.max(0, Math.min(stay.seconds, lasted - counted));
            }
            seconds += counted;
          }
        }
        expect(kept.numbers).toMatchObject({ visitors: days.size, visits, tags, seconds });
        expect(kept.part("at:") + kept.part("at:c0,0,0")).toBe(seconds);
        expect(kept.part("lang:ja")).toBe(visits);
        expect(SITES.map((site) => [site, kept.part(site)])).toEqual([...led]);
        expect(kept.part("tag:1") + kept.part("tag:2") + kept.part("tag:3")).toBe(tags);
      }),
    );
  });

  it("counts in which minute each recent visitor sent the last sign", () => {
    fc.assert(
      fc.property(streams, (stream) => {
        const kept = new Kept();
        for (const each of stream) {
          kept.count([each]);
          const now = Math.floor(each.at / 60_000);
          const live = [...kept.live].filter(([minute]) => minute > now - 5);
          const last = new Map(
            stream
              .filter(({ at }) => at <= each.at)
              .map((one) => [visitorKey({ ...one, day: dayOf(one.hour) }), Math.floor(one.at / 60_000)]),
          );
          const there = [...last.values()].filter((minute) => minute > now - 5);
          expect(live.reduce((sum, [, visitors]) => sum + visitors, 0)).toBe(there.length);
          expect(live.every(([, visitors]) => visitors >= 0)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("ignores reported time from before the visit began, however often the page is reloaded", () => {
    const kept = new Kept();
    const stays = [{ place: "", seconds: 60 }];
    kept.count([sign({ visit: "v", at: START })]);
    kept.count([sign({ visit: "v", part: 1, at: START + 6000, stays })]);
    expect(kept.numbers).toMatchObject({ visits: 1, seconds: 16 });
    kept.count([sign({ visit: "w", at: START + 8000, stays })]);
    kept.count([sign({ visit: "w", part: 1, at: START + 16_000, stays })]);
    expect(kept.numbers).toMatchObject({ visits: 1, seconds: 26 });
    kept.count([sign({ visit: "w", part: 2, at: START + 600_000, stays })]);
    expect(kept.numbers).toMatchObject({ visits: 1, seconds: 86 });
  });

  it("counts one visit although the clocks of isolates differ", () => {
    const kept = new Kept();
    kept.count([sign({ part: 0, at: START + 500 })]);
    kept.count([sign({ part: 1, at: START, stays: [{ place: "", seconds: 10 }] })]);
    expect(kept.numbers).toMatchObject({ visits: 1, seconds: 10 });
    expect([...kept.visitors.values()]).toMatchObject([{ lastAt: START + 500, startedAt: START + 500 }]);
  });
});
