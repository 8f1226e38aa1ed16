import { expect, it } from "vitest";
import { repositories } from "#functions/data/shared/repositories";
import { catchErrorCode, useTestApp } from "../../../tests/support/app/test-app";
import { inviteFirstAdministrator } from "./administrators";

const testApp = useTestApp();

/** Calls the use case as the command `npm run admin` does. */
const invite = (email = "first.o'admin@demo.example", force = false) =>
  inviteFirstAdministrator(
    {
      ...repositories(testApp.binding),
      clock: { now: () => testApp.time.now },
      ids: { uuid: () => crypto.randomUUID(), token: newToken, sid: () => "" },
      origin: "https://hiroba.test",
    },
    { email, language: "en", force },
  );
let created = 0;
const newToken = () => String(++created).padStart(43, "x");
const tokenOf = (url: string) => /token=([\w-]{43})/.exec(url)?.[1] ?? "";
const accept = (url: string) =>
  testApp.services.invitations.acceptInvitation({ token: tokenOf(url), password: "a password of their own" });
const logIn = (password: string, email = "first.o'admin@demo.example") =>
  testApp.services.sessions.logIn({ email, password, userAgent: "", network: "1" });

it("invites an administrator without a usable password until the link has set one", async () => {
  const { url } = await invite();
  expect(url).toMatch(/^https:\/\/hiroba\.test\/accept-invitation\?token=[\w-]{43}&lang=en$/);
  expect(await catchErrorCode(logIn(""))).toBe("bad_credentials");
  expect(await accept(url)).toEqual({ status: "ACTIVATED" });
  const { user } = await logIn("a password of their own");
  expect(user).toMatchObject({ role: "admin", language: "en", email: "first.o'admin@demo.example" });
  expect(await testApp.data.folders.listByOwner(user.id, "space")).toHaveLength(1);
  expect(await testApp.data.folders.listByOwner(user.id, "media")).toHaveLength(1);
});

it("creates a new link for an administrator who lost the first one, and closes the first one", async () => {
  const first = await invite();
  const second = await invite();
  expect(await catchErrorCode(accept(first.url))).toBe("link_expired");
  expect(await catchErrorCode(accept(second.url))).toBeNull();
});

it("creates no second administrator while one may log in, unless it is forced", async () => {
  await accept((await invite()).url);
  expect(await catchErrorCode(invite("second@demo.example"))).toBe("forbidden");
  expect(await catchErrorCode(invite("second@demo.example", true))).toBeNull();
});

it("never turns an existing account into an administrator", async () => {
  const { user } = await testApp.addUser({ email: "somebody@demo.example", status: "EMAIL_UNVERIFIED" });
  for (const force of [false, true])
    expect(await catchErrorCode(invite("Somebody@demo.example", force))).toBe("email_taken");
  expect((await testApp.data.users.find(user.id))?.role).toBe("user");
});
