import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, passkeys, secondFactorResets, secondFactors, sessions } from "#functions/data/schema";
import { emailTemplate } from "#functions/mail/email-template";
import { idSource } from "#functions/security/random";
import { totpCode, totpCounter } from "~/domain/auth/totp";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { SecondFactorRequiredError } from "../shared/errors";
import type { Mail } from "../shared/ports";
import { mailSecondFactorResets, resetSecondFactorByCommand } from "./second-factor-settings";

const testApp = useTestApp();
let owner: TestUser;
let admin: TestUser;

beforeEach(async () => {
  testApp.policy.requiresSecondFactor = false;
  owner = await testApp.addUser({ email: "owner@demo.example" });
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
});

const withRecentLogIn = (person: TestUser) => ({
  ...person,
  authenticatedAt: testApp.currentInstant(),
  currentPassword: "",
});
const codeNow = (secret: string, steps = 0) => totpCode(secret, totpCounter(testApp.time.now) + steps);

/** Sets up an app, and waits until its first code has expired. */
async function setUp(person = owner) {
  const { services } = testApp;
  const { secret, sealed } = await services.secondFactor.beginSecondFactor(person);
  const recoveryCodes = await services.secondFactor.addSecondFactor({
    ...withRecentLogIn(person),
    sealed,
    oneTimeCode: await codeNow(secret),
  });
  testApp.time.now += 60_000;
  return { secret, recoveryCodes };
}

const client = { userAgent: "test", network: "192.0.2.1" };
const logIn = (oneTimeCode?: string, password = PASSWORD, email = owner.user.email) =>
  testApp.services.sessions.logIn({ ...client, email, password, oneTimeCode });

const startLogIn = async () => {
  const error = await logIn().catch((thrown: unknown) => thrown);
  if (!(error instanceof SecondFactorRequiredError)) throw error;
  return error.pending;
};
const completeLogIn = (pending: string, oneTimeCode: string) =>
  testApp.services.secondFactor.logInWithCode({ ...client, pending, oneTimeCode });
const mailsTo = async (email: string) => {
  await Promise.all(testApp.deferred);
  return testApp.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
};

describe("setting up an authenticator app", () => {
  it("stores the secret sealed and the recovery codes hashed, writes an audit entry, and notifies the owner", async () => {
    const { secret, recoveryCodes } = await setUp();
    const [row] = await testApp.db.select().from(secondFactors);
    expect(row?.recoveryCodes).toHaveLength(10);
    expect(new Set(recoveryCodes).size).toBe(10);
    const stored = JSON.stringify([row, await testApp.db.select().from(audit)]);
    for (const text of [secret, ...recoveryCodes]) expect(stored).not.toContain(text);
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "second_factor_added"))).toHaveLength(
      1,
    );
    expect(await mailsTo(owner.user.email)).toEqual(["【Hiroba】認証アプリが設定されました"]);
  });

  it("requires the right code, the password after ten minutes, and the secret of this account", async () => {
    const { secondFactor } = testApp.services;
    const { secret, sealed } = await secondFactor.beginSecondFactor(owner);
    const add = (fields: Partial<Parameters<typeof secondFactor.addSecondFactor>[0]> = {}) =>
      catchErrorCode(
        secondFactor.addSecondFactor({ ...withRecentLogIn(owner), sealed, oneTimeCode: "000000", ...fields }),
      );
    expect(await add()).toBe("bad_one_time_code");
    const oneTimeCode = await codeNow(secret);
    const tenMinutesAgo = new Date(testApp.time.now - 10 * 60_000).toISOString();
    expect(await add({ oneTimeCode, authenticatedAt: tenMinutesAgo })).toBe("password_required");
    expect(await add({ oneTimeCode, authenticatedAt: tenMinutesAgo, currentPassword: "wrong" })).toBe(
      "wrong_password",
    );
    expect(await add({ ...withRecentLogIn(admin), oneTimeCode })).toBe("setup_expired");
    expect(await add({ oneTimeCode })).toBeNull();
    expect(await add({ oneTimeCode: await codeNow(secret, 1) })).toBe("second_factor_exists");
  });

  it("is not allowed for a token", async () => {
    const { secondFactor } = testApp.services;
    const { secret, sealed } = await secondFactor.beginSecondFactor(owner);
    const actor = { ...owner.actor, scopes: ["read"] as const };
    const work = secondFactor.addSecondFactor({
      ...withRecentLogIn(owner),
      actor,
      sealed,
      oneTimeCode: await codeNow(secret),
    });
    expect(await catchErrorCode(work)).toBe("session_required");
  });
});

describe("a log-in with a password", () => {
  it("requests a code only after the right password, and accepts it in one call or in a second step", async () => {
    const { secret } = await setUp();
    expect(await catchErrorCode(logIn(undefined, "wrong password"))).toBe("bad_credentials");
    expect(await catchErrorCode(logIn(await codeNow(secret), "wrong password"))).toBe("bad_credentials");
    expect(await catchErrorCode(logIn())).toBe("second_factor_required");
    expect((await logIn(await codeNow(secret))).user.id).toBe(owner.user.id);
    const session = await completeLogIn(await startLogIn(), await codeNow(secret, 1));
    expect(await testApp.services.sessions.authenticate(session)).toMatchObject({
      user: { id: owner.user.id },
    });
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "log_in"));
    expect(entries.map(({ detail }) => detail)).toEqual([
      { method: "one_time_code" },
      { method: "one_time_code" },
    ]);
  });

  it("accepts each code once, also for two simultaneous attempts", async () => {
    const { secret } = await setUp();
    const code = await codeNow(secret);
    const results = await Promise.all([catchErrorCode(logIn(code)), catchErrorCode(logIn(code))]);
    expect(results.sort()).toEqual([null, "bad_one_time_code"].sort());
    expect(await catchErrorCode(logIn(code))).toBe("bad_one_time_code");
  });

  it("carries no password between the steps, and expires after five minutes or with a new password", async () => {
    const { secret } = await setUp();
    const pending = await startLogIn();
    expect(pending).not.toContain(owner.user.email);
    expect(Buffer.from(pending, "base64url").toString("latin1")).not.toContain(PASSWORD);
    expect(await catchErrorCode(completeLogIn("made-up", await codeNow(secret)))).toBe("second_step_expired");
    testApp.time.now += 5 * 60_000;
    expect(await catchErrorCode(completeLogIn(pending, await codeNow(secret)))).toBe("second_step_expired");
    const otherPending = await startLogIn();
    await testApp.services.account.changePassword({
      actor: owner.actor,
      sessionId: "",
      currentPassword: PASSWORD,
      password: "another long password",
    });
    expect(await catchErrorCode(completeLogIn(otherPending, await codeNow(secret)))).toBe(
      "second_step_expired",
    );
  });

  it("rejects codes after ten wrong ones in a row, even if the rate limit has no record of them, until a recovery code is used", async () => {
    const { secret, recoveryCodes } = await setUp();
    for (let guess = 0; guess < 10; guess++) {
      expect(await catchErrorCode(logIn(String(guess).padStart(6, "0")))).toBe("bad_one_time_code");
      testApp.limiter.failedKeys.length = 0;
    }
    expect(await catchErrorCode(logIn(await codeNow(secret)))).toBe("rate_limited");
    expect(await catchErrorCode(logIn(recoveryCodes[0]))).toBeNull();
    expect(await catchErrorCode(logIn(await codeNow(secret)))).toBeNull();
  });

  it("checks at most ten simultaneous guesses of a recovery code", async () => {
    await setUp();
    const guesses = Array.from({ length: 11 }, () => catchErrorCode(logIn("ABCD-EFGH-IJKL-MNOP")));
    expect((await Promise.all(guesses)).filter((code) => code === "rate_limited")).toHaveLength(1);
  });

  it("accepts each recovery code once, also in lower case with spaces, and notifies the owner", async () => {
    const { recoveryCodes } = await setUp();
    const [first = "", second = ""] = recoveryCodes;
    expect(await catchErrorCode(logIn(first.toLowerCase().replaceAll("-", " ")))).toBeNull();
    expect(await catchErrorCode(logIn(first))).toBe("bad_one_time_code");
    expect(await catchErrorCode(completeLogIn(await startLogIn(), second))).toBeNull();
    expect(await testApp.services.secondFactor.getSecondFactor(owner)).toMatchObject({ recoveryCodes: 8 });
    expect(await mailsTo(owner.user.email)).toContain("【Hiroba】リカバリーコードが使われました");
  });

  it("requests no code without an app", async () => {
    expect(await catchErrorCode(logIn())).toBeNull();
  });
});

describe("removing the app and renewing the recovery codes", () => {
  it("invalidates the earlier codes, requires the password ten minutes after the log-in, and notifies the owner of the removal", async () => {
    const { recoveryCodes } = await setUp();
    const newCodes = await testApp.services.secondFactor.renewRecoveryCodes(withRecentLogIn(owner));
    expect(await catchErrorCode(logIn(recoveryCodes[0]))).toBe("bad_one_time_code");
    expect(await catchErrorCode(logIn(newCodes[0]))).toBeNull();
    const lateRequest = {
      ...withRecentLogIn(owner),
      authenticatedAt: new Date(testApp.time.now - 10 * 60_000).toISOString(),
    };
    const { renewRecoveryCodes, removeSecondFactor } = testApp.services.secondFactor;
    for (const change of [renewRecoveryCodes, removeSecondFactor])
      expect(await catchErrorCode(change(lateRequest))).toBe("password_required");
    await testApp.services.secondFactor.removeSecondFactor({ ...lateRequest, currentPassword: PASSWORD });
    expect(await catchErrorCode(logIn())).toBeNull();
    expect(await mailsTo(owner.user.email)).toContain("【Hiroba】認証アプリが解除されました");
    expect(
      await catchErrorCode(testApp.services.secondFactor.removeSecondFactor(withRecentLogIn(owner))),
    ).toBe("not_found");
  });
});

describe("a reset", () => {
  const reset = ({ actor }: Pick<TestUser, "actor">, userId = owner.user.id) =>
    testApp.services.secondFactor.resetSecondFactor({ actor, userId });

  it("by another administrator removes the app, passkeys and sessions, is audited and mailed", async () => {
    const { recoveryCodes } = await setUp();
    await logIn(recoveryCodes[0]);
    await testApp.db.insert(passkeys).values({
      id: "lost",
      userId: owner.user.id,
      publicKey: "k",
      counter: 0,
      transports: [],
      name: "n",
      createdAt: testApp.currentInstant(),
    });
    await reset(admin);
    expect(await testApp.db.select().from(secondFactors)).toHaveLength(0);
    expect(await testApp.db.select().from(passkeys)).toHaveLength(0);
    expect(await testApp.db.select().from(sessions).where(eq(sessions.userId, owner.user.id))).toHaveLength(
      0,
    );
    const [entry] = await testApp.db.select().from(audit).where(eq(audit.action, "second_factor_reset"));
    expect(entry).toMatchObject({ actorId: admin.user.id, resourceId: owner.user.id });
    expect(await mailsTo(owner.user.email)).toContain("【Hiroba】二段階認証がリセットされました");
    expect(await catchErrorCode(logIn())).toBeNull();
    expect(await catchErrorCode(reset(admin))).toBe("not_found");
  });

  it("is rejected for users who are not administrators, for one's own account, ten minutes after the last authentication, and for API tokens", async () => {
    await setUp();
    expect(await catchErrorCode(reset(owner))).toBe("not_found");
    expect(await catchErrorCode(reset(admin, admin.user.id))).toBe("own_account");
    const credential = {
      ...({ kind: "session", id: "s", network: null } as const),
      authenticatedAt: new Date(testApp.time.now - 10 * 60_000).toISOString(),
    };
    expect(await catchErrorCode(reset({ actor: { ...admin.actor, credential } }))).toBe(
      "reauthentication_required",
    );
    expect(await catchErrorCode(reset({ actor: { ...admin.actor, scopes: ["people"] } }))).toBe(
      "token_not_allowed",
    );
    expect(await testApp.db.select().from(secondFactors)).toHaveLength(1);
  });

  it("by the command `npm run admin` is mailed although the mail to another owner is rejected", async () => {
    const { secondFactors } = testApp.data;
    for (const rejected of [owner, admin]) {
      const rows = [owner, admin].map(({ user }) => ({ userId: user.id, at: testApp.currentInstant() }));
      await testApp.db.insert(secondFactorResets).values(rows).onConflictDoNothing();
      const recipients: string[] = [];
      const send = async ({ to }: Mail) => {
        if (to === rejected.user.email) throw new Error("rejected");
        recipients.push(to);
      };
      const deps = {
        secondFactors,
        mailer: { send },
        emailTemplate,
        origin: "https://hiroba.test",
        clock: { now: () => testApp.time.now },
      };
      await expect(mailSecondFactorResets(deps)).rejects.toThrow();
      expect(recipients).toEqual([(rejected === owner ? admin : owner).user.email]);
    }
  });

  it("by the command is mailed although the mails of twenty earlier resets are rejected, which are given up after a day", async () => {
    const { secondFactors } = testApp.data;
    const insertReset = (userId: string) =>
      testApp.db.insert(secondFactorResets).values({ userId, at: testApp.currentInstant() });
    for (let n = 0; n < 20; n++) await insertReset((await testApp.addUser()).user.id);
    testApp.time.now += 60_000;
    await insertReset(owner.user.id);
    const recipients: string[] = [];
    const send = async ({ to }: Mail) => {
      if (to !== owner.user.email) throw new Error("rejected");
      recipients.push(to);
    };
    const deps = {
      secondFactors,
      mailer: { send },
      emailTemplate,
      origin: "https://hiroba.test",
      clock: { now: () => testApp.time.now },
    };
    await expect(mailSecondFactorResets(deps)).rejects.toThrow();
    expect(recipients).toEqual([owner.user.email]);
    expect(await secondFactors.listResets(100)).toHaveLength(20);
    testApp.time.now += 24 * 60 * 60_000;
    await expect(mailSecondFactorResets(deps)).rejects.toThrow();
    expect(await secondFactors.listResets(100)).toEqual([]);
    expect(await mailSecondFactorResets(deps)).toBe(0);
  });

  it("by the command is audited, and mailed by the cron job once", async () => {
    await setUp();
    const deps = {
      secondFactors: testApp.data.secondFactors,
      clock: { now: () => testApp.time.now },
      ids: idSource,
    };
    expect(await resetSecondFactorByCommand(deps, { userId: owner.user.id })).toBe(true);
    expect(await resetSecondFactorByCommand(deps, { userId: owner.user.id })).toBe(false);
    expect(await testApp.services.secondFactor.mailSecondFactorResets()).toBe(1);
    expect(await testApp.services.secondFactor.mailSecondFactorResets()).toBe(0);
    expect(await mailsTo(owner.user.email)).toContain("【Hiroba】二段階認証がリセットされました");
    const [entry] = await testApp.db.select().from(audit).where(eq(audit.action, "second_factor_reset"));
    expect(entry).toMatchObject({ actorId: null, detail: { by: "npm run admin" } });
  });
});

describe("a deployment in which administrators need a second factor", () => {
  beforeEach(() => {
    testApp.policy.requiresSecondFactor = true;
  });
  const adminSession = async (code?: string) => {
    const session = await logIn(code, PASSWORD, admin.user.email);
    return testApp.services.sessions.authenticate(session);
  };

  it("requires an administrator without one to set it up first, and other users need none", async () => {
    expect(await adminSession()).toMatchObject({ mustSetUpFactor: true });
    const { secret } = await setUp(admin);
    expect(await adminSession(await codeNow(secret))).toMatchObject({ mustSetUpFactor: false });
    const session = await logIn();
    expect(await testApp.services.sessions.authenticate(session)).toMatchObject({ mustSetUpFactor: false });
  });

  it("rejects the password of an administrator who has only a passkey", async () => {
    await testApp.db.insert(passkeys).values({
      id: "key",
      userId: admin.user.id,
      publicKey: "k",
      counter: 0,
      transports: [],
      name: "n",
      createdAt: testApp.currentInstant(),
    });
    expect(await catchErrorCode(adminSession())).toBe("passkey_required");
    expect(await catchErrorCode(logIn(undefined, "wrong", admin.user.email))).toBe("bad_credentials");
  });

  it("rejects an administrator's reads of one record while the factor is not set up", async () => {
    const { space } = await testApp.addSpace(admin);
    const { ticket } = await logIn(undefined, PASSWORD, admin.user.email);
    const read = testApp.services.authenticatedReads.readSpace({ ticket, id: space.id });
    expect(await catchErrorCode(read)).toBe("second_factor_setup_required");
  });
});
