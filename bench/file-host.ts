/**
 * Simulates a bucket in this process for a worker whose bucket is remote (`withRemoteBucket`). It implements only the part of R2 that one upload
 * needs.
 */
import { createReadStream, createWriteStream, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import { UPLOAD_PART_BYTES } from "../app/domain/shared/limits";

/** Time for which an idle connection stays open. It is longer than any measurement, so that only the client closes connections. */
const KEEP_ALIVE_MS = 600_000;

/**
 * Starts the host, which stores uploads in one file.
 * @returns its address as host:port, and a function that stops it
 */
export async function startFileHost(path: string): Promise<{ host: string; stop(): void }> {
  const handleUpload = async (request: IncomingMessage, url: URL): Promise<unknown> => {
    if (url.pathname === "/begin") {
      writeFileSync(path, "");
      return "upload";
    }
    if (url.pathname === "/complete") return { size: statSync(path).size };
    const number = Number(url.searchParams.get("number"));
    const start = (number - 1) * UPLOAD_PART_BYTES;
    await pipeline(request, createWriteStream(path, { flags: "r+", start }));
    return { etag: String(number) };
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, async (request, response) => {
    try {
      const url = new URL(request.url ?? "/", "http://host");
      if (url.pathname === "/read") {
        const [start, length] = ["offset", "length"].map((name) => Number(url.searchParams.get(name)));
        await pipeline(createReadStream(path, { start, end: Number(start) + Number(length) - 1 }), response);
        return;
      }
      response.end(JSON.stringify(await handleUpload(request, url)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The host has no address");
  return {
    host: `127.0.0.1:${address.port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
