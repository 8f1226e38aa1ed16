import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accessTokens, audit } from "#functions/data/schema";
import { DAY_MS } from "~/domain/shared/day";
import { TOKENS_MAX } from "~/domain/shared/limits";
import type { Scope } from "~/domain/webhooks/scopes";
import { isAccessToken } from "~/domain/webhooks/tokens";
import { askApi } from "../../../tests/support/api";
import { codeOf, houseForEachTest, PASSWORD, type Person } from "../../../tests/support/house";

const house = houseForEachTest();
let owner: Person;

beforeEach(async () => {
  owner = await house.addUser({ email: "owner@demo.example" });
});

const make = (
  scopes: readonly Scope[] = [],
  fields: Partial<Parameters<typeof house.services.tokens.createToken>[0]> = {},
) =>
  house.services.tokens.createToken({
    ...owner,
    startedAt: house.at(),
    id: crypto.randomUUID(),
    name: "サイネージ",
    scopes,
    expiresAt: new Date(house.time.now + 30 * DAY_MS).toISOString(),
    currentPassword: "",
    ...fields,
  });

const call = (token: string, method: string, path: string, body?: unknown) =>
  askApi(
    house,
    new Request(`https://hiroba.test/api/v1/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );

describe("making a token", () => {
  it("ends within a year for every role", async () => {
    for (const [expiresAt, key] of [
      [new Date(house.time.now + 367 * DAY_MS).toISOString(), "webhooks:errors.token.dateFar"],
      ["9999-12-31T00:00:00.000Z", "webhooks:errors.token.dateFar"],
      [house.at(), "webhooks:errors.token.datePast"],
      ["never", "webhooks:errors.token.dateInvalid"],
    ] as const)
      await expect(make([], { expiresAt }), expiresAt).rejects.toMatchObject({
        fields: { lastDay: [{ key }] },
      });
    await make([], { expiresAt: new Date(house.time.now + 365 * DAY_MS).toISOString() });
  });

  it("is shown once: only its hash is stored, neither log nor mail contains it, and its owner is notified", async () => {
    const { token, record } = await make(["events"]);
    expect(isAccessToken(token)).toBe(true);
    expect(record.scopes).toEqual(["read", "events"]);
    const rows = await house.db.select().from(accessTokens);
    const entries = await house.db.select().from(audit).where(eq(audit.action, "token_created"));
    await Promise.all(house.deferred);
    expect(house.mails).toMatchObject([{ to: "owner@demo.example" }]);
    expect(house.mails[0]?.text).toContain("サイネージ");
    expect(JSON.stringify([rows, entries, house.mails])).not.toContain(token.slice(8));
    expect(entries).toHaveLength(1);
    expect(token).toContain(rows[0]?.hint ?? "?");
  });

  it("asks for the password when the log-in was not recent", async () => {
    const startedAt = house.at();
    house.time.now += 10 * 60_000;
    expect(await codeOf(make([], { startedAt }))).toBe("password_required");
    expect(await codeOf(make([], { startedAt, currentPassword: "wrong" }))).toBe("wrong_password");
    expect(await codeOf(make([], { startedAt, currentPassword: PASSWORD }))).toBeNull();
  });

  it("makes one of one form, however often that is sent", async () => {
    const id = crypto.randomUUID();
    const codes = await Promise.all([codeOf(make([], { id })), codeOf(make([], { id }))]);
    expect(codes.sort()).toEqual(["made_before", null]);
    expect(await house.services.tokens.listTokens(owner)).toHaveLength(1);
    expect(await house.db.select().from(audit).where(eq(audit.action, "token_created"))).toHaveLength(1);
  });

  it("gives no scope that the account has not", async () => {
    expect(await codeOf(make(["people"]))).toBe("invalid");
    const admin = await house.addUser({ role: "admin" });
    expect(await codeOf(make(["people"], admin))).toBeNull();
  });

  it("ends at so many that work, also when they are made at once", async () => {
    const fresh = () => {
      house.limiter.taken.length = 0;
      return make();
    };
    const made = [];
    for (let n = 1; n < TOKENS_MAX; n++) made.push(await fresh());
    house.limiter.taken.length = 0;
    const codes = await Promise.all([codeOf(make()), codeOf(make()), codeOf(make())]);
    expect(codes.sort()).toEqual([null, "too_many_tokens", "too_many_tokens"]);
    await house.services.tokens.revokeToken({ ...owner, tokenId: made[0]?.record.id ?? "" });
    expect(await codeOf(fresh())).toBeNull();
    house.limiter.taken.length = 0;
    for (let n = 0; n < 10; n++) await codeOf(make());
    expect(await codeOf(make())).toBe("rate_limited");
  });
});

describe("calling with a token", () => {
  it("costs one round trip, and notes its use after the answer, now and then", async () => {
    const { token } = await make();
    const ask = () => house.services.tokens.authenticateBearer({ bearer: token });
    expect(await house.roundTrips(ask)).toBe(2);
    expect(await house.roundTrips(ask)).toBe(1);
    house.time.now += 10 * 60_000;
    expect(await house.roundTrips(ask)).toBe(2);
    await Promise.all(house.deferred);
    expect((await house.services.tokens.listTokens(owner))[0]).toMatchObject({
      status: "active",
      lastUsedAt: house.at(),
    });
    const wrong = `${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`;
    expect(await house.roundTrips(() => house.services.tokens.authenticateBearer({ bearer: wrong }))).toBe(0);
  });

  it("reads a record with who asks for it in one round trip, as by a session, and only as a bearer", async () => {
    const { space, eventId } = await house.addSpace(owner);
    const { token } = await make();
    const paths = [`events/uuid/${eventId}`, `spaces/uuid/${space.id}`];
    for (const path of paths) expect((await call(token, "GET", path)).status).toBe(200);
    for (const path of paths) expect(await house.roundTrips(() => call(token, "GET", path))).toBe(1);
    const cookie = `__Host-session-ticket=${token}`;
    for (const path of [...paths, "spaces"])
      expect(
        (await askApi(house, new Request(`https://hiroba.test/api/v1/${path}`, { headers: { cookie } })))
          .status,
      ).toBe(401);
  });

  it("does what its scopes say, as its owner, and nothing else", async () => {
    const { space, eventId } = await house.addSpace(owner);
    const stranger = await house.addSpace(await house.addUser());
    const { token: reads } = await make();
    const { token: events } = await make(["events"]);
    const { token: library } = await make(["library"]);
    const status = async (...input: Parameters<typeof call>) => (await call(...input)).status;
    for (const token of [reads, events, library]) {
      expect(await status(token, "GET", `spaces/uuid/${space.id}`)).toBe(200);
      expect(await status(token, "GET", `events/uuid/${eventId}`)).toBe(200);
      expect(await status(token, "GET", `spaces/uuid/${stranger.space.id}`)).toBe(404);
    }
    const rename = { event_name: "改題" };
    expect(await status(reads, "PUT", `events/${eventId}`, rename)).toBe(403);
    expect(await status(library, "PUT", `events/${eventId}`, rename)).toBe(403);
    expect(await status(events, "PUT", `events/${eventId}`, rename)).toBe(200);
    const folder = { folder_type: "space", name: "棚" };
    expect(await status(reads, "POST", "folders", folder)).toBe(403);
    expect(await status(events, "POST", "folders", folder)).toBe(403);
    expect(await status(library, "POST", "folders", folder)).toBe(201);
  });

  it("is an administrator's only with that scope", async () => {
    const admin = await house.addUser({ role: "admin" });
    const { space } = await house.addSpace(owner);
    const { token: plain } = await make(["library"], admin);
    const { token: people } = await make(["people"], admin);
    expect((await call(plain, "GET", `spaces/uuid/${space.id}`)).status).toBe(404);
    expect((await call(people, "GET", `spaces/uuid/${space.id}`)).status).toBe(200);
    const [actor] = await Promise.all([house.services.tokens.authenticateBearer({ bearer: plain })]);
    expect(await codeOf(house.services.users.listUsers({ actor: actor?.actor ?? owner.actor }))).toBe(
      "not_found",
    );
  });

  it("goes on with no upload unless it may write to the library", async () => {
    const { id } = await house.services.uploads.startUpload({
      actor: owner.actor,
      fileName: "a.png",
      byteSize: 100,
      fingerprint: "",
    });
    const { token } = await make(["events"]);
    expect((await call(token, "GET", `uploads/${id}`)).status).toBe(200);
    expect((await call(token, "POST", `uploads/${id}/complete`, {})).status).toBe(403);
    expect((await call(token, "DELETE", `uploads/${id}`)).status).toBe(403);
  });

  it("never makes tokens, nor touches passwords, passkeys, addresses and sessions", async () => {
    const admin = await house.addUser({ role: "admin" });
    const { token } = await make(["events", "library", "account", "people"], admin);
    const found = await house.services.tokens.authenticateBearer({ bearer: token });
    if (!found) throw new Error("refused");
    const { actor, user, startedAt, sessionId } = found;
    const { account, passkeys, tokens } = house.services;
    const currentPassword = PASSWORD;
    const refused = [
      make([], { actor, user, startedAt }),
      tokens.listTokens({ actor }),
      tokens.revokeToken({ actor, tokenId: sessionId }),
      account.changePassword({ actor, sessionId, currentPassword, password: "another password" }),
      account.requestEmailChange({ actor, email: "x@demo.example", currentPassword }),
      account.cancelEmailChange({ actor }),
      account.listSessions({ actor, sessionId }),
      account.endSessions({ actor, keep: null }),
      account.requestDeletion({ actor, currentPassword }),
      passkeys.listPasskeys({ actor }),
      passkeys.beginPasskey({ actor, user, startedAt, currentPassword }),
    ];
    expect(await Promise.all(refused.map(codeOf))).toEqual(refused.map(() => "session_required"));
  });
});

describe("a token ends", () => {
  const works = async (token: string) => (await call(token, "GET", "spaces")).status === 200;

  it("at its time, and when its owner revokes it; other people's cannot be revoked", async () => {
    const [kept, gone] = [await make(), await make()];
    const other = await house.addUser();
    expect(await codeOf(house.services.tokens.revokeToken({ ...other, tokenId: gone.record.id }))).toBe(
      "not_found",
    );
    await house.services.tokens.revokeToken({ ...owner, tokenId: gone.record.id });
    expect([await works(kept.token), await works(gone.token)]).toEqual([true, false]);
    expect(await codeOf(house.services.tokens.revokeToken({ ...owner, tokenId: gone.record.id }))).toBe(
      "not_found",
    );
    house.time.now += 30 * DAY_MS;
    expect(await works(kept.token)).toBe(false);
    const statuses = (await house.services.tokens.listTokens(owner)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(["expired", "revoked"]);
    expect(await house.services.tokens.deleteExpiredTokens()).toBe(0);
    house.time.now += 31 * DAY_MS;
    expect(await house.services.tokens.deleteExpiredTokens()).toBe(2);
  });

  it("with a new password, as sessions do", async () => {
    const { token } = await make();
    await house.services.account.changePassword({
      actor: owner.actor,
      sessionId: "",
      currentPassword: PASSWORD,
      password: "another password",
    });
    expect(await works(token)).toBe(false);
    expect((await house.services.tokens.listTokens(owner))[0]?.status).toBe("revoked");
  });

  it("when the account is blocked, and does not come back with it", async () => {
    const { token } = await make();
    const set = (status: "BLOCKED" | "ACTIVATED") =>
      house.binding
        .prepare("UPDATE users SET status = ?, updated_at = ? WHERE id = ?")
        .bind(status, house.at(), owner.user.id)
        .run();
    await set("BLOCKED");
    expect(await works(token)).toBe(false);
    await set("ACTIVATED");
    expect(await works(token)).toBe(false);
  });
});
