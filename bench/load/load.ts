/**
 * A load generator on plain sockets: keep-alive connections, one request at a time on each, and responses that are counted and
 * discarded. Node's HTTP clients spend more CPU time per request than the measured worker.
 */
import { connect, type Socket } from "node:net";
import { ResponseReader } from "../response-reader";
import { percentile } from "../spread";

/** A request that is serialised once and sent repeatedly. */
export interface LoadRequest {
  readonly method?: string;
  /** Path with query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The expected status, 200 by default. Any other status ends the measurement with an error. */
  readonly status?: number;
}

interface SerialisedRequest {
  readonly bytes: Buffer;
  readonly status: number;
  readonly path: string;
}

function serialise(origin: URL, request: LoadRequest): SerialisedRequest {
  const { method = "GET", path, headers = {}, body, status = 200 } = request;
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${origin.host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
  ];
  return { bytes: Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body ?? ""}`), status, path };
}

/** Requests to one origin that are sent in turn, repeatedly. A later run continues after the last request of the previous one. */
export class Load {
  readonly origin: URL;
  readonly #requests: readonly SerialisedRequest[];
  #sentCount = 0;

  constructor(origin: URL, requests: readonly LoadRequest[]) {
    this.origin = origin;
    if (requests.length === 0) throw new Error("There is no request to send.");
    this.#requests = requests.map((request) => serialise(origin, request));
  }

  nextRequest(): SerialisedRequest {
    return this.#requests[this.#sentCount++ % this.#requests.length] as SerialisedRequest;
  }
}

/** Figures of one run. */
export interface LoadResult {
  readonly requests: number;
  /** Requests per second. */
  readonly rate: number;
  /** Median milliseconds from a request to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  /** Mean number of body bytes per response. */
  readonly bytes: number;
  /**
   * CPU time of the generator itself, as a share of the elapsed time. Near 1, the generator is the bottleneck, so the figures do
   * not describe the worker.
   */
  readonly busy: number;
}

interface Connection {
  readonly socket: Socket;
  /** Receives incoming bytes. */
  onBytes: (bytes: Buffer) => void;
  /** Called when the connection ends or fails. */
  onFailure: (error: Error) => void;
}

function openConnection(origin: URL): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: origin.hostname,
      port: Number(origin.port),
      noDelay: true,
      // One buffer per connection, instead of one per packet.
      onread: {
        buffer: Buffer.allocUnsafe(64 * 1024),
        callback: (length, buffer) => {
          connection.onBytes((buffer as Buffer).subarray(0, length));
          return true;
        },
      },
    });
    const connection: Connection = { socket, onBytes: () => {}, onFailure: reject };
    socket.on("error", (error) => connection.onFailure(error));
    socket.on("close", () => connection.onFailure(new Error(`${origin.host} closed a connection`)));
    socket.on("connect", () => resolve(connection));
  });
}

/**
 * Sends requests on one connection, each after the response to the previous one, and resolves with the first response after `end`.
 * @param end time of `performance.now()` after which no request is sent
 */
function sendInTurn(
  load: Load,
  connection: Connection,
  end: number,
  onResponse: (latency: number, bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let currentRequest: SerialisedRequest;
    const send = () => {
      currentRequest = load.nextRequest();
      sentAt = performance.now();
      connection.socket.write(currentRequest.bytes);
    };
    const reader = new ResponseReader(({ status, bytes }) => {
      if (status !== currentRequest.status) {
        const path = currentRequest.path.replace(/\?.*/, "");
        reject(new Error(`${path} returned ${status} instead of ${currentRequest.status}`));
        return;
      }
      const now = performance.now();
      onResponse(now - sentAt, bytes);
      if (now < end) send();
      else resolve();
    });
    connection.onFailure = reject;
    connection.onBytes = (chunk) => {
      try {
        reader.push(chunk);
      } catch (error) {
        reject(error as Error);
      }
    };
    send();
  });
}

/**
 * Sends requests for some time, then waits for the outstanding responses.
 * @param connections number of concurrent requests
 * @param seconds time during which new requests are sent
 */
export async function runLoad(load: Load, connections: number, seconds: number): Promise<LoadResult> {
  const openConnections = await Promise.all(
    Array.from({ length: connections }, () => openConnection(load.origin)),
  );
  const latencies: number[] = [];
  let bytes = 0;
  const cpuBefore = process.threadCpuUsage();
  const start = performance.now();
  const end = start + seconds * 1000;

  try {
    await Promise.all(
      openConnections.map((connection) =>
        sendInTurn(load, connection, end, (latency, responseBytes) => {
          latencies.push(latency);
          bytes += responseBytes;
        }),
      ),
    );
  } finally {
    for (const { socket } of openConnections) socket.destroy();
  }
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.threadCpuUsage(cpuBefore);
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
