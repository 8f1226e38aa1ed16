import { expect, it } from "vitest";
import { mediaIdOfFile, readOpenedFile } from "./opened-file";

const [event, item] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const PRESSED = { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" };
const readFile = (href: string, headers: Record<string, string> = PRESSED) => {
  const url = new URL(href, "https://hiroba.test");
  return readOpenedFile(new Request(url, { headers }), url);
};
const linkQuery = `event=${event}&mode=published&token=t`;

it("is recognised by a link on an event's page", () => {
  const file = { eventId: event, token: "t", itemId: item };
  expect(readFile(`/media/${item}?${linkQuery}`)).toEqual(file);
  expect(readFile(`/media/${item}/abc?${linkQuery}`)).toEqual(file);
});

it.each<readonly [string, string, Record<string, string>]>([
  ["what a page shows", `/media/${item}?${linkQuery}`, { ...PRESSED, "sec-fetch-dest": "image" }],
  [
    "what another site leads to",
    `/media/${item}?${linkQuery}`,
    { ...PRESSED, "sec-fetch-site": "cross-site" },
  ],
  ["what says nothing", `/media/${item}?${linkQuery}`, {}],
  ["a picture of it", `/media/${item}?w=640&${linkQuery}`, PRESSED],
  ["a preview", `/media/${item}?event=${event}&mode=preview&token=t`, PRESSED],
  ["an owner's own file", `/media/${item}`, PRESSED],
  ["no file", `/media/x?${linkQuery}`, PRESSED],
])("is null for %s", (_, address, headers) => {
  expect(readFile(address, headers)).toBeNull();
});

it("belongs to the only media item that shows it", () => {
  const medium = (id: string, libraryItemId: string) => ({ id, libraryItemId });
  expect(mediaIdOfFile([medium("a", item), medium("b", "x")], item)).toBe("a");
  expect(mediaIdOfFile([medium("a", item), medium("b", item)], item)).toBeNull();
  expect(mediaIdOfFile([], item)).toBeNull();
});
