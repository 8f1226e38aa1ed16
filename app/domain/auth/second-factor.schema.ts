import * as z from "zod";
import { field, formError } from "../shared/fields.schema";
import { oneTimeCodeField } from "./login.schema";
import { optionalPasswordField } from "./passkey.schema";

/** The form that sets up an authenticator app: {oneTimeCode, sealed, currentPassword?}. */
export const createSecondFactorSchema = () =>
  z.object(
    {
      oneTimeCode: oneTimeCodeField,
      /** The new secret, which the page contains sealed: encrypted, for a limited time. An invalid value counts as expired. */
      sealed: field<string, string>((value) => ({
        value: typeof value === "string" && value.length <= 1000 ? value : "",
      })),
      currentPassword: optionalPasswordField,
    },
    formError,
  );

/** A form that requires the password if the log-in is not recent: {currentPassword?}. */
export const createPresenceSchema = () => z.object({ currentPassword: optionalPasswordField }, formError);
