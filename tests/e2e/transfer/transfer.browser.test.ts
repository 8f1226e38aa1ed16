/**
 * Tests the export of an owner's content as a file and its import into another library, and the export and import of tags as a table.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import type { Uuid } from "~/domain/shared/model";
import { type Caller, signIn } from "../../support/api/caller";
import { demoEvent, demoIds } from "../../support/app/demo";
import { chooseInMenu, openMenu } from "../../support/browser/controls";
import { type BrowserVisit, describeVisit, submitForm, visit } from "../../support/browser/visit";

let owner: Caller;
/** An account without content of its own in the demo, into which the files are imported. */
let other: Caller;
beforeAll(async () => {
  owner = await signIn("owner");
  other = await signIn("hayashi");
});

interface ListedRecord {
  readonly uuid: Uuid;
  readonly event_name: string;
}
interface Item {
  readonly title: string;
  readonly file_url: string | null;
}

/** Clicks a download link, and reads the file. */
async function download({ page }: BrowserVisit, path: string): Promise<{ name: string; bytes: Buffer }> {
  const link = page.locator(`a[href="${path}"]:visible`).first();
  const [file] = await Promise.all([page.waitForEvent("download"), link.click()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

const isZip = (name: string) => name.endsWith(".hiroba.zip");

/** Expects that a field is invalid and described by a message. */
async function expectFieldError(field: Locator, message: string): Promise<void> {
  await field.and(field.page().locator("[aria-invalid=true]")).waitFor();
  const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? [];
  const texts = await Promise.all(ids.map((id) => field.page().locator(`[id="${id}"]`).textContent()));
  expect(texts).toContain(message);
}

/** Hashes of a library's files, by title. Reads at most 100 items. */
async function hashFiles(client: Caller): Promise<ReadonlyMap<string, string>> {
  const items = await client.api<Item[]>("GET", "/api/v1/media?limit=100");
  const hashes = new Map<string, string>();
  for (const { title, file_url } of items) {
    if (file_url === null) continue;
    const bytes = await (await client.fetch(file_url)).arrayBuffer();
    hashes.set(title, createHash("sha256").update(new Uint8Array(bytes)).digest("hex"));
  }
  return hashes;
}

/** Content of an event with numbered ids and rounded numbers, and without other values that can differ in a copy. */
async function readComparableContent(client: Caller, id: Uuid) {
  const content = await client.api<Record<string, unknown>>("GET", `/api/v1/events/${id}/content`);
  const ids = new Map<string, string>();
  const omittedKeys = new Set(["version", "seq", "created_on", "sort_order"]);
  return JSON.parse(JSON.stringify(content), (key, value) => {
    if (omittedKeys.has(key)) return undefined;
    if (typeof value === "number") return Math.round(value * 1e9) / 1e9;
    if (typeof value !== "string" || !/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(value)) return value;
    ids.set(value, ids.get(value) ?? `id-${ids.size}`);
    return ids.get(value);
  });
}

const findEvent = async (client: Caller, name: string): Promise<Uuid> => {
  const events = await client.api<ListedRecord[]>("GET", "/api/v1/events?limit=100");
  const listedEvent = events.find(({ event_name }) => event_name === name);
  if (!listedEvent) throw new Error(`No event ${name}`);
  return listedEvent.uuid;
};

const VISITS = [
  { lang: "ja", width: 390, js: false },
  { lang: "en", width: 1280, js: true },
] as const;

test.each(VISITS.map((options) => [describeVisit(options), options] as const))(
  "a space and an event are exported as files; the space is imported completely and, with scripts, the event too, %s",
  async (_, options) => {
    const [spaceFile, eventFile] = await visit({ ...options, as: owner }, async (self) => {
      const { open, t } = self;
      await open(`/space/${demoIds.showroom}`);
      await openMenu(self, t("shared-owners:moreActions"));
      const downloadedSpace = await download(self, `/space/${demoIds.showroom}/export`);
      await open(`/event/${demoIds.mainEvent}`);
      const menu = self.t("events:spaceEvents.actions", { name: demoEvent().event.eventName[self.lang] });
      const [file] = await Promise.all([
        self.page.waitForEvent("download"),
        chooseInMenu(self, menu, self.t("shared-owners:transfer.export")),
      ]);
      const downloadedEvent = { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
      return [downloadedSpace, downloadedEvent] as const;
    });
    expect([spaceFile, eventFile].map(({ name }) => isZip(name))).toEqual([true, true]);
    const eventName = demoEvent().event.eventName;
    // The licence permits few spaces, so those of other tests are deleted first.
    for (const { uuid } of await other.api<ListedRecord[]>("GET", "/api/v1/spaces"))
      await other.api("DELETE", `/api/v1/spaces/${uuid}`);

    await visit({ ...options, as: other }, async (self) => {
      const { page, open, t } = self;
      const fileField = page.getByLabel(t("transfer:file"), { exact: false });
      const chooseFile = async (file: { name: string; bytes: Buffer }) => {
        await fileField.setInputFiles({ name: file.name, mimeType: "application/zip", buffer: file.bytes });
        await page.getByRole("button", { name: t("transfer:submit") }).click();
      };
      const findHeading = (name: string) => page.getByRole("heading", { level: 1, name });

      // A truncated file and the file of an event are rejected.
      await open("/space-list");
      await chooseInMenu(self, t("shared-owners:moreActions"), t("shared-owners:transfer.importSpace"));
      await findHeading(t("transfer:importTitle_space")).waitFor();
      self.expectStatus(400);
      await chooseFile({ name: spaceFile.name, bytes: spaceFile.bytes.subarray(0, -400) });
      await expectFieldError(fileField, t("transfer:problem.notZip"));
      if (self.js) await self.axe("import-refused");
      await self.saveScreenshot("import-refused");
      await chooseFile(eventFile);
      await expectFieldError(fileField, t("transfer:problem.isEvent"));
      if (self.js) {
        await page.evaluate(() =>
          Object.defineProperty(File.prototype, "size", { get: () => 1e12, configurable: true }),
        );
        await chooseFile(spaceFile);
        await expectFieldError(fileField, t("transfer:problem.tooLarge"));
        await page.evaluate(() => Reflect.deleteProperty(File.prototype, "size"));
      }

      await chooseFile(spaceFile);
      await page.waitForURL(/\/imports\/[0-9a-f-]{36}/);
      await page.getByText(t("transfer:note.unpublished"), { exact: false }).first().waitFor();
      if (self.js) await self.axe("import-result");
      await self.saveScreenshot("import-result", { fullPage: true });
      const id = await findEvent(other, eventName.ja);
      expect(await readComparableContent(other, id)).toEqual(
        await readComparableContent(owner, demoIds.mainEvent),
      );

      // The same event gets a free name when it is imported again into this space.
      if (!options.js) return;
      await page.getByRole("link", { name: t("transfer:openSpace") }).click();
      await chooseInMenu(self, t("shared-owners:moreActions"), t("shared-owners:transfer.importEvent"));
      await chooseFile(eventFile);
      await page.waitForURL(/\/imports\/[0-9a-f-]{36}/);
      // Names are reported in the account's language.
      await page.getByText(t("transfer:note.renamed", { name: eventName.ja })).waitFor();
      await page.getByRole("link", { name: t("transfer:open") }).click();
      await page.waitForURL(/\/event\/[0-9a-f-]{36}/);
    });
    if (options.js) return;
    const [ownerFiles, importedFiles] = await Promise.all([hashFiles(owner), hashFiles(other)]);
    expect(importedFiles.size).toBeGreaterThan(10);
    for (const [title, digest] of importedFiles)
      expect([title, digest]).toEqual([title, ownerFiles.get(title)]);
  },
);

test.each(VISITS.map((options) => [describeVisit(options), options] as const))(
  "tags are exported as a table, and a changed one is imported after a preview of its effects, %s",
  async (_, options) => {
    await visit({ ...options, as: other }, async (self) => {
      const { page, open, t } = self;
      const id = await findEvent(other, demoEvent().event.eventName.ja);
      await open(`/event/${id}/tags`);
      const table = await download(self, `/event/${id}/tags/export`);
      expect(table.name).toMatch(/\.csv$/);
      const title = `Müller „ß“ ${options.lang}`;
      const [headerLine = "", firstLine = "", ...lines] = table.bytes.toString("utf8").split("\r\n");
      const cells = firstLine.split(",");
      const changedLine = [cells[0], cells[1], cells[2], title, ...cells.slice(4)].join(",");
      const checkTable = async (text: string) => {
        await page
          .getByLabel(t("transfer:csv.file"), { exact: false })
          .setInputFiles({ name: "tags.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
        await submitForm(self, page.getByRole("button", { name: t("transfer:csv.check") }));
      };
      self.expectStatus(400);
      await checkTable(`${headerLine.replace("color", "colour")}\r\n${changedLine}`);
      await page
        .getByText(t("transfer:csv.problem.column", { column: "colour" }))
        .first()
        .waitFor();
      await checkTable([headerLine, changedLine, ...lines].join("\r\n"));
      await page.getByText(t("transfer:csv.count.update", { count: 1 })).waitFor();
      if (self.js) await self.axe("tags-check");
      await self.saveScreenshot("tags-check");
      await submitForm(self, page.getByRole("button", { name: t("transfer:csv.confirm") }));
      await page.getByText(t("transfer:csv.done")).waitFor();
      const { tags } = await other.api<{ tags: { title: { ja: string } }[] }>(
        "GET",
        `/api/v1/events/${id}/content`,
      );
      expect(tags[0]?.title.ja).toBe(title);
    });
  },
);
