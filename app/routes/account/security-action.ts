import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { Attempt } from "#functions/http/http-errors";
import {
  createEmailChangeSchema,
  createEndSessionSchema,
  createPasswordChangeSchema,
} from "~/domain/auth/account.schema";
import {
  createPasskeyAddSchema,
  createPasskeyRemoveSchema,
  createPasskeyRenameSchema,
} from "~/domain/auth/passkey.schema";
import { refuse } from "~/forms/result";
import { type MessageWords, packWords } from "~/forms/words";
import { SECURITY_PATH } from "./security-path";

const SECRETS = ["currentPassword", "password", "passwordConfirmation", "credential"];

/** Sends on when `work` succeeds; else hands back the form with what is wrong. What does not exist ends the page: 404. */
async function take<T>(
  form: FormData,
  schema: z.ZodType<T, unknown>,
  work: (value: T) => Promise<Attempt<unknown>>,
  toast: string,
) {
  const submission = parseWithZod(form, { schema: schema as z.ZodType<T, Record<string, unknown>> });
  const answer = (lastResult: SubmissionResult<string[]>, status: number) => data({ lastResult }, { status });
  if (submission.status !== "success")
    return answer(withoutCredential(submission.reply({ hideFields: SECRETS as never })), 400);
  const result = await work(submission.value);
  if (result.ok) throw redirect(`${SECURITY_PATH}?toast=${toast}`);
  const { failure } = result;
  if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  return answer(withoutCredential(refuse(submission as never, failure, SECRETS as never)), failure.status);
}

/** What is wrong with a form that has no field to say it beside. */
const refuseAll = (words: MessageWords, status: number) =>
  data({ lastResult: { error: { "": [packWords(words)] } } as SubmissionResult<string[]> }, { status });

/** What the browser answered stands in no field that anybody sees: what is wrong with it is said of the form. */
function withoutCredential(result: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const { credential, ...error } = result.error ?? {};
  return credential ? { ...result, error: { ...error, "": credential } } : result;
}

/** What the security page's forms ask for, by their intent. 400 with the form when it cannot be done. */
export async function changeSecurity({ context }: ActionFunctionArgs) {
  const { actor, user, sessionId, startedAt } = await context.session.require();
  const { services, attempt } = context;
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  switch (intent) {
    case "email":
      return take(
        form,
        createEmailChangeSchema(),
        (value) => attempt(services.account.requestEmailChange({ actor, ...value })),
        "email-sent",
      );
    case "email-again": {
      const result = await attempt(services.account.resendEmailChange({ actor }));
      if (result.ok) throw redirect(`${SECURITY_PATH}?toast=email-sent`);
      const { status, words } = result.failure;
      // None waits any more: the page says as much.
      if (status === 404) throw redirect(SECURITY_PATH);
      return refuseAll(words, status);
    }
    case "email-cancel":
      await services.account.cancelEmailChange({ actor });
      throw redirect(`${SECURITY_PATH}?toast=email-cancelled`);
    case "password":
      return take(
        form,
        createPasswordChangeSchema(),
        async ({ currentPassword, password }) => {
          const changed = await attempt(
            services.account.changePassword({ actor, sessionId, currentPassword, password }),
          );
          if (changed.ok && changed.value) context.session.start(changed.value);
          return changed;
        },
        "password-changed",
      );
    case "passkey-add":
      return take(
        form,
        createPasskeyAddSchema(),
        (value) => attempt(services.passkeys.addPasskey({ user, actor, ...value })),
        "passkey-added",
      );
    case "passkey-rename":
      return take(
        form,
        createPasskeyRenameSchema(),
        (value) => attempt(services.passkeys.renamePasskey({ actor, ...value })),
        "passkey-renamed",
      );
    case "passkey-remove":
      return take(
        form,
        createPasskeyRemoveSchema(),
        (value) => attempt(services.passkeys.removePasskey({ user, actor, startedAt, ...value })),
        "passkey-removed",
      );
    case "session-end":
      return take(
        form,
        createEndSessionSchema(),
        ({ session }) => attempt(services.account.endSession({ actor, handle: session })),
        "session-ended",
      );
    case "sessions-end-others":
      await services.account.endSessions({ actor, keep: sessionId });
      throw redirect(`${SECURITY_PATH}?toast=other-sessions-ended`);
    case "sessions-end-all":
      await services.account.endSessions({ actor, keep: null });
      await context.session.end();
      throw redirect("/login?toast=sessions-ended");
    default:
      return refuseAll({ key: "shared-owners:errors.form.invalid" }, 400);
  }
}
