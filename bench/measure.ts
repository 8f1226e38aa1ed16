import { setTimeout as sleep } from "node:timers/promises";
import { type LoadResult, runLoad } from "./load/load";
import type { Scenario } from "./load/scenarios";
import { computeSpread, type Spread } from "./spread";
import { workerdSeconds } from "./workerd-time";

/** Number and duration of measurements. */
export interface Plan {
  readonly rounds: number;
  /** Seconds of each scenario's turn in a round. */
  readonly turnSeconds: number;
  /** Seconds of each scenario before the first round, which are not counted. */
  readonly warmUpSeconds: number;
}

/** Figures of one scenario. */
export interface Figure {
  readonly key: string;
  readonly name: string;
  readonly connections: number;
  /** Requests per second. */
  readonly rate: Spread;
  /** Per round: this scenario's rate divided by its base's rate in the same round. */
  readonly ratio: { readonly base: string; readonly spread: Spread } | null;
  /** Milliseconds under that load. */
  readonly p50: Spread;
  readonly p99: Spread;
  /** Milliseconds with one request at a time. */
  readonly alone: Spread;
  /** Microseconds of workerd's CPU time per request; null when the system does not report it. */
  readonly cpu: number | null;
  /** Bytes of the body. */
  readonly bytes: number;
  readonly requests: number;
  /** CPU time of the load generator, as a share of its turns. */
  readonly generator: number;
}

interface Turn extends LoadResult {
  readonly cpuSeconds: number | null;
}

/** Time that is enough to render an outdated page again after a request, in milliseconds. */
const REFRESH_MS = 100;

/**
 * Measures one turn. Pages with store data are rendered again every ten seconds, however many visitors request them. One request before the turn
 * triggers this rendering, which would otherwise fall into every turn, because turns take only a fraction of a second.
 */
async function takeTurn(scenario: Scenario, connections: number, seconds: number): Promise<Turn> {
  await runLoad(scenario.load, 1, 0);
  await sleep(REFRESH_MS);
  const cpuBefore = workerdSeconds();
  const result = await runLoad(scenario.load, connections, seconds);
  const cpuAfter = workerdSeconds();
  return { ...result, cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore };
}

/**
 * Alternates the scenarios, round after round, so that other work of the machine affects all of them, and every ratio is from two
 * turns of one round.
 */
export async function measure(
  scenarios: readonly Scenario[],
  plan: Plan,
  log: (line: string) => void,
): Promise<Figure[]> {
  for (const { load, connections } of scenarios) await runLoad(load, connections, plan.warmUpSeconds);
  const turns = new Map<string, Turn[]>(scenarios.map(({ key }) => [key, []]));
  const singleRequests = new Map<string, LoadResult[]>(scenarios.map(({ key }) => [key, []]));
  for (let round = 1; round <= plan.rounds; round++) {
    for (const scenario of scenarios) {
      turns.get(scenario.key)?.push(await takeTurn(scenario, scenario.connections, plan.turnSeconds));
      // A third of the rounds is enough, because one request at a time varies less than many.
      if (round % 3 === 1)
        singleRequests.get(scenario.key)?.push(await runLoad(scenario.load, 1, plan.turnSeconds));
    }
    log(`Round ${round} of ${plan.rounds}`);
  }

  return scenarios.map(({ key, name, connections, base }) => {
    const ownTurns = turns.get(key) ?? [];
    const baseTurns = base === null ? undefined : turns.get(base);
    const requests = ownTurns.reduce((sum, turn) => sum + turn.requests, 0);
    const cpuSeconds = ownTurns.map((turn) => turn.cpuSeconds).filter((value) => value !== null);
    return {
      key,
      name,
      connections,
      rate: computeSpread(ownTurns.map((turn) => turn.rate)),
      ratio:
        base !== null && baseTurns
          ? {
              base,
              spread: computeSpread(
                ownTurns.map((turn, i) => turn.rate / (baseTurns[i]?.rate ?? Number.NaN)),
              ),
            }
          : null,
      p50: computeSpread(ownTurns.map((turn) => turn.p50)),
      p99: computeSpread(ownTurns.map((turn) => turn.p99)),
      alone: computeSpread((singleRequests.get(key) ?? []).map((turn) => turn.p50)),
      cpu:
        cpuSeconds.length === ownTurns.length
          ? (cpuSeconds.reduce((a, b) => a + b, 0) / requests) * 1e6
          : null,
      bytes: Math.round(computeSpread(ownTurns.map((turn) => turn.bytes)).median),
      requests,
      generator: computeSpread(ownTurns.map((turn) => turn.busy)).median,
    };
  });
}

/** The D1 queries of one request. */
export interface Trips {
  readonly key: string;
  /** Round trips to D1, and the statements in them. */
  readonly trips: number;
  readonly statements: number;
}

/** Counts the D1 queries of single requests, by means of a counting worker (bare-workers.ts). */
export async function countTrips(
  origin: URL,
  requests: Readonly<Record<string, { path: string; headers?: Record<string, string> }>>,
): Promise<Trips[]> {
  const takeCounts = async () =>
    (await (await fetch(new URL("/bench/counts", origin))).json()) as { trips: number; statements: number };
  const tripCounts: Trips[] = [];
  for (const [key, { path, headers }] of Object.entries(requests)) {
    await takeCounts();
    const response = await fetch(new URL(path, origin), headers ? { headers } : {});
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${path.replace(/\?.*/, "")} returned ${response.status}`);
    tripCounts.push({ key, ...(await takeCounts()) });
  }
  return tripCounts;
}
