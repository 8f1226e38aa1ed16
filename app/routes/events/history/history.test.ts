import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { expect, test, vi } from "vitest";
import { action } from "./history";

const ID = "6f1f7a5c-7f7c-4b1e-9d53-0a4d3c1c2b10";

test("a restore after later changes is reported as outdated, and an invalid change number is rejected", async () => {
  const restoreState = vi.fn(async (_input: object) => ({
    ok: false,
    failure: { status: 409, kind: "conflict" },
  }));
  const post = async (fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ intent: "restore", ...fields })) form.set(name, value);
    const context = {
      session: { require: async () => ({ actor: { id: ID } }) },
      form: { read: async () => form },
      attempt: (call: unknown) => call,
      services: { history: { restoreState } },
    };
    const request = new Request(`https://hiroba.example/event/${ID}/history`);
    return action({ params: { uuid: ID }, request, context } as unknown as ActionFunctionArgs);
  };
  const outdatedResponse = await post({ seq: "3", expected: "5" });
  expect(outdatedResponse).toMatchObject({ init: { status: 409 }, data: { isOutdated: true, undo: null } });
  expect(restoreState).toHaveBeenCalledWith(expect.objectContaining({ seq: 3, expected: 5 }));
  await expect(post({ seq: "3", expected: "soon" })).rejects.toMatchObject({ status: 400 });
  expect(restoreState).toHaveBeenCalledTimes(1);
});
