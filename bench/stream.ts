/** Requests at a steady pace, whether or not the ones before were answered: what visitors do, who do not wait for one another. */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AnswerReader } from "./answer-reader";
import { percentile } from "./stats";
import { workerdSeconds } from "./workerd-time";

export interface StreamResult {
  /** Requests a second, until the last was answered. */
  readonly rate: number;
  /** Answers that asked for the same once more (503), as pages then tell it. */
  readonly again: number;
  /** Answers that were neither 204 nor that. */
  readonly refused: number;
  /** Milliseconds until an answer; half of them took less. */
  readonly p50: number;
  readonly p99: number;
}

const CONNECTIONS = 64;
const STEP_MS = 5;
const AGAIN_MS = 1000;

interface Line {
  readonly socket: Socket;
  done: (status: number) => void;
}

function open(origin: URL): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true });
    const line: Line = { socket, done: () => {} };
    const reader = new AnswerReader(({ status }) => line.done(status));
    socket.on("data", (bytes) => reader.push(bytes));
    socket.on("error", reject);
    socket.on("connect", () => resolve(line));
  });
}

/**
 * Sends requests at a pace over connections that stay open, one at a time on each.
 * @param rate requests a second
 * @param make the bytes of each request; each may be several
 */
export async function runStream(
  origin: URL,
  rate: number,
  count: number,
  make: (index: number) => readonly Buffer[],
): Promise<StreamResult> {
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(origin)));
  const all = [...free];
  const waiting: Buffer[] = [];
  const latencies: number[] = [];
  let [under, again, refused] = [0, 0, 0];
  const pump = () => {
    for (let line = free.pop(); line; line = free.pop()) {
      const bytes = waiting.shift();
      if (!bytes) {
        free.push(line);
        return;
      }
      const sentAt = performance.now();
      const used = line;
      used.done = (status) => {
        free.push(used);
        if (status === 503) {
          again++;
          setTimeout(() => waiting.push(bytes), AGAIN_MS);
        } else {
          latencies.push(performance.now() - sentAt);
          under--;
          if (status !== 204) refused++;
        }
        pump();
      };
      used.socket.write(bytes);
    }
  };
  try {
    const from = performance.now();
    let sent = 0;
    for (; sent < count || under > 0; await sleep(STEP_MS)) {
      const due = Math.min(count, Math.floor(((performance.now() - from) / 1000) * rate));
      for (; sent < due; sent++)
        for (const bytes of make(sent)) {
          under++;
          waiting.push(bytes);
        }
      pump();
    }
    const took = (performance.now() - from) / 1000;
    const sorted = Float64Array.from(latencies).sort();
    return {
      rate: count / took,
      again,
      refused,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
    };
  } finally {
    for (const { socket } of all) socket.destroy();
  }
}

/** Milliseconds of processor time for each of so many things that were done: of workerd, and of this program. Null where the system does not tell. */
export function timed(): (count: number) => { readonly workerdMs: number | null; readonly ownMs: number } {
  const [workerd, own] = [workerdSeconds(), process.cpuUsage()];
  return (count) => {
    const now = workerdSeconds();
    const { user, system } = process.cpuUsage(own);
    return {
      workerdMs: now === null || workerd === null ? null : ((now - workerd) * 1000) / count,
      ownMs: (user + system) / 1000 / count,
    };
  };
}
