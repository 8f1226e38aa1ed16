import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { logInGuesses, logInNetworks } from "#functions/data/schema";
import { KNOWN_NETWORK_DAYS, KNOWN_NETWORKS_MAX } from "~/domain/auth/attempt-delay";
import { DAY_MS } from "~/domain/shared/day";
import { mail } from "~/i18n/ja/mail";
import {
  catchErrorCode,
  PASSWORD,
  type TestApp,
  type TestUser,
  useTestApp,
} from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;

const MINUTE_MS = 60_000;
const HOME = "192.0.2.1";
const ELSEWHERE = "198.51.100.7";

type LogIn = Parameters<TestApp["services"]["sessions"]["logIn"]>[0];

beforeEach(async () => {
  owner = await testApp.addUser({ email: "owner@demo.example" });
});

const logIn = (fields: Partial<LogIn> = {}) =>
  testApp.services.sessions.logIn({
    email: "owner@demo.example",
    password: PASSWORD,
    userAgent: "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36",
    network: ELSEWHERE,
    ...fields,
  });
const awaitDeferred = () => Promise.all(testApp.deferred.splice(0));
/** Advances the clock and resets the rate limits' windows. */
const advanceTime = (ms: number) => {
  testApp.time.now += ms;
  testApp.limiter.failedKeys.length = 0;
};
const guess = async (fields: Partial<LogIn> = {}) => {
  const code = await catchErrorCode(logIn({ password: "wrong", ...fields }));
  await awaitDeferred();
  return code;
};
const guessTimes = async (count: number, fields: Partial<LogIn> = {}) => {
  const codes: (string | null)[] = [];
  for (let i = 0; i < count; i++) codes.push(await guess(fields));
  return codes;
};
const mailsAbout = async (subject: string) => {
  await awaitDeferred();
  return testApp.mails.filter((sentMail) => sentMail.subject === subject);
};
const failureOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe("guessing at an account", () => {
  it.each(["owner@demo.example", "nobody@demo.example"])(
    "is delayed increasingly, whether or not the account exists: %s",
    async (email) => {
      expect(new Set(await guessTimes(10, { email }))).toEqual(new Set(["bad_credentials"]));
      advanceTime(MINUTE_MS);
      expect(await guess({ email })).toBe("rate_limited");
      expect(await failureOf(logIn({ email }))).toMatchObject({
        code: "rate_limited",
        retryAfter: 60,
        userMessage: { key: "api:services.rateLimited" },
      });
      advanceTime(MINUTE_MS);
      expect(await guess({ email })).toBe("bad_credentials");
      expect(new Set(await guessTimes(9, { email }))).toEqual(new Set(["rate_limited"]));
      advanceTime(2 * MINUTE_MS);
      for (let i = 0; i < 9; i++) {
        expect(await guess({ email })).toBe("bad_credentials");
        advanceTime(2 * MINUTE_MS);
      }
      expect(await failureOf(logIn({ email }))).toMatchObject({
        retryAfter: 120,
        userMessage: { key: "api:services.guessDelayed", values: { minutes: 2 } },
      });
    },
  );

  it("checks at most 100 guesses an hour, from ten networks together", async () => {
    let checked = 0;
    for (let minute = 0; minute < 120; minute++) {
      for (let i = 0; i < 10; i++)
        if ((await guess({ network: `203.0.113.${i}` })) === "bad_credentials") checked++;
      if (minute === 59) expect(checked).toBeLessThanOrEqual(100);
      advanceTime(MINUTE_MS);
    }
    expect(checked).toBeLessThanOrEqual(200);
  });

  it("is written at most once a minute without losing a guess", async () => {
    const writes = () =>
      testApp.spy.statements.filter(({ sql }) => /^insert into "log_in_guesses"/.test(sql)).length;
    await guessTimes(8);
    expect(writes()).toBe(1);
    advanceTime(MINUTE_MS);
    await guess();
    expect(writes()).toBe(2);
    const [row] = await testApp.db.select().from(logInGuesses);
    expect(row).toMatchObject({ id: `account:${owner.user.id}`, hour: 9, day: 9, lastAt: testApp.time.now });
  });

  it("stores no address and no network as text, and short row ids for addresses without an account", async () => {
    for (let i = 0; i < 40; i++) await guess({ email: `x${i}@demo.example`, network: `203.0.113.${i}` });
    await logIn({ network: HOME });
    await awaitDeferred();
    const rows = await testApp.db.select().from(logInGuesses);
    expect(rows.every(({ id }) => /^unknown:[0-9a-f]{4}$/.test(id))).toBe(true);
    const dump = JSON.stringify([rows, await testApp.db.select().from(logInNetworks)]);
    expect(dump).not.toMatch(/demo\.example|203\.0|192\.0/);
  });

  it("leaves records that are deleted after two days, and known networks are deleted after ninety days", async () => {
    await guess();
    await logIn({ network: HOME });
    await awaitDeferred();
    advanceTime(2 * DAY_MS);
    expect(await testApp.services.sessions.deleteOldGuesses()).toBe(0);
    advanceTime(1);
    expect(await testApp.services.sessions.deleteOldGuesses()).toBe(1);
    advanceTime(KNOWN_NETWORK_DAYS * DAY_MS);
    expect(await testApp.services.sessions.deleteOldGuesses()).toBe(1);
  });

  it("is limited for a /48 network whose guesses come from many /64 networks", async () => {
    let rejected = 0;
    for (let i = 0; i < 320; i++) {
      const network = `2001:db8:7:${i.toString(16)}::/64`;
      if ((await guess({ email: `y${i}@demo.example`, network })) === "rate_limited") rejected++;
    }
    expect(rejected).toBe(20);
    expect(await guess({ email: "z@demo.example", network: "2001:db8:8:1::/64" })).toBe("bad_credentials");
  });
});

describe("during an attack", () => {
  const attack = async () => {
    await guessTimes(10);
    for (let i = 0; i < 10; i++) {
      advanceTime(2 * MINUTE_MS);
      await guess();
    }
    expect(await guess()).toBe("rate_limited");
  };

  it("a known browser can still log in, and has separate delays", async () => {
    const { browser = "" } = await logIn({ network: HOME, browser: null });
    await attack();
    expect(await catchErrorCode(logIn({ browser: null }))).toBe("rate_limited");
    expect(await catchErrorCode(logIn({ browser }))).toBeNull();
    await guessTimes(10, { browser });
    advanceTime(MINUTE_MS);
    expect(await catchErrorCode(logIn({ browser }))).toBe("rate_limited");
  });

  it("a browser stays known for an account after another account has logged in there", async () => {
    await testApp.addUser({ email: "other@demo.example" });
    const ownerSession = await logIn({ browser: null });
    const otherSession = await logIn({ email: "other@demo.example", browser: ownerSession.browser });
    await attack();
    expect(await catchErrorCode(logIn({ browser: otherSession.browser, network: HOME }))).toBeNull();
  });

  it("a network that has logged in within ninety days can still log in at the API, and has separate delays", async () => {
    await logIn({ network: HOME });
    await awaitDeferred();
    expect(await guessTimes(11)).toContain("rate_limited");
    expect(await catchErrorCode(logIn({ network: HOME }))).toBeNull();
    await guessTimes(10, { network: HOME });
    advanceTime(MINUTE_MS);
    expect(await catchErrorCode(logIn({ network: HOME }))).toBe("rate_limited");
    advanceTime(KNOWN_NETWORK_DAYS * DAY_MS);
    await guessTimes(10);
    expect(await catchErrorCode(logIn({ network: HOME }))).toBe("rate_limited");
  });

  it("keeps only the latest networks of an account", async () => {
    for (let i = 0; i < KNOWN_NETWORKS_MAX + 3; i++) {
      await logIn({ network: `203.0.113.${i}` });
      await awaitDeferred();
      advanceTime(1000);
    }
    expect(await testApp.db.select().from(logInNetworks)).toHaveLength(KNOWN_NETWORKS_MAX);
    await guessTimes(10);
    expect(await catchErrorCode(logIn({ network: "203.0.113.0" }))).toBe("rate_limited");
    expect(await catchErrorCode(logIn({ network: "203.0.113.22" }))).toBeNull();
  });

  it("the owner is notified once a day", async () => {
    await attack();
    expect(await mailsAbout(mail.accountAttacked.subject)).toMatchObject([{ to: "owner@demo.example" }]);
    for (let i = 0; i < 5; i++) {
      advanceTime(10 * MINUTE_MS);
      await guess();
    }
    expect(await mailsAbout(mail.accountAttacked.subject)).toHaveLength(1);
    advanceTime(DAY_MS);
    await attack();
    expect(await mailsAbout(mail.accountAttacked.subject)).toHaveLength(2);
  });

  it("attempts at an address without an account, or at one that may not log in, notify no one", async () => {
    await testApp.addUser({ email: "blocked@demo.example", status: "BLOCKED" });
    for (const email of ["blocked@demo.example", "nobody@demo.example"])
      for (let i = 0; i < 22; i++) {
        await guess({ email });
        advanceTime(3 * MINUTE_MS);
      }
    await awaitDeferred();
    expect(testApp.mails).toEqual([]);
  });
});

describe("a log-in", () => {
  it("in a new browser is reported to the owner, and in a known browser is not", async () => {
    const { browser } = await logIn({ browser: null });
    const [newBrowserMail] = await mailsAbout(mail.newBrowser.subject);
    expect(newBrowserMail).toMatchObject({ to: "owner@demo.example" });
    expect(newBrowserMail?.text).toContain("Chrome, Windows");
    await logIn({ browser, network: HOME });
    expect(await mailsAbout(mail.newBrowser.subject)).toHaveLength(1);
    await logIn({ browser: "made up" });
    expect(await mailsAbout(mail.newBrowser.subject)).toHaveLength(2);
  });

  it("of a program is reported once per network, without its user agent", async () => {
    for (const network of [HOME, HOME, ELSEWHERE]) {
      await logIn({ network, userAgent: "Call +1 555 0100 at once" });
      await awaitDeferred();
    }
    const mails = await mailsAbout(mail.newBrowser.subject);
    expect(mails).toHaveLength(2);
    expect(JSON.stringify(mails)).not.toContain("555");
  });
});

it("attempts at the password of a logged-in user are delayed as well", async () => {
  const change = () =>
    catchErrorCode(
      testApp.services.account.changePassword({
        actor: owner.actor,
        sessionId: randomUUID(),
        currentPassword: "wrong",
        password: "a new long password",
      }),
    );
  for (let i = 0; i < 10; i++) expect(await change()).toBe("wrong_password");
  await awaitDeferred();
  advanceTime(MINUTE_MS);
  expect(await change()).toBe("rate_limited");
  advanceTime(MINUTE_MS);
  expect(await change()).toBe("wrong_password");
});
