import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";
import { PASSKEY_ID_MAX } from "~/domain/shared/limits";
import type { Scope } from "~/domain/webhooks/scopes";
import { type ApiUser, apiUser } from "../../../tests/support/api/api-user";
import { callApi } from "../../../tests/support/api/test-api";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;
let other: TestUser;
let call: ApiUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
  other = await testApp.addUser({ email: "other@demo.example" });
  call = await apiUser(testApp, owner);
});

it("a call changes only the fields that it contains, and overwrites no later change", async () => {
  const { json: account, headers } = await call("GET", "/v1/account.json/");
  expect(account).toMatchObject({
    email: "owner@demo.example",
    pending_email: null,
    deletion_requested_at: null,
  });
  expect(headers.get("etag")).toMatch(/^"1-/);
  const changed = { first_name: "太郎", language: "en", time_zone: "Europe/Paris" };
  expect(await call("PUT", "/v1/account", { ...changed, version: 1 })).toMatchObject({
    status: 200,
    json: { ...changed, last_name: account.last_name, version: 2 },
  });
  expect(await call("PUT", "/v1/account", { first_name: "次郎", version: 1 })).toMatchObject({
    status: 409,
    json: { code: "stale_version", saved: { first_name: "太郎" } },
  });
  for (const [field, value] of [
    ["time_zone", "Mars/Olympus"],
    ["language", "fr"],
    ["first_name", "x".repeat(1000)],
    ["first_name", { a: 1 }],
  ] as const)
    expect(await call("PUT", "/v1/account", { [field]: value }), field).toMatchObject({
      status: 400,
      json: { errors: [{ field }] },
    });
  expect(await call("PUT", "/v1/account", { first_name: "", last_name: "" })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "last_name" }] },
  });
});

it("changing the password requires the current one, and ends all other sessions", async () => {
  const otherSession = await apiUser(testApp, owner);
  const put = (body: object) => call("PUT", "/v1/account/password", body);
  const password = "another good password";
  expect(await put({ current_password: "wrong", password })).toMatchObject({
    status: 400,
    json: { code: "wrong_password", errors: [{ field: "current_password" }] },
  });
  expect(await put({ current_password: PASSWORD, password: PASSWORD })).toMatchObject({
    json: { code: "same_password" },
  });
  expect(await put({ current_password: PASSWORD, password: "short" })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "password" }] },
  });
  const changed = await put({ current_password: PASSWORD, password });
  expect(changed).toMatchObject({ status: 200, json: { status: "success" } });
  expect(changed.headers.get("set-cookie")).toBeNull();
  expect((await otherSession("GET", "/v1/account")).status).toBe(401);
  // The session continues with a new ticket, and the old ticket is invalid.
  expect((await call("GET", "/v1/account")).status).toBe(401);
  const renewed = await apiUser(testApp, owner, changed.json.ticket);
  expect((await renewed("GET", "/v1/account")).status).toBe(200);
});

it("a password change by cookie sets the cookie of the new ticket", async () => {
  const login = { email: owner.user.email, password: PASSWORD, userAgent: "test", network: "1" };
  const { ticket } = await testApp.services.sessions.logIn(login);
  const response = await callApi(
    testApp,
    new Request("https://hiroba.test/api/v1/account/password", {
      method: "PUT",
      headers: { cookie: `__Host-session-ticket=${ticket}`, "content-type": "application/json" },
      body: JSON.stringify({ current_password: PASSWORD, password: "another good password" }),
    }),
  );
  const { ticket: newTicket } = (await response.json()) as { ticket: string };
  expect(newTicket).not.toBe(ticket);
  expect(response.headers.getSetCookie().join()).toContain(`__Host-session-ticket=${newTicket};`);
});

it("a requested email address does not replace the current one, its link can be sent again, and it can be cancelled", async () => {
  const requestChange = (email: string) =>
    call("POST", "/v1/account/email", { email, current_password: PASSWORD });
  expect((await call("POST", "/v1/account/email/resend")).status).toBe(404);
  expect(await requestChange("OWNER@demo.example")).toMatchObject({
    status: 400,
    json: { code: "same_email" },
  });
  expect(await requestChange("nobody")).toMatchObject({
    status: 400,
    json: { errors: [{ field: "email" }] },
  });
  const pendingEmail = { email: "owner@demo.example", pending_email: { email: "new@demo.example" } };
  expect(await requestChange("new@demo.example")).toMatchObject({ status: 200, json: pendingEmail });
  testApp.time.now += 1000;
  expect(await call("POST", "/v1/account/email/resend")).toMatchObject({ status: 200, json: pendingEmail });
  await Promise.all(testApp.deferred);
  expect(testApp.mails.map(({ to }) => to)).toEqual(["new@demo.example", "new@demo.example"]);
  expect(await call("DELETE", "/v1/account/email")).toMatchObject({ json: { pending_email: null } });
});

it("a user lists and ends only their own sessions", async () => {
  const otherSession = await apiUser(testApp, owner);
  const stranger = await apiUser(testApp, other);
  const { json: sessions } = await call("GET", "/v1/account/sessions");
  expect(sessions.map(({ current }: { readonly current: boolean }) => current)).toEqual([true, false]);
  const sessionPath = `/v1/account/sessions/${sessions[1].handle}`;
  expect((await stranger("DELETE", sessionPath)).status).toBe(404);
  expect((await call("DELETE", sessionPath)).status).toBe(200);
  expect((await otherSession("GET", "/v1/account")).status).toBe(401);
  expect((await call("DELETE", sessionPath)).status).toBe(404);
  expect((await call("DELETE", "/v1/account/sessions/zzz")).status).toBe(404);
  const thirdSession = await apiUser(testApp, owner);
  expect((await call("DELETE", "/v1/account/sessions")).status).toBe(200);
  expect((await thirdSession("GET", "/v1/account")).status).toBe(401);
});

it("a user lists, renames and removes only their own passkeys", async () => {
  const createdAt = testApp.currentInstant();
  const key = { id: "a2V5", userId: owner.user.id, publicKey: "eA", counter: 0, transports: ["usb"] };
  const entry = { id: "e", at: createdAt, actorId: owner.user.id, action: "passkey_added" } as const;
  const subject = { resourceType: "user", resourceId: owner.user.id, detail: {}, subjectId: null } as const;
  await testApp.data.passkeys.add({ ...key, name: "机", createdAt }, 20, { ...entry, ...subject });
  const path = "/v1/account/passkeys/a2V5";
  expect((await call("GET", "/v1/account/passkeys")).json).toEqual([
    { id: "a2V5", name: "机", transports: ["usb"], created_at: createdAt, last_used_at: null },
  ]);
  const stranger = await apiUser(testApp, other);
  expect((await stranger("GET", "/v1/account/passkeys")).json).toEqual([]);
  expect((await stranger("PUT", path, { name: "x" })).status).toBe(404);
  expect((await stranger("DELETE", path)).status).toBe(404);
  expect(await call("PUT", path, { name: "" })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "name" }] },
  });
  expect((await call("PUT", path, { name: "鍵" })).status).toBe(200);
  testApp.time.now += 3_600_000;
  expect(await call("DELETE", path)).toMatchObject({ status: 400, json: { code: "password_required" } });
  call = await apiUser(testApp, owner);
  expect((await call("DELETE", path)).status).toBe(200);
  expect((await call("GET", "/v1/account/passkeys")).json).toEqual([]);
});

it("the pages of passkeys are linked, also behind an id of the maximum length", async () => {
  const createdAt = testApp.currentInstant();
  const subject = { resourceType: "user", resourceId: owner.user.id, detail: {}, subjectId: null } as const;
  for (const id of ["a", "b"]) {
    const key = { id: id.repeat(PASSKEY_ID_MAX), userId: owner.user.id, publicKey: id, counter: 0 };
    const entry = { id, at: createdAt, actorId: owner.user.id, action: "passkey_added" } as const;
    const passkey = { ...key, transports: ["usb"], name: "机", createdAt };
    await testApp.data.passkeys.add(passkey, 20, { ...entry, ...subject });
  }
  const first = await call("GET", "/v1/account/passkeys?limit=1");
  const next = /<\/api([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
  const second = await call("GET", next);
  expect([second.status, second.json.length]).toEqual([200, 1]);
  expect(second.json[0].id).not.toBe(first.json[0].id);
});

it("a deletion is requested with the password, and can be withdrawn", async () => {
  const requestDeletion = (current_password: string) =>
    call("POST", "/v1/account/deletion_request", { current_password });
  expect(await requestDeletion("wrong")).toMatchObject({ status: 400, json: { code: "wrong_password" } });
  expect((await requestDeletion(PASSWORD)).json.deletion_requested_at).toBe(testApp.currentInstant());
  expect((await call("DELETE", "/v1/account/deletion_request")).json.deletion_requested_at).toBeNull();
});

const tokenOf = (mail: { readonly text: string } | undefined) => /token=([\w-]+)/.exec(mail?.text ?? "")?.[1];

it("the links of mails for a new address and for an invitation work once", async () => {
  await call("POST", "/v1/account/email", { email: "new@demo.example", current_password: PASSWORD });
  await Promise.all(testApp.deferred);
  const token = tokenOf(testApp.mails.at(-1));
  const stranger = await apiUser(testApp, other);
  const confirmPath = "/v1/account/email/confirm";
  expect((await stranger("POST", confirmPath, { token })).status).toBe(404);
  expect(await call("POST", confirmPath, {})).toMatchObject({
    status: 400,
    json: { errors: [{ field: "token" }] },
  });
  expect(await call("POST", confirmPath, { token })).toMatchObject({
    status: 200,
    json: { email: "new@demo.example" },
  });
  expect(await call("POST", confirmPath, { token })).toMatchObject({
    status: 410,
    json: { code: "link_used" },
  });

  const invited = await testApp.addUser({ status: "EMAIL_UNVERIFIED", password: null });
  await testApp.services.invitations.inviteUser({ actor: testApp.admin, userId: invited.user.id });
  const accept = (body: object) => call("POST", "/v1/invitations/accept", body);
  const invitation = tokenOf(testApp.mails.at(-1));
  expect(await accept({ token: invitation, password: "x" })).toMatchObject({
    status: 400,
    json: { errors: [{ field: "password" }] },
  });
  expect(await accept({ token: "unknown", password: PASSWORD })).toMatchObject({
    json: { code: "link_unknown" },
  });
  expect((await accept({ token: invitation, password: PASSWORD })).json).toEqual({ status: "ACTIVATED" });
  expect((await accept({ token: invitation, password: PASSWORD })).json.code).toBe("link_used");
  const account = await (await apiUser(testApp, invited))("GET", "/v1/account");
  expect(account.json.uuid).toBe(invited.user.id);
});

it("a token with the scope `account` changes the profile, but is rejected by calls that require a session", async () => {
  const { actor, user } = owner;
  const callerWithScopes = async (scopes: readonly Scope[]) => {
    const expiresAt = new Date(testApp.time.now + 86_400_000).toISOString();
    const tokenInput = {
      actor,
      user,
      authenticatedAt: testApp.currentInstant(),
      currentPassword: "",
      id: randomUUID(),
      name: "道具",
      scopes,
    };
    const { token } = await testApp.services.tokens.createToken({ ...tokenInput, expiresAt });
    return apiUser(testApp, owner, token);
  };
  const account = await callerWithScopes(["account"]);
  expect(await account("PUT", "/v1/account", { first_name: "次郎" })).toMatchObject({
    status: 200,
    json: { first_name: "次郎", pending_email: null },
  });
  for (const [method, path, body] of [
    ["PUT", "/v1/account/password", { current_password: PASSWORD, password: "another good password" }],
    ["POST", "/v1/account/email", { email: "new@demo.example", current_password: PASSWORD }],
    ["POST", "/v1/account/email/resend"],
    ["DELETE", "/v1/account/email"],
    ["GET", "/v1/account/sessions"],
    ["DELETE", "/v1/account/sessions"],
    ["GET", "/v1/account/passkeys"],
    ["PUT", "/v1/account/passkeys/a", { name: "x" }],
    ["DELETE", "/v1/account/passkeys/a"],
    ["POST", "/v1/account/deletion_request", { current_password: PASSWORD }],
    ["DELETE", "/v1/account/deletion_request"],
  ] as const)
    expect(await account(method, path, body), `${method} ${path}`).toMatchObject({
      status: 403,
      json: { code: "session_required" },
    });
  expect(
    (await (await callerWithScopes(["library"]))("PUT", "/v1/account", { first_name: "x" })).json.code,
  ).toBe("insufficient_scope");
});
