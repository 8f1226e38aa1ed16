import { expect, it } from "vitest";
import { mediaIdOfFile, readOpenedFile } from "./noscript-opened-file";

const [event, item] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
const LINK_NAVIGATION = { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" };
const readFile = (href: string, headers: Record<string, string> = LINK_NAVIGATION) => {
  const url = new URL(href, "https://hiroba.test");
  return readOpenedFile(new Request(url, { headers }), url);
};
const linkQuery = `event=${event}&mode=published&token=t`;

it("recognises a file that was opened by a link on an event's page", () => {
  const file = { eventId: event, token: "t", itemId: item };
  expect(readFile(`/media/${item}?${linkQuery}`)).toEqual(file);
  expect(readFile(`/media/${item}/abc?${linkQuery}`)).toEqual(file);
});

it.each<readonly [string, string, Record<string, string>]>([
  ["an image of a page", `/media/${item}?${linkQuery}`, { ...LINK_NAVIGATION, "sec-fetch-dest": "image" }],
  [
    "a link on another site",
    `/media/${item}?${linkQuery}`,
    { ...LINK_NAVIGATION, "sec-fetch-site": "cross-site" },
  ],
  ["a request without fetch metadata", `/media/${item}?${linkQuery}`, {}],
  ["a thumbnail of the file", `/media/${item}?w=640&${linkQuery}`, LINK_NAVIGATION],
  ["a preview", `/media/${item}?event=${event}&mode=preview&token=t`, LINK_NAVIGATION],
  ["a file without an event", `/media/${item}`, LINK_NAVIGATION],
  ["an id that is not a UUID", `/media/x?${linkQuery}`, LINK_NAVIGATION],
])("returns null for %s", (_, url, headers) => {
  expect(readFile(url, headers)).toBeNull();
});

it("attributes a file to the only media item that shows it", () => {
  const mediaItem = (id: string, libraryItemId: string) => ({ id, libraryItemId });
  expect(mediaIdOfFile([mediaItem("a", item), mediaItem("b", "x")], item)).toBe("a");
  expect(mediaIdOfFile([mediaItem("a", item), mediaItem("b", item)], item)).toBeNull();
  expect(mediaIdOfFile([], item)).toBeNull();
});
