import { createServer, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { buffer, text } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acceptedEncoding, type CompressingServer, startCompressingServer } from "./compressing-server";

const SCRIPT = "export const word = 'indigo';".repeat(200);
const PAGE = `<!DOCTYPE html>${"<p>Indigo</p>".repeat(200)}`;

const usedConnections = new WeakSet<Socket>();
/** Simulates the worker. */
const worker = createServer(async (incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const entityTag = '"1"';
  if (method === "POST") return void outgoing.end(`${headers.host} ${await text(incoming)}`);
  if (url === "/page") {
    outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": ["a=1", "b=2"] });
    return void outgoing.end(PAGE);
  }
  if (url === "/idle") {
    // Closes a connection that has been used before, as workerd does when it has been idle.
    if (usedConnections.has(incoming.socket)) return void incoming.socket.destroy();
    usedConnections.add(incoming.socket);
    return void outgoing.end("open");
  }
  if (url === "/broken") return void outgoing.destroy();
  if (url === "/media/1") {
    outgoing.writeHead(206, { "content-type": "text/plain", "content-range": "bytes 0-3/9" });
    return void outgoing.end("part");
  }
  if (headers["if-none-match"] === entityTag) return void outgoing.writeHead(304, { etag: entityTag }).end();
  outgoing.writeHead(200, {
    "content-type": "text/javascript",
    etag: entityTag,
    "cache-control": "immutable",
  });
  return void outgoing.end(SCRIPT);
});
let plain: CompressingServer;
let compressing: CompressingServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  const workerPort = (worker.address() as AddressInfo).port;
  plain = await startCompressingServer({ port: 0, workerPort, compressPages: false });
  compressing = await startCompressingServer({ port: 0, workerPort, compressPages: true });
});
afterAll(async () => {
  await Promise.all([plain.stop(), compressing.stop()]);
  worker.close();
  worker.closeAllConnections();
});

/** Sends a request whose response is not decompressed. */
const get = (server: CompressingServer, path: string, headers: Record<string, string> = {}, body?: string) =>
  new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
    (resolve, reject) => {
      const clientRequest = request(
        `${server.origin}${path}`,
        { headers, method: body ? "POST" : "GET" },
        async (response) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: await buffer(response),
          }),
      );
      clientRequest.on("error", reject);
      clientRequest.end(body);
    },
  );

describe("the compressing server", () => {
  test("sends scripts in the smallest encoding that the browser accepts", async () => {
    const brotli = await get(plain, "/assets/a.js", { "accept-encoding": "gzip, deflate, br" });
    expect(brotli.headers).toMatchObject({
      "content-encoding": "br",
      "cache-control": "immutable",
      vary: "accept-encoding",
      etag: 'W/"1"',
      "content-length": String(brotli.body.length),
    });
    expect(brotliDecompressSync(brotli.body).toString()).toBe(SCRIPT);
    const gzip = await get(plain, "/assets/a.js", { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.body).toString()).toBe(SCRIPT);
    const identity = await get(plain, "/assets/a.js");
    expect(identity.headers["content-encoding"]).toBeUndefined();
    expect(identity.body.toString()).toBe(SCRIPT);
  });

  test("recognises its own entity tag", async () => {
    const response = await get(plain, "/assets/a.js", { "accept-encoding": "br", "if-none-match": 'W/"1"' });
    expect(response.status).toBe(304);
  });

  test("compresses pages only if that is requested", async () => {
    const headers = { "accept-encoding": "br" };
    const [plainPage, compressed] = [
      await get(plain, "/page", headers),
      await get(compressing, "/page", headers),
    ];
    expect(plainPage.headers["content-encoding"]).toBeUndefined();
    expect(plainPage.body.toString()).toBe(PAGE);
    expect(compressed.headers).toMatchObject({ "content-encoding": "br", "set-cookie": ["a=1", "b=2"] });
    expect(brotliDecompressSync(compressed.body).toString()).toBe(PAGE);
  });

  test("passes on a partial response and a request with a body unchanged", async () => {
    const part = await get(compressing, "/media/1", { "accept-encoding": "br" });
    expect([part.status, part.headers["content-encoding"], part.body.toString()]).toEqual([
      206,
      undefined,
      "part",
    ]);
    const postResponse = await get(compressing, "/page", { host: "hiroba.example" }, "text");
    expect(postResponse.body.toString()).toBe("hiroba.example text");
  });

  test("sends a request again when the worker closes an idle connection", async () => {
    for (let visit = 0; visit < 3; visit++) expect((await get(plain, "/idle")).body.toString()).toBe("open");
  });

  test("ends the connection when the worker does", async () => {
    await expect(get(plain, "/broken")).rejects.toThrow("socket hang up");
  });
});

test.each([
  [undefined, null],
  ["", null],
  ["identity", null],
  ["gzip;q=0.5, br;q=1.0", "br"],
  ["gzip, br;q=0.0", "gzip"],
])("for the Accept-Encoding header %j the encoding is %j", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});
