import { createServer, type RequestListener } from "node:http";
import { afterEach, expect, it } from "vitest";
import { createWebhookSender } from "./webhook-sender";

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A server, and what is sent to it. */
async function receiver(listener: RequestListener, timeoutMs?: number) {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stops.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const send = createWebhookSender({ fetch, ...(timeoutMs && { timeoutMs }) });
  return () => send(`http://127.0.0.1:${port}/hook`, { "webhook-id": "msg_1" }, '{"a":1}');
}

it("posts the message as JSON and tells the answer's beginning", async () => {
  let asked = "";
  const send = await receiver((request, response) => {
    const { method, url, headers } = request;
    asked = [method, url, headers["content-type"], headers["webhook-id"]].join(" ");
    response.writeHead(422).end(`\u0000no\u001b ${"x".repeat(5000)}`);
  });
  expect(await send()).toEqual({ outcome: "answer", status: 422, answer: `no ${"x".repeat(297)}` });
  expect(asked).toBe("POST /hook application/json msg_1");
});

it("follows no redirect", async () => {
  let asked = 0;
  const send = await receiver((_request, response) => {
    asked++;
    response.writeHead(307, { location: "/elsewhere" }).end();
  });
  expect(await send()).toMatchObject({ outcome: "redirect", status: 307 });
  expect(asked).toBe(1);
});

it("reads of an endless answer only as much as it keeps", async () => {
  const send = await receiver((_request, response) => {
    response.writeHead(200);
    const more = () => {
      while (response.write("y".repeat(1000)));
    };
    response.on("drain", more);
    more();
  });
  expect(await send()).toEqual({ outcome: "delivered", status: 200, answer: "y".repeat(300) });
});

it("times out before a response and in the middle of one", async () => {
  const silent = await receiver(() => {}, 50);
  expect(await silent()).toEqual({ outcome: "timeout", status: null, answer: "" });
  const stuck = await receiver((_request, response) => response.writeHead(200).write("thank"), 50);
  expect(await stuck()).toEqual({ outcome: "delivered", status: 200, answer: "thank" });
});

it("reports an unreachable endpoint without the cause", async () => {
  const send = await receiver((request) => request.socket.destroy());
  expect(await send()).toEqual({ outcome: "network", status: null, answer: "" });
});
