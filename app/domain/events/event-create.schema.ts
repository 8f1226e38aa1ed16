import * as z from "zod";
import { across, formError, textField } from "../shared/fields.schema";
import { EVENT_NAME_MAX } from "../shared/limits";

/** Whether another event of the space has this name, or a function that finds out. Names are compared by nameKey. */
export type NameTaken = boolean | ((name: string) => boolean | Promise<boolean>);

/** The name of an event (§5). */
export const eventNameField = textField({
  max: EVENT_NAME_MAX,
  required: "events:errors.eventName.required",
  tooLong: "events:errors.eventName.tooLong",
});

/** Returns whether a name is taken. Calls `taken` only if it is a function. */
export function askNameTaken(taken: NameTaken | undefined, name: string): boolean | Promise<boolean> {
  return typeof taken === "function" ? taken(name) : taken === true;
}

/**
 * The form that creates an event in a space: {eventName}. If `isNameTaken` returns a promise, parse with safeParseAsync
 * (conform: `async: true`).
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
