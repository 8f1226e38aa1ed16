import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createPasskeyAddSchema } from "~/domain/auth/passkey.schema";
import { safeNext } from "~/domain/auth/redirect";
import { createPresenceSchema, createSecondFactorSchema } from "~/domain/auth/second-factor.schema";
import { startPage } from "~/domain/auth/session";
import { rejectForm } from "~/forms/shared/reject-form";
import { SECURITY_PATH } from "./security-path";
import { createSetupFormData } from "./setup-form-data.server";

const EMPTY_RESULT = { lastResult: null, setup: null, codes: null } as const;

/** Response to a form with errors. */
const respondWithErrors = (
  lastResult: SubmissionResult<string[]>,
  status: number,
  setup: ReturnType<typeof createSetupFormData> | null = null,
) => data({ ...EMPTY_RESULT, lastResult, setup }, { status });

/** Handles the forms of the second factor's page by their intent. Recovery codes are in this response and nowhere else. */
export async function changeSecondFactor({ request, context }: ActionFunctionArgs) {
  const { actor, user, authenticatedAt } = await context.session.require({ allowsMissingFactor: true });
  const { secondFactor, passkeys } = context.services;
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  const sessionInput = { actor, user, authenticatedAt };
  const hideFields = ["currentPassword" as const];

  if (intent === "passkey-add") {
    const submission = parseWithZod(form, { schema: createPasskeyAddSchema() });
    if (submission.status !== "success")
      return respondWithErrors(
        submission.reply({ formErrors: ["auth:errors.passkey.failed"], hideFields: ["credential"] }),
        400,
      );
    const result = await context.attempt(passkeys.addPasskey({ ...sessionInput, ...submission.value }));
    if (!result.ok) {
      const userMessage = Object.values(result.failure.fields)[0]?.[0] ?? result.failure.userMessage;
      const failure = { ...result.failure, userMessage, fields: {} };
      return respondWithErrors(rejectForm(submission, failure, ["credential"]), failure.status);
    }
    const next = safeNext(new URL(request.url).searchParams.get("next"), SECURITY_PATH);
    throw redirect(next === SECURITY_PATH ? `${next}?toast=passkey-added` : next);
  }

  if (intent === "codes" || intent === "remove") {
    const submission = parseWithZod(form, { schema: createPresenceSchema() });
    if (submission.status !== "success") return respondWithErrors(submission.reply({ hideFields }), 400);
    const input = { ...sessionInput, ...submission.value };
    const result =
      intent === "codes"
        ? await context.attempt(secondFactor.renewRecoveryCodes(input))
        : await context.attempt(secondFactor.removeSecondFactor(input));
    // The authenticator app was removed in another session, so the page is loaded again.
    if (!result.ok && result.failure.status === 404) throw redirect("/account/second-factor");
    if (!result.ok)
      return respondWithErrors(rejectForm(submission, result.failure, hideFields), result.failure.status);
    if (!result.value) throw redirect(`${SECURITY_PATH}?toast=second-factor-removed`);
    return data({ ...EMPTY_RESULT, codes: result.value });
  }

  const submission = parseWithZod(form, { schema: createSecondFactorSchema() });
  const resumed = await secondFactor.resumeSecondFactor({ user, sealed: String(form.get("sealed") ?? "") });
  const setup = resumed && createSetupFormData(resumed);
  const secretFields = [...hideFields, "sealed" as const, "oneTimeCode" as const];
  if (submission.status !== "success")
    return respondWithErrors(submission.reply({ hideFields: secretFields }), 400, setup);
  const result = await context.attempt(
    secondFactor.addSecondFactor({ ...sessionInput, ...submission.value }),
  );
  if (!result.ok)
    return respondWithErrors(
      rejectForm(submission, result.failure, secretFields),
      result.failure.status,
      setup,
    );
  return data({ ...EMPTY_RESULT, codes: result.value });
}

/** URL of the page that follows the set-up of the second factor: `next` if it is safe, otherwise the start page or the security page. */
export const hrefAfterSetup = (
  next: string | null,
  leadsToStartPage: boolean,
  role: "admin" | "user",
): string => safeNext(next, leadsToStartPage ? startPage(role) : SECURITY_PATH);
