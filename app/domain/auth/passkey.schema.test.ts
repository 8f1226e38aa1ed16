import { describe, expect, it } from "vitest";
import { softAuthenticator } from "../../../tests/support/browser/authenticator";
import { PASSKEY_NAME_MAX } from "../shared/limits";
import {
  createPasskeyAddSchema,
  createPasskeyBeginSchema,
  createPasskeyLoginSchema,
  createPasskeyRemoveSchema,
} from "./passkey.schema";

const device = softAuthenticator("https://hiroba.test");
const registration = {
  ...device.register("c"),
  rawId: device.id,
  type: "public-key",
  clientExtensionResults: {},
};
const signIn = { ...device.signIn("c", null), type: "public-key", authenticatorAttachment: "platform" };
const add = (credential: unknown, name: unknown = "鍵") =>
  createPasskeyAddSchema().safeParse({ name, credential });

describe("a browser's response", () => {
  it("is reduced to the parts that are needed", () => {
    const type = "public-key";
    expect(add(JSON.stringify(registration)).data?.credential).toEqual({ ...device.register("c"), type });
    expect(
      createPasskeyLoginSchema().safeParse({ credential: JSON.stringify(signIn) }).data?.credential,
    ).toEqual({ id: device.id, response: signIn.response, type });
  });

  it("is rejected with the same message for any fault", () => {
    const { response } = registration;
    for (const invalidResponse of [
      undefined,
      null,
      7,
      "",
      "{",
      "null",
      "[]",
      "{}",
      "x".repeat(1_000_000),
      JSON.stringify({ ...registration, id: "a b" }),
      JSON.stringify({ ...registration, id: "A".repeat(1365) }),
      JSON.stringify({ ...registration, type: "password" }),
      JSON.stringify({ ...registration, response: { ...response, attestationObject: undefined } }),
      JSON.stringify({ ...registration, response: { ...response, attestationObject: "=" } }),
      JSON.stringify({ ...registration, response: { ...response, transports: ["<b>"] } }),
    ]) {
      const parsed = add(invalidResponse);
      expect(parsed.error?.issues.map(({ path, message }) => [path.join(), message])).toEqual([
        ["credential", "auth:errors.passkey.failed"],
      ]);
    }
  });
});

describe("the passkey forms", () => {
  const nameError = (name: unknown) =>
    createPasskeyBeginSchema().safeParse({ name }).error?.issues[0]?.message;

  it("require a visible name that is not too long", () => {
    expect(nameError("仕事用")).toBeUndefined();
    expect(nameError("a".repeat(PASSKEY_NAME_MAX))).toBeUndefined();
    for (const name of ["", "  ", undefined, "\u200b"])
      expect(nameError(name)).toBe("auth:errors.passkey.nameRequired");
    expect(nameError("a".repeat(PASSKEY_NAME_MAX + 1))).toBe("auth:errors.passkey.nameTooLong");
    expect(nameError("a\nb")).toBe("shared-owners:errors.text.control");
  });

  it("accept a missing password, and reject invalid ids and a password that is too long", () => {
    const parse = (fields: object) => createPasskeyRemoveSchema().safeParse(fields);
    expect(parse({ passkeyId: "AA_-" }).data).toEqual({ passkeyId: "AA_-", currentPassword: "" });
    expect(parse({ passkeyId: "AA", currentPassword: "secret" }).data?.currentPassword).toBe("secret");
    for (const passkeyId of ["", undefined, "a b", "A".repeat(1_000_000), ["AA"]])
      expect(parse({ passkeyId }).success).toBe(false);
    expect(parse({ passkeyId: "AA", currentPassword: "x".repeat(1_000_000) }).success).toBe(false);
  });
});
