/** Tests that links with parameters are served from the cached bytes of the plain page, and equal a page that is rendered for one visitor. */
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, caller, type EventJson, linkPath, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { describeVisit, SCRIPTS, visit } from "../../support/browser/visit";

const eventPath = demoPath(demoIds.panoramaEvent);
const { tags, media } = demoEvent(demoIds.panoramaEvent);
/** Parameter that makes the product render a page for one visitor alone. */
const RENDERED_PARAM = "&_routes=x";

/** A page without the parts that differ between responses: the nonce, the request's id, and RENDERED_PARAM. */
const toComparable = (html: string) =>
  html
    .replace(/nonce(="|":")[^"]+/g, "")
    .replace(/ data-request="[^"]*"/, "")
    .replaceAll(RENDERED_PARAM.replace("&", "&amp;"), "");
const readPage = async (url: string, init?: RequestInit, visitor = caller()) => {
  const response = await visitor.fetch(url, init);
  return { status: response.status, headers: response.headers, text: toComparable(await response.text()) };
};

describe("a link to a tag", () => {
  for (const lang of ["ja", "en"] as const)
    test(`returns the same page as one that is rendered for one visitor, also in its links and without scripts (${lang})`, async () => {
      expect(tags.length).toBeGreaterThan(1);
      for (const { id } of tags) {
        const linkedPage = await readPage(`${eventPath}&lang=${lang}&tag=${id}`);
        expect(linkedPage.status).toBe(200);
        expect(linkedPage.text).toBe(
          (await readPage(`${eventPath}&lang=${lang}&tag=${id}${RENDERED_PARAM}`)).text,
        );
        expect(linkedPage.text).toMatch(new RegExp(`<li id="tag-${id}"[^>]*><details open="" `));
        expect(linkedPage.text.match(/<details open/g)).toHaveLength(1);
        expect(linkedPage.text).toContain(`&amp;tag=${id}&amp;from=`);
      }
    });

  test("reports the tag and the referring site without scripts", async () => {
    const url = `${eventPath}&tag=${tags[0]?.id}`;
    const headers = { referer: "https://news.example/story" };
    const linkedPage = await readPage(url, { headers });
    expect(linkedPage.text).toContain(`&amp;tag=${tags[0]?.id}&amp;from=news.example"`);
    expect(linkedPage.text).toBe((await readPage(url + RENDERED_PARAM, { headers })).text);
  });

  test("keeps the title and the metadata of the event", async () => {
    const readHead = (html: string) => html.slice(0, html.indexOf("</head>"));
    const plainHead = readHead((await readPage(eventPath)).text);
    expect(plainHead).toContain('<meta property="og:title"');
    for (const { id } of tags)
      expect(readHead((await readPage(`${eventPath}&tag=${id}`)).text)).toBe(plainHead);
  });

  test("to a media item, and one with a search, return the same page as the rendered one", async () => {
    for (const query of [
      ...media.map(({ id }) => `tag=${id}`),
      `tag=${tags[0]?.id}&q=a`,
      `tag=${tags[0]?.id}&page=1&view=w_0_1_0_0_0`,
    ])
      expect((await readPage(`${eventPath}&${query}`)).text, query).toBe(
        (await readPage(`${eventPath}&${query}${RENDERED_PARAM}`)).text,
      );
  });

  test("is the plain page if the event has no such tag, also for unusual texts", async () => {
    const plainText = (await readPage(eventPath)).text;
    const otherTags = demoEvent(demoIds.mainEvent).tags;
    for (const tag of [
      otherTags[0]?.id ?? "",
      "x",
      "",
      "%00",
      '"><script>alert(1)</script>',
      "../../login",
      "a".repeat(10_000),
      "広場",
    ])
      expect(
        (await readPage(`${eventPath}&tag=${encodeURIComponent(tag)}`)).text === plainText,
        tag.slice(0, 40),
      ).toBe(true);
  });

  for (const js of SCRIPTS)
    test(`shows the tag's text (${describeVisit({ js })})`, () =>
      visit({ js, lang: "ja" }, async ({ open, page }) => {
        await open(`${eventPath}&tag=${tags[1]?.id}&utm_source=mail`);
        await page.locator(`#tag-${tags[1]?.id} details[open]`).waitFor();
        expect(await page.locator("details[open]").count()).toBe(1);
      }));
});

describe("the links of an event", () => {
  let owner: Caller;
  let event: EventJson;
  const tagId = crypto.randomUUID();
  beforeAll(async () => {
    owner = await signIn("curator");
    event = await postEvent(owner, demoIds.tearoom, { status_id: 3, enable_auto_change_status: false });
    const values = { title: { ja: "展示", en: "" }, body: { ja: "本文", en: "" }, position: [0, 1, 0] };
    const commands = [{ op: "create_tag", uuid: tagId, values }];
    await owner.api("POST", `/api/v1/events/${event.uuid}/content`, { commands });
  });

  test("all show a changed name within one second, and are all closed within one second", async () => {
    const links = ["", `&tag=${tagId}`, "&view=w_0_1_0_0_0", "&utm_source=a"].map(
      (query) => linkPath(event, "published") + query,
    );
    for (const link of links) expect((await readPage(link)).status).toBe(200);
    const { version } = await owner.api<{ version: number }>("PUT", `/api/v1/events/${event.uuid}.json`, {
      event_name: "別の名前",
    });
    expect(version).toBeGreaterThan(event.version);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const link of links) expect((await readPage(link)).text, link).toContain("別の名前");
    await owner.api("PUT", `/api/v1/events/${event.uuid}.json`, { status_id: 4 });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    for (const link of links) expect((await readPage(link)).status, link).toBe(302);
  });
});

describe("a visitor's URL", () => {
  test("with ten thousand different queries is served from the cache without limits", {
    timeout: 120_000,
  }, async () => {
    const visitor = caller();
    // More than the 600 pages that one network may have rendered in a minute.
    for (let start = 0; start < 10_000; start += 50) {
      const statuses = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const number = start + index;
          const query = [
            `utm_source=${number}`,
            `x${number}=${number}`,
            `tag=${number}`,
            `view=w_${number % 999}_1_0_0_0`,
            `tag=${tags[number % tags.length]?.id}&fbclid=${number}`,
          ][number % 5];
          return (await visitor.fetch(`${eventPath}&${query}`, { method: "HEAD" })).status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
  });

  test("with thousands of characters or parameters that the page does not know returns the same page", async () => {
    const plainText = (await readPage(eventPath)).text;
    const longText = "あ".repeat(1_000);
    for (const query of [
      `x=${"a".repeat(10_000)}`,
      `${encodeURIComponent(longText)}=1`,
      `view=${"w".repeat(10_000)}`,
      Array.from({ length: 1_000 }, (_, index) => `p${index}=${index}`).join("&"),
      `tag=${"-".repeat(36)}&tag=${tags[0]?.id}`,
    ])
      expect((await readPage(`${eventPath}&${query}`)).text === plainText, query.slice(0, 40)).toBe(true);
    expect((await readPage(`/event/published/${"a".repeat(10_000)}?token=x`)).status).toBe(302);
  });

  test("returns the same header names to HEAD as to GET, and the whole page to a conditional request", async () => {
    for (const query of ["", `&tag=${tags[0]?.id}`, "&utm_source=a"]) {
      const page = await readPage(eventPath + query);
      const head = await caller().fetch(eventPath + query, { method: "HEAD" });
      const listNames = (headers: Headers) => [...headers.keys()].filter((name) => name !== "content-length");
      expect([head.status, await head.text(), listNames(head.headers)]).toEqual([
        200,
        "",
        listNames(page.headers),
      ]);
      const conditionalPage = await readPage(eventPath + query, {
        headers: { "if-none-match": "*", "if-modified-since": new Date().toUTCString() },
      });
      expect([conditionalPage.status, conditionalPage.text === page.text]).toEqual([200, true]);
      expect(page.headers.get("cache-control")).toContain("no-store");
    }
  });
});
