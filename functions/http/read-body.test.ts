import { expect, it } from "vitest";
import { drainBody, readBody } from "./read-body";
import { readForm } from "./read-form";
import { readUpload } from "./read-upload";

const FORM = "application/x-www-form-urlencoded";

/** An endless request without Content-Length, and the number of bytes that were read of it. */
function endlessRequest(type = FORM) {
  const bodyState = { bytes: 0, cancelled: false };
  const body = new ReadableStream({
    pull(controller) {
      const chunk = new Uint8Array(64 * 1024).fill(97);
      bodyState.bytes += chunk.byteLength;
      if (bodyState.bytes > 64 * 1024 * 1024) controller.close();
      else controller.enqueue(chunk);
    },
    cancel() {
      bodyState.cancelled = true;
    },
  });
  const init = { method: "POST", body, headers: { "content-type": type }, duplex: "half" };
  return { bodyState, request: new Request("https://h.example/", init as RequestInit) };
}

it("returns a body of at most the maximum size unchanged, and null for a larger one", async () => {
  const post = (body: string) => new Request("https://h.example/", { method: "POST", body });
  expect(new TextDecoder().decode((await readBody(post("広場"), 6)) ?? undefined)).toBe("広場");
  expect(await readBody(post("広場"), 5)).toBeNull();
  expect(await readBody(new Request("https://h.example/", { method: "POST" }), 0)).toEqual(new Uint8Array());
});

it("stops reading at the limit when the request declares no Content-Length", async () => {
  const { request, bodyState } = endlessRequest();
  expect(await readBody(request, 1024 * 1024)).toBeNull();
  expect(bodyState.bytes).toBeLessThan(1.5 * 1024 * 1024);
  expect(bodyState.cancelled).toBe(true);
});

it("rejects endless forms and uploads", async () => {
  const form = endlessRequest();
  await expect(readForm(form.request)).rejects.toMatchObject({ status: 413 });
  expect(form.bodyState.cancelled).toBe(true);
  const upload = endlessRequest("multipart/form-data; boundary=x");
  expect(await readUpload(upload.request, "file", 1000)).toMatchObject({ file: "too_large" });
  expect(upload.bodyState.bytes).toBeLessThan(1024 * 1024);
});

it("drains the rest of a body, so that the client receives the response, but only up to a limit", async () => {
  const { request, bodyState } = endlessRequest();
  await drainBody(request.body, 1024 * 1024);
  expect(bodyState.bytes).toBeLessThan(1.5 * 1024 * 1024);
  expect(bodyState.cancelled).toBe(true);
  const smallResponse = new Response("rest");
  await drainBody(smallResponse.body, 100);
  expect(smallResponse.bodyUsed).toBe(true);
  await drainBody(null, 100);
  const brokenStream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.error(new Error("cut")),
  });
  await drainBody(brokenStream, 100);
});
