import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, sessions, userLinks, users } from "#functions/data/schema";
import { LINKS_PER_HOUR } from "~/domain/auth/mail-links";
import type { ProfileValue } from "~/domain/auth/profile.schema";
import { mail } from "~/i18n/ja/mail";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { HASH_PREFIX } from "../../../tests/support/app/test-doubles";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const logIn = (password = PASSWORD, email = "owner@demo.example") =>
  testApp.services.sessions.logIn({ email, password, userAgent: "test", network: "192.0.2.1" });
const currentSession = async (ticket: string) => {
  const session = await testApp.services.sessions.authenticate({ ticket });
  if (!session) throw new Error("no session");
  return session;
};
const readAccount = () => testApp.readAccount(owner.user.id);
const auditEntries = (action: string) =>
  testApp.db
    .select()
    .from(audit)
    .where(and(eq(audit.action, action), eq(audit.resourceId, owner.user.id)));
/** Mails sent after the response, without those about log-ins. */
const sentMails = async () => {
  await Promise.allSettled(testApp.deferred);
  return testApp.mails.filter(({ subject }) => subject !== mail.newBrowser.subject);
};

describe("the profile", () => {
  const values = (fields: Partial<ProfileValue> = {}): ProfileValue => ({
    version: 1,
    firstName: "Ada",
    lastName: "Lovelace",
    companyName: "Analytical",
    language: "en",
    statusMails: false,
    timeZone: "Europe/London",
    ...fields,
  });
  const save = (fields: Partial<ProfileValue> = {}) =>
    testApp.services.account.updateProfile({ ...owner, values: values(fields) });

  it("is saved with its search key and an audit entry", async () => {
    const result = await save();
    expect(result.status).toBe("updated");
    expect(await readAccount()).toMatchObject({
      firstName: "Ada",
      language: "en",
      timeZone: "Europe/London",
      version: 2,
    });
    expect((await readAccount())?.searchKey).toContain("lovelace");
    expect((await readAccount())?.searchKey).toContain("owner@demo.example");
    const [entry] = await auditEntries("profile_updated");
    expect(entry?.detail).toEqual({
      fields: ["lastName", "firstName", "companyName", "language", "timeZone"],
    });
  });

  it("overwrites no change that was saved meanwhile", async () => {
    await save({ companyName: "First" });
    const second = await save({ companyName: "Second" });
    expect(second).toMatchObject({ status: "conflict", saved: { companyName: "First", version: 2 } });
    expect((await readAccount())?.companyName).toBe("First");
    const results = await Promise.all([
      save({ version: 2, companyName: "A" }),
      save({ version: 2, companyName: "B" }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(["conflict", "updated"]);
    expect(await auditEntries("profile_updated")).toHaveLength(2);
  });

  it("reports that nothing has changed, also for an outdated form", async () => {
    await save();
    expect((await save()).status).toBe("unchanged");
    expect((await save({ version: 2 })).status).toBe("unchanged");
    expect(await auditEntries("profile_updated")).toHaveLength(1);
  });
});

describe("the password", () => {
  const change = async (fields: { currentPassword?: string; password?: string; sessionId?: string } = {}) =>
    testApp.services.account.changePassword({
      ...owner,
      sessionId: "",
      currentPassword: PASSWORD,
      password: "a new long password",
      ...fields,
    });

  it("is changed, renews the ticket of the current session, ends all others, and its owner is notified", async () => {
    const [mine, other] = [await logIn(), await logIn()];
    const { sessionId } = await currentSession(mine.ticket);
    const renewed = await change({ sessionId });
    expect(await testApp.services.sessions.authenticate({ ticket: mine.ticket })).toBeNull();
    expect((await currentSession(renewed?.ticket ?? "")).user).toEqual(owner.user);
    expect(renewed?.expiresAt).toBe(mine.expiresAt);
    expect(await testApp.services.sessions.authenticate({ ticket: other.ticket })).toBeNull();
    expect(await catchErrorCode(logIn())).toBe("bad_credentials");
    expect(await catchErrorCode(logIn("a new long password"))).toBeNull();
    expect((await sentMails()).map(({ to }) => to)).toEqual(["owner@demo.example"]);
    const dump = JSON.stringify(await testApp.db.select().from(audit));
    expect(dump).toContain("password_changed");
    expect(dump).not.toMatch(/a new long password|correct horse|plain\$/);
  });

  it("closes links that would set another password", async () => {
    await testApp.services.passwords.requestReset({ actor: null, email: owner.user.email, network: "x" });
    await sentMails();
    await change();
    const [link] = await testApp.db.select().from(userLinks);
    expect(link?.expiresAt).toBe(testApp.currentInstant());
  });

  it("stays when the current one is wrong, and guesses are counted", async () => {
    const { ticket } = await logIn();
    for (let i = 0; i < 10; i++)
      expect(await catchErrorCode(change({ currentPassword: "no" }))).toBe("wrong_password");
    expect(await catchErrorCode(change())).toBe("rate_limited");
    expect(await testApp.services.sessions.authenticate({ ticket })).not.toBeNull();
    expect(await auditEntries("password_changed")).toEqual([]);
    expect(await sentMails()).toEqual([]);
  });

  it("is set once by two simultaneous changes, and cannot be set to its current value", async () => {
    const results = await Promise.all([
      catchErrorCode(change({ password: "first password" })),
      catchErrorCode(change({ password: "second password" })),
    ]);
    expect(results.sort()).toEqual([null, "wrong_password"].sort());
    const hash = (await readAccount())?.passwordHash.slice(HASH_PREFIX.length) ?? "";
    expect(await catchErrorCode(change({ currentPassword: hash, password: hash }))).toBe("same_password");
  });
});

describe("a new email address", () => {
  const account = () => testApp.services.account;
  const request = (email = "new@demo.example", currentPassword = PASSWORD) =>
    account().requestEmailChange({ ...owner, email, currentPassword });
  const tokens = async () =>
    (await sentMails()).flatMap(({ text }) => /token=([A-Za-z0-9_-]{43})/.exec(text)?.[1] ?? []);

  it("takes effect when it is confirmed by its link, and the old address is notified", async () => {
    await request("New@demo.example");
    expect((await readAccount())?.email).toBe("owner@demo.example");
    expect(await account().pendingEmail(owner)).toMatchObject({ email: "New@demo.example" });
    expect((await sentMails()).map(({ to }) => to)).toEqual(["New@demo.example"]);
    const [token = ""] = await tokens();
    expect(await account().inspectEmailLink({ actor: null, token })).toEqual({
      email: "New@demo.example",
      from: "owner@demo.example",
      isForeign: false,
    });
    expect((await readAccount())?.email).toBe("owner@demo.example");
    expect(await account().confirmEmailChange({ actor: null, token })).toEqual({ email: "New@demo.example" });
    expect(await readAccount()).toMatchObject({ email: "New@demo.example", emailKey: "new@demo.example" });
    expect((await readAccount())?.searchKey).toContain("new@demo.example");
    expect((await readAccount())?.searchKey).not.toContain("owner@demo.example");
    expect((await sentMails()).at(-1)?.to).toBe("owner@demo.example");
    expect(await account().pendingEmail(owner)).toBeNull();
    expect(await catchErrorCode(logIn(PASSWORD, "new@demo.example"))).toBeNull();
    expect(await catchErrorCode(account().confirmEmailChange({ actor: null, token }))).toBe("link_used");
    expect(await auditEntries("email_changed")).toHaveLength(1);
  });

  it("responds the same when another account has it, and sends nothing", async () => {
    await testApp.addUser({ email: "taken@demo.example" });
    expect(await catchErrorCode(request("taken@demo.example"))).toBeNull();
    expect(await account().pendingEmail(owner)).toMatchObject({ email: "taken@demo.example" });
    expect(await sentMails()).toEqual([]);
  });

  it("is rejected when another account has taken it meanwhile", async () => {
    await request();
    const [token = ""] = await tokens();
    await testApp.addUser({ email: "NEW@demo.example" });
    expect(await catchErrorCode(account().confirmEmailChange({ actor: null, token }))).toBe("email_taken");
    expect((await readAccount())?.email).toBe("owner@demo.example");
    expect(await auditEntries("email_changed")).toEqual([]);
  });

  it("requires the password, and must differ from the current one", async () => {
    expect(await catchErrorCode(request("new@demo.example", "wrong"))).toBe("wrong_password");
    expect(await catchErrorCode(request("OWNER@demo.example"))).toBe("same_email");
    expect(await testApp.db.select().from(userLinks)).toEqual([]);
  });

  it("can be cancelled or sent again, which closes earlier links", async () => {
    await request();
    await account().resendEmailChange(owner);
    const [first, second] = await tokens();
    const confirm = (token = "", actor = null as TestUser["actor"] | null) =>
      catchErrorCode(account().confirmEmailChange({ actor, token }));
    expect(await confirm(first)).toBe("link_expired");
    await account().cancelEmailChange(owner);
    expect(await confirm(second)).toBe("link_expired");
    expect(await account().pendingEmail(owner)).toBeNull();
    expect(await catchErrorCode(account().resendEmailChange(owner))).toBe("not_found");
    await account().cancelEmailChange(owner);
    expect(await auditEntries("email_change_cancelled")).toHaveLength(1);
    expect((await readAccount())?.email).toBe("owner@demo.example");
  });

  it("cannot be confirmed in a session of another account, and its link expires after a day", async () => {
    const other = await testApp.addUser();
    await request();
    const [token = ""] = await tokens();
    expect(await account().inspectEmailLink({ actor: other.actor, token })).toMatchObject({
      isForeign: true,
    });
    expect(await catchErrorCode(account().confirmEmailChange({ actor: other.actor, token }))).toBe(
      "not_found",
    );
    testApp.time.now += 24 * 3_600_000;
    expect(await catchErrorCode(account().confirmEmailChange({ actor: owner.actor, token }))).toBe(
      "link_expired",
    );
    for (const invalidToken of [null, "", "x", "A".repeat(43)])
      expect(await catchErrorCode(account().inspectEmailLink({ actor: null, token: invalidToken }))).toBe(
        "link_unknown",
      );
    expect((await readAccount())?.email).toBe("owner@demo.example");
  });

  it(`can be requested at most ${LINKS_PER_HOUR} times an hour`, async () => {
    for (let i = 0; i < LINKS_PER_HOUR; i++) await request(`new${i}@demo.example`);
    expect(await catchErrorCode(request())).toBe("rate_limited");
    testApp.time.now += 3_600_000;
    expect(await catchErrorCode(request())).toBeNull();
  });

  it("is dropped when its mail was rejected", async () => {
    testApp.mailTransport.isFailing = true;
    await request();
    await sentMails();
    expect(await account().pendingEmail(owner)).toBeNull();
  });
});

describe("sessions", () => {
  const list = async (ticket: string) => testApp.services.account.listSessions(await currentSession(ticket));

  it("are listed without their tickets; the current one is marked, and expired ones are omitted", async () => {
    const [firstSession, secondSession] = [await logIn(), await logIn()];
    testApp.time.now += 60_000;
    const thirdSession = await logIn();
    await testApp.addUser({ email: "other@demo.example" });
    await logIn(PASSWORD, "other@demo.example");
    const ownSessions = await list(secondSession.ticket);
    const { sessionId } = await currentSession(thirdSession.ticket);
    expect(ownSessions.map(({ isCurrent }) => isCurrent)).toEqual([true, false, false]);
    expect(ownSessions[1]?.handle).toBe(sessionId.slice(0, 16));
    expect(JSON.stringify(ownSessions)).not.toContain(sessionId);
    expect(JSON.stringify(ownSessions)).not.toContain(firstSession.ticket);
    await testApp.db
      .update(sessions)
      .set({ expiresAt: testApp.currentInstant() })
      .where(eq(sessions.id, sessionId));
    expect(await list(secondSession.ticket)).toHaveLength(2);
  });

  it("are ended individually by their owner only", async () => {
    const [mine, second] = [await logIn(), await logIn()];
    await testApp.addUser({ email: "other@demo.example" });
    const theirs = await logIn(PASSWORD, "other@demo.example");
    const handleOf = async (ticket: string) => (await currentSession(ticket)).sessionId.slice(0, 16);
    const end = (handle: string) => catchErrorCode(testApp.services.account.endSession({ ...owner, handle }));
    expect(await end(await handleOf(theirs.ticket))).toBe("not_found");
    expect(await end(await handleOf(second.ticket))).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: second.ticket })).toBeNull();
    for (const { ticket } of [mine, theirs])
      expect(await testApp.services.sessions.authenticate({ ticket })).not.toBeNull();
    expect(await end("0".repeat(16))).toBe("not_found");
    expect(await auditEntries("session_ended")).toHaveLength(1);
  });

  it("are ended all at once, with or without the current one", async () => {
    const [mine, other] = [await logIn(), await logIn()];
    const { sessionId } = await currentSession(mine.ticket);
    await testApp.services.account.endSessions({ ...owner, exceptSessionId: sessionId });
    expect(await testApp.services.sessions.authenticate({ ticket: other.ticket })).toBeNull();
    expect(await testApp.services.sessions.authenticate({ ticket: mine.ticket })).not.toBeNull();
    await testApp.services.account.endSessions({ ...owner, exceptSessionId: null });
    expect(await testApp.services.sessions.authenticate({ ticket: mine.ticket })).toBeNull();
  });
});

describe("the request to delete the account", () => {
  const requestDeletion = (currentPassword = PASSWORD) =>
    testApp.services.account.requestDeletion({ ...owner, currentPassword });

  it("requires the password, is recorded once, and administrators are notified", async () => {
    await testApp.addUser({ email: "admin@demo.example", role: "admin" });
    await testApp.addUser({ email: "former@demo.example", role: "admin", status: "BLOCKED" });
    expect(await catchErrorCode(requestDeletion("wrong"))).toBe("wrong_password");
    expect((await readAccount())?.deletionRequestedAt).toBeNull();
    await requestDeletion();
    const requestedAt = testApp.currentInstant();
    testApp.time.now += 1000;
    await requestDeletion();
    expect((await readAccount())?.deletionRequestedAt).toBe(requestedAt);
    const mails = await sentMails();
    expect(mails.map(({ to }) => to)).toEqual(["admin@demo.example"]);
    expect(mails[0]?.text).toContain("owner@demo.example");
    expect(await auditEntries("deletion_requested")).toHaveLength(1);
  });

  it("can be withdrawn", async () => {
    await requestDeletion();
    await testApp.services.account.withdrawDeletion(owner);
    await testApp.services.account.withdrawDeletion(owner);
    expect((await readAccount())?.deletionRequestedAt).toBeNull();
    expect(await auditEntries("deletion_withdrawn")).toHaveLength(1);
    expect(await testApp.db.select().from(users)).toHaveLength(1);
  });
});
