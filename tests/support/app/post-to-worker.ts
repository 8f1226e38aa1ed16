/** Calls a worker from tests in Node: one request per call, on persistent connections. */
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** Shorter than the five seconds after which workerd closes idle connections. */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Posts a body to a worker and returns the whole response body. */
export const postTo = (to: URL, body: string | Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const clientRequest = request(to, { agent, method: "POST", headers }, (response) =>
      buffer(response).then(resolve, reject),
    );
    clientRequest
      .on("error", (error: NodeJS.ErrnoException) => {
        // On a busy machine, workerd may still close the connection during the request (Node's documentation of reusedSocket).
        if (clientRequest.reusedSocket && error.code === "ECONNRESET") postTo(to, body).then(resolve, reject);
        else reject(error);
      })
      .end(body);
  });
