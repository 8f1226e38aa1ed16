import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import {
  caller,
  changeEvent,
  type EventJson,
  linkPath,
  postEvent,
  signIn,
  unescapeHtml,
} from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { describeVisit, LANGUAGES, visit } from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

const visitor = caller();
const { origin } = visitor;
const toAbsolute = (path: string) => new URL(path, origin).href;
const requestOembed = (url: string, suffix = "") =>
  visitor.get(`/oembed?url=${encodeURIComponent(url)}${suffix}`);
/** Metadata of a page, keyed by name, property or rel. */
function readMetadata(html: string): Map<string, string> {
  const metadata = new Map<string, string>();
  for (const [tag] of html.slice(0, html.indexOf("</head>")).matchAll(/<(?:meta|link)\b[^>]*>/g)) {
    const readAttribute = (name: string) =>
      unescapeHtml(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "");
    const key =
      readAttribute("property") ||
      readAttribute("name") ||
      `${readAttribute("rel")} ${readAttribute("type") || readAttribute("hrefLang")}`.trim();
    metadata.set(key, readAttribute("content") || readAttribute("href"));
  }
  return metadata;
}

describe("a public event", () => {
  test("has its texts, an image without access control, and structured data in its metadata", async () => {
    const { event } = demoEvent(demoIds.mainEvent);
    const page = await visitor.get(`${demoPath(event.id)}&lang=en`);
    const head = readMetadata(page.text);
    expect(head.get("og:title")).toBe(event.eventName.en);
    expect(head.get("og:url")).toBe(head.get("canonical"));
    const image = await caller().fetch(new URL(head.get("og:image") ?? "").href, {
      headers: { accept: "*/*" },
    });
    expect(image.status).toBe(200);
    expect(image.headers.get("content-type")).toMatch(/^image\/(jpeg|png|webp)/);
    await image.body?.cancel();
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page.text) ?? [];
    expect(JSON.parse(json)).toMatchObject({ "@type": "Event", name: event.eventName.en });
    // The canonical URL opens the same page.
    const canonicalPage = await caller().get(new URL(head.get("canonical") ?? "").href);
    expect(canonicalPage.status).toBe(200);
    expect(readMetadata(canonicalPage.text).get("canonical")).toBe(head.get("canonical"));
  });

  test("can be embedded through oEmbed, in a size that fits", async () => {
    const { event } = demoEvent(demoIds.mainEvent);
    const head = readMetadata((await visitor.get(`${demoPath(event.id)}&lang=en`)).text);
    const page = await visitor.get(head.get("alternate application/json+oembed") ?? "");
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^application\/json/);
    const response = JSON.parse(page.text);
    expect(response).toMatchObject({
      version: "1.0",
      type: "rich",
      title: event.eventName.en,
      width: 960,
      height: 600,
    });
    const src = unescapeHtml(/src="([^"]+)"/.exec(response.html)?.[1] ?? "");
    const poster = await visitor.get(src);
    expect(poster.status).toBe(200);
    expect(poster.text).not.toMatch(/<script\b(?! type="application\/ld)/);
    expect(poster.text).not.toContain("modulepreload");
    expect(poster.headers.get("content-security-policy")).toContain("frame-ancestors *");
    const [, href = ""] = /<a [^>]*href="([^"]*token=[^"]*)"/.exec(poster.text) ?? [];
    expect((await visitor.get(unescapeHtml(href))).text).toContain("modulepreload");

    const small = JSON.parse(
      (await requestOembed(toAbsolute(demoPath(event.id)), "&maxwidth=320&maxheight=100")).text,
    );
    expect([small.width, small.height]).toEqual([320, 100]);
    expect(small.html).toContain(`width="320" height="100"`);
    const legacy = toAbsolute(`/space/3d/${event.id}/H1robaShwrm?token=${event.accessToken}`);
    expect((await requestOembed(legacy)).status).toBe(200);
    expect((await requestOembed(toAbsolute(demoPath(event.id)), "&format=xml")).status).toBe(501);
  });

  test("is searched on the server, and unusual queries cause no error", async () => {
    const path = `${demoPath(demoIds.mainEvent)}&lang=en`;
    const { tags } = demoEvent(demoIds.mainEvent);
    const listEntries = (html: string) =>
      [...html.matchAll(/<li id="tag-[^"]+"([^>]*)>/g)].map(([, attributes = ""]) => attributes);
    const allEntries = listEntries((await visitor.get(path)).text);
    expect(allEntries.filter((attributes) => attributes.includes("hidden")).length).toBe(0);
    const [tag] = tags;
    const page = await visitor.get(`${path}&q=${encodeURIComponent(tag?.title.en.toUpperCase() ?? "")}`);
    const visibleEntries = listEntries(page.text).filter((attributes) => !attributes.includes("hidden"));
    expect(visibleEntries.length).toBeGreaterThan(0);
    expect(visibleEntries.length).toBeLessThan(allEntries.length);
    expect(page.visibleText).toMatch(/\d+ of \d+/);
    const keyword = tags.flatMap(({ keywords }) => keywords)[0] ?? "";
    expect((await visitor.get(`${path}&k=${encodeURIComponent(keyword)}`)).visibleText).toMatch(/\d+ of \d+/);
    for (const query of [
      `q=${"x".repeat(6000)}`,
      `q=${"%00".repeat(50)}`,
      "q=%ED%A0%80&q=2",
      "q[]=a&q[a]=b",
      Array.from({ length: 400 }, (_, number) => `k=${number}`).join("&"),
      "k[]=x&k=",
      "poster=%3Cscript%3E",
      "poster=1&poster=2",
      "dialog=share&view=NaN_1e9_x&tag=%22%3E%3Csvg%3E",
      "dialog[]=share",
    ])
      expect([query.slice(0, 30), (await visitor.get(`${path}&${query}`)).status]).toEqual([
        query.slice(0, 30),
        200,
      ]);
    const statusOfHugeQuery = await visitor.fetch(`${path}&q=${"a".repeat(1_000_000)}`).then(
      ({ status }) => status,
      () => 431,
    );
    expect(statusOfHugeQuery < 500).toBe(true);
    // A search does not affect the pages of other visitors.
    expect((await caller().get(path)).text).not.toContain("shown</p>");
  });

  test("has a QR code of its own link, with a viewpoint, only for holders of the link", async () => {
    const qr = demoPath(demoIds.mainEvent).replace("?", "/qr?");
    const code = await visitor.get(`${qr}&view=w_0_1.6_2_90_-5`);
    expect(code.status).toBe(200);
    expect(code.headers.get("content-type")).toMatch(/^image\/svg\+xml/);
    expect(code.text).toMatch(/^<svg/);
    expect(code.text).not.toBe((await visitor.get(qr)).text);
    for (const path of [
      `${qr}x`,
      qr.replace(/token=.*/, ""),
      qr.replace("/published/", "/preview/"),
      "/event/preview/x/qr?token=a",
    ])
      expect([path, (await visitor.get(path)).status]).toEqual([path, 404]);
  });
});

describe("a preview and an event with a password", () => {
  test("expose no texts or images in their metadata, and cannot be embedded", async () => {
    const owner = await signIn("curator");
    const event = await postEvent(owner, demoIds.tearoom, {
      status_id: 3,
      enable_auto_change_status: false,
      event_detail: "まだ誰にも言わない",
    });
    const preview = linkPath(event, "preview");
    const locked = linkPath(
      await changeEvent(owner, event.uuid, { publish_password: "合言葉-password" }),
      "published",
    );
    const authentication = await visitor.fetch("/api/authenticate_publish_event_password", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        event_uuid: event.uuid,
        token: event.access_token,
        password: "合言葉-password",
      }),
    });
    const cookie = authentication.headers.get("set-cookie")?.split(";")[0] ?? "";
    for (const [path, headers] of [
      [preview, { cookie }],
      [locked, {}],
      [locked, { cookie }],
      [`${locked}&poster=1`, {}],
      [`${preview}&poster=1`, { cookie }],
    ] as const) {
      const response = await visitor.fetch(path, { headers });
      expect([path, response.status]).toEqual([path, 200]);
      const head = readMetadata(await response.text());
      expect(head.get("robots")).toBe("noindex");
      expect(
        [...head.keys()].filter((name) => /^og:|^twitter|description|canonical|alternate/.test(name)),
      ).toEqual([]);
    }
    expect((await requestOembed(toAbsolute(preview))).status).toBe(404);
    const rejected = await visitor.fetch(`/oembed?url=${encodeURIComponent(toAbsolute(locked))}`, {
      headers: { cookie },
    });
    expect([rejected.status, await rejected.text()]).toEqual([401, ""]);
    for (const url of [
      toAbsolute(`/event/published/${event.uuid}?token=wrong`),
      toAbsolute(`/event/published/${event.uuid}`),
      toAbsolute(`/event/preview/${event.uuid}?token=${event.access_token}`),
      toAbsolute(`/event/published/${event.uuid}?token=${event.preview_access_token}`),
      `https://other.example/event/published/${event.uuid}?token=${event.access_token}`,
      toAbsolute("/login"),
      "javascript:alert(1)",
      "x".repeat(10_000),
      "",
    ])
      expect([url.slice(0, 60), (await requestOembed(url)).status]).toEqual([url.slice(0, 60), 404]);
    expect((await visitor.get("/oembed")).status).toBe(404);
  });
});

describe("sharing", () => {
  for (const [lang, js] of [
    ["ja", true],
    ["en", false],
  ] as const)
    test(`offers the visitor's own link, a QR code and an embed code (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js }, async ({ open, page, t, axe, saveScreenshot, resize, context, expectError }) => {
        const { event, tags } = demoEvent(demoIds.mainEvent);
        await open(`${demoPath(event.id)}${js ? "" : `&tag=${tags[0]?.id}`}`);
        if (js)
          await page
            .locator("summary", { hasText: tags[0]?.title[lang] || tags[0]?.title.ja })
            .first()
            .click();
        const share = page.getByRole("link", { name: t("visitors:share"), exact: true });
        const dialog = page.getByRole("dialog", { name: t("visitors-late:shareTitle") });
        if (js) {
          // Offline the event remains usable, and a requested part opens when the connection is back.
          expectError(/ERR_INTERNET_DISCONNECTED/);
          const offlineNotice = page.getByText(t("visitors-late:offline"));
          const shop = page.getByRole("link", { name: t("store-visitors:entrance"), exact: true });
          // The page requests the script of the offline notice late, especially on a slow machine.
          await page.waitForFunction(() =>
            performance.getEntriesByType("resource").some(({ name }) => name.includes("/connection-")),
          );
          await page.waitForLoadState("networkidle");
          await context.setOffline(true);
          await offlineNotice.waitFor();
          await shop.click();
          await share.click();
          expect(await shop.isVisible()).toBe(true);
          await context.setOffline(false);
          await dialog.waitFor();
          expect(await offlineNotice.isVisible()).toBe(false);
        } else await share.click();
        await dialog.waitFor();
        const link = await dialog.getByLabel(t("visitors-late:shareEvent"), { exact: true }).inputValue();
        expect(new URL(link).searchParams.get("token")).toBe(event.accessToken);
        expect([...new URL(link).searchParams.keys()]).toEqual(["token"]);
        if (js) {
          const tagLink = await dialog.getByLabel(t("visitors-late:shareTag"), { exact: true }).inputValue();
          expect(new URL(tagLink).searchParams.get("tag")).toBe(tags[0]?.id);
        }
        expect(await dialog.getByLabel(t("visitors-late:embed"), { exact: true }).inputValue()).toContain(
          "<iframe src=",
        );
        const qrCode = dialog.getByRole("img", { name: t("visitors-late:qrOf") });
        expect((await caller().get((await qrCode.getAttribute("src")) ?? "")).text).toMatch(/^<svg/);
        expect(await page.content()).not.toContain(event.previewAccessToken);
        if (js) await axe("share");
        await saveScreenshot("share");
        await resize(390);
        await saveScreenshot("share");
        await dialog.getByRole("link", { name: t("shared:close") }).click();
        await dialog.waitFor({ state: "detached" });
        if (!js) return;
        // The closed dialog stays closed after going back.
        await page.goBack();
        expect(page.url()).not.toContain("dialog=share");
        expect(await dialog.isVisible()).toBe(false);
      }));
});

describe("the list of an event", () => {
  test("is filtered as text and keywords are entered, also with input from before hydration", () =>
    visit({ lang: "en" }, async ({ open, page, t, axe, saveScreenshot, resize }) => {
      const { event, tags } = demoEvent(demoIds.mainEvent);
      let releaseScript = () => {};
      const released = new Promise<void>((resolve) => {
        releaseScript = resolve;
      });
      await page.route(/\/search-box-[^/]*\.js$/, async (route) => {
        await released;
        await route.continue();
      });
      await open(demoPath(event.id));
      const status = page.locator("search").getByRole("status");
      const filters = page.getByRole("group", { name: t("visitors-late:filters") }).getByRole("checkbox");
      await page.getByRole("searchbox").pressSequentially(tags[1]?.title.en ?? "");
      await page.locator("search summary").click();
      await filters.first().check();
      // Changes of the URL do not change the form's input.
      await page.getByRole("link", { name: t("visitors:share") }).click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.evaluate((id) => {
        location.hash = `tag-${id}`;
      }, tags[2]?.id);
      await page.locator(`#tag-${tags[2]?.id} details[open]`).waitFor();
      await page.getByRole("searchbox").press("End");
      await filters.first().uncheck();
      expect(await status.textContent()).toBe("");
      releaseScript();
      await status.filter({ hasText: /^1 / }).waitFor();
      expect(await page.getByRole("searchbox").inputValue()).toBe(tags[1]?.title.en);
      const searchbox = page.getByRole("searchbox", { name: t("visitors-late:search") });
      await searchbox.fill("zzzz");
      await page
        .getByRole("status")
        .filter({ hasText: t("visitors-late:foundNone") })
        .waitFor();
      await searchbox.fill(tags[1]?.title.en ?? "");
      await page.locator("summary", { hasText: tags[1]?.title.en }).first().waitFor();
      await page.locator(`#tag-${tags[0]?.id}`).waitFor({ state: "hidden" });
      await page.getByRole("link", { name: t("visitors-late:searchClear") }).click();
      const hiddenEntries = page.locator("li[id^=tag-][hidden]");
      await expect.poll(() => hiddenEntries.count()).toBe(0);
      await filters.first().check();
      await status.filter({ hasText: /^\d/ }).waitFor();
      await expect.poll(() => hiddenEntries.count()).toBeGreaterThan(0);
      await axe("search");
      await saveScreenshot("search");
      await resize(390);
      await saveScreenshot("search");
    }));
});

describe("an event of 500 tags with a tour", () => {
  const localized = (ja: string, en: string) => ({ ja, en });
  let event: EventJson;
  const ids = Array.from({ length: 500 }, () => crypto.randomUUID());
  beforeAll(async () => {
    const owner = await signIn("curator");
    event = await postEvent(owner, demoIds.tearoom, { status_id: 3, enable_auto_change_status: false });
    const runCommands = async (commands: readonly object[]) => {
      const { results } = await owner.api<{ results: { ok: boolean }[] }>(
        "POST",
        `/api/v1/events/${event.uuid}/content`,
        { commands },
      );
      expect(results.filter(({ ok }) => !ok)).toEqual([]);
    };
    for (let start = 0; start < ids.length; start += 100)
      await runCommands(
        ids.slice(start, start + 100).map((uuid, index) => ({
          op: "create_tag",
          uuid,
          values: {
            title: localized(`展示 ${start + index}`, `Exhibit ${start + index}`),
            body: localized(
              `**展示物**の説明 ${uuid.replace(/\d/g, "x")}。\n\n- 素材: 木\n- [作者](https://example.com/${index})`,
              "",
            ),
            keywords: [`棚${index % 12}`],
            position: [index % 10, 1.2, start / 100],
          },
        })),
      );
    await runCommands([
      {
        op: "update_scene",
        version: 0,
        values: {
          tour: [
            {
              uuid: crypto.randomUUID(),
              tag_uuid: ids[3],
              title: localized("", ""),
              text: localized("はじめに見る", ""),
              seconds: 1,
            },
            {
              uuid: crypto.randomUUID(),
              tag_uuid: ids[4],
              title: localized("終わり", "The end"),
              text: localized("", ""),
              seconds: 1,
            },
          ],
        },
      },
    ]);
  });

  test("has a page of less than 300 KB when it is compressed", async () => {
    const page = await caller().get(linkPath(event, "published"));
    expect(gzipSync(page.text).length).toBeLessThan(300_000);
    expect(page.visibleText).toContain("展示 49");
    const lastPage = await caller().get(`${linkPath(event, "published")}&page=10`);
    expect(lastPage.visibleText).toContain("展示 499");
    expect(page.text).toContain("<strong>展示物</strong>");
    expect(page.text).toContain(`href="https://example.com/49" target="_blank" rel="noopener noreferrer"`);
  });

  for (const js of [true, false])
    test(`is toured and searched (${describeVisit({ lang: "ja", js })})`, () =>
      visit(
        { lang: "ja", js, reducedMotion: true },
        async ({ open, page, t, axe, saveScreenshot, resize }) => {
          await open(linkPath(event, "published"));
          const tour = page.getByRole("region", { name: new RegExp(`^${t("visitors-late:tour")}`) });
          const stops = tour.getByRole("listitem");
          expect(await stops.count()).toBe(2);
          if (!js) {
            expect(await tour.getByText("はじめに見る").isVisible()).toBe(true);
            expect(
              await tour
                .getByRole("link", { name: t("visitors-late:stopTag") })
                .first()
                .getAttribute("href"),
            ).toBe(`#tag-${ids[3]}`);
            await page.getByRole("searchbox").fill("展示 499");
            await page.locator("search summary").click();
            await page.getByRole("checkbox", { name: "棚3" }).check();
            await page.getByRole("button", { name: t("visitors-late:searchSubmit") }).click();
            await page.getByText(t("visitors-late:found", { count: 1, total: 500 })).waitFor();
            expect(new URL(page.url()).searchParams.get("token")).toBe(event.access_token);
            expect(await page.getByRole("checkbox", { name: "棚3" }).isChecked()).toBe(true);
            await saveScreenshot("many");
            return;
          }
          const status = tour.getByRole("status");
          await tour.getByRole("button", { name: t("visitors-late:tourNext") }).click();
          await status
            .filter({ hasText: t("visitors-late:tourAt", { at: 1, of: 2, title: "展示 3" }) })
            .waitFor();
          expect(await tour.getByText("はじめに見る").isVisible()).toBe(true);
          await tour.getByRole("button", { name: t("visitors-late:tourPlay") }).click();
          // It pauses when the visitor uses the mouse wheel in the space.
          await page.locator("section[data-stage]").dispatchEvent("wheel");
          await status.filter({ hasText: t("visitors-late:tourPaused") }).waitFor();
          await tour.getByRole("button", { name: t("visitors-late:tourPlay") }).click();
          await status.filter({ hasText: t("visitors-late:tourEnded") }).waitFor();
          await page.getByRole("searchbox").fill("てんじ");
          await page.getByRole("searchbox").fill("展示 49");
          await page.getByRole("status").filter({ hasText: "500" }).waitFor();
          const visibleEntries = page.locator("ol > li[id^=tag-]:not([hidden])");
          expect(await visibleEntries.count()).toBe(15);
          await axe("many");
          await saveScreenshot("many");
          // On a phone, the bar says that the tour has ended, and the stop ends above it.
          await resize(390);
          const bar = page.locator("[data-tour-bar]");
          expect(await bar.getByText(t("visitors-late:tourEnded")).isVisible()).toBe(true);
          await bar.getByRole("button", { name: t("visitors-late:tourPrevious") }).click();
          await expect
            .poll(async () => {
              const stop = await tour.locator("[aria-current=step]").boundingBox();
              return stop && stop.y + stop.height <= ((await bar.boundingBox())?.y ?? 0);
            })
            .toBe(true);
          await saveScreenshot("many");
        },
      ));
});

describe("an owner's preview as a visitor", () => {
  for (const lang of LANGUAGES)
    test(`shows the content of a link at a given time, or when the closed link will open (${lang})`, async () => {
      const owner = await signIn("curator");
      const event = await postEvent(owner, demoIds.tearoom, {
        status_id: 1,
        start_date: "2091-05-01T00:00:00.000Z",
        end_date: "2091-06-01T00:00:00.000Z",
      });
      await visit({ lang, as: owner }, async ({ open, page, t, axe, saveScreenshot, resize }) => {
        const path = `/event/${event.uuid}/as-visitor`;
        await open(path);
        const frame = page.frameLocator("iframe");
        await frame.getByRole("heading", { level: 1, name: event.event_name }).waitFor();
        expect(await frame.getByRole("timer").count()).toBe(0);
        await page.getByText(t("events:preview.isClosed", { status: t("shared:statuses.1") })).waitFor();
        expect(await page.locator(`time[datetime="2091-05-01T00:00:00.000Z"]`).count()).toBe(1);
        await saveScreenshot("as-visitor-closed");
        await page.getByLabel(t("events:preview.at")).fill("2091-05-02T10:00");
        await page
          .getByRole("combobox", { name: t("events:preview.language") })
          .selectOption(lang === "ja" ? "en" : "ja");
        await page.getByLabel(t("events:preview.size")).selectOption("phone");
        // With scripts, every choice applies at once.
        expect(await page.getByRole("button", { name: t("events:preview.show") }).count()).toBe(0);
        await page.getByText(t("events:preview.isOpen", { status: t("shared:statuses.3") })).waitFor();
        await frame.getByRole("heading", { level: 1, name: event.event_name }).waitFor();
        expect(await frame.locator("html").getAttribute("lang")).toBe(lang === "ja" ? "en" : "ja");
        expect(await page.locator("html").getAttribute("lang")).toBe(lang);
        await axe("as-visitor");
        const translateOther = translateIn(lang === "ja" ? "en" : "ja");
        expect(await frame.getByText(translateOther("visitors:shareOff")).isVisible()).toBe(true);
        await saveScreenshot("as-visitor");
        // On a phone, the size is a phone's and the controls are one row.
        await resize(390);
        await open(path);
        await page.waitForURL(/size=phone/);
        expect(await page.getByLabel(t("events:preview.size")).inputValue()).toBe("phone");
        expect((await page.locator("main form").boundingBox())?.height).toBeLessThan(90);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
        await saveScreenshot("as-visitor");
      });
    });

  test("applies its choices with a button without scripts", async () => {
    const owner = await signIn("owner");
    await visit({ lang: "en", js: false, as: owner }, async ({ open, page, t }) => {
      await open(`/event/${demoIds.mainEvent}/as-visitor`);
      await page.getByLabel(t("events:preview.size")).selectOption("phone");
      await page.getByRole("button", { name: t("events:preview.show") }).click();
      await page.waitForURL(/size=phone/);
    });
  });

  test("is private: visitors and other users cannot open it, and it is not cached", async () => {
    const path = `/event/${demoIds.mainEvent}/as-visitor`;
    const stranger = await signIn("curator");
    const owner = await signIn("owner");
    const token = demoEvent(demoIds.mainEvent).event.accessToken;
    for (const page of [path, `${path}/page`]) {
      const rejected = await visitor.get(`${page}?token=${token}`);
      expect(rejected.status).toBe(302);
      expect(rejected.headers.get("location")).toMatch(/^\/login\?next=/);
      expect((await stranger.get(page)).status).toBe(404);
      const preview = await owner.get(`${page}?at=2091-01-01T00:00:00.000Z&lang=en`);
      expect(preview.status).toBe(200);
      expect(preview.headers.get("cache-control")).toContain("no-store");
      expect((await owner.get(`${page}?at=nonsense`)).status).toBe(page === path ? 400 : 200);
    }
    const framedPage = await owner.get(`${path}/page?lang=en`);
    expect(framedPage.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    expect(framedPage.headers.getSetCookie()).toEqual([]);
    expect(framedPage.text).not.toContain(token);
  });
});
