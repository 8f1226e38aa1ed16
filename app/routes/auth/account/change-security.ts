import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import type * as z from "zod";
import type { ServiceResult } from "#functions/http/http-errors";
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
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage, type UserMessage } from "~/forms/shared/user-message";
import { SECURITY_PATH } from "./security-path";

const SECRETS = ["currentPassword", "password", "passwordConfirmation", "credential"];

/**
 * Parses a form and calls `perform` with its values. Success redirects with a toast, invalid or rejected input returns the form with its errors, and a
 * missing record is a 404.
 */
async function submitForm<T>(
  form: FormData,
  schema: z.ZodType<T, unknown>,
  perform: (value: T) => Promise<ServiceResult<unknown>>,
  toast: string,
) {
  const submission = parseWithZod(form, { schema: schema as z.ZodType<T, Record<string, unknown>> });
  const respond = (lastResult: SubmissionResult<string[]>, status: number) =>
    data({ lastResult }, { status });
  if (submission.status !== "success")
    return respond(withoutCredential(submission.reply({ hideFields: SECRETS as never })), 400);
  const result = await perform(submission.value);
  if (result.ok) throw redirect(`${SECURITY_PATH}?toast=${toast}`);
  const { failure } = result;
  if (failure.status === 404) throw new Response(null, { status: 404, statusText: "Not Found" });
  return respond(
    withoutCredential(rejectForm(submission as never, failure, SECRETS as never)),
    failure.status,
  );
}

/** Response with an error that belongs to no field. */
const rejectRequest = (message: UserMessage, status: number) =>
  data({ lastResult: { error: { "": [packMessage(message)] } } as SubmissionResult<string[]> }, { status });

/** Moves an error of the hidden credential field to the form, where users can see it. */
function withoutCredential(result: SubmissionResult<string[]>): SubmissionResult<string[]> {
  const { credential, ...error } = result.error ?? {};
  return credential ? { ...result, error: { ...error, "": credential } } : result;
}

/** Handles the forms of the security page by their intent. A rejected form returns an error status with its messages. */
export async function changeSecurity({ context }: ActionFunctionArgs) {
  const { actor, user, sessionId, authenticatedAt } = await context.session.require();
  const { services, attempt } = context;
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  switch (intent) {
    case "email":
      return submitForm(
        form,
        createEmailChangeSchema(),
        (value) => attempt(services.account.requestEmailChange({ actor, ...value })),
        "email-sent",
      );
    case "email-again": {
      const result = await attempt(services.account.resendEmailChange({ actor }));
      if (result.ok) throw redirect(`${SECURITY_PATH}?toast=email-sent`);
      const { status, userMessage } = result.failure;
      // No change of the address is pending any more, so the page is loaded again.
      if (status === 404) throw redirect(SECURITY_PATH);
      return rejectRequest(userMessage, status);
    }
    case "email-cancel":
      await services.account.cancelEmailChange({ actor });
      throw redirect(`${SECURITY_PATH}?toast=email-cancelled`);
    case "password":
      return submitForm(
        form,
        createPasswordChangeSchema(),
        async ({ currentPassword, password }) => {
          const changeResult = await attempt(
            services.account.changePassword({ actor, sessionId, currentPassword, password }),
          );
          if (changeResult.ok && changeResult.value) context.session.start(changeResult.value);
          return changeResult;
        },
        "password-changed",
      );
    case "passkey-add":
      return submitForm(
        form,
        createPasskeyAddSchema(),
        (value) => attempt(services.passkeys.addPasskey({ user, actor, ...value })),
        "passkey-added",
      );
    case "passkey-rename":
      return submitForm(
        form,
        createPasskeyRenameSchema(),
        (value) => attempt(services.passkeys.renamePasskey({ actor, ...value })),
        "passkey-renamed",
      );
    case "passkey-remove":
      return submitForm(
        form,
        createPasskeyRemoveSchema(),
        (value) => attempt(services.passkeys.removePasskey({ user, actor, authenticatedAt, ...value })),
        "passkey-removed",
      );
    case "session-end":
      return submitForm(
        form,
        createEndSessionSchema(),
        ({ session }) => attempt(services.account.endSession({ actor, handle: session })),
        "session-ended",
      );
    case "sessions-end-others":
      await services.account.endSessions({ actor, exceptSessionId: sessionId });
      throw redirect(`${SECURITY_PATH}?toast=other-sessions-ended`);
    case "sessions-end-all":
      await services.account.endSessions({ actor, exceptSessionId: null });
      await context.session.end();
      throw redirect("/login?toast=sessions-ended");
    default:
      return rejectRequest({ key: "shared-owners:errors.form.invalid" }, 400);
  }
}
