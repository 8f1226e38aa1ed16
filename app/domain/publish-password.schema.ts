import * as z from "zod";
import { formError } from "./fields.schema";
import { passwordField } from "./login.schema";

/** The form in which a visitor enters an event's publish password: {password}. */
export function createPublishPasswordSchema() {
  return z.object({ password: passwordField }, formError);
}
