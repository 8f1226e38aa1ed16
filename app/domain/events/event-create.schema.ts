import * as z from "zod";
import { across, formError, textField } from "../shared/fields.schema";
import { EVENT_NAME_MAX } from "../shared/limits";

/** The answer to "does another event of the space have this name?", or how to find out. Compare names by nameKey. */
export type NameTaken = boolean | ((name: string) => boolean | Promise<boolean>);

/** The name of an event (§5). */
export const eventNameField = textField({
  max: EVENT_NAME_MAX,
  required: "events:errors.eventName.required",
  tooLong: "events:errors.eventName.tooLong",
});

/** Whether a name is taken, asking only when it must be asked. */
export function askNameTaken(taken: NameTaken | undefined, name: string): boolean | Promise<boolean> {
  return typeof taken === "function" ? taken(name) : taken === true;
}

/**
 * The form that creates an event in a space: {eventName}. With an `isNameTaken` that answers later, parse with
 * safeParseAsync (conform: `async: true`).
 */
export function createEventCreateSchema(ctx: { readonly isNameTaken?: NameTaken } = {}) {
  return across(z.object({ eventName: eventNameField }, formError), ({ eventName }, add) => {
    if (eventName === undefined) return;
    const tell = (taken: boolean) => {
      if (taken) add(["eventName"], "events:errors.eventName.taken");
    };
    const answer = askNameTaken(ctx.isNameTaken, eventName);
    return typeof answer === "boolean" ? tell(answer) : answer.then(tell);
  });
}
