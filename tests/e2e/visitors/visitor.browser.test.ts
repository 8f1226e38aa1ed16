import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { fromRoot } from "../../../scripts/lib/paths";
import { demoPublishPassword } from "../../../seed/demo";
import {
  caller,
  changeEvent,
  type EventJson,
  linkPath,
  postEvent,
  signIn,
  unescapeHtml,
} from "../../support/api/caller";
import { contentTexts, demoEvent, demoEventNamed, demoIds, demoPath } from "../../support/app/demo";
import {
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  LANGUAGES,
  SCRIPTS,
  visit,
} from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

const MODES = ["published", "preview"] as const;

describe("the HTML that the edge sends", () => {
  for (const lang of LANGUAGES)
    for (const mode of MODES)
      for (const [name, id] of [
        ["a model", demoIds.mainEvent],
        ["panoramas", demoIds.panoramaEvent],
        ["a showcase", demoIds.showcaseEvent],
      ] as const)
        test(`contains the texts and media of an event in ${name}, under its ${mode} link (${lang})`, async () => {
          const response = await caller().get(`${demoPath(id, mode)}&lang=${lang}`);
          expect(response.status).toBe(200);
          expect(response.headers.get("content-type")).toMatch(/^text\/html; *charset=utf-8$/i);
          expect(response.text).toMatch(new RegExp(`<html[^>]* lang="${lang}"`));
          const visibleText = response.visibleText;
          expect(contentTexts(id, lang).filter((text) => !visibleText.includes(text))).toEqual([]);
          const html = unescapeHtml(response.text);
          const files = demoEvent(id).media.map(
            ({ libraryItemId }) => `/media/${libraryItemId}?event=${id}&mode=${mode}&token=`,
          );
          expect(
            files.filter((file) => !html.includes(`src="${file}`) && !html.includes(`href="${file}`)),
          ).toEqual([]);
        });

  test("can be fetched with every media file that it refers to", async () => {
    const visitor = caller();
    const html = unescapeHtml((await visitor.get(demoPath(demoIds.mainEvent))).text);
    const files = new Set(
      [...html.matchAll(/(?:src|href)="(\/media\/[^"]+)"/g)].map((match) => match[1] ?? ""),
    );
    expect(files.size).toBeGreaterThanOrEqual(12);
    for (const file of files) {
      const response = await visitor.fetch(file, { method: "HEAD" });
      expect([file, response.status]).toEqual([file, 200]);
    }
  });

  test("is the same when it comes from the isolate's cache", async () => {
    const removeNonce = (html: string) => html.replace(/nonce="[^"]*"/g, "").replace(/"nonce":"[^"]*"/g, "");
    const readPage = (query = "") => caller().get(`${demoPath(demoIds.mainEvent)}&lang=en${query}`);
    // The prices of its products arrive with a later read.
    await expect.poll(async () => (await readPage()).visibleText).toContain("¥");
    // A page with prices is rendered again every ten seconds. The loop reads until two pages in a row come from one rendering, identified by its
    // request id.
    const readRequestId = ({ text }: { readonly text: string }) => /data-request="([^"]+)"/.exec(text)?.[1];
    let [firstPage, secondPage] = [await readPage(), await readPage()];
    await expect
      .poll(async () => {
        [firstPage, secondPage] = [secondPage, await readPage()];
        return readRequestId(secondPage) === readRequestId(firstPage);
      })
      .toBe(true);
    // The parameter `_routes` makes the product render a page for one visitor alone.
    const uncachedPage = await readPage("&_routes=x");
    expect(removeNonce(secondPage.text)).toBe(removeNonce(firstPage.text));
    // Only a cached page states how old its prices are, in one of two sentences.
    const withoutAge = (text: string) =>
      text
        .replace(/Price and stock (may be up to|updated) \d+ minutes? (old|ago)\s*/g, "")
        .replace(/\s+/g, " ");
    expect(withoutAge(uncachedPage.visibleText)).toBe(withoutAge(secondPage.visibleText));
    expect(secondPage.headers.get("content-security-policy")).not.toBe(
      firstPage.headers.get("content-security-policy"),
    );
  });

  test("is also served under the old URLs of spaces, with the short id (sid) of the event's own space only", async () => {
    const visitor = caller();
    const { event } = demoEvent(demoIds.mainEvent);
    const readStatus = async (path: string) => (await visitor.get(path)).status;
    for (const [mode, token] of [
      ["published", event.accessToken],
      ["3d", event.accessToken],
      ["preview", event.previewAccessToken],
    ] as const) {
      const path = `/space/${mode}/${event.id}`;
      const response = await visitor.get(`${path}/H1robaShwrm?token=${token}&lang=en`);
      expect(response.status).toBe(200);
      expect(contentTexts(event.id, "en").filter((text) => !response.visibleText.includes(text))).toEqual([]);
      expect(await readStatus(`${path}/H1robaPanor?token=${token}`)).toBe(302);
      expect(await readStatus(`${path}/H1robaShwrm`)).toBe(302);
      expect(await readStatus(`${path}/H1robaShwrm?token=${token}x`)).toBe(302);
    }
    expect(await readStatus(`/space/3d/${event.id}/H1robaShwrm?token=${event.previewAccessToken}`)).toBe(302);
  });

  test("is in Japanese by default, and remembers the chosen language", async () => {
    const visitor = caller();
    const path = demoPath(demoIds.mainEvent);
    const readLang = async (query: string, headers: Record<string, string> = {}) => {
      const response = await visitor.fetch(path + query, { headers });
      return [
        /<html[^>]* lang="(\w+)"/.exec(await response.text())?.[1],
        response.headers.get("set-cookie") ?? "",
      ] as const;
    };
    expect((await readLang("", { "accept-language": "en-GB,en" }))[0]).toBe("ja");
    expect((await readLang("&lang=jp"))[0]).toBe("ja");
    expect((await readLang("&lang=ja"))[0]).toBe("ja");
    expect((await readLang("&lang=fr"))[0]).toBe("en");
    const [lang, cookie] = await readLang("&lang=en");
    expect(lang).toBe("en");
    expect(cookie).toMatch(/^lang=en;/);
    expect((await readLang("", { cookie: "lang=en" }))[0]).toBe("en");
  });
});

describe("a link that is closed", () => {
  let event: EventJson;
  beforeAll(async () => {
    event = await postEvent(await signIn("curator"), demoIds.tearoom, { enable_auto_change_status: false });
  });

  /** Final status, path and HTML of a request, without the parts that differ in every response. */
  async function followLink(path: string) {
    const visitor = caller();
    const firstResponse = await visitor.get(path);
    const location = firstResponse.headers.get("location");
    if (firstResponse.status !== 302 || !location) return { status: firstResponse.status, finalText: "" };
    expect(firstResponse.text).toBe("");
    expect(firstResponse.headers.get("cache-control")).toContain("no-store");
    const lastResponse = await visitor.get(location);
    const finalText = lastResponse.text
      .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\bunknown\b/g, "ID")
      .replaceAll(/nonce="[^"]*"/g, "");
    return { status: lastResponse.status, location, finalText };
  }

  test("ends at the same page with status 404, whether it is wrong, unknown or unpublished", async () => {
    const owner = await signIn("curator");
    await changeEvent(owner, event.uuid, { status_id: 3 });
    const pathBeforeToken = `/event/published/${event.uuid}?token=`;
    const paths: Record<string, string> = {
      "no token": `/event/published/${event.uuid}`,
      "an empty token": pathBeforeToken,
      "a wrong token": `${pathBeforeToken}${"x".repeat(43)}`,
      "a token cut short": linkPath(event, "published").slice(0, -1),
      "the other link's token": `${pathBeforeToken}${event.preview_access_token}`,
      "the public token under preview": `/event/preview/${event.uuid}?token=${event.access_token}`,
      "an endless token": `${pathBeforeToken}${"x".repeat(5000)}`,
      "an unknown event": `/event/published/00000000-0000-4000-8000-000000000000?token=${event.access_token}`,
      "another event": `/event/published/${demoIds.mainEvent}?token=${event.access_token}`,
      "no uuid": `/event/published/anything?token=${event.access_token}`,
      "a strange uuid": `/event/preview/${encodeURIComponent("<script>alert(1)</script>")}?token=x`,
    };
    const results = await Promise.all(
      Object.entries(paths).map(async ([name, path]) => ({ name, ...(await followLink(path)) })),
    );
    await changeEvent(owner, event.uuid, { status_id: 1 });
    results.push({ name: "unpublished", ...(await followLink(linkPath(event, "published"))) });
    for (const result of results) {
      expect([result.name, result.status]).toEqual([result.name, 404]);
      expect(result.location, result.name).toMatch(/^\/error\/event\/([0-9a-f-]{36}|unknown)$/);
      expect(result.finalText, result.name).toBe(results[0]?.finalText);
    }
  });

  test("opens and closes with the status, at the very next request", async () => {
    const owner = await signIn("curator");
    const expectedAccess: Record<number, { preview: boolean; published: boolean }> = {
      1: { preview: false, published: false },
      2: { preview: true, published: false },
      3: { preview: true, published: true },
      4: { preview: false, published: false },
    };
    for (const status of [3, 1, 2, 3, 4, 2, 1, 3]) {
      await changeEvent(owner, event.uuid, { status_id: status });
      for (const mode of MODES) {
        const page = await caller().get(linkPath(event, mode));
        expect([status, mode, page.status]).toEqual([
          status,
          mode,
          expectedAccess[status]?.[mode] ? 200 : 302,
        ]);
        const token = mode === "preview" ? event.preview_access_token : event.access_token;
        const apiResponse = await caller().get(
          `/api/fetch_${mode === "preview" ? "preview" : "publish"}_event/${event.uuid}/${token}`,
        );
        expect([status, mode, apiResponse.status]).toEqual([
          status,
          mode,
          expectedAccess[status]?.[mode] ? 200 : 404,
        ]);
      }
    }
  });

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`tells visitors what to do, and does not reveal the reason (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js }, async ({ open, page, t, expectStatus }) => {
        expectStatus(404);
        await open(`/event/published/${demoIds.mainEvent}?token=wrong`);
        expect(new URL(page.url()).pathname).toBe(`/error/event/${demoIds.mainEvent}`);
        expect(new URL(page.url()).search).toBe("");
        await page.getByRole("heading", { level: 1, name: t("visitors:unavailableTitle") }).waitFor();
        expect(await page.getByText(t("visitors:unavailableHint")).isVisible()).toBe(true);
        await page.getByRole("link", { name: lang === "ja" ? "English" : "日本語" }).click();
        await page.waitForURL(/lang=/);
        expect(await page.locator("html").getAttribute("lang")).toBe(lang === "ja" ? "en" : "ja");
      }));
});

describe("a response to visitors", () => {
  const storeToken = "0123456789abcdef0123456789abcdef";
  const storeUrl = "https://secret-store.myshopify.com";

  test("contains no other token, no store token and no hash, as a page, as data and from the API", async () => {
    const owner = await signIn("curator");
    const event = await postEvent(owner, demoIds.tearoom, {
      status_id: 3,
      enable_auto_change_status: false,
      sp_store_url: storeUrl,
      sp_access_token: storeToken,
      publish_password: "合言葉-password",
    });
    const visitor = caller();
    for (const mode of MODES) {
      const [ownToken, otherToken] =
        mode === "preview"
          ? [event.preview_access_token, event.access_token]
          : [event.access_token, event.preview_access_token];
      const authentication = await visitor.fetch("/api/authenticate_publish_event_password", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ event_uuid: event.uuid, token: ownToken, mode, password: "合言葉-password" }),
      });
      expect(await authentication.json()).toEqual({ success: true });
      const accessCookie = authentication.headers.get("set-cookie")?.split(";")[0] ?? "";
      const paths = [
        linkPath(event, mode),
        `${linkPath(event, mode)}&lang=en&tag=x`,
        linkPath(event, mode).replace("?", ".data?"),
        `/api/fetch_${mode === "preview" ? "preview" : "publish"}_event/${event.uuid}/${ownToken}`,
        `/api/fetch_event_sid/event_uuid/${event.uuid}?token=${ownToken}`,
        `/api/fetch_event_tags/event_uuid/${event.uuid}?token=${ownToken}`,
        `/api/fetch_event_media/event_uuid/${event.uuid}?token=${ownToken}`,
      ];
      for (const path of paths)
        for (const cookie of ["", accessCookie]) {
          const response = await visitor.fetch(path, { headers: { cookie } });
          const responseText = `${await response.text()} ${JSON.stringify([...response.headers])}`;
          expect([path, cookie !== "" || response.status !== 500]).toEqual([path, true]);
          if (cookie) expect([path, response.status]).toEqual([path, 200]);
          for (const secret of [
            otherToken,
            storeToken,
            storeUrl,
            "secret-store",
            "合言葉-password",
            "scrypt",
            "password_hash",
            "passwordHash",
          ])
            expect(responseText.includes(secret), `${secret} in ${path}`).toBe(false);
        }
    }
  });

  test("contains nothing of an event with a password except its name and cover, which its owner shows", async () => {
    const { event } = demoEvent(demoIds.passwordEvent);
    const visitor = caller();
    for (const mode of MODES) {
      const page = await visitor.get(demoPath(demoIds.passwordEvent, mode));
      expect(page.status).toBe(200);
      expect(page.visibleText).toContain(event.eventName.ja);
      expect(page.text).not.toContain(event.eventDetail.ja.slice(0, 12));
      const otherTexts = contentTexts(event.id, "ja").filter((text) => text !== event.eventName.ja);
      expect(otherTexts.filter((text) => page.visibleText.includes(text))).toEqual([]);
      const fileIds = [...page.text.matchAll(/\/media\/([0-9a-f-]{36})/g)].map(([, id]) => id);
      expect(new Set(fileIds).size).toBe(1);
    }
  });
});

describe("an event with a password", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`gives access with the password, and remembers it (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js }, async ({ open, page, t, context, expectStatus }) => {
        expectStatus(400);
        const { event } = demoEvent(demoIds.passwordEvent);
        const path = demoPath(demoIds.passwordEvent);
        await open(path);
        await page.getByRole("heading", { name: t("visitors-late:passwordTitle") }).waitFor();
        const field = page.getByLabel(t("visitors-late:password"), { exact: true });
        const submitButton = page.getByRole("button", { name: t("visitors-late:passwordSubmit") });
        // With forced colours there is no fill, so the button has an edge.
        const readBorderWidth = () =>
          submitButton.evaluate((button) => getComputedStyle(button).borderTopWidth);
        expect(await readBorderWidth()).toBe("0px");
        await page.emulateMedia({ forcedColors: "active" });
        expect(await readBorderWidth()).toBe("1px");
        await page.emulateMedia({ forcedColors: null });

        await field.fill("wrong password");
        await submitButton.click();
        await page.getByText(t("events:errors.publishPassword.incorrect")).first().waitFor();
        // Scripts keep the input for correction; the server never returns it.
        expect(await field.inputValue()).toBe(js ? "wrong password" : "");
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        const describedBy = await field.getAttribute("aria-describedby");
        expect(await page.locator(`#${describedBy?.split(" ").at(-1)}`).textContent()).toContain(
          t("events:errors.publishPassword.incorrect"),
        );

        await field.fill(demoPublishPassword);
        await submitButton.click();
        await page.getByRole("heading", { level: 1, name: event.eventName[lang] }).waitFor();
        expect(page.url()).toContain("token=");
        expect(page.url()).not.toContain("entered");

        const accessCookie = (await context.cookies()).find(({ name }) => name.startsWith("event-auth-"));
        expect(accessCookie).toMatchObject({
          httpOnly: true,
          sameSite: "Lax",
          name: `event-auth-${event.id}`,
        });
        await page.goto(page.url());
        await page.getByRole("heading", { level: 1, name: event.eventName[lang] }).waitFor();
        // Under the name of another event's cookie, the value gives no access.
        const otherResponse = await caller().fetch(demoPath(demoIds.passwordEvent), {
          headers: { cookie: `event-auth-${demoIds.mainEvent}=${accessCookie?.value}` },
        });
        expect(await otherResponse.text()).not.toContain(event.eventDetail.ja.slice(0, 12));
      }));

  test.each(LANGUAGES)(
    "reports that the browser stores no cookies, as in another site's page (%s)",
    async (lang) => {
      const path = `${demoPath(demoIds.passwordEvent)}&lang=${lang}`;
      const passwordResponse = await caller().post(path, { password: demoPublishPassword });
      expect(passwordResponse.status).toBe(302);
      // The visitor returns without the cookie.
      const page = await caller().get(passwordResponse.headers.get("location") ?? "");
      expect(page.visibleText).toContain(translateIn(lang)("visitors-late:passwordNotKept"));
      expect(page.text).toContain(`<a href="${path.replaceAll("&", "&amp;")}" target="_blank"`);
      expect((await caller().get(path)).visibleText).not.toContain(
        translateIn(lang)("visitors-late:passwordNotKept"),
      );
    },
  );
});

describe("the page of an event", () => {
  for (const lang of LANGUAGES)
    test(`shows the poster, tags and media without scripts, and closed entries in print (${lang})`, () =>
      visit({ lang, js: false }, async ({ open, page, t }) => {
        const { event, tags } = demoEvent(demoIds.mainEvent);
        await open(demoPath(demoIds.mainEvent));
        await page.getByRole("heading", { level: 1, name: event.eventName[lang] }).waitFor();
        expect(
          await page
            .locator("section[data-stage] img")
            .first()
            .evaluate((image: HTMLImageElement) => image.naturalWidth),
        ).toBeGreaterThan(100);
        // Locates elements by position, because names are not available inside noscript.
        expect(await page.locator("noscript p").isVisible()).toBe(true);
        expect(await page.locator("noscript p").textContent()).toBe(
          t("visitors:viewer.listed", { problem: t("visitors:viewer.noScript") }),
        );
        const [firstTag, secondTag] = tags;
        if (!firstTag || !secondTag) throw new Error("The demo has too few tags");
        const body = page.getByText(firstTag.body[lang].split("\n")[0] ?? "").first();
        expect(await body.isVisible()).toBe(false);
        await page.locator("summary", { hasText: firstTag.title[lang] }).click();
        expect(await body.isVisible()).toBe(true);
        // A leaflet and a sound are opened by a plain link and by the browser's own player.
        await page.locator("summary", { hasText: secondTag.title[lang] }).click();
        const leaflet = page.getByRole("link", { name: t("library:webMedia.openDocument") });
        expect(await leaflet.first().isVisible()).toBe(true);
        const readLink = page.getByRole("link", { name: t("visitors:document.read") }).first();
        expect(await readLink.getAttribute("href")).toMatch(/^\/media\//);
        const cover = readLink.locator("img");
        expect(
          await cover.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
        ).toBe(640);
        expect(await page.locator("audio[controls]").count()).toBeGreaterThan(0);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
          true,
        );
        // The printed page shows the content of closed entries, and no search field.
        const closedBody = page.getByText(tags.at(-1)?.body[lang].split("\n")[0] ?? "").first();
        expect(await closedBody.isVisible()).toBe(false);
        await page.emulateMedia({ media: "print" });
        expect(await closedBody.isVisible()).toBe(true);
        expect(await page.getByRole("search").isVisible()).toBe(false);
        const isCutOff = () => {
          const main = document.querySelector("main");
          return (
            main && getComputedStyle(main).overflowY !== "visible" && main.scrollHeight > main.clientHeight
          );
        };
        expect(await page.evaluate(isCutOff)).toBe(false);
      }));

  for (const js of SCRIPTS)
    test(`changes the language and keeps the link (${describeVisit({ js })})`, () =>
      visit({ js }, async ({ open, page, t }) => {
        const [tag] = demoEvent(demoIds.showcaseEvent).tags;
        await open(`${demoPath(demoIds.showcaseEvent, "preview")}&tag=${tag?.id}`);
        const token = new URL(page.url()).searchParams.get("token");
        await page.getByRole("link", { name: t("shared:english"), exact: true }).click();
        await page.waitForURL(/lang=en/);
        expect(await page.locator("html").getAttribute("lang")).toBe("en");
        expect(new URL(page.url()).searchParams.get("token")).toBe(token);
        expect(await page.getByText("About this place").first().isVisible()).toBe(true);
        expect(await page.locator(`#tag-${tag?.id} details`).getAttribute("open")).not.toBeNull();
        // The choice is remembered on the next page as well.
        await page.goto(new URL(demoPath(demoIds.showcaseEvent), page.url()).href);
        expect(await page.locator("html").getAttribute("lang")).toBe("en");
      }));

  test("shows a notice in a preview and not on the public page", async () => {
    const preview = await caller().get(`${demoPath(demoIds.mainEvent, "preview")}&lang=en`);
    const publicPage = await caller().get(`${demoPath(demoIds.mainEvent)}&lang=en`);
    expect(preview.visibleText).toContain("This is a preview");
    expect(publicPage.visibleText).not.toContain("This is a preview");
    expect(preview.text).toContain('content="noindex"');
    expect(publicPage.text).not.toContain('content="noindex"');
  });

  test("shows the version outside production, as the password page and the error page do", async () => {
    const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8")) as { version: string };
    const versionText = new RegExp(`Version ${version.replaceAll(".", "\\.")}`);
    for (const path of [
      demoPath(demoIds.mainEvent),
      demoPath(demoIds.passwordEvent),
      `/error/event/${demoIds.mainEvent}?`,
    ])
      for (let time = 0; time < 2; time++)
        expect((await caller().get(`${path}&lang=en`)).visibleText, path).toMatch(versionText);
  });

  test("is open under the preview link alone while the event is in Preview", async () => {
    const event = demoEventNamed("夜間開館の下見");
    expect((await caller().get(demoPath(event.id, "preview"))).status).toBe(200);
    expect((await caller().get(demoPath(event.id))).status).toBe(302);
  });
});
