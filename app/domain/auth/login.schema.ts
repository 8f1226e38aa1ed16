import * as z from "zod";
import { type FieldResult, field, formError, readText } from "../shared/fields.schema";
import { EMAIL_MAX, PASSWORD_MAX } from "../shared/limits";
import { countCodePoints, passwordKey, textProblem } from "../shared/text";
import { safeNext } from "./redirect";

/**
 * What stands on both sides of the @, and between the dots behind it. Not what parts or surrounds addresses in a mail's head (RFC 5322 §3.2.3):
 * whoever could type that would choose whom else a mail of ours goes to.
 */
const LOCAL = String.raw`[^\s@()<>[\]:;,\\"]+`;
const LABEL = String.raw`[^\s@.()<>[\]:;,\\"]+`;
const ADDRESS = new RegExp(`^${LOCAL}@${LABEL}(\\.${LABEL})*$`);

/**
 * An e-mail address, in small letters. Only what cannot be one is refused: whether it is one, a mail tells.
 */
export const emailField = field<string, string>((value) => {
  const text = readText(value, {
    max: EMAIL_MAX,
    tooLong: "auth:errors.email.tooLong",
    required: "auth:errors.email.required",
  });
  if ("error" in text) return text;
  return ADDRESS.test(text.value)
    ? { value: text.value.toLowerCase() }
    : { error: "auth:errors.email.invalid" };
});

/** A password as it was entered, in the form that is hashed (passwordKey), or all that is wrong with it. */
export function readPassword(value: unknown, min = 1): FieldResult<string> {
  if (value === undefined || value === null || value === "")
    return { error: "auth:errors.password.required" };
  if (typeof value !== "string") return { error: "shared-owners:errors.field.invalid" };
  if (value.length > PASSWORD_MAX * 8) return { error: "auth:errors.password.tooLong" };
  const password = passwordKey(value);
  const problem = textProblem(password);
  const length = countCodePoints(password);
  const [error, ...more] = [
    ...(problem === null ? [] : [`shared-owners:errors.text.${problem}`]),
    ...(length < min ? ["auth:errors.password.tooShort"] : []),
    ...(length > PASSWORD_MAX ? ["auth:errors.password.tooLong"] : []),
  ];
  return error ? { error, more } : { value: password };
}

/** A password that somebody enters to prove himself. */
export const passwordField = field<string, string>((value) => readPassword(value));

/** The longest code that is read, in characters, separators included. */
export const ONE_TIME_CODE_MAX = 64;

/** A code of an authenticator app, or a recovery code, as it was typed. */
export const oneTimeCodeField = field<string, string>((value) =>
  readText(value, {
    max: ONE_TIME_CODE_MAX,
    tooLong: "auth:services.badOneTimeCode",
    required: "auth:errors.secondFactor.codeRequired",
  }),
);

/** Where to go after a log-in, already safe (see safeNext); null when none was asked for or it is not a page of ours. */
const nextField = field<string | null, string | null | undefined>((value) => ({
  value: (typeof value === "string" ? safeNext(value, "") : "") || null,
}));

/** The second step of a log-in: {pending, oneTimeCode, next?}. `pending` is what the first step handed out. */
export const createSecondStepSchema = () =>
  z.object(
    {
      pending: field<string, string>((value) =>
        typeof value === "string" && value.length <= 2000
          ? { value }
          : { error: "shared-owners:errors.field.invalid" },
      ),
      oneTimeCode: oneTimeCodeField,
      next: nextField,
    },
    formError,
  );

/**
 * The log-in form: {email, password, next?}. `next` is where to go afterwards, already safe (see safeNext); null when
 * none was asked for or the one asked for is not a page of ours.
 */
export function createLoginSchema() {
  return z.object(
    {
      email: emailField,
      password: passwordField,
      next: nextField,
    },
    formError,
  );
}
