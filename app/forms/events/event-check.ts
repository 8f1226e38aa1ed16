/** Checks of the event form in the browser. They are loaded after the form, because they contain zod, which is large. */
import { parseWithZod } from "@conform-to/zod/v4";
import { createEventSchema, type EventSchemaContext } from "~/domain/events/event.schema";
import { eventNameField } from "~/domain/events/event-create.schema";
import type { Lang } from "~/domain/shared/model";

/** Problems of a name: the keys of their messages by the language whose field shows them. */
export type NameProblems = Readonly<Partial<Record<Lang, string>>>;

/** Checks the whole form. */
export const checkEvent = (form: FormData, context: EventSchemaContext) =>
  parseWithZod(form, { schema: createEventSchema(context) });

/**
 * Returns the problems of a name.
 * @param language language whose field shows the message about a missing name
 */
export function findNameProblems(name: unknown, language: Lang): NameProblems {
  const issues = eventNameField(language).safeParse(name).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path: [lang = language], message }) => [lang, message]));
}
