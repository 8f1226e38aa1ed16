/** Starts the built product with several isolates of its web worker and one set of rooms (Durable Objects that count the visits of an event), in one workerd. */
import { Miniflare, type MiniflareOptions } from "miniflare";
import { type Worker, workerWithoutFileRouter } from "../../../bench/bench-environment";
import { localOptions } from "../../../scripts/lib/local/local-product";

export interface Isolates {
  readonly mf: Miniflare;
  /** One origin for each isolate. */
  readonly origins: readonly string[];
}

export interface IsolateOptions {
  /** Number of isolates. */
  readonly count: number;
  /** Calls per second above which a room is divided into shards (CALLS_PER_SECOND of the rooms worker). */
  readonly callsPerSecond: number;
}

/** @param state folder with the product's data */
export async function startIsolates(
  state: string,
  { count, callsPerSecond }: IsolateOptions,
): Promise<Isolates> {
  const options = localOptions({ port: 0, state }) as unknown as { workers: [Worker, Worker] };
  const [web, rooms] = options.workers;
  const copies = Array.from({ length: count - 1 }, (_, index) =>
    workerWithoutFileRouter(web, `isolate-${index}`),
  );
  const limitedRooms = { ...rooms, bindings: { CALLS_PER_SECOND: `${callsPerSecond}` } };
  const workers = [web, limitedRooms, ...copies];
  const mf = new Miniflare({ ...options, workers } as unknown as MiniflareOptions);
  await mf.ready;
  const names = [web, ...copies].map(({ name }) => name);
  const origins = await Promise.all(names.map(async (name) => (await mf.unsafeGetDirectURL(name)).origin));
  return { mf, origins };
}
