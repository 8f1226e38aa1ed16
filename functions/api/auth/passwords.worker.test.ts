import { beforeEach, expect, it } from "vitest";
import { apiContext } from "../../../tests/support/api/test-api";
import { PASSWORD, useTestApp } from "../../../tests/support/app/test-app";
import { handleApi } from "..";

const testApp = useTestApp();

beforeEach(async () => {
  await testApp.addUser({ email: "owner@demo.example" });
});

async function post(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await handleApi(
    new Request(`https://hiroba.test/default/user/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
    apiContext(testApp),
  );
  await Promise.all(testApp.deferred.splice(0));
  return { status: response.status, headers: response.headers, json: await response.json() };
}
const token = () => /\?token=([\w-]{43})/.exec(testApp.mails.at(-1)?.text ?? "")?.[1] ?? "";
const ticketOf = async (email: string, password = PASSWORD) =>
  (await testApp.services.sessions.logIn({ email, password, userAgent: "", network: "1" })).ticket;

it("sends a link at both paths, also with a final slash, and responds the same without an account", async () => {
  for (const path of ["retrieve_password", "retrieve_password/", "request_reset_password/"]) {
    const known = await post(path, { email: "owner@demo.example" });
    const unknown = await post(path, { email: "nobody@demo.example" });
    expect(known).toMatchObject({ status: 200, json: { result: "success" } });
    expect(unknown.json).toEqual(known.json);
    expect([...unknown.headers]).toEqual([...known.headers]);
  }
  expect(testApp.mails).toHaveLength(3);
});

it("reports an unknown address only to administrators", async () => {
  await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  const authorizationOf = async (email: string) => ({ authorization: `Bearer ${await ticketOf(email)}` });
  const unknown = { email: "nobody@demo.example" };
  expect(await post("retrieve_password", unknown, await authorizationOf("admin@demo.example"))).toMatchObject(
    {
      status: 200,
      json: {
        result: "fail",
        code: "unknown_email",
        errors: [{ field: "email", message: "No user was found with this email address." }],
      },
    },
  );
  expect(
    (await post("retrieve_password", unknown, await authorizationOf("owner@demo.example"))).json,
  ).toEqual({
    result: "success",
  });
});

it("sets a password by the link's token, once", async () => {
  await post("retrieve_password/", { email: "owner@demo.example" });
  const body = { token: token(), password: "another password", password_confirmation: "another password" };
  expect((await post("reset_password/", body)).json).toEqual({ result: "success" });
  expect(await ticketOf("owner@demo.example", "another password")).toHaveLength(43);
  expect(await post("reset_password/", body)).toMatchObject({
    status: 200,
    json: { result: "fail", code: "link_used" },
  });
});

it("returns the result 'fail' with the errors by field", async () => {
  await post("retrieve_password/", { email: "owner@demo.example" });
  const reset = async (body: unknown) => (await post("reset_password", body)).json;
  expect(await reset({ token: token(), password: "short", password_confirmation: "other" })).toEqual({
    result: "fail",
    code: "invalid",
    message: "Please check your input.",
    errors: [{ field: "password", message: "Please use at least 8 characters for the password." }],
  });
  expect(
    await reset({ token: token(), password: "long enough", password_confirmation: "other" }),
  ).toMatchObject({
    errors: [{ field: "password_confirmation", message: "The passwords do not match." }],
  });
  expect(
    await reset({ token: token(), password: "password", password_confirmation: "password" }),
  ).toMatchObject({ result: "fail", code: "weak_password", errors: [{ field: "password" }] });
  expect(await reset({ token: 7, password: "long enough", password_confirmation: "long enough" })).toEqual({
    result: "fail",
    code: "link_unknown",
    message: "This link is not valid. Open it again from the email, or request a new one.",
  });
  expect((await post("retrieve_password", { email: "no address" })).json).toMatchObject({ result: "fail" });
  expect(await ticketOf("owner@demo.example")).toHaveLength(43);
});

it("returns a problem with the result 'fail' for a malformed call and for too many calls", async () => {
  expect(await post("reset_password", "{")).toMatchObject({
    status: 400,
    json: { code: "invalid_json", result: "fail" },
  });
  expect(await post("retrieve_password", "email=x", { "content-type": "text/plain" })).toMatchObject({
    status: 415,
    json: { result: "fail" },
  });
  for (let i = 0; i < 10; i++) await post("retrieve_password", { email: "owner@demo.example" });
  const rejected = await post("retrieve_password", { email: "owner@demo.example" });
  expect(rejected).toMatchObject({ status: 429, json: { code: "rate_limited", result: "fail" } });
  expect(rejected.headers.get("retry-after")).toBe("60");
});
