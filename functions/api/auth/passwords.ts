import * as z from "zod";
import { failureHeaders, isAppError, KIND_STATUS } from "#functions/http/http-errors";
import {
  createNewPasswordSchema,
  createRetrievePasswordSchema,
  newPasswordField,
} from "~/domain/auth/password.schema";
import { EMAIL_MAX, PASSWORD_MAX, PASSWORD_MIN } from "~/domain/shared/limits";
import { BODY_PROBLEMS, call } from "../core/call";
import { describe, uncheckedField, uncheckedOptionalField } from "../core/fields";
import { getErrorDetail, HttpError, httpProblem, problem, problemMembers } from "../core/problem";
import { type ApiCall, getClientNetwork, readJsonBody, readSession, validate } from "../core/request";
import { ProblemSchema } from "../core/schemas";

/** Kinds of errors that have status 200, because clients read `result` (specification §5). */
const RESULT_KINDS: ReadonlySet<string> = new Set(["invalid", "not_found", "gone"]);

const FAIL = { result: "fail" } as const;

const { email } = createRetrievePasswordSchema().shape;
const emailJson = { type: "string", maxLength: EMAIL_MAX, examples: ["owner@demo.example"] };
const passwordJson = { type: "string", minLength: PASSWORD_MIN, maxLength: PASSWORD_MAX };

/** The result of a call that requests or sets a password. Expected failures also have status 200. */
const ResultSchema = z
  .union([
    z.object({ result: z.literal("success") }),
    z.object({
      result: z.literal("fail"),
      code: z.string(),
      message: z.string(),
      errors: ProblemSchema.shape.errors,
      values: ProblemSchema.shape.values,
    }),
  ])
  .meta({ id: "Result" });
const RESULT_DESCRIPTION =
  "`result` states success or failure. These failures also have status 200: `link_unknown`, `link_used`, `link_expired`, `invalid` and `weak_password` with the fields, and for an administrator `unknown_email`.";

/** Declares the call that requests a mail. It exists at two URLs, each with its own id. */
const passwordMailCall = (id: string, path: string) =>
  call({
    id,
    method: "POST",
    path,
    tag: "account",
    summary: "Request a mail for setting a new password",
    description: `The response does not reveal whether the account exists. ${RESULT_DESCRIPTION}`,
    who: "anyone",
    // `documented` is only described in the OpenAPI document. The handler reads and validates the body, because invalid fields are part of the result here.
    body: { documented: z.object({ email: describe(email, emailJson) }) },
    response: ResultSchema,
    problems: [...BODY_PROBLEMS, "mail_not_sent", "rate_limited", "cross_site"],
    handle: ({ c, services }) =>
      respondWithResult(c, async () => {
        const { email } = await validate(createRetrievePasswordSchema(), await readJsonBody(c));
        const actor = (await readSession(c))?.actor ?? null;
        await services.passwords.requestReset({ actor, email, network: getClientNetwork(c) });
      }),
  });

/** Password retrieval (specification §7), at the URLs that earlier clients call: below /default/user. */
export const passwordCalls = [
  passwordMailCall("retrievePassword", "/default/user/retrieve_password"),
  passwordMailCall("requestResetPassword", "/default/user/request_reset_password"),

  call({
    id: "resetPassword",
    method: "POST",
    path: "/default/user/reset_password",
    tag: "account",
    summary: "Set a new password with the link from a mail",
    description: `It ends all sessions of the account and creates no session. ${RESULT_DESCRIPTION}`,
    who: "anyone",
    body: {
      documented: z.object({
        token: uncheckedOptionalField({
          type: ["string", "null"],
          description: "The token of the mail's link.",
        }),
        password: describe(newPasswordField, passwordJson),
        password_confirmation: uncheckedField({ ...passwordJson, description: "Repeats the password." }),
      }),
    },
    response: ResultSchema,
    problems: [...BODY_PROBLEMS, "rate_limited"],
    handle: ({ c, services }) =>
      respondWithResult(c, async () => {
        const body = await readJsonBody(c);
        const { password } = await validate(createNewPasswordSchema(), {
          password: body.password,
          passwordConfirmation: body.password_confirmation,
        });
        const token = typeof body.token === "string" ? body.token : null;
        await services.passwords.resetPassword({ token, password });
      }),
  }),
];

/** Returns `{result: "success"}`, or `{result: "fail"}` with the code and the messages. HttpErrors and the other AppErrors are problem documents with `result: "fail"`. */
async function respondWithResult(c: ApiCall, work: () => Promise<void>): Promise<Response> {
  // Clients show these messages to users, so they are translated text.
  const translate = c.env.messagesFor(c.req.raw);
  try {
    await work();
    return c.json({ result: "success" });
  } catch (error) {
    if (error instanceof HttpError) return httpProblem(error, translate, FAIL);
    if (!isAppError(error)) throw error;
    const { kind, code } = error;
    const detail = getErrorDetail(error, translate);
    const body = { ...FAIL, ...problemMembers(error, translate) };
    return RESULT_KINDS.has(kind)
      ? c.json({ ...body, code, message: detail })
      : problem(KIND_STATUS[kind], code, { ...body, detail }, failureHeaders(error));
  }
}
