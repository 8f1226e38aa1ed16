import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { createRevocationSchema, createTokenSchema } from "~/domain/webhooks/token.schema";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { TOKENS_PATH } from "./tokens-path";

/** Result of a form on the tokens page: the new token, which is displayed only once, or the errors. */
interface TokenActionResult {
  readonly created: { readonly token: string; readonly name: string } | null;
  readonly lastResult: SubmissionResult<string[]> | null;
}

const SECRETS = ["currentPassword"] as const;
const respond = (value: TokenActionResult, status: number) => data(value, { status });
const rejectToken = (lastResult: SubmissionResult<string[]>, status: number) =>
  respond({ created: null, lastResult }, status);

/** Handles the forms of the tokens page by their intent. */
export async function changeTokens({ context }: ActionFunctionArgs) {
  const { actor, user, authenticatedAt } = await context.session.require();
  const { attempt, services, now } = context;
  const form = await context.form.read();
  const intent = String(form.get("intent") ?? "");
  form.delete("intent");
  if (intent === "revoke") {
    const choice = parseWithZod(form, { schema: createRevocationSchema() });
    const tokenId = choice.status === "success" ? choice.value.token : "";
    const result = await attempt(services.tokens.revokeToken({ actor, tokenId }));
    // A token that was already revoked needs no message, and one that does not exist must not be reported as revoked.
    throw redirect(result.ok ? `${TOKENS_PATH}?toast=token-revoked` : TOKENS_PATH);
  }
  if (intent !== "create")
    return rejectToken({ error: { "": [packMessage({ key: "shared-owners:errors.form.invalid" })] } }, 400);
  const submission = parseWithZod(form, { schema: createTokenSchema({ now, timeZone: user.timeZone }) });
  if (submission.status !== "success")
    return rejectToken(submission.reply({ hideFields: [...SECRETS] }), 400);
  const { value } = submission;
  const result = await attempt(services.tokens.createToken({ actor, user, authenticatedAt, ...value }));
  if (result.ok)
    return respond({ created: { token: result.value.token, name: value.name }, lastResult: null }, 200);
  // The form was submitted again by a reload; the token is not displayed twice.
  if (result.failure.code === "made_before") throw redirect(`${TOKENS_PATH}?made`);
  return rejectToken(
    rejectForm(submission as never, result.failure, SECRETS as never),
    result.failure.status,
  );
}
