import * as z from "zod";
import { field, formError, withCrossFieldRules } from "../shared/fields.schema";
import { PASSWORD_MIN } from "../shared/limits";
import { emailField, passwordField, readPassword } from "./login.schema";

/** A new password, in the form that is hashed. A form checks only its length and its characters; the service checks the rest (password-rule.ts). */
export const newPasswordField = field<string, string>((value) => readPassword(value, PASSWORD_MIN));

/** The form that sets a password: {password, passwordConfirmation}, which must be equal (specification §8). */
export function createNewPasswordSchema() {
  return withCrossFieldRules(
    z.object({ password: newPasswordField, passwordConfirmation: passwordField }, formError),
    ({ password, passwordConfirmation }, add) => {
      if (password !== undefined && passwordConfirmation !== undefined && password !== passwordConfirmation)
        add(["passwordConfirmation"], "auth:errors.password.mismatch");
    },
  );
}

/** The form that requests a password reset: {email}. */
export function createRetrievePasswordSchema() {
  return z.object({ email: emailField }, formError);
}
