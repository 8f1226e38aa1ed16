import { expect, it } from "vitest";
import { makeNonce, NONCE_LENGTH } from "../security/random";
import { createTemplate, fillTemplate } from "./page-template";

it("serves the same page with another nonce in every place each time, its headers included", () => {
  const standIn = makeNonce();
  expect(standIn).toHaveLength(NONCE_LENGTH);
  const html = `<p>広場</p><script nonce="${standIn}">1</script>…<script nonce="${standIn}">2</script>`;
  const policy = `script-src 'self' 'nonce-${standIn}'; style-src 'self'`;
  const template = createTemplate(html, standIn, new Headers({ a: "b", "content-security-policy": policy }));
  const seen = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const { body, headers, nonce } = fillTemplate(template);
    expect(new TextDecoder().decode(body)).toBe(html.replaceAll(standIn, nonce));
    expect(Object.fromEntries(headers)).toEqual({
      a: "b",
      "content-security-policy": policy.replace(standIn, nonce),
    });
    headers.push(["set-cookie", "for one visitor"]);
    seen.add(nonce);
  }
  expect(seen.size).toBe(20);
  expect(seen.has(standIn)).toBe(false);
});

it("says which site led to a page that is the same for everybody, and nowhere else", () => {
  const standIn = makeNonce();
  // A visitor's own URL parameter ends like the text that precedes the referring host.
  const theirs = '<p>&amp;from=</p>広場<a href="https://x.example/?a=1&amp;from=">';
  const page = (from: string, nonce: string) =>
    `${theirs}<script nonce="${nonce}"></script><img src="/v/e?token=t&amp;from=${from}">${theirs}`;
  const filled = (html: string, from?: string) => {
    const { body, nonce } = fillTemplate(createTemplate(html, standIn, new Headers()), from);
    return { text: new TextDecoder().decode(body), nonce };
  };
  for (const from of ["news.example", ""]) {
    const { text, nonce } = filled(page(standIn, standIn), from);
    expect(text).toBe(page(from, nonce));
  }
  for (const plain of [theirs, "<p>広場</p>"]) expect(filled(plain, "news.example").text).toBe(plain);
});
