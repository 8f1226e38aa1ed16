import { beforeEach, describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { commonPasswords } from "../../../scripts/lib/build/common-passwords";
import { apiUser } from "../../../tests/support/api/api-user";
import { PASSWORD, type TestUser, useTestApp } from "../../../tests/support/app/test-app";

const testApp = useTestApp();
let owner: TestUser;

beforeEach(async () => {
  owner = await testApp.addUser({
    email: "hanako.yamada@demo.example",
    firstName: "花子",
    lastName: "山田",
  });
});

/** Returns the first error of a new password with its field, as "field key"; null if the password is accepted. */
const catchFirstError = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { readonly fields?: Readonly<Record<string, readonly { readonly key: string }[]>> }) =>
      Object.entries(error.fields ?? { "": [] }).map(([field, errors]) => `${field} ${errors[0]?.key}`)[0],
  );

const WEAK = [
  ["password1", "auth:errors.password.common"],
  ["ＱＷＥＲＴＹuiop", "auth:errors.password.common"],
  ["Hanako.Yamada1", "auth:errors.password.ownWords"],
  ["山田花子2026", "auth:errors.password.ownWords"],
  ["hiroba2026", "auth:errors.password.productName"],
] as const;

/** Returns the token of the link in the latest mail. */
const readMailedToken = async () => {
  await Promise.all(testApp.deferred.splice(0));
  return /token=([A-Za-z0-9_-]{43})/.exec(testApp.mails.at(-1)?.text ?? "")?.[1] ?? "";
};

describe("an easily guessed password is rejected with the name of its field", () => {
  it("in the account form", async () => {
    const change = (password: string) =>
      testApp.services.account.changePassword({
        actor: owner.actor,
        sessionId: "",
        currentPassword: PASSWORD,
        password,
      });
    for (const [password, key] of WEAK)
      expect(await catchFirstError(change(password))).toBe(`password ${key}`);
    expect(await catchFirstError(change("the rain in Kyoto"))).toBeNull();
  });

  it("by the link of a reset, which stays valid", async () => {
    await testApp.services.passwords.requestReset({ actor: null, email: owner.user.email, network: "x" });
    const token = await readMailedToken();
    const reset = (password: string) => testApp.services.passwords.resetPassword({ token, password });
    for (const [password, key] of WEAK)
      expect(await catchFirstError(reset(password))).toBe(`password ${key}`);
    expect(await catchFirstError(reset("the rain in Kyoto"))).toBeNull();
  });

  it("by an invitation, which stays valid", async () => {
    const { user } = await testApp.addUser({
      email: "taro@demo.example",
      firstName: "太郎",
      password: null,
      status: "EMAIL_UNVERIFIED",
    });
    await testApp.services.invitations.inviteUser({ actor: testApp.admin, userId: user.id });
    const token = await readMailedToken();
    const accept = (password: string) => testApp.services.invitations.acceptInvitation({ token, password });
    expect(await catchFirstError(accept("iloveyou"))).toBe("password auth:errors.password.common");
    expect(await catchFirstError(accept("taro-1985"))).toBe("password auth:errors.password.ownWords");
    expect(await catchFirstError(accept("the rain in Kyoto"))).toBeNull();
  });

  it("when an account is created with one", async () => {
    expect(await catchFirstError(testApp.addUser({ password: "password1" }))).toBe(
      "password auth:errors.password.common",
    );
  });
});

it("an easily guessed password is rejected by the API with the name of the body's field", async () => {
  const { eventId } = await testApp.addSpace(owner);
  const call = await apiUser(testApp, owner);
  expect(await call("PUT", `/v1/events/${eventId}`, { publish_password: "password1" })).toMatchObject({
    status: 400,
    json: { code: "weak_password", errors: [{ field: "publish_password" }] },
  });
  const body = { current_password: PASSWORD, password: "password1" };
  expect(await call("PUT", "/v1/account/password", body)).toMatchObject({
    status: 400,
    json: { code: "weak_password", errors: [{ field: "password" }] },
  });
});

describe("a publish password", () => {
  it("is none of the most common passwords, and not made of the event's name, the owner's address or the product's name", async () => {
    const { eventId } = await testApp.addSpace(owner);
    const { event } = await testApp.services.events.getEvent({ actor: owner.actor, eventId });
    let { version } = event;
    const setPassword = async (password: string) => {
      const result = await testApp.services.events.updateEvent({
        actor: owner.actor,
        eventId,
        values: {
          ...event,
          eventName: newText("Spring preview"),
          version,
          publishPassword: { action: "set", password },
        },
      });
      if (result.status === "updated") version = result.event.version;
      return result;
    };
    expect(await catchFirstError(setPassword("password1"))).toBe(
      "publishPassword auth:errors.password.common",
    );
    expect(await catchFirstError(setPassword("SpringPreview"))).toBe(
      "publishPassword auth:errors.password.ownWords",
    );
    expect(await catchFirstError(setPassword("hanako.yamada"))).toBe(
      "publishPassword auth:errors.password.ownWords",
    );
    expect(await catchFirstError(setPassword("広場広場1234567"))).toBe(
      "publishPassword auth:errors.password.productName",
    );
    expect(await catchFirstError(setPassword("the rain in Kyoto"))).toBeNull();
    // The list for visitors' passwords is shorter.
    const rare = commonPasswords().find(({ rank }) => rank > 10_000)?.password ?? "";
    expect(await catchFirstError(setPassword(rare))).toBeNull();
    expect(await catchFirstError(testApp.addUser({ password: rare }))).toBe(
      "password auth:errors.password.common",
    );
  });
});
