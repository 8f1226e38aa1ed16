/** Tests attacks on accounts with a stolen API token and with an unattended session (decision 042: only a session with a recent reauthentication may change administrators and addresses). */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { audit } from "#functions/data/schema";
import type { Scope } from "~/domain/webhooks/scopes";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let admin: TestUser;
let secondAdmin: TestUser;
let owner: TestUser;
/** Calls with an API token of the administrator with every scope. */
let byToken: ApiUser;
let tokenId: string;
/** Calls in a session of the administrator. */
let inSession: ApiUser;

const MINUTE_MS = 60_000;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  secondAdmin = await testApp.addUser({ email: "second@demo.example", role: "admin", language: "en" });
  owner = await testApp.addUser({ email: "owner@demo.example" });
  const { token, record } = await testApp.services.tokens.createToken({
    ...admin,
    authenticatedAt: testApp.currentInstant(),
    id: randomUUID(),
    name: "backup",
    scopes: ["read", "events", "library", "account", "people"] satisfies Scope[],
    expiresAt: new Date(testApp.time.now + 30 * 86_400_000).toISOString(),
    currentPassword: PASSWORD,
  });
  tokenId = record.id;
  byToken = await apiUser(testApp, admin, token);
  inSession = await apiUser(testApp, admin);
  await awaitDeferred();
  testApp.mails.length = 0;
});

const awaitDeferred = () => Promise.all(testApp.deferred.splice(0));
const roleOf = async (email: string) => (await testApp.data.users.findByEmail([email]))[0]?.role ?? null;
const readAuditEntries = async (action: string) =>
  (await testApp.db.select().from(audit)).filter((entry) => entry.action === action);
const newcomer = (role: string) => ({ email: "new@demo.example", last_name: "蓬莱", role });
const csv = (...lines: string[]) => ["email,last_name,role", ...lines].join("\n");

/** An administrator who was invited and has not accepted yet. */
const invitedAdministrator = () =>
  testApp.addUser({ email: `${randomUUID()}@pending.example`, role: "admin", status: "EMAIL_UNVERIFIED" });

/** Ways to create or remove an administrator, or to take over an account. */
const ATTACKS: Readonly<Record<string, (call: ApiUser) => Promise<Awaited<ReturnType<ApiUser>>>>> = {
  "creating an administrator": (call) => call("POST", "/v1/users", newcomer("admin")),
  "creating an administrator without an invitation": (call) =>
    call("POST", "/v1/users", { ...newcomer("admin"), invite: false }),
  "changing the role of another person": (call) =>
    call("PUT", `/v1/users/${owner.user.id}`, { role: "admin" }),
  "changing the role of another administrator": (call) =>
    call("PUT", `/v1/users/${secondAdmin.user.id}`, { role: "user" }),
  "changing the address of another person": (call) =>
    call("PUT", `/v1/users/${owner.user.id}`, { email: "thief@demo.example" }),
  "changing the address of another administrator": (call) =>
    call("PUT", `/v1/users/${secondAdmin.user.id}`, { email: "thief@demo.example" }),
  "inviting an administrator": async (call) => {
    const { user } = await invitedAdministrator();
    return call("POST", `/v1/users/${user.id}/invite`);
  },
  "importing administrators from a file that was checked in a session": async (call) => {
    const file = csv("owner@demo.example,山田,admin", "new@demo.example,蓬莱,admin");
    const { json } = await inSession("POST", "/v1/users/imports", file, "text/csv");
    return call("POST", `/v1/users/imports/${json.uuid}/apply`);
  },
  "unblocking an administrator": async (call) => {
    const { user } = await testApp.addUser({ role: "admin", status: "BLOCKED" });
    return call("PUT", `/v1/users/${user.id}`, { status: "ACTIVATED" });
  },
  "restoring an administrator from the trash": async (call) => {
    const { user } = await testApp.addUser({ role: "admin" });
    const change = { kind: "delete" } as const;
    await testApp.services.users.changeUsers({ actor: admin.actor, userIds: [user.id], change });
    return call("POST", `/v1/users/${user.id}/restore`);
  },
};

describe.each(Object.entries(ATTACKS))("%s", (_name, attack) => {
  it("is not allowed for an API token, even with every scope", async () => {
    expect(await attack(byToken)).toMatchObject({ status: 403, json: { code: "token_not_allowed" } });
    await awaitDeferred();
    expect(testApp.mails).toEqual([]);
    expect([await roleOf("owner@demo.example"), await roleOf("second@demo.example")]).toEqual([
      "user",
      "admin",
    ]);
    expect(await roleOf("new@demo.example")).toBeNull();
    expect(await roleOf("thief@demo.example")).toBeNull();
  });

  it("requires reauthentication within the last ten minutes in a session, and all administrators are notified", async () => {
    testApp.time.now += 11 * MINUTE_MS;
    const rejected = await attack(inSession);
    expect(rejected).toMatchObject({ status: 403, json: { code: "reauthentication_required" } });
    await awaitDeferred();
    expect(testApp.mails).toEqual([]);
    expect(await roleOf("new@demo.example")).toBeNull();
    const credentials = { current_password: PASSWORD };
    expect((await inSession("POST", "/v1/account/reauthentication", credentials)).status).toBe(200);
    expect((await attack(inSession)).status).toBeLessThan(300);
    await awaitDeferred();
    const recipients = testApp.mails.filter(({ text }) => /\/audit\?/.test(text)).map(({ to }) => to);
    const administrators = await testApp.data.account.listAdministrators(10);
    expect(recipients.sort()).toEqual(administrators.map(({ email }) => email).sort());
  });
});

it("reauthentication lasts ten minutes, and needs the right password in the session itself", async () => {
  testApp.time.now += 11 * MINUTE_MS;
  const reauthenticate = (call: ApiUser, current_password: string) =>
    call("POST", "/v1/account/reauthentication", { current_password });
  expect(await reauthenticate(byToken, PASSWORD)).toMatchObject({ json: { code: "session_required" } });
  expect(await reauthenticate(inSession, "wrong")).toMatchObject({
    status: 400,
    json: { code: "wrong_password", errors: [{ field: "current_password" }] },
  });
  const createAdministrator = () =>
    inSession("POST", "/v1/users", { ...newcomer("admin"), email: `${randomUUID()}@a.example` });
  expect((await createAdministrator()).json.code).toBe("reauthentication_required");
  // The reauthentication of another session does not count.
  const otherSession = await apiUser(testApp, admin);
  expect((await reauthenticate(otherSession, PASSWORD)).status).toBe(200);
  expect((await createAdministrator()).json.code).toBe("reauthentication_required");
  expect((await reauthenticate(inSession, PASSWORD)).status).toBe(200);
  testApp.time.now += 9 * MINUTE_MS;
  expect((await createAdministrator()).status).toBe(200);
  testApp.time.now += 2 * MINUTE_MS;
  expect((await createAdministrator()).json.code).toBe("reauthentication_required");
});

it("changes that do not affect roles and addresses are permitted to tokens and old sessions", async () => {
  testApp.time.now += 60 * MINUTE_MS;
  for (const call of [byToken, inSession]) {
    const email = `${randomUUID()}@demo.example`;
    const created = await call("POST", "/v1/users", { ...newcomer("user"), email });
    expect(created.status).toBe(200);
    const path = `/v1/users/${created.json.user.uuid}`;
    expect((await call("PUT", path, { first_name: "次郎", role: "user" })).status).toBe(200);
    expect((await call("POST", `${path}/invite`)).status).toBe(200);
    expect((await call("DELETE", path)).status).toBe(200);
    expect((await call("POST", `${path}/restore`)).status).toBe(200);
  }
  await awaitDeferred();
  expect(testApp.mails.every(({ text }) => !/\/audit\?/.test(text))).toBe(true);
});

it("an import by a token reports the lines that need a session, and writes the others", async () => {
  const file = csv(
    "owner@demo.example,山本,user",
    "second@demo.example,,user",
    "new@demo.example,蓬莱,admin",
  );
  const { json } = await byToken("POST", "/v1/users/imports", file, "text/csv");
  const problems = json.lines.map(
    (line: { problems: { column: string }[] }) => line.problems[0]?.column ?? null,
  );
  expect(problems).toEqual([null, "role", "role"]);
  expect((await byToken("POST", `/v1/users/imports/${json.uuid}/apply`)).status).toBe(200);
  expect([await roleOf("second@demo.example"), await roleOf("new@demo.example")]).toEqual(["admin", null]);
  expect((await testApp.data.users.find(owner.user.id))?.lastName).toBe("山本");
});

it("a bulk change by a token reports each account that the token may not invite", async () => {
  const pending = await invitedAdministrator();
  const guest = await testApp.addUser({ status: "EMAIL_UNVERIFIED" });
  const user_uuids = [pending.user.id, guest.user.id];
  const { json } = await byToken("POST", "/v1/users/changes", { user_uuids, change: "invite" });
  expect(json.results.map(({ code }: { code: string | null }) => code)).toEqual(["token_not_allowed", null]);
  testApp.time.now += 11 * MINUTE_MS;
  expect(await inSession("POST", "/v1/users/changes", { user_uuids, change: "invite" })).toMatchObject({
    status: 403,
    json: { code: "reauthentication_required" },
  });
});

it("a request for a new password with an administrator's token does not reveal that an address is unknown", async () => {
  await testApp.services.passwords.requestReset({
    actor: { ...admin.actor, scopes: ["read", "people"] },
    email: "nobody@demo.example",
    network: "1",
  });
  await awaitDeferred();
  expect(testApp.mails).toEqual([]);
});

it("the audit log contains the token or session, the old value and the new one, and no secret", async () => {
  const { json: sessions } = await inSession("GET", "/v1/account/sessions");
  const handle = sessions.find(({ current }: { current: boolean }) => current).handle;
  await byToken("PUT", `/v1/users/${owner.user.id}`, { space_license: 7 });
  await inSession("PUT", `/v1/users/${owner.user.id}`, { email: "moved@demo.example", role: "admin" });
  await inSession("POST", "/v1/users", newcomer("admin"));
  expect(await readAuditEntries("user_limits_changed")).toMatchObject([
    { credential: `token:${tokenId}`, detail: { spaceLicense: { from: 10, to: 7 } } },
  ]);
  const credentialEntry = {
    credential: `session:${handle}`,
    network: expect.stringMatching(/^[0-9a-f]{16}$/),
  };
  expect(await readAuditEntries("user_role_changed")).toMatchObject([
    { ...credentialEntry, detail: { from: "user", to: "admin" } },
  ]);
  expect(await readAuditEntries("user_email_changed")).toMatchObject([
    { ...credentialEntry, detail: { from: "owner@demo.example", to: "moved@demo.example" } },
  ]);
  const invited = await readAuditEntries("invitation_link_sent");
  expect(invited).toMatchObject([{ ...credentialEntry, detail: { role: "admin" } }]);
  const auditResponse = await inSession("GET", "/v1/audit?action=user_role_changed");
  expect(auditResponse.json[0]).toMatchObject({
    credential: `session:${handle}`,
    network: invited[0]?.network,
  });
  // A session's handle is not a ticket.
  expect((await (await apiUser(testApp, admin, handle))("GET", "/v1/account")).status).toBe(401);
});

it("the mail to administrators states who did what to whom, in the reader's language", async () => {
  await inSession("PUT", `/v1/users/${owner.user.id}`, { email: "moved@demo.example", role: "admin" });
  await awaitDeferred();
  const mail = testApp.mails.find(({ to }) => to === "second@demo.example");
  expect(mail?.subject).toBe("Administrators or email addresses were changed in Hiroba");
  for (const part of ["admin@demo.example", "moved@demo.example", "owner@demo.example", "administrator"])
    expect(mail?.text).toContain(part);
  expect(testApp.mails.find(({ to }) => to === "admin@demo.example")?.text).toContain("管理者");
});

it("a call with an Idempotency-Key that was rejected for lack of reauthentication is executed when it is repeated after reauthentication", async () => {
  testApp.time.now += 11 * MINUTE_MS;
  const login = { email: admin.user.email, password: PASSWORD, userAgent: "test", network: "1" };
  const { ticket } = await testApp.services.sessions.logIn(login);
  testApp.time.now += 11 * MINUTE_MS;
  const create = () =>
    callApi(
      testApp,
      new Request("https://hiroba.test/api/v1/users", {
        method: "POST",
        headers: {
          authorization: `Bearer ${ticket}`,
          "content-type": "application/json",
          "idempotency-key": "one-administrator",
        },
        body: JSON.stringify(newcomer("admin")),
      }),
    );
  expect((await create()).status).toBe(403);
  const call = await apiUser(testApp, admin, ticket);
  await call("POST", "/v1/account/reauthentication", { current_password: PASSWORD });
  expect([(await create()).status, (await create()).headers.get("idempotency-replayed")]).toEqual([
    200,
    "true",
  ]);
});
