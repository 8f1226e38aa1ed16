import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { audit, passkeyChallenges, passkeys, sessions, users } from "#functions/data/schema";
import { PASSKEYS_MAX } from "~/domain/shared/limits";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { type FakeAssertion, softAuthenticator } from "../../../tests/support/browser/authenticator";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const ORIGIN = "https://hiroba.test";

const begin = (person = owner, fields: { authenticatedAt?: string; currentPassword?: string } = {}) =>
  testApp.services.passkeys.beginPasskey({
    ...person,
    authenticatedAt: testApp.currentInstant(),
    currentPassword: "",
    ...fields,
  });

async function register(person = owner, authenticator = softAuthenticator(ORIGIN), fake: FakeAssertion = {}) {
  const { challenge, user } = await begin(person);
  await testApp.services.passkeys.addPasskey({
    ...person,
    name: "鍵",
    credential: authenticator.register(challenge, fake),
  });
  return { authenticator, handle: user.id };
}

const challenge = async () =>
  (await testApp.services.passkeys.beginPasskeyLogIn({ network: "192.0.2.1" })).challenge;

const logIn = (credential: ReturnType<ReturnType<typeof softAuthenticator>["signIn"]>, ticket?: string) =>
  testApp.services.passkeys.logInWithPasskey({ credential, userAgent: "test", network: "192.0.2.1", ticket });

describe("adding a passkey", () => {
  it("requests a discoverable passkey with user verification and without attestation", async () => {
    const options = await begin();
    expect(options).toMatchObject({
      rp: { id: "hiroba.test" },
      attestation: "none",
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
      excludeCredentials: [],
    });
    expect(options.challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.stringify(options.user.id)).not.toContain(owner.user.email);
  });

  it("stores the public key, writes an audit entry without it, and notifies the owner", async () => {
    const { authenticator } = await register();
    const [row] = await testApp.db.select().from(passkeys);
    expect(row).toMatchObject({ id: authenticator.id, publicKey: authenticator.publicKey, name: "鍵" });
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "passkey_added"));
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain(authenticator.publicKey);
    await Promise.all(testApp.deferred);
    expect(testApp.mails.map(({ to }) => to)).toEqual(["owner@demo.example"]);
    expect((await begin()).excludeCredentials).toMatchObject([{ id: authenticator.id }]);
  });

  it("needs the password when the log-in was not recent", async () => {
    const authenticatedAt = testApp.currentInstant();
    testApp.time.now += 10 * 60_000;
    expect(await catchErrorCode(begin(owner, { authenticatedAt }))).toBe("password_required");
    expect(await catchErrorCode(begin(owner, { authenticatedAt, currentPassword: "wrong" }))).toBe(
      "wrong_password",
    );
    expect(await catchErrorCode(begin(owner, { authenticatedAt, currentPassword: PASSWORD }))).toBeNull();
  });

  it("accepts a challenge once, before its expiry, and from its user only", async () => {
    const authenticator = softAuthenticator(ORIGIN);
    const other = await testApp.addUser();
    const add = (person: TestUser, challenge: string) =>
      catchErrorCode(
        testApp.services.passkeys.addPasskey({
          ...person,
          name: "鍵",
          credential: authenticator.register(challenge),
        }),
      );
    expect(await add(owner, "never-made")).toBe("passkey_failed");
    const firstChallenge = (await begin()).challenge;
    expect(await add(other, firstChallenge)).toBe("passkey_failed");
    const secondChallenge = (await begin()).challenge;
    expect(await add(owner, firstChallenge)).toBe("passkey_failed");
    testApp.time.now += 5 * 60_000;
    expect(await add(owner, secondChallenge)).toBe("passkey_failed");
    expect(await add(owner, await challenge())).toBe("passkey_failed");
    const thirdChallenge = (await begin()).challenge;
    expect(await add(owner, thirdChallenge)).toBeNull();
    expect(await add(owner, thirdChallenge)).toBe("passkey_failed");
    expect(await testApp.db.select().from(passkeys)).toHaveLength(1);
  });

  it("rejects a passkey of another site, without user verification or of another account, and writes nothing", async () => {
    const passkey = await register();
    const other = await testApp.addUser();
    for (const fake of [{ origin: "https://evil.test" }, { rpId: "evil.test" }, { flags: 0x41 }])
      expect(await catchErrorCode(register(owner, softAuthenticator(ORIGIN), fake))).toBe("passkey_failed");
    expect(await catchErrorCode(register(other, passkey.authenticator))).toBe("passkey_failed");
    expect(await testApp.db.select().from(passkeys)).toHaveLength(1);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "passkey_added"))).toHaveLength(1);
  });

  it(`is limited to ${PASSKEYS_MAX} passkeys, also when several are added at once`, async () => {
    for (let i = 0; i < PASSKEYS_MAX - 1; i++) await register();
    const authenticators = [softAuthenticator(ORIGIN), softAuthenticator(ORIGIN)];
    const add = ({ id, publicKey }: ReturnType<typeof softAuthenticator>) =>
      testApp.data.passkeys.add(
        {
          id,
          publicKey,
          userId: owner.user.id,
          name: "鍵",
          counter: 0,
          transports: [],
          createdAt: testApp.currentInstant(),
        },
        PASSKEYS_MAX,
        {
          id: randomUUID(),
          at: testApp.currentInstant(),
          actorId: owner.user.id,
          action: "passkey_added",
          resourceType: "user",
          resourceId: owner.user.id,
          detail: {},
        },
      );
    expect((await Promise.all(authenticators.map(add))).sort()).toEqual(["added", "too_many"]);
    // One of them is a passkey of the account now. Adding it again inserts nothing, so it has no audit entry.
    expect(await Promise.all(authenticators.map(add))).toEqual(["too_many", "too_many"]);
    expect(await testApp.db.select().from(passkeys)).toHaveLength(PASSKEYS_MAX);
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "passkey_added"));
    expect(entries).toHaveLength(PASSKEYS_MAX);
    expect(await catchErrorCode(begin())).toBe("too_many_passkeys");
  });
});

describe("logging in with a passkey", () => {
  it("creates a session in two round trips and a deferred one, without hashing a password, and records the use", async () => {
    const { authenticator, handle } = await register();
    testApp.time.now += 60_000;
    const credential = authenticator.signIn(await challenge(), handle);
    const before = testApp.spy.roundTrips;
    const { ticket, user } = await logIn(credential);
    expect(testApp.spy.roundTrips - before).toBe(3);
    expect(testApp.hasher.verified).toBe(0);
    expect(user).toEqual(owner.user);
    const { credential: _, ...actor } = owner.actor;
    expect((await testApp.services.sessions.authenticate({ ticket }))?.actor).toMatchObject(actor);
    const [passkey] = await testApp.services.passkeys.listPasskeys(owner);
    expect(passkey?.lastUsedAt).toBe(testApp.currentInstant());
    const [entry] = await testApp.db.select().from(audit).where(eq(audit.action, "log_in"));
    expect(entry).toMatchObject({ actorId: owner.user.id, detail: { method: "passkey" } });
  });

  it("works without the user's id, but not with another user's id", async () => {
    const { authenticator } = await register();
    expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), null)))).toBeNull();
    const other = await register(await testApp.addUser());
    expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), other.handle)))).toBe(
      "passkey_refused",
    );
  });

  it("ends the session whose ticket was sent with it", async () => {
    const { authenticator, handle } = await register();
    const firstSession = await logIn(authenticator.signIn(await challenge(), handle));
    const secondSession = await logIn(authenticator.signIn(await challenge(), handle), firstSession.ticket);
    expect(await testApp.services.sessions.authenticate({ ticket: firstSession.ticket })).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: secondSession.ticket })).not.toBeNull();
  });

  it("accepts a challenge once, before its expiry, and only one that was created for a log-in", async () => {
    const { authenticator, handle } = await register();
    const credential = authenticator.signIn(await challenge(), handle);
    const results = await Promise.all([catchErrorCode(logIn(credential)), catchErrorCode(logIn(credential))]);
    expect(results.sort()).toEqual([null, "passkey_refused"].sort());
    const late = authenticator.signIn(await challenge(), handle);
    testApp.time.now += 5 * 60_000;
    expect(await catchErrorCode(logIn(late))).toBe("passkey_refused");
    expect(await catchErrorCode(logIn(authenticator.signIn((await begin()).challenge, handle)))).toBe(
      "passkey_refused",
    );
  });

  it("rejects another site, a missing user verification, another key and an unknown passkey in the same way, and starts no session", async () => {
    const { authenticator, handle } = await register();
    const stranger = softAuthenticator(ORIGIN);
    for (const fake of [{ origin: "https://evil.test" }, { rpId: "evil.test" }, { flags: 1 }])
      expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), handle, fake)))).toBe(
        "passkey_refused",
      );
    expect(await catchErrorCode(logIn(stranger.signIn(await challenge(), handle)))).toBe("passkey_refused");
    const forged = { ...stranger.signIn(await challenge(), handle), id: authenticator.id };
    expect(await catchErrorCode(logIn(forged))).toBe("passkey_refused");
    expect(await testApp.db.select().from(sessions)).toEqual([]);
  });

  it("rejects a counter that has not increased, because the passkey may be a copy", async () => {
    const { authenticator, handle } = await register(owner, softAuthenticator(ORIGIN), { counter: 5 });
    const signInWithCounter = async (counter: number) =>
      authenticator.signIn(await challenge(), handle, { counter });
    for (const counter of [0, 4, 5])
      expect(await catchErrorCode(logIn(await signInWithCounter(counter)))).toBe("passkey_refused");
    expect(await catchErrorCode(logIn(await signInWithCounter(6)))).toBeNull();
    expect(await catchErrorCode(logIn(await signInWithCounter(6)))).toBe("passkey_refused");
    const results = await Promise.all(
      [logIn(await signInWithCounter(7)), logIn(await signInWithCounter(7))].map(catchErrorCode),
    );
    expect(results.filter((code) => code === null)).toHaveLength(1);
  });

  it.each([
    ["BLOCKED", "account_blocked"],
    ["DISAPPROVED", "account_disapproved"],
    ["EMAIL_UNVERIFIED", "email_unverified"],
    ["EMAIL_VERIFIED", "approval_pending"],
  ] as const)("reports to an account that it is %s", async (status, code) => {
    const { authenticator, handle } = await register();
    await testApp.db.update(users).set({ status });
    expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), handle)))).toBe(code);
    expect(await testApp.db.select().from(sessions)).toEqual([]);
  });

  it.each([
    ["blocked", { status: "BLOCKED" }],
    ["put into the trash", { deletedAt: "2026-04-01T00:00:00.000Z" }],
  ] as const)(
    "starts no session for an account that was %s while the response was checked",
    async (_what, change) => {
      const { authenticator, handle } = await register();
      const credential = authenticator.signIn(await challenge(), handle);
      const takeSignIn = testApp.data.passkeys.takeSignIn;
      vi.spyOn(testApp.data.passkeys, "takeSignIn").mockImplementationOnce(async (...input) => {
        const passkeyWithUser = await takeSignIn(...input);
        await testApp.db.update(users).set(change);
        return passkeyWithUser;
      });
      expect(await catchErrorCode(logIn(credential))).toBe("passkey_refused");
      expect(await testApp.db.select().from(sessions)).toEqual([]);
      expect(await testApp.db.select().from(audit).where(eq(audit.action, "log_in"))).toEqual([]);
    },
  );

  it("fails for an account in the trash", async () => {
    const { authenticator, handle } = await register();
    await testApp.db.update(users).set({ deletedAt: testApp.currentInstant() });
    expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), handle)))).toBe(
      "passkey_refused",
    );
  });

  it("limits the challenges of one network, and deletes expired ones", async () => {
    testApp.limiter.failedKeys.length = 0;
    let requested = 0;
    while ((await catchErrorCode(challenge())) === null) requested++;
    expect(requested).toBeGreaterThan(5);
    expect(await testApp.db.select().from(passkeyChallenges)).toHaveLength(requested);
    expect(await testApp.services.passkeys.deleteExpiredChallenges()).toBe(0);
    testApp.time.now += 5 * 60_000;
    expect(await testApp.services.passkeys.deleteExpiredChallenges()).toBe(requested);
  });
});

describe("a passkey", () => {
  it("is renamed and removed by its owner only", async () => {
    const { authenticator, handle } = await register();
    const other = await testApp.addUser();
    const { renamePasskey, removePasskey, listPasskeys } = testApp.services.passkeys;
    const passkeyId = authenticator.id;
    const remove = (person: TestUser, currentPassword = "") =>
      catchErrorCode(
        removePasskey({ ...person, passkeyId, authenticatedAt: testApp.currentInstant(), currentPassword }),
      );
    expect(await catchErrorCode(renamePasskey({ ...other, passkeyId, name: "x" }))).toBe("not_found");
    expect(await remove(other)).toBe("not_found");
    await renamePasskey({ ...owner, passkeyId, name: "仕事用" });
    expect(await listPasskeys(owner)).toMatchObject([{ name: "仕事用", transports: ["internal"] }]);
    expect(await remove(owner)).toBeNull();
    expect(await listPasskeys(owner)).toEqual([]);
    expect(await remove(owner)).toBe("not_found");
    expect(await catchErrorCode(logIn(authenticator.signIn(await challenge(), handle)))).toBe(
      "passkey_refused",
    );
    const actions = (await testApp.db.select().from(audit)).map(({ action }) => action);
    for (const action of ["passkey_added", "passkey_renamed", "passkey_removed"])
      expect(actions.filter((candidate) => candidate === action)).toHaveLength(1);
  });

  it("can be removed only with the password if the log-in was not recent", async () => {
    const { authenticator } = await register();
    const authenticatedAt = testApp.currentInstant();
    testApp.time.now += 10 * 60_000;
    const remove = (currentPassword: string) =>
      catchErrorCode(
        testApp.services.passkeys.removePasskey({
          ...owner,
          passkeyId: authenticator.id,
          authenticatedAt,
          currentPassword,
        }),
      );
    expect(await remove("")).toBe("password_required");
    expect(await remove("wrong")).toBe("wrong_password");
    expect(await remove(PASSWORD)).toBeNull();
  });
});
