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
  /** The problem of the proof that was given; null when none was given. */
  readonly error: string | null;
}

/** The actor after a form's proof, and the prompt if the page has to ask for one. */
export interface ProofResult {
  readonly actor: Actor;
  /** The proof was wrong: nothing else of the form is to be done. */
  readonly prompt: Reauthentication | null;
  /** The prompt to show when a service rejects the form with reauthentication_required; null for other failures. */
  promptFor(failure: { readonly code: string }): Promise<Reauthentication | null>;
}

/**
 * Removes the password and the passkey's response from a posted form, and reauthenticates with one of them. A form without either is left as
 * it is: most forms need none.
 */
export async function takeProof(
  form: FormData,
  context: Pick<RequestContext, "services" | "attempt">,
  session: CurrentSession,
): Promise<ProofResult> {
  const { actor, sessionId, user } = session;
  const [typed, response] = [form.get("currentPassword"), form.get("credential")];
  form.delete("currentPassword");
  form.delete("credential");
  const ask = async (error: UserMessage | null): Promise<Reauthentication> => ({
    email: user.email,
    hasPasskeys: (await context.services.passkeys.listPasskeys({ actor })).length > 0,
    error: error && packMessage(error),
  });
  const result = (next: Actor, prompt: Reauthentication | null): ProofResult => ({
    actor: next,
    prompt,
    promptFor: async ({ code }) =>
      code === "reauthentication_required"
        ? ask(typed === null ? null : { key: "auth:errors.password.required" })
        : null,
  });
  const hasPasskey = typeof response === "string" && response !== "";
  if (!hasPasskey && (typed === null || typed === "")) return result(actor, null);

  const password = readPassword(typed);
  const passkey = createPasskeyLoginSchema().safeParse({ credential: response });
  if (hasPasskey && !passkey.success)
    return result(actor, await ask({ key: "auth:errors.passkey.notConfirmed" }));
  if (!hasPasskey && "error" in password) return result(actor, await ask({ key: password.error }));
  const proof = passkey.success ? passkey.data : { password: "value" in password ? password.value : "" };
  const reauthentication = await context.attempt(
    context.services.reauthentication.reauthenticate({ actor, sessionId, proof }),
  );
  return reauthentication.ok
    ? result(reauthentication.value, null)
    : result(actor, await ask(failureMessage(reauthentication.failure)));
}
