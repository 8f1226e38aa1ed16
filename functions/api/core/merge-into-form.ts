import type { JsonBody } from "./request";

/** Returns the values of a form: those that a call sends, and the saved values of all other fields. @param names the form's field for each name in the body */
export function mergeIntoForm<Field extends string>(
  names: Readonly<Record<string, Field>>,
  saved: Readonly<Record<Field, unknown>> & { readonly version: number },
  sent: JsonBody,
): Record<string, unknown> {
  const form: Record<string, unknown> = { version: saved.version };
  for (const [name, field] of Object.entries(names))
    form[field] = Object.hasOwn(sent, name) ? sent[name] : saved[field];
  return form;
}
