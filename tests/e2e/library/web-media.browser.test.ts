import { randomUUID } from "node:crypto";
import { Response } from "miniflare";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { LocalProduct } from "../../../scripts/lib/local/local-product";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller, linkPath, postEvent } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { chooseInMenu } from "../../support/browser/controls";
import { describeVisit, submitForm, type VisitOptions, visit } from "../../support/browser/visit";
import { respondAsProvider } from "../../support/external/web-providers";

const VIDEO_URL = "https://youtu.be/dQw4w9WgXcQ?si=abc";
const PHOTO_URL = "https://www.flickr.com/photos/bees/2362225867/";

let local: LocalProduct;
let owner: Caller;
beforeAll(async () => {
  // A separate product, because the tests replace the providers and write into its database.
  local = await startFromSnapshot(inject("snapshotFolder"), {
    outbound: ({ url }) => {
      const { body, ...init } = respondAsProvider(url) ?? { status: 502, headers: {}, body: "" };
      // One provider is unreachable.
      return new URL(url).host === "vimeo.com" ? new Response("", { status: 502 }) : new Response(body, init);
    },
  });
  const { ticket } = await caller(null, local.origin).api<{ ticket: string }>("POST", "/api/cas/tickets", {
    email: "owner@demo.example",
    password: demoPassword,
  });
  owner = caller(ticket, local.origin);
});
afterAll(() => local?.stop());

const VISITS: readonly VisitOptions[] = [
  { lang: "ja", js: true, width: 1280 },
  { lang: "en", js: false, width: 390 },
  { lang: "en", js: true, width: 390 },
];

describe("a web media item", () => {
  for (const options of VISITS)
    test(`is previewed, added to the library, refreshed and replaced (${describeVisit(options)})`, () =>
      visit({ ...options, as: owner, origin: local.origin, reducedMotion: true }, async (self) => {
        const { open, page, t, js, lang, axe, saveScreenshot, players, expectStatus } = self;
        expectStatus(400, 503);
        await open("/library");
        await chooseInMenu(self, t("shared-owners:moreActions"), t("library:webMedia.add"));
        const dialog = page.getByRole("dialog", { name: t("library:webMedia.add") });
        const urlField = dialog.getByRole("textbox", { name: t("library:webMedia.url") });
        const openPreview = async (url: string) => {
          await urlField.fill(url);
          const previewLoaded = page.waitForResponse((response) => response.url().includes("dialog=web"));
          await dialog.getByRole("button", { name: t("library:webMedia.look") }).click();
          await previewLoaded;
          await page.waitForLoadState();
        };
        const expectError = (text: string) => dialog.getByRole("alert").getByText(text).waitFor();
        if (js) await axe("web-media-url");
        // The error is beside the field, and the input is kept.
        await openPreview("https://evil.example/?q=//youtu.be/dQw4w9WgXcQ");
        await expectError(t("library:errors.webMedia.unknown"));
        expect(await urlField.inputValue()).toBe("https://evil.example/?q=//youtu.be/dQw4w9WgXcQ");
        if (js) await axe("web-media-refused");
        await saveScreenshot("web-media-refused");
        await openPreview("https://vimeo.com/76979871");
        await expectError(t("api:services.webUnreachable", { provider: "Vimeo" }));

        await openPreview(VIDEO_URL);
        const title = "広場を歩く Walking through Hiroba";
        const play = dialog.getByRole("link", {
          name: t("library:webMedia.play", { title, provider: "YouTube" }),
        });
        await play.waitFor();
        expect(await play.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
        // Without scripts the link opens the provider's page.
        expect(await play.getAttribute("target")).toBe("_blank");
        expect(await play.getAttribute("rel")).toBe("noopener noreferrer");
        expect(await play.getAttribute("href")).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
        expect(players).toEqual([]);
        if (js) await axe("web-media-preview");
        await saveScreenshot("web-media-preview");
        if (js) {
          await play.focus();
          await page.keyboard.press("Enter");
          const frame = dialog.locator("iframe");
          await frame.contentFrame().getByRole("heading", { name: "Player" }).waitFor();
          expect(await frame.getAttribute("title")).toBe(title);
          expect(await frame.evaluate((element) => element === document.activeElement)).toBe(true);
          expect(players).toEqual(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"]);
        }

        const name = dialog.getByRole("textbox", { name: t("library:webMedia.title") });
        await name.fill("a".repeat(101));
        await submitForm(self, dialog.getByRole("button", { name: t("library:webMedia.save") }));
        await expectError(t("folders:errors.mediaName.tooLong"));
        expect(await name.inputValue()).toBe("a".repeat(101));
        const ownTitle = `会場案内 ${describeVisit(options)} ${randomUUID().slice(0, 4)}`;
        await name.fill(ownTitle);
        await submitForm(self, dialog.getByRole("button", { name: t("library:webMedia.save") }));
        await page.getByText(t("shared-owners:toasts.webMediaAdded")).first().waitFor();
        // Its own page has a play link, too.
        await page.getByRole("link", { name: ownTitle }).first().click();
        const ownPlayLink = page.getByRole("link", {
          name: t("library:webMedia.play", { title: ownTitle, provider: "YouTube" }),
        });
        await ownPlayLink.waitFor();
        await ownPlayLink.locator("img").evaluate((image: HTMLImageElement) => image.decode());
        if (js) await axe("web-media-item");
        await saveScreenshot("web-media-item", { fullPage: true });

        // The provider can be queried again, and the URL can be replaced.
        await submitForm(
          self,
          page.getByRole("button", { name: t("library:webMedia.refresh", { provider: "YouTube" }) }),
        );
        await page.getByText(t("shared-owners:toasts.webMediaRefreshed")).first().waitFor();
        const field = page.getByRole("textbox", { name: t("library:webMedia.url") });
        const replace = page.getByRole("button", { name: t("library:webMedia.replaceSubmit") });
        await field.fill("https://evil.example/");
        await submitForm(self, replace);
        await page.locator("#web-change-url-error").getByText(t("library:errors.webMedia.unknown")).waitFor();
        expect(await field.inputValue()).toBe("https://evil.example/");
        if (js) await axe("web-media-replace-refused");
        await saveScreenshot("web-media-replace-refused", { fullPage: true });
        await field.fill("https://vimeo.com/76979871");
        await submitForm(self, replace);
        await page
          .getByText(t("api:services.webUnreachable", { provider: "Vimeo" }))
          .first()
          .waitFor();
        await field.fill(PHOTO_URL);
        await submitForm(self, replace);
        await page.getByText(t("shared-owners:toasts.webMediaReplaced")).first().waitFor();
        await page.getByRole("heading", { level: 1, name: ownTitle }).waitFor();
        await page.getByRole("img", { name: ownTitle }).waitFor();
        expect(lang).toBe(options.lang);
      }));
});

describe("a visitor's page", () => {
  let path: string;
  const titles = { ja: "会場の映像", en: "A film of the place" };
  const photoTitles = { ja: "写真", en: "A photo" };
  beforeAll(async () => {
    const event = await postEvent(owner, demoIds.showroom, { status_id: 3 });
    const db = await local.mf.getD1Database("DB", "hiroba");
    const now = new Date().toISOString();
    for (const [url, title] of [
      [VIDEO_URL, titles],
      [PHOTO_URL, photoTitles],
    ] as const) {
      const { uuid } = await owner.api<{ uuid: string }>("POST", "/api/v1/media", { url });
      await db
        .prepare(
          `INSERT INTO event_media (id, event_id, library_item_id, title_ja, title_en, created_on, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        )
        .bind(randomUUID(), event.uuid, uuid, title.ja, title.en, now, now)
        .run();
    }
    path = linkPath(event, "published");
  });

  for (const options of VISITS)
    test(`sends a provider no request before play is pressed (${describeVisit(options)})`, () =>
      visit(
        { ...options, origin: local.origin, reducedMotion: true },
        async ({ open, page, t, js, lang, axe, saveScreenshot, players }) => {
          await open(path);
          const title = titles[lang];
          const play = page.getByRole("link", {
            name: t("library:webMedia.play", { title, provider: "YouTube" }),
          });
          await play.scrollIntoViewIfNeeded();
          const posterImage = play.locator("img");
          await posterImage.evaluate((image: HTMLImageElement) => image.decode());
          expect(await posterImage.getAttribute("src")).toMatch(/^\/media\//);
          expect(await play.getAttribute("href")).toBe("https://www.youtube.com/watch?v=dQw4w9WgXcQ");
          expect(await play.getAttribute("rel")).toBe("noopener noreferrer");
          // A photo is an image from our server.
          const photoImage = page.getByRole("img", { name: photoTitles[lang] });
          await photoImage.scrollIntoViewIfNeeded();
          expect(await photoImage.getAttribute("src")).toMatch(/^\/media\//);
          const pageLink = page.getByRole("link", {
            name: t("library:webMedia.openAt", { provider: "YouTube" }),
          });
          expect(await pageLink.getAttribute("rel")).toBe("noopener noreferrer");
          expect(players).toEqual([]);
          if (js) await axe("web-media-visitor");
          await play.scrollIntoViewIfNeeded();
          await saveScreenshot("web-media-visitor");
          if (!js) return;
          await play.click();
          await page.frameLocator("iframe").getByRole("heading", { name: "Player" }).waitFor();
          expect(players).toEqual(["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1"]);
        },
      ));
});
