import { unescapeHtml } from "./api/caller";

/** The unescaped values of the attributes of an HTML tag, by name. */
function readAttributes(tag: string): Map<string, string> {
  const attributeValues = new Map<string, string>();
  for (const [, name = "", value = ""] of tag.matchAll(/([\w:-]+)(?:="([^"]*)")?/g))
    if (!attributeValues.has(name)) attributeValues.set(name.toLowerCase(), unescapeHtml(value));
  return attributeValues;
}

/**
 * Values of the fields of a page, or of one form, by name. Unchecked boxes and `<button>` elements are omitted. The first of several
 * fields with the same name counts.
 */
export function fieldValues(html: string, formId?: string): Map<string, string> {
  const form = formId
    ? (new RegExp(`<form[^>]* id="${formId}"[\\s\\S]*?</form>`).exec(html)?.[0] ?? "")
    : html;
  const values = new Map<string, string>();
  const addValue = (name: string | undefined, value: string) => {
    if (name && !values.has(name)) values.set(name, value);
  };
  for (const [tag] of form.matchAll(/<input\b[^>]*>/g)) {
    const inputAttributes = readAttributes(tag);
    const type = inputAttributes.get("type") ?? "text";
    if ((type === "checkbox" || type === "radio") && !inputAttributes.has("checked")) continue;
    addValue(inputAttributes.get("name"), inputAttributes.get("value") ?? (type === "checkbox" ? "on" : ""));
  }
  for (const [, tag = "", text = ""] of form.matchAll(/(<textarea\b[^>]*>)([\s\S]*?)<\/textarea>/g))
    addValue(readAttributes(tag).get("name"), unescapeHtml(text).replaceAll("\r\n", "\n").replace(/^\n/, ""));
  for (const [, tag = "", options = ""] of form.matchAll(/(<select\b[^>]*>)([\s\S]*?)<\/select>/g)) {
    const selectedOption =
      /<option\b[^>]*\bselected\b[^>]*>/.exec(options)?.[0] ?? /<option\b[^>]*>/.exec(options)?.[0] ?? "";
    addValue(readAttributes(tag).get("name"), readAttributes(selectedOption).get("value") ?? "");
  }
  return values;
}

/** Error messages of fields, by the ids of the fields. */
export function fieldErrors(html: string): Map<string, string> {
  const errors = new Map<string, string>();
  for (const [, , id = "", text = ""] of html.matchAll(/<(p|div) id="([^"]+)-error"[^>]*>([\s\S]*?)<\/\1>/g))
    errors.set(unescapeHtml(id), unescapeHtml(text.replace(/<[^>]+>/g, "")).trim());
  return errors;
}
