import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";

/** Encodings of a response, the smallest first. */
const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number];

/** Quality of Brotli for files that are compressed once, and for pages that are compressed for each response. */
const FILE_QUALITY = 10;
const PAGE_QUALITY = 5;
const brotliQuality = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });

const compressFile: Record<Encoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) => promisify(brotliCompress)(bytes, brotliQuality(FILE_QUALITY)),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};
/** A page may arrive in parts, and each part must reach the browser at once. */
const compressPage = {
  br: () => createBrotliCompress({ ...brotliQuality(PAGE_QUALITY), flush: constants.BROTLI_OPERATION_FLUSH }),
  gzip: () => createGzip({ flush: constants.Z_SYNC_FLUSH }),
};

const isCompressible = (type: string) =>
  /^(text\/|image\/svg|application\/(json|wasm|javascript|manifest\+json))/.test(type);

/** The smallest encoding that a browser accepts; null for none. */
export const acceptedEncoding = (header: string | undefined): Encoding | null =>
  ENCODINGS.find((encoding) =>
    header?.split(",").some((item) => {
      const [name, quality] = item.trim().split(/\s*;\s*/);
      return name === encoding && !/^q=0(\.0*)?$/.test(quality ?? "");
    }),
  ) ?? null;

/** A server in front of the worker's own socket. */
export interface CompressingServer {
  readonly origin: string;
  stop(): Promise<void>;
}

/**
 * Serves a local product as Cloudflare's network does: static files are sent compressed. Each is compressed once per encoding and kept in memory.
 * @param workerPort port of the worker's socket on 127.0.0.1
 * @param compressPages whether pages are compressed too, as on the network; it takes more processor time than sending a cached page
 */
export async function startCompressingServer(options: {
  readonly port: number;
  readonly workerPort: number;
  readonly compressPages: boolean;
}): Promise<CompressingServer> {
  const { port, workerPort, compressPages } = options;
  const agent = new Agent({ keepAlive: true });
  const files = new Map<string, Promise<Buffer>>();

  /**
   * Sends a request to the worker. workerd closes a connection that has been idle for some seconds. If it does so while a GET or HEAD
   * request is being sent, the request is sent again on another connection.
   */
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse, connections: Agent | false = agent) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { method, url: path, headers } = incoming;
      const hasBody = "content-length" in headers || "transfer-encoding" in headers;
      const canRepeat = !hasBody && (method === "GET" || method === "HEAD");
      // The entity tag of a compressed file is weak, and the worker compares strong ones.
      const entityTags = headers["if-none-match"]?.replaceAll("W/", "");
      const workerRequest = request(
        {
          agent: connections,
          method,
          path,
          host: "127.0.0.1",
          port: workerPort,
          headers: { ...headers, ...(entityTags && { "if-none-match": entityTags }) },
          setHost: false,
        },
        resolve,
      );
      workerRequest.on("error", (error: NodeJS.ErrnoException) => {
        if (workerRequest.reusedSocket && error.code === "ECONNRESET" && canRepeat && !outgoing.destroyed)
          forward(incoming, outgoing, false).then(resolve, reject);
        else reject(error);
      });
      outgoing.on("close", () => {
        if (!outgoing.writableFinished) workerRequest.destroy();
      });
      if (canRepeat) workerRequest.end();
      else pipeline(incoming, workerRequest).catch(reject);
    });

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const response = await forward(incoming, outgoing);
    const { statusCode = 502, statusMessage, headers } = response;
    const type = headers["content-type"] ?? "";
    const isFile = /^\/assets\/|\.(svg|json|txt)$/.test((incoming.url ?? "").replace(/\?.*/, ""));
    const isPage = type.startsWith("text/html");
    const canEncode = statusCode === 200 && !headers["content-encoding"] && !headers["content-range"];
    const isEncodable = canEncode && (isPage ? compressPages : isFile && isCompressible(type));
    const encoding = isEncodable ? acceptedEncoding(incoming.headers["accept-encoding"]) : null;
    const pairs = toPairs(response.rawHeaders);
    if (encoding === null || incoming.method !== "GET") {
      outgoing.writeHead(statusCode, statusMessage, pairs.flat());
      return pipeline(response, outgoing);
    }
    const responsePairs = pairs.flatMap(([name, value]): (readonly [string, string])[] => {
      const lowerName = name.toLowerCase();
      if (lowerName === "content-length" || lowerName === "transfer-encoding") return [];
      return [[name, lowerName === "etag" ? value.replace(/^(?!W\/)/, "W/") : value]];
    });
    responsePairs.push(["content-encoding", encoding], ["vary", "accept-encoding"]);
    if (isPage) {
      outgoing.writeHead(statusCode, statusMessage, responsePairs.flat());
      return pipeline(response, compressPage[encoding](), outgoing);
    }
    const key = `${encoding} ${incoming.url} ${headers.etag}`;
    const file = files.get(key) ?? buffer(response).then(compressFile[encoding]);
    files.set(key, file);
    // Discards the worker's body, which is not needed when the compressed file is in memory.
    response.resume();
    const bytes = await file.catch((error: unknown) => {
      files.delete(key);
      throw error;
    });
    outgoing.writeHead(statusCode, statusMessage, [
      ...responsePairs.flat(),
      "content-length",
      String(bytes.length),
    ]);
    outgoing.end(bytes);
  };

  const server = createServer({ requireHostHeader: false }, (incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Uploads may take any time.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  return {
    origin: `http://localhost:${typeof address === "object" && address ? address.port : port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names and values of raw headers, without those that apply to one connection only. */
const toPairs = (raw: readonly string[]): (readonly [name: string, value: string])[] =>
  raw.flatMap((name, index) =>
    index % 2 === 1 || /^(connection|keep-alive)$/i.test(name) ? [] : [[name, raw[index + 1] ?? ""] as const],
  );
