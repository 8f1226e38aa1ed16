import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { demoData } from "../../../seed/demo";
import { type Caller, signIn } from "../../support/api/caller";
import { demoEvent, demoEventNamed, demoIds } from "../../support/app/demo";
import {
  type BrowserVisit,
  describeVisit,
  EACH_LANGUAGE_AND_WIDTH_ONCE,
  visit,
} from "../../support/browser/visit";

type Person = "owner" | "admin" | "newcomer";
let people: Record<Person, Caller>;

beforeAll(async () => {
  const [owner, admin, newcomer] = await Promise.all(["owner", "admin", "mori"].map(signIn));
  if (!owner || !admin || !newcomer) throw new Error("A demo account is missing");
  people = { owner, admin, newcomer };
  await fillTrash(owner);
  await owner.post("/space-list", { intent: "new-folder", name: "長い名前のフォルダー".repeat(4) });
});

/** Creates and deletes a folder, so that the trash has an entry. */
async function fillTrash(owner: Caller) {
  await owner.post("/space-list", { intent: "new-folder", name: "下書き" });
  const list = await owner.get("/space-list?sort=-created");
  const id = /value="folder~([0-9a-f-]{36})"/.exec(list.text)?.[1] ?? "";
  await owner.post("/space-list", { intent: "delete", item: `folder~${id}` });
}

interface Screen {
  readonly name: string;
  readonly person?: Person;
  readonly path: string;
  /** Selector of the first thing that a person uses on the screen: the first row of its list, or its first field, button or link. */
  readonly firstItem: string;
  /** Maximum height of the page at 390 px, in pixels. */
  readonly maxHeight?: number;
}

const SPACE = `/space/${demoIds.showroom}`;
const EVENT = `/event/${demoIds.mainEvent}`;
const FIRST_IN_LIST = "#list :is(a, input, button)";
const { tags, media } = demoEvent();
const tourStop = demoData(inject("seededAt")).scenes.find(({ eventId }) => eventId === demoIds.mainEvent)
  ?.tour[0];

/** Screens of owners and administrators. docs/screens.md lists most of them. */
const SCREENS: readonly Screen[] = [
  { name: "spaces", path: "/space-list", firstItem: FIRST_IN_LIST },
  { name: "spaces as rows", path: "/space-list?view=rows", firstItem: "#list tbody :is(a, input)" },
  {
    name: "spaces of a new account",
    person: "newcomer",
    path: "/space-list",
    firstItem: "[aria-current=step] a",
  },
  { name: "trash", path: "/space-list?show=trash", firstItem: "#list tbody :is(input, button)" },
  { name: "new space", path: "/space-list/new", firstItem: "main form :is(button, input)" },
  { name: "space", path: SPACE, firstItem: FIRST_IN_LIST, maxHeight: 2000 },
  { name: "new event", path: `${SPACE}?dialog=new`, firstItem: "dialog input[name^=eventName]" },
  { name: "space: Settings", path: `${SPACE}/settings`, firstItem: "#panel a" },
  { name: "3D source of a space", path: `${SPACE}/source`, firstItem: "main form :is(a, button, input)" },
  { name: "image of a space", path: `${SPACE}/picture`, firstItem: "main button" },
  { name: "sharing", path: `/sharing/space/${demoIds.showroom}`, firstItem: "main form :is(input, select)" },
  { name: "library", path: "/library", firstItem: FIRST_IN_LIST },
  { name: "library as rows", path: "/library?view=rows&show=all", firstItem: "#list tbody :is(a, input)" },
  {
    name: "report of an event",
    path: `${EVENT}/report?period=all`,
    firstItem: "#panel :is(button, summary)",
    maxHeight: 3000,
  },
  { name: "report of a space", path: `${SPACE}/report?period=all`, firstItem: "#panel :is(button, summary)" },
  {
    name: "report: Visitors",
    path: `${EVENT}/report?part=visitors`,
    firstItem: "#panel :is(button, summary)",
  },
  { name: "report of the account", path: "/account/report", firstItem: "#panel :is(button, summary)" },
  { name: "event: Details", path: EVENT, firstItem: "#panel input:not([type=hidden])" },
  { name: "event: Publish", path: `${EVENT}?panel=links`, firstItem: "#panel [type=radio]" },
  { name: "event: Store", path: `${EVENT}?panel=store`, firstItem: FIRST_IN_LIST },
  { name: "event: Tags", path: `${EVENT}?panel=tags`, firstItem: FIRST_IN_LIST },
  { name: "event: Media", path: `${EVENT}?panel=media`, firstItem: FIRST_IN_LIST },
  {
    name: "event: one tag",
    path: `${EVENT}?panel=tags&tag=${tags[0]?.id}`,
    firstItem: "#panel input:not([type=hidden])",
  },
  {
    name: "event: one media item",
    path: `${EVENT}?panel=media&medium=${media[0]?.id}`,
    firstItem: "#panel input:not([type=hidden])",
  },
  {
    name: "event: Publish, before it is published",
    path: `/event/${demoEventNamed("冬の茶会").id}?panel=links`,
    firstItem: "#panel [type=radio]",
  },
  {
    name: "event: Add media",
    path: `${EVENT}?panel=media&pick=media`,
    firstItem: "#panel input[type=search], #list summary",
  },
  { name: "event: Start", path: `${EVENT}?panel=start`, firstItem: "#panel :is(button, summary)" },
  { name: "event: Tour", path: `${EVENT}?panel=tour`, firstItem: FIRST_IN_LIST },
  {
    name: "event: one tour stop",
    path: `${EVENT}?panel=tour&stop=${tourStop?.id}`,
    firstItem: "#panel input:not([type=hidden])",
  },
  { name: "event: Floor plan", path: `${EVENT}?panel=plan`, firstItem: "#panel :is(button, summary, a)" },
  { name: "history of an event", path: `${EVENT}/history`, firstItem: FIRST_IN_LIST },
  { name: "tags as a table", path: `${EVENT}/tags`, firstItem: "main a[download]" },
  { name: "import", path: `/imports/new?space=${demoIds.showroom}`, firstItem: "main input[type=file]" },
  { name: "account", path: "/account", firstItem: "#panel input" },
  { name: "account: Security", path: "/account/security", firstItem: "#panel :is(a, button)" },
  { name: "account: Access tokens", path: "/account/tokens", firstItem: "#panel :is(a, button)" },
  { name: "account: Webhooks", path: "/account/webhooks", firstItem: "#panel :is(a, button)" },
  { name: "new webhook", path: "/account/webhooks/new", firstItem: "main input[name=url]" },
  { name: "account: Usage and data", path: "/account/data", firstItem: "#panel :is(a, button)" },
  { name: "users", person: "admin", path: "/user-list", firstItem: FIRST_IN_LIST },
  { name: "new user", person: "admin", path: "/user-list/new", firstItem: "main input[name=email]" },
  {
    name: "user",
    person: "admin",
    path: `/user-list/${demoIds.owner}`,
    firstItem: "main input:not([type=hidden])",
  },
  { name: "import of users", person: "admin", path: "/user-list/import", firstItem: "main input[type=file]" },
  { name: "groups", person: "admin", path: "/groups", firstItem: FIRST_IN_LIST },
  { name: "audit log", person: "admin", path: "/audit", firstItem: "main input[name=person]" },
];

/** Opens a screen, and waits until its dialog is modal. */
async function openScreen({ open, page, js }: BrowserVisit, { path }: Screen): Promise<void> {
  await open(path);
  if (js && (await page.locator("dialog").count()) > 0) await page.locator("dialog:modal").waitFor();
}

/** Largest number of Tab presses from the opened page to the first item of a screen. */
const TAB_PRESSES_MAX = 5;

/** Presses Tab until an element that matches the selector has the focus, and returns the number of presses; Infinity when it takes far too many. */
async function countTabPresses(page: Page, selector: string, startCount = 0): Promise<number> {
  for (let presses = startCount; presses <= TAB_PRESSES_MAX * 3; presses++) {
    const isReached = await page.evaluate(
      (selector) => document.activeElement?.matches(selector) ?? false,
      selector,
    );
    if (isReached) return presses;
    await page.keyboard.press("Tab");
  }
  return Number.POSITIVE_INFINITY;
}

/** Number of Tab presses to the first item, through the skip link that leads nearest to it. */
async function countPressesToFirstItem({ page }: BrowserVisit, firstItem: string): Promise<number> {
  // Dialogs and pickers receive the focus when they open.
  const hasFocus = await page.evaluate(() => document.activeElement !== document.body);
  if (hasFocus) return countTabPresses(page, firstItem);
  const target = await page.evaluate(
    () => ["dialog", "list", "panel", "main"].find((id) => document.getElementById(id)) ?? "",
  );
  const presses = await countTabPresses(page, `a[href="#${target}"]`);
  await page.keyboard.press("Enter");
  return countTabPresses(page, firstItem, presses);
}

/** Smallest width and height of a target, in pixels (WCAG 2.5.8). */
const TARGET_MIN = 24;

/** Visible controls whose width or height is less than TARGET_MIN, each with its size. */
const findSmallTargets = (page: Page) =>
  page.evaluate((min) => {
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    return [...document.querySelectorAll(controls)].flatMap((control) => {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
      if (control.matches(".skip-link, .sr-only, .sr-only *")) return [];
      const { width, height } = control.getBoundingClientRect();
      if (width >= min && height >= min) return [];
      return [`${control.outerHTML.slice(0, 120)} ${width} × ${height}`];
    });
  }, TARGET_MIN);

/** Largest number of visible controls in the first 1280 × 800 of a screen, without the rows of lists and of the checklist, and without the space, whose button appears on hover. */
const CONTROLS_MAX = 16;

/** Names of the visible controls in the window or in its dialog, without those of rows and of the space. */
const listControlsOutsideRows = (page: Page) =>
  page.evaluate(() => {
    const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
    const scope = document.querySelector("dialog:modal") ?? document;
    return [...scope.querySelectorAll(controls)].flatMap((control) => {
      if (control.closest("#list, tbody, [data-row], [data-check], #stage, .skip-link, .sr-only")) return [];
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
      const { top, bottom, left, right } = control.getBoundingClientRect();
      if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth) return [];
      return [control.getAttribute("aria-label") ?? control.textContent ?? control.getAttribute("name")];
    });
  });

describe("a screen of an owner or an administrator", () => {
  for (const options of EACH_LANGUAGE_AND_WIDTH_ONCE)
    for (const person of ["owner", "admin", "newcomer"] as const)
      test(
        `needs at most ${TAB_PRESSES_MAX} Tab presses to its first item, for ${person} (${describeVisit(options)})`,
        { timeout: 400_000 },
        () =>
          visit({ ...options, as: people[person] }, async (self) => {
            for (const screen of SCREENS.filter((screen) => (screen.person ?? "owner") === person)) {
              await openScreen(self, screen);
              const presses = await countPressesToFirstItem(self, screen.firstItem);
              expect.soft(presses, screen.name).toBeLessThanOrEqual(TAB_PRESSES_MAX);
            }
          }),
      );
  for (const person of ["owner", "admin", "newcomer"] as const)
    test(
      `has only targets of at least ${TARGET_MIN} × ${TARGET_MIN} pixels on a phone, and at most the height that is set for it, for ${person}`,
      { timeout: 400_000 },
      () =>
        visit(
          { as: people[person], width: 390, context: { hasTouch: true, isMobile: true } },
          async (self) => {
            for (const screen of SCREENS.filter((screen) => (screen.person ?? "owner") === person)) {
              await openScreen(self, screen);
              expect.soft(await findSmallTargets(self.page), screen.name).toEqual([]);
              const height = await self.page.evaluate(() => document.documentElement.scrollHeight);
              expect.soft(height, screen.name).toBeLessThanOrEqual(screen.maxHeight ?? Infinity);
            }
          },
        ),
    );
  for (const person of ["owner", "admin", "newcomer"] as const)
    test(
      `shows at most ${CONTROLS_MAX} controls outside the rows of its lists, for ${person}`,
      { timeout: 400_000 },
      () =>
        visit({ lang: "en", as: people[person] }, async (self) => {
          for (const screen of SCREENS.filter((screen) => (screen.person ?? "owner") === person)) {
            await openScreen(self, screen);
            const controls = await listControlsOutsideRows(self.page);
            expect.soft(controls.length, `${screen.name}: ${controls.join(" | ")}`).toBeGreaterThan(2);
            expect
              .soft(controls.length, `${screen.name}: ${controls.join(" | ")}`)
              .toBeLessThanOrEqual(CONTROLS_MAX);
          }
        }),
    );
  for (const person of ["owner", "admin"] as const)
    test(
      `does not scroll sideways at 200 % zoom, and has row names of less than 200 pixels in height, for ${person}`,
      { timeout: 400_000 },
      () =>
        visit({ lang: "ja", as: people[person] }, async (self) => {
          await self.page.setViewportSize({ width: 640, height: 400 });
          for (const screen of SCREENS.filter((screen) => (screen.person ?? "owner") === person)) {
            await openScreen(self, screen);
            const overflow = await self.page.evaluate(
              () => document.documentElement.scrollWidth - innerWidth,
            );
            expect.soft(overflow, screen.name).toBe(0);
            const heights = await self.page.evaluate(() =>
              [...document.querySelectorAll("tbody th")].map((name) => name.getBoundingClientRect().height),
            );
            expect.soft(Math.max(0, ...heights), screen.name).toBeLessThan(200);
          }
        }),
    );
});
