/** Serves the files of a test app to browsers, with the headers of `serveMedia`. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRecentReads } from "#functions/media/recent-reads";
import { type MediaRequestContext, serveMedia } from "#functions/media/serve-media";
import type { Actor } from "~/domain/auth/actor";
import type { TestApp } from "../app/test-app";
import { testImages } from "../app/test-images";

export interface MediaServer {
  readonly origin: string;
  /** Requested paths that are neither files nor pages. If a script of a file ran, it would request such a path. */
  readonly requestedPaths: readonly string[];
  close(): Promise<void>;
}

/**
 * Serves `/media/…` to one user, and at `/page` a page of the same origin without a content security policy.
 * @param body body of that page
 */
export async function startMediaServer(testApp: TestApp, actor: Actor, body: string): Promise<MediaServer> {
  const requestedPaths: string[] = [];
  const { images } = testImages(testApp.files);
  const mediaContext: MediaRequestContext = {
    env: { FILES: testApp.files },
    metadata: testApp.metadata,
    mediaOrigin: null,
    images,
    recentReads: createRecentReads(() => performance.now()),
    ticketOf: () => "ticket",
    defer: () => {},
    services: testApp.services,
    pageContext: () => ({
      session: { current: async () => ({ actor }) },
      visitor: { eventAccessCookie: () => null },
    }),
  };
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (url.pathname === "/page") {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(`<!doctype html><link rel="icon" href="data:,"><title>page</title>${body}`);
      return;
    }
    if (!url.pathname.startsWith("/media/")) {
      requestedPaths.push(url.pathname);
      response.writeHead(204).end();
      return;
    }
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const mediaResponse = await serveMedia(new Request(url, { headers }), mediaContext);
    response.writeHead(mediaResponse.status, Object.fromEntries(mediaResponse.headers));
    response.end(Buffer.from(await mediaResponse.arrayBuffer()));
  }
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    requestedPaths,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
