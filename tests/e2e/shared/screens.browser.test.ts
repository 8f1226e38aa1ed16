import { beforeAll, describe, expect, test } from "vitest";
import type { Lang } from "~/domain/shared/model";
import { demoData, demoPassword } from "../../../seed/demo";
import { type Caller, changeEvent, type EventJson, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { accountMenu } from "../../support/browser/controls";
import {
  type BrowserVisit,
  describeVisit,
  LANGUAGES,
  SCRIPTS,
  visit,
  WIDTHS,
  waitForHydration,
  wantsScreenshots,
} from "../../support/browser/visit";

type Person = "visitor" | "owner" | "admin" | "newcomer";
let people: Record<Exclude<Person, "visitor">, Caller>;
let editedEvent: EventJson;

beforeAll(async () => {
  const [owner, admin, newcomer] = await Promise.all(["owner", "admin", "mori"].map(signIn));
  if (!owner || !admin || !newcomer) throw new Error("A demo account is missing");
  people = { owner, admin, newcomer };
  await fillTrash(owner);
  editedEvent = await postEvent(owner, demoIds.panorama, {
    event_name: "画面の試し",
    start_date: "2031-04-05T00:30:00.000Z",
    end_date: "2031-04-06T09:00:00.000Z",
    event_detail: "一行目\n二行目",
    publish_password: "password-1",
  });
});

/** Id of a folder of the demo's owner. */
const findFolderId = (name: string) => demoData(0).folders.find((folder) => folder.name === name)?.id;

/** Id of a video in the library of the demo's owner, which the main event uses. */
const findDemoVideo = () => demoEvent().media.find(({ kind }) => kind === "video")?.libraryItemId;

/** Creates and deletes a folder, so that the trash has an entry. */
async function fillTrash(owner: Caller) {
  await owner.post("/space-list", { intent: "new-folder", name: "下書き" });
  const list = await owner.get("/space-list?sort=-created");
  const id = /value="folder~([0-9a-f-]{36})"/.exec(list.text)?.[1] ?? "";
  await owner.post("/space-list", { intent: "delete", item: `folder~${id}` });
}

interface Screen {
  readonly name: string;
  readonly person: Person;
  readonly path: () => string;
  /** Statuses that the screen returns on purpose. */
  readonly statuses?: readonly number[];
  /** Action before the check. */
  readonly act?: (visit: BrowserVisit) => Promise<void>;
  /** True renders the space in 3D in Japanese with scripts. Otherwise its poster is shown, as without WebGL. */
  readonly stage?: boolean;
  /** True takes a screenshot of the whole page, which is longer than the window. */
  readonly isFullPage?: boolean;
}

const waitForStage = async ({ page, js, stage }: BrowserVisit) => {
  if (!js || !stage) return;
  await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
  // Waits until the pins are at their positions.
  await page.waitForTimeout(300);
};

const SCREENS: readonly Screen[] = [
  { name: "login", person: "visitor", path: () => "/login" },
  {
    name: "login-wrong",
    person: "visitor",
    path: () => "/login",
    statuses: [400],
    act: async ({ page, t }) => {
      await page.getByLabel(t("auth:email")).fill("owner@demo.example");
      await page.getByLabel(t("auth:password"), { exact: true }).fill(`${demoPassword}!`);
      await page.getByRole("button", { name: t("auth:submit"), exact: true }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  { name: "login-to-continue", person: "visitor", path: () => "/login?next=%2Faccount" },
  { name: "retrieve-password", person: "visitor", path: () => "/retrieve-password" },
  { name: "retrieve-password-sent", person: "visitor", path: () => "/retrieve-password?sent" },
  { name: "link-unknown", person: "visitor", path: () => "/reset-password?token=x", statuses: [404] },
  { name: "space-list", person: "owner", path: () => "/space-list", isFullPage: true },
  {
    name: "space-list-folder",
    person: "owner",
    path: () => `/space-list/folders/${findFolderId("過去の展覧会")}`,
  },
  {
    name: "space-list-folder-empty",
    person: "owner",
    path: () => `/space-list/folders/${findFolderId("2025年度")}`,
  },
  { name: "space-list-rows", person: "owner", path: () => "/space-list?view=rows", isFullPage: true },
  { name: "space-list-all", person: "owner", path: () => "/space-list?show=all", isFullPage: true },
  {
    name: "space-list-chosen",
    person: "owner",
    path: () => "/space-list",
    act: async ({ page }) => {
      for (const index of [0, 2]) await page.locator("input[name=item]").nth(index).check();
    },
  },
  {
    name: "space-list-move",
    person: "owner",
    path: () =>
      `/space-list?dialog=move&item=space~${demoIds.showroom}&item=folder~${findFolderId("過去の展覧会")}`,
  },
  {
    name: "space-list-delete",
    person: "owner",
    path: () => `/space-list?dialog=delete&item=folder~${findFolderId("過去の展覧会")}`,
  },
  {
    name: "space-list-rename",
    person: "owner",
    path: () => `/space-list?dialog=rename&item=space~${demoIds.showroom}`,
  },
  { name: "space-list-trash", person: "owner", path: () => "/space-list?show=trash", isFullPage: true },
  { name: "space-list-trash-empty", person: "newcomer", path: () => "/space-list?show=trash" },
  { name: "folder-new", person: "owner", path: () => "/space-list?dialog=new-folder" },
  { name: "space-list-empty", person: "newcomer", path: () => "/space-list" },
  { name: "space-list-no-match", person: "owner", path: () => "/space-list?q=nothing" },
  { name: "space-start", person: "owner", path: () => "/space-list/new", isFullPage: true },
  { name: "space-new", person: "owner", path: () => "/space-list/new?kind=showcase" },
  {
    name: "space-new-wrong",
    person: "owner",
    path: () => "/space-list/new?kind=showcase",
    statuses: [400],
    act: async ({ page, t }) => {
      await page.getByLabel(t("spaces:name"), { exact: true }).fill("展示室");
      await page.getByLabel(t("spaces:showcase"), { exact: true }).fill("not a showcase");
      await page.getByRole("button", { name: t("spaces:createSubmit") }).click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  { name: "space-list-of-another", person: "admin", path: () => `/space-list/${demoIds.owner}` },
  { name: "space", person: "owner", path: () => `/space/${demoIds.showroom}`, isFullPage: true },
  {
    name: "space-page-2",
    person: "owner",
    path: () => `/space/${demoIds.showroom}?page=2`,
    isFullPage: true,
  },
  {
    name: "space-settings",
    person: "owner",
    path: () => `/space/${demoIds.showroom}/settings`,
    isFullPage: true,
  },
  { name: "event-new", person: "owner", path: () => `/space/${demoIds.showroom}?dialog=new` },
  {
    name: "toast",
    person: "owner",
    path: () => `/space/${demoIds.panorama}?toast=event-created`,
    isFullPage: true,
  },
  {
    name: "menu",
    person: "admin",
    path: () => "/account",
    act: async ({ page }) => {
      await accountMenu(page).click();
    },
  },
  { name: "account", person: "owner", path: () => "/account" },
  {
    name: "event-report",
    person: "owner",
    path: () => `/event/${demoIds.mainEvent}/report?period=all`,
    isFullPage: true,
  },
  {
    name: "space-report",
    person: "owner",
    path: () => `/space/${demoIds.panorama}/report?period=all`,
    isFullPage: true,
  },
  { name: "account-report", person: "owner", path: () => "/account/report?period=all", isFullPage: true },
  { name: "account-report-empty", person: "newcomer", path: () => "/account/report?period=all" },
  { name: "account-security", person: "owner", path: () => "/account/security", isFullPage: true },
  { name: "account-password", person: "owner", path: () => "/account/security?dialog=password" },
  { name: "account-data", person: "owner", path: () => "/account/data" },
  { name: "token-new", person: "owner", path: () => "/account/tokens?dialog=new", isFullPage: true },
  { name: "webhooks", person: "owner", path: () => "/account/webhooks" },
  { name: "webhook-new", person: "owner", path: () => "/account/webhooks/new", isFullPage: true },
  { name: "library", person: "owner", path: () => "/library", isFullPage: true },
  { name: "library-rows", person: "owner", path: () => "/library?view=rows&show=all", isFullPage: true },
  { name: "library-no-kind", person: "owner", path: () => "/library?kind=subtitle&kind=web" },
  {
    name: "library-item",
    person: "owner",
    path: () => `/library/items/${findDemoVideo()}`,
    isFullPage: true,
  },
  {
    name: "library-delete",
    person: "owner",
    path: () =>
      `/library?dialog=delete&item=media~${findDemoVideo()}&item=folder~${findFolderId("作品画像")}`,
  },
  { name: "library-empty", person: "newcomer", path: () => "/library" },
  { name: "user-list", person: "admin", path: () => "/user-list", isFullPage: true },
  { name: "user-list-no-match", person: "admin", path: () => "/user-list?q=nobody" },
  { name: "user-new", person: "admin", path: () => "/user-list/new", isFullPage: true },
  { name: "user-import", person: "admin", path: () => "/user-list/import", isFullPage: true },
  { name: "groups", person: "admin", path: () => "/groups" },
  { name: "group-new", person: "admin", path: () => "/groups?dialog=new" },
  { name: "audit", person: "admin", path: () => "/audit" },
  { name: "not-found", person: "owner", path: () => "/space/unknown", statuses: [404] },
  { name: "not-found-visitor", person: "visitor", path: () => "/nothing", statuses: [404] },
  {
    name: "event-unavailable",
    person: "visitor",
    path: () => `/error/event/${demoIds.mainEvent}`,
    statuses: [404],
  },
  { name: "viewer-locked", person: "visitor", path: () => demoPath(demoIds.passwordEvent) },
  {
    name: "viewer-locked-wrong",
    person: "visitor",
    path: () => demoPath(demoIds.passwordEvent),
    statuses: [400],
    act: async ({ page, t }) => {
      await page.getByLabel(t("visitors-late:password"), { exact: true }).fill("wrong");
      await page.getByRole("button", { name: t("visitors-late:passwordSubmit") }).click();
      await page.getByRole("alert").waitFor();
    },
  },
  {
    name: "viewer-model",
    person: "visitor",
    path: () => demoPath(demoIds.mainEvent),
    stage: true,
    act: waitForStage,
  },
  {
    name: "viewer-tag",
    person: "visitor",
    path: () => `${demoPath(demoIds.mainEvent, "preview")}&tag=${demoEvent().tags[8]?.id}`,
    stage: true,
    act: waitForStage,
  },
  {
    name: "viewer-panorama",
    person: "visitor",
    path: () => demoPath(demoIds.panoramaEvent),
    stage: true,
    act: waitForStage,
  },
  {
    name: "viewer-showcase",
    person: "visitor",
    path: () => demoPath(demoIds.showcaseEvent),
    stage: true,
    act: waitForStage,
  },
  {
    name: "event",
    person: "owner",
    path: () => `/event/${editedEvent.uuid}`,
    stage: true,
    act: waitForStage,
  },
  { name: "event-tags", person: "owner", path: () => `/event/${demoIds.mainEvent}?panel=tags` },
  {
    name: "event-tag",
    person: "owner",
    path: () => `/event/${demoIds.mainEvent}?panel=tags&tag=${findFirstTagId()}`,
  },
  { name: "event-pick", person: "owner", path: () => `/event/${demoIds.mainEvent}?panel=media&pick=media` },
  { name: "event-links", person: "owner", path: () => `/event/${demoIds.mainEvent}?panel=links` },
  {
    name: "event-copy",
    person: "owner",
    path: () => `/event/${demoIds.mainEvent}?panel=tags&copy=${findFirstTagId()}`,
  },
  { name: "event-status", person: "owner", path: () => `/event/${editedEvent.uuid}?dialog=status` },
  {
    name: "event-wrong",
    person: "owner",
    path: () => `/event/${editedEvent.uuid}?dialog=status`,
    statuses: [400],
    act: async (self) => {
      const form = self.page.locator("form#event-dialog");
      // With scripts, Update is disabled while the name is too long.
      if (!self.js) await form.locator('[name^="eventName."]:visible').fill("x".repeat(40));
      await form.locator('[name="spStoreUrl"]').fill("http://localhost");
      await form.locator('[name="publishPassword"]').fill("short");
      await form.getByRole("button", { name: self.t("events:update"), exact: true }).click();
      await self.page.getByRole("alert").waitFor();
    },
  },
  {
    name: "event-conflict",
    person: "owner",
    path: () => `/event/${editedEvent.uuid}`,
    statuses: [409],
    act: async (self) => {
      await changeEvent(people.owner, editedEvent.uuid, { event_detail: `別の人の保存 ${Date.now()}` });
      const form = self.page.locator("form#event");
      await form.locator('[name^="eventDetail."]:visible').fill("自分の変更");
      await form.getByRole("button", { name: self.t("events:update"), exact: true }).click();
      await self.page.getByText(self.t("events:conflictTitle")).waitFor();
    },
  },
];

const findFirstTagId = () => demoEvent().tags[0]?.id ?? "";

/** Widths of the window that the design does not describe: 200 % zoom, and the smallest phone. */
const OTHER_WIDTHS = [640, 320] as const;

/** Maximum distance in pixels by which the page or one of its scrolling panels can be scrolled sideways. It must be 0. */
const readExcess = ({ page }: BrowserVisit) =>
  page.evaluate(() => {
    const panels = [...document.querySelectorAll("body *")].filter(
      (part) => part.scrollHeight > part.clientHeight && /auto|scroll/.test(getComputedStyle(part).overflowY),
    );
    return Math.max(
      document.documentElement.scrollWidth - window.innerWidth,
      ...panels.map((panel) => panel.scrollWidth - panel.clientWidth),
      0,
    );
  });

/** A language and a script setting for testing screens. */
interface ScreenSetting {
  readonly lang: Lang;
  readonly js: boolean;
}

/**
 * True when the nth screen of a group is tested with this setting. Each screen is tested in one language with scripts and in the other language without scripts, alternating with its neighbours. Spaces in 3D and screenshot runs get all settings.
 */
const isTestedWith = ({ lang, js }: ScreenSetting, { stage }: Screen, index: number) =>
  stage || wantsScreenshots || (index % 2 === 0) === ((lang === "ja") === js);

/** The width at which axe checks the nth screen of a group. The width changes after every second screen. */
const chooseAxeWidth = (index: number) => (index % 4 < 2 ? 1280 : 390);

async function checkScreen(self: BrowserVisit, screen: Screen, axeWidth: number): Promise<void> {
  self.expectStatus(...(screen.statuses ?? []));
  await self.resize(1280);
  await self.open(screen.path());
  await screen.act?.(self);
  if (self.js) await waitForHydration(self.page);
  for (const width of WIDTHS) {
    await self.resize(width);
    expect.soft(await readExcess(self), `${screen.name} scrolls sideways at ${width} px`).toBe(0);
    await self.saveScreenshot(screen.name, { fullPage: screen.isFullPage === true });
    // Axe waits with timers, which do not run without scripts.
    if (self.js && width === axeWidth) await self.axe(screen.name);
  }
  if (self.js) return;
  for (const width of OTHER_WIDTHS) {
    await self.resize(width);
    expect.soft(await readExcess(self), `${screen.name} scrolls sideways at ${width} px`).toBe(0);
  }
}

describe("a screen", () => {
  const groups = [
    { person: "visitor" },
    { person: "visitor", stage: true },
    { person: "newcomer" },
    { person: "owner" },
    { person: "owner", stage: true },
    { person: "admin" },
  ] as const;
  for (const { person, stage } of groups.map((group) => ({ stage: false, ...group })))
    for (const setting of LANGUAGES.flatMap((lang) => SCRIPTS.map((js) => ({ lang, js }))))
      test(
        `of ${person}${stage ? " with a space in 3D" : ""} ${setting.js ? "has no axe violations and fits" : "fits"} (${describeVisit(setting)})`,
        { timeout: 400_000 },
        () =>
          visit(
            {
              ...setting,
              reducedMotion: true,
              stage: stage && setting.js && setting.lang === "ja",
              ...(person !== "visitor" && { as: people[person] }),
              // Screens without scripts are checked in dark colours.
              context: { colorScheme: setting.js ? "light" : "dark" },
            },
            async (self) => {
              const screens = SCREENS.filter(
                (screen) => screen.person === person && (screen.stage ?? false) === stage,
              );
              expect(screens.some((screen, index) => isTestedWith(setting, screen, index))).toBe(true);
              for (const [index, screen] of screens.entries())
                if (isTestedWith(setting, screen, index))
                  await checkScreen(self, screen, chooseAxeWidth(index));
            },
          ),
      );
});
