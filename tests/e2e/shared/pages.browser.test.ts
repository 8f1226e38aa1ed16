import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Caller, caller, type EventJson, linkPath, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { describeVisit, visit, waitForHydration } from "../../support/browser/visit";

const TAG_COUNT = 1000;
const PAGE_SIZE = 50;

describe("an event of 1,000 tags", () => {
  const ids = Array.from({ length: TAG_COUNT }, () => crypto.randomUUID());
  let event: EventJson;
  let path: string;
  beforeAll(async () => {
    const owner = await signIn("curator");
    event = await postEvent(owner, demoIds.tearoom, { status_id: 3, enable_auto_change_status: false });
    path = linkPath(event, "published");
    for (let start = 0; start < TAG_COUNT; start += 100) {
      const commands = ids.slice(start, start + 100).map((uuid, index) => ({
        op: "create_tag",
        uuid,
        values: {
          title: { ja: `展示 ${start + index}`, en: `Exhibit ${start + index}` },
          body: { ja: "木と紙と藍で作られています。\n\n".repeat(10), en: "" },
          position: [index % 10, 1.2, start / 100],
        },
      }));
      await owner.api("POST", `/api/v1/events/${event.uuid}/content`, { commands });
    }
  });
  const readTagIds = (html: string) =>
    [...html.matchAll(/<li id="tag-([0-9a-f-]{36})"/g)].map(([, id]) => id);
  const removeNonces = (html: string) => html.replace(/nonce(="|":")[^"]+/g, "");

  test("is split into pages in the order of its tags, and every tag is on one of them", async () => {
    const visitor = caller();
    const listedIds: (string | undefined)[] = [];
    for (let page = 1; page <= TAG_COUNT / PAGE_SIZE; page++) {
      const { text } = await visitor.get(`${path}&page=${page}`);
      listedIds.push(...readTagIds(text));
      expect(text.length).toBeLessThan(1_500_000);
    }
    expect(listedIds).toEqual(ids);
    // Page numbers beyond the last show the last page, and invalid ones show the first.
    expect(readTagIds((await visitor.get(`${path}&page=99`)).text)).toEqual(ids.slice(-PAGE_SIZE));
    expect(readTagIds((await visitor.get(`${path}&page=x`)).text)).toEqual(ids.slice(0, PAGE_SIZE));
  });

  test("opens the page that holds a linked tag, and searches all tags", async () => {
    const visitor = caller();
    const linkedPage = await visitor.get(`${path}&tag=${ids[734]}`);
    expect(readTagIds(linkedPage.text)).toEqual(ids.slice(700, 750));
    expect(linkedPage.text).toMatch(new RegExp(`<li id="tag-${ids[734]}"[^>]*><details open`));
    // A link to another tag of that page returns the same page with the page's number and without it.
    for (const index of [700, 749]) {
      const { text } = await visitor.get(`${path}&tag=${ids[index]}&utm_id=1`);
      const pageByNumber = await visitor.get(`${path}&tag=${ids[index]}&page=15&_routes=x`);
      const toComparable = (html: string) =>
        removeNonces(html)
          .replace(/ data-request="[^"]*"/, "")
          .replaceAll("&amp;_routes=x", "");
      expect(toComparable(text) === toComparable(pageByNumber.text)).toBe(true);
    }
    const page = await visitor.get(`${path}&q=${encodeURIComponent("展示 99")}&lang=ja`);
    expect(readTagIds(page.text)).toEqual(ids.filter((_, index) => String(index).includes("99")));
    // The markers in the space, which scripts fetch, include every tag.
    const content = await visitor.get(path.replace("?", "/content?"));
    const { pins } = JSON.parse(content.text) as { pins: readonly { id: string }[] };
    expect(new Set(pins.map(({ id }) => id))).toEqual(new Set(ids));
  });

  test("returns the same page, search results and data when irrelevant parameters are appended", async () => {
    const plainPage = removeNonces((await caller().get(path)).text);
    for (const query of [
      "utm_source=a",
      "ref=b&x=1",
      "page=1&dialog=nothing",
      "tag=unknown",
      "token=other",
      "view=w",
    ])
      expect(removeNonces((await caller().get(`${path}&${query}`)).text) === plainPage, query).toBe(true);
    const searches = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        caller().get(`${path}&q=${encodeURIComponent("藍")}&fbclid=${index}`),
      ),
    );
    expect(new Set(searches.map(({ status, text }) => `${status} ${removeNonces(text)}`)).size).toBe(1);
    const dataResponses = await Promise.all(
      ["", "&utm_id=1"].map((query) => caller().get(path.replace("?", ".data?") + query)),
    );
    expect(dataResponses.map(({ status }) => status)).toEqual([200, 200]);
    expect(dataResponses[0]?.text).toBe(dataResponses[1]?.text);
  });

  for (const js of [true, false])
    test(`is read page by page (${describeVisit({ lang: "ja", js })})`, () =>
      visit(
        { lang: "ja", js, reducedMotion: true },
        async ({ open, page, t, axe, saveScreenshot, resize }) => {
          const laterResponse = js
            ? page.waitForResponse((response) => response.url().includes("/content?"))
            : null;
          await open(`${path}&utm_source=newsletter`);
          await laterResponse;
          if (js) await waitForHydration(page);
          const pager = page.getByRole("navigation", { name: t("visitors-late:listPages") });
          const findEntry = (index: number) => page.locator(`#tag-${ids[index]}`);
          // The links navigate to documents until their script has loaded.
          const nextLink = pager.getByRole("link", { name: t("visitors-late:listNext") });
          if (js)
            await expect
              .poll(() =>
                nextLink.evaluate((link) => Object.keys(link).some((key) => key.startsWith("__reactProps"))),
              )
              .toBe(true);
          await nextLink.click();
          await findEntry(50).waitFor();
          expect(await findEntry(0).count()).toBe(0);
          await pager
            .getByText(t("visitors-late:listRange", { from: 51, to: 100, total: TAG_COUNT }))
            .waitFor();
          expect(new URL(page.url()).searchParams.get("page")).toBe("2");
          if (js) await axe("list-page");
          await saveScreenshot("list-page");
          await resize(390);
          await saveScreenshot("list-page");
          if (!js) {
            await page.getByRole("searchbox").fill("展示 999");
            await page.getByRole("button", { name: t("visitors-late:searchSubmit") }).click();
            await findEntry(999).waitFor();
            return;
          }
          // The focus moves to the text that states the range of the entries.
          expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("51");
          // When an entry is opened in the space or by a link, the list shows the page that contains it.
          await page.evaluate((id) => {
            window.location.hash = `#tag-${id}`;
          }, ids[734]);
          await findEntry(734).locator("details[open]").waitFor();
          expect(await findEntry(50).count()).toBe(0);
          await page.getByRole("searchbox").fill("展示 999");
          await findEntry(999).waitFor();
          await page.getByRole("searchbox").fill("");
          await findEntry(734).waitFor();
        },
      ));
});

describe("pages that are rendered", () => {
  test("are limited for each network; pages from memory are not", async () => {
    const visitor = caller();
    const waitTexts = { ja: "1分ほど待ってから", en: "Please wait a minute" } as const;
    const langs = ["ja", "en"] as const;
    let admitted = 0;
    let rejected = 0;
    // The minute may end during the test, which resets the count.
    while (rejected < 4 && admitted < 1300) {
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) => visitor.get(`/retrieve-password?lang=${langs[index % 2]}`)),
      );
      for (const [index, page] of responses.entries()) {
        if (page.status === 200) admitted++;
        else {
          rejected++;
          const lang = langs[index % 2] ?? "ja";
          expect([page.status, page.headers.get("retry-after")]).toEqual([429, "60"]);
          expect(page.visibleText).toContain(waitTexts[lang]);
          expect(page.text).toContain(`<html lang="${lang}"`);
        }
      }
    }
    expect(rejected).toBeGreaterThanOrEqual(4);
    expect(admitted).toBeGreaterThanOrEqual(600);
    expect((await caller().get("/retrieve-password?lang=en")).status).toBe(200);
    // Another visitor has requested this page before.
    const path = `${demoPath(demoIds.mainEvent)}&lang=en`;
    await caller().get(path);
    expect((await visitor.get(path)).status).toBe(200);
    expect((await caller().get("/error/event/x")).status).toBe(404);
    // Pages that would have to be rendered are replaced by plain ones: visitors behind one address are not locked out.
    const search = await visitor.get(`${path}&q=${crypto.randomUUID()}`);
    expect(search.status).toBe(200);
    expect((await visitor.get("/login?next=/space-list")).status).toBe(200);
    expect((await visitor.get("/error/event/x?link=x")).status).toBe(404);
    const shop = await visitor.get(`${path.replace("?", "/shop/products/1009?")}&o=${crypto.randomUUID()}`);
    expect([200, 302]).toContain(shop.status);
  });
});

test("probes cause no server error and no error in the log, and logged browser reports contain no secrets", async () => {
  const logLines: string[] = [];
  const local = await startFromSnapshot(inject("snapshotFolder"), { onLog: (line) => logLines.push(line) });
  try {
    const visitor: Caller = caller(null, local.origin);
    const { event } = demoEvent(demoIds.mainEvent);
    const eventPath = `/event/published/${event.id}`;
    const token = `token=${event.accessToken}`;
    for (const path of [
      "/login?_data=routes/login",
      "/login?_data",
      "/?index&_data=root",
      `${eventPath}?${token}&_data=routes/viewer`,
      "/space-list.data?_data=x",
      "/%E0%A4%A",
      "/space/%ff",
    ])
      expect([path.slice(0, 60), (await visitor.get(path)).status]).toEqual([path.slice(0, 60), 400]);
    for (const path of ["/login.data?_routes=nothing", "/.data", "/__manifest?p=%FF", "/login.data.data"])
      expect([path, (await visitor.get(path)).status < 500]).toEqual([path, true]);
    for (const method of ["PUT", "DELETE", "OPTIONS", "PROPFIND"])
      for (const path of ["/login", "/login.data", `${eventPath}?${token}`])
        expect([method, path, (await visitor.fetch(path, { method })).status]).toEqual([method, path, 405]);
    const { origin } = local;
    for (const path of ["/nothing", "/", "/.data", "/login.data", `${eventPath}/content?${token}`, "/oembed"])
      for (const [type, body] of [
        ["text/x-script", "[1,2,"],
        ["application/json", "{"],
        ["multipart/form-data", "x"],
        ["application/x-www-form-urlencoded", "a=%ff&%"],
      ] as const) {
        const response = await visitor.fetch(path, {
          method: "POST",
          body,
          headers: { origin, "content-type": type },
        });
        expect([path, type, response.status < 500]).toEqual([path, type, true]);
      }
    const reportResponse = await visitor.fetch("/csp-report", {
      method: "POST",
      headers: { "content-type": "application/csp-report" },
      body: JSON.stringify({
        "csp-report": {
          "document-uri": `${origin}${eventPath}?${token}`,
          "effective-directive": "img-src",
          "blocked-uri": `https://evil.example/a?${token}`,
        },
      }),
    });
    expect(reportResponse.status).toBe(204);
    await expect.poll(() => logLines.filter((line) => line.includes("csp violation"))).toHaveLength(1);
    expect(logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(logLines.join("\n")).not.toContain(event.accessToken);
  } finally {
    await local.stop();
  }
});
