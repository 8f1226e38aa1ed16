/** Tests the reports that owners read, in both languages, with and without scripts. */

import { beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "~/domain/shared/day";
import { toLocalInput } from "~/domain/shared/time-zone";
import { type Caller, type EventJson, postEvent, signIn } from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { choiceOption, chooseInMenu, chooseOption } from "../../support/browser/controls";
import { describeVisit, submitForm, visit, waitForHydration } from "../../support/browser/visit";

let owner: Caller;
let stranger: Caller;
let quietEvent: EventJson;

beforeAll(async () => {
  const [ownerCaller, strangerCaller] = await Promise.all(["owner", "mori"].map(signIn));
  if (!ownerCaller || !strangerCaller) throw new Error("A demo account is missing");
  [owner, stranger] = [ownerCaller, strangerCaller];
  quietEvent = await postEvent(owner, demoIds.showroom, { event_name: "静かな夜" });
});

const reportPath = `/event/${demoIds.mainEvent}/report`;

describe("a report", () => {
  for (const options of [
    { lang: "ja", width: 390, js: true },
    { lang: "en", width: 1280, js: false },
  ] as const)
    test(
      `is reached from its event, shown by period and compared with another, and offers to delete visits (${describeVisit(options)})`,
      { timeout: 120_000 },
      () =>
        visit({ ...options, as: owner, reducedMotion: true }, async (self) => {
          const { page, t, open, js } = self;
          const settle = async () => {
            await page.waitForLoadState();
            if (js) await waitForHydration(page);
          };
          await open(`/event/${demoIds.mainEvent}`);
          const actions = t("events:spaceEvents.actions", { name: demoEvent().event.eventName[self.lang] });
          await chooseInMenu(self, actions, t("shared-owners:reportTitle"));
          await page.waitForURL(`**${reportPath}`);
          await settle();

          // The chart is rendered without scripts. The visits of its table add up to the total.
          await page.goto(`${self.origin}${reportPath}?period=all`);
          await settle();
          const chart = page.getByRole("img", { name: t("analytics:overTime"), exact: false }).first();
          expect(await chart.locator("rect").count()).toBeGreaterThan(3);
          await page.getByText(t("analytics:asTable")).click();
          const table = page.getByRole("table", { name: t("analytics:overTime") });
          const visits = (await table.locator("td:first-of-type").allTextContents()).map((text) =>
            Number(text.replaceAll(",", "")),
          );
          const total = page
            .locator("dl > div", { hasText: t("analytics:number.visits") })
            .locator("dd")
            .first();
          expect(visits.reduce((sum, item) => sum + item, 0)).toBe(
            Number(((await total.textContent()) ?? "").replaceAll(",", "")),
          );
          expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
            true,
          );

          // The printed page contains the chart, but not the links to periods.
          const periods = page.getByRole("navigation", { name: t("analytics:periods") });
          await page.emulateMedia({ media: "print" });
          expect([await chart.isVisible(), await periods.isVisible()]).toEqual([true, false]);
          await page.emulateMedia({ media: null });

          const allTime = t("analytics:periodIs", { period: t("analytics:period.all") });
          await chooseInMenu(self, allTime, t("analytics:period.weekly"));
          await page.waitForURL("**period=weekly**");
          await page.getByRole("link", { name: t("analytics:previous") }).click();
          await page.waitForURL("**at=**");
          await settle();
          await page.getByRole("link", { name: t("analytics:next") }).waitFor();
          const repeatedNote = page.getByText(t("analytics:visitorsMeant"));
          expect(await repeatedNote.count()).toBe(1);

          // One click shows the day before today.
          const weeklyUrl = new URL(page.url());
          const yesterday = periods.getByRole("link", { name: t("analytics:yesterday"), exact: true });
          expect(await yesterday.getAttribute("aria-current")).toBe(null);
          await yesterday.click();
          await page.waitForURL("**period=daily**");
          await settle();
          expect(new URL(page.url()).searchParams.get("at")).toBe(
            toLocalInput(new Date(Date.now() - DAY_MS).toISOString(), "Asia/Tokyo").slice(0, 10),
          );
          expect(await yesterday.getAttribute("aria-current")).toBe("true");
          // A visitor counts once on one day, so the note about repeated visits is absent.
          expect(await repeatedNote.count()).toBe(0);
          await open(`${weeklyUrl.pathname}${weeklyUrl.search}`);

          // The tabs with the details keep the period.
          for (const [part, table] of [
            ["opened", "tags"],
            ["bought", "carts"],
            ["audience", "countries"],
          ] as const) {
            await page.getByRole("link", { name: t(`analytics:part.${part}`), exact: true }).click();
            await page.waitForURL(`**part=${part}&period=weekly&at=**`);
            await page.getByRole("heading", { name: t(`analytics:${table}`), exact: true }).waitFor();
          }
          await page.getByRole("link", { name: t("analytics:part.compare"), exact: true }).click();
          await page.waitForURL("**part=compare**");
          await settle();
          await chooseOption(self, t("analytics:compareWith"), "静かな夜");
          if (!js) await page.getByRole("button", { name: t("analytics:compareShow") }).click();
          await page.waitForURL(`**with=${quietEvent.uuid}**`);
          await page.getByRole("columnheader", { name: "静かな夜" }).waitFor();
          if (js) {
            const choice = page.getByRole("combobox", { name: t("analytics:compareWith") });
            expect(await choice.evaluate((element) => element === document.activeElement)).toBe(true);
            await page.goBack();
            await choice.and(page.locator(`[value="${t("analytics:compareChoose")}"], [value=""]`)).waitFor();
            await page.goForward();
            await page.getByRole("columnheader", { name: "静かな夜" }).waitFor();
            await page.getByRole("link", { name: t("analytics:compareEnd") }).press("Enter");
            await page.getByRole("columnheader", { name: "静かな夜" }).waitFor({ state: "detached" });
            await expect
              .poll(() => choice.evaluate((element) => element === document.activeElement))
              .toBe(true);
            await page.goBack();
            await page.getByRole("columnheader", { name: "静かな夜" }).waitFor();
          }
          // Axe is a script, so it runs only in a page with scripts.
          if (js) await self.axe("report-compared");

          // A search by a part of a name finds another event and keeps the current comparison.
          await open(
            `${reportPath}?period=weekly&with=${quietEvent.uuid}&find=${encodeURIComponent("内覧")}`,
          );
          const match = page.locator('select[name=with] option:not([value=""])');
          expect((await match.allTextContents()).map((text) => text.split(" – ")[0])).toEqual([
            "静かな夜",
            demoEvent(demoIds.passwordEvent).event.eventName[self.lang],
          ]);
          if (js) {
            await choiceOption(self, t("analytics:compareWith"), "nowhere");
            await page.getByText(t("analytics:compareNothing")).first().waitFor();
            await page.keyboard.press("Escape");
          } else {
            await page.getByLabel(t("analytics:compareFind"), { exact: true }).fill("nowhere");
            await page
              .getByRole("search")
              .getByRole("button", { name: t("analytics:compareSearch") })
              .click();
            await page.getByText(t("analytics:compareLost", { query: "nowhere" })).waitFor();
          }
          await page.getByRole("columnheader", { name: "静かな夜" }).waitFor();

          // An event that does not exist does not break the report.
          await open(`${reportPath}?period=weekly&with=${crypto.randomUUID()}`);
          await page.getByText(t("analytics:compareGone")).waitFor();

          // The other event has no visits, and deleting them succeeds. Its report ignores invalid values in the URL.
          await open(`/event/${quietEvent.uuid}/report?period=all&at=never&with=nobody`);
          await page.getByText(t("analytics:empty"), { exact: true }).waitFor();
          await chooseInMenu(self, t("analytics:moreActions"), t("analytics:delete.link"));
          await page.getByRole("dialog").waitFor();
          await settle();
          await submitForm(self, page.getByRole("button", { name: t("analytics:delete.submit") }));
          await page.getByText(t("shared-owners:toasts.visitsDeleted")).waitFor();
          expect(page.url()).toContain("period=all");
        }),
    );

  test("is short on a phone, and has few controls on a wide screen", async () => {
    for (const path of [reportPath, `/space/${demoIds.showroom}/report`, "/account/report"]) {
      await visit({ as: owner, width: 390 }, async ({ open }) => {
        const page = await open(path);
        expect(await page.evaluate(() => document.documentElement.scrollHeight), path).toBeLessThan(3000);
      });
      await visit({ as: owner, context: { viewport: { width: 1280, height: 800 } } }, async ({ open }) => {
        const page = await open(path);
        // Skip links are visible only when they are focused.
        const selector = "a:not(.skip-link), button, input, select, summary";
        const controls = await page.locator(selector).evaluateAll(
          (all) =>
            all.filter((element) => {
              const { top, width } = element.getBoundingClientRect();
              return element.checkVisibility({ contentVisibilityAuto: true }) && width > 1 && top < 800;
            }).length,
        );
        expect(controls, path).toBeLessThanOrEqual(16);
      });
    }
  });

  test("shows the floor plan of the event, in the report of its space as well", async () => {
    const [eventPlan, spacePlan] = await Promise.all(
      [reportPath, `/space/${demoIds.showroom}/report`].map(async (path) => {
        const { text } = await owner.get(`${path}?period=all`);
        return /<div role="img"[^>]*><img src="(\/media\/[^"]+)"/.exec(text)?.[1];
      }),
    );
    expect(eventPlan).toBeDefined();
    expect(spacePlan).toBe(eventPlan);
  });

  test("compares only events: the report of a space or an account ignores an event in its URL", async () => {
    for (const [path, isCompared] of [
      [reportPath, true],
      [`/space/${demoIds.showroom}/report`, false],
      ["/account/report", false],
    ] as const) {
      const { status, text } = await owner.get(`${path}?period=all&with=${quietEvent.uuid}`);
      // The links to the tabs keep the comparison of a report.
      const isKept = new RegExp(`part=opened[^"]*with=${quietEvent.uuid}`).test(text);
      expect([status, isKept], path).toEqual([200, isCompared]);
    }
  });

  test("and its files are available only to users who may see the event", async () => {
    const csv = await owner.get(`${reportPath}/export?period=all`);
    expect(csv.text).toContain("part,id,name,number,value,before");
    expect(csv.text).toContain("図録「藍と紙」 / Catalogue “Indigo and Paper”");
    const json = JSON.parse((await owner.get(`${reportPath}/export?period=all&format=json`)).text);
    const total = json.numbers.visits.value;
    expect(total).toBeGreaterThan(0);
    expect(csv.text).toMatch(new RegExp(`^total,,.*,visits,${total},`, "m"));
    const unknownFormat = await owner.get(`${reportPath}/export?period=all&format=xml&lang=en`);
    expect([unknownFormat.status, unknownFormat.visibleText.includes("not as “xml”")]).toEqual([400, true]);
    const live = JSON.parse((await owner.get(`${reportPath}/live`)).text);
    expect(live).toEqual({ live: expect.any(Number) });
    const reportPaths = [
      reportPath,
      `${reportPath}/export`,
      `${reportPath}/live`,
      `/space/${demoIds.showroom}/report`,
    ];
    for (const path of [...reportPaths, "/event/x/report"])
      expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.get("/account/report?period=%00&at=9999")).status).toBe(200);
  });
});
