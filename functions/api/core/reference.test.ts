import { expect, it } from "vitest";
import { errorMessage } from "#functions/mail/error-message";
import { dark, light } from "../../../tailwind.config";
import { CALLS } from "..";
import { documentOf, fullPath } from "./document";
import { INTRODUCTION, TAGS } from "./introduction";
import { referencePage } from "./reference";
import { REFERENCE_STYLE } from "./reference-style";

/** Names of headers, codes and addresses that the introduction has, as the page writes them. */
const codesOf = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => `<code>${code}</code>`);

const document = documentOf(CALLS);
const pageIn = (lang: "ja" | "en") =>
  referencePage(document, { lang, say: errorMessage(lang), nonce: "bm9uY2U=" });

it("the page has every call with its method, path, and codes, and every shape, at places of their own", () => {
  const page = pageIn("en");
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id, method, path } of CALLS) {
    const part = page.slice(page.indexOf(`<article id="${id}">`)).split("</article>")[0] ?? "";
    expect(part, id).toContain(`>${method}<`);
    expect(part.replaceAll("<wbr>", ""), id).toContain(`<code>${fullPath(path)}</code>`);
    expect(part, id).toContain("<code>rate_limited</code>");
  }
  for (const name of Object.keys(document.components?.schemas ?? {})) expect(ids).toContain(`schema-${name}`);
  for (const [, to] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(to);
});

it("each call's purpose and usage are in the reader's language; the document's other texts are marked as English", () => {
  const page = pageIn("ja");
  expect(page).toContain('<html lang="ja">');
  expect(page).toContain("<h1>APIリファレンス</h1>");
  for (const { id, summary } of CALLS) {
    const part = page.slice(page.indexOf(`<article id="${id}">`)).split("</article>")[0] ?? "";
    expect(part, id).toMatch(/<p class="summary" lang="ja">[^<]*[\u3040-\u30ff\u4e00-\u9fff]/);
    expect(part, id).not.toContain(`>${summary}</p>`);
  }
  expect(page.split('<section id="tag-').slice(1)).toHaveLength(Object.keys(TAGS).length);
  for (const part of page.split('<section id="tag-').slice(1))
    expect(part.split("</p>")[0], part.slice(0, 20)).toContain('<p lang="ja">');
  for (const [name, code] of Object.entries(codesOf(INTRODUCTION)))
    expect([name, page.includes(code)]).toEqual([name, true]);
  expect(page).not.toMatch(/calls\.\w+/);
  expect(pageIn("en")).toContain('<p class="summary" lang="en">Create a folder</p>');
  expect(page).not.toMatch(/reference\.\w+/);
  expect(pageIn("en")).not.toMatch(/reference\.\w+/);
});

it("is of the colours of all pages", () => {
  const [bright = "", night = ""] = REFERENCE_STYLE.split("@media (prefers-color-scheme: dark)");
  for (const [style, colours] of [
    [bright, light],
    [night, dark],
  ] as const)
    for (const name of ["paper", "ink", "muted", "line", "accent", "accent-ink", "surface"] as const)
      expect(style).toContain(`--${name}: ${colours[name]};`);
});

it("nothing that a document says becomes markup", () => {
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
    { lang: "en", say: ({ key }) => key, nonce: "n" },
  );
  expect(page.match(/<(script|b|i|u|s)>/g)).toBe(null);
  expect(page).toContain("<strong>&lt;s&gt;</strong>");
});
