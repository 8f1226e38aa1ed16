/** The URL parameters of an event: their preview in the space, their reset, and invalid values. */
import { beforeAll, describe, expect, test } from "vitest";
import { PREVIEW_PARAMS, paramIntent } from "~/domain/events/url-param-form";
import { type Caller, fetchEvent, postEvent, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { openGroup } from "../../support/browser/controls";
import { type BrowserVisit, visit, waitForHydration } from "../../support/browser/visit";

let owner: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
});

/** Parameters of the event at the start of a test. No field of the form has the name `later`, so it is shown among the other parameters. */
const SAVED = { later: "1", play: "1", qs: "0" };
const createShowcaseEvent = () => postEvent(owner, demoIds.showcase, { url_params: SAVED });

function findForm({ page, t }: BrowserVisit) {
  const form = page.locator("form#event");
  return {
    name: form.locator('[name^="eventName."]:visible'),
    param: (name: string) => form.locator(`[name="urlParams.${name}"]`),
    extra: (part: "name" | "value") => form.locator(`[name="extraParams[0].${part}"]`),
    error: (name: string) => page.locator(`[id="event-urlParams.${name}-error"]`),
    group: form.locator("details details").first(),
    press: (intent: string) => form.locator(`button[value="${intent}"]`),
    update: form.getByRole("button", { name: t("events:update"), exact: true }),
  };
}

const openParams = async (self: BrowserVisit, id: string) => {
  await self.open(`/event/${id}`);
  await openGroup(self, self.t("events:urlParams"));
};

/** Parameters of a showcase's URL besides those that every event has. */
function readParams(url: string | null) {
  const { m: _, playsInline: __, lang: ___, ...rest } = Object.fromEntries(new URL(url ?? "").searchParams);
  return rest;
}

describe("with scripts, the space beside the form", () => {
  const readFrameParams = async ({ page }: BrowserVisit) =>
    readParams(await page.locator("section[data-stage] iframe").getAttribute("src"));

  for (const [lang, width] of [
    ["en", 1280],
    ["ja", 390],
  ] as const)
    test(`shows the typed parameters after a pause, before they are saved (${lang}, ${width})`, async () => {
      const event = await createShowcaseEvent();
      await visit({ lang, width, as: owner }, async (self) => {
        const { page, t } = self;
        let loads = 0;
        page.on("request", (request) => {
          if (request.isNavigationRequest() && request.url().startsWith("https://my.matterport.com/"))
            loads++;
        });
        await openParams(self, event.uuid);
        await page.getByText(t("events:urlParamsLive")).waitFor();
        await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
        expect(await readFrameParams(self)).toEqual(SAVED);
        expect(await page.locator("section[data-stage] iframe").isVisible()).toBe(true);
        const form = findForm(self);
        loads = 0;
        // Two changes, one of them typed key by key, load the showcase only once.
        await form.param("help").selectOption("2");
        await form.param("ts").pressSequentially("125", { delay: 30 });
        await expect.poll(() => readFrameParams(self)).toEqual({ ...SAVED, help: "2", ts: "125" });
        await page.locator('section[data-stage="ready"]').waitFor();
        expect(loads).toBe(1);
        expect(await fetchEvent(owner, event.uuid)).toEqual(event);

        await form.param("ts").fill("99999999999");
        await form.error("ts").getByText(t("events:errors.urlParams.range")).waitFor();
        await expect.poll(() => readFrameParams(self)).toEqual({ ...SAVED, help: "2" });

        await form.press(paramIntent("reset", "play")).click();
        expect(await form.param("play").inputValue()).toBe("");
        await form.press(paramIntent("undo", "play")).click();
        expect(await form.param("play").inputValue()).toBe("1");
        await form.press(paramIntent("reset", "ts")).click();
        await expect.poll(() => form.error("ts").count()).toBe(0);

        await form.press(paramIntent("reset")).click();
        await expect.poll(() => readFrameParams(self)).toEqual({ play: "1" });
        expect(await form.extra("name").inputValue()).toBe("");
        await form.press(paramIntent("undo")).click();
        await expect.poll(() => readFrameParams(self)).toEqual({ ...SAVED, help: "2" });
        await self.axe("event-url-params");
        await self.saveScreenshot("event-url-params");

        await form.update.click();
        await page.getByText(t("shared-owners:toasts.eventUpdated")).waitFor();
        // Values that equal the default are stored as given.
        expect((await fetchEvent(owner, event.uuid)).url_params).toBe(
          JSON.stringify({ help: "2", later: "1", play: "1", qs: "0" }),
        );
        await waitForHydration(page);
        expect(await readFrameParams(self)).toEqual({ ...SAVED, help: "2" });
      });
    });

  test("shows the saved parameters again after Cancel, and opens the group of an error", async () => {
    const event = await createShowcaseEvent();
    await visit({ lang: "en", as: owner }, async (self) => {
      const { page, t } = self;
      await openParams(self, event.uuid);
      await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
      const form = findForm(self);
      await form.param("qs").selectOption("1");
      await expect.poll(() => readFrameParams(self)).toEqual({ ...SAVED, qs: "1" });
      // The browser reports such a number as empty. It must not be saved as the default.
      await form.param("ts").pressSequentially("1e");
      await form.group.locator("summary").click();
      await form.update.click();
      await form.error("ts").getByText(t("events:errors.urlParams.integer")).waitFor();
      expect(await form.group.getAttribute("open")).not.toBeNull();
      const link = page.getByRole("alert").getByRole("link", { name: "ts" });
      await form.group.locator("summary").click();
      await link.click();
      await expect
        .poll(() => form.param("ts").evaluate((field) => field === document.activeElement))
        .toBe(true);
      expect(await fetchEvent(owner, event.uuid)).toEqual(event);
      await page.getByRole("link", { name: t("events:cancel"), exact: true }).click();
      await page.getByRole("button", { name: t("shared-owners:discardGo"), exact: true }).click();
      await expect.poll(() => readFrameParams(self)).toEqual(SAVED);
    });
  });
});

describe("without scripts", () => {
  test("a button previews the typed parameters, and buttons reset one and all and undo it", async () => {
    const event = await createShowcaseEvent();
    await visit({ lang: "ja", js: false, as: owner }, async (self) => {
      const { page, t } = self;
      await openParams(self, event.uuid);
      const form = findForm(self);
      const pressButton = async (intent: string) => {
        await form.press(intent).click();
        await page.waitForLoadState();
      };
      await form.name.fill("書きかけの名前");
      await form.param("help").selectOption("1");
      await pressButton(PREVIEW_PARAMS);
      const preview = page.getByRole("link", { name: t("events:urlParamsPreviewOpen") });
      expect(readParams(await preview.getAttribute("href"))).toEqual({ ...SAVED, help: "1" });
      await self.saveScreenshot("event-url-params-preview");
      await pressButton(paramIntent("reset", "play"));
      expect(await form.param("play").inputValue()).toBe("");
      expect(await form.param("help").inputValue()).toBe("1");
      await pressButton(paramIntent("undo", "play"));
      expect(await form.param("play").inputValue()).toBe("1");
      await pressButton(paramIntent("reset"));
      for (const name of ["play", "qs", "help"]) expect(await form.param(name).inputValue()).toBe("");
      expect(await form.extra("name").inputValue()).toBe("");
      await pressButton(paramIntent("undo"));
      expect(await form.param("qs").inputValue()).toBe("0");
      expect(await form.extra("name").inputValue()).toBe("later");
      expect(await form.name.inputValue()).toBe("書きかけの名前");
      expect(await fetchEvent(owner, event.uuid)).toEqual(event);
    });
  });

  for (const intent of ["update", PREVIEW_PARAMS])
    test(`a huge number in a closed group gets a message beside its field (${intent})`, async () => {
      const event = await createShowcaseEvent();
      await visit({ lang: "en", js: false, as: owner }, async (self) => {
        self.expectStatus(400);
        await openParams(self, event.uuid);
        const form = findForm(self);
        await form.param("ts").fill("99999999999");
        await form.group.locator("summary").click();
        await form.press(intent).last().click();
        await form.error("ts").getByText(self.t("events:errors.urlParams.range")).waitFor();
        expect(await form.param("ts").inputValue()).toBe("99999999999");
        expect(await form.param("play").inputValue()).toBe("1");
        expect(await fetchEvent(owner, event.uuid)).toEqual(event);
      });
    });
});

test("an unknown choice is rejected and stays in its list", async () => {
  const event = await createShowcaseEvent();
  const page = await owner.post(`/event/${event.uuid}`, {
    intent: PREVIEW_PARAMS,
    version: String(event.version),
    "urlParams.play": "7",
  });
  expect(page.status).toBe(400);
  expect(page.text).toMatch(/<option value="7" selected="">/);
});

test("in another kind of space, a message states that parameters have no effect, and there is no preview", async () => {
  const event = await postEvent(owner, demoIds.panorama, { url_params: { play: "0" } });
  await visit({ lang: "en", js: false, as: owner }, async (self) => {
    await self.open(`/event/${event.uuid}`);
    // The group is closed although a parameter has a value, and says why.
    await self.page.locator("summary").getByText(self.t("events:urlParamsNoEffect")).waitFor();
    expect(await findForm(self).param("play").isVisible()).toBe(false);
    await openParams(self, event.uuid);
    await self.page.getByText(self.t("events:urlParamsOnlyShowcase")).waitFor();
    expect(await findForm(self).press(PREVIEW_PARAMS).count()).toBe(0);
    expect(await findForm(self).param("play").inputValue()).toBe("0");
  });
});
