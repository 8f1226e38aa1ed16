import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { createWebhookSender } from "./webhook-sender";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** Starts a server. Returns a function that sends a message to it. */
async function startEndpoint(listener: RequestListener, timeoutMs?: number) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const send = createWebhookSender({ fetch, ...(timeoutMs && { timeoutMs }) });
  return () => send(`http://127.0.0.1:${port}/hook`, { "webhook-id": "msg_1" }, '{"a":1}');
}

it("posts the message as JSON and returns the beginning of the response", async () => {
  let receivedRequest = "";
  const send = await startEndpoint(async (request, response) => {
    const { method, url, headers } = request;
    const body = await text(request);
    receivedRequest = [method, url, headers["content-type"], headers["webhook-id"], body].join(" ");
    response.writeHead(422).end(`\u0000no\u001b ${"x".repeat(5000)}`);
  });
  expect(await send()).toEqual({ outcome: "answer", status: 422, answer: `no ${"x".repeat(297)}` });
  expect(receivedRequest).toBe('POST /hook application/json msg_1 {"a":1}');
});

it("follows no redirect", async () => {
  let requestCount = 0;
  const send = await startEndpoint((_request, response) => {
    requestCount++;
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect(await send()).toMatchObject({ outcome: "redirect", status: 307 });
  expect(requestCount).toBe(1);
});

it("reads only the needed beginning of an endless response", async () => {
  const send = await startEndpoint((_request, response) => {
    response.writeHead(200);
    const writeMore = () => {
      while (response.write("y".repeat(1000)));
    };
    response.on("drain", writeMore);
    writeMore();
  });
  expect(await send()).toEqual({ outcome: "delivered", status: 200, answer: "y".repeat(300) });
});

it("times out before a response and in the middle of one", async () => {
  const sendToSilentEndpoint = await startEndpoint(() => {}, 50);
  expect(await sendToSilentEndpoint()).toEqual({ outcome: "timeout", status: null, answer: "" });
  const sendToStalledEndpoint = await startEndpoint(
    (_request, response) => response.writeHead(200).write("thank"),
    1_000,
  );
  expect(await sendToStalledEndpoint()).toEqual({ outcome: "delivered", status: 200, answer: "thank" });
});

it("reports a closed connection as a network error, without its cause", async () => {
  const send = await startEndpoint((request) => request.socket.destroy());
  expect(await send()).toEqual({ outcome: "network", status: null, answer: "" });
});
