import { beforeEach, describe, expect, it, vi } from "vitest";
import { FIRST_PAGE } from "~/domain/shared/cursor";
import type { CsvEncoding } from "~/domain/users/user-csv";
import { ALL_USERS } from "~/domain/users/user-list.schema";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import { audit, users } from "../../data/schema";
import type { ImportLine } from "./user-import-ports";

const testApp = useTestApp();
let admin: TestUser;
let owner: TestUser;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const bytesOf = (text: string) => new TextEncoder().encode(text);
const check = (text: string | Uint8Array, importer = admin.actor, encoding: CsvEncoding | null = null) =>
  testApp.services.users.checkImport({
    actor: importer,
    fileName: "users.csv",
    bytes: typeof text === "string" ? bytesOf(text) : text,
    encoding,
  });
const apply = (importId: string) => testApp.services.users.applyImport({ actor: admin.actor, importId });
const read = (importId: string) => testApp.services.users.getUserImport({ actor: admin.actor, importId });
const listUsers = async () =>
  (await testApp.db.select({ email: users.email, lastName: users.lastName }).from(users)).map(
    ({ email, lastName }) => `${email} ${lastName}`,
  );
/** Outcome and problems of each line: "3 error email:formula". */
const summaries = (lines: readonly ImportLine[]) =>
  lines.map(({ line, outcome, problems }) =>
    [
      line,
      outcome,
      ...problems.map(({ column, message }) => `${column}:${message.key.split(".").at(-1)}`),
    ].join(" "),
  );
const fileProblem = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: { fields?: { file?: { key: string }[] }; code?: string }) =>
      error.fields?.file?.[0]?.key.split(".").at(-1) ?? error.code,
  );
async function exportCsv(query = {}): Promise<string> {
  let text = "";
  for await (const part of await testApp.services.users.exportUsers({
    actor: admin.actor,
    query: { ...ALL_USERS, ...query, cursor: FIRST_PAGE },
  }))
    text += part;
  return text;
}

describe("a checked file", () => {
  it("reports the effect of each line, and writes nothing", async () => {
    const before = await listUsers();
    const { plan } = await check(
      [
        "email,last_name,first_name,status,storage_limit,role",
        "new@x.example,佐藤,太郎,,5 GB,",
        "OWNER@demo.example,山田,花子,BLOCKED,,",
        "admin@demo.example,山田,花子,,,",
        "admin@demo.example,山田,二度,,,",
        "not an address,a,b,,,",
        "f@x.example,=1+1,b,,,",
        "g@x.example,,,,,",
        "h@x.example,a,b,ACTIVATED,,",
        "i@x.example,a,b,,5 PB,king",
        "j@x.example,a",
        "k@x.example,a,b,,,,extra",
      ].join("\r\n"),
    );
    expect(summaries(plan.lines)).toEqual([
      "2 create",
      "3 update",
      "4 unchanged",
      "5 error email:duplicate",
      "6 error email:invalid",
      "7 error last_name:formula",
      "8 error last_name:nameRequired",
      "9 error status:newStatus",
      "10 error storage_limit:size role:role",
      "11 error null:tooFew",
      "12 error null:tooMany",
    ]);
    expect(plan.lines[1]).toMatchObject({ fields: ["status"], from: { status: "ACTIVATED" } });
    expect(plan.lines[0]?.values).toEqual({
      email: "new@x.example",
      lastName: "佐藤",
      firstName: "太郎",
      companyName: "",
      role: "user",
      status: "EMAIL_UNVERIFIED",
      spaceLicense: 10,
      storageLimit: 5 * 1024 ** 3,
      language: "ja",
      timeZone: "Asia/Tokyo",
    });
    expect(await listUsers()).toEqual(before);
  });

  it("is read as UTF-8 with or without a byte order mark, and as Shift_JIS", async () => {
    const shiftJis = new Uint8Array([
      ...bytesOf("email,last_name\r\ns@x.example,"),
      ...[0x8d, 0xb2, 0x93, 0xa1],
    ]);
    for (const [file, encoding] of [
      ["email,last_name\ns@x.example,佐藤", "utf-8"],
      ["\ufeffemail,last_name\ns@x.example,佐藤", "utf-8"],
      [shiftJis, "shift_jis"],
    ] as const) {
      const { plan } = await check(file);
      expect([plan.encoding, plan.lines[0]?.values?.lastName]).toEqual([encoding, "佐藤"]);
    }
  });

  it("is read in the chosen encoding, or rejected with its name", async () => {
    const file = new Uint8Array([...bytesOf("email,last_name\ns@x.example,"), 0xd4, 0xcf, 0xc0, 0xde]);
    const nameIn = async (encoding: CsvEncoding | null) =>
      (await check(file, admin.actor, encoding)).plan.lines[0]?.values?.lastName;
    expect([await nameIn("shift_jis"), await nameIn("euc-jp")]).toEqual(["ﾔﾏﾀﾞ", "塹折"]);
    expect(await fileProblem(nameIn("utf-8"))).toBe("utf-8");
  });

  it("reports invalid cells, and reads digits and commas in common spellings", async () => {
    const { plan } = await check(
      [
        "email;role;status;language;time_zone;space_license;storage_limit;last_name",
        "a@x.example;king;gone;fr;Mars;x;many;a",
        "b@x.example;ADMIN;;EN;;１２;1,5 GB;b",
      ].join("\n"),
    );
    expect(summaries(plan.lines)).toEqual([
      "2 error role:role status:status language:language time_zone:timeZone space_license:spaceLicense storage_limit:size",
      "3 create",
    ]);
    expect(plan.lines[0]?.problems.map(({ message }) => message.key)).toContain("users:csv.problem.role");
    expect(plan.lines[1]?.values).toMatchObject({
      spaceLicense: 12,
      storageLimit: 1.5 * 1024 ** 3,
      role: "admin",
    });
  });

  it("is rejected with a message when it is invalid", async () => {
    const lines = (count: number) => `email\n${"a@x.example\n".repeat(count)}`;
    const cases: [string, string | Uint8Array][] = [
      ["empty", ""],
      ["empty", "\n\n"],
      ["tooLarge", new Uint8Array(1024 * 1024 + 1)],
      ["encoding", new Uint8Array([0xff, 0xfe, 0x61, 0x00])],
      ["notCsv", 'email,"last'],
      ["noEmail", "name,company\na,b"],
      ["column", "email,nickname\na@x.example,b"],
      ["columnTwice", "email,role,Role\na@x.example,user,user"],
      ["tooLong", lines(2001)],
      ["none", lines(2000)],
    ];
    for (const [problem, file] of cases) expect(await fileProblem(check(file))).toBe(problem);
    expect(await fileProblem(check("email\na@x.example", owner.actor))).toBe("not_found");
  });

  it("ends at an unclosed quotation mark, which is reported", async () => {
    const { plan } = await check('email,last_name\na@x.example,b\nc@x.example,"d\ne@x.example,f');
    expect(summaries(plan.lines)).toEqual(["2 create", "3 error null:quotes"]);
    const { plan: wrong } = await check('email,last_name\na@x.example,b\n"a@x.example');
    expect(summaries(wrong.lines)).toEqual(["2 create", "3 error null:quotes"]);
  });

  it("does not let administrators demote themselves", async () => {
    const { plan } = await check("email,role\nadmin@demo.example,user");
    expect(summaries(plan.lines)).toEqual(["2 error role:own"]);
  });

  it("belongs to its uploader alone, and expires after an hour", async () => {
    const other = await testApp.addUser({ role: "admin" });
    const { id } = await check("email\nowner@demo.example");
    const importAs = (actor: TestUser["actor"]) =>
      fileProblem(testApp.services.users.getUserImport({ actor, importId: id }));
    expect([await importAs(admin.actor), await importAs(other.actor), await importAs(owner.actor)]).toEqual([
      "none",
      "not_found",
      "not_found",
    ]);
    testApp.time.now += 3_600_000;
    expect(await importAs(admin.actor)).toBe("not_found");
  });

  it("is deleted after its expiry", async () => {
    await check("email\nowner@demo.example");
    expect(await testApp.services.users.deleteExpiredUserImports()).toBe(0);
    testApp.time.now += 3_600_000;
    expect(await testApp.services.users.deleteExpiredUserImports()).toBe(1);
  });
});

describe("a confirmed file", () => {
  it("is written once, with an audit entry for each user and one for the import", async () => {
    const { id } = await check(
      "email,last_name,first_name,space_license\nnew@x.example,佐藤,太郎,3\nowner@demo.example,変更,花子,\nbad,a,b,",
    );
    await testApp.db.delete(audit);
    await Promise.all([apply(id), apply(id)]);
    const { plan, doneAt } = await read(id);
    expect(doneAt).not.toBeNull();
    expect(plan.lines.map(({ refused }) => refused)).toEqual([null, null, undefined]);
    const [added] = await testApp.data.users.findByEmail(["new@x.example"]);
    expect(added).toMatchObject({
      lastName: "佐藤",
      status: "EMAIL_UNVERIFIED",
      role: "user",
      spaceLicense: 3,
    });
    expect(await testApp.data.folders.listByOwner(added?.id ?? "", "space")).toHaveLength(1);
    expect(await listUsers()).toContain("owner@demo.example 変更");
    const auditEntries = await testApp.db.select().from(audit);
    expect(auditEntries.map(({ action }) => action).sort()).toEqual([
      "user_created",
      "user_updated",
      "users_imported",
    ]);
    expect(auditEntries.find(({ action }) => action === "users_imported")?.detail).toEqual({
      created: 1,
      updated: 1,
      refused: 1,
    });
  });

  it("that is interrupted reports it, and continues at the same line", async () => {
    const creates = Array.from({ length: 30 }, (_, i) => `new${i}@x.example,新`);
    const people = await Promise.all(
      Array.from({ length: 3 }, (_, i) => testApp.addUser({ email: `old${i}@x.example` })),
    );
    const file = `email,last_name\n${[...creates, ...people.map(({ user }) => `${user.email},変更`)].join("\n")}`;
    // Interrupts it after a batch but before its progress is recorded, and before the changes of existing users are written.
    const interruptions = [
      () => vi.spyOn(testApp.data.userImports, "saveProgress").mockRejectedValueOnce(new Error("cut")),
      () => vi.spyOn(testApp.data.users, "change").mockRejectedValueOnce(new Error("cut")),
    ];
    const { id } = await check(file);
    await testApp.db.delete(audit);
    const states: string[] = [];
    for (const cut of interruptions) {
      const spy = cut();
      await expect(apply(id)).rejects.toThrow("cut");
      spy.mockRestore();
      const { state, doneAt, plan } = await read(id);
      states.push(`${state} ${doneAt} ${plan.lines.filter(({ refused }) => refused === null).length}`);
    }
    expect(states).toEqual(["interrupted null 0", "interrupted null 30"]);
    await apply(id);
    const { state, plan } = await read(id);
    expect([state, plan.lines.filter(({ refused }) => refused !== null)]).toEqual(["done", []]);
    const [added] = await testApp.data.users.findByEmail(["new0@x.example"]);
    expect(await testApp.data.folders.listByOwner(added?.id ?? "", "space")).toHaveLength(1);
    const auditEntries = await testApp.db.select().from(audit);
    expect(auditEntries.filter(({ action }) => action === "user_created")).toHaveLength(30);
    expect(
      auditEntries.filter(({ action }) => action === "users_imported").map(({ detail }) => detail),
    ).toEqual([{ created: 30, updated: 3, refused: 0 }]);
  });

  it("is written by one request at a time, until that request is considered lost", async () => {
    const { id } = await check("email,last_name\nnew@x.example,新");
    const until = new Date(testApp.time.now + 60_000).toISOString();
    const instant = new Date(testApp.time.now).toISOString();
    await testApp.data.userImports.claim(id, instant, { until, expiresAt: until.replace("2026", "2027") });
    await apply(id);
    expect((await read(id)).state).toBe("running");
    expect(await listUsers()).not.toContain("new@x.example 新");
    // Uploading another file does not replace this one while it is being written.
    await check("email\nowner@demo.example");
    testApp.time.now += 60_000;
    expect((await read(id)).state).toBe("interrupted");
    await apply(id);
    expect((await read(id)).state).toBe("done");
    expect(await testApp.data.userImports.saveProgress(id, [], { claimedUntil: until, until })).toBe(false);
  });

  it("skips users who were created or changed since the check", async () => {
    const { id } = await check("email,last_name\nnew@x.example,佐藤\nowner@demo.example,変更");
    await testApp.addUser({ email: "new@x.example", lastName: "先" });
    await testApp.services.users.changeUsers({
      actor: admin.actor,
      userIds: [owner.user.id],
      change: { kind: "spaceLicense", spaceLicense: 1 },
    });
    await apply(id);
    expect((await read(id)).plan.lines.map(({ refused }) => refused?.key)).toEqual([
      "api:services.emailTaken",
      "users:refused.changedMeanwhile",
    ]);
    expect(await listUsers()).toContain("new@x.example 先");
  });

  it("keeps the file's order in the list, independent of batches", async () => {
    const emails = Array.from({ length: 60 }, (_, i) => `order${i}@x.example`);
    const { id } = await check(`email,last_name\n${emails.map((email) => `${email},名`).join("\n")}`);
    await apply(id);
    const { items } = await testApp.services.users.listUsers({ actor: admin.actor, size: 62 });
    expect(items.map(({ email }) => email).filter((email) => email.startsWith("order"))).toEqual(emails);
  });

  it("may have two thousand lines", async () => {
    const lines = Array.from({ length: 2000 }, (_, i) => `many${i}@x.example,名${i}`);
    const { id } = await check(`email,last_name\n${lines.join("\n")}`);
    await apply(id);
    const list = await testApp.services.users.listUsers({ actor: admin.actor });
    expect(list.total.count).toBe(2002);
  });
});

describe("an export", () => {
  it("can be imported, and then changes nothing", async () => {
    await testApp.addUser({
      email: "odd@x.example",
      lastName: '=SUM("a,b")',
      firstName: "'=1",
    });
    const text = await exportCsv();
    expect(text.startsWith("\ufeffemail,last_name,first_name,company_name,role,status,")).toBe(true);
    expect(text).toContain(`"'=SUM(""a,b"")"`);
    const { plan } = await check(text);
    expect(plan.lines.map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "unchanged"]);
    expect(text).not.toContain(HASH_PREFIX);
  });

  it("of a search is complete in several orders, and its number of users is logged", async () => {
    const { id } = await check(
      `email,last_name\n${Array.from({ length: 510 }, (_, i) => `many${i}@x.example,名`).join("\n")}`,
    );
    await apply(id);
    for (const query of [
      { q: "many", sort: "name" },
      { q: "many" },
      { q: "many", sort: "email", show: "EMAIL_UNVERIFIED" },
    ]) {
      const lines = (await exportCsv(query)).trim().split("\r\n").slice(1);
      expect(new Set(lines).size).toBe(510);
    }
    await testApp.services.users.changeUsers({
      actor: admin.actor,
      userIds: [owner.user.id],
      change: { kind: "delete" },
    });
    await exportCsv({ show: "trash" });
    const auditEntries = (await testApp.db.select().from(audit)).filter(
      ({ action }) => action === "users_exported",
    );
    expect(auditEntries.map(({ detail }) => detail.count)).toEqual([510, 510, 510, 1]);
  });

  it("contains the requested list, and is recorded in the audit log", async () => {
    expect((await exportCsv({ role: "admin" })).trim().split("\r\n")).toHaveLength(2);
    const [entry] = (await testApp.db.select().from(audit)).filter(
      ({ action }) => action === "users_exported",
    );
    expect(entry?.detail).toEqual({ count: 1 });
  });
});
