import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createWebPlayer,
  findProvider,
  isHostListed,
  matchProvider,
  PLAYER_ORIGINS,
  playerInResponse,
} from "./web-media";
import { PROVIDERS, type WebProvider } from "./web-providers";

const HEX = "4648b440af4f0130dd9622000a1d8b60";

/** A copied URL, its provider, its stored form, and the path of its player. */
const ACCEPTED_URLS: readonly (readonly [
  typed: string,
  provider: string,
  url: string,
  player: string | null,
])[] = [
  [
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "youtube",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "/embed/dQw4w9WgXcQ",
  ],
  [
    "  https://youtu.be/dQw4w9WgXcQ?si=tracking&t=90 ",
    "youtube",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90s",
    "/embed/dQw4w9WgXcQ?start=90",
  ],
  [
    "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&t=1h2m3s",
    "youtube",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=3723s",
    "/embed/dQw4w9WgXcQ?start=3723",
  ],
  [
    "https://www.youtube.com/shorts/a12CpYea0i4",
    "youtube",
    "https://www.youtube.com/watch?v=a12CpYea0i4",
    "/embed/a12CpYea0i4",
  ],
  [
    "https://www.youtube.com/live/a12CpYea0i4?feature=share",
    "youtube",
    "https://www.youtube.com/watch?v=a12CpYea0i4",
    "/embed/a12CpYea0i4",
  ],
  [
    "https://www.youtube-nocookie.com/embed/a12CpYea0i4",
    "youtube",
    "https://www.youtube.com/watch?v=a12CpYea0i4",
    "/embed/a12CpYea0i4",
  ],
  [
    "https://www.youtube.com/playlist?list=PLSL0f2Dh_snCsLgQ3J319RYQyctRlfJFc",
    "youtube",
    "https://www.youtube.com/playlist?list=PLSL0f2Dh_snCsLgQ3J319RYQyctRlfJFc",
    "/embed/videoseries?list=PLSL0f2Dh_snCsLgQ3J319RYQyctRlfJFc",
  ],
  ["https://vimeo.com/76979871", "vimeo", "https://vimeo.com/76979871", "/video/76979871"],
  [
    "https://vimeo.com/76979871/8272103f6e?share=copy",
    "vimeo",
    "https://vimeo.com/76979871/8272103f6e",
    "/video/76979871?h=8272103f6e",
  ],
  [
    "https://player.vimeo.com/video/76979871?h=8272103f6e&autoplay=1",
    "vimeo",
    "https://vimeo.com/76979871/8272103f6e",
    "/video/76979871?h=8272103f6e",
  ],
  [
    "https://vimeo.com/channels/staffpicks/76979871",
    "vimeo",
    "https://vimeo.com/76979871",
    "/video/76979871",
  ],
  [
    "https://www.nicovideo.jp/watch/sm9?ref=x",
    "niconico",
    "https://www.nicovideo.jp/watch/sm9",
    "/watch/sm9",
  ],
  ["https://nico.ms/so12345", "niconico", "https://www.nicovideo.jp/watch/so12345", "/watch/so12345"],
  [
    "https://soundcloud.com/forss/flickermood",
    "soundcloud",
    "https://soundcloud.com/forss/flickermood",
    null,
  ],
  [
    "https://soundcloud.com/forss/sets/soulhack?si=1",
    "soundcloud",
    "https://soundcloud.com/forss/sets/soulhack",
    null,
  ],
  ["https://on.soundcloud.com/AbCd1", "soundcloud", "https://on.soundcloud.com/AbCd1", null],
  [
    "https://open.spotify.com/intl-ja/track/2qToAcex0ruZfbEbAy9OhW?si=1",
    "spotify",
    "https://open.spotify.com/track/2qToAcex0ruZfbEbAy9OhW",
    "/embed/track/2qToAcex0ruZfbEbAy9OhW",
  ],
  [
    `https://sketchfab.com/3d-models/loring-tweet-${HEX}`,
    "sketchfab",
    `https://sketchfab.com/models/${HEX}`,
    `/models/${HEX}/embed`,
  ],
  [
    "https://my.matterport.com/show?m=SxQL3iGyoDo&play=1",
    "matterport",
    "https://my.matterport.com/show/?m=SxQL3iGyoDo",
    "/show/?m=SxQL3iGyoDo",
  ],
  [
    "https://www.flickr.com/photos/bees/2362225867/in/album-1",
    "flickr",
    "https://www.flickr.com/photos/bees/2362225867/",
    null,
  ],
  ["https://flic.kr/p/4AK2sc", "flickr", "https://flic.kr/p/4AK2sc", null],
  [
    "https://dai.ly/x7tgad0",
    "dailymotion",
    "https://www.dailymotion.com/video/x7tgad0",
    "/player.html?video=x7tgad0",
  ],
  [
    "https://home.wistia.com/medias/e4a27b971d",
    "wistia",
    "https://fast.wistia.com/embed/iframe/e4a27b971d",
    "/embed/iframe/e4a27b971d",
  ],
  [`https://www.loom.com/share/${HEX}?sid=x`, "loom", `https://www.loom.com/share/${HEX}`, `/embed/${HEX}`],
  [
    "https://speakerdeck.com/wallat/why-backbone",
    "speakerdeck",
    "https://speakerdeck.com/wallat/why-backbone",
    null,
  ],
  [
    "https://www.figma.com/design/2oGA2ADNXOYWnlBI47UN3R/Safe-Return?node-id=0-1",
    "figma",
    "https://www.figma.com/design/2oGA2ADNXOYWnlBI47UN3R",
    "/design/2oGA2ADNXOYWnlBI47UN3R",
  ],
  [
    "https://x.com/Interior/status/463440424141459456?s=20",
    "x",
    "https://twitter.com/Interior/status/463440424141459456",
    "/embed/Tweet.html?id=463440424141459456",
  ],
  [
    "https://www.tiktok.com/@scout2015/video/6718335390845095173",
    "tiktok",
    "https://www.tiktok.com/@scout2015/video/6718335390845095173",
    "/player/v1/6718335390845095173",
  ],
];

describe("the URL of a web media item", () => {
  it.each(ACCEPTED_URLS)("%s is a URL of %s", (typed, provider, url, player) => {
    const match = matchProvider(typed);
    expect(match).toMatchObject({ url, player });
    expect("provider" in match && match.provider.id).toBe(provider);
    // The normalised URL is accepted again and stays the same.
    expect(matchProvider(url)).toMatchObject({ url, player });
  });

  it("is accepted for every provider in the table", () => {
    expect(new Set(ACCEPTED_URLS.map(([, id]) => id))).toEqual(new Set(PROVIDERS.map(({ id }) => id)));
  });

  it.each([
    // The loose patterns that providers publish accept the first two URLs.
    ["https://evil.example/?q=//youtu.be/dQw4w9WgXcQ", "unknown"],
    ["https://youtuXbe/dQw4w9WgXcQ", "unknown"],
    ["https://youtu.be.evil.example/dQw4w9WgXcQ", "unknown"],
    ["https://evil-youtu.be/dQw4w9WgXcQ", "unknown"],
    ["https://evilwistia.com/medias/e4a27b971d", "unknown"],
    ["https://www.youtube.com/redirect?q=https://evil.example", "unknown"],
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ%22onload=x", "unknown"],
    ["https://www.youtube.com/watch/../embed/x", "unknown"],
    ["https://xn--yutube-wqf.com/watch?v=dQw4w9WgXcQ", "unknown"],
    ["https://93.184.216.34/watch?v=dQw4w9WgXcQ", "unknown"],
    ["https://localhost/watch?v=dQw4w9WgXcQ", "unknown"],
    ["https://www.youtube.com/watch?v=short", "unknown"],
    ["https://speakerdeck.com/player/4648b440af4f0130dd9622000a1d8b60", "unknown"],
    ["http://www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["//www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https:www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https:///www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https:\\\\www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com\\@evil.example/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://user:secret@www.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com@evil.example/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com:443/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com:8443/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://[::1]/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://2130706433/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://ｗｗｗ.youtube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com%2f.evil.example/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.yоutube.com/watch?v=dQw4w9WgXcQ", "invalid"],
    ["https://www.youtube.com/watch?v=dQw4\nw9WgXcQ", "invalid"],
    ["https://www.youtube.com/watch?v=dQw4w9WgXcQ \t#x", "invalid"],
    ["javascript:alert(1)//https://youtu.be/dQw4w9WgXcQ", "invalid"],
    ["data:text/html,https://youtu.be/dQw4w9WgXcQ", "invalid"],
    ["", "required"],
    ["   ", "required"],
  ])("%s is rejected: %s", (typed, error) => {
    expect(matchProvider(typed)).toEqual({ error: `library:errors.webMedia.${error}` });
  });

  it("has at most 2,048 characters", () => {
    const longUrl = (length: number) => "https://youtu.be/dQw4w9WgXcQ?x=".padEnd(length, "a");
    expect(matchProvider(longUrl(2048))).toHaveProperty("url");
    expect(matchProvider(longUrl(2049))).toEqual({ error: "shared-owners:errors.linkUrl.tooLong" });
    expect(matchProvider(longUrl(1_000_000))).toEqual({ error: "shared-owners:errors.linkUrl.tooLong" });
  });

  it("is accepted only at a provider's own host", () => {
    const hosts = PROVIDERS.flatMap((provider) => provider.hosts);
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: "binary" })),
        fc.constantFrom(...ACCEPTED_URLS.map(([typed]) => typed.trim())),
        fc.nat(60),
        (noise, typed, offset) => {
          for (const text of [noise, typed.slice(0, offset) + noise + typed.slice(offset), noise + typed]) {
            const match = matchProvider(text);
            if ("error" in match) continue;
            expect(isHostListed(new URL(text).hostname, hosts)).toBe(true);
            expect(isHostListed(new URL(match.url).hostname, match.provider.hosts)).toBe(true);
          }
        },
      ),
    );
  });
});

describe("a player", () => {
  const player = (provider: string, path: string | null, size = { width: 480, height: 270 }) =>
    createWebPlayer({ provider, player: path, ...size });

  it("is on its provider's own host, at the stored path", () => {
    expect(player("youtube", "/embed/dQw4w9WgXcQ?start=90")).toEqual({
      src: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?start=90&autoplay=1",
      sandbox:
        "allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox",
      allow: "autoplay; fullscreen; encrypted-media; picture-in-picture",
      aspect: 480 / 270,
      referrerPolicy: "strict-origin-when-cross-origin",
    });
    for (const [typed, id, , path] of ACCEPTED_URLS) {
      if (path === null) continue;
      const src = new URL(player(id, path)?.src ?? "");
      expect(src.origin, typed).toBe(findProvider(id)?.player?.origin);
      expect(src.pathname, typed).toBe(new URL(path, src.origin).pathname);
    }
  });

  it.each([
    ["youtube", "//evil.example/embed/dQw4w9WgXcQ"],
    ["youtube", "https://evil.example/embed/dQw4w9WgXcQ"],
    ["youtube", "/embed/dQw4w9WgXcQ?start=90&origin=x"],
    ["youtube", "/embed/dQw4w9WgXcQ\n"],
    ["vimeo", "/embed/dQw4w9WgXcQ"],
    ["soundcloud", "/player/?url=https%3A%2F%2Fevil.example%2Ftracks%2F1"],
    ["flickr", "/photos/1"],
    ["gone", "/embed/dQw4w9WgXcQ"],
    ["constructor", "/"],
    ["youtube", null],
  ])("of %s is not built from %s", (provider, path) => expect(player(provider, path)).toBeNull());

  it("has its provider's fixed aspect ratio, or that of the response within limits, or 16 : 9", () => {
    expect(player("vimeo", "/video/1", { width: 100, height: 100 })?.aspect).toBe(1);
    expect(player("vimeo", "/video/1", { width: 20_000, height: 1 })?.aspect).toBe(4);
    expect(player("vimeo", "/video/1", { width: 1, height: 20_000 })?.aspect).toBe(0.4);
    expect(
      createWebPlayer({ provider: "vimeo", player: "/video/1", width: null, height: null })?.aspect,
    ).toBe(16 / 9);
    expect(player("tiktok", "/player/v1/6718335390845095173")?.aspect).toBe(9 / 16);
  });
});

describe("the frame in a response's HTML", () => {
  const findPlayer = (id: string, html: string) => playerInResponse(findProvider(id) as WebProvider, html);
  const frame = (src: string) => `<p>x</p><iframe width="1" src="${src}"></iframe>`;
  const track = "https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F293";

  it.each([
    [
      `https://w.soundcloud.com/player/?visual=true&amp;url=${track}&amp;show_artwork=true`,
      `/player/?url=${track}`,
    ],
    [
      "https://w.soundcloud.com/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2Fsoundcloud%253Atracks%253A293",
      "/player/?url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2Fsoundcloud%253Atracks%253A293",
    ],
    ["https://w.soundcloud.com/player/?url=https%3A%2F%2Fevil.example%2Ftracks%2F293", null],
    ["https://w.soundcloud.com/other/?url=x", null],
    ["https://w.soundcloud.com.evil.example/player/?url=x", null],
    [`http://w.soundcloud.com/player/?url=${track}`, null],
    [`https://x@w.soundcloud.com/player/?url=${track}`, null],
    ["javascript:alert(1)", null],
    ["", null],
  ])("%s gives %s", (src, expected) => expect(findPlayer("soundcloud", frame(src))).toBe(expected));

  it("may have no scheme, as one provider writes it", () => {
    expect(findPlayer("speakerdeck", frame(`//speakerdeck.com/player/${HEX}`))).toBe(`/player/${HEX}`);
    expect(findPlayer("speakerdeck", "<script>alert(1)</script>")).toBeNull();
    // If the URL determines the player, the provider is not asked for it.
    expect(findPlayer("youtube", frame("https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ"))).toBeNull();
  });
});

it("lists the origins of all players and matches whole paths", () => {
  expect(PLAYER_ORIGINS).toMatchInlineSnapshot(`
    [
      "https://embed.figma.com",
      "https://embed.nicovideo.jp",
      "https://fast.wistia.net",
      "https://geo.dailymotion.com",
      "https://my.matterport.com",
      "https://open.spotify.com",
      "https://platform.twitter.com",
      "https://player.vimeo.com",
      "https://sketchfab.com",
      "https://speakerdeck.com",
      "https://w.soundcloud.com",
      "https://www.loom.com",
      "https://www.tiktok.com",
      "https://www.youtube-nocookie.com",
    ]
  `);
  for (const { player, imageHosts } of PROVIDERS) {
    expect(player?.path.source ?? "^$").toMatch(/^\^.*\$$/);
    expect(imageHosts.every((host) => /^[a-z0-9.-]+$/.test(host))).toBe(true);
  }
});
