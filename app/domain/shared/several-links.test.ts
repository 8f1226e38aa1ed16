import { expect, it } from "vitest";
import { hasSeveralLinks } from "./several-links";

it("finds several addresses, however a browser joined their lines", () => {
  const one = "https://my.matterport.com/show/?m=SxQL3iGyoDo";
  for (const text of [`${one}\n${one}`, `${one} ${one}`, `${one}${one}`, `${one}、${one}`])
    expect([text, hasSeveralLinks(text)]).toEqual([text, true]);
  for (const text of [
    one,
    ` ${one}\n`,
    "SxQL3iGyoDo",
    `https://example.com/?url=${one}`,
    `https://web.archive.org/web/2020/${one}`,
  ])
    expect([text, hasSeveralLinks(text)]).toEqual([text, false]);
});
