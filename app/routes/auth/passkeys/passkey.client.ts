import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";

/** Reasons for which a device returned no passkey. `existing`: it already has one; `closed`: any other reason, such as a declined or closed dialog. */
export type PasskeyRejection = "existing" | "closed";

async function requestPasskey<T>(operation: Promise<T>): Promise<T | PasskeyRejection> {
  try {
    return await operation;
  } catch (error) {
    return (error as Error).name === "InvalidStateError" ? "existing" : "closed";
  }
}

/**
 * Creates a passkey on the device.
 * @param options options from the server
 */
export const createPasskey = (options: unknown): Promise<RegistrationResponseJSON | PasskeyRejection> =>
  requestPasskey(startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }));

/**
 * Lets the user choose a passkey and prove possession of it.
 * @param options options from the server
 */
export const presentPasskey = (options: unknown): Promise<AuthenticationResponseJSON | PasskeyRejection> =>
  requestPasskey(startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }));
