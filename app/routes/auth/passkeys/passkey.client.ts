import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** Why a device made or gave no passkey: it has one already, or it was declined, closed or too late. */
export type PasskeyRefusal = "existing" | "closed";

async function ask<T>(work: Promise<T>): Promise<T | PasskeyRefusal> {
  try {
    return await work;
  } catch (error) {
    return (error as Error).name === "InvalidStateError" ? "existing" : "closed";
  }
}

/** Has the device make a passkey. `options` are those of the server. */
export const makePasskey = (options: unknown): Promise<RegistrationResponseJSON | PasskeyRefusal> =>
  ask(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

/** Has somebody choose a passkey and prove to be its holder. */
export const presentPasskey = (options: unknown): Promise<AuthenticationResponseJSON | PasskeyRefusal> =>
  ask(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
