import { expect, it } from "vitest";
import { makeNonce, NONCE_LENGTH } from "../../security/random";
import {
  createTemplate,
  fillTemplate,
  type Insertion,
  insertLastSegment,
  insertOpenItem,
  insertReferrer,
  type PageTemplate,
} from "./page-template";

/** A template whose response has its nonce in a header. */
const templateOf = (
  html: string,
  noncePlaceholder: string,
  source: Omit<Parameters<typeof createTemplate>[2], "noncePlaceholder"> = {},
) => createTemplate(html, new Headers({ nonce: noncePlaceholder }), { noncePlaceholder, ...source });

/** The filled page, with NONCE in place of its nonce. */
async function textOf(template: PageTemplate, ...insertions: Insertion[]): Promise<string> {
  const response = fillTemplate(template, { insertions });
  return (await response.text()).replaceAll(response.headers.get("nonce") ?? "", "NONCE");
}

it("serves the same page each time with a new nonce in all places, including the headers", async () => {
  const placeholder = makeNonce();
  expect(placeholder).toHaveLength(NONCE_LENGTH);
  const html = `<p>広場</p><script nonce="${placeholder}">1</script>…<script nonce="${placeholder}">2</script>`;
  const policy = `script-src 'self' 'nonce-${placeholder}'; style-src 'self'`;
  const template = createTemplate(html, new Headers({ a: "b", "content-security-policy": policy }), {
    noncePlaceholder: placeholder,
  });
  // All responses are created before the first is read.
  const responses = Array.from({ length: 20 }, () => fillTemplate(template));
  const nonces = new Set<string>();
  for (const response of responses) {
    const [, nonce = ""] =
      /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "") ?? [];
    expect(await response.text()).toBe(html.replaceAll(placeholder, nonce));
    const { "content-type": _, ...headers } = Object.fromEntries(response.headers);
    expect(headers).toEqual({ a: "b", "content-security-policy": policy.replace(placeholder, nonce) });
    response.headers.append("set-cookie", "for one visitor");
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(20);
  expect(nonces.has(placeholder)).toBe(false);
});

it("inserts the referring site into a page that is the same for all visitors, only in the intended place", async () => {
  const placeholder = makeNonce();
  // A visitor's own URL parameter ends like the text that precedes the referring host.
  const visitorHtml = '<p>&amp;from=</p>広場<a href="https://x.example/?a=1&amp;from=">';
  const page = (from: string, nonce: string) =>
    `${visitorHtml}<script nonce="${nonce}"></script><img src="/v/e?token=t&amp;from=${from}">${visitorHtml}`;
  const fill = (html: string, from: string) => {
    const template = templateOf(html, placeholder);
    return textOf(template, ...insertReferrer(template, from));
  };
  for (const from of ["news.example", ""])
    expect(await fill(page(placeholder, placeholder), from)).toBe(page(from, "NONCE"));
  for (const plain of [visitorHtml, "<p>広場</p>"]) expect(await fill(plain, "news.example")).toBe(plain);
});

const TAG = "c9faaae5-a141-4354-a7ae-7771968e2f4e";
const OTHER = "e1f26da7-2eb4-430d-b206-11559a3a909e";
const PATH = "/event/published/x";
const tagOf = (id: string) => ({ kind: "tag" as const, id, hasEntry: true });

/** A page that was rendered with one open tag, or with none. */
const listPage = (open: string | null, nonce: string, from: string) => {
  const tag = open === null ? "" : `&amp;tag=${open}`;
  const entry = (id: string) =>
    `<li id="tag-${id}" class="scroll-mt-4 "><details${id === open ? ' open=""' : ""} class="group">広場 ${id}</details></li>`;
  return `<link href="https://a.example${PATH}?token=t&amp;lang=en"><script nonce="${nonce}"></script>
<a href="${PATH}?token=t${tag}&amp;lang=ja">日本語</a><a href="${PATH}?token=t${tag}&amp;lang=en">English</a>
<a href="${PATH}?token=t&amp;dialog=share"></a><script nonce="${nonce}"></script>${entry(TAG)}${entry(OTHER)}
<script nonce="${nonce}"></script><img src="/v/e?token=t${tag}&amp;from=${from}">`;
};

it("opens the entry of each tag in the same way as rendering does, also with a referring site", async () => {
  const placeholder = makeNonce();
  const template = templateOf(listPage(null, placeholder, placeholder), placeholder, {
    linkable: { path: PATH, token: "t" },
  });
  expect(await textOf(template)).toBe(listPage(null, "NONCE", ""));
  for (const id of [TAG, OTHER])
    for (const from of ["", "news.example"])
      expect(
        await textOf(
          template,
          ...(insertOpenItem(template, tagOf(id)) ?? []),
          ...insertReferrer(template, from),
        ),
      ).toBe(listPage(id, "NONCE", from));
  const unknown = "00000000-0000-4000-8000-000000000000";
  expect(insertOpenItem(template, tagOf(unknown))).toBeNull();
  // A media item within a tag's entry changes only the links.
  expect(
    insertOpenItem(template, { kind: "media", id: unknown, hasEntry: false })?.map(({ text }) => text),
  ).not.toContain(' open=""');
});

it("does not change a page that is still being sent when it fills another one", async () => {
  const placeholder = makeNonce();
  const template = templateOf(listPage(null, placeholder, placeholder), placeholder, {
    linkable: { path: PATH, token: "t" },
  });
  const pages = [TAG, OTHER, TAG].map((id) =>
    fillTemplate(template, { insertions: insertOpenItem(template, tagOf(id)) ?? [] }),
  );
  const texts = await Promise.all(pages.map((page) => page.text()));
  const nonces = texts.map((text) => /nonce="([^"]+)"/.exec(text)?.[1] ?? "");
  expect(new Set(nonces).size).toBe(3);
  expect(texts).toEqual([TAG, OTHER, TAG].map((id, page) => listPage(id, nonces[page] ?? "", "")));
});

it("marks the entry of a media item", async () => {
  const html = (attribute: string) =>
    `<ul><li id="tag-${TAG}" class=" x"${attribute}><figure data-medium="${TAG}"></figure></li></ul>`;
  const template = templateOf(html(""), makeNonce(), {
    linkable: { path: PATH, token: "t" },
  });
  expect(await textOf(template, ...(insertOpenItem(template, tagOf(TAG)) ?? []))).toBe(
    html(' data-open="true"'),
  );
});

it("does not open an entry that is open in the rendered page", () => {
  const placeholder = makeNonce();
  const template = templateOf(listPage(TAG, placeholder, placeholder), placeholder, {
    linkable: { path: PATH, token: "t" },
  });
  expect(insertOpenItem(template, tagOf(TAG))).toBeNull();
});

it("writes the last segment of a URL wherever the page contains it", async () => {
  const placeholder = makeNonce();
  const html = (segment: string, nonce: string) =>
    `<a href="/error/event/${segment}?lang=en">広場</a><script nonce="${nonce}">["/error/event/${segment}"]</script>`;
  const template = templateOf(html("0PLACE0", placeholder), placeholder, {
    segmentPlaceholder: "0PLACE0",
  });
  for (const segment of ["x", TAG])
    expect(await textOf(template, ...insertLastSegment(template, segment))).toBe(html(segment, "NONCE"));
});
