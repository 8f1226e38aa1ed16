/** A small server that implements the API calls of an upload: those for uploads, folders and thumbnails. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerUpload } from "~/features/library/uploads/entry";

/** Bytes per slice, small enough that files of a few hundred bytes have several slices. */
export const PART_BYTES = 64;
/** Id of the user who uploads, whose library is the default. */
export const UPLOADER_ID = "user-1";

interface Rejection {
  readonly status: number;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server's state of an upload. */
export interface StoredUpload extends Omit<ServerUpload, "parts"> {
  readonly parts: Map<number, Buffer>;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts the server. `requests` lists what it received, for example "PUT 2" for a second slice or "POST uploads" for an upload. */
export async function startFakeServer() {
  const uploads = new Map<string, StoredUpload>();
  const items = new Map<string, { readonly bytes: Buffer; readonly folder: string | null }>();
  const folders: { uuid: string; parent_uuid: string; name: string }[] = [
    { uuid: "root", parent_uuid: "", name: "" },
  ];
  const thumbnails: string[] = [];
  const requests: string[] = [];
  const state = {
    /**
     * Replaces the response of a request. With undefined, the server responds as usual; "drop" closes the connection without handling the request,
     * "lose" closes it after handling the request.
     */
    replaceResponse: (_label: string): Rejection | "drop" | "lose" | undefined => undefined,
    /** Delays a request until the promise resolves. */
    delay: (_label: string): Promise<void> | undefined => undefined,
    activeRequests: 0,
    maxActiveRequests: 0,
  };
  let lastId = 0;
  const uploadJson = (upload: StoredUpload) => ({
    ...upload,
    parts: [...upload.parts].map(([number, bytes]) => ({ number, byte_size: bytes.length })),
  });
  const respond = (method: string, path: readonly string[], body: Buffer): readonly [number, unknown] => {
    const [resource = "", id = "", action = "", number = ""] = path;
    const readFields = () => JSON.parse(body.toString() || "{}") as Record<string, string & number>;
    if (resource === "folders") {
      if (method === "GET") return [200, folders];
      const { name = "", parent_uuid = "" } = readFields();
      const folder = { uuid: `folder-${++lastId}`, name, parent_uuid };
      folders.push(folder);
      return [200, folder];
    }
    if (resource === "media") {
      thumbnails.push(`${id} ${body.length}`);
      return [200, {}];
    }
    if (id === "") {
      if (method === "GET") return [200, [...uploads.values()].map(uploadJson)];
      const {
        folder_uuid,
        owner_uuid,
        replaces_uuid,
        file_name = "",
        byte_size = 0,
        fingerprint = "",
      } = readFields();
      const upload: StoredUpload = {
        uuid: `upload-${++lastId}`,
        media_uuid: `item-${lastId}`,
        folder_uuid: folder_uuid ?? null,
        owner_uuid: owner_uuid ?? UPLOADER_ID,
        replaces_uuid: replaces_uuid ?? null,
        file_name,
        byte_size,
        fingerprint,
        part_size: PART_BYTES,
        parts: new Map(),
      };
      uploads.set(upload.uuid, upload);
      return [200, uploadJson(upload)];
    }
    const upload = uploads.get(id);
    if (action === "complete" && !upload) {
      const isComplete = items.has(readFields().media_uuid ?? "");
      return isComplete
        ? [200, { uuid: readFields().media_uuid, kind: "image" }]
        : [404, { code: "upload_gone" }];
    }
    if (!upload) return [404, { code: "upload_gone" }];
    if (action === "parts") {
      upload.parts.set(Number(number), body);
      return [200, { number: Number(number), byte_size: body.length }];
    }
    if (action === "complete") {
      const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const bytes = Buffer.concat(parts);
      if (bytes.length !== upload.byte_size) return [400, { code: "upload_incomplete" }];
      items.set(upload.media_uuid, { bytes, folder: upload.folder_uuid });
      uploads.delete(id);
      return [200, { uuid: upload.media_uuid, kind: "image", file_name: upload.file_name }];
    }
    if (method === "DELETE") uploads.delete(id);
    return [200, uploadJson(upload)];
  };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://x").pathname.split("/").slice(3);
    const label = `${request.method} ${path.at(-1)}`;
    requests.push(label);
    state.activeRequests++;
    state.maxActiveRequests = Math.max(state.maxActiveRequests, state.activeRequests);
    try {
      const body = await bodyOf(request);
      await state.delay(label);
      const replacement = state.replaceResponse(label);
      if (replacement === "drop") return void request.socket.destroy();
      const [status, result] =
        replacement && replacement !== "lose"
          ? [replacement.status, { code: replacement.code }]
          : respond(request.method ?? "", path, body);
      if (replacement === "lose") return void request.socket.destroy();
      response.writeHead(status, { "content-type": "application/json", ...replacement?.headers });
      response.end(JSON.stringify(result));
    } catch {
      // The client closed the connection.
    } finally {
      state.activeRequests--;
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    return new Promise((done) => server.close(done));
  };
  return { origin, uploads, items, folders, thumbnails, requests, state, close };
}

/** The running server, its state, and what it received. */
export type FakeServer = Awaited<ReturnType<typeof startFakeServer>>;
