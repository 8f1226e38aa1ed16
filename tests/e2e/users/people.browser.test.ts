import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, caller, signIn } from "../../support/api/caller";
import { demoIds } from "../../support/app/demo";
import { chooseOption } from "../../support/browser/controls";
import { type BrowserVisit, describeVisit, visit, waitForHydration } from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

let admin: Caller;
let owner: Caller;
beforeAll(async () => {
  [admin, owner] = (await Promise.all(["admin", "owner"].map(signIn))) as [Caller, Caller];
});

/** One visit in Japanese with scripts, and one in English on a phone without scripts. */
const VISITS = [
  { lang: "ja", js: true, width: 1280 },
  { lang: "en", js: false, width: 390 },
] as const;

const waitUntilSettled = async ({ page, js }: BrowserVisit) => {
  await page.waitForLoadState("networkidle");
  if (js) await waitForHydration(page);
};
const capture = async (self: BrowserVisit, screen: string) => {
  await self.saveScreenshot(screen, { fullPage: true });
  if (self.js) await self.axe(screen);
};

/** A table in EUC-JP with the new user 佐藤, and with 木村, who is renamed to 木下. Shift_JIS could decode the bytes too. */
const EUC_JP = Buffer.concat([
  Buffer.from("email,last_name\ne@people.example,"),
  Buffer.from([0xba, 0xb4, 0xc6, 0xa3]),
  Buffer.from("\nkimura@demo.example,"),
  Buffer.from([0xcc, 0xda, 0xb2, 0xbc]),
]);

/** Creates an account for one test, and returns its id, its path and its form fields. */
async function createAccount(name: string) {
  const email = `${name}@people.example`;
  const fields = {
    email,
    lastName: "蓬莱",
    firstName: name,
    companyName: "",
    role: "user",
    language: "ja",
    spaceLicense: "1",
    storageLimit: "0.1",
    timeZone: "Asia/Tokyo",
  };
  expect((await admin.post("/user-list/new", fields)).status).toBe(302);
  const { text } = await admin.get(`/user-list?q=${email}`);
  const id = /\/user-list\/([0-9a-f-]{36})"/.exec(text)?.[1] ?? "";
  return { id, path: `/user-list/${id}`, fields: { ...fields, status: "EMAIL_UNVERIFIED", version: "1" } };
}

describe("the response to an administrator", () => {
  const t = translateIn("en");

  test("keeps the input for an account that was moved to the trash, and restores the account with that input", async () => {
    const { id, path, fields } = await createAccount("trashed");
    expect((await admin.get(path)).text).toContain('value="0.1"');
    expect((await admin.post(path, { id, change: "delete" })).status).toBe(302);
    const changedFields = { ...fields, companyName: "打ちかけの会社" };
    const lateSave = await admin.post(`${path}?lang=en`, changedFields);
    expect([lateSave.status, lateSave.visibleText.includes(t("users:user.trashedTitle"))]).toEqual([
      409,
      true,
    ]);
    expect(lateSave.text).toContain('value="打ちかけの会社"');
    const version = /name="version" value="(\d+)"/.exec(lateSave.text)?.[1] ?? "";
    expect((await admin.post(path, { ...changedFields, version, restore: "on" })).status).toBe(302);
    expect((await admin.get(path)).text).toContain('value="打ちかけの会社"');
  });

  test("does not link to the spaces and library of an account in the trash, and finds the account by search", async () => {
    const { id, path } = await createAccount("buried");
    await admin.post(path, { id, change: "delete" });
    const trashPage = await admin.get("/user-list?show=trash&q=buried%40");
    expect(trashPage.text).toContain(path);
    for (const page of [trashPage, await admin.get(path)])
      for (const area of ["space-list", "library"]) expect(page.text).not.toContain(`/${area}/${id}`);
    for (const query of ["q=nobody-has-this", "q=buried&role=admin"])
      expect((await admin.get(`/user-list?show=trash&${query}`)).text).not.toContain(path);
  });

  test("rejects a missing status beside its field", async () => {
    const { id } = await createAccount("undecided");
    const rejected = await admin.post("/user-list?lang=en", { id, change: "status", status: "" });
    expect([rejected.status, rejected.visibleText.includes(t("users:errors.status"))]).toEqual([400, true]);
    expect(rejected.text).toContain('id="bulk-status-error"');
    // The message is repeated above the list, because the bar may be far below.
    expect(rejected.text).toContain('href="#bulk-status"');
  });

  test("rejects a second group of the same name, and restores a group from the trash only under a free name", async () => {
    const created = await admin.post("/groups", { name: "Ａ班" });
    const path = new URL(created.headers.get("location") ?? "", admin.origin).pathname;
    const secondGroup = await admin.post("/groups?lang=en", { name: "a班" });
    expect([secondGroup.status, secondGroup.visibleText.includes(t("users:errors.groupNameTaken"))]).toEqual([
      400,
      true,
    ]);
    await admin.post(path, { act: "delete" });
    const lateRename = await admin.post(`${path}?lang=en`, {
      act: "rename",
      version: "1",
      name: "打ちかけの班",
    });
    expect([lateRename.status, lateRename.visibleText.includes(t("users:group.trashed"))]).toEqual([
      409,
      true,
    ]);
    expect(lateRename.text).toContain('value="打ちかけの班"');
    const version = /name="version" value="(\d+)"/.exec(lateRename.text)?.[1] ?? "";
    const renameForm = { act: "rename", version, name: "打ちかけの班", restore: "on" };
    expect((await admin.post(path, renameForm)).status).toBe(302);
    expect((await admin.get(path)).visibleText).toContain("打ちかけの班");
    // A group stays in the trash when another group received its name meanwhile.
    await admin.post(path, { act: "delete" });
    await admin.post("/groups", { name: "打ちかけの班" });
    const rejected = await admin.post(`${path}?lang=en`, { act: "restore" });
    expect([rejected.status, rejected.visibleText.includes(t("users:errors.groupNameTaken"))]).toEqual([
      400,
      true,
    ]);
  });

  test("shows the error beside a filter of the audit log, and lists nothing", async () => {
    for (const [query, id, key] of [
      ["from=yesterday", "from", "users:auditLog.badDate"],
      ["from=2026/8/2&to=2026/8/1", "to", "users:auditLog.badOrder"],
      ["action=nothing", "action", "users:auditLog.badAction"],
    ] as const) {
      const page = await admin.get(`/audit?lang=en&${query}`);
      expect([query, page.status, page.text.includes(`id="${id}-error"`)]).toEqual([query, 200, true]);
      expect(page.visibleText).toContain(t(key));
      expect(page.visibleText).toContain(t("users:auditLog.emptyTitle"));
    }
    const auditPage = await admin.get("/audit?lang=en&from=2020/1/1&to=2099/12/31");
    expect(auditPage.visibleText).not.toContain(t("users:auditLog.emptyTitle"));
  });

  test("rejects a share without a group, and a group that was not offered", async () => {
    const path = `/sharing/space/${demoIds.panorama}`;
    const emptyChoice = await owner.post(`${path}?lang=en`, {});
    expect([emptyChoice.status, emptyChoice.visibleText.includes(t("users:errors.groupChoice"))]).toEqual([
      400,
      true,
    ]);
    const created = await admin.post("/groups", { name: "誰もいない班" });
    const [, groupId = ""] = /([0-9a-f-]{36})/.exec(created.headers.get("location") ?? "") ?? [];
    expect((await admin.post(path, { groupId })).status).toBe(400);
  });
});

describe("administrators", () => {
  for (const options of VISITS)
    test(`add a user, find the user, change the licence in the list, edit the account and read the audit log (${describeVisit(options)})`, () =>
      visit({ ...options, as: admin, reducedMotion: true }, async (self) => {
        const { open, page, t, lang } = self;
        const email = `new-${lang}@people.example`;
        const firstName = `乙姫${lang}`;
        self.expectStatus(400, 409);

        await open("/user-list/new");
        await page.getByLabel(t("users:user.email")).fill(email);
        await page.locator('[name="spaceLicense"]').fill("3");
        await page.getByRole("button", { name: t("users:user.create"), exact: true }).click();
        // A name is missing: the other input is kept.
        await page.getByRole("alert").waitFor();
        expect(await page.getByLabel(t("users:user.email")).inputValue()).toBe(email);
        await capture(self, "user-new-wrong");
        await page.getByLabel(t("users:user.lastName"), { exact: true }).fill("龍宮");
        await page.getByLabel(t("users:user.firstName"), { exact: true }).fill(firstName);
        await page.getByRole("button", { name: t("users:user.create"), exact: true }).click();
        await page.waitForURL(/\/user-list(\?|$)/);
        await waitUntilSettled(self);

        await page.getByLabel(t("users:people.search")).fill(`宮${firstName}`);
        await page.getByRole("button", { name: t("users:list.apply"), exact: true }).click();
        await page.waitForURL(/q=/);
        await waitUntilSettled(self);
        const row = page.getByRole("row").filter({ hasText: email });
        expect(await row.textContent()).toContain(t("users:people.status.EMAIL_UNVERIFIED"));
        // The row has a menu.
        expect(
          await row
            .getByLabel(t("users:list.actionsOf", { name: `龍宮 ${firstName}` }), { exact: true })
            .count(),
        ).toBe(1);

        // The reason is shown for each failed item, and the selection stays.
        await row.getByRole("checkbox").check();
        await page.getByLabel(t("users:bulk.change")).selectOption("status");
        await page.getByLabel(t("users:bulk.newStatus")).selectOption("ACTIVATED");
        await page.getByRole("button", { name: t("users:bulk.apply"), exact: true }).click();
        await page.getByText(t("users:refused.unverified")).waitFor();
        expect(await row.getByRole("checkbox").isChecked()).toBe(true);
        await capture(self, "user-list-refused");
        await page.getByLabel(t("users:bulk.change")).selectOption("spaceLicense");
        await page.getByRole("spinbutton", { name: t("users:bulk.newLicense") }).fill("7");
        await page.getByRole("button", { name: t("users:bulk.apply"), exact: true }).click();
        await page.getByText(t("shared-owners:toasts.usersChanged")).waitFor();
        expect(await row.textContent()).toContain(t("users:people.spacesUsed", { used: 0, limit: 7 }));

        // Two administrators edit the same account.
        await row.getByRole("link", { name: t("users:list.edit", { name: `龍宮 ${firstName}` }) }).click();
        await page.waitForURL(/\/user-list\/[0-9a-f-]{36}/);
        await waitUntilSettled(self);
        const version = await page.locator('[name="version"]').inputValue();
        const path = new URL(page.url()).pathname;
        const concurrentSave = await admin.post(path, {
          version,
          email,
          lastName: "龍宮",
          firstName,
          companyName: "先の会社",
          role: "user",
          status: "EMAIL_UNVERIFIED",
          spaceLicense: "7",
          storageLimit: "10",
          language: "ja",
          timeZone: "Asia/Tokyo",
        });
        expect(concurrentSave.status).toBe(302);
        await page.getByLabel(t("users:user.company")).fill("後の会社");
        await page.getByRole("button", { name: t("users:user.save"), exact: true }).click();
        await page.getByText(t("users:user.conflictTitle")).waitFor();
        for (const side of ["先の会社", "後の会社"])
          expect(await page.locator("table").textContent()).toContain(side);
        await capture(self, "user-conflict");
        await page.getByRole("button", { name: t("users:user.save"), exact: true }).click();
        await page.waitForURL(/user-list\/[0-9a-f-]{36}\?toast|user-list\/[0-9a-f-]{36}$/);
        await waitUntilSettled(self);
        expect(await page.getByLabel(t("users:user.company")).inputValue()).toBe("後の会社");

        await page.getByRole("link", { name: t("users:user.history") }).click();
        await page.waitForURL(/\/audit/);
        await waitUntilSettled(self);
        const auditText = (await page.locator("main table").textContent()) ?? "";
        expect(auditText).toContain(email);
        expect(auditText.toLowerCase()).toContain(t("users:auditLog.field.spaceLicense").toLowerCase());
        expect(await page.getByLabel(t("users:auditLog.person")).inputValue()).toBe(email);
        await capture(self, "audit");
      }));

  for (const options of VISITS)
    test(`create a group of users (${describeVisit(options)})`, () =>
      visit({ ...options, as: admin, reducedMotion: true }, async (self) => {
        const { open, page, t } = self;
        await open("/groups?dialog=new");
        await page.getByRole("dialog").getByLabel(t("users:group.name")).fill(`班 ${options.lang}`);
        await page
          .getByRole("dialog")
          .getByRole("button", { name: t("users:group.save") })
          .click();
        await page.waitForURL(/\/groups\/[0-9a-f-]{36}/);
        await waitUntilSettled(self);
        const group = new URL(page.url()).pathname;
        if (self.js) {
          // With scripts people are found while an administrator types, and added by Enter.
          await page.getByLabel(t("users:group.find")).hover();
          const field = page.getByRole("combobox", { name: t("users:group.find") });
          const option = page.locator("[role=option]");
          await field.fill("nobody@nowhere");
          await option.getByText(t("users:group.noUserFound", { q: "nobody@nowhere" })).waitFor();
          await field.fill("curator@");
          await option.getByText("curator@demo.example").waitFor();
          await capture(self, "group-find");
          await field.press("Enter");
          await page.getByText(t("shared-owners:toasts.memberAdded")).waitFor();
          await option.getByText(t("users:group.already")).waitFor();
          expect(await option.getAttribute("aria-disabled")).toBe("true");
          expect(await field.inputValue()).toBe("curator@");
          await field.press("Escape");
          await page.locator(`main li a[href="/user-list/${demoIds.curator}"]`).waitFor();
          await open(group);
        }
        await page.getByLabel(t("users:group.find")).fill("nobody@nowhere");
        await page.getByRole("button", { name: t("users:group.findSubmit"), exact: true }).click();
        await page.getByText(t("users:group.noUserFound", { q: "nobody@nowhere" })).waitFor();
        await waitUntilSettled(self);
        await page.getByLabel(t("users:group.find")).fill("owner@");
        await page.getByRole("button", { name: t("users:group.findSubmit"), exact: true }).click();
        await page.waitForURL(/find=owner/);
        await waitUntilSettled(self);
        await page
          .getByRole("button", { name: new RegExp(`^${t("users:group.addNamed", { name: ".*" })}$`) })
          .click();
        await page.getByText(t("shared-owners:toasts.memberAdded")).waitFor();
        await capture(self, "group");
        expect(await page.locator("main").textContent()).toContain(t("users:group.already"));
        // A page without members redirects to the first page.
        const { pathname } = new URL(page.url());
        const emptyPage = await admin.fetch(`${pathname}?find=owner&cursor=after~${demoIds.curator}`);
        expect([emptyPage.status, emptyPage.headers.get("location")]).toEqual([
          302,
          `${pathname}?find=owner`,
        ]);
      }));

  for (const options of VISITS)
    test(`preview the effects of a file before importing it (${describeVisit(options)})`, () =>
      visit({ ...options, as: admin, reducedMotion: true }, async (self) => {
        const { open, page, t, lang } = self;
        self.expectStatus(400);
        const upload = async (file: string | Uint8Array) => {
          await page.setInputFiles('[name="file"]', {
            name: "users.csv",
            mimeType: "text/csv",
            buffer: Buffer.from(file),
          });
          await page.getByRole("button", { name: t("users:csv.check"), exact: true }).click();
        };
        await open("/user-list/import");
        await upload("name,company\na,b");
        await page.getByText(t("users:csv.problem.noEmail")).first().waitFor();
        // A wrong encoding is seen in the report before anything is written.
        const readReport = async (file: Uint8Array, encoding: string) => {
          await page.getByLabel(t("users:csv.encodingField")).selectOption(encoding);
          await upload(file);
          await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
          await waitUntilSettled(self);
          const text = (await page.locator("main").textContent()) ?? "";
          await page.getByRole("link", { name: t("users:csv.again") }).click();
          await page.waitForURL(/\/import$/);
          await waitUntilSettled(self);
          return text;
        };
        const findValue = (value: string) =>
          t("users:csv.value", { field: t("users:csv.values.name"), value });
        const wrongReport = await readReport(EUC_JP, "shift_jis");
        expect(wrongReport).toContain(t("users:csv.encoding", { encoding: "Shift_JIS" }));
        expect(wrongReport).toContain(findValue("ｺｴﾆ｣"));
        const rightReport = await readReport(EUC_JP, "");
        expect(rightReport).toContain(t("users:csv.encoding", { encoding: "EUC-JP" }));
        expect(rightReport).toContain(findValue("佐藤"));
        expect(rightReport).toContain(
          t("users:csv.change", { field: t("users:auditLog.field.lastName"), from: "木村", to: "木下" }),
        );
        const email = `file-${lang}@people.example`;
        await upload(
          `\ufeffemail,last_name\r\n${email},"改行\r\n"\r\n${email},二\r\nx@people.example,=1+1\r\n`,
        );
        await page.waitForURL(/\/import\/[0-9a-f-]{36}/);
        await waitUntilSettled(self);
        const report = (await page.locator("main").textContent()) ?? "";
        expect(report).toContain(t("users:csv.problem.duplicate", { line: 2 }));
        expect(report).toContain(t("users:csv.problem.formula"));
        await capture(self, "user-import-check");
        const readUserList = async () =>
          (await admin.get(`/user-list?q=${encodeURIComponent(email)}`)).visibleText;
        expect(await readUserList()).not.toContain("改行");
        await page.getByRole("button", { name: t("users:csv.confirm", { count: 1 }) }).click();
        await page.getByText(t("users:csv.done"), { exact: true }).first().waitFor();
        expect(await readUserList()).toContain(email);
      }));
});

describe("users who share content", () => {
  for (const options of VISITS)
    test(`share a space with their group, and end the sharing (${describeVisit(options)})`, () =>
      visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
        const { open, page, t } = self;
        const path = `/space/${demoIds.showroom}`;
        await open(`${path}?q=e`);
        // The link is outside the menus. The form behind it returns to the tab with the query of the tab's list.
        const shareLink = page.getByRole("link", { name: t("folders:share"), exact: true });
        expect(await shareLink.count()).toBe(1);
        await shareLink.click();
        await page.waitForURL(/\/sharing\/space\//);
        await waitUntilSettled(self);
        const groupLabel = t("spaces:sharing.group");
        await chooseOption(self, groupLabel, "展覧会チーム");
        // An owner is referred to the administrators for the names of the members.
        await page.getByText(t("spaces:sharing.askWho")).first().waitFor();
        await capture(self, "sharing");
        if (self.js) {
          await page.getByRole("link", { name: t("spaces:cancel"), exact: true }).click();
          const question = page.getByRole("dialog", { name: t("shared-owners:leaveTitle") });
          await question.getByRole("button", { name: t("shared-owners:leaveStay"), exact: true }).click();
        }
        await page.getByRole("button", { name: t("spaces:sharing.submit"), exact: true }).click();
        await page.waitForURL(
          ({ pathname, searchParams }) => pathname === path && searchParams.get("q") === "e",
        );
        await page
          .getByText(
            t("shared-owners:toasts.sharedWith", {
              name: t("shared-owners:toasts.name", { name: "展覧会チーム" }),
            }),
          )
          .waitFor();
        await waitUntilSettled(self);
        // Every tab of the space names the group beside the title.
        const sharedMark = page.getByText(t("spaces:sharing.sharedWith", { name: "展覧会チーム" }), {
          exact: true,
        });
        await sharedMark.waitFor();
        const settingsPath = `${path}/settings`;
        await open(settingsPath);
        await sharedMark.waitFor();
        await page.getByText(t("events:spaceEvents.group", { name: "展覧会チーム" })).waitFor();
        await page.getByRole("link", { name: t("events:spaceEvents.change"), exact: true }).click();
        await page.waitForURL(/\/sharing\/space\//);
        await waitUntilSettled(self);
        await chooseOption(self, groupLabel, t("spaces:sharing.notShared"));
        await page.getByRole("button", { name: t("spaces:sharing.submit"), exact: true }).click();
        await page.waitForURL((url) => url.pathname === settingsPath);
        await waitUntilSettled(self);
        await page.getByText(t("events:spaceEvents.you"), { exact: true }).waitFor();
        expect(await page.getByText("展覧会チーム").count()).toBe(0);
      }));

  test("find a group by the email address of a member, if they may see it", () =>
    visit({ lang: "en", as: admin }, async ({ open, page, t }) => {
      await open(`/sharing/space/${demoIds.showroom}`);
      // The field can be typed into at once, without a pointer.
      const field = page.locator("input[role=combobox]");
      await field.waitFor();
      await field.fill("curator@demo");
      await page.getByRole("option", { name: "展覧会チーム" }).waitFor();
      await field.fill("nobody@demo");
      await page.getByRole("option", { name: t("spaces:sharing.noneFound") }).waitFor();
      const { text } = await owner.get(`/sharing/space/${demoIds.showroom}`);
      expect(text).not.toContain("curator@demo.example");
    }));

  test("find a group without scripts, and read that there is no such user", () =>
    visit({ lang: "en", as: admin, js: false }, async ({ open, page, t }) => {
      await open(`/sharing/space/${demoIds.showroom}?back=/space-list`);
      const field = page.getByRole("searchbox", { name: t("spaces:sharing.find") });
      // Locators by text ignore the content of noscript elements.
      const main = page.locator("main");
      await field.fill("nobody@demo");
      await page.getByRole("button", { name: t("spaces:sharing.findSubmit") }).click();
      await expect.poll(() => main.innerText()).toContain(t("spaces:sharing.noneFound"));
      await field.fill("curator@demo");
      await field.press("Enter");
      await expect.poll(() => main.innerText()).not.toContain(t("spaces:sharing.noneFound"));
      await page.getByRole("option", { name: "展覧会チーム" }).waitFor({ state: "attached" });
      await page.getByRole("link", { name: t("spaces:cancel") }).click();
      await page.waitForURL("**/space-list");
    }));

  test("return from sharing to the list that they came from", async () => {
    const path = `/sharing/space/${demoIds.panorama}?back=${encodeURIComponent("/space-list?show=all")}`;
    const response = await owner.post(path, { groupId: "" });
    expect(response.headers.get("location")).toMatch(/^\/space-list\?show=all&toast=sharing-ended/);
    const foreignReturn = await owner.post(path.replace("space-list", "/other.example"), { groupId: "" });
    expect(foreignReturn.headers.get("location")).toMatch(/^\/space\//);
  });

  test("share only their own content, and only with their own group", async () => {
    const path = `/sharing/space/${demoIds.panorama}`;
    const created = await admin.post("/groups", { name: "ほかの班" });
    const [foreignGroupId = ""] = /[0-9a-f-]{36}/.exec(created.headers.get("location") ?? "") ?? [];
    expect(foreignGroupId).not.toBe("");
    for (const groupId of ["x", "00000000-0000-4000-8000-000000000000", foreignGroupId])
      expect([groupId, (await owner.post(path, { groupId })).status]).toEqual([groupId, 400]);
    const stranger = await signIn("mori");
    for (const kind of ["space", "folder", "media", "event"])
      expect([kind, (await stranger.get(`/sharing/${kind}/${demoIds.panorama}`)).status]).toEqual([
        kind,
        404,
      ]);
    expect((await stranger.post(path, { groupId: "" })).status).toBe(404);
  });
});

test("the export of users is a file that spreadsheets read, and other users can open neither it nor the pages of administrators", async () => {
  const response = await admin.fetch("/user-list/export?q=owner%40");
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="users-[\d-]+\.csv"$/);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  expect([lines.length, lines[1]?.startsWith("owner@demo.example,")]).toEqual([2, true]);

  const paths = [
    ...["/user-list", "/user-list/new", "/user-list/import", "/user-list/export", "/groups", "/audit"],
    `/user-list/${demoIds.curator}`,
  ];
  for (const path of paths) {
    expect((await owner.fetch(path)).status, path).toBe(404);
    expect((await caller().fetch(path)).status, path).toBe(302);
  }
});

test("the form of a user does not change an administrator's own address, and the reason of an undelivered invitation is shown", async () => {
  const adminPath = `/user-list/${demoIds.admin}`;
  const { text } = await admin.get(adminPath);
  expect(text).toMatch(/href="\/account\/security"/);
  const readValue = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1] ?? "";
  const form = {
    version: readValue("version"),
    email: "elsewhere@demo.example",
    lastName: "管理",
    firstName: "者",
    companyName: "",
    role: "admin",
    status: "ACTIVATED",
    spaceLicense: "10",
    storageLimit: "10",
    language: "ja",
    timeZone: "Asia/Tokyo",
  };
  const response = await admin.post(adminPath, form);
  expect(response.status).toBe(400);
  expect(response.visibleText).toContain(translateIn("ja")("users:refused.ownEmail"));
  for (const key of ["auth:services.mailNotSent", "auth:services.tooManyLinks"] as const)
    expect((await admin.get(`/user-list/${demoIds.curator}?problem=${key}`)).visibleText).toContain(
      translateIn("ja")(key),
    );
});

test("bad input to the forms of administrators gets 400 or 404 and does not change the user, and bad queries return 200", async () => {
  const userPath = `/user-list/${demoIds.curator}`;
  const textBefore = (await admin.get(userPath)).visibleText;
  const invalidPosts: [string, Record<string, string | string[]>, number][] = [
    ["/user-list", {}, 400],
    ["/user-list", { change: "delete" }, 400],
    ["/user-list", { change: "status", status: "KING", id: demoIds.curator }, 400],
    ["/user-list", { change: "storageLimit", storageLimit: "-1", id: demoIds.curator }, 400],
    ["/user-list", { change: "delete", id: "not an id" }, 400],
    ["/user-list", { change: "status", status: "BLOCKED", id: demoIds.admin }, 400],
    ["/user-list/new", { email: "x".repeat(1_000_000), lastName: "\u202e\u0000" }, 400],
    [userPath, { version: "x", email: "😀" }, 400],
    [userPath, { change: "fly" }, 400],
    ["/user-list/00000000-0000-4000-8000-000000000000", { change: "delete" }, 404],
    ["/groups", { name: " " }, 400],
    ["/groups/00000000-0000-4000-8000-000000000000", { act: "delete" }, 404],
    ["/user-list/import/00000000-0000-4000-8000-000000000000", {}, 404],
  ];
  for (const [path, fields, status] of invalidPosts)
    expect((await admin.post(path, fields)).status, `${path} ${JSON.stringify(fields).slice(0, 80)}`).toBe(
      status,
    );
  for (const query of [
    "?cursor=after~x",
    "?sort=;--",
    "?show=x&role=y",
    "?q=%00%22*",
    `?q=${"x".repeat(5000)}`,
  ])
    expect((await admin.get(`/user-list${query}`)).status, query).toBe(200);
  for (const query of ["?from=yesterday", "?person=%22", "?action=x&cursor=last"])
    expect((await admin.get(`/audit${query}`)).status, query).toBe(200);
  expect((await admin.get(userPath)).visibleText).toBe(textBefore);
});
