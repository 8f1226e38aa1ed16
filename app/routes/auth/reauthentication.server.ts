import type { RequestContext } from "#functions/request-context";
import type { CurrentSession } from "#functions/services/auth/sessions";
import type { Actor } from "~/domain/auth/actor";
import { readPassword } from "~/domain/auth/login.schema";
import { createPasskeyLoginSchema } from "~/domain/auth/passkey.schema";
import { failureMessage, packMessage, type UserMessage } from "~/forms/shared/user-message";

/** Data of the prompt that asks for the password or a passkey: see ReauthenticationPrompt. */
export interface Reauthentication {
  readonly email: string;
  readonly hasPasskeys: boolean;
  /** Packed message (its key and values in one string) about the submitted password or passkey; null if the form was submitted without the prompt. */
  readonly error: string | null;
}

/** The actor after the reauthentication of a form, and the prompt if the page must display one. */
export interface ReauthenticationResult {
  readonly actor: Actor;
  /** Prompt if the submitted password or passkey was rejected: then the form must not be processed. Otherwise null. */
  readonly prompt: Reauthentication | null;
  /** Prompt to display if a service rejects the form with reauthentication_required; null for other failures. */
  promptFor(failure: { readonly code: string }): Promise<Reauthentication | null>;
}

/**
 * Removes the password and the passkey's response from a submitted form, and reauthenticates the actor with one of them. Without either it returns
 * the actor unchanged, because most forms need no reauthentication.
 */
export async function readReauthentication(
  form: FormData,
  context: Pick<RequestContext, "services" | "attempt">,
  session: CurrentSession,
): Promise<ReauthenticationResult> {
  const { actor, sessionId, user } = session;
  const [currentPassword, passkeyResponse] = [form.get("currentPassword"), form.get("credential")];
  form.delete("currentPassword");
  form.delete("credential");
  const createPrompt = async (error: UserMessage | null): Promise<Reauthentication> => ({
    email: user.email,
    hasPasskeys: (await context.services.passkeys.listPasskeys({ actor })).length > 0,
    error: error && packMessage(error),
  });
  const createResult = (resultActor: Actor, prompt: Reauthentication | null): ReauthenticationResult => ({
    actor: resultActor,
    prompt,
    promptFor: async ({ code }) =>
      code === "reauthentication_required"
        ? createPrompt(currentPassword === null ? null : { key: "auth:errors.password.required" })
        : null,
  });
  const hasPasskey = typeof passkeyResponse === "string" && passkeyResponse !== "";
  if (!hasPasskey && (currentPassword === null || currentPassword === "")) return createResult(actor, null);

  const password = readPassword(currentPassword);
  const passkey = createPasskeyLoginSchema().safeParse({ credential: passkeyResponse });
  if (hasPasskey && !passkey.success)
    return createResult(actor, await createPrompt({ key: "auth:errors.passkey.notConfirmed" }));
  if (!hasPasskey && "error" in password)
    return createResult(actor, await createPrompt({ key: password.error }));
  const credentials = passkey.success
    ? passkey.data
    : { password: "value" in password ? password.value : "" };
  const reauthentication = await context.attempt(
    context.services.reauthentication.reauthenticate({ actor, sessionId, credentials }),
  );
  return reauthentication.ok
    ? createResult(reauthentication.value, null)
    : createResult(actor, await createPrompt(failureMessage(reauthentication.failure)));
}
