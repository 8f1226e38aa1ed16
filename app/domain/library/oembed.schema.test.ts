import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { respondAsProvider } from "../../../tests/support/external/web-providers";
import { readOembed, readWebMediaItem, type WebMediaResponse, type WebUrlMatch } from "./oembed.schema";
import { createWebPlayer, matchProvider } from "./web-media";

const match = (url: string) => matchProvider(url) as WebUrlMatch;
const video = match("https://youtu.be/dQw4w9WgXcQ");
const read = (response: unknown, link = video) => readOembed(link, response);
const validResponse = {
  type: "video",
  version: "1.0",
  title: "A film",
  html: "<iframe src='https://evil.example/'></iframe>",
};

describe("an oEmbed response", () => {
  it.each([
    [
      "https://youtu.be/dQw4w9WgXcQ",
      "video",
      "広場を歩く Walking through Hiroba",
      "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1",
    ],
    [
      "https://vimeo.com/76979871",
      "video",
      "The New Vimeo Player (You Know, For Videos)",
      "https://player.vimeo.com/video/76979871?autoplay=1&dnt=1",
    ],
    [
      "https://soundcloud.com/forss/flickermood",
      "rich",
      "Flickermood by Forss",
      "https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F293&auto_play=true&visual=true",
    ],
    [
      "https://open.spotify.com/track/2qToAcex0ruZfbEbAy9OhW",
      "rich",
      "Glorious",
      "https://open.spotify.com/embed/track/2qToAcex0ruZfbEbAy9OhW",
    ],
    [
      "https://my.matterport.com/show/?m=SxQL3iGyoDo",
      "rich",
      "Showroom",
      "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1",
    ],
    ["https://www.flickr.com/photos/bees/2362225867", "photo", "Bacon Lollys", undefined],
    [
      "https://dai.ly/x7tgad0",
      "video",
      "Midnight Sun | Iceland",
      "https://geo.dailymotion.com/player.html?video=x7tgad0",
    ],
    [
      "https://home.wistia.com/medias/e4a27b971d",
      "video",
      "Brendan - Make It Clap",
      "https://fast.wistia.net/embed/iframe/e4a27b971d?autoPlay=true&doNotTrack=true",
    ],
    [
      "https://www.loom.com/share/4648b440af4f0130dd9622000a1d8b60",
      "video",
      "My Video",
      "https://www.loom.com/embed/4648b440af4f0130dd9622000a1d8b60?autoplay=1",
    ],
    [
      "https://speakerdeck.com/wallat/why-backbone",
      "rich",
      "Why Backbone",
      "https://speakerdeck.com/player/4648b440af4f0130dd9622000a1d8b60",
    ],
    [
      "https://www.figma.com/file/2oGA2ADNXOYWnlBI47UN3R/x",
      "rich",
      "Safe Return (Community)",
      "https://embed.figma.com/file/2oGA2ADNXOYWnlBI47UN3R?embed-host=hiroba",
    ],
    [
      "https://x.com/Interior/status/463440424141459456",
      "rich",
      "",
      "https://platform.twitter.com/embed/Tweet.html?id=463440424141459456&dnt=true",
    ],
    [
      "https://www.tiktok.com/@scout2015/video/6718335390845095173",
      "video",
      "Scramble up ur name & I’ll try to guess it😍❤️ #foryoupage",
      "https://www.tiktok.com/player/v1/6718335390845095173?autoplay=1",
    ],
    [
      "https://sketchfab.com/models/4648b440af4f0130dd9622000a1d8b60",
      "rich",
      "Loring",
      "https://sketchfab.com/models/4648b440af4f0130dd9622000a1d8b60/embed?autostart=1&dnt=1",
    ],
  ])("for %s gives %s: %s", (url, type, title, src) => {
    const matched = match(url);
    const endpoint = `${matched.provider.endpoint}?url=${encodeURIComponent(matched.url)}`;
    const response = read(JSON.parse(String(respondAsProvider(endpoint)?.body)), matched) as WebMediaResponse;
    expect(response.web).toMatchObject({ provider: matched.provider.id, url: matched.url, type, title });
    expect(createWebPlayer(response.web)?.src).toBe(src);
  });

  it.each([
    ["a link", { type: "link", version: "1.0", title: "x" }, "link"],
    ["of an unknown type", { ...validResponse, type: "script" }, "bad"],
    ["without a type", { ...validResponse, type: undefined }, "bad"],
    ["of another version", { ...validResponse, version: "2.0" }, "bad"],
    ["a film without HTML", { type: "video", version: "1.0" }, "bad"],
    ["a photo of another host", { type: "photo", version: "1.0", url: "https://evil.example/a.jpg" }, "bad"],
    ["undefined", undefined, "bad"],
    ["null", null, "bad"],
    ["a list", [validResponse], "bad"],
    ["a text", "video", "bad"],
  ])("that is %s is rejected", (_description, response, rejection) => expect(read(response)).toBe(rejection));

  it("is rejected if neither the URL nor its HTML determines a player", () => {
    const deck = match("https://speakerdeck.com/wallat/why-backbone");
    expect(read({ ...validResponse, type: "rich" }, deck)).toBe("bad");
  });

  it("has a title of one line, cut to the maximum length, or an empty one if it cannot be shown", () => {
    const titleFrom = (title: unknown) => (read({ ...validResponse, title }) as WebMediaResponse).web.title;
    expect(titleFrom("  two\n lines ")).toBe("two lines");
    expect([...titleFrom("😀".repeat(300))]).toHaveLength(100);
    expect(titleFrom("evil\u202etxt.exe")).toBe("");
    expect(titleFrom("\u0000")).toBe("");
    expect(titleFrom({ toString: "x" })).toBe("");
    expect(titleFrom("\u200b\u200b")).toBe("");
  });

  it("has a size if it states a plausible one", () => {
    const sizeFrom = (width: unknown, height: unknown) => {
      const { web } = read({ ...validResponse, width, height }) as WebMediaResponse;
      return [web.width, web.height];
    };
    expect(sizeFrom(480, "270")).toEqual([480, 270]);
    expect(sizeFrom("100%", null)).toEqual([null, null]);
    expect(sizeFrom(-1, 1e9)).toEqual([null, null]);
  });

  it("has a thumbnail only from its provider's image hosts", () => {
    const thumbnailOf = (thumbnail_url: unknown) =>
      (read({ ...validResponse, thumbnail_url }) as WebMediaResponse).image;
    expect(thumbnailOf("https://i.ytimg.com/vi/x/hqdefault.jpg")).toBe(
      "https://i.ytimg.com/vi/x/hqdefault.jpg",
    );
    expect(thumbnailOf("http://i.ytimg.com/vi/x/hqdefault.jpg")).toBe(
      "https://i.ytimg.com/vi/x/hqdefault.jpg",
    );
    expect(thumbnailOf("//i.ytimg.com/a.jpg")).toBe("https://i.ytimg.com/a.jpg");
    for (const url of [
      "https://evil.example/i.ytimg.com/a.jpg",
      "https://i.ytimg.com.evil.example/a.jpg",
      "https://i.ytimg.com:8443/a.jpg",
      "https://x:y@i.ytimg.com/a.jpg",
      "https://169.254.169.254/latest/meta-data",
      "file:///etc/passwd",
      "data:image/png;base64,AA",
      "not an address",
      `https://i.ytimg.com/${"a".repeat(5000)}`,
      7,
    ])
      expect(thumbnailOf(url), String(url)).toBeNull();
  });

  it("never causes an exception", () => {
    fc.assert(fc.property(fc.anything(), (value) => void read(value)));
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...Object.keys(validResponse)), fc.anything()),
        (value) => void read({ ...validResponse, ...value }),
      ),
    );
  });
});

it("stored web media are read again, unless they are invalid or the provider is no longer supported", () => {
  const { web } = read(validResponse) as WebMediaResponse;
  const { url, ...embed } = web;
  expect(readWebMediaItem(url, embed)).toEqual(web);
  expect(readWebMediaItem(url, { ...embed, provider: "gone" })).toBeNull();
  expect(readWebMediaItem(url, null)).toBeNull();
});
