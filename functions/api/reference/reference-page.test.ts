import { expect, it } from "vitest";
import { errorMessage } from "#functions/mail/error-message";
import { dark, light } from "../../../tailwind.config";
import { CALLS } from "..";
import { createApiDocument, fullPath } from "../core/document";
import { INTRODUCTION, TAGS } from "../core/introduction";
import { type ReferenceSelection, referencePage } from "./reference-page";
import { REFERENCE_STYLE } from "./reference-style";

/** Names of headers, codes and paths in the introduction, as the page renders them. */
const codesOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => `<code>${code}</code>`);

const document = createApiDocument(CALLS);
const pageIn = (lang: "ja" | "en", selection: ReferenceSelection = {}) =>
  referencePage(document, {
    lang,
    translate: errorMessage(lang),
    nonce: "bm9uY2U=",
    origin: "https://hiroba.test",
    selection,
  });
const linksOf = (page: string) =>
  [...page.matchAll(/href="\?([^"]+)"/g)].map(([, query]) =>
    Object.fromEntries(new URLSearchParams(query?.replaceAll("&amp;", "&"))),
  );

it("every call has a page with its method, path and examples, and is linked from a section and the search; every schema has a linked page", () => {
  const names = Object.keys(document.components?.schemas ?? {});
  const groups = linksOf(pageIn("en")).flatMap(({ group }) => group ?? []);
  expect(groups).toEqual(
    [...Object.keys(TAGS), "schemas"].sort((a, b) => groups.indexOf(a) - groups.indexOf(b)),
  );
  const linkedCalls = groups.flatMap((group) => linksOf(pageIn("en", { group })));
  expect(linkedCalls.flatMap(({ call }) => call ?? []).sort()).toEqual(CALLS.map(({ id }) => id).sort());
  expect(linkedCalls.flatMap(({ schema }) => schema ?? [])).toEqual(names);
  for (const { id, method, path } of CALLS) {
    const page = pageIn("en", { call: id });
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, each]) => each);
    expect(new Set(ids).size, id).toBe(ids.length);
    expect(page, id).toContain(`>${method}<`);
    expect(page.replaceAll("<wbr>", ""), id).toContain(`<code>${fullPath(path)}</code>`);
    expect(page, id).toContain("<code>rate_limited</code>");
    expect(page, id).toContain("<code>curl ");
    expect(page, id).toContain("const response = await fetch(");
    for (const { schema } of linksOf(page)) if (schema) expect(names).toContain(schema);
    expect(linksOf(pageIn("en", { q: `${id} ${method}` })).map(({ call }) => call)).toContain(id);
  }
  for (const schema of names) expect(pageIn("en", { schema })).toContain(`<h1><code>${schema}</code></h1>`);
});

it("a call's page states whether it needs a session, a session or an API token, or neither", () => {
  const callersOf = (lang: "ja" | "en", call: string) =>
    /<p class="who">(.*)<\/p>/.exec(pageIn(lang, { call }))?.[1];
  expect(callersOf("en", "createEvent")).toBe("Requires a session or an access token.");
  expect(callersOf("ja", "createEvent")).toBe("セッションまたはアクセストークンが必要です。");
  expect(callersOf("en", "listPasskeys")).toBe("Requires a session.");
  for (const { id, who, problems } of CALLS)
    expect(callersOf("en", id)?.includes("access token"), id).toBe(
      who === "user" && !problems?.includes("session_required"),
    );
});

it("each kind of page has a title of its own", () => {
  const titleOf = (selection: ReferenceSelection) =>
    /<title>(.*)<\/title>/.exec(pageIn("en", selection))?.[1];
  const [schema = ""] = Object.keys(document.components?.schemas ?? {});
  const titles = [
    {},
    { group: "events" },
    { group: "schemas" },
    { schema },
    { call: "createEvent" },
    { q: "x" },
  ].map(titleOf);
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles[0]).toBe("API reference – Hiroba");
});

it("the links of the reference keep the language, except the link to the other language", () => {
  const [schema = ""] = Object.keys(document.components?.schemas ?? {});
  const linksToOtherLanguages = (selection: ReferenceSelection) =>
    linksOf(pageIn("ja", selection)).filter(({ lang }) => lang !== "ja");
  for (const selection of [{}, { group: "events" }, { call: "createEvent" }, { schema }, { q: "event" }])
    expect(linksToOtherLanguages(selection)).toEqual([{ ...selection, lang: "en" }]);
});

it("an example has the required fields, the token and the host", () => {
  const createPage = pageIn("en", { call: "createEvent" }).replaceAll("&quot;", '"').replaceAll("&#39;", "'");
  expect(createPage).toContain("curl -X POST 'https://hiroba.test/api/v1/events'");
  expect(createPage).toContain('-H "Authorization: Bearer $HIROBA_TOKEN"');
  expect(createPage).toMatch(/-d '\{"space_uuid":"[0-9a-f-]{36}","event_name":"…"\}'/);
  const getPage = pageIn("en", { call: "getEvent" }).replaceAll("&#39;", "'");
  expect(getPage).toMatch(/curl 'https:\/\/hiroba\.test\/api\/v1\/events\/uuid\/[0-9a-f-]{36}'/);
});

it("a search finds calls by words in the reader's language, and reports an empty result", () => {
  const calls = linksOf(pageIn("ja", { q: "フォルダー 作成" })).map(({ call }) => call);
  expect(calls).toContain("createFolder");
  expect(calls).not.toContain("createSpace");
  expect(pageIn("en", { q: "no such thing" })).toContain("No results.");
});

it("summaries, sections and the introduction are in the reader's language; a call's description is marked as English", () => {
  const page = pageIn("ja");
  expect(page).toContain('<html lang="ja">');
  expect(page).toContain("<h1>APIリファレンス</h1>");
  for (const { id } of CALLS)
    expect(pageIn("ja", { call: id })).toMatch(/<h1 id="\w+" lang="ja">[^<]*[\u3040-\u30ff\u4e00-\u9fff]/);
  for (const group of Object.keys(TAGS)) {
    const sectionPage = pageIn("ja", { group });
    expect(sectionPage, group).toMatch(/<h1 lang="ja">[^<]*<\/h1><p lang="ja">/);
    expect(sectionPage).not.toMatch(/calls:|reference\.\w+/);
  }
  expect(page).toMatch(/<\/nav>\s*<h2>[^<]*<\/h2><p lang="ja">/);
  expect(pageIn("ja", { call: "createFolder" })).toContain(
    '<div class="details"><p lang="en">With <code>uuid</code>',
  );
  for (const code of codesOf(INTRODUCTION)) expect([code, page.includes(code)]).toEqual([code, true]);
  expect(page).not.toMatch(/calls\.\w+/);
  expect(pageIn("en", { call: "createFolder" })).toContain(
    '<h1 id="createFolder" lang="en">Create a folder</h1>',
  );
  expect(page).not.toMatch(/reference\.\w+/);
  expect(pageIn("en")).not.toMatch(/reference\.\w+/);
});

it("the reference uses the colours of the product's pages", () => {
  const [lightStyle = "", darkStyle = ""] = REFERENCE_STYLE.split("@media (prefers-color-scheme: dark)");
  for (const [style, colours] of [
    [lightStyle, light],
    [darkStyle, dark],
  ] as const)
    for (const name of ["paper", "ink", "muted", "line", "accent", "accent-ink", "surface"] as const)
      expect(style).toContain(`--${name}: ${colours[name]};`);
});

it("no text of the document or the URL becomes markup", () => {
  for (const selection of [{}, { group: "a" }, { call: 'x"><u>' }, { q: '"><b>' }, { schema: "<i>" }]) {
    const page = referencePage(
      {
        info: { description: "<script>1</script>" },
        tags: [{ name: "a", description: '`<b>` "x"' }],
        paths: {
          "/<i>": {
            get: {
              operationId: 'x"><u>',
              tags: ["a"],
              summary: "<script>2</script>",
              responses: { 200: { description: "**<s>**" } },
            },
          },
        },
      },
      { lang: "en", translate: ({ key }) => key, nonce: "n", origin: "https://<b>", selection },
    );
    expect(page.match(/<(script|b|i|u|s)>/g)).toBe(null);
    if ("call" in selection) expect(page).toContain("<strong>&lt;s&gt;</strong>");
  }
});
