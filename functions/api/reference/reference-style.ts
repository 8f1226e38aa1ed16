/**
 * Styles of the reference. They are self-contained, because the pages' stylesheet has another name with every build, which the API does not
 * know. A test compares the colours with tailwind.config.ts.
 */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1a1c22; --muted: #555a66; --line: #e6e4e1; --accent: #2a4a94; --accent-ink: #ffffff; --surface: #f6f5f3; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #eceef2; --muted: #b1b6c1; --line: #2c3038; --accent: #a3b8f4; --accent-ink: #10182e; --surface: #1c1f25; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 0.875rem/1.5 "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", "Noto Sans CJK JP", system-ui, sans-serif; scroll-padding-top: 1rem; text-size-adjust: 100%; }
html:lang(ja) { line-height: 1.7; }
:lang(en) { line-height: 1.5; }
body { margin: 0 auto; max-width: 72rem; padding: 0 1rem 6rem; overflow-wrap: anywhere; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1rem; min-height: 3.5rem; padding: 0.5rem 0; margin-bottom: 1.5rem; border-bottom: 1px solid var(--line); }
.bar form { display: flex; flex: 1 1 16rem; gap: 0.5rem; max-width: 28rem; margin: 0 auto; }
.bar a { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; font-weight: 600; text-decoration: none; }
.bar a:first-child { color: var(--ink); }
.bar button, .bar a { flex: none; white-space: nowrap; }
.bar button { color: var(--accent); background: none; border: 1px solid var(--line); }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--muted); border-radius: 0.375rem; padding: 0.5rem 0.75rem; min-height: 2.5rem; width: 100%; min-width: 0; }
label { display: block; font-weight: 600; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
#try:not([hidden]) { max-width: 28rem; }
.trail { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; list-style: none; padding: 0; margin: 0 0 0.5rem; }
.trail a { display: inline-flex; align-items: center; min-height: 2.5rem; }
.trail li + li::before { content: "›"; margin-right: 1rem; color: var(--muted); }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { font-size: 1.75rem; line-height: 1.3; margin: 0 0 0.75rem; }
h2 { font-size: 1rem; margin: 2.5rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 0.875rem; margin: 1rem 0 0.25rem; color: var(--muted); }
p { margin: 0.5rem 0; max-width: 42rem; }
code { font: 0.875em/1.5 ui-monospace, monospace; }
pre { margin: 0; padding: 0.75rem 1rem; background: var(--surface); border-radius: 0.375rem; white-space: pre-wrap; }
.calls { list-style: none; padding: 0; margin: 1rem 0; }
.calls li { border-bottom: 1px solid var(--line); }
.calls a { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; min-height: 2.75rem; padding: 0.625rem 0; font-weight: 600; text-decoration: none; }
.calls a:hover { text-decoration: underline; }
.calls p { margin: -0.5rem 0 0.625rem; color: var(--muted); }
.groups a { justify-content: start; }
.path { font: 0.8125rem/1.5 ui-monospace, monospace; color: var(--muted); }
.address { font-size: 1rem; }
.method { font: 600 0.8125em ui-monospace, monospace; }
.who, .type, .mark { color: var(--muted); font-size: 0.875rem; }
.fields, .answers { margin: 0; }
.fields > div, .answers > div { padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
.fields dd, .answers dd { margin: 0; }
.fields .fields { margin: 0.375rem 0 0 0.5rem; padding-left: 0.75rem; border-left: 2px solid var(--line); }
.fields .fields > div:last-child { border: 0; }
.answers dt { font-weight: 600; font-variant-numeric: tabular-nums; }
.examples h2 { margin-top: 1.5rem; }
@media (max-width: 39.99rem) { .bar form { order: 1; flex-basis: 100%; max-width: none; } .bar a:last-child { margin-left: auto; } }
@media (min-width: 64rem) {
  .call { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 0 3rem; align-items: start; }
  .call > .head, .call > #viewer { grid-column: 1 / -1; }
  .call > .examples { grid-column: 2; grid-row: 2; position: sticky; top: 1rem; }
  .call > .details { grid-column: 1; grid-row: 2; }
}
@media (min-width: 40rem) {
  .details > .fields > div { display: grid; grid-template-columns: 15rem 1fr; gap: 1rem; }
  .answers > div { display: grid; grid-template-columns: 3rem 1fr; gap: 1rem; }
}
button { font: inherit; font-weight: 600; color: var(--accent-ink); background: var(--accent); border: 0; border-radius: 0.375rem; padding: 0.5rem 1rem; min-height: 2.5rem; cursor: pointer; }
#viewer { color-scheme: light; background: #fff; color: #3b4151; }
`;

/**
 * Script of a call's page. It loads Swagger UI with this call only, when the reader requests it, and sends the entered token with each request. The
 * token is stored nowhere else than in its field. Without a token, the browser's session is used.
 */
export const REFERENCE_SCRIPT = `
const [form, viewer, token] = ["try", "viewer", "token"].map((id) => document.getElementById(id));
const { files, path, method } = form.dataset;
const [button, failed] = ["button", "[role=status]"].map((name) => form.querySelector(name));
const load = (element) => new Promise((done, fail) => {
  element.onload = done;
  element.onerror = () => fail(new Error("not loaded"));
  document.head.append(element);
});
async function open() {
  const [response] = await Promise.all([
    fetch("/api/openapi.json"),
    load(Object.assign(document.createElement("link"), { rel: "stylesheet", href: files + "/swagger-ui.css" })),
    load(Object.assign(document.createElement("script"), { src: files + "/swagger-ui-bundle.js" })),
  ]);
  const { openapi, info, paths, components } = await response.json();
  const { tags, security, ...operation } = paths[path][method];
  SwaggerUIBundle({
    spec: { openapi, info, paths: { [path]: { [method]: operation } }, components: { schemas: components.schemas } },
    domNode: viewer,
    tryItOutEnabled: true,
    docExpansion: "full",
    defaultModelsExpandDepth: -1,
    validatorUrl: null,
    requestInterceptor: (request) => {
      const value = token.value.trim();
      if (value) Object.assign(request, { credentials: "omit", headers: { ...request.headers, Authorization: "Bearer " + value } });
      return request;
    },
  });
  viewer.hidden = false;
  button.hidden = true;
}
form.hidden = false;
form.addEventListener("submit", (event) => {
  event.preventDefault();
  button.disabled = true;
  failed.hidden = true;
  open().catch(() => {
    button.disabled = false;
    failed.hidden = false;
  });
});
`;
