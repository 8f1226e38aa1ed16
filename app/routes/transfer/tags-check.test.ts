import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import { action, loader } from "./tags-check";

const EVENT_ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const IMPORT_ID = "0b0f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b11";
const url = `/event/${EVENT_ID}/tags/${IMPORT_ID}`;

/** Creates the arguments of a request whose services fail with this status and code. */
function requestWith(status: number, code: string) {
  const fail = () => Promise.reject(new Response(null, { status }));
  const fields = code === "bad_file" ? { file: [{ key: "transfer:csv.problem.tooManyTags" }] } : {};
  const failure = { status, code, userMessage: { key: "general" }, fields };
  const context = {
    lang: "en",
    session: { require: async () => ({ actor: { userId: EVENT_ID } }) },
    services: { content: { getTagImport: fail, applyTagImport: fail } },
    attempt: (work: Promise<unknown>) => work.catch(() => ({ ok: false, failure })),
  };
  const request = new Request(`https://hiroba.example${url}`);
  const params = { uuid: EVENT_ID, importUuid: IMPORT_ID };
  return { params, request, context } as unknown as LoaderFunctionArgs & ActionFunctionArgs;
}

it("a checked file whose tags no longer fit into the event is rejected with the reason", async () => {
  const page = await loader(requestWith(400, "bad_file"));
  expect(page).toMatchObject({
    data: { eventId: EVENT_ID, problem: "transfer:csv.problem.tooManyTags" },
    init: { status: 400 },
  });
  const response = await action(requestWith(400, "bad_file")).catch((thrown: unknown) => thrown);
  expect((response as Response).headers.get("location")).toBe(url);
});

it("a file that does not exist is not found", async () => {
  for (const call of [loader, action]) {
    const response = await call(requestWith(404, "not_found")).catch((thrown: unknown) => thrown);
    expect((response as Response).status).toBe(404);
  }
});
