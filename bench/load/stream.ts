/**
 * Sends requests at a constant rate, whether or not the previous responses have arrived, because real visitors do not wait for one
 * another.
 */
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { ResponseReader } from "../response-reader";
import { percentile } from "../spread";
import { workerdSeconds } from "../workerd-time";

/** Figures of one stream of requests. */
export interface StreamResult {
  /** Calls of `createRequests` per second, until the last response. */
  readonly rate: number;
  /** Responses with 503, after which pages send the same request again. */
  readonly again: number;
  /** Responses with neither 204 nor 503. */
  readonly refused: number;
  /** Median milliseconds until a response. */
  readonly p50: number;
  readonly p99: number;
}

/** Number of connections. It is enough for responses that take more than a second: a visit is acknowledged after its room has stored it. */
const CONNECTIONS = 1500;
/** Time between two groups of requests. */
const STEP_MS = 5;
/** Time after which a request that was answered with 503 is sent again. */
const RETRY_DELAY_MS = 1000;

interface StreamConnection {
  readonly socket: Socket;
  isClosed: boolean;
  onStatus: (status: number) => void;
  /** Handles the end of the connection while a response is expected. */
  onLost: () => void;
}

function openConnection(origin: URL): Promise<StreamConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: origin.hostname, port: Number(origin.port), noDelay: true });
    const connection: StreamConnection = { socket, isClosed: false, onStatus: () => {}, onLost: () => {} };
    const reader = new ResponseReader(({ status }) => connection.onStatus(status));
    socket.on("data", (bytes) => reader.push(bytes));
    socket.on("error", reject);
    socket.on("close", () => {
      connection.isClosed = true;
      connection.onLost();
    });
    socket.on("connect", () => resolve(connection));
  });
}

/**
 * Sends requests at a constant rate over persistent connections, one at a time on each.
 * @param rate calls of `createRequests` per second
 * @param count number of calls of `createRequests`
 * @param createRequests creates the bytes of one or several requests, which are sent together
 */
export async function runStream(
  origin: URL,
  rate: number,
  count: number,
  createRequests: (index: number) => readonly Buffer[],
): Promise<StreamResult> {
  const freeConnections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(origin)),
  );
  const connections = [...freeConnections];
  const queue: Buffer[] = [];
  const latencies: number[] = [];
  let [pending, again, refused] = [0, 0, 0];
  /** Replaces a connection that the server closed. */
  const reopen = () =>
    openConnection(origin).then((connection) => {
      connections.push(connection);
      freeConnections.push(connection);
      sendQueued();
    });
  const sendQueued = () => {
    for (let connection = freeConnections.pop(); connection; connection = freeConnections.pop()) {
      if (connection.isClosed) {
        void reopen();
        continue;
      }
      const bytes = queue.shift();
      if (!bytes) {
        freeConnections.push(connection);
        return;
      }
      const sentAt = performance.now();
      const usedConnection = connection;
      usedConnection.onLost = () => {
        queue.push(bytes);
        void reopen();
      };
      usedConnection.onStatus = (status) => {
        usedConnection.onLost = () => {};
        freeConnections.push(usedConnection);
        if (status === 503) {
          again++;
          setTimeout(() => queue.push(bytes), RETRY_DELAY_MS);
        } else {
          latencies.push(performance.now() - sentAt);
          pending--;
          if (status !== 204) refused++;
        }
        sendQueued();
      };
      usedConnection.socket.write(bytes);
    }
  };
  try {
    const startedAt = performance.now();
    let sent = 0;
    for (; sent < count || pending > 0; await sleep(STEP_MS)) {
      const dueCount = Math.min(count, Math.floor(((performance.now() - startedAt) / 1000) * rate));
      for (; sent < dueCount; sent++)
        for (const bytes of createRequests(sent)) {
          pending++;
          queue.push(bytes);
        }
      sendQueued();
    }
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const sorted = Float64Array.from(latencies).sort();
    return {
      rate: count / elapsedSeconds,
      again,
      refused,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
    };
  } finally {
    for (const connection of connections) {
      connection.onLost = () => {};
      connection.socket.destroy();
    }
  }
}

/**
 * Starts measuring the CPU time of workerd and of this program. The returned function divides it by a count, in milliseconds;
 * `workerdMs` is null when the system does not report it.
 */
export function startCpuTimer(): (count: number) => {
  readonly workerdMs: number | null;
  readonly senderMs: number;
} {
  const [workerdBefore, ownCpu] = [workerdSeconds(), process.cpuUsage()];
  return (count) => {
    const workerdNow = workerdSeconds();
    const { user, system } = process.cpuUsage(ownCpu);
    return {
      workerdMs:
        workerdNow === null || workerdBefore === null ? null : ((workerdNow - workerdBefore) * 1000) / count,
      senderMs: (user + system) / 1000 / count,
    };
  };
}
