import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Actor } from "~/domain/auth/actor";
import type { UserStatus } from "~/domain/shared/model";
import { PERMISSIONS } from "~/domain/shared/permissions";
import type { BulkChange, UserValue } from "~/domain/users/user.schema";
import { administratorMoves, USER_STATUSES } from "~/domain/users/user-status";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { audit, sessions, users } from "../../data/schema";

const testApp = useTestApp();
let admin: TestUser;
let owner: TestUser;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  owner = await testApp.addUser({ email: "owner@demo.example" });
  await testApp.db.delete(audit);
});

const logIn = (email: string) =>
  testApp.services.sessions.logIn({ email, password: PASSWORD, userAgent: "", network: "1" });
const change = (author: Actor, change: BulkChange, ...people: TestUser[]) =>
  testApp.services.users.changeUsers({ actor: author, userIds: people.map(({ user }) => user.id), change });
const listRejections = async (work: ReturnType<typeof change>) =>
  (await work).map(({ rejection }) => rejection?.key.replace("users:refused.", "") ?? "done");
const readUser = (person: TestUser) =>
  testApp.services.users.getUser({ actor: testApp.admin, userId: person.user.id });
const readAuditEntries = async () =>
  (await testApp.db.select().from(audit)).map(({ action, resourceId, detail }) => ({
    action,
    resourceId,
    detail,
  }));

/** The initial form of an account, with some changed fields. */
const form = async (person: TestUser, changes: Partial<UserValue> = {}): Promise<UserValue> => {
  const { email, lastName, firstName, companyName, role, status, ...rest } = await readUser(person);
  const { spaceLicense, storageLimit, language, timeZone, version } = rest;
  return {
    email,
    lastName,
    firstName,
    companyName,
    role,
    status,
    spaceLicense,
    storageLimit,
    language,
    timeZone,
    version,
    ...changes,
  };
};
const save = async (person: TestUser, changes: Partial<UserValue>, author: Actor = admin.actor) =>
  testApp.services.users.updateUser({
    actor: author,
    userId: person.user.id,
    values: await form(person, changes),
  });

describe("an administrator's form", () => {
  it("saves several fields at once and records the changes, without the values of names", async () => {
    const result = await save(owner, {
      lastName: "佐藤",
      email: "sato@demo.example",
      status: "BLOCKED",
      spaceLicense: 3,
      storageLimit: 5,
    });
    expect(result).toMatchObject({
      status: "updated",
      user: { lastName: "佐藤", status: "BLOCKED", version: 2 },
    });
    expect(await readAuditEntries()).toEqual([
      { action: "user_updated", resourceId: owner.user.id, detail: { fields: ["lastName"] } },
      {
        action: "user_email_changed",
        resourceId: owner.user.id,
        detail: { from: "owner@demo.example", to: "sato@demo.example" },
      },
      {
        action: "user_status_changed",
        resourceId: owner.user.id,
        detail: { from: "ACTIVATED", to: "BLOCKED" },
      },
      {
        action: "user_limits_changed",
        resourceId: owner.user.id,
        detail: { spaceLicense: { from: 10, to: 3 }, storageLimit: { from: 1_000_000, to: 5 } },
      },
    ]);
    const page = await testApp.services.users.listUsers({ actor: admin.actor, query: { q: "佐藤" } });
    expect(page.items).toHaveLength(1);
  });

  it("writes nothing if nothing changes, and does not overwrite a save that was made meanwhile", async () => {
    expect((await save(owner, {})).status).toBe("unchanged");
    const outdatedForm = await form(owner, { companyName: "遅い会社" });
    await save(owner, { companyName: "速い会社" });
    const conflictResult = await testApp.services.users.updateUser({
      actor: admin.actor,
      userId: owner.user.id,
      values: outdatedForm,
    });
    expect(conflictResult).toMatchObject({ status: "conflict", saved: { companyName: "速い会社" } });
    expect((await readUser(owner)).companyName).toBe("速い会社");
    expect(await readAuditEntries()).toHaveLength(1);
  });

  it("accepts one of two simultaneous saves", async () => {
    const values = await Promise.all(["一", "二"].map((companyName) => form(owner, { companyName })));
    const results = await Promise.all(
      values.map((row) =>
        testApp.services.users.updateUser({ actor: admin.actor, userId: owner.user.id, values: row }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(["conflict", "updated"]);
    expect(await readAuditEntries()).toHaveLength(1);
  });

  it("does not change the administrator's own address, which has to be confirmed", async () => {
    expect(await catchErrorCode(save(admin, { email: "elsewhere@demo.example" }))).toBe("own_account");
    expect((await readUser(admin)).email).toBe("admin@demo.example");
    expect(await catchErrorCode(save(admin, { firstName: "次郎" }))).toBeNull();
  });

  it("notifies a verified old address of the new one, and closes a pending change", async () => {
    const pending = () => testApp.services.account.pendingEmail({ actor: owner.actor });
    const guest = await testApp.addUser({ email: "guest@demo.example", status: "EMAIL_UNVERIFIED" });
    await testApp.services.account.requestEmailChange({
      actor: owner.actor,
      email: "third@demo.example",
      currentPassword: PASSWORD,
    });
    await Promise.all(testApp.deferred.splice(0));
    testApp.mails.length = 0;
    testApp.time.now += 1000;
    await save(owner, { firstName: "次郎" });
    expect((await pending())?.email).toBe("third@demo.example");

    await save(owner, { email: "second@demo.example" });
    await save(guest, { email: "guest2@demo.example" });
    await Promise.all(testApp.deferred);
    expect(await pending()).toBeNull();
    // Administrators receive a mail about each of the two changes.
    expect(testApp.mails.map(({ to }) => to)).toEqual([
      "owner@demo.example",
      "admin@demo.example",
      "admin@demo.example",
    ]);
    expect(testApp.mails[0]?.text).toContain("second@demo.example");
  });

  it("rejects an address that another account has", async () => {
    expect(await catchErrorCode(save(owner, { email: "ADMIN@demo.example" }))).toBe("email_taken");
    expect(await readAuditEntries()).toEqual([]);
  });

  it("does not exist for other users, and does not change accounts in the trash", async () => {
    expect(await catchErrorCode(save(owner, { companyName: "x" }, owner.actor))).toBe("not_found");
    const values = await form(owner, { companyName: "x" });
    await change(admin.actor, { kind: "delete" }, owner);
    expect(
      await testApp.services.users.updateUser({ actor: admin.actor, userId: owner.user.id, values }),
    ).toMatchObject({ status: "trashed", saved: { companyName: "広場" }, submitted: { companyName: "x" } });
    expect((await readUser(owner)).companyName).toBe("広場");
  });

  it("changes a status only as administratorMoves permits", async () => {
    for (const password of [PASSWORD, null])
      for (const from of USER_STATUSES)
        for (const to of USER_STATUSES.filter((status) => status !== from)) {
          const person = await testApp.addUser({ status: from, password });
          const code = await catchErrorCode(save(person, { status: to }));
          const allowed = administratorMoves(from, password !== null).includes(to);
          expect(`${from} > ${to}: ${code}`).toBe(`${from} > ${to}: ${allowed ? null : "status_move"}`);
        }
  });
});

describe("several accounts at once", () => {
  it("are changed separately, with a result for each", async () => {
    const people = await Promise.all(USER_STATUSES.map((status) => testApp.addUser({ status })));
    const unknownUser = { ...owner, user: { ...owner.user, id: randomUUID() } };
    const expectedResults = USER_STATUSES.map((from: UserStatus) =>
      from === "ACTIVATED"
        ? "sameStatus"
        : administratorMoves(from, true).includes("ACTIVATED")
          ? "done"
          : from === "EMAIL_UNVERIFIED"
            ? "unverified"
            : "move",
    );
    expect(
      await listRejections(
        change(admin.actor, { kind: "status", status: "ACTIVATED" }, ...people, unknownUser),
      ),
    ).toEqual([...expectedResults, "gone"]);
    const moves = (await readAuditEntries()).filter(({ action }) => action === "user_status_changed");
    expect(moves).toHaveLength(expectedResults.filter((candidate) => candidate === "done").length);
  });

  it("receive a licence and a limit", async () => {
    expect(
      await listRejections(change(admin.actor, { kind: "spaceLicense", spaceLicense: 4 }, admin, owner)),
    ).toEqual(["done", "done"]);
    expect(
      await listRejections(change(admin.actor, { kind: "storageLimit", storageLimit: 9 }, owner)),
    ).toEqual(["done"]);
    expect(
      await listRejections(change(admin.actor, { kind: "storageLimit", storageLimit: 9 }, owner)),
    ).toEqual(["same"]);
    expect(await readUser(owner)).toMatchObject({ spaceLicense: 4, storageLimit: 9 });
  });

  it("lose their sessions at once when they are blocked or deleted; other accounts keep theirs", async () => {
    const other = await testApp.addUser({ email: "other@demo.example" });
    const logIns = await Promise.all([logIn("owner@demo.example"), logIn("other@demo.example")]);
    const areSessionsAlive = () =>
      Promise.all(
        logIns.map(async ({ ticket }) => (await testApp.services.sessions.authenticate({ ticket })) !== null),
      );
    await change(admin.actor, { kind: "spaceLicense", spaceLicense: 4 }, owner);
    expect(await areSessionsAlive()).toEqual([true, true]);
    await change(admin.actor, { kind: "status", status: "BLOCKED" }, owner);
    expect(await areSessionsAlive()).toEqual([false, true]);
    expect(await testApp.db.select().from(sessions)).toHaveLength(1);
    await change(admin.actor, { kind: "delete" }, other);
    expect(await testApp.db.select().from(sessions)).toEqual([]);
    await change(admin.actor, { kind: "status", status: "ACTIVATED" }, owner);
    expect(await areSessionsAlive()).toEqual([false, false]);
  });

  it("are invited if they have not accepted an invitation yet", async () => {
    const guest = await testApp.addUser({ email: "guest@demo.example", status: "EMAIL_UNVERIFIED" });
    const [invited, notInvited] = await change(admin.actor, { kind: "invite" }, guest, owner);
    expect([invited?.rejection, notInvited?.rejection?.key]).toEqual([null, "api:services.notInvited"]);
    expect(testApp.mails.map(({ to }) => to)).toEqual(["guest@demo.example"]);
  });

  it("are invited a few at a time, and an error for one does not affect the others", async () => {
    const guests = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        testApp.addUser({ email: `guest${i}@demo.example`, status: "EMAIL_UNVERIFIED" }),
      ),
    );
    const find = testApp.data.users.find;
    let openReads = 0;
    let maxOpenReads = 0;
    const spy = vi.spyOn(testApp.data.users, "find").mockImplementation(async (id) => {
      openReads++;
      maxOpenReads = Math.max(maxOpenReads, openReads);
      try {
        if (id === guests[2]?.user.id) throw new Error("fault");
        return await find(id);
      } finally {
        openReads--;
      }
    });
    const results = await listRejections(change(admin.actor, { kind: "invite" }, ...guests));
    spy.mockRestore();
    expect(results).toEqual(guests.map((_, i) => (i === 2 ? "unexpected" : "done")));
    expect(testApp.mails).toHaveLength(11);
    expect(maxOpenReads).toBeGreaterThan(1);
    expect(maxOpenReads).toBeLessThanOrEqual(5);
    // Unexpected errors are logged by the handler of deferred work.
    await expect(testApp.deferred[0]).rejects.toThrow("fault");
  });

  it("are changed by administrators only", async () => {
    expect(await catchErrorCode(change(owner.actor, { kind: "status", status: "BLOCKED" }, admin))).toBe(
      "not_found",
    );
  });
});

describe("an invitation that was never accepted", () => {
  const move = (person: TestUser, status: UserStatus) =>
    listRejections(change(admin.actor, { kind: "status", status }, person));

  it("leaves an account that cannot be activated, and that can be invited again after a return to EMAIL_UNVERIFIED", async () => {
    for (const status of ["DISAPPROVED", "BLOCKED"] as const) {
      const guest = await testApp.addUser({ status, password: null, email: `${status}@demo.example` });
      expect(await move(guest, "ACTIVATED")).toEqual(["neverAccepted"]);
      expect(await catchErrorCode(save(guest, { status: "ACTIVATED" }))).toBe("status_move");
      expect(await listRejections(change(admin.actor, { kind: "invite" }, guest))).toEqual([
        "api:services.notInvited",
      ]);
      expect(await move(guest, "EMAIL_UNVERIFIED")).toEqual(["done"]);
      expect(await listRejections(change(admin.actor, { kind: "invite" }, guest))).toEqual(["done"]);
    }
    const userWithPassword = await testApp.addUser({ status: "DISAPPROVED" });
    expect(await move(userWithPassword, "EMAIL_UNVERIFIED")).toEqual(["move"]);
    expect(await move(userWithPassword, "ACTIVATED")).toEqual(["done"]);
  });

  it("leaves the account unchanged if the statement that activates it requires a password", async () => {
    const guest = await testApp.addUser({ status: "DISAPPROVED", password: null });
    const [result] = (await testApp.data.users.change(
      [{ id: guest.user.id, changes: { status: "ACTIVATED" }, guard: { hasPassword: true }, audit: [] }],
      testApp.currentInstant(),
    )) as readonly { isChanged: boolean }[];
    expect(result?.isChanged).toBe(false);
  });

  it("leaves an administrator who does not count as able to log in", async () => {
    const ghost = await testApp.addUser({ role: "admin", password: null, email: "ghost@demo.example" });
    for (const action of [{ kind: "delete" }, { kind: "status", status: "BLOCKED" }] as const)
      expect(await listRejections(change(ghost.actor, action, admin))).toEqual(["lastAdministrator"]);
    expect(await catchErrorCode(save(admin, { role: "user" }, ghost.actor))).toBe("last_administrator");
    expect((await testApp.data.account.listAdministrators(5)).map(({ email }) => email)).toEqual([
      "admin@demo.example",
    ]);
    expect(await move(ghost, "BLOCKED")).toEqual(["done"]);
  });
});

// The rejection is "self" although the account is another one: the real table refuses changes by administrators only on their own account.
describe("an action that the table of permissions forbids", () => {
  it.each(["update", "changeLimits"] as const)("is rejected even for administrators: %s", async (action) => {
    const rules = PERMISSIONS.user as Record<string, string>;
    const rule = rules[action] ?? "";
    rules[action] = "nobody";
    try {
      const changes = action === "update" ? { firstName: "次郎" } : { spaceLicense: 3 };
      expect(await catchErrorCode(save(owner, changes))).toBe(
        action === "update" ? "not_found" : "forbidden",
      );
      const kind = { kind: "spaceLicense", spaceLicense: 3 } as const;
      // Limits need the permission `changeLimits`, not `update`.
      expect(await listRejections(change(admin.actor, kind, owner))).toEqual([
        action === "update" ? "done" : "self",
      ]);
    } finally {
      rules[action] = rule;
    }
  });

  it("is rejected even for administrators: restore", async () => {
    const rules = PERMISSIONS.user as Record<string, string>;
    const rule = rules.restore ?? "";
    await change(admin.actor, { kind: "delete" }, owner);
    rules.restore = "nobody";
    try {
      expect(await listRejections(change(admin.actor, { kind: "restore" }, owner))).toEqual(["self"]);
    } finally {
      rules.restore = rule;
    }
  });
});

describe("the last administrator", () => {
  it("cannot be blocked, demoted or deleted, and administrators cannot block, demote or delete themselves", async () => {
    const other = await testApp.addUser({ role: "admin", email: "other@demo.example" });
    const block = { kind: "status", status: "BLOCKED" } as const;
    for (const action of [block, { kind: "delete" } as const])
      expect(await listRejections(change(admin.actor, action, admin))).toEqual(["self"]);
    expect(await catchErrorCode(save(admin, { role: "user" }))).toBe("own_account");
    expect(await catchErrorCode(save(admin, { status: "BLOCKED" }))).toBe("own_account");

    expect(await listRejections(change(admin.actor, block, other))).toEqual(["done"]);
    for (const action of [block, { kind: "delete" } as const])
      expect(await listRejections(change(other.actor, action, admin))).toEqual(["lastAdministrator"]);
    expect(await catchErrorCode(save(admin, { role: "user" }, other.actor))).toBe("last_administrator");
    expect((await readUser(admin)).status).toBe("ACTIVATED");
  });

  it("remains when two block each other at the same time", async () => {
    const other = await testApp.addUser({ role: "admin" });
    const block = { kind: "status", status: "BLOCKED" } as const;
    const results = await Promise.all([
      listRejections(change(admin.actor, block, other)),
      listRejections(change(other.actor, block, admin)),
    ]);
    expect(results.flat().sort()).toEqual(["done", "lastAdministrator"]);
  });

  it("is not the reason when another change came first", async () => {
    const other = await testApp.addUser({ role: "admin" });
    const { status } = await save(other, { firstName: "次郎" });
    expect(status).toBe("updated");
    const deletion = {
      actor: admin.actor,
      userIds: [other.user.id],
      change: { kind: "delete" },
      version: 1,
    } as const;
    expect(await listRejections(testApp.services.users.changeUsers(deletion))).toEqual(["changedMeanwhile"]);
    const [activation] = (await testApp.data.users.change(
      [{ id: other.user.id, changes: { status: "ACTIVATED" }, guard: { from: ["BLOCKED"] }, audit: [] }],
      testApp.currentInstant(),
    )) as readonly object[];
    expect(activation).toMatchObject({ isChanged: false, isLastAdministrator: false });
  });

  it("remains when all administrators are deleted at once", async () => {
    const others = await Promise.all([1, 2].map(() => testApp.addUser({ role: "admin" })));
    const stranger: Actor = { userId: randomUUID(), role: "admin", groupIds: [] };
    expect((await listRejections(change(stranger, { kind: "delete" }, admin, ...others))).sort()).toEqual([
      "done",
      "done",
      "lastAdministrator",
    ]);
  });
});

describe("an account in the trash", () => {
  it("cannot log in, is listed only in the trash, and can be restored within thirty days", async () => {
    await change(admin.actor, { kind: "delete" }, owner);
    expect(await catchErrorCode(logIn("owner@demo.example"))).toBe("bad_credentials");
    const list = (show: "all" | "trash") =>
      testApp.services.users.listUsers({ actor: admin.actor, query: { show } });
    expect((await list("all")).total.count).toBe(1);
    expect((await list("trash")).items.map(({ email }) => email)).toEqual(["owner@demo.example"]);
    expect(await listRejections(change(admin.actor, { kind: "restore" }, owner, admin))).toEqual([
      "done",
      "notInTrash",
    ]);
    expect(await catchErrorCode(logIn("owner@demo.example"))).toBeNull();

    await change(admin.actor, { kind: "delete" }, owner);
    testApp.time.now += 31 * 86_400_000;
    expect(await listRejections(change(admin.actor, { kind: "restore" }, owner))).toEqual(["tooLate"]);
  });

  it("is not restored over another account with its address, and does not prevent others from being restored", async () => {
    const other = await testApp.addUser({ email: "other@demo.example" });
    await change(admin.actor, { kind: "delete" }, owner, other);
    await testApp.addUser({ email: "owner@demo.example" });
    expect(await listRejections(change(admin.actor, { kind: "restore" }, owner, other))).toEqual([
      "emailTaken",
      "done",
    ]);
  });
});

describe("a request to delete an account", () => {
  it("is listed until an administrator decides", async () => {
    await testApp.db.update(users).set({ deletionRequestedAt: testApp.currentInstant() });
    const deletionRequests = async () =>
      (await testApp.services.users.listUsers({ actor: admin.actor, query: { show: "asked" } })).total.count;
    expect(await deletionRequests()).toBe(2);
    expect(await listRejections(change(admin.actor, { kind: "keep" }, admin))).toEqual(["done"]);
    expect(await listRejections(change(admin.actor, { kind: "keep" }, admin))).toEqual(["notAsked"]);
    expect(await listRejections(change(admin.actor, { kind: "delete" }, owner))).toEqual(["done"]);
    expect(await deletionRequests()).toBe(0);
  });
});

describe("a new account", () => {
  const values = {
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
  } as const;

  it("is invited by mail and has no password yet", async () => {
    const { user, isInvited } = await testApp.services.users.addUser({ actor: admin.actor, values });
    expect([user.status, isInvited]).toEqual(["EMAIL_UNVERIFIED", true]);
    expect(testApp.mails).toHaveLength(1);
    expect(await catchErrorCode(logIn("new@demo.example"))).toBe("bad_credentials");
  });

  it("exists although its invitation could not be sent, cannot be added twice, and cannot be added by owners", async () => {
    testApp.mailTransport.isFailing = true;
    const { user, invitationFailure } = await testApp.services.users.addUser({ actor: admin.actor, values });
    expect(invitationFailure?.key).toBe("auth:services.mailNotSent");
    expect((await testApp.services.users.getUser({ actor: admin.actor, userId: user.id })).email).toBe(
      values.email,
    );
    expect(await catchErrorCode(testApp.services.users.addUser({ actor: admin.actor, values }))).toBe(
      "email_taken",
    );
    expect(await catchErrorCode(testApp.services.users.addUser({ actor: owner.actor, values }))).toBe(
      "forbidden",
    );
  });
});
