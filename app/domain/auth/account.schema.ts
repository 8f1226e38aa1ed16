import * as z from "zod";
import { field, formError, withCrossFieldRules } from "../shared/fields.schema";
import { emailField, passwordField } from "./login.schema";
import { newPasswordField } from "./password.schema";

/** The form that requests another e-mail address: {email, currentPassword}. */
export const createEmailChangeSchema = () =>
  z.object({ email: emailField, currentPassword: passwordField }, formError);

/** The form that changes the password: {currentPassword, password, passwordConfirmation}. */
export function createPasswordChangeSchema() {
  return withCrossFieldRules(
    z.object(
      { currentPassword: passwordField, password: newPasswordField, passwordConfirmation: passwordField },
      formError,
    ),
    ({ currentPassword, password, passwordConfirmation }, add) => {
      if (password !== undefined && password === currentPassword)
        add(["password"], "auth:services.samePassword");
      if (password !== undefined && passwordConfirmation !== undefined && password !== passwordConfirmation)
        add(["passwordConfirmation"], "auth:errors.password.mismatch");
    },
  );
}

/** A form that confirms a change with the password: {currentPassword}. */
export const createConfirmSchema = () => z.object({ currentPassword: passwordField }, formError);

/** The form that ends one of the user's sessions: {session}, the first 16 hexadecimal digits of its id. */
export const createEndSessionSchema = () =>
  z.object(
    {
      session: field<string, string>((value) =>
        typeof value === "string" && /^[0-9a-f]{16}$/.test(value)
          ? { value }
          : { error: "shared-owners:errors.field.invalid" },
      ),
    },
    formError,
  );
