import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { TREE_BATCH_MAX } from "~/domain/folders/tree";
import { FOLDER_NAME_MAX } from "~/domain/shared/limits";
import { type Caller, type Fields, signIn, unescapeHtml } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { choiceOption, chooseInMenu, chooseOne } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  SCRIPTS,
  submitForm,
  visit,
  waitForHydration,
} from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

/** An account whose folders of spaces no other test uses. */
let person: Caller;
let owner: Caller;
beforeAll(async () => {
  [person, owner] = await Promise.all([signIn("hayashi"), signIn("owner")]);
});

const t = translateIn("en");
let createdCount = 0;

/** Value by which a list's page identifies an item. */
async function findItemRef(name: string, path = "/space-list"): Promise<string> {
  const { text } = await person.get(`${path}?lang=en&sort=-created`);
  const checkboxes = [...text.matchAll(/<input type="checkbox" name="item"[^>]*>/g)].map(([tag]) =>
    unescapeHtml(tag),
  );
  const checkbox = checkboxes.find((candidate) =>
    candidate.includes(`aria-label="${t("folders:select", { name })}"`),
  );
  return /value="([^"]+)"/.exec(checkbox ?? "")?.[1] ?? "";
}

/** Creates a folder through the form. The default name is unique. */
async function createFolder(path = "/space-list", name = `箱 ${++createdCount}`) {
  const { status } = await person.post(path, { intent: "new-folder", name });
  expect(status).toBe(302);
  const ref = await findItemRef(name, path);
  return { name, ref, id: ref.split("~")[1] ?? "" };
}

const folderPath = ({ id }: { readonly id: string }) => `/space-list/folders/${id}`;

/** Chooses an entry of an item's menu, and returns the dialog that it opens. */
async function chooseEntry(self: BrowserVisit, name: string, entry: string): Promise<Locator> {
  await chooseInMenu(self, self.t("folders:actions", { name }), entry);
  const dialog = self.page.getByRole("dialog");
  await dialog.waitFor();
  return dialog;
}

const findCheckbox = ({ page, t }: BrowserVisit, name: string) =>
  page.getByRole("checkbox", { name: t("folders:select", { name }), exact: true });
const findLink = ({ page }: BrowserVisit, name: string) =>
  page.locator("main").getByRole("link", { name, exact: true });

describe("empty lists", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`lead to their next step (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: person }, async (self) => {
        const { open, page, t } = self;
        for (const list of ["spaces", "library"] as const) {
          const path = list === "spaces" ? "/space-list" : "/library";
          await open(`${path}?q=zzzzz`);
          await page.getByText(t(`${list}:noMatchTitle`, { q: "zzzzz" })).waitFor();
          await page
            .locator("main")
            .getByRole("link", { name: t(`${list}:clearSearch`), exact: true })
            .last()
            .click();
          await page.waitForURL((url) => url.pathname === path && !url.searchParams.has("q"));
        }
        const { id } = await createFolder("/library");
        await open(`/library/folders/${id}`);
        await page.getByText(t("library:emptyFolderText")).waitFor();
        if (js) await waitForHydration(page);
        const upload = page.getByRole("button", { name: t("library:uploads.choose"), exact: true });
        if (!js) return expect(await upload.count()).toBe(0);
        const [chooser] = await Promise.all([page.waitForEvent("filechooser"), upload.last().click()]);
        expect(chooser.isMultiple()).toBe(true);
      }));
});

test("a file that is dropped outside of an upload area does not replace the page, and typed text stays", () =>
  visit({ lang: "en", as: person }, async (self) => {
    const { open, page } = self;
    await open("/space-list?dialog=new-folder");
    await waitForHydration(page);
    const name = page.getByRole("dialog").getByLabel(t("folders:folderName"), { exact: true });
    await name.fill("まだ保存していない");
    const rejected = await name.evaluate((field) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["text"], "notes.txt", { type: "text/plain" }));
      return ["dragover", "drop"].map((type) => {
        const event = new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer });
        return !field.dispatchEvent(event);
      });
    });
    expect(rejected).toEqual([true, true]);
    expect(await name.inputValue()).toBe("まだ保存していない");
  }));

describe("folders of spaces", () => {
  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`report another folder of the same name when they are created, renamed and moved, and in the list (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: person }, async (self) => {
        const { open, page, t, axe } = self;
        const outerFolder = await createFolder();
        const path = folderPath(outerFolder);
        const name = `同名 ${lang}`;
        await createFolder(path, name);
        await open(path);
        const dialog = page.getByRole("dialog");
        await chooseInMenu(self, t("shared-owners:moreActions"), t("folders:newFolder"));
        await dialog.getByLabel(t("folders:folderName"), { exact: true }).fill(name);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:create") }));
        const notice = page.getByText(t("folders:sameName.folder", { name }));
        await notice.waitFor();
        // Each of the two rows links to the other one.
        const marks = page.locator("main").getByRole("link", {
          name: new RegExp(t("folders:sameName.mark", { date: ".*" })),
        });
        expect(await marks.count()).toBe(2);
        if (js) await axe("same names");
        await self.saveScreenshot("same names", { fullPage: true });

        // The notice appears only after the change. The marks in the list stay.
        await open(path);
        expect([await notice.count(), await marks.count()]).toEqual([0, 2]);
        await createFolder(path, `別名 ${lang}`);
        await open(path);
        await chooseEntry(self, `別名 ${lang}`, t("folders:rename"));
        await dialog.getByLabel(t("folders:name"), { exact: true }).fill(name);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:save") }));
        await notice.waitFor();
        expect(await marks.count()).toBe(3);

        // The notice also appears after moving, and its link leads to the other folder.
        const { ref } = await createFolder("/space-list", name);
        await open("/space-list");
        await chooseEntry(self, name, t("folders:move"));
        await chooseOne(self, t("folders:moveTo"), outerFolder.name);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        await notice.waitFor();
        await page
          .getByRole("link", { name: new RegExp(`^${t("folders:sameName.created", { date: ".*" })}$`) })
          .first()
          .click();
        await page.getByRole("heading", { level: 1, name }).waitFor();
        expect(page.url()).not.toContain(ref.split("~")[1]);
      }));

  for (const { lang, js } of EACH_LANGUAGE_AND_WIDTH_ONCE)
    test(`are created, opened, renamed, moved, deleted and restored (${describeVisit({ lang, js })})`, () =>
      visit({ lang, js, as: person }, async (self) => {
        const { open, page, t, expectStatus } = self;
        expectStatus(400, 409);
        if (js) self.expectError(/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/);
        const mark = `${lang} ${++createdCount}`;
        const [firstName, secondName, newName] = [`春 ${mark}`, `夏 ${mark}`, `秋 ${mark}`] as const;
        await open("/space-list");
        const dialog = page.getByRole("dialog");
        for (const name of [firstName, secondName]) {
          await chooseInMenu(self, t("shared-owners:moreActions"), t("folders:newFolder"));
          const nameField = dialog.getByLabel(t("folders:folderName"), { exact: true });
          await nameField.fill(name);
          const create = dialog.getByRole("button", { name: t("folders:create") });
          if (js && name === secondName) {
            await page.context().setOffline(true);
            await create.click();
            await dialog.getByRole("alert").getByText(t("shared-owners:lost.notSent")).waitFor();
            await page.context().setOffline(false);
            expect(await nameField.inputValue()).toBe(name);
          }
          await submitForm(self, create);
          await findLink(self, name).waitFor();
          await page.getByText(t("shared-owners:toasts.folderCreated")).waitFor();
          expect(await page.getByText(t("shared-owners:lost.notSent")).count()).toBe(0);
        }

        // The first name is invalid, and then another window renames the folder.
        await chooseEntry(self, firstName, t("folders:rename"));
        const nameField = dialog.getByLabel(t("folders:name"), { exact: true });
        const longName = "長い名前".repeat(30);
        await nameField.fill(longName);
        const save = dialog.getByRole("button", { name: t("folders:save") });
        if (js) await save.click();
        else await submitForm(self, save);
        await dialog.getByText(t("folders:errors.folderName.tooLong")).first().waitFor();
        expect(await nameField.inputValue()).toBe(longName);
        const ref = await findItemRef(firstName);
        const otherName = `誰か ${mark}`;
        await person.post("/space-list", { intent: "rename", item: ref, version: "1", name: otherName });
        await nameField.fill(newName);
        await submitForm(self, save);
        await dialog.getByText(t("folders:renameConflict", { name: otherName })).waitFor();
        expect(await nameField.inputValue()).toBe(newName);
        expect(await findItemRef(otherName)).toBe(ref);
        await submitForm(self, save);
        await page
          .getByText(
            t("shared-owners:toasts.namedRenamed", {
              name: t("shared-owners:toasts.name", { name: newName }),
            }),
          )
          .waitFor();
        await findLink(self, newName).waitFor();

        // Moves one folder into the other with the dialog, and returns through the breadcrumb.
        await chooseEntry(self, secondName, t("folders:move"));
        expect(await (await choiceOption(self, t("folders:moveTo"), secondName)).isDisabled()).toBe(true);
        await chooseOne(self, t("folders:moveTo"), newName);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedMoved", {
              name: t("shared-owners:toasts.name", { name: secondName }),
            }),
          )
          .waitFor();
        expect(await findLink(self, secondName).count()).toBe(0);
        await findLink(self, newName).click();
        await page.getByRole("heading", { level: 1, name: newName }).waitFor();
        await findLink(self, secondName).click();
        await page.getByRole("heading", { level: 1, name: secondName }).waitFor();
        await page.getByText(t("folders:emptyFolder")).waitFor();
        const crumbs = page
          .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
          .getByRole("link");
        expect(await crumbs.allTextContents()).toEqual([t("spaces:title"), newName]);
        await crumbs.nth(1).click();
        await page.getByRole("heading", { level: 1, name: newName }).waitFor();
        await page
          .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
          .getByRole("link")
          .click();
        await findLink(self, newName).waitFor();

        // Deletes the folder with its content.
        await chooseEntry(self, newName, t("folders:delete"));
        await dialog.getByText(t("folders:held.folder", { count: 1 })).waitFor();
        await submitForm(self, dialog.getByRole("button", { name: t("folders:deleteSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedDeleted", {
              name: t("shared-owners:toasts.name", { name: newName }),
            }),
          )
          .waitFor();
        expect(await findLink(self, newName).count()).toBe(0);
        await submitForm(self, page.getByRole("button", { name: t("shared-owners:undo") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedUndone", {
              name: t("shared-owners:toasts.name", { name: newName }),
            }),
          )
          .waitFor();
        await chooseEntry(self, newName, t("folders:delete"));
        await submitForm(self, dialog.getByRole("button", { name: t("folders:deleteSubmit") }));
        await page
          .getByText(
            t("shared-owners:toasts.namedDeleted", {
              name: t("shared-owners:toasts.name", { name: newName }),
            }),
          )
          .waitFor();
        await chooseInMenu(self, t("shared-owners:moreActions"), t("folders:trash"));
        await page.getByRole("heading", { level: 1, name: t("folders:trash") }).waitFor();
        if (js) await waitForHydration(page);
        const row = page.getByRole("row").filter({ hasText: newName });
        await row.getByText(t("folders:holds", { count: 1 })).waitFor();
        await submitForm(self, row.getByRole("button", { name: t("folders:restoreOf", { name: newName }) }));
        await page
          .getByText(
            t("shared-owners:toasts.namedRestored", {
              name: t("shared-owners:toasts.name", { name: newName }),
            }),
            { exact: true },
          )
          .waitFor();
        expect(await page.getByRole("row").filter({ hasText: newName }).count()).toBe(0);
        await page
          .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
          .getByRole("link")
          .click();
        await findLink(self, newName).click();
        await findLink(self, secondName).waitFor();
      }));

  for (const js of SCRIPTS)
    test(`are renamed and moved, and both are undone by the toast (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: person }, async (self) => {
        const { open, page } = self;
        const [outer, inner] = [await createFolder(), await createFolder()];
        const dialog = page.getByRole("dialog");
        const pressUndo = () => submitForm(self, page.getByRole("button", { name: t("shared-owners:undo") }));
        await open("/space-list");
        await chooseEntry(self, inner.name, t("folders:rename"));
        await dialog.getByLabel(t("folders:name"), { exact: true }).fill(`${inner.name} 改`);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:save") }));
        await findLink(self, `${inner.name} 改`).waitFor();
        await pressUndo();
        await findLink(self, inner.name).waitFor();

        await chooseEntry(self, inner.name, t("folders:move"));
        await chooseOne(self, t("folders:moveTo"), outer.name);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        await expect.poll(() => findLink(self, inner.name).count()).toBe(0);
        // The undo value is rejected when it was changed, or when another user sends it.
        const usedUndo = await page.locator("input[name=undo]").inputValue();
        await pressUndo();
        await findLink(self, inner.name).waitFor();
        const forged = await person.post("/undo", { undo: `${usedUndo}x`, back: "/space-list" });
        expect(forged.headers.get("location")).toBe("/space-list?toast=not-undone");
        const otherUser = await owner.post("/undo", { undo: usedUndo, back: "https://elsewhere.example/" });
        expect(otherUser.headers.get("location")).toBe("/space-list?toast=not-undone");
      }));

  for (const lang of ["ja", "en"] as const)
    test(`return the focus to the menu that opened their dialog (${lang})`, () =>
      visit({ lang, as: person }, async (self) => {
        const { name } = await createFolder();
        await self.open("/space-list?sort=-created");
        const trigger = self.page.getByRole("button", {
          name: self.t("folders:actions", { name }),
          exact: true,
        });
        for (const close of ["Escape", "Enter"]) {
          await chooseEntry(self, name, self.t("folders:rename"));
          if (close === "Enter") await self.page.getByRole("link", { name: self.t("shared:close") }).focus();
          await self.page.keyboard.press(close);
          await self.page.getByRole("dialog").waitFor({ state: "detached" });
          await expect
            .poll(() => trigger.evaluate((element) => element === document.activeElement))
            .toBe(true);
        }
      }));

  test("are selected and deleted by keys, and a key opens the list of shortcuts", () =>
    visit({ lang: "en", as: person }, async (self) => {
      const { open, page } = self;
      await createFolder();
      await createFolder();
      await open("/space-list?sort=-created");
      await waitForHydration(page);
      const readFocusedText = () => page.evaluate(() => document.activeElement?.textContent ?? "");
      // The second link of the page leads to the list.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      const firstText = await readFocusedText();
      await page.keyboard.press("ArrowRight");
      const secondText = await readFocusedText();
      expect(secondText).not.toBe(firstText);
      await page.keyboard.press("Space");
      expect(await findCheckbox(self, secondText).isChecked()).toBe(true);
      expect(await findCheckbox(self, firstText).isChecked()).toBe(false);
      await page.keyboard.press("Escape");
      expect(await findCheckbox(self, secondText).isChecked()).toBe(false);
      await page.keyboard.press("Control+a");
      expect(await findCheckbox(self, firstText).isChecked()).toBe(true);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Delete");
      await page.getByRole("dialog").getByText(secondText).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });

      // After a deletion, the neighbour of the deleted item has the focus.
      await page.keyboard.press("Delete");
      await page.getByRole("button", { name: t("folders:deleteSubmit") }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-main")))
        .toBe(true);
      expect(await readFocusedText()).not.toBe(secondText);

      // The list of shortcuts opens by "?", unless the user has switched off shortcuts of a single key.
      const sheet = page.getByRole("dialog", { name: t("shared-owners:shortcuts.title") });
      await page.keyboard.press("?");
      await sheet.waitFor();
      await sheet.getByRole("checkbox").uncheck();
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.waitForTimeout(200);
      expect(await sheet.count()).toBe(0);
    }));

  for (const js of SCRIPTS)
    test(`are moved and deleted several at once, and each one succeeds or fails separately (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: person }, async (self) => {
        const { open, page } = self;
        const parent = await createFolder();
        const path = folderPath(parent);
        const [firstFolder, deletedFolder, target] = [
          await createFolder(path),
          await createFolder(path),
          await createFolder(path),
        ];
        await open(path);
        const moveButton = page.getByRole("button", { name: t("folders:move") });
        expect(await moveButton.isVisible()).toBe(false);
        await findCheckbox(self, firstFolder.name).check();
        await findCheckbox(self, deletedFolder.name).check();
        if (js) await page.getByText(t("folders:chosen", { count: 2 })).waitFor();
        await moveButton.click();
        const dialog = page.getByRole("dialog", { name: t("folders:moveCount", { count: 2 }) });
        expect(await (await choiceOption(self, t("folders:moveTo"), parent.name)).isDisabled()).toBe(true);
        await chooseOne(self, t("folders:moveTo"), target.name);
        // One of the selected items is deleted meanwhile.
        await person.post(path, { intent: "delete", item: deletedFolder.ref });
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        const failed = page.getByText(t("folders:someFailed", { count: 1 }));
        await failed.waitFor();
        await page.getByText(`${t("folders:done.move", { count: 1 })} ${firstFolder.name}`).waitFor();
        await page.getByText(t("folders:rejected.gone")).waitFor();
        expect(await page.getByRole("dialog").count()).toBe(0);
        expect(await findItemRef(firstFolder.name, folderPath(target))).toBe(firstFolder.ref);

        await findCheckbox(self, target.name).check();
        await page.getByRole("button", { name: t("folders:delete") }).click();
        await submitForm(
          self,
          page.getByRole("dialog").getByRole("button", { name: t("folders:deleteSubmit") }),
        );
        await page.getByText(t("folders:emptyFolder")).waitFor();

        await open("/space-list?show=trash");
        for (const name of [deletedFolder.name, target.name]) await findCheckbox(self, name).check();
        await submitForm(
          self,
          page.getByRole("button", { name: t("folders:restoreMany"), exact: true }).last(),
        );
        await page
          .getByText(
            t("shared-owners:toasts.namedRestored", {
              name: t("shared-owners:toasts.names", { name: deletedFolder.name, count: 1 }),
            }),
          )
          .or(
            page.getByText(
              t("shared-owners:toasts.namedRestored", {
                name: t("shared-owners:toasts.names", { name: target.name, count: 1 }),
              }),
            ),
          )
          .waitFor();
        await open(path);
        for (const name of [deletedFolder.name, target.name])
          expect(await findLink(self, name).count()).toBe(1);
      }));

  test("accept dragged items, also at a parent folder in the breadcrumbs", () =>
    visit({ lang: "en", as: person }, async (self) => {
      const { open, page } = self;
      const parent = await createFolder();
      const path = folderPath(parent);
      const [firstFolder, secondFolder, target] = [
        await createFolder(path),
        await createFolder(path),
        await createFolder(path),
      ];
      await open(path);
      await findCheckbox(self, firstFolder.name).check();
      await findCheckbox(self, secondFolder.name).check();
      await findLink(self, secondFolder.name).dragTo(page.locator(`[data-folder="${target.id}"]`));
      await page
        .getByText(
          t("shared-owners:toasts.namedMoved", {
            name: t("shared-owners:toasts.names", { name: firstFolder.name, count: 1 }),
          }),
        )
        .or(
          page.getByText(
            t("shared-owners:toasts.namedMoved", {
              name: t("shared-owners:toasts.names", { name: secondFolder.name, count: 1 }),
            }),
          ),
        )
        .waitFor();
      for (const folder of [firstFolder, secondFolder]) {
        expect(await findLink(self, folder.name).count()).toBe(0);
        expect(await findItemRef(folder.name, folderPath(target))).toBe(folder.ref);
      }
      await open(folderPath(target));
      const crumbs = page.getByRole("navigation", { name: t("shared-owners:breadcrumbs") });
      await findLink(self, firstFolder.name).dragTo(crumbs.getByRole("link", { name: parent.name }));
      await page
        .getByText(
          t("shared-owners:toasts.namedMoved", {
            name: t("shared-owners:toasts.name", { name: firstFolder.name }),
          }),
        )
        .waitFor();
      expect(await findItemRef(firstFolder.name, path)).toBe(firstFolder.ref);
      // Dropping a folder onto itself has no effect.
      await open(path);
      await findLink(self, firstFolder.name).dragTo(page.locator(`[data-folder="${firstFolder.id}"]`), {
        targetPosition: { x: 20, y: 20 },
      });
      expect(await findItemRef(firstFolder.name, path)).toBe(firstFolder.ref);
    }));

  test("are listed as cards or rows, and by name, and a menu leads to all spaces", () =>
    visit({ lang: "en", as: owner }, async (self) => {
      const { open, page } = self;
      const readNames = () =>
        page
          .locator("main input[name=item]")
          .evaluateAll((checkboxes) => checkboxes.map((element) => element.ariaLabel));
      await open("/space-list");
      const cardNames = await readNames();
      await chooseInMenu(self, t("folders:view"), t("folders:rows"));
      await page.getByRole("table", { name: t("spaces:listCaption") }).waitFor();
      expect(await readNames()).toEqual(cardNames);
      await page
        .getByRole("columnheader")
        .getByRole("link", { name: t("folders:colName") })
        .click();
      await page.waitForURL(/sort=-name/);
      await expect.poll(readNames).not.toEqual(cardNames);
      expect([...(await readNames())].sort()).toEqual([...cardNames].sort());
      await open("/space-list");
      await chooseInMenu(self, t("shared-owners:moreActions"), t("spaces:all"));
      await page.getByRole("heading", { level: 1, name: t("spaces:all") }).waitFor();
      await page
        .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
        .getByRole("link")
        .click();
      await page.getByRole("heading", { level: 1, name: t("spaces:title"), exact: true }).waitFor();
    }));
});

describe("a page of its own", () => {
  for (const js of SCRIPTS)
    test(`of a space shows its path, renames, moves and deletes it, and that of a folder deletes it (${describeVisit({ js })})`, () =>
      visit({ lang: "en", js, as: person }, async (self) => {
        const { open, page } = self;
        const outer = await createFolder();
        const inner = await createFolder(folderPath(outer));
        await open(`/space-list/new?${new URLSearchParams({ kind: "showcase", folder: inner.id })}`);
        const dialog = page.getByRole("dialog");
        const name = `茶室 ${++createdCount}`;
        await page.getByLabel(t("spaces:name"), { exact: true }).fill(name);
        await page.getByLabel(t("spaces:showcase"), { exact: true }).fill("SxQL3iGyoDo");
        await submitForm(self, page.getByRole("button", { name: t("spaces:createSubmit") }));
        await page.getByRole("heading", { level: 1, name }).waitFor();
        const crumbs = page
          .getByRole("navigation", { name: t("shared-owners:breadcrumbs") })
          .getByRole("link");
        expect(await crumbs.allTextContents()).toEqual([t("spaces:title"), outer.name, inner.name]);

        const chooseAction = async (key: "folders:rename" | "folders:move" | "folders:delete") => {
          const moreButton = page.getByLabel(t("shared-owners:moreActions"));
          if ((await moreButton.count()) > 0)
            await chooseInMenu(self, t("shared-owners:moreActions"), t(key));
          else await findLink(self, t(key)).click();
        };
        await chooseAction("folders:rename");
        await dialog.getByLabel(t("folders:name"), { exact: true }).fill(`${name} 改`);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:save") }));
        await page.getByRole("heading", { level: 1, name: `${name} 改` }).waitFor();
        await chooseAction("folders:move");
        await chooseOne(self, t("folders:moveTo"), outer.name);
        await submitForm(self, dialog.getByRole("button", { name: t("folders:moveSubmit") }));
        await expect.poll(() => crumbs.allTextContents()).toEqual([t("spaces:title"), outer.name]);
        await chooseAction("folders:delete");
        await submitForm(self, dialog.getByRole("button", { name: t("folders:deleteSubmit") }));
        await page.getByRole("heading", { level: 1, name: outer.name }).waitFor();
        expect(await findLink(self, `${name} 改`).count()).toBe(0);

        await findLink(self, inner.name).click();
        await page.getByRole("heading", { level: 1, name: inner.name }).waitFor();
        await chooseAction("folders:delete");
        await submitForm(self, dialog.getByRole("button", { name: t("folders:deleteSubmit") }));
        await page.getByRole("heading", { level: 1, name: outer.name }).waitFor();
        await page.getByText(t("folders:emptyFolder")).waitFor();
        await page.getByRole("button", { name: t("shared-owners:undo") }).waitFor();
      }));
});

describe("requests without a browser", () => {
  test.each([
    ["an empty name", "", "folders:errors.folderName.required"],
    ["a name of spaces", "　 ", "folders:errors.folderName.required"],
    ["a name that is too long", "x".repeat(FOLDER_NAME_MAX + 1), "folders:errors.folderName.tooLong"],
    ["a name of a megabyte", "x".repeat(1024 * 1024), "folders:errors.folderName.tooLong"],
    ["a name with a line break", "one\ntwo", "shared-owners:errors.text.control"],
    ["a name with a bell", "a\u0007b", "shared-owners:errors.text.control"],
    ["a name that turns text around", "abc\u202etxt", "shared-owners:errors.text.bidi"],
  ] as const)("with %s are rejected with a message", async (_, name, key) => {
    const folder = await createFolder();
    const forms: Fields[] = [
      { intent: "new-folder", name },
      { intent: "rename", item: folder.ref, version: "1", name },
    ];
    for (const fields of forms) {
      const page = await person.post(`${folderPath(folder)}?lang=en`, fields);
      expect([page.status, page.visibleText.includes(t(key))]).toEqual([400, true]);
    }
    expect(await findItemRef(folder.name)).toBe(folder.ref);
  });

  test("keep names in several scripts, with markup and path separators, unchanged", async () => {
    for (const name of [`<b>&"'`, "../../etc\\x", "👩‍👩‍👧‍👦 展示", "מרחב ثلاثي"]) {
      const { status } = await person.post("/space-list", { intent: "new-folder", name });
      expect(status).toBe(302);
      const page = await person.get("/space-list?lang=en&sort=-created");
      expect(page.visibleText).toContain(name);
    }
  });

  test("with forged ids change nothing and show a message", async () => {
    const folder = await createFolder();
    const postForm = (fields: Record<string, string | string[]>) =>
      person.post("/space-list?lang=en", fields);
    const unknownId = "00000000-0000-4000-8000-000000000000";
    for (const item of [
      "",
      "x",
      "folder~x",
      `user~${unknownId}`,
      `media~${unknownId}`,
      `space~${unknownId}~1`,
    ]) {
      const page = await postForm({ intent: "delete", item });
      expect([item, page.status, page.visibleText.includes(t("folders:nothingChosen"))]).toEqual([
        item,
        400,
        true,
      ]);
    }
    for (const item of [`folder~${unknownId}`, `space~${demoIds.showroom}`, `folder~${demoIds.showroom}`])
      for (const intent of ["move", "delete", "restore"]) {
        const page = await postForm({ intent, item, folderId: folder.id });
        expect([item, intent, page.status, page.visibleText.includes(t("folders:rejected.gone"))]).toEqual([
          item,
          intent,
          400,
          true,
        ]);
      }
    for (const folderId of [unknownId, "x", ""]) {
      const page = await postForm({ intent: "move", item: folder.ref, folderId });
      expect([folderId, page.status]).toEqual([folderId, folderId === unknownId ? 404 : 400]);
      expect(page.visibleText).toContain(
        t(folderId === unknownId ? "folders:targetGone" : "folders:chooseFolder"),
      );
    }
    const renameFields = { intent: "rename", version: "1", name: "x" };
    expect((await postForm({ ...renameFields, item: `space~${demoIds.showroom}` })).status).toBe(404);
    expect((await postForm({ ...renameFields, item: "x" })).status).toBe(400);
    const tooMany = Array.from({ length: TREE_BATCH_MAX + 1 }, () => `folder~${crypto.randomUUID()}`);
    const page = await postForm({ intent: "delete", item: tooMany.join(" ") });
    expect([page.status, page.visibleText.includes(t("folders:tooMany", { count: TREE_BATCH_MAX }))]).toEqual(
      [400, true],
    );
    expect(await findItemRef(folder.name)).toBe(folder.ref);
    expect((await owner.get(`/space/${demoIds.showroom}`)).status).toBe(200);
  });

  test("whose changes cannot all be undone get a message that names what was undone", async () => {
    const [target, undoneFolder, deletedFolder] = [
      await createFolder(),
      await createFolder(),
      await createFolder(),
    ];
    const item = [undoneFolder.ref, deletedFolder.ref];
    const move = await person.post("/space-list", { intent: "move", item, folderId: target.id });
    const undo =
      new URL(move.headers.get("location") ?? "", "http://localhost").searchParams.get("undo") ?? "";
    await person.post("/space-list", { intent: "delete", item: deletedFolder.ref });
    const undone = await person.post("/undo?lang=en", { undo, back: "/space-list?lang=en" });
    const toast = undone.headers.get("location") ?? "";
    expect(toast).toContain("toast=partly-undone");
    expect((await person.get(toast)).visibleText).toContain(
      t("shared-owners:toasts.namedPartlyUndone", {
        name: t("shared-owners:toasts.name", { name: undoneFolder.name }),
      }),
    );
    // The same undo is accepted again, and has the same result.
    const secondResponse = await person.post("/undo", { undo, back: "/space-list" });
    expect(secondResponse.headers.get("location")).toContain("toast=partly-undone");
  });

  test("that would move a folder into itself or a subfolder are rejected for that folder only", async () => {
    const outer = await createFolder();
    const inner = await createFolder(folderPath(outer));
    const otherFolder = await createFolder();
    const page = await person.post("/space-list?lang=en", {
      intent: "move",
      item: [outer.ref, otherFolder.ref],
      folderId: inner.id,
    });
    expect(page.status).toBe(200);
    expect(page.visibleText).toContain(`${outer.name} – ${t("folders:rejected.into_itself")}`);
    expect(page.visibleText).toContain(`${t("folders:done.move", { count: 1 })} ${otherFolder.name}`);
    const moveIntoItself = { intent: "move", item: outer.ref, folderId: outer.id };
    expect((await person.post("/space-list", moveIntoItself)).status).toBe(400);
    expect(await findItemRef(outer.name)).toBe(outer.ref);
  });

  test("for dialogs without an accessible item get a message, and forged values in a list's URL cause no error", async () => {
    for (const dialog of ["rename", "move", "delete"]) {
      const pageWithoutItem = await person.get(`/space-list?lang=en&dialog=${dialog}`);
      expect([
        pageWithoutItem.status,
        pageWithoutItem.visibleText.includes(t("folders:nothingChosen")),
      ]).toEqual([200, true]);
      const response = await person.get(
        `/space-list?lang=en&dialog=${dialog}&item=space~${demoIds.showroom}`,
      );
      expect([response.status, response.visibleText.includes(t("folders:goneText"))]).toEqual([200, true]);
    }
    for (const query of [
      "show=x&view=x&sort=x",
      "cursor=after~x",
      "sort=--name&dialog=x",
      "show=trash&cursor=x",
    ])
      expect([query, (await person.get(`/space-list?${query}`)).status]).toEqual([query, 200]);
  });
});

describe("folders of others", () => {
  test("can be opened and created by administrators, and opened by members of their group through the URL", async () => {
    const [admin, curator] = await Promise.all([signIn("admin"), signIn("curator")]);
    const list = await owner.get("/space-list?lang=en&sort=-name");
    const ids = [...list.text.matchAll(/data-item="folder~([0-9a-f-]{36})"/g)].map(([, id]) => id);
    const pages = await Promise.all(
      ids.map(async (id) => ({ id, page: await curator.get(`/space-list/folders/${id}?lang=en`) })),
    );
    const shared = pages.filter(({ page }) => page.status === 200);
    expect(shared).toHaveLength(1);
    expect(pages.filter(({ page }) => page.status === 404)).toHaveLength(ids.length - 1);
    expect(shared[0]?.page.text).not.toContain(`/space-list/${demoIds.owner}`);
    expect((await curator.get(`/space-list/folders/${shared[0]?.id}?show=trash`)).status).toBe(404);
    expect((await curator.get(`/space-list/${demoIds.owner}?show=trash`)).status).toBe(404);
    for (const path of ["", `/folders/${ids[0]}`, "?show=trash", "?show=all"])
      expect([path, (await admin.get(`/space-list/${demoIds.owner}${path}`)).status]).toEqual([path, 200]);
    const name = `管理者から ${++createdCount}`;
    expect(
      (await admin.post(`/space-list/${demoIds.owner}`, { intent: "new-folder", name })).headers.get(
        "location",
      ),
    ).toMatch(/toast=folder-created/);
    expect((await owner.get("/space-list")).visibleText).toContain(name);
    expect((await curator.post(`/space-list/${demoIds.owner}`, { intent: "new-folder", name })).status).toBe(
      404,
    );
  });
});
