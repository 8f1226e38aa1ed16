/** The reference for people (/api/docs): the document as a page, readable without a script, on which calls can be tried out with one. */
import { html, raw } from "hono/html";
import { version as swagger } from "swagger-ui-dist/package.json";
import type { ErrorMessage } from "#functions/services/shared/errors";
import { LANG_PARAM } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "./reference-style";

/** Address at which the build places the viewer's files (vite.config.ts). */
const VIEWER = `/assets/swagger-ui-${swagger}`;

/** The part of a schema that the page shows. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly [limit: string]: unknown;
}
type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;
interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Contents };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Contents;
        readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
      }
    >
  >;
}
/** The part of the document that the page shows. */
export interface Referenced {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: object;
  readonly components?: { readonly schemas?: object };
}

/** Input of the reference page. */
export interface ReferenceQuery {
  readonly lang: Lang;
  readonly say: (words: ErrorMessage) => string;
  readonly nonce: string;
}

type Markup = ReturnType<typeof html>;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
/** Renders the Markdown of the document, which has only paragraphs, code and bold text. */
const line = (text = "") =>
  raw(
    escaped(text)
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
  );
const prose = (text = "", lang: Lang = "en") =>
  text.split("\n\n").flatMap((part) => (part === "" ? [] : [html`<p lang="${lang}">${line(part)}</p>`]));

/** Translated texts of the document, and their language. */
interface TextInLanguage {
  readonly text: string;
  readonly lang: Lang;
}

const nameOf = (ref: string) => ref.split("/").at(-1) ?? "";

/** A short description of a value's type. */
function typeOf(schema: Schema | undefined): Markup {
  if (!schema) return html``;
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const several = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (several) return html`${several.map((each, i) => html`${i > 0 ? " | " : ""}${typeOf(each)}`)}`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return html`${schema.enum.map((value, i) => html`${i > 0 ? " | " : ""}<code>${JSON.stringify(value)}</code>`)}`;
  if (schema.items) return html`${typeOf(schema.items)}[]`;
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
const limitsOf = (schema: Schema | undefined) =>
  schema === undefined
    ? ""
    : [
        ...Object.entries(LIMITS).flatMap(([name, sign]) =>
          typeof schema[name] === "number" ? [`${sign} ${schema[name]}`] : [],
        ),
        ...(schema.default === undefined ? [] : [`= ${JSON.stringify(schema.default)}`]),
      ].join(", ");

/** Maximum depth at which unnamed schemas are shown in place. */
const DEEPEST = 4;

/** The fields of an object, of a list's items, or of each alternative. */
function fieldsOf(schema: Schema | undefined, say: (key: string) => string, depth = 0): Markup {
  if (!schema || schema.$ref || depth > DEEPEST) return html``;
  const inner = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? (schema.items && [schema.items]);
  if (inner) return html`${inner.map((each) => fieldsOf(each, say, depth))}`;
  const { properties, required = [], additionalProperties } = schema;
  if (!properties) {
    return typeof additionalProperties === "object" ? fieldsOf(additionalProperties, say, depth + 1) : html``;
  }
  return html`<dl class="fields">${Object.entries(properties).map(
    ([name, field]) =>
      html`<div><dt><code>${name}</code>${required.includes(name) ? html` <span class="mark">${say("required")}</span>` : ""}</dt>
<dd><span class="type">${typeOf(field)} ${limitsOf(field)}</span>${
        field.description ? html` <span lang="en">${line(field.description)}</span>` : ""
      }${fieldsOf(field, say, depth + 1)}</dd></div>`,
  )}</dl>`;
}

/** The permission of a call: the beginning of security, and the description's addition. */
function callOf(
  path: string,
  method: string,
  operation: Operation,
  { say, summary }: { readonly say: (key: string) => string; readonly summary: TextInLanguage },
): Markup {
  const { operationId: id, description, parameters = [], requestBody, responses } = operation;
  const needsSession = (operation.security?.length ?? 0) > 0;
  return html`<article id="${id}">
<h3><a href="#${id}"><span class="method">${method.toUpperCase()}</span> <code>${raw(escaped(path).replaceAll("/", "/<wbr>"))}</code></a></h3>
<p class="summary" lang="${summary.lang}">${summary.text}</p>
${prose(description)}
<p class="who">${say(needsSession ? "needs_session" : "anyone")}</p>
${
  parameters.length > 0
    ? html`<h4>${say("parameters")}</h4><dl class="fields">${parameters.map(
        (each) =>
          html`<div><dt><code>${each.name}</code> <span class="mark">${say(`in_${each.in}`)}${
            each.required ? html`, ${say("required")}` : ""
          }</span></dt><dd><span class="type">${typeOf(each.schema)} ${limitsOf(each.schema)}</span> <span lang="en">${line(each.description)}</span></dd></div>`,
      )}</dl>`
    : ""
}
${
  requestBody
    ? html`<h4>${say("body")}</h4>${Object.entries(requestBody.content).map(
        ([type, { schema }]) =>
          html`<p class="type"><code>${type}</code> ${schema?.properties ? "" : typeOf(schema)} ${schema?.properties ? "" : (schema?.description ?? "")}</p>${fieldsOf(schema, say)}`,
      )}`
    : ""
}
<h4>${say("answers")}</h4>
<dl class="answers">${Object.entries(responses).map(
    ([status, { description: words, content = {}, headers = {} }]) =>
      html`<div><dt>${status}</dt><dd>${
        words === operation.summary
          ? html`<span lang="${summary.lang}">${summary.text}</span>`
          : html`<span lang="en">${line(words)}</span>`
      }${Object.entries(content).map(([type, { schema }]) =>
        type === "application/problem+json"
          ? ""
          : html`<p class="type"><code>${type}</code> ${typeOf(schema)}</p>${fieldsOf(schema, say)}`,
      )}${Object.entries(headers).map(
        ([name, { description: says }]) =>
          html`<p class="type"><code>${name}</code> <span lang="en">${line(says)}</span></p>`,
      )}</dd></div>`,
  )}</dl>
</article>`;
}

/** Groups the calls of a document by tag. */
function byTag(document: Referenced) {
  const calls = new Map<string, { path: string; method: string; operation: Operation }[]>();
  for (const [path, item] of Object.entries(
    (document.paths ?? {}) as Record<string, Record<string, Operation>>,
  ))
    for (const [method, operation] of Object.entries(item)) {
      const [tag = ""] = operation.tags;
      calls.set(tag, [...(calls.get(tag) ?? []), { path, method, operation }]);
    }
  return calls;
}

/** Renders the complete page. */
export function referencePage(document: Referenced, { lang, say: tell, nonce }: ReferenceQuery): string {
  const say = (key: string) => tell({ key: `api:reference.${key}` });
  /** Returns the translation of a description if one exists, or else the document's English text. */
  const translated = (name: string, english = ""): TextInLanguage => {
    const text = lang === "en" ? english : tell({ key: `calls:${name}` });
    return text === `calls:${name}` ? { text: english, lang: "en" } : { text, lang };
  };
  const summaryOf = ({ operationId, summary }: Operation) => translated(`summaries.${operationId}`, summary);
  const introduction = translated("introduction", document.info.description);
  const calls = byTag(document);
  const tags = document.tags ?? [];
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  const other: Lang = lang === "ja" ? "en" : "ja";
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${say("title")} – Hiroba</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${raw(REFERENCE_STYLE)}</style>
</head>
<body>
<header>
<div class="bar"><a href="/"><img src="/favicon.svg" alt="" width="28" height="28">Hiroba</a><a href="?${LANG_PARAM}=${other}" lang="${other}" hreflang="${other}">${say("other_language")}</a></div>
<h1>${say("title")}</h1>
<p>${say("lead")} <a href="/api/openapi.json">OpenAPI 3.1</a></p>
<div class="tryable" hidden><button type="button" id="try">${say("try")}</button>${say("try_lead")}</div>
</header>
<main>
<div id="viewer" data-files="${VIEWER}" data-failed="${say("try_failed")}" lang="en" hidden></div>
<div id="plain">
<nav aria-label="${say("contents")}"><ul>${tags.map(
    ({ name }) => html`<li><a href="#tag-${name}" lang="en">${name}</a></li>`,
  )}<li><a href="#schemas">${say("schemas")}</a></li></ul></nav>
<section>${prose(introduction.text, introduction.lang)}</section>
${tags.map(({ name, description }) => {
  const about = translated(`tags.${name}`, description);
  return html`<section id="tag-${name}"><h2 lang="en">${name}</h2>${prose(about.text, about.lang)}
<ul class="calls">${(calls.get(name) ?? []).map(({ method, operation }) => {
    const { text, lang } = summaryOf(operation);
    return html`<li><a href="#${operation.operationId}" lang="${lang}"><span class="method">${method.toUpperCase()}</span> ${text}</a></li>`;
  })}</ul>
${(calls.get(name) ?? []).map(({ path, method, operation }) => callOf(path, method, operation, { say, summary: summaryOf(operation) }))}</section>`;
})}
<section id="schemas"><h2>${say("schemas")}</h2>${schemas.map(
    ([
      name,
      schema,
    ]) => html`<article id="schema-${name}"><h3><a href="#schema-${name}"><code>${name}</code></a></h3>
${prose(schema.description)}${schema.properties ? "" : html`<p class="type">${typeOf(schema)}</p>`}${fieldsOf(schema, say)}</article>`,
  )}</section>
</div>
</main>
<script type="module" nonce="${nonce}">${raw(REFERENCE_SCRIPT)}</script>
</body>
</html>`;
  return String(page);
}
