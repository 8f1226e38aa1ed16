/** Bindings of a worker that tests in Node use: one request a call, on connections that stay open. */
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";

/** workerd closes connections that nobody has used for five seconds: they are given up before. */
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Posts a body to a worker and answers what comes back, whole. */
export const postTo = (to: URL, body: string | Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const headers = { "content-length": Buffer.byteLength(body) };
    const clientRequest = request(to, { agent, method: "POST", headers }, (response) =>
      buffer(response).then(resolve, reject),
    );
    clientRequest
      .on("error", (error: NodeJS.ErrnoException) => {
        // On a busy machine it was closed all the same while the request was on its way (Node's documentation of reusedSocket).
        if (clientRequest.reusedSocket && error.code === "ECONNRESET") postTo(to, body).then(resolve, reject);
        else reject(error);
      })
      .end(body);
  });
