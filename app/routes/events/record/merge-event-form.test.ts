import { expect, it } from "vitest";
import { formParts } from "~/domain/events/event-changes";
import type { EventFormInput } from "~/domain/events/event-form";
import type { Event } from "~/domain/shared/model";
import { readEventForm } from "~/forms/shared/event-form-data";
import { mergeEventForm } from "./merge-event-form.server";

const opened: EventFormInput = {
  version: 1,
  eventName: { ja: "春の展示", en: "Spring" },
  startDate: "2030-04-01T09:00",
  endDate: "",
  statusId: 1,
  enableAutoChangeStatus: "on",
  eventDetail: { ja: "", en: "one\ntwo" },
  spStoreUrl: "https://shop.example.com",
  showBeforePassword: "",
  urlParams: { ts: "5", qs: "1" },
  extraParams: [{ name: "own", value: "a" }],
};

/** Merges a form that was filled from `opened` with a saved event. */
function mergeWith(
  typed: Readonly<Record<string, string>>,
  saved: Partial<EventFormInput>,
  secrets: Partial<Event> = {},
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({
    was: JSON.stringify(formParts(opened)),
    "eventName.ja": "春の展示",
    "eventName.en": "Spring",
    startDate: "2030-04-01T09:00",
    endDate: "",
    statusId: "1",
    enableAutoChangeStatus: "on",
    "eventDetail.en": "one\r\ntwo",
    spStoreUrl: "https://shop.example.com",
    "urlParams.ts": "5",
    "urlParams.qs": "1",
    "extraParams[0].name": "own",
    "extraParams[0].value": "a",
    ...typed,
  }))
    form.set(name, value);
  const event = { spAccessToken: "saved-token", hasPublishPassword: false, ...secrets } as Event;
  const merge = () => mergeEventForm(form, { event, input: { ...opened, ...saved }, offered: ["ts", "qs"] });
  const { conflicts, was } = merge();
  form.set("was", was);
  return { conflicts, values: readEventForm(form), conflictsAfterwards: merge().conflicts };
}

it("takes what only the other editor has changed, and keeps what only this form has changed", () => {
  const { conflicts, values } = mergeWith(
    { "eventName.ja": "夏の展示", "urlParams.ts": "6", showBeforePassword: "on" },
    {
      eventName: { ja: "春の展示", en: "Summer" },
      statusId: 4,
      enableAutoChangeStatus: "",
      urlParams: { ts: "5" },
      extraParams: [{ name: "own", value: "b" }],
    },
  );
  expect(conflicts).toEqual([]);
  expect(values).toMatchObject({
    eventName: { ja: "夏の展示", en: "Summer" },
    eventDetail: { ja: "", en: "one\r\ntwo" },
    statusId: "4",
    enableAutoChangeStatus: "",
    showBeforePassword: "on",
    spStoreUrl: "https://shop.example.com",
    urlParams: { ts: "6", qs: "" },
    extraParams: [{ name: "own", value: "b" }],
  });
});

it("names what both have changed, once", () => {
  const { conflicts, values, conflictsAfterwards } = mergeWith(
    { "eventName.ja": "夏の展示", endDate: "2030-05-01T09:00", "urlParams.ts": "6" },
    {
      eventName: { ja: "秋の展示", en: "Spring" },
      endDate: "2030-05-01T09:00",
      urlParams: { ts: "7", qs: "1" },
    },
  );
  expect(conflicts.toSorted()).toEqual(["eventName.ja", "urlParams.ts"]);
  expect(values).toMatchObject({ eventName: { ja: "夏の展示" }, urlParams: { ts: "6", qs: "1" } });
  expect(conflictsAfterwards).toEqual([]);
});

it("never sends an entered token to another editor's store", () => {
  const theirs = { spStoreUrl: "https://theirs.example.com" };
  const { conflicts, values, conflictsAfterwards } = mergeWith({ spAccessToken: "my-token" }, theirs);
  expect(conflicts).toEqual(["spStoreUrl"]);
  expect(values).toMatchObject({ spStoreUrl: "https://shop.example.com", spAccessToken: "my-token" });
  expect(conflictsAfterwards).toEqual([]);
  expect(mergeWith({}, theirs).values.spStoreUrl).toBe(theirs.spStoreUrl);
});

it("asks before it replaces a saved password", () => {
  const typed = { publishPassword: "my password" };
  expect(mergeWith(typed, {}, { hasPublishPassword: true })).toMatchObject({
    conflicts: ["publishPassword"],
    values: typed,
    conflictsAfterwards: [],
  });
  expect(mergeWith(typed, {}).conflicts).toEqual([]);
});

it("treats every difference as a conflict if the form does not name its original values", () => {
  const { conflicts } = mergeWith({ was: "{", "eventName.ja": "夏の展示" }, { statusId: 2 });
  expect(conflicts).toContain("eventName.ja");
  expect(conflicts).toContain("statusId");
  expect(conflicts).not.toContain("startDate");
});
