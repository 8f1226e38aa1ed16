import { expect, it } from "vitest";
import { readTrackingSheetRequest, trackingStyleSheet } from "./noscript-tracking";

const event = "11111111-1111-4111-8111-111111111111";
const readRequest = (path: string, method = "GET") => {
  const url = new URL(path, "https://hiroba.test");
  return readTrackingSheetRequest(new Request(url, { method }), url);
};

it("the style sheet that tracks visits without scripts is requested by GET at its own URL with a token", () => {
  expect(readRequest(`/v/${event}/opened.css?token=t`)).toEqual({ eventId: event, token: "t" });
  expect(readRequest(`/v/${event}/opened.css?token=t`, "POST")).toBeNull();
  for (const path of [
    `/v/${event}?token=t`,
    `/v/${event}/opened.css`,
    "/v/x/opened.css?token=t",
    "/opened.css?token=t",
  ])
    expect(readRequest(path)).toBeNull();
});

it("reports each element with a separate URL, and a token cannot add rules", () => {
  const rules = trackingStyleSheet(
    { eventId: event, token: `t")}*{color:red` },
    { tags: [{ id: "1" }, { id: "2" }], media: [{ id: "3" }] },
  );
  const reportUrl = `/v/${event}?token=t%22%29%7D*%7Bcolor%3Ared`;
  expect(rules.split("\n")).toEqual([
    `#tag-1 details[open]{background-image:url("${reportUrl}&tag=1")}`,
    `#tag-2 details[open]{background-image:url("${reportUrl}&tag=2")}`,
    `[data-medium="3"] :is(a:active,video:active,audio:active,:playing){background-image:url("${reportUrl}&media=3")}`,
  ]);
});
