import { beforeEach, describe, expect, it } from "vitest";
import { TAG_CSV_MAX_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { apiUser } from "../../../tests/support/api/api-user";
import { catchErrorCode, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let eventId: Uuid;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  ({ eventId } = await testApp.addSpace(owner, "A"));
});

const content = () => testApp.services.content.getContent({ actor: owner.actor, eventId });
const exportCsv = async () =>
  (await testApp.services.content.exportTags({ actor: owner.actor, eventId })).text;
const encode = (text: string) => new TextEncoder().encode(text);
const importCsv = (
  text: string | Uint8Array,
  options: { deletesMissing?: boolean; isPreview?: boolean } = {},
) =>
  testApp.services.content.importTags({
    actor: owner.actor,
    eventId,
    encoding: null,
    deletesMissing: false,
    isPreview: false,
    ...options,
    bytes: typeof text === "string" ? encode(text) : text,
  });
const outcomes = (report: Awaited<ReturnType<typeof importCsv>>) =>
  report.lines.map(({ outcome }) => outcome);

async function addTags() {
  const item = await testApp.addItem(owner);
  const [mediaId, first, second] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
  const texts = (ja: string, en = "") => ({ ja, en });
  const { results } = await testApp.services.content.editContent({
    actor: owner.actor,
    eventId,
    commands: [
      { op: "create_media", id: mediaId, values: { libraryItemId: item.id, title: texts("図") } },
      {
        op: "create_tag",
        id: first,
        values: {
          title: texts("=1+1", '"Quoted", and more'),
          body: texts("- 一\n- 二\n\n'=三", "line\nline"),
          color: "#00ff00",
          icon: "star",
          keywords: ["水", "river, wide"],
          linkUrl: "https://example.com/?a=1&b=2",
          position: [-1.1, 0.1 + 0.2, -3e-7],
          stem: [0, 1, 0],
          viewpoint: { position: [0, 1.6, 0], yaw: -1, pitch: 0.5, mode: "walk" },
          mediaIds: [mediaId],
          product: { id: "gid://shopify/Product/42", title: "@Lamp" },
          hidden: true,
        },
      },
      { op: "create_tag", id: second, values: { title: texts("出口") } },
    ],
  });
  expect(results.every(({ ok }) => ok)).toBe(true);
  return { first, second, mediaId, item };
}

describe("tags as a table", () => {
  it("are not changed by the import of their own export, also with numbers that a spreadsheet program rounded", async () => {
    await addTags();
    const text = await exportCsv();
    expect(text.startsWith("\ufeffid,order,hidden,title_ja")).toBe(true);
    // No cell begins with = or @, as a formula does.
    expect(text).toContain("'=1+1");
    expect(text).not.toMatch(/(^|,)"?[=@]/m);
    const before = await content();
    expect(outcomes(await importCsv(text))).toEqual(["unchanged", "unchanged"]);
    expect(await content()).toEqual(before);
    // Spreadsheets keep fifteen digits of a number.
    expect(outcomes(await importCsv(text.replace("0.30000000000000004", "0.3")))).toEqual([
      "unchanged",
      "unchanged",
    ]);
  });

  it("are read with semicolons or tabs between the cells", async () => {
    await addTags();
    const { tags } = await content();
    for (const separator of [";", "\t"]) {
      const csv = `id${separator}title_ja${separator}color\r\n${tags.map(({ id }) => `${id}${separator}新しい名前${separator}#112233`).join("\r\n")}`;
      expect(outcomes(await importCsv(csv, { isPreview: true }))).toEqual(["update", "update"]);
    }
  });

  it("are changed by id, created without an id, ordered, and deleted only if requested, as one change", async () => {
    const { first, second, item } = await addTags();
    const before = await content();
    const file = [
      "id,order,title_ja,keywords,media,product_id",
      `${second},1,非常口,"安全、案内",,`,
      `,2,受付,,${item.id},77`,
      `${first.toUpperCase()},3,入口,,https://hiroba.example/media/${item.id}/12345678,`,
    ].join("\n");
    const preview = await importCsv(file, { isPreview: true });
    expect(outcomes(preview)).toEqual(["update", "create", "update"]);
    expect(preview.changesOrder).toBe(true);
    expect(await content()).toEqual(before);
    await importCsv(file);
    const after = await content();
    expect(after.tags.map(({ title }) => title.ja)).toEqual(["非常口", "受付", "入口"]);
    expect(after.tags[0]?.keywords).toEqual(["安全", "案内"]);
    expect(after.tags[1]).toMatchObject({
      mediaIds: before.tags[0]?.mediaIds,
      product: { id: "gid://shopify/Product/77" },
    });
    expect(after.tags[2]).toMatchObject({ title: { en: '"Quoted", and more' }, body: before.tags[0]?.body });
    // The import is one change group, which can be undone.
    const changes = await testApp.services.content.readChanges({
      actor: owner.actor,
      eventId,
      after: before.seq,
    });
    expect(new Set(changes.changes.map(({ callId }) => callId)).size).toBe(1);
    await testApp.services.history.restoreState({ actor: owner.actor, eventId, seq: before.seq });
    const undone = (await content()).tags.map(({ title, keywords }) => ({ title, keywords }));
    expect(undone).toEqual(before.tags.map(({ title, keywords }) => ({ title, keywords })));

    await importCsv(`id\n${first}`, {});
    expect((await content()).tags).toHaveLength(2);
    const { deleted } = await importCsv(`id\n${first}`, { deletesMissing: true });
    expect(deleted).toEqual([{ id: second, title: "出口" }]);
    expect((await content()).tags.map(({ id }) => id)).toEqual([first]);
  });

  it("are read in Shift_JIS", async () => {
    // "title_ja\r\n受付" as Excel with a Japanese locale writes it.
    const bytes = new Uint8Array([...encode("title_ja\r\n"), 0x8e, 0xf3, 0x95, 0x74]);
    const report = await importCsv(bytes);
    expect(report.encoding).toBe("shift_jis");
    expect((await content()).tags[0]?.title.ja).toBe("受付");
  });

  it("are rejected with errors for each line and column, and nothing is written", async () => {
    const { first } = await addTags();
    const before = await content();
    const file = [
      "id,title_ja,color,position_x,position_y,position_z,media,viewpoint,link_url",
      `${first},よい,red,,,,,,`,
      `,,#112233,,,,,,`,
      `,x,,1,two,3,nothing,{,javascript:alert(1)`,
      `${crypto.randomUUID()},x,,,,,,,`,
      `${first},again,,,,,,,`,
      ",short",
    ].join("\n");
    const preview = await importCsv(file, { isPreview: true });
    expect(preview.lines.map(({ line, problems }) => [line, problems.map(({ column }) => column)])).toEqual([
      [2, ["color"]],
      [3, ["title_ja"]],
      [4, ["position_y", "viewpoint", "media", "link_url"]],
      [5, ["id"]],
      [6, ["id"]],
      [7, [null]],
    ]);
    expect(await catchErrorCode(importCsv(file))).toBe("bad_file");
    for (const bad of ["", "a,b\n1,2", "id,id\n", "id,nonsense\n", '"id\n', "id\0"])
      expect(await catchErrorCode(importCsv(bad))).toBe("bad_file");
    expect(await content()).toEqual(before);
  });

  it("wait for a confirmation, which skips tags that were changed meanwhile", async () => {
    const { first, second } = await addTags();
    const { actor } = owner;
    const text = `id,title_ja\n${first},一\n${second},二\n,三\nnobody,四\n`;
    const service = testApp.services.content;
    const input = { actor, eventId, encoding: null, deletesMissing: false };
    const checked = await service.checkTagImport({ ...input, fileName: "a.csv", bytes: encode(text) });
    expect(outcomes(checked)).toEqual(["update", "update", "create", "error"]);
    const [tag] = (await content()).tags;
    expect(tag?.title.ja).toBe("=1+1");
    await service.editContent({
      actor,
      eventId,
      commands: [{ op: "update_tag", id: first, version: tag?.version, values: { color: "#123456" } }],
    });
    const importRef = { actor, eventId, importId: checked.id };
    await service.applyTagImport(importRef);
    await service.applyTagImport(importRef);
    const done = await service.getTagImport(importRef);
    expect(done.isDone).toBe(true);
    expect(outcomes(done)).toEqual(["error", "update", "create", "error"]);
    expect((await content()).tags.map(({ title }) => title.ja)).toEqual(["=1+1", "二", "三"]);
    const stranger = await testApp.addUser({ email: "other@demo.example" });
    expect(await catchErrorCode(service.getTagImport({ ...importRef, actor: stranger.actor }))).toBe(
      "not_found",
    );
    expect((await testApp.files.list()).objects).toEqual([]);
  });

  it("have API calls with the documented responses", async () => {
    await addTags();
    const call = await apiUser(testApp, owner);
    const callTags = (path: string, body?: string) =>
      call(body === undefined ? "GET" : "POST", `/v1/events/${eventId}/${path}`, body, "text/csv");
    const file = await callTags("tags/export");
    expect(file.headers.get("content-disposition")).toContain("attachment");
    const unchanged = await callTags("tags/import?preview=true", file.json);
    expect(unchanged.json).toMatchObject({ applied: false, moves: false, lines: [{}, {}] });
    const wrong = await callTags("tags/import", "title_ja,color\nx,red");
    expect(wrong).toMatchObject({
      status: 400,
      json: { code: "bad_file", errors: [{ field: "lines.2.color" }] },
    });
    const valid = await callTags("tags/import", "title_ja\nx");
    expect(valid.json).toMatchObject({ applied: true, lines: [{ outcome: "create" }] });
    const tooLarge = await callTags("tags/import", "x".repeat(TAG_CSV_MAX_BYTES + 1));
    expect(tooLarge).toMatchObject({
      status: 413,
      json: { code: "too_large", detail: expect.stringMatching(/\b16 ?MB/) as string },
    });
  });
});
