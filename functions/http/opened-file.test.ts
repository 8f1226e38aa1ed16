import { expect, it } from "vitest";
import { mediaIdOfFile, readOpenedFile } from "./opened-file";

const [event, item] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const PRESSED = { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" };
const opened = (address: string, headers: Record<string, string> = PRESSED) => {
  const url = new URL(address, "https://hiroba.test");
  return readOpenedFile(new Request(url, { headers }), url);
};
const by = `event=${event}&mode=published&token=t`;

it("knows which file was opened by a link of an event's page", () => {
  const file = { eventId: event, token: "t", itemId: item };
  expect(opened(`/media/${item}?${by}`)).toEqual(file);
  expect(opened(`/media/${item}/abc?${by}`)).toEqual(file);
});

it.each<readonly [string, string, Record<string, string>]>([
  ["what a page shows", `/media/${item}?${by}`, { ...PRESSED, "sec-fetch-dest": "image" }],
  ["what another site leads to", `/media/${item}?${by}`, { ...PRESSED, "sec-fetch-site": "cross-site" }],
  ["what says nothing", `/media/${item}?${by}`, {}],
  ["a picture of it", `/media/${item}?w=640&${by}`, PRESSED],
  ["a preview", `/media/${item}?event=${event}&mode=preview&token=t`, PRESSED],
  ["an owner's own file", `/media/${item}`, PRESSED],
  ["no file", `/media/x?${by}`, PRESSED],
])("is none: %s", (_, address, headers) => {
  expect(opened(address, headers)).toBeNull();
});

it("is of the one medium that shows it", () => {
  const medium = (id: string, libraryItemId: string) => ({ id, libraryItemId });
  expect(mediaIdOfFile([medium("a", item), medium("b", "x")], item)).toBe("a");
  expect(mediaIdOfFile([medium("a", item), medium("b", item)], item)).toBeNull();
  expect(mediaIdOfFile([], item)).toBeNull();
});
