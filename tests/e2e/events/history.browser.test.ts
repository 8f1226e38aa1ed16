import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Caller, signIn } from "../../support/api/caller";
import { describeVisit, submitForm, visit } from "../../support/browser/visit";
import { translateIn } from "../../support/translate";

interface CreatedItem {
  readonly uuid: string;
}
interface EditResult {
  readonly seq: number;
  readonly results: readonly { readonly ok: boolean }[];
}

let person: Caller;
let space: string;
let event: string;
let publishedSequence: number;
let ids: Readonly<Record<"desk" | "jar" | "lamp", string>>;

async function editContent(...commands: object[]): Promise<number> {
  const response = await person.api<EditResult>("POST", `/api/v1/events/${event}/content`, { commands });
  expect(response.results.filter(({ ok }) => !ok)).toEqual([]);
  return response.seq;
}
const createTagCommand = (
  uuid: string,
  ja: string,
  en: string,
  position: readonly number[],
  overrides: object = {},
) => ({
  op: "create_tag",
  uuid,
  values: { title: { ja, en }, position, ...overrides },
});
const createStop = (tagId: string, en: string) => ({
  uuid: randomUUID(),
  tag_uuid: tagId,
  viewpoint: null,
  seconds: 8,
  title: { ja: "", en: "" },
  text: { ja: "", en },
});
const readTitles = async () =>
  (
    await person.api<{ tags: { title: { ja: string } }[] }>("GET", `/api/v1/events/${event}/content`)
  ).tags.map(({ title }) => title.ja);

beforeAll(async () => {
  person = await signIn("kimura");
  space = (await person.api<CreatedItem>("POST", "/api/v1/spaces", { name: "履歴の間", sid: "SxQL3iGyoDo" }))
    .uuid;
});

/** Each test creates its own event, also when it is retried. */
beforeEach(async () => {
  ids = { desk: randomUUID(), jar: randomUUID(), lamp: randomUUID() };
  const { desk, jar, lamp } = ids;
  const eventFields = { space_uuid: space, event_name: `回顧展 ${desk.slice(0, 8)}` };
  event = (await person.api<CreatedItem>("POST", "/api/v1/events", eventFields)).uuid;
  const texts = { body: { ja: "ご来場の方は\nこちらへどうぞ。", en: "Please come here first." } };
  await editContent(
    createTagCommand(desk, "受付", "Reception", [0, 0, 0], texts),
    createTagCommand(jar, "壺", "Jar", [4, 0, 2]),
  );
  publishedSequence = await editContent({
    op: "update_scene",
    version: 0,
    values: { tour: [createStop(jar, "Seen from the door")] },
  });
  await person.api("PUT", `/api/v1/events/${event}`, { status_id: 3 });
  await person.api("PUT", `/api/v1/events/${event}`, { status_id: 2, event_detail: "会期を延長しました。" });
  await editContent(
    {
      op: "update_tag",
      uuid: desk,
      version: 1,
      values: { title: { ja: "総合受付", en: "Front desk" }, position: [2, 0, -3], color: "#aa3355" },
    },
    { op: "delete", type: "tag", uuid: jar, version: 1 },
    createTagCommand(lamp, "行灯", "Lamp", [6, 0, -1]),
    { op: "move_tags", uuids: [lamp], before_uuid: desk },
    { op: "update_scene", version: 1, values: { tour: [createStop(desk, "Where one begins")] } },
  );
});

afterAll(() => person.api("POST", "/api/batch_delete", { spaces: [space] }));

const VISITS = [
  { lang: "ja", js: true, width: 1280 },
  { lang: "en", js: false, width: 390 },
] as const;

describe("an owner of an event", () => {
  for (const options of VISITS)
    test(`sees the changes since the version that visitors saw, and restores that version (${describeVisit(options)})`, () =>
      visit({ ...options, as: person, reducedMotion: true }, async (self) => {
        const { open, page, t, lang, js } = self;
        const main = page.locator("main");
        const expectTexts = async (...texts: string[]) => {
          const content = (await main.textContent()) ?? "";
          for (const text of texts) expect(content).toContain(text);
        };
        await open(`/event/${event}/history`);
        const removedTitle = lang === "ja" ? "壺" : "Jar";
        await expectTexts(
          t("events:history.differs.published"),
          ...(lang === "ja" ? ["受付", "総合受付", "行灯"] : ["Reception", "Front desk", "Lamp"]),
          ...[
            t("events:history.kinds.added"),
            t("events:history.kinds.removed"),
            t("events:history.kinds.moved"),
          ],
          ...[t("events:history.kinds.reworded"), t("events:history.published"), "会期を延長しました。"],
          ...[t("events:history.types.stop"), t("events:history.stateTour"), "Where one begins"],
        );
        // Marks and list have the same numbers: one item was added, one was moved, and one was deleted. Marks have names when there is no
        // floor plan.
        const map = main.getByRole("img", { name: t("events:history.map") });
        const [lamp, desk] = lang === "ja" ? ["行灯", "総合受付"] : ["Lamp", "Front desk"];
        expect((await map.locator("text").allTextContents()).slice(1)).toEqual([
          `1 ${lamp}`,
          `2 ${desk}`,
          `3 ${removedTitle}`,
        ]);
        const differences = main.getByRole("region", { name: t("events:history.differs.published") });
        for (const number of ["1", "2", "3"])
          expect(await differences.locator("li").getByText(number, { exact: true }).count()).toBe(1);
        await self.saveScreenshot("history");
        if (js) await self.axe("history");

        // Shows the version that visitors saw in the space, and then with marks for later changes.
        await open(`/event/${event}/history?seq=${publishedSequence}&with=now`);
        await main.getByRole("link", { name: t("events:history.visit.open"), exact: true }).click();
        await page.waitForURL(/history\/space/);
        const frame = page.frameLocator("iframe");
        const entries = frame.locator("main");
        const expectFrameTexts = async (...texts: string[]) => {
          await entries
            .getByText(texts[0] ?? "")
            .first()
            .waitFor();
          const content = (await entries.textContent()) ?? "";
          for (const text of texts) expect(content).toContain(text);
          return content;
        };
        const earlierContent = await expectFrameTexts(removedTitle, lang === "ja" ? "受付" : "Reception");
        expect(earlierContent).not.toContain(lang === "ja" ? "行灯" : "Lamp");
        expect(await frame.locator("html").getAttribute("lang")).toBe(lang);
        await self.saveScreenshot("history-space");
        await page.getByLabel(t("events:history.visit.what")).selectOption("1");
        await page
          .getByRole("combobox", { name: t("events:preview.language") })
          .selectOption(lang === "ja" ? "en" : "ja");
        if (!js) await page.getByRole("button", { name: t("events:preview.show") }).click();
        await page.waitForURL(/marks=1/);
        const translateOther = translateIn(lang === "ja" ? "en" : "ja");
        const markedTitle = (kinds: string, ja: string, en: string) =>
          translateOther("events:history.marked", { kinds, title: lang === "ja" ? en : ja });
        const listKinds = (...marks: ("moved" | "reworded" | "restyled" | "added" | "removed" | "from")[]) =>
          marks.map((item) => translateOther(`events:history.marks.${item}`)).join("・");
        await expectFrameTexts(
          markedTitle(listKinds("added"), "行灯", "Lamp"),
          markedTitle(listKinds("moved", "reworded", "restyled"), "総合受付", "Front desk"),
          markedTitle(listKinds("from"), "総合受付", "Front desk"),
          markedTitle(listKinds("removed"), "壺", "Jar"),
        );
        for (const mark of ["added", "moved", "removed", "reworded"] as const)
          await expectTexts(t(`events:history.marks.${mark}`));
        await self.saveScreenshot("history-space-marked");
        if (js) await self.axe("history-space-marked");
        await main.getByRole("link", { name: t("events:history.visit.back"), exact: true }).click();
        await page.waitForURL(/\/history\?/);

        // Shows the content of the version that visitors saw.
        await open(`/event/${event}/history?seq=${publishedSequence}&with=now`);
        await expectTexts(
          t("events:history.differs.now"),
          removedTitle,
          t("events:history.stateTour"),
          "Seen from the door",
        );
        await self.saveScreenshot("history-then");
        await main.getByRole("link", { name: t("events:history.restore"), exact: true }).click();
        await page.getByRole("dialog").waitFor();
        await self.saveScreenshot("history-restore");
        if (js) await self.axe("history-restore");
        await submitForm(
          self,
          page.getByRole("button", { name: t("events:history.restoreSubmit"), exact: true }),
        );
        await page.waitForURL(/restored=/);
        await page.getByRole("status").getByText(t("events:history.restored")).waitFor();
        expect(await readTitles()).toEqual(["受付", "壺"]);

        // The restoration can be undone on this page, which adds an entry to the history.
        await submitForm(self, page.getByRole("button", { name: t("events:history.undo"), exact: true }));
        await expect.poll(readTitles).toEqual(["行灯", "総合受付"]);
        await page.getByRole("status").getByText(t("events:history.undone")).waitFor();
        const latestSequence = (await person.api<{ seq: number }>("GET", `/api/v1/events/${event}/content`))
          .seq;
        await main
          .getByRole("navigation", { name: t("events:history.changeGroups") })
          .getByRole("link")
          .first()
          .click();
        await page.waitForURL(new RegExp(`seq=${latestSequence}`));
        self.expectStatus(404);
        await open(`/event/${event}/history?seq=999999999`);
        expect(await page.title()).not.toBe("");
      }));
});
