import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { demoData } from "../../../seed/demo";
import { type Caller, type EventJson, linkPath, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { type VisitOptions, visit } from "../../support/browser/visit";
import { eventWithTags } from "../../support/scene-event";

let owner: Caller;
/** A published event with a model and splats as its media. */
let event: EventJson;
/** Id of the model among them. */
let model: string;
const findSpaceFile = (spaceId: string): string => {
  const source = demoData(inject("seededAt")).spaces.find(({ id }) => id === spaceId)?.source;
  if (!source || !("mediaId" in source)) throw new Error("The demo's space has no file.");
  return source.mediaId;
};
beforeAll(async () => {
  owner = await signIn("owner");
  model = crypto.randomUUID();
  const created = await eventWithTags(owner, 0);
  event = created.event;
  await created.edit(
    ...(
      [
        [model, findSpaceFile(demoIds.showroom), "椅子", "Chair"],
        [crypto.randomUUID(), findSpaceFile(demoIds.splat), "広場", "Square"],
      ] as const
    ).map(([uuid, library_item_uuid, ja, en]) => ({
      op: "create_media",
      uuid,
      values: { library_item_uuid, title: { ja, en } },
    })),
  );
});

const VISITS: readonly VisitOptions[] = [
  { lang: "ja", width: 390 },
  { lang: "en", width: 1280 },
];

describe("a model and splats among an event's media", () => {
  for (const options of VISITS)
    test(
      `open in a separate viewer, and can be downloaded (${options.lang})`,
      () =>
        visit({ ...options, stage: true }, async ({ open, page, t, axe, saveScreenshot, lang }) => {
          await open(`${linkPath(event, "published")}&lang=${lang}`);
          for (const name of lang === "ja" ? ["椅子", "広場"] : ["Chair", "Square"]) {
            const opener = page.getByRole("button", { name: `${t("visitors-late:staged.open")} ${name}` });
            await opener.scrollIntoViewIfNeeded();
            await saveScreenshot(`staged-list-${name}`);
            await opener.focus();
            await page.keyboard.press("Enter");
            const dialog = page.getByRole("dialog", { name });
            await dialog.locator('[data-stage="ready"]').waitFor({ timeout: 60_000 });
            await dialog.getByRole("toolbar").waitFor();
            // No URL opens this dialog at a viewpoint, so it has no button that copies a link.
            expect(
              await dialog.getByRole("button", { name: t("visitors-late:viewer.copyLink") }).count(),
            ).toBe(0);
            await axe(`staged-${name}`);
            await saveScreenshot(`staged-${name}`);
            await page.keyboard.press("Escape");
            await dialog.waitFor({ state: "hidden" });
            expect(await opener.evaluate((button) => button === document.activeElement)).toBe(true);
            const download = page.waitForEvent("download");
            await page.getByRole("link", { name: new RegExp(`${name}$`) }).click();
            const downloadedFile = await download;
            expect(downloadedFile.suggestedFilename()).toMatch(/\.(glb|spz)$/);
            expect(readFileSync(await downloadedFile.path()).length).toBeGreaterThan(1000);
          }
        }),
      120_000,
    );

  test("have a message and a download in place of the viewer without scripts", () =>
    visit({ js: false, lang: "en" }, async ({ open, page, t, saveScreenshot }) => {
      await open(`${linkPath(event, "published")}&lang=en`);
      expect(await page.getByText(t("visitors-late:staged.noScripts")).first().isVisible()).toBe(true);
      expect(await page.getByRole("button", { name: t("visitors-late:staged.open") }).count()).toBe(0);
      const link = page.getByRole("link", { name: /Chair$/ });
      expect(await link.getAttribute("href")).toContain("/original?");
      await link.scrollIntoViewIfNeeded();
      await saveScreenshot("staged-list");
    }));

  test(
    "are opened from the editor of the event as well (the model)",
    () =>
      visit(
        { as: owner, lang: "en", stage: true, width: 1280 },
        async ({ open, page, t, saveScreenshot }) => {
          await open(`/event/${event.uuid}?panel=media&medium=${model}&lang=en`);
          const opener = page.getByRole("button", { name: `${t("visitors-late:staged.open")} Chair` });
          await opener.waitFor();
          await saveScreenshot("staged-editor");
          await opener.click();
          await page
            .getByRole("dialog", { name: "Chair" })
            .locator('[data-stage="ready"]')
            .waitFor({ timeout: 60_000 });
        },
      ),
    90_000,
  );
});
