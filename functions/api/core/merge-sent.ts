import type { JsonBody } from "./request";

/** Returns a saved form with the values of a request's raw body. Absent values stay unchanged. @param names the form's field for each name in the body */
export function mergeSent<Field extends string>(
  names: Readonly<Record<string, Field>>,
  saved: Readonly<Record<Field, unknown>> & { readonly version: number },
  rawBody: JsonBody,
): Record<string, unknown> {
  const form: Record<string, unknown> = { version: saved.version };
  for (const [name, field] of Object.entries(names))
    form[field] = Object.hasOwn(rawBody, name) ? rawBody[name] : saved[field];
  return form;
}
