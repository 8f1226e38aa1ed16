import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accessTokens, audit } from "#functions/data/schema";
import { DAY_MS } from "~/domain/shared/day";
import { TOKENS_MAX } from "~/domain/shared/limits";
import type { Scope } from "~/domain/webhooks/scopes";
import { isApiToken } from "~/domain/webhooks/tokens";
import { callApi } from "../../../tests/support/api/test-api";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const createToken = (
  scopes: readonly Scope[] = [],
  fields: Partial<Parameters<typeof testApp.services.tokens.createToken>[0]> = {},
) =>
  testApp.services.tokens.createToken({
    ...owner,
    authenticatedAt: testApp.currentInstant(),
    id: crypto.randomUUID(),
    name: "サイネージ",
    scopes,
    expiresAt: new Date(testApp.time.now + 30 * DAY_MS).toISOString(),
    currentPassword: "",
    ...fields,
  });

const call = (token: string, method: string, path: string, body?: unknown) =>
  callApi(
    testApp,
    new Request(`https://hiroba.test/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );

describe("creating a token", () => {
  it("requires an expiry within a year", async () => {
    for (const [expiresAt, key] of [
      [new Date(testApp.time.now + 367 * DAY_MS).toISOString(), "webhooks:errors.token.dateFar"],
      ["9999-12-31T00:00:00.000Z", "webhooks:errors.token.dateFar"],
      [testApp.currentInstant(), "webhooks:errors.token.datePast"],
      ["never", "webhooks:errors.token.dateInvalid"],
    ] as const)
      await expect(createToken([], { expiresAt }), expiresAt).rejects.toMatchObject({
        fields: { lastDay: [{ key }] },
      });
    await createToken([], { expiresAt: new Date(testApp.time.now + 365 * DAY_MS).toISOString() });
  });

  it("shows it once: only its hash and its first characters are stored, neither log nor mail contains it, and its owner is notified", async () => {
    const { token, record } = await createToken(["events"]);
    expect(isApiToken(token)).toBe(true);
    expect(record.scopes).toEqual(["read", "events"]);
    const rows = await testApp.db.select().from(accessTokens);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "token_created"));
    await Promise.all(testApp.deferred);
    expect(testApp.mails).toMatchObject([{ to: "owner@demo.example" }]);
    expect(testApp.mails[0]?.text).toContain("サイネージ");
    expect(JSON.stringify([rows, entries, testApp.mails])).not.toContain(token.slice(8));
    expect(entries).toHaveLength(1);
    expect(token).toContain(rows[0]?.hint ?? "?");
  });

  it("requires the password when the log-in was not recent", async () => {
    const authenticatedAt = testApp.currentInstant();
    testApp.time.now += 10 * 60_000;
    expect(await catchErrorCode(createToken([], { authenticatedAt }))).toBe("password_required");
    expect(await catchErrorCode(createToken([], { authenticatedAt, currentPassword: "wrong" }))).toBe(
      "wrong_password",
    );
    expect(await catchErrorCode(createToken([], { authenticatedAt, currentPassword: PASSWORD }))).toBeNull();
  });

  it("creates one token for one form, even if the form is sent repeatedly", async () => {
    const id = crypto.randomUUID();
    const codes = await Promise.all([
      catchErrorCode(createToken([], { id })),
      catchErrorCode(createToken([], { id })),
    ]);
    expect(codes.sort()).toEqual(["made_before", null]);
    expect(await testApp.services.tokens.listTokens(owner)).toHaveLength(1);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "token_created"))).toHaveLength(1);
  });

  it("grants no scope that the account does not have", async () => {
    expect(await catchErrorCode(createToken(["people"]))).toBe("invalid");
    const admin = await testApp.addUser({ role: "admin" });
    expect(await catchErrorCode(createToken(["people"], admin))).toBeNull();
  });

  it("is limited to a number of valid tokens, also for simultaneous requests", async () => {
    const createUnlimited = () => {
      testApp.limiter.failedKeys.length = 0;
      return createToken();
    };
    const created = [];
    for (let n = 1; n < TOKENS_MAX; n++) created.push(await createUnlimited());
    testApp.limiter.failedKeys.length = 0;
    const codes = await Promise.all([
      catchErrorCode(createToken()),
      catchErrorCode(createToken()),
      catchErrorCode(createToken()),
    ]);
    expect(codes.sort()).toEqual([null, "too_many_tokens", "too_many_tokens"]);
    // A form that is submitted again when the account has no room left inserts nothing, so it has no audit entry.
    const id = created[0]?.record.id ?? "";
    testApp.limiter.failedKeys.length = 0;
    expect(await catchErrorCode(createToken([], { id }))).toBe("made_before");
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "token_created"));
    expect(entries).toHaveLength(TOKENS_MAX);
    await testApp.services.tokens.revokeToken({ ...owner, tokenId: id });
    expect(await catchErrorCode(createUnlimited())).toBeNull();
    testApp.limiter.failedKeys.length = 0;
    for (let n = 0; n < 10; n++) await catchErrorCode(createToken());
    expect(await catchErrorCode(createToken())).toBe("rate_limited");
  });
});

describe("a call with a token", () => {
  it("takes one round trip, and records its use after the response, at intervals", async () => {
    const { token } = await createToken();
    const authenticate = () => testApp.services.tokens.authenticateBearer({ bearer: token });
    expect(await testApp.countRoundTrips(authenticate)).toBe(2);
    expect(await testApp.countRoundTrips(authenticate)).toBe(1);
    testApp.time.now += 10 * 60_000;
    expect(await testApp.countRoundTrips(authenticate)).toBe(2);
    await Promise.all(testApp.deferred);
    expect((await testApp.services.tokens.listTokens(owner))[0]).toMatchObject({
      status: "active",
      lastUsedAt: testApp.currentInstant(),
    });
    const wrong = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
    expect(
      await testApp.countRoundTrips(() => testApp.services.tokens.authenticateBearer({ bearer: wrong })),
    ).toBe(0);
  });

  it("reads a record and its caller in one round trip, and only as a bearer token", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    const { token } = await createToken();
    const paths = [`events/uuid/${eventId}`, `spaces/uuid/${space.id}`];
    for (const path of paths) expect((await call(token, "GET", path)).status).toBe(200);
    for (const path of paths) expect(await testApp.countRoundTrips(() => call(token, "GET", path))).toBe(1);
    const cookie = `__Host-session-ticket=${token}`;
    for (const path of [...paths, "spaces"])
      expect(
        (await callApi(testApp, new Request(`https://hiroba.test/api/v1/${path}`, { headers: { cookie } })))
          .status,
      ).toBe(401);
  });

  it("is permitted the actions of its scopes as its owner, and no others", async () => {
    const { space, eventId } = await testApp.addSpace(owner);
    const stranger = await testApp.addSpace(await testApp.addUser());
    const { token: readToken } = await createToken();
    const { token: eventsToken } = await createToken(["events"]);
    const { token: libraryToken } = await createToken(["library"]);
    const status = async (...input: Parameters<typeof call>) => (await call(...input)).status;
    for (const token of [readToken, eventsToken, libraryToken]) {
      expect(await status(token, "GET", `spaces/uuid/${space.id}`)).toBe(200);
      expect(await status(token, "GET", `events/uuid/${eventId}`)).toBe(200);
      expect(await status(token, "GET", `spaces/uuid/${stranger.space.id}`)).toBe(404);
    }
    const rename = { event_name: "改題" };
    expect(await status(readToken, "PUT", `events/${eventId}`, rename)).toBe(403);
    expect(await status(libraryToken, "PUT", `events/${eventId}`, rename)).toBe(403);
    expect(await status(eventsToken, "PUT", `events/${eventId}`, rename)).toBe(200);
    const folder = { folder_type: "space", name: "棚" };
    expect(await status(readToken, "POST", "folders", folder)).toBe(403);
    expect(await status(eventsToken, "POST", "folders", folder)).toBe(403);
    expect(await status(libraryToken, "POST", "folders", folder)).toBe(200);
  });

  it("has an administrator's role only with the people scope", async () => {
    const admin = await testApp.addUser({ role: "admin" });
    const { space } = await testApp.addSpace(owner);
    const { token: libraryToken } = await createToken(["library"], admin);
    const { token: peopleToken } = await createToken(["people"], admin);
    expect((await call(libraryToken, "GET", `spaces/uuid/${space.id}`)).status).toBe(404);
    expect((await call(peopleToken, "GET", `spaces/uuid/${space.id}`)).status).toBe(200);
    const session = await testApp.services.tokens.authenticateBearer({ bearer: libraryToken });
    expect(
      await catchErrorCode(testApp.services.users.listUsers({ actor: session?.actor ?? owner.actor })),
    ).toBe("not_found");
  });

  it("reads an upload, but cannot complete or cancel it without the library scope", async () => {
    const { id } = await testApp.services.uploads.startUpload({
      actor: owner.actor,
      fileName: "a.png",
      byteSize: 100,
      fingerprint: "",
    });
    const { token } = await createToken(["events"]);
    expect((await call(token, "GET", `uploads/${id}`)).status).toBe(200);
    expect((await call(token, "POST", `uploads/${id}/complete`, {})).status).toBe(403);
    expect((await call(token, "DELETE", `uploads/${id}`)).status).toBe(403);
  });

  it("never creates tokens, and never changes passwords, passkeys, addresses and sessions", async () => {
    const admin = await testApp.addUser({ role: "admin" });
    const { token } = await createToken(["events", "library", "account", "people"], admin);
    const session = await testApp.services.tokens.authenticateBearer({ bearer: token });
    if (!session) throw new Error("rejected");
    const { actor, user, authenticatedAt, sessionId } = session;
    const { account, passkeys, tokens } = testApp.services;
    const currentPassword = PASSWORD;
    const rejected = [
      createToken([], { actor, user, authenticatedAt }),
      tokens.listTokens({ actor }),
      tokens.revokeToken({ actor, tokenId: sessionId }),
      account.changePassword({ actor, sessionId, currentPassword, password: "another password" }),
      account.requestEmailChange({ actor, email: "x@demo.example", currentPassword }),
      account.cancelEmailChange({ actor }),
      account.listSessions({ actor, sessionId }),
      account.endSessions({ actor, exceptSessionId: null }),
      account.requestDeletion({ actor, currentPassword }),
      passkeys.listPasskeys({ actor }),
      passkeys.beginPasskey({ actor, user, authenticatedAt, currentPassword }),
    ];
    expect(await Promise.all(rejected.map(catchErrorCode))).toEqual(rejected.map(() => "session_required"));
  });
});

describe("a token is rejected", () => {
  const works = async (token: string) => (await call(token, "GET", "spaces")).status === 200;

  it("after its expiry, and after its owner revokes it; other users cannot revoke it", async () => {
    const [keptToken, revoked] = [await createToken(), await createToken()];
    const other = await testApp.addUser();
    expect(
      await catchErrorCode(testApp.services.tokens.revokeToken({ ...other, tokenId: revoked.record.id })),
    ).toBe("not_found");
    await testApp.services.tokens.revokeToken({ ...owner, tokenId: revoked.record.id });
    expect([await works(keptToken.token), await works(revoked.token)]).toEqual([true, false]);
    expect(
      await catchErrorCode(testApp.services.tokens.revokeToken({ ...owner, tokenId: revoked.record.id })),
    ).toBe("not_found");
    testApp.time.now += 30 * DAY_MS;
    expect(await works(keptToken.token)).toBe(false);
    const statuses = (await testApp.services.tokens.listTokens(owner)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(["expired", "revoked"]);
    expect(await testApp.services.tokens.deleteExpiredTokens()).toBe(0);
    testApp.time.now += 31 * DAY_MS;
    expect(await testApp.services.tokens.deleteExpiredTokens()).toBe(2);
  });

  it("after a new password", async () => {
    const { token } = await createToken();
    await testApp.services.account.changePassword({
      actor: owner.actor,
      sessionId: "",
      currentPassword: PASSWORD,
      password: "another password",
    });
    expect(await works(token)).toBe(false);
    expect((await testApp.services.tokens.listTokens(owner))[0]?.status).toBe("revoked");
  });

  it("when the account is blocked, and also after the account is unblocked", async () => {
    const { token } = await createToken();
    const setStatus = (status: "BLOCKED" | "ACTIVATED") =>
      testApp.binding
        .prepare("UPDATE users SET status = ?, updated_at = ? WHERE id = ?")
        .bind(status, testApp.currentInstant(), owner.user.id)
        .run();
    await setStatus("BLOCKED");
    expect(await works(token)).toBe(false);
    await setStatus("ACTIVATED");
    expect(await works(token)).toBe(false);
  });
});
