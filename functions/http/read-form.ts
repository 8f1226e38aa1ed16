import { readFormData } from "./read-body";

/** Maximum number of fields. The largest form is a table of 200 panoramas with nine columns. */
const FIELDS_MAX = 2000;
/** Maximum bytes of a form, far more than the largest form of the product needs. */
const BYTES_MAX = 16 * 1024 * 1024;
/**
 * Valid field names: eventName, urlParams.ts, extraParams[3].value. A row's index is short, because the form library creates a list as long as the
 * index says.
 */
const FIELD_NAME = /^[A-Za-z][\w-]{0,63}(\[\d{1,2}\])?(\.[A-Za-z][\w-]{0,63})?$/;

/**
 * Reads the text fields of a posted form. Fields with names that no form of the product uses are dropped before validation. Throws a 400 response if
 * the body is not a form, contains files or has too many fields, and a 413 response if it is too long.
 */
export async function readForm(request: Request): Promise<FormData> {
  const badRequest = () => new Response(null, { status: 400, statusText: "Bad Request" });
  const formData = await readFormData(request, BYTES_MAX, FIELDS_MAX);
  if (formData === "too_long") throw new Response(null, { status: 413, statusText: "Content Too Large" });
  const form = new FormData();
  for (const [name, value] of formData) {
    // Without this check a file in place of a text would become an empty field.
    if (typeof value !== "string") throw badRequest();
    if (FIELD_NAME.test(name)) form.append(name, value);
  }
  return form;
}
