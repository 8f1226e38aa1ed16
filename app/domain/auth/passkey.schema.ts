import * as z from "zod";
import { type FieldResult, field, formError, isMissing, textField } from "../shared/fields.schema";
import { PASSKEY_ID_MAX, PASSKEY_NAME_MAX } from "../shared/limits";
import { passwordField } from "./login.schema";

/** COSE algorithms of passkeys (IANA): ES256, EdDSA and RS256. Every current authenticator supports one of them. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;

/** The parts of a browser's response to the creation of a passkey that are read (WebAuthn §5.1, RegistrationResponseJSON). */
export interface PasskeyRegistration {
  /** The credential's id in base64url, like all binary values here. */
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    /** CBOR of the authenticator's data, which contains the new public key (WebAuthn §6.5). */
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
}

/** A browser's response to a log-in with a passkey (WebAuthn §5.1, AuthenticationResponseJSON). */
export interface PasskeySignIn {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    /** The user id that was given when the passkey was created; null if the authenticator does not return it. */
    readonly userHandle: string | null;
  };
}

/** Maximum length of a credential as JSON text, in characters. */
const CREDENTIAL_MAX = 16_384;
const base64url = (max: number) =>
  z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/)
    .max(max);
const type = z.literal("public-key");

const RegistrationSchema = z.object({
  id: base64url(PASSKEY_ID_MAX),
  type,
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(8192),
    transports: z
      .array(z.string().regex(/^[a-z-]{1,32}$/))
      .max(10)
      .default([]),
  }),
});

const SignInSchema = z.object({
  id: base64url(PASSKEY_ID_MAX),
  type,
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(8192),
    signature: base64url(2048),
    userHandle: base64url(88)
      .nullish()
      .transform((value) => value ?? null),
  }),
});

/** A credential as JSON text, in a field of a form. */
function credentialField<T>(schema: z.ZodType<T>) {
  return field<T, string>((value): FieldResult<T> => {
    const failure = { error: "auth:errors.passkey.failed" };
    if (typeof value !== "string" || value.length > CREDENTIAL_MAX) return failure;
    try {
      const parsed = schema.safeParse(JSON.parse(value));
      return parsed.success ? { value: parsed.data } : failure;
    } catch {
      return failure;
    }
  });
}

/** The name that a user gives to a passkey. */
export const passkeyNameField = textField({
  max: PASSKEY_NAME_MAX,
  required: "auth:errors.passkey.nameRequired",
  tooLong: "auth:errors.passkey.nameTooLong",
});

/** A password that is required only if the log-in is not recent; "" for none. */
export const optionalPasswordField = field<string, string | null | undefined>((value) => {
  if (isMissing(value)) return { value: "" };
  const password = passwordField.safeParse(value);
  return password.success
    ? { value: password.data }
    : { error: password.error.issues[0]?.message ?? "shared-owners:errors.field.invalid" };
});

/** The form that starts the creation of a passkey: {name, currentPassword?}. */
export const createPasskeyBeginSchema = () =>
  z.object({ name: passkeyNameField, currentPassword: optionalPasswordField }, formError);

/** The form that completes the creation of a passkey: {name, credential}. */
export const createPasskeyAddSchema = () =>
  z.object(
    { name: passkeyNameField, credential: credentialField<PasskeyRegistration>(RegistrationSchema) },
    formError,
  );

/** A passkey's new name: {passkeyId, name}. */
export const createPasskeyRenameSchema = () =>
  z.object({ passkeyId: passkeyIdField, name: passkeyNameField }, formError);

/** The form that removes a passkey: {passkeyId, currentPassword?}. */
export const createPasskeyRemoveSchema = () =>
  z.object({ passkeyId: passkeyIdField, currentPassword: optionalPasswordField }, formError);

/** A log-in with a passkey: {credential}. */
export const createPasskeyLoginSchema = () =>
  z.object({ credential: credentialField<PasskeySignIn>(SignInSchema) }, formError);

const passkeyIdField = field<string, string>((value) =>
  typeof value === "string" && value.length <= PASSKEY_ID_MAX && /^[A-Za-z0-9_-]+$/.test(value)
    ? { value }
    : { error: "shared-owners:errors.field.invalid" },
);
