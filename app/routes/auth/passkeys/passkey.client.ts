import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** Reasons for which a device returned no passkey: it already has one, or the dialog was declined, closed or timed out. */
export type PasskeyRefusal = "existing" | "closed";

async function ask<T>(work: Promise<T>): Promise<T | PasskeyRefusal> {
  try {
    return await work;
  } catch (error) {
    return (error as Error).name === "InvalidStateError" ? "existing" : "closed";
  }
}

/** Makes the device create a passkey. `options` come from the server. */
export const makePasskey = (options: unknown): Promise<RegistrationResponseJSON | PasskeyRefusal> =>
  ask(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

/** Makes the user choose a passkey and prove possession of it. `options` come from the server. */
export const presentPasskey = (options: unknown): Promise<AuthenticationResponseJSON | PasskeyRefusal> =>
  ask(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
