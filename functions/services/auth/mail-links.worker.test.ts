import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { audit, sessions, userLinks } from "#functions/data/schema";
import { LINK_LIFETIME_MS, LINKS_PER_HOUR } from "~/domain/auth/mail-links";
import type { UserStatus } from "~/domain/shared/model";
import { catchErrorCode, PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let person: TestUser;
let admin: TestUser;

beforeEach(async () => {
  person = await testApp.addUser({ email: "person@demo.example" });
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
});

const NEW_PASSWORD = "a brand new password";
const awaitDeferred = async () => {
  await Promise.all(testApp.deferred.splice(0));
};
/** The token in the latest mail. */
const token = () => /\?token=([\w-]{43})/.exec(testApp.mails.at(-1)?.text ?? "")?.[1] ?? "";
const requestLink = async (
  email = "person@demo.example",
  actor: TestUser["actor"] | null = null,
  network = "192.0.2.1",
) => {
  await testApp.services.passwords.requestReset({ actor, email, network });
  await awaitDeferred();
};
const reset = (link = token(), password = NEW_PASSWORD) =>
  testApp.services.passwords.resetPassword({ token: link, password });
const inspectReset = (link = token()) => testApp.services.passwords.inspectReset({ token: link });
const logIn = (password: string, email = "person@demo.example") =>
  catchErrorCode(
    testApp.services.sessions.logIn({ email, password, userAgent: "test", network: "198.51.100.7" }),
  );
const statusOf = async (who: TestUser) => (await testApp.readAccount(who.user.id))?.status;

describe("requesting a new password", () => {
  it("mails a link in the account's language, whose token is stored only as its hash", async () => {
    await requestLink(" Person@Demo.Example ");
    const [mail] = testApp.mails;
    expect(mail?.to).toBe("person@demo.example");
    expect(mail?.subject).toBe("【Hiroba】パスワードの再設定");
    expect(mail?.text).toContain(`https://hiroba.test/reset-password?token=${token()}&lang=ja`);
    const dump = JSON.stringify([
      await testApp.db.select().from(userLinks),
      await testApp.db.select().from(audit),
    ]);
    expect(dump).toContain("reset_link_sent");
    expect(dump).not.toContain(token());
  });

  it("makes the same number of round trips before the response, whether or not the account exists", async () => {
    const roundTrips: number[] = [];
    for (const email of ["person@demo.example", "nobody@demo.example"]) {
      roundTrips.push(
        await testApp.countRoundTrips(() =>
          testApp.services.passwords.requestReset({ actor: person.actor, email, network: "192.0.2.1" }),
        ),
      );
      expect([email, testApp.deferred.length, testApp.mails]).toEqual([email, 1, []]);
      await awaitDeferred();
      testApp.mails.length = 0;
    }
    expect(roundTrips[1]).toBe(roundTrips[0]);
  });

  it("reports only to administrators that there is no such account", async () => {
    expect(await catchErrorCode(requestLink("nobody@demo.example", admin.actor))).toBe("unknown_email");
    expect(await catchErrorCode(requestLink("nobody@demo.example", person.actor))).toBeNull();
    expect(await catchErrorCode(requestLink("nobody@demo.example"))).toBeNull();
    expect(testApp.mails).toEqual([]);
  });

  it("reports a rejected mail, and leaves no link behind", async () => {
    testApp.mailTransport.isFailing = true;
    expect(await catchErrorCode(requestLink("person@demo.example", admin.actor))).toBe("mail_not_sent");
    expect(await testApp.db.select().from(userLinks)).toEqual([]);
    await testApp.services.passwords.requestReset({
      actor: null,
      email: "person@demo.example",
      network: "x",
    });
    const [work] = await Promise.allSettled(testApp.deferred.splice(0));
    expect(work?.status).toBe("rejected");
  });

  it("is limited per address and per network, whether or not the account exists", async () => {
    for (const email of ["person@demo.example", "nobody@demo.example"]) {
      const codes = [];
      for (let i = 0; i < 11; i++) codes.push(await catchErrorCode(requestLink(email, null, `192.0.2.${i}`)));
      expect(codes).toEqual([...Array(10).fill(null), "rate_limited"]);
    }
    for (let i = 0; i < 50; i++) await requestLink(`n${i}@demo.example`, null, "198.51.100.1");
    expect(await catchErrorCode(requestLink("other@demo.example", null, "198.51.100.1"))).toBe(
      "rate_limited",
    );
    expect(testApp.mails).toHaveLength(LINKS_PER_HOUR);
  });

  it("closes the previous link, and no link of another user", async () => {
    const other = await testApp.addUser({ email: "other@demo.example" });
    await requestLink("other@demo.example");
    const otherToken = token();
    await requestLink();
    const firstToken = token();
    await requestLink();
    expect(await catchErrorCode(inspectReset(firstToken))).toBe("link_expired");
    expect(await catchErrorCode(reset(firstToken))).toBe("link_expired");
    expect(await inspectReset()).toEqual({ email: person.user.email });
    expect(await inspectReset(otherToken)).toEqual({ email: other.user.email });
  });
});

describe("a link to a new password", () => {
  it("sets it, ends every session, logs no one in, and notifies the owner", async () => {
    await testApp.services.sessions.logIn({
      email: "person@demo.example",
      password: PASSWORD,
      userAgent: "",
      network: "z",
    });
    // The mail about the log-in must not follow the mail with the link.
    await awaitDeferred();
    await requestLink();
    expect(await inspectReset()).toEqual({ email: "person@demo.example" });
    await reset();
    await awaitDeferred();
    expect(await testApp.db.select().from(sessions)).toEqual([]);
    expect([await logIn(PASSWORD), await logIn(NEW_PASSWORD)]).toEqual(["bad_credentials", null]);
    expect(testApp.mails.at(-1)?.subject).toBe("【Hiroba】パスワードが変更されました");
    expect(testApp.mails.at(-1)?.text).toMatch(
      /パスキーは引き続き使えます.*https:\/\/hiroba\.test\/account\/security\n/s,
    );
    const entries = await testApp.db.select().from(audit).where(eq(audit.action, "password_reset"));
    expect(entries).toMatchObject([{ actorId: person.user.id, resourceId: person.user.id, detail: {} }]);
  });

  it("works once, also for two simultaneous uses", async () => {
    await requestLink();
    const link = token();
    const codes = await Promise.all([
      catchErrorCode(reset(link, "first password")),
      catchErrorCode(reset(link, "second password")),
    ]);
    expect(codes.sort()).toEqual([null, "link_used"].sort());
    const logIns = [await logIn("first password"), await logIn("second password")];
    expect(logIns.filter((code) => code === null)).toHaveLength(1);
    expect(await catchErrorCode(inspectReset(link))).toBe("link_used");
    expect(await testApp.db.select().from(audit).where(eq(audit.action, "password_reset"))).toHaveLength(1);
  });

  it("stays valid when its page is opened", async () => {
    await requestLink();
    for (let i = 0; i < 3; i++) await inspectReset();
    await reset();
    expect(await logIn(NEW_PASSWORD)).toBeNull();
  });

  it("expires after an hour, to the millisecond", async () => {
    await requestLink();
    testApp.time.now += LINK_LIFETIME_MS.reset - 1;
    await inspectReset();
    testApp.time.now += 1;
    expect([await catchErrorCode(inspectReset()), await catchErrorCode(reset())]).toEqual([
      "link_expired",
      "link_expired",
    ]);
    expect(await logIn(PASSWORD)).toBeNull();
  });

  it("expires when the account's address changes", async () => {
    await requestLink();
    await testApp.binding
      .prepare("UPDATE users SET email = 'new@demo.example', email_key = 'new@demo.example' WHERE id = ?")
      .bind(person.user.id)
      .run();
    expect(await catchErrorCode(reset())).toBe("link_expired");
  });

  it("does not close an invitation, which is required to verify the address; accepting the invitation closes the link", async () => {
    const guest = await testApp.addUser({ email: "guest@demo.example", status: "EMAIL_UNVERIFIED" });
    await testApp.services.invitations.inviteUser({ actor: admin.actor, userId: guest.user.id });
    const invitation = token();
    await requestLink("guest@demo.example");
    await reset();
    expect(await logIn(NEW_PASSWORD, "guest@demo.example")).toBe("email_unverified");
    await requestLink("guest@demo.example");
    const secondToken = token();
    await testApp.services.invitations.acceptInvitation({ token: invitation, password: NEW_PASSWORD });
    expect(await catchErrorCode(reset(secondToken))).toBe("link_expired");
    expect(await logIn(NEW_PASSWORD, "guest@demo.example")).toBeNull();
  });

  it.each<string | null>(["", "x".repeat(43), "../".repeat(15), null])(
    "%j is not a valid token: the new password is not hashed, and the old one stays",
    async (link) => {
      const originalHash = testApp.hasher.hash;
      testApp.hasher.hash = () => Promise.reject(new Error("hashed"));
      expect(
        await catchErrorCode(
          testApp.services.passwords.resetPassword({ token: link, password: NEW_PASSWORD }),
        ),
      ).toBe("link_unknown");
      testApp.hasher.hash = originalHash;
      expect(await logIn(PASSWORD)).toBeNull();
    },
  );

  it("is not valid for another purpose", async () => {
    await requestLink();
    const link = token();
    expect(
      await catchErrorCode(
        testApp.services.invitations.acceptInvitation({ token: link, password: NEW_PASSWORD }),
      ),
    ).toBe("link_unknown");
    expect(await catchErrorCode(reset(link))).toBeNull();
  });

  it.each(["EMAIL_UNVERIFIED", "EMAIL_VERIFIED", "DISAPPROVED", "BLOCKED"] as const)(
    "does not change the status of an account that is %s",
    async (status) => {
      const other = await testApp.addUser({ email: "other@demo.example", status });
      await requestLink("other@demo.example");
      await reset();
      expect(await statusOf(other)).toBe(status);
      expect(await logIn(NEW_PASSWORD, "other@demo.example")).not.toBeNull();
    },
  );

  it("works when the account is saved while the password is hashed, which is not repeated", async () => {
    await requestLink();
    const hash = testApp.hasher.hash;
    let hashCount = 0;
    testApp.hasher.hash = async (password) => {
      hashCount++;
      await testApp.binding
        .prepare("UPDATE users SET version = version + 1 WHERE id = ?")
        .bind(person.user.id)
        .run();
      return hash(password);
    };
    await reset();
    expect(hashCount).toBe(1);
    expect(await logIn(NEW_PASSWORD)).toBeNull();
  });

  it("is deleted a month after its expiry", async () => {
    await requestLink();
    testApp.time.now += LINK_LIFETIME_MS.reset + 30 * 86_400_000;
    expect(await testApp.services.links.deleteExpiredLinks()).toBe(0);
    testApp.time.now += 1;
    expect(await testApp.services.links.deleteExpiredLinks()).toBe(1);
  });
});

describe("an invitation", () => {
  let guest: TestUser;
  beforeEach(async () => {
    guest = await testApp.addUser({
      email: "guest@demo.example",
      status: "EMAIL_UNVERIFIED",
      language: "en",
    });
  });
  const invite = (fields: { activates?: boolean; actor?: TestUser["actor"] } = {}) =>
    testApp.services.invitations.inviteUser({ actor: admin.actor, userId: guest.user.id, ...fields });
  const accept = (link = token()) =>
    testApp.services.invitations.acceptInvitation({ token: link, password: NEW_PASSWORD });

  it("verifies the address, sets the password, and activates an account that was approved in advance", async () => {
    await invite();
    expect(testApp.mails.at(-1)).toMatchObject({
      to: "guest@demo.example",
      subject: "Your invitation to Hiroba",
    });
    expect(testApp.mails.at(-1)?.text).toContain("https://hiroba.test/accept-invitation?token=");
    expect(await testApp.services.invitations.inspectInvitation({ token: token() })).toEqual({
      email: "guest@demo.example",
      firstName: "花子",
      lastName: "山田",
      activates: true,
    });
    expect(await accept()).toEqual({ status: "ACTIVATED" });
    expect(await logIn(NEW_PASSWORD, "guest@demo.example")).toBeNull();
    expect(await catchErrorCode(accept())).toBe("link_used");
  });

  it("leaves the approval to an administrator if that was chosen, also when it is sent again", async () => {
    await invite({ activates: false });
    const firstToken = token();
    await invite();
    expect(await catchErrorCode(accept(firstToken))).toBe("link_expired");
    expect(await accept()).toEqual({ status: "EMAIL_VERIFIED" });
    expect(await logIn(NEW_PASSWORD, "guest@demo.example")).toBe("approval_pending");
  });

  it("is not valid after an administrator has changed the status", async () => {
    for (const status of ["DISAPPROVED", "BLOCKED"] satisfies UserStatus[]) {
      await invite();
      await testApp.binding
        .prepare("UPDATE users SET status = ? WHERE id = ?")
        .bind(status, guest.user.id)
        .run();
      expect(await catchErrorCode(accept())).toBe("link_expired");
      expect(await statusOf(guest)).toBe(status);
      await testApp.binding
        .prepare("UPDATE users SET status = 'EMAIL_UNVERIFIED' WHERE id = ?")
        .bind(guest.user.id)
        .run();
    }
  });

  it("is sent only by administrators, only to accounts with an unverified address, and a few times an hour", async () => {
    expect(await catchErrorCode(invite({ actor: person.actor }))).toBe("forbidden");
    expect(
      await catchErrorCode(
        testApp.services.invitations.inviteUser({ actor: admin.actor, userId: person.user.id }),
      ),
    ).toBe("not_invited");
    expect(
      await catchErrorCode(
        testApp.services.invitations.inviteUser({ actor: admin.actor, userId: crypto.randomUUID() }),
      ),
    ).toBe("not_found");
    for (let i = 0; i < LINKS_PER_HOUR; i++) await invite();
    expect(await catchErrorCode(invite())).toBe("rate_limited");
    testApp.time.now += 3_600_001;
    expect(await catchErrorCode(invite())).toBeNull();
  });

  it("reports a rejected mail, and may be sent again", async () => {
    testApp.mailTransport.isFailing = true;
    for (let i = 0; i < LINKS_PER_HOUR + 1; i++) expect(await catchErrorCode(invite())).toBe("mail_not_sent");
    testApp.mailTransport.isFailing = false;
    await invite();
    expect(await accept()).toEqual({ status: "ACTIVATED" });
  });
});
