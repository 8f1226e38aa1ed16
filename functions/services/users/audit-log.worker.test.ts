import { beforeEach, describe, expect, it } from "vitest";
import { audit, events } from "#functions/data/schema";
import { FIRST_PAGE } from "~/domain/shared/cursor";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";
import type { AuditQuery } from "./user-ports";

const testApp = useTestApp();
let admin: TestUser;
let owner: TestUser;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  owner = await testApp.addUser({ email: "owner@demo.example" });
  await testApp.db.delete(audit);
});

const ALL = { action: null, kind: null, from: null, to: null, cursor: FIRST_PAGE } as const;
const list = (query: Partial<Omit<AuditQuery, "person">> = {}, person: string | null = null) =>
  testApp.services.auditLog.listAudit({ actor: admin.actor, person, query: { ...ALL, ...query } });
const actions = async (...input: Parameters<typeof list>) =>
  (await list(...input)).items.map(({ action }) => action);
const advanceSecond = () => {
  testApp.time.now += 1000;
};

/** Runs six different actions, one second apart. */
async function writeEntries() {
  const { users, groups, spaces, sessions } = testApp.services;
  await sessions.logIn({ email: "owner@demo.example", password: PASSWORD, userAgent: "", network: "1" });
  advanceSecond();
  const { space } = await spaces.createSpace({
    actor: owner.actor,
    name: "館",
    source: { kind: "showcase", sid: "SxQL3iGyoDo", isDoubtful: false },
  });
  advanceSecond();
  const group = await groups.createGroup({ actor: admin.actor, name: "班" });
  advanceSecond();
  await groups.addMember({ actor: admin.actor, groupId: group.id, userId: owner.user.id });
  advanceSecond();
  await groups.changeGroup({ actor: admin.actor, kind: "space", id: space.id, groupId: group.id });
  advanceSecond();
  await users.changeUsers({
    actor: admin.actor,
    userIds: [owner.user.id],
    change: { kind: "status", status: "BLOCKED" },
  });
  advanceSecond();
}

describe("the audit log", () => {
  it("states who did what to whom, newest first", async () => {
    await writeEntries();
    const { items } = await list();
    expect(items.map(({ action }) => action)).toEqual([
      "user_status_changed",
      "space_group_changed",
      "group_member_added",
      "group_created",
      "space_created",
      "log_in",
    ]);
    expect(items[0]).toMatchObject({
      actor: { email: "admin@demo.example" },
      resource: { person: { email: "owner@demo.example" } },
      detail: { from: "ACTIVATED", to: "BLOCKED" },
    });
    expect(items[1]).toMatchObject({ resource: { name: "館" }, detail: { group: { from: null, to: "班" } } });
  });

  it("lists a group's changes for the affected member, in order", async () => {
    const other = await testApp.addUser({ email: "other@demo.example" });
    await writeEntries();
    const group = (await testApp.services.groups.listGroups({ actor: admin.actor })).items[0];
    for (const work of ["addMember", "removeMember"] as const) {
      const groupId = group?.id ?? "";
      await testApp.services.groups[work]({ actor: admin.actor, groupId, userId: other.user.id });
      advanceSecond();
    }
    expect(await actions({}, "other@demo.example")).toEqual([
      "group_member_removed",
      "group_member_added",
      "user_created",
    ]);
    expect(await actions({ kind: "group" }, "owner@demo.example")).toEqual(["group_member_added"]);
    expect(await actions({ action: "group_member_removed" }, "owner@demo.example")).toEqual([]);
  });

  it("is filtered by person, action, kind and time", async () => {
    await writeEntries();
    expect(await actions({}, "owner@demo.example")).toEqual([
      "user_status_changed",
      "group_member_added",
      "space_created",
      "log_in",
    ]);
    expect(await actions({}, owner.user.id)).toEqual(await actions({}, "owner@demo.example"));
    expect(await actions({ kind: "space" })).toEqual(["space_group_changed", "space_created"]);
    expect(await actions({ kind: "space" }, "owner@demo.example")).toEqual(["space_created"]);
    expect(await actions({ action: "group_created" })).toEqual(["group_created"]);
    const all = await list();
    const time = (index: number) => all.items[index]?.at ?? "";
    expect(await actions({ from: time(2), to: time(0) })).toEqual([
      "space_group_changed",
      "group_member_added",
    ]);
    const emptyList = await list({}, "nobody@demo.example");
    expect([emptyList.person, emptyList.items]).toEqual([null, []]);
  });

  it("is read in pages without gaps or duplicates", async () => {
    for (let i = 0; i < 45; i++)
      await testApp.services.groups.createGroup({ actor: admin.actor, name: `g${i}` });
    const entries: string[] = [];
    let page = await list({}, "admin@demo.example");
    for (;;) {
      entries.push(...page.items.map(({ id }) => id));
      const last = page.items.at(-1);
      if (!page.hasNext || !last) break;
      page = await list({ cursor: { position: "after", id: last.id } }, "admin@demo.example");
    }
    expect([entries.length, new Set(entries).size]).toEqual([45, 45]);
    const end = await list({ cursor: { position: "last" } });
    expect(end.items.map(({ id }) => id)).toEqual(entries.slice(-20));
  });

  it("is available to administrators only", async () => {
    const rejected = testApp.services.auditLog
      .listAudit({ actor: owner.actor, person: null, query: ALL })
      .catch((error: { code: string }) => error.code);
    expect(await rejected).toBe("not_found");
  });

  it("contains no password, hash, token or session ticket", async () => {
    await writeEntries();
    const { services } = testApp;
    await services.passwords.requestReset({ actor: null, email: "admin@demo.example", network: "1" });
    await Promise.all(testApp.deferred);
    const { user } = await services.users.addUser({
      actor: admin.actor,
      values: {
        email: "new@demo.example",
        lastName: "新",
        firstName: "人",
        companyName: "",
        role: "user",
        spaceLicense: 1,
        storageLimit: 1,
        language: "ja",
        timeZone: "Asia/Tokyo",
        approved: true,
        invite: true,
      },
    });
    const token = /token=([A-Za-z0-9_-]{43})/.exec(testApp.mails.at(-1)?.text ?? "")?.[1] ?? "";
    expect(token).not.toBe("");
    await services.invitations.acceptInvitation({ token, password: "brand new password" } as never);
    const session = await services.sessions.logIn({
      email: "new@demo.example",
      password: "brand new password",
      userAgent: "",
      network: "2",
    });
    const [event] = await testApp.db.select().from(events);
    const text = JSON.stringify(await testApp.db.select().from(audit));
    const secrets = [
      token,
      session.ticket,
      "brand new password",
      PASSWORD,
      HASH_PREFIX,
      event?.accessToken,
      event?.previewAccessToken,
    ];
    for (const secret of secrets) expect(text).not.toContain(secret ?? "?");
    expect(text).toContain(user.id);
    for (const mail of testApp.mails)
      for (const [, token] of mail.text.matchAll(/token=([\w-]{43})/g)) expect(text).not.toContain(token);
  });
});
