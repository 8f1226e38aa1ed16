import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { type EventJson, linkPath, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds, demoPath } from "../../support/app/demo";
import { LANGUAGES, visit } from "../../support/browser/visit";

/** Accessible name and role of the focused element. */
const readFocus = async (page: Page) => {
  const [line = ""] = (await page.locator(":focus").first().ariaSnapshot()).split("\n");
  return line.replace(/^- /, "").replace(/:$/, "");
};

/** Presses Tab or Shift+Tab until the focused element's role and name contain this text. */
async function tabToElement(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  const announcements: string[] = [];
  for (let presses = 0; presses < 150; presses++) {
    await page.keyboard.press(key);
    if ((await page.locator(":focus").count()) === 0) continue;
    const focus = await readFocus(page);
    if (focus.includes(name)) return;
    announcements.push(focus);
  }
  throw new Error(`"${name}" is not reached by ${key}, only: ${announcements.join(" · ")}`);
}

/** All tab stops from the top of the page to its end: the announcement of each, its pin, and whether it is in the window. */
async function listTabStops(page: Page) {
  const stops: { readonly announcement: string; readonly pin: string | null; readonly isVisible: boolean }[] =
    [];
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    const focusState = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body) return null;
      const { left, top, right, bottom } = focused.getBoundingClientRect();
      return {
        pin: focused.dataset.pin ?? null,
        isVisible: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
      };
    });
    if (!focusState) return stops;
    stops.push({ announcement: await readFocus(page), ...focusState });
  }
  throw new Error("The Tab key never leaves the page");
}

interface AxNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value: unknown } }[];
}

/** The accessibility tree of the page, in reading order. */
async function readTree(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  const { nodes } = (await cdp.send("Accessibility.getFullAXTree")) as { nodes: readonly AxNode[] };
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, properties }) => ({
      role: role?.value ?? "",
      name: name?.value ?? "",
      level: properties?.find((property) => property.name === "level")?.value.value,
    }));
}

/** Roles that need a name. */
const NAMED_ROLES = new Set([
  "button",
  "link",
  "searchbox",
  "textbox",
  "image",
  "Iframe",
  "application",
  "region",
  "checkbox",
]);

let touredEvent: EventJson;
beforeAll(async () => {
  const owner = await signIn("curator");
  touredEvent = await postEvent(owner, demoIds.tearoom, { status_id: 3, enable_auto_change_status: false });
  const [firstTagId, secondTagId] = [crypto.randomUUID(), crypto.randomUUID()];
  const createTitle = (ja: string, en: string) => ({ title: { ja, en } });
  const stop = { uuid: crypto.randomUUID(), text: { ja: "", en: "" }, seconds: 60 };
  const { results } = await owner.api<{ results: { ok: boolean }[] }>(
    "POST",
    `/api/v1/events/${touredEvent.uuid}/content`,
    {
      commands: [
        {
          op: "create_tag",
          uuid: firstTagId,
          values: { ...createTitle("炉", "The hearth"), position: [0, 1, 0] },
        },
        {
          op: "create_tag",
          uuid: secondTagId,
          values: { ...createTitle("窓", "The window"), position: [1, 1.2, 1] },
        },
        {
          op: "update_scene",
          version: 0,
          values: {
            tour: [
              { ...stop, ...createTitle("", ""), tag_uuid: firstTagId },
              { ...stop, ...createTitle("", ""), uuid: crypto.randomUUID(), tag_uuid: secondTagId },
            ],
          },
        },
      ],
    },
  );
  expect(results.filter(({ ok }) => !ok)).toEqual([]);
});

describe("a visit by keyboard alone", () => {
  test("reaches the controls in reading order, and leaves the page at its end", () =>
    visit({ lang: "en", stage: true, reducedMotion: true }, async (self) => {
      const { open, page, t } = self;
      const { event, tags } = demoEvent();
      await open(demoPath(event.id));
      await page.locator('section[data-stage="ready"]').waitFor({ timeout: 60_000 });
      await page.getByRole("searchbox").waitFor();
      const stops = await listTabStops(page);
      expect(stops.filter(({ isVisible }) => !isVisible)).toEqual([]);
      // A tab stop whose announcement is only a role would have no name.
      expect(stops.filter(({ announcement }) => /^\w+( \[\w+\])*$/.test(announcement))).toEqual([]);
      const findStop = (name: string) => stops.findIndex(({ announcement }) => announcement.includes(name));
      const stopIndexes = [
        t("shared:skip.main"),
        "application",
        t("visitors-late:viewer.help"),
        t("visitors:share"),
        t("shared:japanese"),
        t("visitors-late:search"),
        ...tags.map(({ title }) => title.en || title.ja).map((title) => `text: ${title}`),
      ].map(findStop);
      expect(stopIndexes).not.toContain(-1);
      expect(stopIndexes).toEqual([...stopIndexes].sort((a, b) => a - b));
      // The pins are in the list's order.
      const pins = stops.flatMap(({ pin }) => pin ?? []);
      const tagIds = tags.map(({ id }) => id);
      expect(pins.length).toBeGreaterThan(0);
      expect(pins).toEqual(tagIds.filter((id) => pins.includes(id)));
    }));

  test("skips to the content, opens the share dialog, searches, opens a tag, copies its link and closes the tag", () =>
    visit(
      { lang: "en", reducedMotion: true, context: { permissions: ["clipboard-read", "clipboard-write"] } },
      async ({ open, page, t }) => {
        const { event, tags } = demoEvent();
        const [, secondTag] = tags;
        await open(demoPath(event.id));
        await page.getByRole("searchbox").waitFor();
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
        await tabToElement(page, t("visitors:share"));
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: t("visitors-late:shareTitle") });
        await dialog.waitFor();
        // The focus enters the dialog, stays there, and returns.
        for (let presses = 0; presses < 12; presses++) {
          await page.keyboard.press("Tab");
          expect(
            await page.evaluate(() => {
              const focused = document.activeElement;
              return focused === document.body || focused?.closest("dialog,[role=dialog]") !== null;
            }),
          ).toBe(true);
        }
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        expect(await readFocus(page)).toContain(t("visitors:share"));

        await tabToElement(page, t("visitors-late:search"));
        await page.keyboard.type(secondTag?.title.en ?? "");
        await page.getByRole("status").filter({ hasText: /^1 / }).waitFor();
        await tabToElement(page, `text: ${secondTag?.title.en}`);
        await page.keyboard.press("Enter");
        const entry = page.locator(`#tag-${secondTag?.id}`);
        await expect.poll(() => entry.locator("details").getAttribute("open")).not.toBeNull();
        await tabToElement(page, t("visitors:linkToTag"));
        await page.keyboard.press("Enter");
        await page
          .getByRole("status")
          .filter({ hasText: t("visitors:tagLinkCopied") })
          .waitFor();
        expect(
          new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams.get("tag"),
        ).toBe(secondTag?.id);
        await tabToElement(page, `text: ${secondTag?.title.en}`, "Shift+Tab");
        await page.keyboard.press("Space");
        await expect.poll(() => entry.locator("details").getAttribute("open")).toBeNull();
      },
    ));

  test("follows a tour, and its position is announced", () =>
    visit({ lang: "en", reducedMotion: true }, async ({ open, page, t }) => {
      await open(linkPath(touredEvent, "published"));
      const tour = page.getByRole("region", { name: new RegExp(`^${t("visitors-late:tour")}`) });
      await tour.getByRole("button").first().waitFor();
      const status = tour.getByRole("status");
      await tabToElement(page, t("visitors-late:tourPlay"));
      await page.keyboard.press("Enter");
      await status
        .filter({ hasText: t("visitors-late:tourAt", { at: 1, of: 2, title: "The hearth" }) })
        .waitFor();
      expect(await readFocus(page)).toContain(t("visitors-late:tourPause"));
      await tabToElement(page, t("visitors-late:tourNext"));
      await page.keyboard.press("Enter");
      await status
        .filter({ hasText: t("visitors-late:tourAt", { at: 2, of: 2, title: "The window" }) })
        .waitFor();
      await tabToElement(page, t("visitors-late:tourPause"), "Shift+Tab");
      await page.keyboard.press("Enter");
      await status.filter({ hasText: t("visitors-late:tourPaused") }).waitFor();
    }));
});

describe("a screen reader's content", () => {
  for (const lang of LANGUAGES)
    for (const js of [true, false])
      test(`contains the event's tags and its media without a tag, with names for controls and no gap in heading levels (${lang}, ${js ? "with" : "without"} scripts)`, () =>
        visit({ lang, js, reducedMotion: true }, async ({ open, page, t }) => {
          const { event, tags, media } = demoEvent();
          await open(demoPath(event.id));
          if (js) await page.getByRole("searchbox").waitFor();
          const nodes = await readTree(page);
          expect(nodes.filter(({ role, name }) => NAMED_ROLES.has(role) && name.trim() === "")).toEqual([]);
          expect(nodes.filter(({ role }) => role === "main")).toHaveLength(1);
          const headings = nodes.filter(({ role }) => role === "heading");
          expect(headings.filter(({ level }) => level === 1).map(({ name }) => name)).toEqual([
            event.eventName[lang],
          ]);
          headings.reduce((previousLevel, { level, name }) => {
            expect(Number(level), `the level of "${name}"`).toBeLessThanOrEqual(previousLevel + 1);
            return Number(level);
          }, 0);
          const names = nodes.map(({ name }) => name);
          const titles = tags.map(({ title }) => title[lang] || title.ja || title.en);
          const titleIndexes = titles.map((title) => names.findIndex((name) => name.startsWith(title)));
          expect(titleIndexes.filter((index) => index === -1)).toEqual([]);
          // Media without a tag are readable without opening an entry.
          const tagged = new Set(tags.flatMap(({ mediaIds }) => mediaIds));
          const untaggedTitles = media
            .filter(({ id }) => !tagged.has(id))
            .map(({ title }) => title[lang] || title.ja);
          expect(untaggedTitles.filter((title) => !names.some((name) => name.includes(title)))).toEqual([]);
          expect(names.some((name) => name.includes(t("visitors:tags")))).toBe(true);
        }));
});
