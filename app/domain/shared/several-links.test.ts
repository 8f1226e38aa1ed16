import { expect, it } from "vitest";
import { hasSeveralLinks } from "./several-links";

it("finds several URLs in one text, also without a separator, and accepts a single URL", () => {
  const url = "https://my.matterport.com/show/?m=SxQL3iGyoDo";
  for (const text of [`${url}\n${url}`, `${url} ${url}`, `${url}${url}`, `${url}、${url}`])
    expect([text, hasSeveralLinks(text)]).toEqual([text, true]);
  for (const text of [
    url,
    ` ${url}\n`,
    "SxQL3iGyoDo",
    `https://example.com/?url=${url}`,
    `https://web.archive.org/web/2020/${url}`,
  ])
    expect([text, hasSeveralLinks(text)]).toEqual([text, false]);
});
