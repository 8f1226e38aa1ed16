import { expect, it } from "vitest";
import { fillTemplate, makeTemplate } from "./page-template";
import { makeNonce, NONCE_LENGTH } from "./random";

it("serves the same page with another nonce in every place each time, its headers included", () => {
  const standIn = makeNonce();
  expect(standIn).toHaveLength(NONCE_LENGTH);
  const html = `<p>広場</p><script nonce="${standIn}">1</script>…<script nonce="${standIn}">2</script>`;
  const policy = `script-src 'self' 'nonce-${standIn}'; style-src 'self'`;
  const template = makeTemplate(html, standIn, new Headers({ a: "b", "content-security-policy": policy }));
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

it("says which site led to a page that is the same for everybody", () => {
  const html = `<p>&amp;from=</p>広場<img src="/v/e?token=t&amp;from=">`;
  const template = makeTemplate(html, makeNonce(), new Headers());
  const filled = (from?: string) => new TextDecoder().decode(fillTemplate(template, from).body);
  expect(filled("news.example")).toBe(html.replace('from="', 'from=news.example"'));
  expect(filled()).toBe(html);
  const plain = makeTemplate("<p>広場</p>", makeNonce(), new Headers());
  expect(new TextDecoder().decode(fillTemplate(plain, "news.example").body)).toBe("<p>広場</p>");
});
