import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { audit, groups, sessions, users } from "#functions/data/schema";
import { BROWSER_SECONDS, SESSION_SECONDS } from "~/domain/auth/session";
import {
  catchErrorCode,
  PASSWORD,
  type TestApp,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "Owner@Demo.Example" });
});

const logIn = (fields: Partial<Parameters<TestApp["services"]["sessions"]["logIn"]>[0]> = {}) =>
  testApp.services.sessions.logIn({
    email: "owner@demo.example",
    password: PASSWORD,
    userAgent: "test",
    network: "192.0.2.1",
    ...fields,
  });

describe("logging in", () => {
  it("returns a ticket that is stored only as its hash, in three round trips and a deferred one", async () => {
    const roundTripsBefore = testApp.spy.roundTrips;
    const { ticket, user, expiresAt } = await logIn();
    expect(testApp.spy.roundTrips - roundTripsBefore).toBe(4);
    expect(user).toEqual(owner.user);
    expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Date.parse(expiresAt)).toBe(testApp.time.now + SESSION_SECONDS * 1000);
    const dump = JSON.stringify([
      await testApp.db.select().from(sessions),
      await testApp.db.select().from(audit),
    ]);
    expect(dump).not.toContain(ticket);
    expect(dump).not.toContain(PASSWORD);
  });

  it("finds the account by its address in capitals, in full width or with outer spaces", async () => {
    for (const email of ["OWNER@DEMO.EXAMPLE", "ｏｗｎｅｒ@demo.example", " owner@demo.example "]) {
      expect((await logIn({ email })).user.id).toBe(owner.user.id);
    }
  });

  it("responds to a wrong password and to an unknown address in the same way and after the same work", async () => {
    expect(await catchErrorCode(logIn({ password: "wrong" }))).toBe("bad_credentials");
    expect(testApp.hasher.verified).toBe(1);
    expect(await catchErrorCode(logIn({ email: "nobody@demo.example" }))).toBe("bad_credentials");
    expect(testApp.hasher.verified).toBe(2);
    expect(await catchErrorCode(logIn({ email: "nobody@demo.example", password: "\u0000" }))).toBe(
      "bad_credentials",
    );
  });

  it.each([
    ["BLOCKED", "account_blocked"],
    ["DISAPPROVED", "account_disapproved"],
    ["EMAIL_UNVERIFIED", "email_unverified"],
    ["EMAIL_VERIFIED", "approval_pending"],
  ] as const)("reports that an account is %s only after the right password", async (status, code) => {
    await testApp.addUser({ email: "other@demo.example", status });
    expect(await catchErrorCode(logIn({ email: "other@demo.example" }))).toBe(code);
    expect(await catchErrorCode(logIn({ email: "other@demo.example", password: "wrong" }))).toBe(
      "bad_credentials",
    );
    expect(await testApp.db.select().from(sessions)).toEqual([]);
  });

  it("ends the session whose ticket was sent with it", async () => {
    const firstSession = await logIn();
    const secondSession = await logIn({ ticket: firstSession.ticket });
    expect(await testApp.services.sessions.authenticate({ ticket: firstSession.ticket })).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: secondSession.ticket })).not.toBeNull();
  });

  it("is rejected after exactly ten failures for one address from different networks", async () => {
    for (let i = 0; i < 10; i++)
      expect(await catchErrorCode(logIn({ password: "no", network: `192.0.2.${i}` }))).toBe(
        "bad_credentials",
      );
    expect(await catchErrorCode(logIn({ network: "198.51.100.1" }))).toBe("rate_limited");
    await testApp.addUser({ email: "other@demo.example" });
    expect(await catchErrorCode(logIn({ email: "other@demo.example", network: "198.51.100.1" }))).toBeNull();
  });

  it("is rejected after fifty failures from one network, and successes do not count", async () => {
    for (let i = 0; i < 15; i++) await logIn();
    for (let i = 0; i < 50; i++)
      expect(await catchErrorCode(logIn({ email: `x${i}@demo.example` }))).toBe("bad_credentials");
    expect(await catchErrorCode(logIn())).toBe("rate_limited");
  });

  it("checks at most ten simultaneous passwords for one address, and fifty from one network", async () => {
    const guesses = (length: number, createInput: (i: number) => Parameters<typeof logIn>[0]) =>
      Promise.all(
        Array.from({ length }, (_, i) => catchErrorCode(logIn({ password: `no${i}`, ...createInput(i) }))),
      );
    const count = (codes: (string | null)[], code: string) =>
      codes.filter((candidate) => candidate === code).length;
    for (const [allowed, createInput] of [
      [10, (i: number) => ({ network: `192.0.2.${i}` })],
      [50, (i: number) => ({ network: "198.51.100.1", email: `x${i}@demo.example` })],
    ] as const) {
      testApp.hasher.verified = 0;
      const codes = await guesses(allowed + 20, createInput);
      expect([count(codes, "bad_credentials"), count(codes, "rate_limited")]).toEqual([allowed, 20]);
      expect(testApp.hasher.verified).toBe(allowed);
    }
  });

  it.each([
    ["blocked", { status: "BLOCKED" }],
    ["put into the trash", { deletedAt: "2026-04-01T00:00:00.000Z" }],
    ["given another password", { passwordHash: `${HASH_PREFIX}another` }],
  ] as const)(
    "starts no session for an account that was %s while the password was checked",
    async (_what, change) => {
      const earlier = await logIn();
      vi.spyOn(testApp.hasher, "verify").mockImplementationOnce(async () => {
        await testApp.db.update(users).set(change);
        return true;
      });
      expect(await catchErrorCode(logIn({ ticket: earlier.ticket }))).toBe("bad_credentials");
      expect(await testApp.db.select().from(sessions)).toHaveLength(1);
      expect(await testApp.db.select().from(audit).where(eq(audit.action, "log_in"))).toHaveLength(1);
    },
  );

  it("admits a user in a known browser while others guess elsewhere, and counts attempts there as well", async () => {
    await testApp.addUser({ email: "other@demo.example" });
    const { browser = "" } = await logIn();
    const { browser: otherBrowser } = await logIn({ email: "other@demo.example" });
    const guess = (known: string | null) =>
      catchErrorCode(logIn({ password: "wrong", network: "a", browser: known }));
    for (let i = 0; i < 10; i++) expect(await guess(i % 2 === 0 ? null : "made up")).toBe("bad_credentials");
    for (const unknown of [null, "", "x".repeat(5000), otherBrowser ?? "", browser.slice(1)])
      expect(await catchErrorCode(logIn({ browser: unknown, network: "elsewhere" }))).toBe("rate_limited");
    const secondSession = await logIn({ browser });
    expect(browser + secondSession.browser).not.toMatch(/owner|demo/i);
    // The same browser is recognised by any of its marks.
    for (let i = 0; i < 10; i++)
      expect(await guess(i % 2 === 0 ? browser : (secondSession.browser ?? ""))).toBe("bad_credentials");
    expect(await catchErrorCode(logIn({ browser }))).toBe("rate_limited");
    const { failedKeys } = testApp.limiter;
    failedKeys.splice(0, failedKeys.length, ...failedKeys.filter((key) => key.startsWith("login-email:")));
    expect(await catchErrorCode(logIn({ browser }))).toBe("rate_limited");
    testApp.time.now += 2 * 60_000;
    expect(await catchErrorCode(logIn({ browser }))).toBeNull();
    testApp.time.now += BROWSER_SECONDS * 1000;
    expect(await catchErrorCode(logIn({ browser }))).toBe("rate_limited");
  });

  it("does not count a guess that was not checked because the database failed", async () => {
    const findCredentials = vi
      .spyOn(testApp.data.sessions, "findCredentials")
      .mockRejectedValue(new Error("D1 is down"));
    for (let i = 0; i < 15; i++) await expect(logIn()).rejects.toThrow("D1 is down");
    findCredentials.mockRestore();
    expect(await catchErrorCode(logIn())).toBeNull();
  });

  it("that fails or exceeds the limit is logged with the account's id, and without data about the caller", async () => {
    for (let i = 0; i < 11; i++) await catchErrorCode(logIn({ password: "wrong" }));
    expect(testApp.limiter.attemptNotes).toEqual([
      ...Array<string>(10).fill("log-in wrong"),
      "log-in rejected",
    ]);
    expect(new Set(testApp.limiter.attemptAccounts)).toEqual(new Set([owner.user.id]));
  });

  it("responds to hostile input only with bad credentials", async () => {
    for (const hostile of ["' OR 1=1 --", "a".repeat(1_000_000), "\u202eelpmaxe.omed@renwo", "%", "😀", ""]) {
      testApp.limiter.failedKeys.length = 0;
      expect(await catchErrorCode(logIn({ email: hostile }))).toBe("bad_credentials");
      expect(await catchErrorCode(logIn({ password: hostile }))).toBe("bad_credentials");
    }
  });
});

describe("a session", () => {
  it("is read with user and groups in one round trip", async () => {
    const { id } = await testApp.addGroup(owner);
    const { ticket } = await logIn();
    await Promise.all(testApp.deferred);
    const roundTripsBefore = testApp.spy.roundTrips;
    const session = await testApp.services.sessions.authenticate({ ticket });
    expect(testApp.spy.roundTrips - roundTripsBefore).toBe(1);
    expect(session?.actor).toEqual({
      userId: owner.user.id,
      role: "user",
      groupIds: [id],
      credential: {
        kind: "session",
        id: session?.sessionId.slice(0, 16),
        authenticatedAt: testApp.currentInstant(),
        network: null,
      },
    });
    expect(session?.user).toEqual(owner.user);
  });

  it("grants no permissions of a group in the trash", async () => {
    const { id } = await testApp.addGroup(owner);
    await testApp.db.update(groups).set({ deletedAt: testApp.currentInstant() }).where(eq(groups.id, id));
    const { ticket } = await logIn();
    expect((await testApp.services.sessions.authenticate({ ticket }))?.actor.groupIds).toEqual([]);
  });

  it("records its last use at most once an hour, after the response", async () => {
    const { ticket } = await logIn();
    await Promise.all(testApp.deferred.splice(0));
    testApp.time.now += 3_599_999;
    await testApp.services.sessions.authenticate({ ticket });
    expect(testApp.deferred).toHaveLength(0);
    testApp.time.now += 1;
    await testApp.services.sessions.authenticate({ ticket });
    expect(testApp.deferred).toHaveLength(1);
    await Promise.all(testApp.deferred);
    await testApp.services.sessions.authenticate({ ticket });
    expect(testApp.deferred).toHaveLength(1);
    expect((await testApp.db.select().from(sessions))[0]?.lastSeenAt).toBe(testApp.currentInstant());
  });

  it("ends at the exact millisecond of its expiry, and is deleted afterwards", async () => {
    const { ticket } = await logIn();
    testApp.time.now += SESSION_SECONDS * 1000 - 1;
    expect(await testApp.services.sessions.authenticate({ ticket })).not.toBeNull();
    expect(await testApp.services.sessions.deleteExpiredSessions()).toBe(0);
    testApp.time.now += 1;
    expect(await testApp.services.sessions.authenticate({ ticket })).toBeNull();
    expect(await testApp.services.sessions.deleteExpiredSessions()).toBe(1);
  });

  it("ends as soon as its account is blocked or deleted", async () => {
    const { ticket } = await logIn();
    await testApp.db.update(users).set({ status: "BLOCKED" });
    expect(await testApp.services.sessions.authenticate({ ticket })).toBeNull();
    await testApp.db.update(users).set({ status: "ACTIVATED", deletedAt: testApp.currentInstant() });
    expect(await testApp.services.sessions.authenticate({ ticket })).toBeNull();
    expect(await catchErrorCode(logIn())).toBe("bad_credentials");
  });

  it("is read from D1 only for a value with the form of a ticket", async () => {
    const roundTripsBefore = testApp.spy.roundTrips;
    for (const ticket of [null, "", "x", "'; DROP TABLE sessions", "é".repeat(43), "a".repeat(100_000)]) {
      expect(await testApp.services.sessions.authenticate({ ticket })).toBeNull();
      await testApp.services.sessions.logOut({ ticket });
    }
    expect(testApp.spy.roundTrips).toBe(roundTripsBefore);
  });

  it("ends at log-out, without ending other sessions", async () => {
    const [firstSession, secondSession] = [await logIn(), await logIn()];
    await testApp.services.sessions.logOut({ ticket: firstSession.ticket });
    await testApp.services.sessions.logOut({ ticket: firstSession.ticket });
    expect(await testApp.services.sessions.authenticate({ ticket: firstSession.ticket })).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: secondSession.ticket })).not.toBeNull();
  });
});

describe("a ticket from local storage", () => {
  const exchange = (ticket: string) =>
    testApp.services.sessions.exchangeTicket({ ticket, userAgent: "test" });

  it("is exchanged once for a new one", async () => {
    const { ticket } = await logIn();
    const newSession = await exchange(ticket);
    expect(newSession?.user.id).toBe(owner.user.id);
    expect(newSession?.ticket).not.toBe(ticket);
    expect(await testApp.services.sessions.authenticate({ ticket })).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: newSession?.ticket ?? "" })).not.toBeNull();
    expect(await exchange(ticket)).toBeNull();
  });

  it("keeps the start and the expiry of the session", async () => {
    const { ticket, expiresAt } = await logIn();
    const authenticatedAt = testApp.currentInstant();
    testApp.time.now += 3_600_000;
    const newSession = await exchange(ticket);
    expect(newSession?.expiresAt).toBe(expiresAt);
    expect(await testApp.services.sessions.authenticate({ ticket: newSession?.ticket ?? "" })).toMatchObject({
      authenticatedAt,
      expiresAt,
    });
    const [row] = await testApp.db.select().from(sessions);
    expect(row).toMatchObject({ lastSeenAt: testApp.currentInstant(), userAgent: "test" });
  });

  it("returns only one ticket when it is exchanged several times at once", async () => {
    const { ticket } = await logIn();
    const newSessions = await Promise.all([exchange(ticket), exchange(ticket), exchange(ticket)]);
    expect(newSessions.filter(Boolean)).toHaveLength(1);
    expect(await testApp.db.select().from(sessions)).toHaveLength(1);
  });

  it("is rejected when it has expired or never existed", async () => {
    const { ticket } = await logIn();
    testApp.time.now += SESSION_SECONDS * 1000;
    expect(await exchange(ticket)).toBeNull();
    expect(await exchange("A".repeat(43))).toBeNull();
    expect(await exchange("nonsense")).toBeNull();
  });
});
