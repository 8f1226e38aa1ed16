import type { JsonBody } from "./request";

/**
 * A form as it is saved, with what a call names in its place: changes change only what they name.
 * @param names the form's field by the name that it has in the body
 */
export function merged<Field extends string>(
  names: Readonly<Record<string, Field>>,
  saved: Readonly<Record<Field, unknown>> & { readonly version: number },
  sent: JsonBody,
): Record<string, unknown> {
  const form: Record<string, unknown> = { version: saved.version };
  for (const [name, field] of Object.entries(names))
    form[field] = Object.hasOwn(sent, name) ? sent[name] : saved[field];
  return form;
}
