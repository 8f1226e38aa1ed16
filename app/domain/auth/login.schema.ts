import * as z from "zod";
import { type FieldResult, field, formError, isMissing, readText } from "../shared/fields.schema";
import { EMAIL_MAX, PASSWORD_MAX } from "../shared/limits";
import { countCodePoints, passwordKey, textProblem } from "../shared/text";
import { safeNext } from "./redirect";

/**
 * Characters of an address before the @, and between the dots after it. Excludes the delimiters of addresses in a mail header (RFC 5322
 * §3.2.3): with those, a person could add recipients to the mails that the app sends.
 */
const LOCAL = String.raw`[^\s@()<>[\]:;,\\"]+`;
const LABEL = String.raw`[^\s@.()<>[\]:;,\\"]+`;
const ADDRESS = new RegExp(`^${LOCAL}@${LABEL}(\\.${LABEL})*$`);

/** An e-mail address, converted to lower case. Only its form is checked; a mail to the address verifies it. */
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

/**
 * Reads a password in the form that is hashed (passwordKey), or returns the keys of the error messages.
 * @param min minimum length in characters
 */
export function readPassword(value: unknown, min = 1): FieldResult<string> {
  if (isMissing(value)) return { error: "auth:errors.password.required" };
  if (typeof value !== "string") return { error: "shared-owners:errors.field.invalid" };
  if (value.length > PASSWORD_MAX * 8) return { error: "auth:errors.password.tooLong" };
  const password = passwordKey(value);
  const problem = textProblem(password);
  const length = countCodePoints(password);
  const [error, ...furtherErrors] = [
    ...(problem === null ? [] : [`shared-owners:errors.text.${problem}`]),
    ...(length < min ? ["auth:errors.password.tooShort"] : []),
    ...(length > PASSWORD_MAX ? ["auth:errors.password.tooLong"] : []),
  ];
  return error ? { error, furtherErrors } : { value: password };
}

/** A password without a minimum length, for example the current one. */
export const passwordField = field<string, string>((value) => readPassword(value));

/** Maximum length of a code, in characters, separators included. */
export const ONE_TIME_CODE_MAX = 64;

/** A code of an authenticator app, or a recovery code, as typed. */
export const oneTimeCodeField = field<string, string>((value) =>
  readText(value, {
    max: ONE_TIME_CODE_MAX,
    tooLong: "auth:services.badOneTimeCode",
    required: "auth:errors.secondFactor.codeRequired",
  }),
);

/** The page to open after a log-in, validated by safeNext; null if the form names none or if it is not a page of this app. */
const nextField = field<string | null, string | null | undefined>((value) => ({
  value: (typeof value === "string" ? safeNext(value, "") : "") || null,
}));

/** The second step of a log-in: {pending, oneTimeCode, next?}. `pending` is the value that the first step returned. */
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
 * The log-in form: {email, password, next?}. `next` is the page to open afterwards, validated by safeNext; null if the form names none or if it is
 * not a page of this app.
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
