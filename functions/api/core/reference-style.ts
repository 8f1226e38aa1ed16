/**
 * How the reference looks. It stands alone: the styles of the pages have another name with every build, which the API does not know. Its
 * colours are those of tailwind.config.ts, which a test holds.
 */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1a1c22; --muted: #555a66; --line: #e6e4e1; --accent: #2a4a94; --accent-ink: #ffffff; --surface: #f6f5f3; }
@media (prefers-color-scheme: dark) { :root { --paper: #14161a; --ink: #eceef2; --muted: #b1b6c1; --line: #2c3038; --accent: #a3b8f4; --accent-ink: #10182e; --surface: #1c1f25; } }
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 0.875rem/1.5 "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", "Noto Sans CJK JP", system-ui, sans-serif; scroll-padding-top: 1rem; text-size-adjust: 100%; }
html:lang(ja) { line-height: 1.7; }
:lang(en) { line-height: 1.5; }
body { margin: 0 auto; max-width: 60rem; padding: 0 1rem 6rem; overflow-wrap: anywhere; }
.bar { display: flex; align-items: center; gap: 1rem; min-height: 3.5rem; margin-bottom: 2rem; border-bottom: 1px solid var(--line); }
.bar a { display: inline-flex; align-items: center; gap: 0.5rem; min-height: 2.5rem; font-weight: 600; text-decoration: none; }
.bar a:first-child { color: var(--ink); margin-right: auto; }
.tryable:not([hidden]) { display: grid; justify-items: start; gap: 0.5rem; margin: 1.5rem 0; color: var(--muted); }
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
h1 { font-size: 1.75rem; line-height: 1.3; margin: 0 0 0.75rem; }
h2 { font-size: 1.25rem; margin: 4rem 0 0.75rem; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { font-size: 0.875rem; margin: 1.25rem 0 0.25rem; color: var(--muted); }
p { margin: 0.5rem 0; max-width: 42rem; }
code { font: 0.875em/1.5 ui-monospace, monospace; }
article { margin: 2rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
article:target h3 { background: var(--surface); }
nav ul, .calls { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; padding: 0; }
.calls { display: block; columns: 2 18rem; }
.calls li { break-inside: avoid; }
nav a, .calls a { display: inline-block; min-height: 1.5rem; }
.method { font: 600 0.8125em ui-monospace, monospace; }
.summary { font-weight: 600; }
.who, .type, .mark { color: var(--muted); font-size: 0.875rem; }
.fields, .answers { margin: 0; }
.fields > div, .answers > div { padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
.fields dd, .answers dd { margin: 0; }
.fields .fields { margin: 0.375rem 0 0 0.5rem; padding-left: 0.75rem; border-left: 2px solid var(--line); }
.fields .fields > div:last-child { border: 0; }
.answers dt { font-weight: 600; font-variant-numeric: tabular-nums; }
@media (min-width: 40rem) {
  article > .fields > div { display: grid; grid-template-columns: 15rem 1fr; gap: 1rem; }
  .answers > div { display: grid; grid-template-columns: 3rem 1fr; gap: 1rem; }
}
button { font: inherit; font-weight: 600; color: var(--accent-ink); background: var(--accent); border: 0; border-radius: 0.375rem; padding: 0.5rem 1rem; min-height: 2.5rem; cursor: pointer; }
#viewer { color-scheme: light; background: #fff; color: #3b4151; }
`;

/**
 * Script for trying calls: it loads the viewer when a reader asks for it, or opens a call in it, and replaces the static reference. It sends
 * requests to this host only, with the browser's session or with an entered token.
 */
export const REFERENCE_SCRIPT = `
const [viewer, plain, asked] = ["viewer", "plain", "try"].map((id) => document.getElementById(id));
const line = asked.closest(".tryable");
const loaded = (element) => new Promise((done, failed) => {
  element.onload = done;
  element.onerror = () => failed(new Error("not loaded"));
  document.head.append(element);
});
async function open() {
  asked.disabled = true;
  try {
    await Promise.all([
      loaded(Object.assign(document.createElement("link"), { rel: "stylesheet", href: viewer.dataset.files + "/swagger-ui.css" })),
      loaded(Object.assign(document.createElement("script"), { src: viewer.dataset.files + "/swagger-ui-bundle.js" })),
    ]);
  } catch {
    asked.disabled = false;
    line.append(" " + viewer.dataset.failed);
    return;
  }
  SwaggerUIBundle({ url: "/api/openapi.json", domNode: viewer, deepLinking: true, tryItOutEnabled: true, docExpansion: "none", defaultModelsExpandDepth: 0, validatorUrl: null });
  viewer.hidden = false;
  plain.hidden = true;
  line.hidden = true;
}
line.hidden = false;
asked.addEventListener("click", open);
if (location.hash.startsWith("#/")) open();
`;
