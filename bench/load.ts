/**
 * A load generator on bare sockets: keep-alive connections, one request at a time on each, answers counted and not kept.
 * Node's own HTTP clients spend more on a request than the worker that is measured does.
 */
import { connect, type Socket } from "node:net";
import { AnswerReader } from "./answer-reader";
import { percentile } from "./stats";

/** A request, written once and sent as often as wanted. */
export interface LoadRequest {
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The only status that is right, 200 unless said otherwise; any other ends the measurement with an error. */
  readonly status?: number;
}

interface Prepared {
  readonly bytes: Buffer;
  readonly status: number;
  readonly path: string;
}

function prepare(origin: URL, request: LoadRequest): Prepared {
  const { method = "GET", path, headers = {}, body, status = 200 } = request;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${origin.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return { bytes: Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`), status, path };
}

/** Requests to one address, sent in turn, over and over; a later run goes on where the one before ended. */
export class Load {
  readonly origin: URL;
  readonly #requests: readonly Prepared[];
  #sent = 0;

  constructor(origin: URL, requests: readonly LoadRequest[]) {
    this.origin = origin;
    if (requests.length === 0) throw new Error("There is nothing to send.");
    this.#requests = requests.map((request) => prepare(origin, request));
  }

  next(): Prepared {
    return this.#requests[this.#sent++ % this.#requests.length] as Prepared;
  }
}

export interface LoadResult {
  readonly requests: number;
  /** Requests a second. */
  readonly rate: number;
  /** Milliseconds from a request to the end of its answer; half of them took less. */
  readonly p50: number;
  readonly p99: number;
  /** Bytes of body in an answer, on average. */
  readonly bytes: number;
  /** Processor time of the generator itself, as a share of the time: near 1, it is the generator that was measured. */
  readonly busy: number;
}

interface Connection {
  readonly socket: Socket;
  /** What to do with bytes that come, and when the connection ends. */
  read: (bytes: Buffer) => void;
  fail: (error: Error) => void;
}

function open(origin: URL): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: origin.hostname,
      port: Number(origin.port),
      noDelay: true,
      // One buffer for a connection instead of one for every packet.
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => {
          connection.read((buffer as Buffer).subarray(0, length));
          return true;
        },
      },
    });
    const connection: Connection = { socket, read: () => {}, fail: reject };
    socket.on("error", (error) => connection.fail(error));
    socket.on("close", () => connection.fail(new Error(`${origin.host} closed a connection`)));
    socket.on("connect", () => resolve(connection));
  });
}

/**
 * Sends requests for a time, then waits for the answers under way.
 * @param connections how many requests are under way at once
 * @param seconds how long new requests are sent
 */
export async function runLoad(load: Load, connections: number, seconds: number): Promise<LoadResult> {
  const opened = await Promise.all(Array.from({ length: connections }, () => open(load.origin)));
  const latencies: number[] = [];
  let bytes = 0;
  const used = process.threadCpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;

  const work = (connection: Connection) =>
    new Promise<void>((resolve, reject) => {
      let sentAt = 0;
      let current: Prepared;
      const send = () => {
        current = load.next();
        sentAt = performance.now();
        connection.socket.write(current.bytes);
      };
      const reader = new AnswerReader((answer) => {
        if (answer.status !== current.status) {
          const path = current.path.replace(/\?.*/, "");
          reject(new Error(`${path} answered ${answer.status} instead of ${current.status}`));
          return;
        }
        const now = performance.now();
        latencies.push(now - sentAt);
        bytes += answer.bytes;
        if (now < end) send();
        else resolve();
      });
      connection.fail = reject;
      connection.read = (chunk) => {
        try {
          reader.push(chunk);
        } catch (error) {
          reject(error as Error);
        }
      };
      send();
    });

  try {
    await Promise.all(opened.map(work));
  } finally {
    for (const { socket } of opened) socket.destroy();
  }
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.threadCpuUsage(used);
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    rate: sorted.length / elapsed,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
    bytes: bytes / sorted.length,
    busy: (user + system) / 1e6 / elapsed,
  };
}
