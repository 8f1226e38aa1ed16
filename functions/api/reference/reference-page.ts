/** The reference for people (/api/docs): the sections of the API, single calls, and a search, as pages that work without scripts. */
import { html, raw } from "hono/html";
import { version as swaggerVersion } from "swagger-ui-dist/package.json";
import type { ErrorMessage } from "#functions/services/shared/errors";
import { LANG_PARAM } from "~/domain/shared/lang";
import type { Lang } from "~/domain/shared/model";
import { createCallExamples, type NamedSchemas } from "./call-examples";
import {
  callDetails,
  callTitle,
  type DocumentedCall,
  type Operation,
  type TextInLanguage,
} from "./reference-call";
import { describeType, renderFields, renderParagraphs, type Schema } from "./reference-schema";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "./reference-style";

/** Where the build puts the files of Swagger UI (vite.config.ts). */
const SWAGGER_UI_PATH = `/assets/swagger-ui-${swaggerVersion}`;

/** The part of the OpenAPI document that the page shows. */
export interface ReferencedDocument {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: object;
  readonly components?: { readonly schemas?: object };
}

/** The section, call, schema or search that a page shows; without any of them it shows all sections. */
export interface ReferenceSelection {
  readonly group?: string;
  readonly call?: string;
  readonly schema?: string;
  /** Search words, which a call must all have. */
  readonly q?: string;
}

/** Input of the reference page. */
export interface ReferenceQuery {
  readonly lang: Lang;
  readonly translate: (message: ErrorMessage) => string;
  readonly nonce: string;
  /** The origin for the examples. */
  readonly origin: string;
  readonly selection?: ReferenceSelection;
}

/** The calls of a document, in its order. */
const listCalls = (document: ReferencedDocument): readonly DocumentedCall[] =>
  Object.entries((document.paths ?? {}) as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );

/** Value of `group` in the URL of the page that lists all schemas. */
const SCHEMAS_GROUP = "schemas";

/** The name of each language in that language. */
const LANGUAGE_NAMES: Readonly<Record<Lang, string>> = { ja: "日本語", en: "English" };

/** Creates functions for the page's translated texts, and for links that keep the language. */
function createTexts({ lang, translate }: ReferenceQuery) {
  /** Returns the translation of a text if one exists, or else the OpenAPI document's English text. */
  const documentText = (name: string, english = ""): TextInLanguage => {
    const text = lang === "en" ? english : translate({ key: `calls:${name}` });
    return text === `calls:${name}` ? { text: english, lang: "en" } : { text, lang };
  };
  const href = (selection: ReferenceSelection, language: Lang = lang) =>
    `?${new URLSearchParams({ ...selection, [LANG_PARAM]: language } as Record<string, string>)}`;
  return {
    t: (key: string, values?: Readonly<Record<string, string>>) =>
      translate({ key: `api:reference.${key}`, values }),
    documentText,
    summaryOf: ({ operationId, summary }: Operation) => documentText(`summaries.${operationId}`, summary),
    nameOf: (group: string) =>
      documentText(`groups.${group}`, group.charAt(0).toUpperCase() + group.slice(1)),
    href,
    schemaHref: (name: string) => href({ schema: name }),
  };
}

type Texts = ReturnType<typeof createTexts>;

/** Whether a call has all search words in its name, method, path, summary or section. */
function matchesSearch(
  { path, method, operation }: DocumentedCall,
  words: readonly string[],
  texts: Texts,
): boolean {
  const { operationId, summary, tags } = operation;
  const group = tags[0] ?? "";
  const text = [
    operationId,
    method,
    path,
    summary,
    texts.summaryOf(operation).text,
    group,
    texts.nameOf(group).text,
  ]
    .join(" ")
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

const callList = (calls: readonly DocumentedCall[], { summaryOf, href }: Texts) =>
  html`<ul class="calls">${calls.map(({ method, path, operation }) => {
    const { text, lang } = summaryOf(operation);
    return html`<li><a href="${href({ call: operation.operationId })}"><span lang="${lang}">${text}</span>
<span class="path"><span class="method">${method.toUpperCase()}</span> ${path}</span></a></li>`;
  })}</ul>`;

/** The first page: the sections of the API, and how to call it. */
function renderIndex(document: ReferencedDocument, texts: Texts, calls: readonly DocumentedCall[]) {
  const { t, documentText, nameOf, href } = texts;
  const introduction = documentText("introduction", document.info.description);
  return html`<h1>${t("title")}</h1>
<p>${t("lead")} <a href="/api/openapi.json">OpenAPI 3.1</a></p>
<nav aria-label="${t("contents")}"><ul class="calls groups">${(document.tags ?? []).map(
    ({ name, description }) => {
      const [label, groupText] = [nameOf(name), documentText(`tags.${name}`, description)];
      const count = calls.filter(({ operation }) => operation.tags[0] === name).length;
      return html`<li><a href="${href({ group: name })}"><span lang="${label.lang}">${label.text}</span> <span class="mark">${count}</span></a>${renderParagraphs(groupText.text, groupText.lang)}</li>`;
    },
  )}<li><a href="${href({ group: SCHEMAS_GROUP })}">${t("schemas")}</a></li></ul></nav>
<h2>${t("how")}</h2>${renderParagraphs(introduction.text, introduction.lang)}`;
}

/** One section of the API with its calls. */
function renderGroup(
  document: ReferencedDocument,
  texts: Texts,
  { group, calls }: { readonly group: string; readonly calls: readonly DocumentedCall[] },
) {
  const { documentText, nameOf } = texts;
  const label = nameOf(group);
  const description = documentText(
    `tags.${group}`,
    document.tags?.find(({ name }) => name === group)?.description,
  );
  return html`<h1 lang="${label.lang}">${label.text}</h1>${renderParagraphs(description.text, description.lang)}
${callList(
  calls.filter(({ operation }) => operation.tags[0] === group),
  texts,
)}`;
}

/** One call with its examples, and the form that opens it in Swagger UI. */
function renderCall(
  call: DocumentedCall,
  texts: Texts,
  { origin, schemas }: { readonly origin: string; readonly schemas: NamedSchemas },
) {
  const { t, schemaHref, summaryOf } = texts;
  const summary = summaryOf(call.operation);
  const { curl, typescript } = createCallExamples(call, origin, schemas);
  return html`<div class="call"><div class="head">${callTitle(call, { t, schemaHref, summary })}</div>
<div class="examples"><h2>${t("examples")}</h2>
<h3>curl</h3><pre><code>${curl}</code></pre>
<h3>TypeScript</h3><pre><code>${typescript}</code></pre>
<form id="try" data-files="${SWAGGER_UI_PATH}" data-path="${call.path}" data-method="${call.method}" hidden>
<h2>${t("try")}</h2>
<p>${t("try_lead")}</p>
<label for="token">${t("try_token")}</label>
<input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-hint">
<p class="mark" id="token-hint">${t("try_hint")}</p>
<button>${t("try_open")}</button>
<p role="status" hidden>${t("try_failed")}</p>
</form></div>
<div class="details">${callDetails(call, { t, schemaHref, summary })}</div>
<div id="viewer" lang="en" hidden></div></div>`;
}

const renderSchema = (name: string, schema: Schema, texts: Texts) =>
  html`<h1><code>${name}</code></h1>${renderParagraphs(schema.description)}${
    schema.properties ? "" : html`<p class="type">${describeType(schema, texts.schemaHref)}</p>`
  }${renderFields(schema, texts)}`;

/** The complete page. */
export function referencePage(document: ReferencedDocument, query: ReferenceQuery): string {
  const { lang, nonce, origin, selection = {} } = query;
  const texts = createTexts(query);
  const { t, nameOf, href } = texts;
  const calls = listCalls(document);
  const schemas = (document.components?.schemas ?? {}) as NamedSchemas;
  const words = (selection.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const call = calls.find(({ operation }) => operation.operationId === selection.call);
  const schema = selection.schema === undefined ? undefined : schemas[selection.schema];
  const tag = (document.tags ?? []).find(({ name }) => name === selection.group)?.name;
  const showsSchemas = selection.group === SCHEMAS_GROUP || schema !== undefined;
  const group = showsSchemas ? null : (tag ?? call?.operation.tags[0] ?? null);
  const foundCalls = calls.filter((documentedCall) => matchesSearch(documentedCall, words, texts));

  const content = () => {
    if (words.length > 0)
      return html`<h1>${t("results")}</h1>${
        foundCalls.length > 0 ? callList(foundCalls, texts) : html`<p role="status">${t("no_results")}</p>`
      }`;
    if (call) return renderCall(call, texts, { origin, schemas });
    if (schema) return renderSchema(selection.schema ?? "", schema, texts);
    if (showsSchemas)
      return html`<h1>${t("schemas")}</h1><ul class="calls">${Object.keys(schemas).map(
        (name) => html`<li><a href="${href({ schema: name })}"><code>${name}</code></a></li>`,
      )}</ul>`;
    return group === null
      ? renderIndex(document, texts, calls)
      : renderGroup(document, texts, { group, calls });
  };
  const isIndex = words.length === 0 && group === null && !showsSchemas;
  const breadcrumbs = [
    ...(isIndex ? [] : [{ to: {}, label: t("title"), lang }]),
    ...(call && group !== null && words.length === 0
      ? [{ to: { group }, label: nameOf(group).text, lang: nameOf(group).lang }]
      : []),
    ...(schema && words.length === 0 ? [{ to: { group: SCHEMAS_GROUP }, label: t("schemas"), lang }] : []),
  ];
  const pageTitle =
    words.length > 0
      ? t("results")
      : call
        ? texts.summaryOf(call.operation).text
        : (selection.schema && schema && selection.schema) ||
          (showsSchemas ? t("schemas") : group === null ? null : nameOf(group).text);
  const otherLang: Lang = lang === "ja" ? "en" : "ja";
  const page = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${pageTitle ? `${pageTitle} – ` : ""}${t("title")} – Hiroba</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${raw(REFERENCE_STYLE)}</style>
</head>
<body>
<header class="bar"><a href="/"><img src="/favicon.svg" alt="" width="28" height="28">Hiroba</a>
<form role="search"><label for="q" class="hidden">${t("search")}</label><input id="q" type="search" name="q" value="${selection.q ?? ""}" placeholder="${t("search")}" maxlength="100"><input type="hidden" name="${LANG_PARAM}" value="${lang}"><button>${t("search_submit")}</button></form>
<a href="${href(selection, otherLang)}" lang="${otherLang}" hreflang="${otherLang}">${t("other_language", { name: LANGUAGE_NAMES[otherLang] })}</a></header>
${
  breadcrumbs.length > 0
    ? html`<nav aria-label="${t("breadcrumbs")}"><ol class="trail">${breadcrumbs.map(
        ({ to, label, lang: language }) =>
          html`<li><a href="${href(to)}" lang="${language}">${label}</a></li>`,
      )}</ol></nav>`
    : ""
}
<main>${content()}</main>
${call ? html`<script type="module" nonce="${nonce}">${raw(REFERENCE_SCRIPT)}</script>` : ""}
</body>
</html>`;
  return String(page);
}
