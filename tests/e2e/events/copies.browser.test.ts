import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Caller, signIn } from "../../support/api/caller";
import { choiceOption, chooseInMenu, chooseOne, openGroup } from "../../support/browser/controls";
import { type BrowserVisit, describeVisit, submitForm, visit } from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

/** An account whose spaces may be deleted. The other file that uses it creates its own. */
let person: Caller;
beforeAll(async () => {
  person = await signIn("kimura");
});

/** Each test begins without spaces, because the licence allows few. */
beforeEach(async () => {
  const spaces = await person.api<CreatedItem[]>("GET", "/api/v1/spaces");
  await person.api("POST", "/api/batch_delete", { spaces: spaces.map(({ uuid }) => uuid) });
});

/** One visit in Japanese with scripts, one in English without, on a phone. */
const VISITS = [
  { lang: "ja", js: true, width: 1280 },
  { lang: "en", js: false, width: 390 },
] as const;

interface CreatedItem {
  readonly uuid: string;
}

const makeFolder = (name: string) => person.api<CreatedItem>("POST", "/api/v1/folders", { name });
const makeSpace = (name: string, overrides: object = {}) =>
  person.api<CreatedItem>("POST", "/api/v1/spaces", { name, sid: "SxQL3iGyoDo", ...overrides });

const expectScreen = async (self: BrowserVisit, screen: string) => {
  await self.saveScreenshot(screen);
  if (self.js) await self.axe(screen);
};
const findLink = ({ page }: BrowserVisit, name: string) =>
  page.locator("main").getByRole("link", { name, exact: true });
const findCheckbox = ({ page, t }: BrowserVisit, name: string) =>
  page.getByRole("checkbox", { name: t("folders:select", { name }), exact: true });

async function chooseAction(
  self: BrowserVisit,
  name: string,
  key: "events:spaceEvents.copy" | "events:spaceEvents.delete",
) {
  const { page, t } = self;
  await chooseInMenu(self, t("events:spaceEvents.actions", { name }), t(key));
  await page.getByRole("dialog").waitFor();
}

describe("an owner of spaces", () => {
  for (const options of VISITS)
    test(`finds them in all folders, whether their names are in hiragana or katakana, and copies several at once (${describeVisit(options)})`, () =>
      visit({ ...options, as: person, reducedMotion: true }, async (self) => {
        const { open, page, t, lang } = self;
        const mark = lang === "ja" ? "一" : "二";
        const folder = await makeFolder(`カタログ${mark}`);
        await makeSpace(`サクラ${mark}`, { folder_uuid: folder.uuid });
        await makeSpace(`さくら広間${mark}`);
        await open(`/space-list?q=${encodeURIComponent("ｻｸﾗ")}`);
        await findLink(self, `サクラ${mark}`).waitFor();
        expect(await findLink(self, `さくら広間${mark}`).count()).toBe(1);
        await expectScreen(self, "spaces-found");
        // Follows the link to the folder of one of the spaces.
        await page
          .locator("main a", { hasText: `カタログ${mark}` })
          .first()
          .click();
        await page.getByRole("heading", { level: 1, name: `カタログ${mark}` }).waitFor();

        await open("/space-list?show=all");
        for (const name of [`サクラ${mark}`, `さくら広間${mark}`]) await findCheckbox(self, name).check();
        await page.getByRole("button", { name: t("folders:copy") }).click();
        const dialog = page.getByRole("dialog", { name: t("folders:copyCount", { count: 2 }) });
        await chooseOne(self, t("folders:copyTo"), `カタログ${mark}`);
        await expectScreen(self, "copy-spaces");
        await submitForm(self, dialog.getByRole("button", { name: t("folders:copySubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedCopied", {
              name: t("shared-owners:toasts.names", { name: `サクラ${mark}`, count: 1 }),
            }),
          )
          .or(
            page.getByText(
              t("shared-owners:toasts.namedCopied", {
                name: t("shared-owners:toasts.names", { name: `さくら広間${mark}`, count: 1 }),
              }),
            ),
          )
          .waitFor();
        await open(`/space-list/folders/${folder.uuid}`);
        const copy = `サクラ${mark}${t("folders:copySuffix")}`;
        for (const name of [copy, `サクラ${mark}`, `さくら広間${mark}`])
          expect([name, await findLink(self, name).count()]).toEqual([name, 1]);
      }));

  for (const options of VISITS)
    test(`copies an event, deletes it and restores it (${describeVisit(options)})`, () =>
      visit({ ...options, as: person, reducedMotion: true }, async (self) => {
        const { open, page, t, js, lang, expectStatus } = self;
        expectStatus(400);
        const mark = lang === "ja" ? "壱" : "弐";
        const nearSpace = await makeSpace(`ここ${mark}`);
        const farSpace = await makeSpace(`むこう${mark}`);
        await open(`/space/${nearSpace.uuid}`);
        const name = `ここ${mark}`;
        const dialog = page.getByRole("dialog");
        // The event has only a Japanese name.
        const language = t("shared-owners:languages.ja");
        const field = dialog.getByLabel(
          t("events:inLanguage", { field: t("events:spaceEvents.name"), language }),
          { exact: true },
        );

        // The last event of a space cannot be deleted.
        await chooseAction(self, name, "events:spaceEvents.delete");
        await dialog.getByText(t("events:errors.event.lastOfSpace")).waitFor();
        await dialog.getByRole("link", { name: t("spaces:detail.createEvent") }).waitFor();
        expect(await dialog.getByRole("button", { name: t("events:spaceEvents.deleteSubmit") }).count()).toBe(
          0,
        );
        await dialog
          .getByRole("link", { name: t("folders:close"), exact: true })
          .last()
          .click();
        await dialog.waitFor({ state: "hidden" });

        // While this event is empty, the dialog for a new event offers it.
        await open(`/space/${nearSpace.uuid}?dialog=new`);
        await dialog.getByRole("link", { name: t("spaces:detail.useEvent", { name }) }).waitFor();
        await open(`/space/${nearSpace.uuid}`);

        const copied = `${name}${translateIn("ja")("folders:copySuffix")}`;
        // The name is taken in this space. The copy then goes to another space, which is found by its name.
        await chooseAction(self, name, "events:spaceEvents.copy");
        if (lang === "en") await openGroup(self, language);
        expect(await field.inputValue()).toBe(copied);
        await field.fill(name);
        await submitForm(self, dialog.getByRole("button", { name: t("events:spaceEvents.copySubmit") }));
        await dialog.getByText(t("events:errors.eventName.taken")).first().waitFor();
        expect(await field.inputValue()).toBe(name);
        // Other spaces are listed before a search.
        const intoLabel = t("events:spaceEvents.into");
        await (await choiceOption(self, intoLabel, `むこう${mark}`)).waitFor();
        if (js) {
          // The name is found in any kana, by the server.
          const space = dialog.getByRole("combobox", { name: intoLabel, exact: true });
          await space.fill("ﾑｺｳ");
          await page.locator("[role=option]", { hasText: `むこう${mark}` }).click();
          await expect.poll(() => space.inputValue()).toContain(`むこう${mark}`);
          // A search of spaces keeps the typed name.
          expect(await field.inputValue()).toBe(name);
          await field.fill(copied);
        } else {
          await field.fill(copied);
          await dialog.getByLabel(t("events:spaceEvents.find"), { exact: true }).fill("ムコウ");
          await dialog.getByRole("button", { name: t("events:spaceEvents.findSubmit"), exact: true }).click();
          // The choice was listed before the search and remains in the results.
          await page.waitForURL(/find=/);
          // The search keeps the typed name.
          expect(await field.inputValue()).toBe(copied);
          await dialog.getByRole("radio", { name: `むこう${mark}` }).check();
        }
        await expectScreen(self, "copy-event");
        await submitForm(self, dialog.getByRole("button", { name: t("events:spaceEvents.copySubmit") }));
        await page.getByText(t("events:spaceEvents.copied")).waitFor();
        await page.waitForURL(new RegExp(farSpace.uuid));
        await page.getByRole("heading", { level: 1, name: `むこう${mark}` }).waitFor();
        await findLink(self, copied).waitFor();
        const openCopyLink = page.getByRole("link", {
          name: t("events:spaceEvents.openCopy", { name: copied }),
        });
        expect(await openCopyLink.getAttribute("href")).toMatch(/^\/event\/[0-9a-f-]{36}\?panel=tags$/);
        await findLink(self, t("shared-owners:spaceTabs.settings")).click();
        const activity = page.getByRole("region", { name: t("events:spaceEvents.activity") });
        expect(await activity.getByRole("listitem").first().textContent()).toContain(copied);
        await findLink(self, t("shared-owners:spaceTabs.events")).click();

        await chooseAction(self, copied, "events:spaceEvents.delete");
        await expectScreen(self, "delete-event");
        await submitForm(self, dialog.getByRole("button", { name: t("events:spaceEvents.deleteSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedEventDeleted", {
              name: t("shared-owners:toasts.name", { name: copied }),
            }),
          )
          .waitFor();
        expect(await findLink(self, copied).count()).toBe(0);
        await page.getByRole("heading", { level: 2, name: t("folders:deletedEvents") }).waitFor();
        await expectScreen(self, "space-with-deleted");
        await submitForm(self, page.getByRole("button", { name: t("folders:restoreOf", { name: copied }) }));
        await page
          .getByText(
            t("shared-owners:toasts.namedEventRestored", {
              name: t("shared-owners:toasts.name", { name: copied }),
            }),
          )
          .waitFor();
        await findLink(self, copied).waitFor();

        // The toast of a deletion offers to undo it.
        await chooseAction(self, copied, "events:spaceEvents.delete");
        await submitForm(self, dialog.getByRole("button", { name: t("events:spaceEvents.deleteSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedEventDeleted", {
              name: t("shared-owners:toasts.name", { name: copied }),
            }),
          )
          .waitFor();
        await submitForm(self, page.getByRole("button", { name: t("shared-owners:undo"), exact: true }));
        await page
          .getByText(
            t("shared-owners:toasts.namedUndone", { name: t("shared-owners:toasts.name", { name: copied }) }),
          )
          .waitFor();
        await findLink(self, copied).waitFor();

        // The trash of the space list holds deleted events, too.
        await chooseAction(self, copied, "events:spaceEvents.delete");
        await submitForm(self, dialog.getByRole("button", { name: t("events:spaceEvents.deleteSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedEventDeleted", {
              name: t("shared-owners:toasts.name", { name: copied }),
            }),
          )
          .waitFor();
        await open("/space-list?show=trash");
        const row = page.getByRole("row").filter({ hasText: copied });
        await row.getByRole("link", { name: `むこう${mark}`, exact: true }).waitFor();
        await expectScreen(self, "trash-with-event");
        await submitForm(self, row.getByRole("button", { name: t("folders:restoreOf", { name: copied }) }));
        await page
          .getByText(
            t("shared-owners:toasts.namedEventRestored", {
              name: t("shared-owners:toasts.name", { name: copied }),
            }),
          )
          .waitFor();
        expect(await page.getByRole("row").filter({ hasText: copied }).count()).toBe(0);
      }));
});

test("forged event forms are rejected and change nothing", async () => {
  const [space, otherSpace] = [await makeSpace("偽り"), await makeSpace("別")];
  const events = await person.api<CreatedItem[]>("GET", `/api/v1/events/space_uuid/${otherSpace.uuid}`);
  const event = events[0]?.uuid ?? "";
  const path = `/space/${space.uuid}?lang=en`;
  for (const [fields, status] of [
    [{ intent: "delete-event", event }, 404],
    [{ intent: "delete-event", event: "x" }, 404],
    [{ intent: "restore-event", event }, 404],
    [{ intent: "copy-event", event, spaceId: space.uuid, "eventName.ja": "写し" }, 404],
    [{ intent: "copy-event", event, spaceId: "x", "eventName.ja": "" }, 400],
  ] as const)
    expect([fields, (await person.post(path, fields)).status]).toEqual([fields, status]);
  for (const dialog of ["copy-event", "delete-event"])
    expect((await person.get(`${path}&dialog=${dialog}&event=${event}`)).status).toBe(200);
  expect(await person.api("GET", `/api/v1/events/space_uuid/${otherSpace.uuid}`)).toHaveLength(1);
  expect(await person.api("GET", `/api/v1/events/space_uuid/${space.uuid}`)).toHaveLength(1);
});

test("the undo of a deletion says that another event has the name meanwhile", async () => {
  const space = await makeSpace("春の展示");
  const fields = { space_uuid: space.uuid, event_name: "夏の展示" };
  const event = await person.api<CreatedItem>("POST", "/api/v1/events", fields);
  const path = `/space/${space.uuid}`;
  const deletion = await person.post(path, { intent: "delete-event", event: event.uuid });
  const undoValue = new URL(deletion.headers.get("location") ?? "", "http://localhost").searchParams.get(
    "undo",
  );
  await person.api("POST", "/api/v1/events", fields);
  const undone = await person.post("/undo", { undo: undoValue ?? "", back: `${path}?lang=en` });
  const toast = undone.headers.get("location") ?? "";
  expect((await person.get(toast)).visibleText).toContain(
    translateIn("en")("shared-owners:toasts.undoNameTaken"),
  );
});
