/** Markup of an OpenAPI document's texts, types and fields for the API reference. */
import { html, raw } from "hono/html";
import type { Lang } from "~/domain/shared/model";

/** The part of a schema that the page shows. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [limit: string]: unknown;
}
/** Schemas of a body or a response, by media type. */
export type MediaTypes = Readonly<Record<string, { readonly schema?: Schema }>>;
type Markup = ReturnType<typeof html>;
/** Translated texts of the reference, and the address of a schema's page in the same language. */
export interface FieldTexts {
  readonly t: (key: string) => string;
  readonly schemaHref: (name: string) => string;
}

/** Escapes a text for HTML. */
export const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Converts the Markdown of one line: only code and strong emphasis are supported. */
export const renderLine = (text = "") =>
  raw(
    escapeHtml(text)
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
  );
/** Paragraphs of text with the same Markdown. */
export const renderParagraphs = (text = "", lang: Lang = "en") =>
  text
    .split("\n\n")
    .flatMap((part) => (part === "" ? [] : [html`<p lang="${lang}">${renderLine(part)}</p>`]));

/** The schema name in a `$ref`. */
export const getRefName = (ref: string) => ref.split("/").at(-1) ?? "";

/** A short description of a value's type. */
export function describeType(schema: Schema | undefined, schemaHref: FieldTexts["schemaHref"]): Markup {
  if (!schema) return html``;
  if (schema.$ref) {
    const name = getRefName(schema.$ref);
    return html`<a href="${schemaHref(name)}">${name}</a>`;
  }
  const alternatives = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (alternatives)
    return html`${alternatives.map((alternative, i) => html`${i > 0 ? " | " : ""}${describeType(alternative, schemaHref)}`)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return html`${schema.enum.map((value, i) => html`${i > 0 ? " | " : ""}<code>${JSON.stringify(value)}</code>`)}`;
  if (schema.items) return html`${describeType(schema.items, schemaHref)}[]`;
  const type = [schema.type ?? "any"].flat().join(" | ");
  return html`${type}${schema.format ? ` (${schema.format})` : ""}`;
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: "≥",
  maximum: "≤",
  exclusiveMinimum: ">",
  exclusiveMaximum: "<",
  minLength: "length ≥",
  maxLength: "length ≤",
  minItems: "items ≥",
  maxItems: "items ≤",
};
/** The limits and the default of a value. */
export const describeLimits = (schema: Schema | undefined) =>
  schema === undefined
    ? ""
    : [
        ...Object.entries(LIMITS).flatMap(([name, sign]) =>
          typeof schema[name] === "number" ? [`${sign} ${schema[name]}`] : [],
        ),
        ...(schema.default === undefined ? [] : [`= ${JSON.stringify(schema.default)}`]),
      ].join(", ");

/** Maximum depth at which unnamed schemas are shown in place. */
const DEPTH_MAX = 4;

/** The fields of an object, of a list's items, or of each alternative. */
export function renderFields(schema: Schema | undefined, texts: FieldTexts, depth = 0): Markup {
  if (!schema || schema.$ref || depth > DEPTH_MAX) return html``;
  const nestedSchemas = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? (schema.items && [schema.items]);
  if (nestedSchemas) return html`${nestedSchemas.map((nested) => renderFields(nested, texts, depth))}`;
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    return typeof additionalProperties === "object"
      ? renderFields(additionalProperties, texts, depth + 1)
      : html``;
  }
  return html`<dl class="fields">${Object.entries(properties).map(
    ([name, field]) =>
      html`<div><dt><code>${name}</code>${required.includes(name) ? html` <span class="mark">${texts.t("required")}</span>` : ""}</dt>
<dd><span class="type">${describeType(field, texts.schemaHref)} ${describeLimits(field)}</span>${
        field.description ? html` <span lang="en">${renderLine(field.description)}</span>` : ""
      }${renderFields(field, texts, depth + 1)}</dd></div>`,
  )}</dl>`;
}
