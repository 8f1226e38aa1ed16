import { randomUUID } from "node:crypto";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { COPIES_PER_MINUTE } from "~/domain/shared/limits";
import { demoPassword } from "../../../seed/demo";
import { type Caller, caller, type EventJson, freshAddress, postEvent } from "../../support/api/caller";
import { startFromSnapshot } from "../../support/app/seeded-snapshot";
import { latestMail } from "../../support/mail";

/** Separate product, which the tests attack. They check the responses that stop the attacks. */
let local: Awaited<ReturnType<typeof startFromSnapshot>>;
let owner: Caller;
let admin: Caller;

interface Outcome {
  readonly status: number;
  readonly code: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

async function logIn(
  email: string,
  password: string,
  ipAddress = freshAddress(),
  fields = {},
): Promise<Outcome> {
  return callApi(caller(null, local.origin, ipAddress), "POST", "/api/cas/tickets.json/", {
    email,
    password,
    ...fields,
  });
}

/** Calls the API with JSON. The ticket or token is sent as `Authorization: Bearer`. */
async function callApi(
  client: Caller,
  method: string,
  path: string,
  body?: unknown,
  bearer = client.ticket,
): Promise<Outcome> {
  const response = await client.fetch(path, {
    method,
    headers: {
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const json = (await response.json()) as Outcome["body"];
  return { status: response.status, code: typeof json.code === "string" ? json.code : null, body: json };
}

const signIn = async (email: string, password = demoPassword): Promise<Caller> => {
  const { body } = await logIn(email, password);
  expect(body.ticket).toBeTypeOf("string");
  return caller(String(body.ticket), local.origin);
};

/** Creates an API token on the page of tokens. */
async function createToken(client: Caller, scopes: readonly string[]): Promise<string> {
  const page = await client.post("/account/tokens", {
    intent: "create",
    id: randomUUID(),
    name: "attack",
    life: "30",
    currentPassword: demoPassword,
    scopes,
  });
  const token = /hir_[0-9A-Za-z]{49}/.exec(page.text)?.[0];
  if (!token) throw new Error(`No token: ${page.status}`);
  return token;
}

const findFirstSpace = async (client: Caller) => {
  const [space] = await client.api<{ uuid: string }[]>("GET", "/api/v1/spaces.json");
  return space?.uuid ?? "";
};

beforeAll(async () => {
  local = await startFromSnapshot(inject("snapshotFolder"));
  [owner, admin] = await Promise.all([signIn("owner@demo.example"), signIn("admin@demo.example")]);
});
afterAll(() => local.stop());

describe("a stolen API token of an administrator", () => {
  it("cannot create an administrator or take over an account", async () => {
    const token = await createToken(admin, ["people", "account"]);
    const thief = caller(null, local.origin);
    const person = { first_name: "M", last_name: "X", role: "admin", email: `${randomUUID()}@demo.example` };
    expect(await callApi(thief, "POST", "/api/v1/users", person, token)).toMatchObject({
      status: 403,
      code: "token_not_allowed",
    });
    const { uuid: victim } = await owner.api<{ uuid: string }>("GET", "/api/v1/account");
    for (const change of [{ email: `${randomUUID()}@demo.example` }, { role: "admin" }])
      expect(await callApi(thief, "PUT", `/api/v1/users/${victim}`, change, token)).toMatchObject({
        status: 403,
        code: "token_not_allowed",
      });
  });
});

describe("an owner who fills the database", () => {
  it(`is limited to ${COPIES_PER_MINUTE} copies a minute, and to three open imports`, async () => {
    const spaceId = await findFirstSpace(owner);
    const event = await postEvent(owner, spaceId);
    const copies: Outcome[] = [];
    for (let i = 0; i <= COPIES_PER_MINUTE; i++)
      copies.push(
        await callApi(owner, "POST", "/api/copy_event.json", {
          target_event_uuid: event.uuid,
          event_name: `copy ${i}`,
        }),
      );
    expect(copies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    const beginImport = () =>
      callApi(owner, "POST", "/api/v1/imports", { space_uuid: spaceId, file_name: "a.zip", byte_size: 1000 });
    const imports = [await beginImport(), await beginImport(), await beginImport(), await beginImport()];
    expect(imports.map(({ status }) => status < 300)).toEqual([true, true, true, false]);
    expect(imports[3]?.code).toBe("too_many_imports");
  });
});

describe("the protection against guessing", () => {
  it("rejects common passwords and the product's name", async () => {
    const event = await postEvent(owner, await findFirstSpace(owner));
    for (const publish_password of ["password1", "hiroba2026"])
      expect(
        await callApi(owner, "PUT", `/api/v1/events/${event.uuid}.json`, { publish_password }),
      ).toMatchObject({ status: 400, code: "weak_password" });
  });

  it("limits guesses from unknown networks, and admits a network that the owner has used", async () => {
    const home = freshAddress();
    expect((await logIn("owner@demo.example", demoPassword, home)).body.ticket).toBeTypeOf("string");
    const guesses: Outcome[] = [];
    for (let i = 0; i < 12; i++) guesses.push(await logIn("owner@demo.example", `guess number ${i}`));
    expect(guesses.at(-1)).toMatchObject({ status: 429, code: "rate_limited" });
    expect((await logIn("owner@demo.example", demoPassword)).status).toBe(429);
    expect((await logIn("owner@demo.example", demoPassword, home)).body.ticket).toBeTypeOf("string");
    // The result is the same for an email address without an account.
    const statusesOfUnknown: number[] = [];
    for (let i = 0; i < 12; i++)
      statusesOfUnknown.push((await logIn("nobody@demo.example", `guess number ${i}`)).status);
    expect(statusesOfUnknown).toEqual(guesses.map(({ status }) => status));
  });
});

describe("visitors' URLs", () => {
  it("lead to the same page with appended parameters", async () => {
    const [event] = (await owner.api<EventJson[]>("GET", "/api/v1/events")).filter(
      ({ status_id, has_publish_password }) => status_id === 3 && !has_publish_password,
    );
    const visitor = caller(null, local.origin);
    const path = `/event/published/${event?.uuid}?token=${event?.access_token}`;
    const readBody = async (query: string) =>
      (await visitor.get(path + query)).text.replace(/nonce="[^"]*"/g, "").replace(/"nonce":"[^"]*"/g, "");
    const plainBody = await readBody("");
    for (const query of ["&utm_source=a", "&fbclid=1", "&x=1&x=2"])
      expect(await readBody(query), query).toHaveLength(plainBody.length);
    // An empty language means English.
    expect(await readBody("&lang="), "&lang=").toHaveLength((await readBody("&lang=en")).length);
  });
});

describe("sessions", () => {
  it("are replaced when the password changes; failed log-ins, log-outs and password changes are in the audit log", async () => {
    const email = `${randomUUID()}@demo.example`;
    await admin.api("POST", "/api/v1/users", { email, first_name: "A", last_name: "B" });
    const { link } = await latestMail(email, local.origin);
    const token = new URL(link, local.origin).searchParams.get("token") ?? "";
    const stranger = caller(null, local.origin);
    const firstPassword = "seven old wooden boats";
    await stranger.post(`/accept-invitation?token=${token}`, {
      token,
      password: firstPassword,
      passwordConfirmation: firstPassword,
    });
    const person = await signIn(email, firstPassword);
    expect((await logIn(email, "not the password")).status).toBe(401);
    const passwordChange = await callApi(person, "PUT", "/api/v1/account/password", {
      current_password: firstPassword,
      password: "eight new copper kettles",
    });
    expect(passwordChange.status).toBe(200);
    expect(passwordChange.body.ticket).not.toBe(person.ticket);
    expect((await callApi(person, "GET", "/api/v1/account")).status).toBe(401);
    const renewed = caller(String(passwordChange.body.ticket), local.origin);
    expect(
      (await callApi(renewed, "DELETE", `/api/cas/tickets.json/${passwordChange.body.ticket}`)).status,
    ).toBe(200);
    await expect
      .poll(async () =>
        (await admin.api<{ action: string }[]>("GET", `/api/v1/audit?person=${email}`)).map(
          ({ action }) => action,
        ),
      )
      .toEqual(expect.arrayContaining(["log_in_failed", "log_out", "password_changed"]));
  });
});

describe("a photo", () => {
  it("contains neither position nor camera data for visitors", async () => {
    const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#789" } })
      .withExifMerge({ IFD0: { Make: "SECRETMAKE" }, IFD3: { GPSMapDatum: "SECRETPLACE" } })
      .jpeg()
      .toBuffer();
    const upload = await owner.api<{ uuid: string }>("POST", "/api/v1/uploads", {
      file_name: "a.jpg",
      byte_size: photo.length,
    });
    const part = await owner.fetch(`/api/v1/uploads/${upload.uuid}/parts/1`, {
      method: "PUT",
      headers: { authorization: `Bearer ${owner.ticket}`, "content-type": "application/octet-stream" },
      body: new Uint8Array(photo),
    });
    expect(part.status).toBe(200);
    const item = await owner.api<{ uuid: string; file_url: string }>(
      "POST",
      `/api/v1/uploads/${upload.uuid}/complete`,
      {},
    );
    const event = await postEvent(owner, await findFirstSpace(owner), { status_id: 3 });
    await owner.api("POST", "/api/v1/event_media.json/", {
      event_uuid: event.uuid,
      library_item_uuid: item.uuid,
      title: { ja: "写真", en: "Photo" },
    });
    const { pathname } = new URL(item.file_url, local.origin);
    const ownBytes = Buffer.from(await (await owner.fetch(pathname)).arrayBuffer());
    expect(ownBytes.equals(photo)).toBe(true);
    const visitorResponse = await caller(null, local.origin).fetch(
      `${pathname}?event=${event.uuid}&mode=published&token=${event.access_token}`,
    );
    expect(visitorResponse.status).toBe(200);
    const visitorBytes = Buffer.from(await visitorResponse.arrayBuffer());
    expect(visitorBytes.length).toBe(photo.length);
    expect(visitorBytes.toString("latin1")).not.toMatch(/SECRET/);
  });
});

describe("probes", () => {
  it("are rejected; the security contact is published, and reports of policy violations are accepted", async () => {
    const stranger = caller(null, local.origin);
    expect((await stranger.get("/login?_data=routes%2Flogin")).status).toBe(400);
    expect((await stranger.get("/%E0%A4%A")).status).toBe(400);
    expect((await stranger.get("/.well-known/security.txt")).text).toMatch(/^Contact: mailto:/m);
    const report = await stranger.fetch("/csp-report", {
      method: "POST",
      headers: { "content-type": "application/csp-report" },
      body: JSON.stringify({ "csp-report": { "document-uri": `${local.origin}/?token=secret` } }),
    });
    expect(report.status).toBe(204);
  });
});

describe("hosts in a private network", () => {
  it("are rejected as webhook endpoints", async () => {
    for (const url of ["https://127.0.0.1/", "https://10.0.0.1/", "https://[::1]/", "https://localhost/"])
      expect(
        (await callApi(owner, "POST", "/api/v1/webhooks", { url, types: ["event.published"] })).status,
        url,
      ).toBe(400);
  });
});
