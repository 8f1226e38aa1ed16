import type { Hono } from "hono";
import { failureHeaders, isAppError, STATUS } from "#functions/platform/attempt";
import { createNewPasswordSchema, createRetrievePasswordSchema } from "~/domain/password.schema";
import type { ApiEnv } from "./context";
import { detailOf, HttpError, httpProblem, members, problem } from "./problem";
import { type ApiCall, check, ipOf, readBody, session } from "./request";

/** Failures that are the answer to the question, and so come with status 200: clients read `result` (§5). */
const ANSWERS: ReadonlySet<string> = new Set(["invalid", "not_found", "gone"]);

const FAIL = { result: "fail" } as const;

/** Password retrieval (§7), at the addresses that earlier clients call: below /default/user. */
export function passwordRoutes(app: Hono<ApiEnv>): void {
  const request = (c: ApiCall) =>
    answer(c, async () => {
      const { email } = await check(createRetrievePasswordSchema(), await readBody(c));
      const actor = (await session(c))?.actor ?? null;
      await c.env.services.passwords.requestReset({ actor, email, ip: ipOf(c) });
    });
  app.post("/default/user/retrieve_password", request);
  app.post("/default/user/request_reset_password", request);

  app.post("/default/user/reset_password", (c) =>
    answer(c, async () => {
      const body = await readBody(c);
      const { password } = await check(createNewPasswordSchema(), {
        password: body.password,
        passwordConfirmation: body.password_confirmation,
      });
      const token = typeof body.token === "string" ? body.token : null;
      await c.env.services.passwords.resetPassword({ token, password });
    }),
  );
}

/** `{result: "success"}`, or `{result: "fail"}` with the code and the words, as a problem document where the call itself went wrong. */
async function answer(c: ApiCall, work: () => Promise<void>): Promise<Response> {
  // Clients show people what they are told here: in words.
  const say = c.env.wordsFor(c.req.raw);
  try {
    await work();
    return c.json({ result: "success" });
  } catch (error) {
    if (error instanceof HttpError) return httpProblem(error, say, FAIL);
    if (!isAppError(error)) throw error;
    const { kind, code } = error;
    const detail = detailOf(error, say);
    const told = { ...FAIL, ...members(error, say) };
    return ANSWERS.has(kind)
      ? c.json({ ...told, code, message: detail })
      : problem(STATUS[kind], code, { ...told, detail }, failureHeaders(error));
  }
}
