/** Tests the audit of log-ins, log-outs and ended sessions, and the expiry of sessions (decision 042). */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, sessions } from "#functions/data/schema";
import { DAY_MS } from "~/domain/shared/day";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { softAuthenticator } from "../../../tests/support/browser/authenticator";

const testApp = useTestApp();
let admin: TestUser;
let owner: TestUser;
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  owner = await testApp.addUser({ email: "owner@demo.example" });
  testApp.deferred.length = 0;
});

const awaitDeferred = () => Promise.all(testApp.deferred.splice(0));
const logIn = (fields: { email?: string; password?: string; network?: string } = {}) =>
  testApp.services.sessions.logIn({
    email: "owner@demo.example",
    password: PASSWORD,
    userAgent: "test",
    network: "192.0.2.1",
    ...fields,
  });
const entries = async (action: string) =>
  (await testApp.db.select().from(audit)).filter((entry) => entry.action === action);
const authenticate = (ticket: string) =>
  testApp.services.sessions.authenticate({ ticket, network: "192.0.2.1" });

describe("failed log-ins", () => {
  it("are one row per account and minute with their number, without address and network", async () => {
    const fail = async (times: number, fields: Parameters<typeof logIn>[0]) => {
      for (let i = 0; i < times; i++)
        expect(await catchErrorCode(logIn({ password: "wrong", ...fields }))).not.toBeNull();
      await awaitDeferred();
    };
    await fail(3, {});
    await fail(2, { email: "OWNER@demo.example", network: "192.0.2.2" });
    await fail(1, { email: "admin@demo.example" });
    // Invented addresses share one row, so that they cannot fill the database.
    for (let i = 0; i < 20; i++) await fail(1, { email: `${i}@nobody.example` });
    const rows = await entries("log_in_failed");
    const entriesOf = (id: string) => rows.filter(({ resourceId }) => resourceId === id);
    expect(entriesOf(owner.user.id)).toMatchObject([
      { actorId: null, resourceType: "session", detail: { count: 5, networks: "several" } },
    ]);
    expect(entriesOf(admin.user.id)).toMatchObject([{ detail: { count: 1 } }]);
    expect(entriesOf("")).toMatchObject([{ detail: { count: 20 } }]);
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|demo\.example|wrong/);
    testApp.time.now += 60_000;
    await fail(1, {});
    expect(
      (await entries("log_in_failed")).filter(({ resourceId }) => resourceId === owner.user.id),
    ).toHaveLength(2);
  });

  it("that are simultaneous are counted in the same row", async () => {
    await Promise.all(Array.from({ length: 8 }, () => catchErrorCode(logIn({ password: "wrong" }))));
    await awaitDeferred();
    expect(await entries("log_in_failed")).toMatchObject([{ detail: { count: 8 } }]);
  });

  it("are logged with the account's id and the hashed network, with a limited number of lines", async () => {
    for (let i = 0; i < 10; i++) await catchErrorCode(logIn({ password: "wrong" }));
    await catchErrorCode(logIn({ email: "nobody@demo.example" }));
    await awaitDeferred();
    const network = expect.stringMatching(/^[0-9a-f]{16}$/);
    expect(testApp.failedLogIns).toEqual([
      { account: owner.user.id, network, count: 1 },
      { account: owner.user.id, network, count: 10 },
      { account: null, network, count: 1 },
    ]);
  });

  it("include a wrong password in a form of the account, in the log", async () => {
    const { ticket } = await logIn();
    const { actor, sessionId } = (await authenticate(ticket)) ?? { actor: owner.actor, sessionId: "" };
    const credentials = { password: "wrong" };
    const attempt = testApp.services.reauthentication.reauthenticate({ actor, sessionId, credentials });
    expect(await catchErrorCode(attempt)).toBe("wrong_password");
    expect(testApp.failedLogIns).toEqual([{ account: owner.user.id, network: actor.credential?.network }]);
  });

  it("are recorded for an account that may not log in, and for an unknown passkey", async () => {
    await testApp.addUser({ email: "blocked@demo.example", status: "BLOCKED" });
    expect(await catchErrorCode(logIn({ email: "blocked@demo.example" }))).toBe("account_blocked");
    const authenticator = softAuthenticator("https://hiroba.test");
    const { challenge } = await testApp.services.passkeys.beginPasskeyLogIn({ network: "1" });
    const credential = authenticator.signIn(challenge, null);
    const attempt = testApp.services.passkeys.logInWithPasskey({ credential, userAgent: "", network: "1" });
    expect(await catchErrorCode(attempt)).toBe("passkey_refused");
    await awaitDeferred();
    expect(await entries("log_in_failed")).toHaveLength(2);
  });

  it("take the same number of round trips for existing and unknown accounts", async () => {
    const roundTripsFor = async (email: string) =>
      testApp.countRoundTrips(async () => {
        await catchErrorCode(logIn({ email, password: "wrong" }));
      });
    const roundTrips = await roundTripsFor("owner@demo.example");
    await awaitDeferred();
    expect(await roundTripsFor("nobody@demo.example")).toBe(roundTrips);
    await awaitDeferred();
    expect(await entries("log_in_failed")).toHaveLength(2);
  });
});

describe("the end of a session", () => {
  it("by logging out is recorded once with its handle and the hashed network", async () => {
    const { ticket } = await logIn();
    const handle = (await authenticate(ticket))?.actor.credential?.id;
    await testApp.services.sessions.logOut({ ticket, network: "192.0.2.1" });
    await testApp.services.sessions.logOut({ ticket, network: "192.0.2.1" });
    const [logInEntry] = await entries("log_in");
    expect(await entries("log_out")).toMatchObject([
      {
        actorId: owner.user.id,
        resourceId: owner.user.id,
        credential: `session:${handle}`,
        network: logInEntry?.network,
      },
    ]);
    expect(logInEntry?.network).toMatch(/^[0-9a-f]{16}$/);
  });

  it("by a new log-in in the same browser is recorded, too", async () => {
    const { ticket } = await logIn();
    const handle = (await authenticate(ticket))?.actor.credential?.id;
    const logInInput = {
      email: "owner@demo.example",
      password: PASSWORD,
      userAgent: "",
      network: "192.0.2.1",
    };
    await testApp.services.sessions.logIn({ ...logInInput, ticket });
    expect(await entries("log_out")).toMatchObject([
      { actorId: owner.user.id, credential: `session:${handle}`, network: expect.any(String) },
    ]);
    expect(await entries("log_in")).toHaveLength(2);
  });

  it("by another session is recorded with the hashed network of that session", async () => {
    const [mine, other] = [await logIn(), await logIn()];
    const actor = (await authenticate(mine.ticket))?.actor ?? owner.actor;
    const handle = (await authenticate(other.ticket))?.actor.credential?.id ?? "";
    await testApp.services.account.endSession({ actor, handle });
    await testApp.services.account.endSessions({ actor, exceptSessionId: null });
    const network = expect.stringMatching(/^[0-9a-f]{16}$/);
    const credentialEntry = { credential: `session:${actor.credential?.id}`, network };
    expect(await entries("session_ended")).toMatchObject([credentialEntry]);
    expect(await entries("sessions_ended")).toMatchObject([credentialEntry]);
  });

  it("comes after 24 hours without use for administrators, and after 14 days otherwise", async () => {
    const [theirs, mine] = [await logIn({ email: "admin@demo.example" }), await logIn()];
    // During use, the time of the last use is written at most once an hour.
    for (let i = 0; i < 3; i++) {
      testApp.time.now += 23 * HOUR_MS;
      expect(await authenticate(theirs.ticket)).not.toBeNull();
      await awaitDeferred();
    }
    testApp.time.now += DAY_MS - 1;
    expect(await authenticate(theirs.ticket)).not.toBeNull();
    await awaitDeferred();
    testApp.time.now += DAY_MS;
    expect(await authenticate(theirs.ticket)).toBeNull();
    const reads = testApp.services.authenticatedReads.readEvents({
      ticket: theirs.ticket,
      spaceId: null,
      page: 1,
      cursor: { position: "first" },
      size: 1,
    });
    expect(await reads).toBeNull();
    expect(
      await testApp.services.sessions.exchangeTicket({ ticket: theirs.ticket, userAgent: "" }),
    ).toBeNull();
    expect(await authenticate(mine.ticket)).not.toBeNull();
    testApp.time.now += 14 * DAY_MS;
    expect(await authenticate(mine.ticket)).toBeNull();
  });

  it("by expiry is recorded when the cron job deletes the session", async () => {
    await logIn({ email: "admin@demo.example" });
    await logIn();
    testApp.time.now += DAY_MS;
    expect(await testApp.services.sessions.deleteExpiredSessions()).toBe(1);
    expect(await entries("session_expired")).toMatchObject([
      {
        actorId: null,
        resourceId: admin.user.id,
        credential: expect.stringMatching(/^session:[0-9a-f]{16}$/),
      },
    ]);
    testApp.time.now += 14 * DAY_MS;
    expect(await testApp.services.sessions.deleteExpiredSessions()).toBe(1);
    const ids = (await entries("session_expired")).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await testApp.db.select().from(sessions)).toEqual([]);
  });
});

describe("reauthentication by a passkey", () => {
  const register = async (person: TestUser) => {
    const authenticator = softAuthenticator("https://hiroba.test");
    const options = await testApp.services.passkeys.beginPasskey({
      ...person,
      authenticatedAt: testApp.currentInstant(),
      currentPassword: "",
    });
    const credential = authenticator.register(options.challenge);
    await testApp.services.passkeys.addPasskey({ ...person, name: "key", credential });
    return { authenticator, handle: options.user.id };
  };
  const respond = async ({ authenticator, handle }: Awaited<ReturnType<typeof register>>) => {
    const { challenge } = await testApp.services.passkeys.beginPasskeyLogIn({ network: randomUUID() });
    return authenticator.signIn(challenge, handle);
  };

  it("enables protected actions in the session, and is recorded", async () => {
    const passkey = await register(admin);
    const { ticket } = await logIn({ email: "admin@demo.example" });
    testApp.time.now += HOUR_MS;
    const { actor, sessionId } = (await authenticate(ticket)) ?? { actor: admin.actor, sessionId: "" };
    const createAdministrator = (author = actor) =>
      testApp.services.users.createUser({
        actor: author,
        email: "new@demo.example",
        password: null,
        firstName: "",
        lastName: "新",
        companyName: "",
        role: "admin",
        status: "EMAIL_UNVERIFIED",
        spaceLicense: 1,
        storageLimit: 1,
        language: "ja",
        timeZone: "Asia/Tokyo",
      });
    expect(await catchErrorCode(createAdministrator())).toBe("reauthentication_required");
    const reauthenticate = testApp.services.reauthentication.reauthenticate;
    const ownerCredential = await respond(await register(owner));
    expect(
      await catchErrorCode(
        reauthenticate({ actor, sessionId, credentials: { credential: ownerCredential } }),
      ),
    ).toBe("passkey_failed");
    expect(await catchErrorCode(createAdministrator())).toBe("reauthentication_required");
    const credential = await respond(passkey);
    const reauthenticatedActor = await reauthenticate({ actor, sessionId, credentials: { credential } });
    // The passkey's response is valid once.
    expect(await catchErrorCode(reauthenticate({ actor, sessionId, credentials: { credential } }))).toBe(
      "passkey_failed",
    );
    expect(await catchErrorCode(createAdministrator(reauthenticatedActor))).toBeNull();
    expect((await authenticate(ticket))?.authenticatedAt).toBe(testApp.currentInstant());
    expect(await entries("reauthenticated")).toMatchObject([
      {
        actorId: admin.user.id,
        detail: { method: "passkey" },
        credential: `session:${actor.credential?.id}`,
      },
    ]);
  });
});

it("a ticket under the old cookie name is valid only for sessions that began before the change", async () => {
  const { ticket } = await logIn();
  const asOldCookie = () => testApp.services.sessions.authenticate({ ticket, isOldCookie: true });
  expect(await asOldCookie()).toBeNull();
  await testApp.db.update(sessions).set({ authenticatedAt: null });
  expect((await asOldCookie())?.user.id).toBe(owner.user.id);
});
