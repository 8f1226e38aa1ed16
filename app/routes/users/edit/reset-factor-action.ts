import { type ActionFunctionArgs, data, redirect } from "@remix-run/cloudflare";
import { packMessage } from "~/forms/shared/user-message";
import type { Reauthentication, ReauthenticationResult } from "../../auth/reauthentication.server";
import { EMPTY_RESULT } from "./edit-result";
import { RESET_FACTOR_FORM } from "./reset-factor";

/** Resets the second factor of the page's user. */
export async function resetFactor({
  reauthentication,
  context,
  userId,
}: Pick<ActionFunctionArgs, "context"> & {
  readonly reauthentication: ReauthenticationResult;
  readonly userId: string;
}) {
  const createPromptResponse = (prompt: Reauthentication, status: number) =>
    data({ ...EMPTY_RESULT, prompt: { form: RESET_FACTOR_FORM, reauthentication: prompt } }, { status });
  if (reauthentication.prompt) return createPromptResponse(reauthentication.prompt, 400);
  const result = await context.attempt(
    context.services.secondFactor.resetSecondFactor({ actor: reauthentication.actor, userId }),
  );
  if (result.ok) throw redirect(`/user-list/${userId}?toast=second-factor-reset`);
  const { failure } = result;
  // The account or its second factor no longer exists.
  if (failure.status === 404) throw redirect(`/user-list/${userId}`);
  const prompt = await reauthentication.promptFor(failure);
  if (prompt) return createPromptResponse(prompt, failure.status);
  return data({ ...EMPTY_RESULT, rejection: packMessage(failure.userMessage) }, { status: failure.status });
}
