import { expect, it } from "vitest";
import { PASSWORD_MAX, PASSWORD_MIN } from "../shared/limits";
import { createPasswordChangeSchema } from "./account.schema";
import { createNewPasswordSchema, createRetrievePasswordSchema } from "./password.schema";

const messages = (value: unknown) => {
  const result = createNewPasswordSchema().safeParse(value);
  return result.success
    ? result.data
    : result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
};
const confirmed = (password: unknown) => messages({ password, passwordConfirmation: password });

it("accepts spaces, Japanese and emoji, and returns the form that is hashed", () => {
  for (const password of [
    "x".repeat(PASSWORD_MIN),
    "  spaces  ",
    "日本語のパスワード",
    "🔑".repeat(PASSWORD_MAX),
  ])
    expect(confirmed(password)).toEqual({ password, passwordConfirmation: password });
  expect(messages({ password: "ｐａｓｓｗｏｒｄ１", passwordConfirmation: "password1" })).toMatchObject({
    password: "password1",
  });
});

it("reports all errors of a field, and those of both fields", () => {
  expect(messages({})).toEqual([
    "password: auth:errors.password.required",
    "passwordConfirmation: auth:errors.password.required",
  ]);
  expect(confirmed("x".repeat(PASSWORD_MIN - 1))).toEqual(["password: auth:errors.password.tooShort"]);
  expect(confirmed("x".repeat(PASSWORD_MAX + 1))).toContain("password: auth:errors.password.tooLong");
  expect(confirmed("x".repeat(1_000_000))).toContain("password: auth:errors.password.tooLong");
  expect(confirmed("null\u0000byte")).toContain("password: shared-owners:errors.text.control");
  expect(confirmed("a\u0000")).toEqual([
    "password: shared-owners:errors.text.control",
    "password: auth:errors.password.tooShort",
    "passwordConfirmation: shared-owners:errors.text.control",
  ]);
  expect(confirmed(["a", "b"])).toContain("password: shared-owners:errors.field.invalid");
  expect(messages({ password: "long enough", passwordConfirmation: "long enouph" })).toEqual([
    "passwordConfirmation: auth:errors.password.mismatch",
  ]);
  expect(messages("x")).toEqual([": shared-owners:errors.form.invalid"]);
});

it("reports together that the password is unchanged and that the confirmation differs", () => {
  const result = createPasswordChangeSchema().safeParse({
    currentPassword: "the present one",
    password: "the present one",
    passwordConfirmation: "another one",
  });
  expect(result.error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)).toEqual([
    "password: auth:services.samePassword",
    "passwordConfirmation: auth:errors.password.mismatch",
  ]);
});

it("requires a valid address, and returns it in lower case", () => {
  const schema = createRetrievePasswordSchema();
  expect(schema.parse({ email: " Hanako@Demo.Example " })).toEqual({ email: "hanako@demo.example" });
  expect(schema.safeParse({ email: "" }).error?.issues[0]?.message).toBe("auth:errors.email.required");
  expect(schema.safeParse({ email: "hanako" }).error?.issues[0]?.message).toBe("auth:errors.email.invalid");
});
