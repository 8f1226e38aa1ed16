import { describe, expect, it } from "vitest";
import { newText } from "~/domain/events/event-texts";
import type { Event } from "../shared/model";
import { changedFields, conflictRows, inputDiffers } from "./event-changes";
import { type EventFormValue, eventFormInput } from "./event-form";

const saved: Event = {
  id: "e",
  spaceId: "s",
  eventName: newText("春の展示"),
  startDate: "2030-04-01T00:00:30.000Z",
  endDate: null,
  statusId: 2,
  enableAutoChangeStatus: true,
  accessToken: "a",
  previewAccessToken: "p",
  spAccessToken: null,
  spStoreUrl: null,
  eventDetail: newText("一行目\n二行目"),
  urlParams: { qs: "1", ts: 5, sr: "1,2" },
  hasPublishPassword: true,
  showBeforePassword: false,
  createdAt: "2030-01-01T00:00:00.000Z",
  updatedAt: "2030-01-01T00:00:00.000Z",
  version: 3,
  revision: 9,
};
const unchanged: EventFormValue = {
  version: 3,
  eventName: newText("春の展示"),
  startDate: "2030-04-01T00:00:30.000Z",
  endDate: null,
  statusId: 2,
  enableAutoChangeStatus: true,
  eventDetail: newText("一行目\n二行目"),
  spStoreUrl: null,
  spAccessToken: null,
  publishPassword: { action: "keep" },
  showBeforePassword: false,
  urlParams: { sr: "1,2", ts: 5, qs: "1" },
};

describe("the changes of an event's form", () => {
  it("are empty when all values equal the saved ones, independent of the order of parameters and the spelling of dates", () => {
    expect(changedFields(saved, unchanged)).toEqual([]);
    expect(changedFields(saved, { ...unchanged, startDate: "2030-04-01T00:00:30Z" })).toEqual([]);
    expect(changedFields(saved, { ...unchanged, urlParams: { qs: "1", ts: "5", sr: "1,2" } })).toEqual([]);
  });

  it.each<[keyof EventFormValue, Partial<EventFormValue>]>([
    ["eventName", { eventName: newText("春の展示 2") }],
    ["startDate", { startDate: null }],
    ["startDate", { startDate: "2030-04-01T00:00:31.000Z" }],
    ["endDate", { endDate: "2030-05-01T00:00:00.000Z" }],
    ["statusId", { statusId: 3 }],
    ["enableAutoChangeStatus", { enableAutoChangeStatus: false }],
    ["eventDetail", { eventDetail: newText("") }],
    ["spStoreUrl", { spStoreUrl: "https://shop.example.com" }],
    ["spAccessToken", { spAccessToken: "t" }],
    ["publishPassword", { publishPassword: { action: "set", password: "12345678" } }],
    ["publishPassword", { publishPassword: { action: "remove" } }],
    ["urlParams", { urlParams: {} }],
    ["urlParams", { urlParams: { ...saved.urlParams, ts: 6 } }],
    ["urlParams", { urlParams: { ...saved.urlParams, hr: "0" } }],
    ["urlParams", { urlParams: { qs: "1", ts: 5, toString: "1,2" } }],
  ])("are %s for %j", (field, change) => {
    expect(changedFields(saved, { ...unchanged, ...change })).toEqual([field]);
  });

  it("are empty when the input keeps the store's token, and contain a token that it removes", () => {
    const store = { spStoreUrl: "https://shop.example.com", spAccessToken: "t" };
    expect(
      changedFields({ ...saved, ...store }, { ...unchanged, ...store, spAccessToken: undefined }),
    ).toEqual([]);
    expect(changedFields({ ...saved, ...store }, { ...unchanged, ...store, spAccessToken: null })).toEqual([
      "spAccessToken",
    ]);
  });

  it("are empty when a password is removed that was never set", () => {
    const withoutPassword = { ...saved, hasPublishPassword: false };
    expect(changedFields(withoutPassword, { ...unchanged, publishPassword: { action: "remove" } })).toEqual(
      [],
    );
  });
});

describe("the current input of a form", () => {
  const opened = eventFormInput(saved, "Asia/Tokyo", ["qs", "ts"]);

  it("starts with local times, URL parameters for which the form has fields in these, and other parameters in rows", () => {
    expect(opened).toMatchObject({
      startDate: "2030-04-01T09:00",
      endDate: "",
      enableAutoChangeStatus: "on",
      spStoreUrl: "",
      urlParams: { qs: "1", ts: "5" },
      extraParams: [{ name: "sr", value: "1,2" }],
    });
  });

  it("does not differ from equivalent input", () => {
    expect(inputDiffers(opened, opened)).toBe(false);
    expect(
      inputDiffers(opened, {
        ...opened,
        eventName: newText(" 春の展示 "),
        eventDetail: newText("一行目\r\n二行目"),
        statusId: "2",
        endDate: null,
        enableAutoChangeStatus: true,
        removePublishPassword: undefined,
        urlParams: { ts: "5", qs: "1", hr: "" },
        extraParams: [
          { name: "sr", value: "1,2" },
          { name: "", value: "" },
        ],
      }),
    ).toBe(false);
  });

  it("does not differ when its token field is missing", () => {
    const withToken = { ...opened, spAccessToken: "t" };
    expect(inputDiffers(withToken, { ...opened, spAccessToken: undefined })).toBe(false);
    expect(inputDiffers(withToken, { ...opened, spAccessToken: "" })).toBe(true);
  });

  it("differs as soon as one field does", () => {
    for (const change of [
      { eventName: "x" },
      { startDate: "" },
      { endDate: "2030-04-01T09:00" },
      { statusId: "3" },
      { enableAutoChangeStatus: undefined },
      { eventDetail: "" },
      { spStoreUrl: "x" },
      { spAccessToken: "x" },
      { publishPassword: " " },
      { removePublishPassword: "on" },
      { showBeforePassword: "on" },
      { urlParams: { qs: "1", ts: "6" } },
      { extraParams: [] },
    ]) {
      expect(
        inputDiffers(opened, { ...opened, ...(change as Partial<typeof opened>) }),
        JSON.stringify(change),
      ).toBe(true);
    }
  });
});

describe("the differences between two versions of an event", () => {
  const submitted: EventFormValue = {
    ...unchanged,
    endDate: "2030-04-02T09:00:00.000Z",
    publishPassword: { action: "set", password: "password-9" },
    spStoreUrl: "https://shop.example.com",
    spAccessToken: "0123456789abcdef",
    urlParams: { qs: "1", ts: 7, later: "x" },
  };
  const rows = conflictRows(saved, submitted, "Asia/Tokyo");

  it("contain every differing field, with times in the account's time zone", () => {
    expect(rows.map((row) => row.field)).toEqual([
      "endDate",
      "spStoreUrl",
      "spAccessToken",
      "publishPassword",
      "urlParams",
    ]);
    expect(rows[0]).toMatchObject({
      saved: { kind: "date", local: "" },
      yours: { kind: "date", local: "2030-04-02T18:00" },
    });
    expect(conflictRows(saved, unchanged, "Asia/Tokyo")).toEqual([]);
  });

  it("contain only the differing parameters, and mark those that are not set", () => {
    expect(rows.find((row) => row.field === "urlParams")).toMatchObject({
      saved: {
        params: [
          ["ts", "5"],
          ["sr", "1,2"],
          ["later", null],
        ],
      },
      yours: {
        params: [
          ["ts", "7"],
          ["sr", null],
          ["later", "x"],
        ],
      },
    });
  });

  it("contain no secret, only whether it is set, new or missing", () => {
    expect(rows.find((row) => row.field === "publishPassword")).toMatchObject({
      saved: { is: "set" },
      yours: { is: "new" },
    });
    expect(rows.find((row) => row.field === "spAccessToken")).toMatchObject({
      saved: { is: "none" },
      yours: { is: "new" },
    });
    const removed = conflictRows(
      saved,
      { ...unchanged, publishPassword: { action: "remove" } },
      "Asia/Tokyo",
    );
    expect(removed).toEqual([
      {
        field: "publishPassword",
        saved: { kind: "secret", is: "set" },
        yours: { kind: "secret", is: "none" },
      },
    ]);
    expect(JSON.stringify(rows)).not.toMatch(/password-9|0123456789/);
  });
});
