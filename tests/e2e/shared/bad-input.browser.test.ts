import { isDeepStrictEqual } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { demoPassword, demoPublishPassword } from "../../../seed/demo";
import {
  type Caller,
  caller,
  type EventJson,
  type Fields,
  fetchEvent,
  formBody,
  postEvent,
  signIn,
  type TextResponse,
} from "../../support/api/caller";
import { demoIds, demoPath } from "../../support/app/demo";
import { fieldErrors, fieldValues } from "../../support/form-fields";
import { translateIn } from "../../support/translate";

const t = translateIn("en");
const MEGABYTE = "x".repeat(1024 * 1024);
/** A value that must be returned unchanged, and never as markup. */
const MARKUP = `"><img src=x onerror=alert(1)>'&amp;`;
const INVALID_TEXTS: Readonly<Record<string, string>> = {
  "a null character": "a\u0000b",
  "a bell": "a\u0007b",
  "an escape sequence": "\u001b[31mred",
  "a line break": "one\r\ntwo",
  "a line separator": "one\u2028two",
  "text that is turned around": "abc\u202etxt.exe",
  "a bidirectional isolate": "\u2066abc",
};
const FINE_TEXTS: Readonly<Record<string, string>> = {
  "a family of emoji": "👩‍👩‍👧‍👦 展示 🎌",
  "right-to-left writing": "מרחב ثلاثي",
  "combining marks": "e\u0301 が",
  markup: `<b>&amp;"'`,
};

let owner: Caller;
let event: EventJson;
let spaceCount: number;
let eventCount: number;

const inEnglish = (path: string) => `${path}${path.includes("?") ? "&" : "?"}lang=en`;
const readTotal = async (path: string) => Number((await owner.fetch(path)).headers.get("x-total-count"));
const countSpaces = () => readTotal("/api/v1/spaces.json");
const countEvents = () => readTotal(`/api/v1/events/space_uuid/${demoIds.showroom}`);

/** True when the last test left the event unchanged. The next test reuses it, because a new one costs a password hash. */
const isUntouched = async () =>
  event !== undefined && isDeepStrictEqual(await fetchEvent(owner, event.uuid).catch(() => null), event);

beforeEach(async () => {
  owner = await signIn("owner");
  if (!(await isUntouched()))
    event = await postEvent(owner, demoIds.showroom, {
      event_detail: "as saved",
      publish_password: "kept-password",
      sp_store_url: "https://kept.myshopify.com",
      sp_access_token: "fedcba9876543210fedcba9876543210",
    });
  spaceCount = await countSpaces();
  eventCount = await countEvents();
});

/** Expects that no part of the form was written. */
async function expectNothingWritten() {
  expect(await fetchEvent(owner, event.uuid)).toEqual(event);
  expect([await countSpaces(), await countEvents()]).toEqual([spaceCount, eventCount]);
}

interface Form {
  readonly path: () => string;
  readonly createCaller: () => Caller;
  /** The form's id in the page. */
  readonly id: string;
  /** Start of the ids of its fields; absent if they start with the form's id. */
  readonly prefix?: string;
  /** Valid values of the fields. A rejected form keeps them, except secrets. */
  readonly createOtherValues: () => Fields;
  readonly secrets?: readonly string[];
}

const loginForm: Form = {
  path: () => "/login",
  createCaller: () => caller(),
  id: "login",
  createOtherValues: () => ({ email: "owner@demo.example", password: "s3cret-and-wrong", next: "/account" }),
  secrets: ["password"],
};
const spaceForm: Form = {
  path: () => "/space-list/new?kind=showcase",
  createCaller: () => owner,
  id: "space-source",
  prefix: "",
  createOtherValues: () => ({ intent: "save", name: `Kept ${MARKUP}`, showcase: "SxQL3iGyoDo" }),
};
const eventCreateForm: Form = {
  path: () => `/space/${demoIds.showroom}`,
  createCaller: () => owner,
  id: "event",
  createOtherValues: () => ({ "eventName.en": `Kept ${MARKUP}`.slice(0, 32) }),
};
const eventForm: Form = {
  path: () => `/event/${event.uuid}`,
  createCaller: () => owner,
  id: "event",
  createOtherValues: () => ({
    intent: "update",
    version: String(event.version),
    "eventName.en": `Kept ${MARKUP}`.slice(0, 32),
    startDate: "2031/04/05 09:30",
    endDate: "2031/04/06 18:00",
    statusId: "3",
    enableAutoChangeStatus: "on",
    "eventDetail.en": `Kept\r\n${MARKUP}`,
    publishPassword: "s3cret-password",
    spStoreUrl: "https://other.myshopify.com",
    spAccessToken: "0123456789abcdef0123456789abcdef",
    "urlParams.play": "0",
    "urlParams.ts": "7",
    "extraParams[0].name": "later",
    "extraParams[0].value": `1 ${MARKUP}`,
    "extraParams[1].name": "",
    "extraParams[1].value": "",
  }),
  secrets: ["publishPassword", "spAccessToken"],
};

/**
 * Sends a form with one invalid field and expects 400, a message beside the field, the other values except secrets, and no secrets
 * in the response.
 */
async function expectRejected(form: Form, field: string, invalidFields: Fields): Promise<TextResponse> {
  const { [field]: _replaced, ...others } = form.createOtherValues();
  const response = await form.createCaller().post(inEnglish(form.path()), { ...others, ...invalidFields });
  expect(response.status).toBe(400);
  const fieldId = `${form.prefix ?? `${form.id}-`}${field}`;
  expect([...fieldErrors(response.text).keys()], "fields with messages").toContain(fieldId);
  expect(response.text).toContain(`href="#${fieldId}"`);
  const values = fieldValues(response.text, form.id);
  for (const [name, value] of Object.entries(others)) {
    if (name === "intent") continue;
    if (form.secrets?.includes(name)) {
      expect(values.get(name) ?? "", name).toBe("");
      expect(response.text.includes(String(value)), `${name} was sent back`).toBe(false);
    } else expect(values.get(name) ?? "", name).toBe(String(value).replaceAll("\r\n", "\n"));
  }
  expect(response.text).not.toContain("<img src=x");
  return response;
}

/** Like expectRejected, and expects that the invalid value is kept too, or is not sent back if it is a secret. */
async function expectRejectedAndKept(form: Form, field: string, value: string): Promise<void> {
  const response = await expectRejected(form, field, { [field]: value });
  if (form.secrets?.includes(field)) {
    expect(response.text.includes(value.slice(0, 4096)), "the secret was sent back").toBe(false);
    return;
  }
  const returned = fieldValues(response.text, form.id).get(field) ?? "";
  // HTML has no null characters (a browser reads U+FFFD instead), and browsers normalise line ends.
  const toReadable = (text: string) => text.replace(/[\u0000\ufffd]/g, "").replaceAll("\r\n", "\n");
  expect(toReadable(returned)).toBe(toReadable(value));
}

interface TextCase {
  readonly form: Form;
  readonly field: string;
  readonly max: number;
  readonly required: boolean;
  readonly multiline?: boolean;
}

const TEXTS: Readonly<Record<string, TextCase>> = {
  "the log-in's address": { form: loginForm, field: "email", max: 254, required: true },
  "the log-in's password": { form: loginForm, field: "password", max: 128, required: true },
  "a space's name": { form: spaceForm, field: "name", max: 64, required: true },
  "a space's showcase": { form: spaceForm, field: "showcase", max: 11, required: true },
  "a new event's name": { form: eventCreateForm, field: "eventName.en", max: 32, required: true },
  "an event's name": { form: eventForm, field: "eventName.en", max: 32, required: true },
  "an event's details": {
    form: eventForm,
    field: "eventDetail.en",
    max: 1000,
    required: false,
    multiline: true,
  },
  "an event's password": {
    form: eventForm,
    field: "publishPassword",
    max: 128,
    required: false,
  },
  "an event's store": { form: eventForm, field: "spStoreUrl", max: 255, required: false },
  "an event's store token": {
    form: eventForm,
    field: "spAccessToken",
    max: 255,
    required: false,
  },
};

for (const [caseName, { form, field, max, required, multiline }] of Object.entries(TEXTS))
  describe(caseName, () => {
    if (required)
      test("is rejected when it is missing or empty and, unless it is a password, when it is invisible", async () => {
        await expectRejected(form, field, {});
        for (const emptyValue of ["", "   ", "\u3000", "\u200b"])
          if (!(field === "password" && emptyValue !== ""))
            await expectRejected(form, field, { [field]: emptyValue });
        await expectNothingWritten();
      });

    test("is rejected when it is too long, and kept unless it is a secret", async () => {
      await expectRejectedAndKept(form, field, "x".repeat(max + 1));
      if (!form.secrets?.includes(field)) await expectRejectedAndKept(form, field, "👘".repeat(max + 1));
      await expectNothingWritten();
    });

    test("is rejected when it is a megabyte long", async () => {
      await expectRejected(form, field, { [field]: MEGABYTE });
      await expectNothingWritten();
    });

    test("is rejected with invalid characters, and kept unless it is a secret", async () => {
      for (const [name, text] of Object.entries(INVALID_TEXTS)) {
        if (multiline && name === "a line break") continue;
        await expectRejectedAndKept(form, field, text);
      }
      await expectNothingWritten();
    });

    test("is rejected when it is repeated or a file", async () => {
      await expectRejected(form, field, { [field]: ["one", "two"] });
      const body = new FormData();
      for (const [name, value] of Object.entries(form.createOtherValues()))
        if (name !== field) body.append(name, String(value));
      body.append(field, new Blob(["file"], { type: "text/plain" }), "file.txt");
      const response = await form.createCaller().fetch(inEnglish(form.path()), {
        method: "POST",
        body,
        headers: { origin: form.createCaller().origin },
      });
      // No form here accepts files, so such a request is invalid.
      expect(response.status).toBe(400);
      await expectNothingWritten();
    });
  });

describe("the name of an event", () => {
  test.each(Object.entries(FINE_TEXTS))("may contain %s", async (_what, name) => {
    const created = await owner.post(`/space/${demoIds.panorama}`, { "eventName.en": name });
    expect(created.status).toBe(302);
    const path = created.headers.get("location")?.split("?")[0] ?? "";
    const page = await owner.get(path);
    const values = fieldValues(page.text, "event");
    // Text with Japanese characters is stored as the Japanese name.
    expect(values.get("eventName.ja") || values.get("eventName.en")).toBe(name.normalize("NFC"));
    expect(page.text).not.toContain("<b>&amp;amp;");
  });

  test("counts as taken when it differs only in width, case or spaces", async () => {
    const created = await postEvent(owner, demoIds.panorama, { event_name: "Spring Show 1" });
    expect(created.event_name).toBe("Spring Show 1");
    for (const eventName of ["Spring Show 1", "ＳＰＲＩＮＧ  show １", " spring show 1 "]) {
      const response = await owner.post(inEnglish(`/space/${demoIds.panorama}`), {
        "eventName.en": eventName,
      });
      expect(response.status).toBe(400);
      expect(fieldErrors(response.text).get("event-eventName.en")).toBe(t("events:errors.eventName.taken"));
    }
  });
});

describe("the event form", () => {
  const invalidCases: readonly (readonly [string, string, Fields])[] = [
    ["a status that does not exist", "statusId", { statusId: "5" }],
    ["a status that is a word", "statusId", { statusId: "Published" }],
    ["no status", "statusId", {}],
    ["two statuses", "statusId", { statusId: ["1", "3"] }],
    ["a text that is no date", "startDate", { startDate: "yesterday" }],
    ["a day that does not exist", "startDate", { startDate: "2031-02-30T10:00" }],
    ["a start that comes twice", "startDate", { startDate: ["2031-04-05T09:30", "2031-04-05T09:30"] }],
    [
      "an end with its date and time in separate fields",
      "endDate",
      { "endDate.date": "2031-04-06", "endDate.time": "18:00" },
    ],
    ["a start in the past", "startDate", { startDate: "2020-01-01T00:00" }],
    ["an end before the start", "endDate", { endDate: "2031-04-04T00:00" }],
    ["an end in the past", "endDate", { endDate: "2020-01-01T00:00" }],
    ["a date of a megabyte", "endDate", { endDate: MEGABYTE }],
    ["a flag with an unknown value", "enableAutoChangeStatus", { enableAutoChangeStatus: "maybe" }],
    ["a store with an invalid URL", "spStoreUrl", { spStoreUrl: "not an address" }],
    ["a store on this machine", "spStoreUrl", { spStoreUrl: "https://127.0.0.1" }],
    ["a store with a password in it", "spStoreUrl", { spStoreUrl: "https://a:b@shop.example.com" }],
    ["an app's secret", "spAccessToken", { spAccessToken: "shpss_0123456789abcdef0123456789abcdef" }],
    ["a choice that is not offered", "urlParams.play", { "urlParams.play": "2" }],
    ["a text that is no number", "urlParams.ts", { "urlParams.ts": "seven" }],
    ["a number out of range", "urlParams.ts", { "urlParams.ts": "100000" }],
    ["a parameter that would choose another space", "extraParams[0].name", { "extraParams[0].name": "m" }],
    ["a parameter with an invalid name", "extraParams[0].name", { "extraParams[0].name": "a b" }],
  ];
  test.each(invalidCases)("rejects %s", async (_what, field, invalidFields) => {
    await expectRejected(eventForm, field, invalidFields);
    await expectNothingWritten();
  });

  test("reports all errors at once", async () => {
    const response = await owner.post(inEnglish(eventForm.path()), {
      ...eventForm.createOtherValues(),
      "eventName.en": "",
      startDate: "x",
      endDate: "2020-01-01T00:00",
      statusId: "9",
      "eventDetail.en": "d".repeat(1001),
      publishPassword: "short",
    });
    expect(response.status).toBe(400);
    const inOrder = [
      "eventName.en",
      "eventDetail.en",
      "statusId",
      "startDate",
      "endDate",
      "publishPassword",
    ].map((name) => `event-${name}`);
    expect([...fieldErrors(response.text).keys()]).toEqual(inOrder);
    // The summary above the form links to the same fields.
    expect([...response.text.matchAll(/href="#(event-[^"]+)"/g)].map(([, id]) => id)).toEqual(inOrder);
  });

  test.each([
    ["missing", {}],
    ["a word", { version: "latest" }],
    ["negative", { version: "-1" }],
  ])("rejects a version that is %s with a message for the form", async (_what, version: Fields) => {
    const { version: _version, ...others } = eventForm.createOtherValues();
    const response = await owner.post(inEnglish(eventForm.path()), { ...others, ...version });
    expect(response.status).toBe(400);
    expect(response.visibleText).toContain(t("shared-owners:errors.form.version"));
    await expectNothingWritten();
  });

  test("returns 409 for a version other than the saved one, shows both names, and writes nothing", async () => {
    const response = await owner.post(inEnglish(eventForm.path()), {
      ...eventForm.createOtherValues(),
      // For a published event, the form would first ask whether it should open before its start.
      statusId: "1",
      version: String(event.version + 7),
    });
    expect(response.status).toBe(409);
    expect(response.visibleText).toContain(event.event_name);
    expect(response.visibleText).toContain(`Kept ${MARKUP}`.slice(0, 32));
    expect(response.text).not.toContain("s3cret-password");
    expect(response.text).not.toContain("0123456789abcdef");
    expect(response.text).not.toContain("fedcba9876543210");
    await expectNothingWritten();
  });

  test("keeps deleted parameters deleted when it is rejected for another field", async () => {
    const created = await postEvent(owner, demoIds.panorama, { url_params: { play: "0", later: "1" } });
    const response = await owner.post(inEnglish(`/event/${created.uuid}`), {
      version: String(created.version),
      "eventName.en": "x".repeat(33),
      statusId: "1",
      "urlParams.play": "",
      "extraParams[0].name": "",
      "extraParams[0].value": "",
    });
    expect(response.status).toBe(400);
    const values = fieldValues(response.text, "event");
    expect(values.get("urlParams.play")).toBe("");
    expect(values.get("extraParams[0].name")).toBe("");
  });

  test("does not contain the saved secrets, as a page or as data", async () => {
    const page = await owner.get(eventForm.path());
    const data = await owner.get(`${eventForm.path()}.data`);
    for (const { text } of [page, data]) {
      expect(text).not.toContain("fedcba9876543210");
      expect(text).not.toContain("kept-password");
      expect(text).not.toContain("scrypt");
    }
  });

  test("requires the token again for another store", async () => {
    await expectRejected(eventForm, "spAccessToken", { spAccessToken: "" });
    await expectNothingWritten();
  });
});

describe("the publish password", () => {
  const path = () => inEnglish(demoPath(demoIds.passwordEvent));
  test.each([
    ["missing", {}],
    ["empty", { password: "" }],
    ["wrong", { password: "wrong-password" }],
    ["a megabyte", { password: MEGABYTE }],
    ["made of control characters", { password: "\u0000\u0001\u0002" }],
    ["emoji", { password: "👘👘👘👘👘👘👘👘" }],
    ["right-to-left", { password: "\u202epassword" }],
    ["sent twice", { password: [demoPublishPassword, demoPublishPassword] }],
  ])("is rejected when it is %s", async (_what, fields: Fields) => {
    const response = await caller().post(path(), fields);
    expect(response.status).toBe(400);
    expect(fieldErrors(response.text).has("password")).toBe(true);
    expect(response.headers.getSetCookie().join()).not.toContain("event-auth-");
    expect(response.text).not.toContain("wrong-password");
    expect(response.visibleText).not.toContain("会期に先立つ");
  });

  test("gives no access when the link's token is wrong", async () => {
    const response = await caller().post(`/event/published/${demoIds.passwordEvent}?token=wrong`, {
      password: demoPublishPassword,
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`/error/event/${demoIds.passwordEvent}`);
    expect(response.headers.getSetCookie().join()).not.toContain("event-auth-");
  });

  test("is accepted from holders of the link while guesses of the link's token are limited", async () => {
    // Two network addresses of one subscriber. The guesses use the API, because it renders no page.
    const [guesser, neighbour] = ["2001:db8:7:7::1", "2001:db8:7:7::2"].map((ipAddress) =>
      caller(null, undefined, ipAddress),
    ) as [Caller, Caller];
    const guess = (_: unknown, index: number) =>
      (index % 2 ? guesser : neighbour).fetch(
        `/api/fetch_publish_event/${demoIds.passwordEvent}/guess-${index}`,
      );
    const responses = await Promise.all(Array.from({ length: 52 }, guess));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(50).fill(404), 429, 429]);
    const lastResponse = await guesser.get(
      inEnglish(`/event/published/${demoIds.passwordEvent}?token=another-guess`),
    );
    expect([
      lastResponse.status,
      lastResponse.visibleText.includes(t("shared:shell.page.rateLimitedTitle")),
    ]).toEqual([429, true]);
    // Holders of the link still get access.
    expect((await guesser.post(path(), { password: demoPublishPassword })).status).toBe(302);
  });
});

describe("URLs of records that do not exist", () => {
  const unknown = "00000000-0000-4000-8000-000000000000";
  const invalidIds = [
    "x",
    "1",
    `${unknown}0`,
    "..%2f..",
    "%00",
    "%F0%9F%91%98",
    "'; drop table events; --",
    "a".repeat(2000),
  ];
  test.each(["/space/", "/event/", "/space-list/", "/space-list/folders/", "/library/", "/library/folders/"])(
    "%s returns 404 for an unknown id and for an invalid id",
    async (path) => {
      for (const id of [unknown, unknown.toUpperCase().replaceAll("0", "A"), ...invalidIds]) {
        const response = await owner.get(path + (id.includes("%") ? id : encodeURIComponent(id)));
        expect([id, response.status]).toEqual([id, 404]);
        expect(response.text).not.toMatch(/at \w+ \(|TypeError|stack/);
      }
    },
  );

  test("an id in capitals refers to the same record", async () => {
    const { showroom, mainEvent } = demoIds;
    const toCapitals = (path: string, id: string) => path.replace(id, id.toUpperCase());
    for (const path of [`/space/${showroom}`, `/event/${mainEvent}`])
      expect([path, (await owner.get(toCapitals(path, path.slice(-36)))).status]).toEqual([path, 200]);
    expect((await caller().get(toCapitals(demoPath(mainEvent), mainEvent))).status).toBe(200);
  });

  test.each([
    ["/space/ID", { version: "1", statusId: "1" }],
    ["/event/ID", { version: "1", statusId: "1" }],
    ["/space-list/folders/ID", { intent: "rename", item: "x", version: "1" }],
    ["/library/folders/ID", { intent: "new-folder" }],
    ["/space-list/new?kind=showcase&folder=ID", { intent: "save", showcase: "x" }],
  ])("%s returns 404 to a form for an unknown id, with and without a name", async (path, fields) => {
    for (const id of path.includes("?") ? [unknown] : [unknown, "x"])
      for (const name of ["x", ""])
        expect(
          (await owner.post(path.replace("ID", id), { ...fields, name, "eventName.en": name })).status,
        ).toBe(404);
  });

  test("a page that does not exist returns 404 with and without a session", async () => {
    for (const path of [
      "/nothing",
      "/nothing/at/all",
      "/event",
      "/space",
      "/.env",
      "/wp-login.php",
      "/error",
      "/error/event",
    ])
      for (const client of [owner, caller()])
        expect([path, (await client.get(path)).status]).toEqual([path, 404]);
  });

  test("the list of spaces renders for unusual queries", async () => {
    for (const query of [
      "page=0",
      "page=-1",
      "page=abc",
      "page=99999",
      "page=1e9",
      "q=%00",
      "q=%F0%9F%91%98",
      `q=${"x".repeat(5000)}`,
      "q=%25_%5C",
      "q=a&q=b",
      "dialog=%3Cscript%3E",
      "toast=<script>alert(1)</script>",
      "lang=%00",
      "%E0%A4%A",
    ]) {
      let response = await owner.get(`/space-list?${query}`);
      // Page numbers beyond the last page redirect to the last page.
      const { status, headers } = response;
      if (status === 302)
        response = await owner.get(`/space-list${headers.get("location")?.replace(/^[^?]*/, "")}`);
      expect([query, response.status]).toEqual([query, 200]);
      expect(response.text).not.toContain("<script>alert(1)");
    }
  });
});

describe("requests that no page of the product sends", () => {
  const listPaths = () => [
    "/login",
    "/space-list",
    `/space/${demoIds.showroom}`,
    `/event/${event.uuid}`,
    "/logout",
    demoPath(demoIds.passwordEvent),
  ];

  test("another site's form changes nothing", async () => {
    for (const path of listPaths())
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://localhost:1" },
      ]) {
        const fields: Fields = {
          "eventName.en": "evil",
          name: "evil",
          showcase: "SxQL3iGyoDo",
          email: "owner@demo.example",
          password: demoPassword,
          ...(path.startsWith("/event/") && eventForm.createOtherValues()),
        };
        const client = path === "/login" ? caller() : owner;
        const response = await client.post(path, fields, { headers });
        expect([path, headers.origin, response.status]).toEqual([path, headers.origin, 403]);
        expect(response.headers.getSetCookie().filter((cookie) => !cookie.startsWith("lang="))).toEqual([]);
      }
    await expectNothingWritten();
    // The session still exists: the other site could not even log the user out.
    expect((await owner.get("/account")).status).toBe(200);
  });

  test("bodies of other types, broken bodies and empty bodies are rejected without a server error", async () => {
    const bodies: readonly (readonly [string, BodyInit | undefined])[] = [
      ["application/json", '{"email":"x"}'],
      ["application/json", "{"],
      ["text/plain", "email=x"],
      ["text/xml", "<a/>"],
      ["application/octet-stream", new Uint8Array([0, 255, 254])],
      ["multipart/form-data", "no boundary"],
      ["multipart/form-data; boundary=x", "--x\r\nbroken"],
      [
        "multipart/form-data; boundary=x",
        '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\nnever ended',
      ],
      ["application/x-www-form-urlencoded", "%E0%A4%A=%ZZ&=&&&==="],
      ["application/x-www-form-urlencoded", new Uint8Array([0xff, 0xfe, 0x3d, 0xc3, 0x28])],
      ["application/x-www-form-urlencoded", ""],
      ["nonsense", "x"],
    ];
    for (const path of listPaths().filter((candidate) => candidate !== "/logout"))
      for (const [type, body] of bodies) {
        const response = await owner.fetch(path, {
          method: "POST",
          headers: { "content-type": type, origin: owner.origin },
          body,
        });
        expect([
          path,
          type,
          String(body).slice(0, 20),
          response.status >= 400 && response.status < 500 ? "refused" : response.status,
        ]).toEqual([path, type, String(body).slice(0, 20), "refused"]);
      }
    await expectNothingWritten();
  });

  test("field names that try to reach beyond a rejected form write nothing and cause no server error", async () => {
    const fields: Record<string, string> = {
      ...(eventForm.createOtherValues() as Record<string, string>),
      "eventName.en": "x".repeat(33),
      "__proto__.polluted": "1",
      "constructor.prototype.polluted": "1",
      "urlParams.__proto__": "1",
      "urlParams.constructor": "1",
      "extraParams[999999999].name": "a",
      "extraParams[-1].name": "a",
      "extraParams[x].name": "a",
      "extraParams.name": "a",
      "eventName.en.deeper": "a",
      "[0]": "a",
      ".": "a",
      "": "a",
      accessToken: "mine",
      spaceId: demoIds.tearoom,
      ownerId: demoIds.admin,
    };
    for (const [name, value] of Object.entries(fields)) {
      const response = await owner.post(eventForm.path(), {
        ...(eventForm.createOtherValues() as Record<string, string>),
        "eventName.en": "x".repeat(33),
        [name]: value,
      });
      expect([name, response.status]).toEqual([name, 400]);
    }
    const response = await owner.post(eventForm.path(), fields);
    expect(response.status).toBe(400);
    await expectNothingWritten();
  });

  test("a form with a thousand extra parameters is rejected", async () => {
    const body = formBody(eventForm.createOtherValues());
    for (let index = 0; index < 1000; index++) {
      body.append(`extraParams[${index}].name`, `p${index}`);
      body.append(`extraParams[${index}].value`, "1");
    }
    const response = await owner.fetch(eventForm.path(), {
      method: "POST",
      body,
      headers: { origin: owner.origin },
    });
    expect(response.status).toBe(400);
    await expectNothingWritten();
  });

  test("other methods are rejected", async () => {
    for (const path of listPaths())
      for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
        const client = path === "/login" ? caller() : owner;
        const response = await client.fetch(path, { method, headers: { origin: client.origin } });
        expect([path, method, response.status]).toEqual([path, method, 405]);
        expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
      }
    await expectNothingWritten();
  });

  test("invalid cookies and tickets count as no session", async () => {
    for (const cookie of [
      "session-ticket=",
      "session-ticket=%00",
      "session-ticket=%E0%A4%A",
      `session-ticket=${"x".repeat(3000)}`,
      "session-ticket==;;;=; lang=%ZZ",
      "lang=xx; session-ticket=null",
      "event-auth-x=1",
    ]) {
      const response = await caller().fetch("/space-list", { headers: { cookie } });
      expect([cookie.slice(0, 40), response.status, response.headers.get("location")]).toEqual([
        cookie.slice(0, 40),
        302,
        "/login?next=%2Fspace-list",
      ]);
      const visitorResponse = await caller().fetch(demoPath(demoIds.mainEvent), { headers: { cookie } });
      expect([cookie.slice(0, 40), visitorResponse.status]).toEqual([cookie.slice(0, 40), 200]);
    }
  });

  test("the log-in does not redirect to other sites", async () => {
    for (const next of [
      "https://evil.example",
      "//evil.example",
      "/\\evil.example",
      "/%5cevil.example",
      "javascript:alert(1)",
      "/login?next=/login",
      "/logout",
      "\u0009//evil.example",
    ]) {
      const response = await caller().post("/login", {
        email: "owner@demo.example",
        password: demoPassword,
        next,
      });
      expect([next, response.status, response.headers.get("location")]).toEqual([
        next,
        302,
        next === "/%5cevil.example" ? "/%5cevil.example" : "/space-list",
      ]);
    }
  });
});

describe("the API", () => {
  test("responds to invalid input without a server error, and with errors that have a code", async () => {
    const eventId = event.uuid;
    const token = event.access_token;
    const calls: readonly (readonly [string, string])[] = [
      ["POST", "/api/cas/tickets.json/"],
      ["GET", "/api/cas/validate.json/x"],
      ["DELETE", "/api/cas/tickets.json/x"],
      ["GET", "/api/v1/spaces.json?page=x"],
      ["GET", "/api/v1/events?limit=1000000"],
      ["GET", "/api/v1/spaces/uuid/%00"],
      ["POST", "/api/v1/events.json/"],
      ["PUT", `/api/v1/events/${eventId}.json`],
      ["PUT", "/api/v1/events/x.json"],
      ["GET", `/api/fetch_publish_event/${eventId}/%F0%9F%91%98`],
      ["GET", `/api/fetch_event_tags/event_uuid/${eventId}?token=${"x".repeat(4000)}`],
      ["POST", "/api/authenticate_publish_event_password"],
      ["POST", "/default/user/retrieve_password"],
    ];
    const bodies: readonly unknown[] = [
      null,
      [],
      "text",
      7,
      { event_name: null, email: {}, password: [], space_uuid: 1, event_uuid: eventId, token, version: {} },
      {
        event_name: ["a"],
        email: "a@b.c",
        password: "\u0000",
        space_uuid: demoIds.showroom,
        status_id: "3;",
      },
      { event_name: MEGABYTE.slice(0, 900_000), version: 1e308, start_date: -1, url_params: "{", token: 1 },
      { constructor: 1, event_name: "\ud800", end_date: "0000-00-00" },
      { status_id: 2 ** 53, enable_auto_change_status: "perhaps", url_params: [[]], sp_store_url: {} },
    ];
    for (const [method, path] of calls)
      for (const body of method === "GET" || method === "DELETE" ? [undefined] : bodies) {
        const response = await owner.fetch(path, {
          method,
          headers: { authorization: `Bearer ${owner.ticket}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const call = [method, path, JSON.stringify(body)?.slice(0, 60)].join(" ");
        expect(response.status, call).toBeLessThan(500);
        if (response.status < 400) continue;
        expect(response.headers.get("content-type"), call).toMatch(/^application\/problem\+json/);
        expect(typeof (JSON.parse(text) as { code?: unknown }).code, call).toBe("string");
      }
    await expectNothingWritten();
  });

  test("rejects a body of more than a megabyte", async () => {
    const response = await owner.fetch("/api/v1/events.json/", {
      method: "POST",
      headers: { authorization: `Bearer ${owner.ticket}`, "content-type": "application/json" },
      body: JSON.stringify({ event_name: MEGABYTE, space_uuid: demoIds.showroom }),
    });
    expect(response.status).toBe(413);
    await expectNothingWritten();
  });
});
