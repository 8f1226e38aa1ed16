/** Checks of the event form in the browser. They load after the form, because they contain zod. */
import { parseWithZod } from "@conform-to/zod/v4";
import { createEventSchema, type EventSchemaContext } from "~/domain/events/event.schema";
import { eventNameField } from "~/domain/events/event-create.schema";
import type { Lang } from "~/domain/shared/model";

/** A problem of a name: the language whose field shows it, and the key of its message. */
export interface NameProblem {
  readonly lang: Lang;
  readonly message: string;
}

/** Checks the whole form. */
export const checkEvent = (form: FormData, context: EventSchemaContext) =>
  parseWithZod(form, { schema: createEventSchema(context) });

/**
 * Returns the first problem of a name; null if there is none.
 * @param language language whose field shows the message about a missing name
 */
export function findNameProblem(name: unknown, language: Lang): NameProblem | null {
  const issue = eventNameField(language).safeParse(name).error?.issues[0];
  return issue ? { lang: (issue.path[0] ?? language) as Lang, message: issue.message } : null;
}
