import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { expect, it } from "vitest";
import { action } from "./event";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";

it("after deleting all visits the user returns to the same period and comparison", async () => {
  const form = new FormData();
  form.set("intent", "delete-visits");
  const context = {
    session: { require: async () => ({ actor: { userId: ID } }) },
    form: { read: async () => form },
    attempt: async () => ({ ok: true }),
    services: { visits: { deleteVisits: () => {} } },
  };
  const query = `period=weekly&at=2026-03-05&with=${ID}`;
  const request = new Request(`https://hiroba.example/event/${ID}/report?${query}&dialog=delete`);
  const submission = action({ params: { uuid: ID }, request, context } as unknown as ActionFunctionArgs);
  const response = (await submission.catch((thrown) => thrown)) as Response;
  expect(response.headers.get("location")).toBe(`/event/${ID}/report?${query}&toast=visits-deleted`);
});
