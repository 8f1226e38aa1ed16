import * as z from "zod";
import { passwordField } from "../auth/login.schema";
import { formError } from "../shared/fields.schema";

/** The form in which a visitor enters an event's publish password: {password}. */
export function createPublishPasswordSchema() {
  return z.object({ password: passwordField }, formError);
}
