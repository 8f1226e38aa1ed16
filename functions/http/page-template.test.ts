import { expect, it } from "vitest";
import { makeNonce, NONCE_LENGTH } from "../security/random";
import { createTemplate, fillTemplate } from "./page-template";

it("serves the same page with a new nonce in every place each time, including its headers", () => {
  const placeholder = makeNonce();
  expect(placeholder).toHaveLength(NONCE_LENGTH);
  const html = `<p>広場</p><script nonce="${placeholder}">1</script>…<script nonce="${placeholder}">2</script>`;
  const policy = `script-src 'self' 'nonce-${placeholder}'; style-src 'self'`;
  const template = createTemplate(
    html,
    placeholder,
    new Headers({ a: "b", "content-security-policy": policy }),
  );
  const nonces = new Set<string>();
  for (let i = 0; i < 20; i++) {
    const { body, headers, nonce } = fillTemplate(template);
    expect(new TextDecoder().decode(body)).toBe(html.replaceAll(placeholder, nonce));
    expect(Object.fromEntries(headers)).toEqual({
      a: "b",
      "content-security-policy": policy.replace(placeholder, nonce),
    });
    headers.push(["set-cookie", "for one visitor"]);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(20);
  expect(nonces.has(placeholder)).toBe(false);
});

it("inserts the referring site only into the report address", () => {
  const placeholder = makeNonce();
  // This URL parameter of the visitor ends like the text that precedes the referring host.
  const visitorHtml = '<p>&amp;from=</p>広場<a href="https://x.example/?a=1&amp;from=">';
  const page = (from: string, nonce: string) =>
    `${visitorHtml}<script nonce="${nonce}"></script><img src="/v/e?token=t&amp;from=${from}">${visitorHtml}`;
  const fill = (html: string, from?: string) => {
    const { body, nonce } = fillTemplate(createTemplate(html, placeholder, new Headers()), from);
    return { text: new TextDecoder().decode(body), nonce };
  };
  for (const from of ["news.example", ""]) {
    const { text, nonce } = fill(page(placeholder, placeholder), from);
    expect(text).toBe(page(from, nonce));
  }
  for (const plain of [visitorHtml, "<p>広場</p>"]) expect(fill(plain, "news.example").text).toBe(plain);
});
