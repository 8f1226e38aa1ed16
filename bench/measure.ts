import { type LoadResult, runLoad } from "./load";
import { type Spread, spreadOf } from "./stats";
import type { Subject } from "./subjects";
import { workerdSeconds } from "./workerd-time";

export interface Plan {
  readonly rounds: number;
  /** Seconds of each subject's turn in a round. */
  readonly turn: number;
  /** Seconds of each subject before the first round, and of what is counted nowhere. */
  readonly warmUp: number;
}

export interface Figure {
  readonly key: string;
  readonly name: string;
  readonly connections: number;
  /** Requests a second. */
  readonly rate: Spread;
  /** Round by round: this subject's rate over its base's in the same round. */
  readonly ratio: { readonly base: string; readonly of: Spread } | null;
  /** Milliseconds under that load. */
  readonly p50: Spread;
  readonly p99: Spread;
  /** Milliseconds with one request at a time. */
  readonly alone: Spread;
  /** Microseconds of workerd's processor time for a request; null where the system does not tell. */
  readonly cpu: number | null;
  /** Bytes of body. */
  readonly bytes: number;
  readonly requests: number;
  /** Processor time of the load generator, as a share of its turns. */
  readonly generator: number;
}

interface Turn extends LoadResult {
  readonly cpuSeconds: number | null;
}

async function takeTurn(subject: Subject, connections: number, seconds: number): Promise<Turn> {
  const before = workerdSeconds();
  const result = await runLoad(subject.load, connections, seconds);
  const after = workerdSeconds();
  return { ...result, cpuSeconds: before === null || after === null ? null : after - before };
}

/**
 * Lets the subjects take turns, round after round, so that whatever else the machine does meets all of them, and every ratio
 * is made of two turns of one round.
 */
export async function measure(
  subjects: readonly Subject[],
  plan: Plan,
  log: (line: string) => void,
): Promise<Figure[]> {
  for (const { load, connections } of subjects) await runLoad(load, connections, plan.warmUp);
  const turns = new Map<string, Turn[]>(subjects.map(({ key }) => [key, []]));
  const single = new Map<string, LoadResult[]>(subjects.map(({ key }) => [key, []]));
  for (let round = 1; round <= plan.rounds; round++) {
    for (const subject of subjects) {
      turns.get(subject.key)?.push(await takeTurn(subject, subject.connections, plan.turn));
      // A third of the rounds is enough: one at a time is steadier than many.
      if (round % 3 === 1) single.get(subject.key)?.push(await runLoad(subject.load, 1, plan.turn));
    }
    log(`Round ${round} of ${plan.rounds}`);
  }

  return subjects.map(({ key, name, connections, base }) => {
    const own = turns.get(key) ?? [];
    const other = base === null ? undefined : turns.get(base);
    const requests = own.reduce((sum, turn) => sum + turn.requests, 0);
    const seconds = own.map((turn) => turn.cpuSeconds).filter((value) => value !== null);
    return {
      key,
      name,
      connections,
      rate: spreadOf(own.map((turn) => turn.rate)),
      ratio:
        base !== null && other
          ? { base, of: spreadOf(own.map((turn, i) => turn.rate / (other[i]?.rate ?? Number.NaN))) }
          : null,
      p50: spreadOf(own.map((turn) => turn.p50)),
      p99: spreadOf(own.map((turn) => turn.p99)),
      alone: spreadOf((single.get(key) ?? []).map((turn) => turn.p50)),
      cpu: seconds.length === own.length ? (seconds.reduce((a, b) => a + b, 0) / requests) * 1e6 : null,
      bytes: Math.round(spreadOf(own.map((turn) => turn.bytes)).median),
      requests,
      generator: spreadOf(own.map((turn) => turn.busy)).median,
    };
  });
}

export interface Trips {
  readonly key: string;
  /** Round trips to D1, and statements in them. */
  readonly trips: number;
  readonly statements: number;
}

/** What single requests ask of D1, by a worker that counts (bare.ts). */
export async function countTrips(
  origin: URL,
  requests: Readonly<Record<string, { path: string; headers?: Record<string, string> }>>,
): Promise<Trips[]> {
  const counts = async () =>
    (await (await fetch(new URL("/bench/counts", origin))).json()) as { trips: number; statements: number };
  const found: Trips[] = [];
  for (const [key, { path, headers }] of Object.entries(requests)) {
    await counts();
    const response = await fetch(new URL(path, origin), headers ? { headers } : {});
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path.replace(/\?.*/, "")} answered ${response.status}`);
    found.push({ key, ...(await counts()) });
  }
  return found;
}
