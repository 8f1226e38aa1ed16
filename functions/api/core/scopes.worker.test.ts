/** Tests the scopes of calls: the OpenAPI document names the scope that the services check, and rejections follow RFC 6750. */
import { beforeEach, expect, it } from "vitest";
import { SCOPES, type Scope } from "~/domain/webhooks/scopes";
import { callBody, callUrl, createOneOfEach, type ResourceIds } from "../../../tests/support/api/any-call";
import { callApi } from "../../../tests/support/api/test-api";
import { type TestUser, useTestApp } from "../../../tests/support/app/test-app";
import { CALLS } from "..";
import { fullPath } from "./document";
import { getCallScope } from "./scopes";

const testApp = useTestApp();
let admin: TestUser;
let resourceIds: ResourceIds;

beforeEach(async () => {
  admin = await testApp.addUser({ email: "admin@demo.example", role: "admin" });
  resourceIds = { ...(await createOneOfEach(testApp, admin)), users: (await testApp.addUser()).user.id };
});

let created = 0;
/** Creates a token with these scopes and `read`. */
async function tokenOf(scopes: readonly Scope[], person = admin): Promise<string> {
  testApp.time.now += 61_000;
  const { user, actor } = person;
  const { token } = await testApp.services.tokens.createToken({
    user,
    actor,
    authenticatedAt: testApp.currentInstant(),
    id: crypto.randomUUID(),
    name: `t${created++}`,
    scopes,
    expiresAt: new Date(testApp.time.now + 86_400_000).toISOString(),
    currentPassword: "",
  });
  return token;
}

const callWithToken = (call: (typeof CALLS)[number], token: string) => {
  const { body, type = "application/json" } = callBody(call, resourceIds);
  return callApi(
    testApp,
    new Request(`https://hiroba.test${callUrl(call, resourceIds)}`, {
      method: call.method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": type }) },
      ...(body !== undefined && { body }),
    }),
  );
};
const USER_CALLS = CALLS.filter(({ who }) => who === "user");

it("a token without the scope of a call is rejected with the name of the missing scope", async () => {
  const tokensWithout: Partial<Record<Scope, string>> = {};
  for (const scope of SCOPES)
    if (scope !== "read")
      tokensWithout[scope] = await tokenOf(SCOPES.filter((candidate) => candidate !== scope));
  let rejectedCount = 0;
  for (const call of USER_CALLS) {
    const scope = getCallScope(call);
    const token = scope && tokensWithout[scope];
    if (!token) continue;
    rejectedCount++;
    const response = await callWithToken(call, token);
    expect([call.id, response.status, await response.json()]).toMatchObject([
      call.id,
      403,
      { code: "insufficient_scope", values: { scope }, detail: expect.stringContaining(scope) },
    ]);
    expect(response.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="${scope}"`,
    );
  }
  expect(rejectedCount).toBeGreaterThan(80);
  // For a role that cannot grant the scope, the resource does not exist.
  const owner = await testApp.addUser();
  const users = CALLS.find(({ id }) => id === "listUsers");
  if (users) expect((await callWithToken(users, await tokenOf(["library"], owner))).status).toBe(404);
});

it("calls that need an interactive session reject a token that has all scopes", async () => {
  const token = await tokenOf(SCOPES);
  const interactiveCalls = USER_CALLS.filter(({ problems }) => problems?.includes("session_required"));
  expect(interactiveCalls.length).toBeGreaterThan(8);
  for (const { id, method, path } of interactiveCalls) {
    const url = `https://hiroba.test${fullPath(path).replaceAll(/\{\w+\}/g, "x")}`;
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await callApi(
      testApp,
      new Request(url, { method, headers, ...(method !== "GET" && { body: "{}" }) }),
    );
    expect([id, response.status, await response.json()]).toMatchObject([
      id,
      403,
      { code: "session_required" },
    ]);
  }
});

it("a token with only the scope of a call is sufficient for every use case of the call", async () => {
  const tokensByScope = Object.fromEntries(
    await Promise.all(SCOPES.map(async (scope) => [scope, await tokenOf([scope])] as const)),
  );
  /** The scopes that the use cases have checked during the current call. */
  const checkedScopes = new Set<string>();
  const { tokens } = testApp.services;
  const { authenticateBearer } = tokens;
  tokens.authenticateBearer = async (input) => {
    const session = await authenticateBearer(input);
    const scopes = session?.actor.scopes;
    if (!session || !scopes) return session;
    const includes = (scope: Scope) => checkedScopes.add(scope) && scopes.includes(scope);
    return { ...session, actor: { ...session.actor, scopes: Object.assign([...scopes], { includes }) } };
  };
  const allCheckedScopes = new Set<string>();
  const unneededScopesByCall: Record<string, readonly string[]> = {};
  for (const call of USER_CALLS) {
    const scope = getCallScope(call);
    if (scope === null) continue;
    checkedScopes.clear();
    const response = await callWithToken(call, tokensByScope[scope] ?? "");
    const unneededScopes = [...checkedScopes].filter(
      (checkedScope) => checkedScope !== "read" && checkedScope !== scope,
    );
    if (unneededScopes.length > 0) unneededScopesByCall[call.id] = unneededScopes;
    for (const checkedScope of checkedScopes) allCheckedScopes.add(checkedScope);
    const { code } = response.status === 403 ? ((await response.json()) as { code: string }) : { code: "" };
    expect([call.id, code]).not.toEqual([call.id, "insufficient_scope"]);
  }
  // These calls also report whether the caller may share the item, so they check a second scope.
  for (const name of ["Folder", "Space", "MediaItem"]) delete unneededScopesByCall[`get${name}Sharing`];
  expect(unneededScopesByCall).toEqual({});
  expect([...allCheckedScopes].sort()).toEqual([...SCOPES].sort());
});

it("a caller without a ticket, or with an invalid one, learns how to authenticate", async () => {
  const get = (headers = {}) =>
    callApi(testApp, new Request("https://hiroba.test/api/v1/spaces", { headers }));
  expect((await get()).headers.get("www-authenticate")).toBe("Bearer");
  const rejected = await get({ authorization: `Bearer ${"x".repeat(43)}` });
  expect([rejected.status, rejected.headers.get("www-authenticate")]).toEqual([
    401,
    'Bearer error="invalid_token"',
  ]);
});
