import { readFileSync } from "node:fs";
import { parseWithZod } from "@conform-to/zod/v4";
import { describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import { LANGS } from "../shared/lang";
import type { Event } from "../shared/model";
import { createEventSchema, type EventSchemaContext } from "./event.schema";
import { changedFields } from "./event-changes";
import { type EventFormInput, eventFormInput } from "./event-form";
import { readUrlParamDefinitions } from "./url-params";

const urlParams = readUrlParamDefinitions(
  JSON.parse(readFileSync(new URL("../../../public/url_params.json", import.meta.url), "utf8")),
);
/** 2030-04-01 10:30:20 in Tokyo. */
const NOW = Date.parse("2030-04-01T01:30:20.000Z");
const base: EventSchemaContext = { now: NOW, timeZone: "Asia/Tokyo", saved: null, urlParams };
const input: EventFormInput = {
  version: "3",
  eventName: newText("春の展示"),
  startDate: "2030-04-02T10:00",
  endDate: "2030-04-03T18:00",
  statusId: "2",
  enableAutoChangeStatus: "on",
  eventDetail: newText(""),
  spStoreUrl: "",
  spAccessToken: "",
};
const saved: Event = {
  id: "e",
  spaceId: "s",
  eventName: newText("春の展示"),
  startDate: "2030-03-01T00:00:30.000Z",
  endDate: "2030-03-20T00:00:45.000Z",
  statusId: 3,
  enableAutoChangeStatus: false,
  accessToken: "a",
  previewAccessToken: "p",
  spAccessToken: "token",
  spStoreUrl: "https://shop.example.com",
  eventDetail: newText(""),
  urlParams: { ts: 5, sr: "1,2" },
  hasPublishPassword: false,
  showBeforePassword: false,
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
  version: 3,
  revision: 9,
};

/** Returns a form's error messages by field; empty if it is valid. */
function errors(
  overrides: Record<string, unknown>,
  ctx: Partial<EventSchemaContext> = {},
): Record<string, string> {
  const result = createEventSchema({ ...base, ...ctx }).safeParse({ ...input, ...overrides });
  return Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]),
  );
}
function value(overrides: Record<string, unknown> = {}, ctx: Partial<EventSchemaContext> = {}) {
  return createEventSchema({ ...base, ...ctx }).parse({ ...input, ...overrides });
}

describe("the event form", () => {
  it("is parsed to the values that are saved", () => {
    expect(
      value({
        eventName: { ja: " 春の展示 ", en: "Spring" },
        eventDetail: { ja: "一行目\r\n二行目" },
        urlParams: { ts: "5", hr: "1" },
      }),
    ).toEqual({
      version: 3,
      eventName: { ja: "春の展示", en: "Spring" },
      startDate: "2030-04-02T01:00:00.000Z",
      endDate: "2030-04-03T09:00:00.000Z",
      statusId: 2,
      enableAutoChangeStatus: true,
      eventDetail: { ja: "一行目\n二行目", en: "" },
      spStoreUrl: null,
      spAccessToken: null,
      publishPassword: { action: "keep" },
      showBeforePassword: false,
      urlParams: { ts: 5, hr: "1" },
    });
  });

  it("accepts several spellings of a date, with the year first and the 24-hour clock", () => {
    for (const typed of [
      "2030/4/2 10:00",
      "2030-04-02 10:00",
      "２０３０／４／２　１０：００",
      "2030.04.02  10:00",
    ])
      expect(value({ startDate: typed }).startDate, typed).toBe("2030-04-02T01:00:00.000Z");
    for (const typed of [
      "2030/4/2",
      "4/2/2030 10:00",
      "2030/4/2 10:00 PM",
      "2030/4/31 10:00",
      "2030/4/2 24:00",
      "10:00",
    ])
      expect(errors({ startDate: typed }), typed).toEqual({ startDate: "events:errors.startDate.invalid" });
  });

  it("accepts unchanged fields of an older version after other users' changes", () => {
    const afterLaterSave = {
      saved: { ...saved, version: 4, startDate: null, spStoreUrl: null, spAccessToken: null },
    };
    const untouched = {
      startDate: "2030-03-01T09:00",
      endDate: "",
      spStoreUrl: "https://shop.example.com",
      spAccessToken: "",
    };
    expect(errors(untouched, afterLaterSave)).toEqual({});
    expect(Object.keys(errors({ ...untouched, version: 4 }, afterLaterSave)).sort()).toEqual([
      "spAccessToken",
      "startDate",
    ]);
    expect(errors({ ...untouched, eventName: { ja: "", en: " " } }, afterLaterSave)).toEqual({
      eventName: "events:errors.eventName.required",
    });
  });

  it("keeps the hidden store token for the same store only", () => {
    const hiddenToken = { saved: { ...saved, spAccessToken: null }, hasSavedStoreToken: true };
    const store = { spStoreUrl: "https://shop.example.com", spAccessToken: "" };
    const dates = { startDate: null, endDate: null };
    expect(errors({ ...dates, ...store }, hiddenToken)).toEqual({});
    expect(errors({ ...dates, ...store }, { ...hiddenToken, hasSavedStoreToken: false })).toHaveProperty(
      "spAccessToken",
    );
    expect(
      errors({ ...dates, ...store, spStoreUrl: "https://other.example.com" }, hiddenToken),
    ).toHaveProperty("spAccessToken");
    expect(value({ ...dates, ...store }, hiddenToken)).toMatchObject({ ...store, spAccessToken: undefined });
    expect(value({ ...dates, ...store, spAccessToken: "other" }, hiddenToken).spAccessToken).toBe("other");
    expect(value({ ...dates, spStoreUrl: "", spAccessToken: "" }, hiddenToken)).toMatchObject({
      spStoreUrl: null,
      spAccessToken: null,
    });
  });

  it("also accepts API values: numbers, booleans, nulls and instants", () => {
    const apiValues = {
      version: 3,
      eventName: { ja: "a" },
      startDate: "2030-04-02T01:00:00Z",
      endDate: null,
      statusId: 2,
      enableAutoChangeStatus: true,
      eventDetail: null,
      spStoreUrl: null,
      spAccessToken: null,
      urlParams: { ts: 5 },
    };
    expect(createEventSchema(base).parse(apiValues)).toMatchObject({
      startDate: "2030-04-02T01:00:00.000Z",
      endDate: null,
      enableAutoChangeStatus: true,
      eventDetail: { ja: "", en: "" },
      urlParams: { ts: 5 },
    });
    expect(value({ startDate: "2030-04-02T10:00:00+09:00" }).startDate).toBe("2030-04-02T01:00:00.000Z");
  });

  it("parses a form post in the same way, including unchecked boxes and empty fields", () => {
    const form = new FormData();
    for (const [name, text] of Object.entries(input)) {
      for (const [lang, langText] of typeof text === "object" ? Object.entries({ ...text }) : [])
        form.set(`${name}.${lang}`, String(langText));
      if (typeof text === "string") form.set(name, text);
    }
    form.delete("enableAutoChangeStatus");
    form.set("urlParams.qs", "1");
    form.set("urlParams.hr", "");
    form.set("extraParams[0].name", "sr");
    form.set("extraParams[0].value", "1,2");
    form.set("extraParams[1].name", "");
    form.set("extraParams[1].value", "");
    const submission = parseWithZod(form, { schema: createEventSchema(base) });
    expect(submission.status).toBe("success");
    if (submission.status !== "success") return;
    expect(submission.value).toEqual({
      ...value(),
      enableAutoChangeStatus: false,
      urlParams: { qs: "1", sr: "1,2" },
    });
  });

  it("returns every message of a form post by field", async () => {
    const form = new FormData();
    form.set("version", "3");
    form.set("eventName.ja", "あ".repeat(33));
    form.set("startDate", "2030-04-05T10:00");
    form.set("endDate", "2030-04-04T10:00");
    form.set("statusId", "9");
    form.set("spStoreUrl", "https://shop.example.com");
    form.set("urlParams.wts", "fast");
    form.set("extraParams[0].name", "m");
    form.set("extraParams[0].value", "SxQL3iGyoDo");
    const submission = parseWithZod(form, { schema: createEventSchema(base) });
    expect(submission.reply().error).toEqual({
      "eventName.ja": ["events:errors.eventName.tooLong"],
      endDate: ["events:errors.endDate.beforeStart"],
      statusId: ["events:errors.statusId.invalid"],
      spAccessToken: ["store:errors.spAccessToken.missing"],
      "urlParams.wts": ["events:errors.urlParams.number"],
      "extraParams[0].name": ["events:errors.urlParams.rejected"],
    });
  });

  it("changes nothing when it is submitted unchanged", () => {
    for (const timeZone of ["Asia/Tokyo", "America/New_York"]) {
      const untouched = eventFormInput(saved, timeZone, urlParams.availableParams);
      const parsed = createEventSchema({ ...base, timeZone, saved }).parse(untouched);
      expect(changedFields(saved, parsed)).toEqual([]);
    }
  });
});

describe("the name of an event", () => {
  it("is too long in each language on its own", () => {
    const [ja, en] = ["あ".repeat(33), "a".repeat(33)];
    const tooLong = "events:errors.eventName.tooLong";
    expect(errors({ eventName: { ja, en: "Spring" } })).toEqual({ "eventName.ja": tooLong });
    expect(errors({ eventName: { ja: "春", en } })).toEqual({ "eventName.en": tooLong });
    expect(errors({ eventName: { ja, en } })).toEqual({ "eventName.ja": tooLong, "eventName.en": tooLong });
  });

  it("is required, and must contain a visible character", () => {
    for (const ja of [undefined, null, "", "  ", "\u3000", "\u200b"]) {
      const eventName = { ja, en: "" };
      expect(errors({ eventName })).toEqual({ eventName: "events:errors.eventName.required" });
      // A form shows the error beside the field of the language.
      expect(errors({ eventName }, { lang: "en" })).toEqual({
        "eventName.en": "events:errors.eventName.required",
      });
      expect(value({ eventName: { ja, en: "Spring" } }).eventName).toEqual({ ja: "", en: "Spring" });
    }
  });

  it("has at most 32 characters in each language", () => {
    const full = { ja: "あ".repeat(32), en: ` ${"e\u0301".repeat(32)} ` };
    expect(value({ eventName: full }).eventName).toEqual({ ja: full.ja, en: "é".repeat(32) });
    expect(errors({ eventName: { ja: "😀".repeat(32) } })).toEqual({});
    for (const lang of LANGS)
      expect(errors({ eventName: { ja: "春", [lang]: "😀".repeat(33) } })).toEqual({
        [`eventName.${lang}`]: "events:errors.eventName.tooLong",
      });
  });
});

describe("the details of an event", () => {
  it("have at most 1000 characters, counting a line end as one", () => {
    for (const lang of LANGS)
      expect(value({ eventDetail: { [lang]: `${"a\r\n".repeat(499)}aa` } }).eventDetail[lang]).toHaveLength(
        1000,
      );
    expect(errors({ eventDetail: { ja: "あ".repeat(1001) } })).toEqual({
      "eventDetail.ja": "events:errors.eventDetail.tooLong",
    });
    expect(errors({ eventDetail: { ja: "a\tb\nc" } })).toEqual({});
  });
});

describe("the dates of an event", () => {
  const dates = (startDate: string | null, endDate: string | null, ctx: Partial<EventSchemaContext> = {}) =>
    errors({ startDate, endDate }, ctx);

  it("may both be missing", () => {
    expect(value({ startDate: "", endDate: null })).toMatchObject({ startDate: null, endDate: null });
  });

  it("start no earlier than the current minute, or than now if they have seconds", () => {
    expect(dates("2030-04-01T10:29", "")).toEqual({ startDate: "events:errors.startDate.past" });
    expect(dates("2030-04-01T10:30", "")).toEqual({});
    expect(dates("2030-04-01T01:30:19.999Z", "")).toEqual({ startDate: "events:errors.startDate.past" });
    expect(dates("2030-04-01T01:30:20Z", "")).toEqual({});
  });

  it("end no earlier than now and no earlier than the start", () => {
    expect(dates("", "2030-04-01T10:30")).toEqual({ endDate: "events:errors.endDate.past" });
    expect(dates("", "2030-04-01T10:31")).toEqual({});
    expect(dates("2030-04-02T10:00", "2030-04-02T09:59")).toEqual({
      endDate: "events:errors.endDate.beforeStart",
    });
    expect(dates("2030-04-02T10:00", "2030-04-02T10:00")).toEqual({});
  });

  it("that were not changed may be in the past, and keep their seconds", () => {
    const dates = { startDate: "2030-03-01T09:00", endDate: "2030-03-20T09:00" };
    expect(value(dates, { saved })).toMatchObject({ startDate: saved.startDate, endDate: saved.endDate });
    expect(errors({ ...dates, endDate: "2030-03-20T09:01" }, { saved })).toEqual({
      endDate: "events:errors.endDate.past",
    });
    expect(errors({ ...dates, endDate: "2030-05-01T00:00" }, { saved })).toEqual({});
    expect(errors({ ...dates, startDate: "2030-03-01T09:01" }, { saved })).toEqual({
      startDate: "events:errors.startDate.past",
    });
  });

  it("may not end before now if the event is to open now and its end would close it", () => {
    const form = { startDate: "", endDate: "2030-03-20T09:00", statusId: 3, enableAutoChangeStatus: "on" };
    expect(errors(form, { saved, opensNow: true })).toEqual({ endDate: "events:errors.endDate.past" });
    expect(errors({ ...form, enableAutoChangeStatus: "" }, { saved, opensNow: true })).toEqual({});
    expect(errors({ ...form, endDate: "2030-05-01T00:00" }, { saved, opensNow: true })).toEqual({});
  });

  it("report the changed field when the start is after the end", () => {
    const future = { ...saved, startDate: "2030-05-01T00:00:00.000Z", endDate: "2030-05-02T00:00:00.000Z" };
    expect(dates("2030-05-03T09:00", "2030-05-02T09:00", { saved: future })).toEqual({
      startDate: "events:errors.startDate.afterEnd",
    });
    expect(dates("2030-05-01T09:00", "2030-04-30T09:00", { saved: future })).toEqual({
      endDate: "events:errors.endDate.beforeStart",
    });
  });

  it("that were saved in the wrong order do not prevent saving other fields", () => {
    const reversed = { ...saved, startDate: "2030-05-03T00:00:00.000Z", endDate: "2030-05-02T00:00:00.000Z" };
    expect(dates("2030-05-03T09:00", "2030-05-02T09:00", { saved: reversed })).toEqual({});
  });

  it("are entered in the account's time zone", () => {
    expect(
      value({ startDate: "2030-07-01T09:00", endDate: "" }, { timeZone: "America/New_York" }).startDate,
    ).toBe("2030-07-01T13:00:00.000Z");
  });

  it("are rejected when a clock change skips them, and mean the first of two repeated times", () => {
    const timeZone = "America/New_York";
    expect(errors({ startDate: "2030-03-10T02:30", endDate: "" }, { timeZone })).toEqual({
      startDate: "events:errors.startDate.skipped",
    });
    expect(value({ startDate: "2030-11-03T01:30", endDate: "" }, { timeZone }).startDate).toBe(
      "2030-11-03T05:30:00.000Z",
    );
  });

  it("keep the later of two repeated times when it was saved", () => {
    const later = { ...saved, startDate: "2030-11-03T06:30:00.000Z", endDate: null };
    const visibleDate = eventFormInput(later, "America/New_York").startDate;
    expect(visibleDate).toBe("2030-11-03T01:30");
    expect(
      value({ startDate: visibleDate, endDate: "" }, { saved: later, timeZone: "America/New_York" })
        .startDate,
    ).toBe(later.startDate);
  });

  it.each([
    "tomorrow",
    "2030-02-30T10:00",
    "2030-04-02",
    5,
    {},
    "99999-01-01T00:00:00Z",
    "-000001-01-01T00:00:00Z",
  ])("are not %j", (date) => {
    expect(errors({ startDate: date, endDate: date })).toEqual({
      startDate: "events:errors.startDate.invalid",
      endDate: "events:errors.endDate.invalid",
    });
  });
});

describe("the status of an event form", () => {
  it("is one of four values", () => {
    for (const statusId of [1, "2", "3", 4]) expect(errors({ statusId })).toEqual({});
    for (const statusId of [0, 5, "1.5", "", null, undefined, "Published", [1], "1 OR 1"]) {
      expect(errors({ statusId })).toEqual({ statusId: "events:errors.statusId.invalid" });
    }
  });
});

describe("the store of an event", () => {
  const store = { spStoreUrl: "http://shop.example.com/products", spAccessToken: "0123abc" };

  it("is saved as an https origin and a token", () => {
    expect(value(store)).toMatchObject({ spStoreUrl: "https://shop.example.com", spAccessToken: "0123abc" });
  });

  it("has both fields or neither", () => {
    expect(errors({ ...store, spAccessToken: "" })).toEqual({
      spAccessToken: "store:errors.spAccessToken.missing",
    });
    expect(errors({ ...store, spStoreUrl: null })).toEqual({ spStoreUrl: "store:errors.spStoreUrl.missing" });
  });

  it("is on a public host or on an allowed host", () => {
    const local = { ...store, spStoreUrl: "https://localhost:9443" };
    expect(errors(local)).toEqual({ spStoreUrl: "store:errors.spStoreUrl.host" });
    expect(errors(local, { isAllowedLocalHost: (host) => host === "localhost:9443" })).toEqual({});
  });

  it("accepts a private storefront token, and neither an app secret nor an Admin API token", () => {
    expect(value({ ...store, spAccessToken: "shpat_0123" }).spAccessToken).toBe("shpat_0123");
    for (const token of ["shpca_0123", "SHPSS_0123"]) {
      expect(errors({ ...store, spAccessToken: token })).toEqual({
        spAccessToken: "store:errors.spAccessToken.notStorefront",
      });
    }
    for (const token of ["a b", "トークン", "é"]) {
      expect(errors({ ...store, spAccessToken: token })).toEqual({
        spAccessToken: "store:errors.spAccessToken.invalid",
      });
    }
  });
});

describe("the publish password of an event", () => {
  it("stays, is set or is removed", () => {
    expect(value({ publishPassword: "" }).publishPassword).toEqual({ action: "keep" });
    expect(value({ publishPassword: "ｐａｓｓ１２３４" }).publishPassword).toEqual({
      action: "set",
      password: "pass1234",
    });
    expect(value({ removePublishPassword: "on" }).publishPassword).toEqual({ action: "remove" });
  });

  it("has 8 to 128 characters, and cannot be set and removed at once", () => {
    expect(errors({ publishPassword: "1234567" })).toEqual({
      publishPassword: "events:errors.publishPassword.tooShort",
    });
    expect(errors({ publishPassword: "x".repeat(129) })).toEqual({
      publishPassword: "events:errors.publishPassword.tooLong",
    });
    expect(errors({ publishPassword: "12345678", removePublishPassword: "on" })).toEqual({
      publishPassword: "events:errors.publishPassword.both",
    });
  });
});

describe("the parameters of an event", () => {
  it("that are not in the list of offered parameters are kept", () => {
    expect(value({ extraParams: [{ name: "ss", value: "12" }], urlParams: { qs: "1" } }).urlParams).toEqual({
      ss: "12",
      qs: "1",
    });
  });

  it("are rejected beside the field in which they were entered", () => {
    expect(
      errors({
        urlParams: { ts: "x", auth: "y" },
        extraParams: [
          { name: "ok", value: "1" },
          { name: "", value: "1" },
          { name: "apiHost", value: "1" },
          { name: "ok2", value: "\0" },
        ],
      }),
    ).toEqual({
      "urlParams.ts": "events:errors.urlParams.integer",
      urlParams: "events:errors.urlParams.rejected",
      "extraParams.1.name": "events:errors.urlParams.name",
      "extraParams.2.name": "events:errors.urlParams.rejected",
      "extraParams.3.value": "events:errors.urlParams.value",
    });
  });

  it("are rejected as a whole when they are invalid or far too many", () => {
    for (const wrong of ["qs=1", [], 5]) {
      expect(errors({ urlParams: wrong })).toEqual({ urlParams: "events:errors.urlParams.invalid" });
    }
    expect(errors({ extraParams: ["x"] })).toEqual({ extraParams: "events:errors.urlParams.invalid" });
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`p${i}`, "1"]));
    expect(errors({ urlParams: many })).toEqual({ urlParams: "events:errors.urlParams.tooMany" });
  });
});

describe("a typed secret after a rejected form", () => {
  const withHiddenToken = { saved: { ...saved, spAccessToken: null }, hasSavedStoreToken: true };
  const store = { spStoreUrl: saved.spStoreUrl };
  const AGAIN = "store:errors.secret.again";

  it("must be entered again, unless the user chooses to keep the saved one", () => {
    expect(
      errors({ ...store, publishPasswordAgain: "type", spAccessTokenAgain: "type" }, withHiddenToken),
    ).toEqual({
      publishPassword: AGAIN,
      spAccessToken: AGAIN,
    });
    const unchangedValue = value(
      { ...store, publishPasswordAgain: "keep", spAccessTokenAgain: "keep" },
      withHiddenToken,
    );
    expect(unchangedValue).toMatchObject({ publishPassword: { action: "keep" }, spAccessToken: undefined });
    const typed = { publishPassword: "password-9", spAccessToken: "0123456789abcdef" };
    const retyped = value(
      { ...store, ...typed, publishPasswordAgain: "type", spAccessTokenAgain: "type" },
      withHiddenToken,
    );
    expect(retyped).toMatchObject({
      publishPassword: { action: "set", password: "password-9" },
      spAccessToken: "0123456789abcdef",
    });
    expect(retyped).not.toHaveProperty("publishPasswordAgain");
    expect(
      errors(
        { ...store, ...typed, publishPasswordAgain: "keep", spAccessTokenAgain: "keep" },
        withHiddenToken,
      ),
    ).toEqual({ publishPassword: "store:errors.secret.both", spAccessToken: "store:errors.secret.both" });
  });

  it("is the tested token when the form contains it for the same store", () => {
    const otherStore = { spStoreUrl: "https://other.example.com", spAccessTokenAgain: "tested" };
    const withTestedStore = { ...withHiddenToken, testedStoreUrl: otherStore.spStoreUrl };
    expect(errors(otherStore, withTestedStore)).toEqual({});
    for (const context of [
      withHiddenToken,
      { ...withHiddenToken, testedStoreUrl: "https://third.example.com" },
    ])
      expect(errors(otherStore, context)).toEqual({ spAccessToken: AGAIN });
    expect(errors({ ...otherStore, spAccessToken: "0123456789abcdef" }, withTestedStore)).toEqual({
      spAccessToken: "store:errors.secret.both",
    });
    expect(errors({ publishPasswordAgain: "tested" })).toEqual({
      publishPasswordAgain: "shared-owners:errors.field.invalid",
    });
  });

  it("is not required when it is no longer used", () => {
    expect(
      errors(
        { publishPasswordAgain: "type", removePublishPassword: "on", spAccessTokenAgain: "type" },
        withHiddenToken,
      ),
    ).toEqual({});
    expect(errors({ publishPasswordAgain: "perhaps" })).toEqual({
      publishPasswordAgain: "shared-owners:errors.field.invalid",
    });
  });
});
