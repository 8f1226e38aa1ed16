/** One call in the reference: its texts, parameters, body and responses. */
import { html, raw } from "hono/html";
import type { Lang } from "~/domain/shared/model";
import {
  describeLimits,
  describeType,
  escapeHtml,
  type FieldTexts,
  type MediaTypes,
  renderFields,
  renderLine,
  renderParagraphs,
  type Schema,
} from "./reference-schema";

/** A parameter of a call. */
export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema?: Schema;
}
/** An operation of the OpenAPI document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** The names of the accepted credentials, each with the scope that an API token needs: none if the call accepts no API token. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: MediaTypes };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: MediaTypes;
        readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
      }
    >
  >;
}
/** A text of the OpenAPI document in the reader's language, or in English where it is not translated. */
export interface TextInLanguage {
  readonly text: string;
  readonly lang: Lang;
}

/** A call with its path and method. */
export interface DocumentedCall {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

interface CallTexts extends FieldTexts {
  readonly summary: TextInLanguage;
}

/** Returns the title of a call: its summary, method and path. */
export function callTitle(
  { path, method, operation: { operationId } }: DocumentedCall,
  { summary }: CallTexts,
) {
  const pathHtml = raw(escapeHtml(path).replaceAll("/", "/<wbr>"));
  return html`<h1 id="${operationId}" lang="${summary.lang}">${summary.text}</h1>
<p class="address"><span class="method">${method.toUpperCase()}</span> <code>${pathHtml}</code></p>`;
}

/** Returns the description, permission, parameters, body and responses of a call. */
export function callDetails({ operation }: DocumentedCall, texts: CallTexts) {
  const { t, schemaHref, summary } = texts;
  const { description, parameters = [], requestBody, responses, security = [] } = operation;
  const acceptsTokens = security.some(({ bearer = [] }) => bearer.length > 0);
  const callers =
    security.length === 0 ? "anyone" : acceptsTokens ? "needs_session_or_token" : "needs_session";
  return html`${renderParagraphs(description)}
<p class="who">${t(callers)}</p>
${
  parameters.length > 0
    ? html`<h2>${t("parameters")}</h2><dl class="fields">${parameters.map(
        (parameter) =>
          html`<div><dt><code>${parameter.name}</code> <span class="mark">${t(`in_${parameter.in}`)}${
            parameter.required ? html`, ${t("required")}` : ""
          }</span></dt><dd><span class="type">${describeType(parameter.schema, schemaHref)} ${describeLimits(parameter.schema)}</span> <span lang="en">${renderLine(parameter.description)}</span></dd></div>`,
      )}</dl>`
    : ""
}
${
  requestBody
    ? html`<h2>${t("body")}</h2>${Object.entries(requestBody.content).map(
        ([type, { schema }]) =>
          html`<p class="type"><code>${type}</code> ${schema?.properties ? "" : describeType(schema, schemaHref)} ${schema?.properties ? "" : (schema?.description ?? "")}</p>${renderFields(schema, texts)}`,
      )}`
    : ""
}
<h2>${t("responses")}</h2>
<dl class="answers">${Object.entries(responses).map(
    ([status, { description: text, content = {}, headers = {} }]) =>
      html`<div><dt>${status}</dt><dd>${
        text === operation.summary
          ? html`<span lang="${summary.lang}">${summary.text}</span>`
          : html`<span lang="en">${renderLine(text)}</span>`
      }${Object.entries(content).map(([type, { schema }]) =>
        type === "application/problem+json"
          ? ""
          : html`<p class="type"><code>${type}</code> ${describeType(schema, schemaHref)}</p>${renderFields(schema, texts)}`,
      )}${Object.entries(headers).map(
        ([name, { description: headerText }]) =>
          html`<p class="type"><code>${name}</code> <span lang="en">${renderLine(headerText)}</span></p>`,
      )}</dd></div>`,
  )}</dl>`;
}
