/** Calls the API of a test app as a user. */

import { PASSWORD, type TestApp, type TestUser } from "../app/test-app";
import { callApi } from "./test-api";

/** A response with its body: parsed if it is JSON, else as text. */
export interface ParsedApiResponse {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the call
  readonly json: any;
}
/** Calls a path below /api. */
export type ApiUser = (
  method: string,
  path: string,
  body?: unknown,
  type?: string,
) => Promise<ParsedApiResponse>;

/** Returns a session ticket, and discards the mail about a log-in from a new network. */
async function logIn(testApp: TestApp, login: Parameters<TestApp["services"]["sessions"]["logIn"]>[0]) {
  await Promise.allSettled(testApp.deferred.splice(0));
  const mailCountBefore = testApp.mails.length;
  const { ticket } = await testApp.services.sessions.logIn(login);
  await Promise.allSettled(testApp.deferred.splice(0));
  testApp.mails.splice(mailCountBefore);
  return ticket;
}

/** Creates an API user that authenticates with an API token, or with a log-in by default. */
export async function apiUser(testApp: TestApp, { user }: TestUser, token?: string): Promise<ApiUser> {
  const login = { email: user.email, password: PASSWORD, userAgent: "test", network: "1" };
  const ticket = token ?? (await logIn(testApp, login));
  return async (method, path, body, type = "application/json") => {
    const headers = {
      authorization: `Bearer ${ticket}`,
      ...(body !== undefined && { "content-type": type }),
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(`https://hiroba.test/api${path}`, { method, headers, body: text });
    const response = await callApi(testApp, request);
    const isJson = response.headers.get("content-type")?.includes("json");
    const json = isJson ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, json };
  };
}
