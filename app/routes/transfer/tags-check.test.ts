import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import { attempt, withHttpErrors } from "#functions/http/http-errors";
import { InvalidError, NotFoundError } from "#functions/services/shared/errors";
import { action, loader } from "./tags-check";

const EVENT_ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";
const IMPORT_ID = "0b0f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b11";
const url = `/event/${EVENT_ID}/tags/${IMPORT_ID}`;

/** Arguments of a request for a checked file, whose services fail with an error. */
function requestWith(error: Error) {
  const fail = () => Promise.reject(error);
  const context = {
    lang: "en",
    session: { require: async () => ({ actor: { userId: EVENT_ID } }) },
    services: withHttpErrors({ content: { getTagImport: fail, applyTagImport: fail } }),
    attempt: (work: Promise<unknown>) =>
      attempt(work, (message) => ({ ...message, text: `text of ${message.key}` })),
  };
  const request = new Request(`https://hiroba.example${url}`);
  return {
    params: { uuid: EVENT_ID, importUuid: IMPORT_ID },
    request,
    context,
  } as unknown as LoaderFunctionArgs & ActionFunctionArgs;
}

const tooManyTags = new InvalidError({ file: [{ key: "transfer:csv.problem.tooManyTags" }] }, "bad_file");

it("a checked file whose tags no longer fit into the event is rejected with the reason", async () => {
  const page = await loader(requestWith(tooManyTags));
  expect(page).toMatchObject({
    data: { eventId: EVENT_ID, problem: "=text of transfer:csv.problem.tooManyTags" },
    init: { status: 400 },
  });
  const response = (await action(requestWith(tooManyTags)).catch((thrown: unknown) => thrown)) as Response;
  expect(response.headers.get("location")).toBe(url);
});

it("a file that does not exist is not found", async () => {
  for (const call of [loader, action]) {
    const response = await call(requestWith(new NotFoundError("import"))).catch((thrown: unknown) => thrown);
    expect((response as Response).status).toBe(404);
  }
});
