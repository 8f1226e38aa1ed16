/** Somebody who calls the API over the house of a test. */
import { askApi } from "./api";
import { type House, PASSWORD, type Person } from "./house";

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly json: any;
}
/** Calls a path below /api. */
export type ApiUser = (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;

/** A ticket, without the mail that tells of a log-in from a new place. */
async function logIn(house: House, login: Parameters<House["services"]["sessions"]["logIn"]>[0]) {
  await Promise.allSettled(house.deferred.splice(0));
  const before = house.mails.length;
  const { ticket } = await house.services.sessions.logIn(login);
  await Promise.allSettled(house.deferred.splice(0));
  house.mails.splice(before);
  return ticket;
}

/** Somebody as calls: by an access token, else by a log-in. */
export async function apiUser(house: House, { user }: Person, token?: string): Promise<ApiUser> {
  const login = { email: user.email, password: PASSWORD, userAgent: "test", ip: "1" };
  const ticket = token ?? (await logIn(house, login));
  return async (method, path, body, type = "application/json") => {
    const headers = {
      authorization: `Bearer ${ticket}`,
      ...(body !== undefined && { "content-type": type }),
    };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const request = new Request(`https://hiroba.test/api${path}`, { method, headers, body: text });
    const response = await askApi(house, request);
    const isJson = response.headers.get("content-type")?.includes("json");
    const json = isJson ? await response.json() : await response.text();
    return { status: response.status, headers: response.headers, json };
  };
}
