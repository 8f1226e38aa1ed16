import { readFormData } from "./read-body";

/** More fields than any form of ours has: a table of 200 panoramas has nine columns. */
const FIELDS_MAX = 2000;
/** No form of ours is longer, with every field as long as it may be and the wrong ones far longer. */
const BYTES_MAX = 16 * 1024 * 1024;
/**
 * The names that fields of our forms have: eventName, urlParams.ts, extraParams[3].value. A row's index is small: the form
 * library makes a list as long as the index says.
 */
const FIELD_NAME = /^[A-Za-z][\w-]{0,63}(\[\d{1,2}\])?(\.[A-Za-z][\w-]{0,63})?$/;

/**
 * The posted form, text fields alone: what no form of ours could have sent is left out before anything looks at it.
 * Throws a 400 answer when the body is no form, or has files or too many fields; a 413 one when it is far too long.
 */
export async function readForm(request: Request): Promise<FormData> {
  const refuse = () => new Response(null, { status: 400, statusText: "Bad Request" });
  const posted = await readFormData(request, BYTES_MAX, FIELDS_MAX);
  if (posted === "too_long") throw new Response(null, { status: 413, statusText: "Content Too Large" });
  const form = new FormData();
  for (const [name, value] of posted) {
    // A file in place of a text would otherwise empty the field.
    if (typeof value !== "string") throw refuse();
    if (FIELD_NAME.test(name)) form.append(name, value);
  }
  return form;
}
