/**
 * Simulates the web media providers: their oEmbed endpoints, with responses in each provider's form (documented, or seen in public
 * records), and their thumbnails.
 */
import { deflateSync } from "node:zlib";
import { concatBytes, pngChunk, u32, zeros } from "../files/media-files";

export interface ProviderResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** A real PNG of stripes, because the product recognises images by their bytes. */
export function stripedPng(width: number, height: number): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const offset = y * (width * 3 + 1) + 1 + x * 3;
      const isLight = Math.floor((x + y) / 24) % 2 === 0;
      rows.set(isLight ? [34, 58 + (y % 80), 112] : [90, 120, 150 + (x % 60)], offset);
    }
  return new Uint8Array(
    concatBytes(
      "\x89PNG\r\n\x1a\n",
      pngChunk("IHDR", concatBytes(u32(width), u32(height), [8, 2, 0, 0, 0])),
      pngChunk("IDAT", deflateSync(rows)),
      pngChunk("IEND", zeros(0)),
    ),
  );
}

const IMAGE = stripedPng(480, 270);
const json = (body: unknown, status = 200): ProviderResponse => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
});
const image = (type = "image/png"): ProviderResponse => ({
  status: 200,
  headers: { "content-type": type },
  body: IMAGE,
});
const notFound = (status = 404): ProviderResponse => ({
  status,
  headers: { "content-type": "text/plain" },
  body: "Not Found",
});

type Endpoint = (requestedUrl: string) => ProviderResponse;

const lastPathPart = (url: string) => new URL(url).pathname.split("/").filter(Boolean).at(-1) ?? "";

/** Endpoints by host and path. Each receives the URL of the media item in question. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  "www.youtube.com/oembed": (requestedUrl) => {
    const id = new URL(requestedUrl).searchParams.get("v") ?? "list";
    if (id === "notHere0000") return notFound();
    if (id === "private0000") return notFound(403);
    return json({
      title: "広場を歩く Walking through Hiroba",
      author_name: "Hiroba",
      author_url: "https://www.youtube.com/@hiroba",
      type: "video",
      height: 113,
      width: 200,
      version: "1.0",
      provider_name: "YouTube",
      provider_url: "https://www.youtube.com/",
      thumbnail_height: 360,
      thumbnail_width: 480,
      thumbnail_url: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
      html: `<iframe width="200" height="113" src="https://www.youtube.com/embed/${id}?feature=oembed" frameborder="0" allow="accelerometer; autoplay" allowfullscreen title="Walking"></iframe><script src="https://evil.example/x.js"></script>`,
    });
  },
  "vimeo.com/api/oembed.json": (requestedUrl) =>
    json({
      type: "video",
      version: "1.0",
      provider_name: "Vimeo",
      provider_url: "https://vimeo.com/",
      title: "The New Vimeo Player (You Know, For Videos)",
      author_name: "Vimeo",
      author_url: "https://vimeo.com/staff",
      is_plus: "0",
      account_type: "enterprise",
      html: `<iframe src="https://player.vimeo.com/video/${lastPathPart(requestedUrl)}?app_id=122963" width="426" height="240" frameborder="0" allow="autoplay; fullscreen"></iframe>`,
      width: 426,
      height: 240,
      duration: 62,
      thumbnail_url: "https://i.vimeocdn.com/video/452001751-8216e0571c251a09-d_295x166",
      thumbnail_width: 295,
      thumbnail_height: 166,
      video_id: 76979871,
      uri: "/videos/76979871",
    }),
  "soundcloud.com/oembed": () =>
    json({
      version: 1.0,
      type: "rich",
      provider_name: "SoundCloud",
      provider_url: "https://soundcloud.com",
      height: 400,
      width: "100%",
      title: "Flickermood by Forss",
      description: "From the Soulhack album",
      thumbnail_url: "https://i1.sndcdn.com/artworks-000067273316-smsiqx-t500x500.jpg",
      html: '<iframe width="100%" height="400" scrolling="no" frameborder="no" src="https://w.soundcloud.com/player/?visual=true&url=https%3A%2F%2Fapi.soundcloud.com%2Ftracks%2F293&show_artwork=true"></iframe>',
      author_name: "Forss",
      author_url: "https://soundcloud.com/forss",
    }),
  "open.spotify.com/oembed": (requestedUrl) =>
    json({
      html: `<iframe style="border-radius: 12px" width="100%" height="352" title="Spotify Embed" src="https://open.spotify.com/embed/track/${lastPathPart(requestedUrl)}?utm_source=oembed"></iframe>`,
      iframe_url: `https://open.spotify.com/embed/track/${lastPathPart(requestedUrl)}?utm_source=oembed`,
      width: 456,
      height: 352,
      version: "1.0",
      provider_name: "Spotify",
      provider_url: "https://spotify.com",
      type: "rich",
      title: "Glorious",
      thumbnail_url: "https://image-cdn-ak.spotifycdn.com/image/ab67616d00001e02",
      thumbnail_width: 300,
      thumbnail_height: 300,
    }),
  "sketchfab.com/oembed": (requestedUrl) =>
    json({
      type: "rich",
      version: "1.0",
      provider_name: "Sketchfab",
      provider_url: "https://sketchfab.com",
      title: "Loring",
      author_name: "Sketchfab",
      html: `<iframe width="640" height="480" src="https://sketchfab.com/models/${lastPathPart(requestedUrl)}/embed" frameborder="0"></iframe>`,
      width: 640,
      height: 480,
      thumbnail_url: "https://media.sketchfab.com/models/a/thumbnails/b/720x405.jpeg",
      thumbnail_width: 720,
      thumbnail_height: 405,
    }),
  "my.matterport.com/api/v1/models/oembed/": (requestedUrl) => {
    const sid = new URL(requestedUrl).searchParams.get("m") ?? "";
    return json({
      type: "rich",
      version: "1.0",
      provider_name: "Matterport",
      provider_url: "https://matterport.com",
      title: "Showroom",
      html: `<iframe width="853" height="480" src="https://my.matterport.com/show/?m=${sid}" frameborder="0" allowfullscreen></iframe>`,
      width: 853,
      height: 480,
      thumbnail_url: `https://my.matterport.com/api/v1/player/models/${sid}/thumb/`,
      thumbnail_width: 853,
      thumbnail_height: 480,
    });
  },
  "www.flickr.com/services/oembed/": () =>
    json({
      type: "photo",
      flickr_type: "photo",
      title: "Bacon Lollys",
      author_name: "‮‭‬bees‬",
      author_url: "https://www.flickr.com/photos/bees/",
      width: 1024,
      height: "683",
      url: "https://live.staticflickr.com/3040/2362225867_4a87ab8baf_b.jpg",
      web_page: "https://www.flickr.com/photos/bees/2362225867/",
      thumbnail_url: "https://live.staticflickr.com/3040/2362225867_4a87ab8baf_q.jpg",
      thumbnail_width: 150,
      thumbnail_height: 150,
      html: '<a data-flickr-embed="true" href="https://www.flickr.com/photos/bees/2362225867/">x</a><script async src="https://embedr.flickr.com/assets/client-code.js"></script>',
      version: "1.0",
      cache_age: 3600,
      provider_name: "Flickr",
      provider_url: "https://www.flickr.com/",
    }),
  "www.dailymotion.com/services/oembed": (requestedUrl) =>
    json({
      type: "video",
      version: "1.0",
      provider_name: "Dailymotion",
      provider_url: "https://www.dailymotion.com",
      title: "Midnight Sun | Iceland",
      author_name: "SCIENTIFANTASTIC",
      width: 480,
      height: 269,
      html: `<iframe frameborder="0" width="480" height="269" src="https://geo.dailymotion.com/player.html?video=${lastPathPart(requestedUrl)}"></iframe>`,
      thumbnail_url: "https://s2.dmcdn.net/v/7cWqU1dE3cCMXrcV5/x240",
      thumbnail_width: 427,
      thumbnail_height: 240,
    }),
  "fast.wistia.com/oembed.json": (requestedUrl) =>
    json({
      version: "1.0",
      type: "video",
      html: `<iframe src="https://fast.wistia.net/embed/iframe/${lastPathPart(requestedUrl)}?dnt=1" title="Tour" allow="autoplay; fullscreen" width="960" height="540"></iframe><script src="https://fast.wistia.net/player.js" async></script>`,
      width: 960,
      height: 540,
      provider_name: "Wistia, Inc.",
      provider_url: "https://wistia.com",
      title: "Brendan - Make It Clap",
      thumbnail_url:
        "https://embed-ssl.wistia.com/deliveries/2d2c14e15face1e0cc7aac98ebd5b6f040b950b5.jpg?image_crop_resized=960x540",
      thumbnail_width: 960,
      thumbnail_height: 540,
      duration: 16.43,
    }),
  "www.loom.com/v1/oembed": (requestedUrl) =>
    json({
      type: "video",
      version: "1.0",
      html: `<iframe src="https://www.loom.com/embed/${lastPathPart(requestedUrl)}" frameborder="0" width="1152" height="864" allowfullscreen></iframe>`,
      height: 864,
      width: 1152,
      provider_name: "Loom",
      provider_url: "https://www.loom.com",
      thumbnail_height: 864,
      thumbnail_width: 1152,
      thumbnail_url: `https://cdn.loom.com/sessions/thumbnails/${lastPathPart(requestedUrl)}-with-play.gif`,
      duration: 176.06,
      title: "My Video",
    }),
  "speakerdeck.com/oembed.json": () =>
    json({
      type: "rich",
      version: 1.0,
      provider_name: "Speaker Deck",
      provider_url: "https://speakerdeck.com/",
      title: "Why Backbone",
      author_name: "wallat",
      author_url: "https://speakerdeck.com/wallat",
      html: '<iframe id="talk_frame_31381" class="speakerdeck-iframe" src="//speakerdeck.com/player/4648b440af4f0130dd9622000a1d8b60" width="710" height="532" style="aspect-ratio:710/532; border:0;" frameborder="0" allowfullscreen="true"></iframe>\n',
      width: 710,
      height: 532,
      ratio: 1.33,
    }),
  "www.figma.com/api/oembed": (requestedUrl) =>
    json({
      type: "rich",
      version: "1.0",
      provider_name: "Figma",
      provider_url: "https://www.figma.com",
      title: "Safe Return (Community)",
      cache_age: 120,
      html: `<iframe src="https://www.figma.com/embed?embed_host=oembed&url=${encodeURIComponent(requestedUrl)}" width="800" height="450" frameborder="0"></iframe>`,
      width: 800,
      height: 450,
      thumbnail_url: "https://s3-alpha.figma.com/thumbnails/1",
      thumbnail_width: 800,
      thumbnail_height: 450,
    }),
  "publish.twitter.com/oembed": (requestedUrl) =>
    json({
      url: requestedUrl,
      author_name: "US Department of the Interior",
      author_url: "https://twitter.com/Interior",
      html: '<blockquote class="twitter-tweet"><p lang="en" dir="ltr">Sunsets don&#39;t get much better</p></blockquote>\n<script async src="https://platform.twitter.com/widgets.js" charset="utf-8"></script>\n',
      width: 550,
      height: null,
      type: "rich",
      cache_age: "3153600000",
      provider_name: "Twitter",
      provider_url: "https://twitter.com",
      version: "1.0",
    }),
  "www.tiktok.com/oembed": (requestedUrl) =>
    json({
      version: "1.0",
      type: "video",
      title: "Scramble up ur name & I’ll try to guess it😍❤️ #foryoupage",
      author_url: "https://www.tiktok.com/@scout2015",
      author_name: "Scout, Suki & Stella",
      width: "100%",
      height: "100%",
      html: `<blockquote class="tiktok-embed" cite="${requestedUrl}"><section></section></blockquote> <script async src="https://www.tiktok.com/embed.js"></script>`,
      thumbnail_width: 720,
      thumbnail_height: 1280,
      thumbnail_url: "https://p16-sign-va.tiktokcdn.com/obj/tos-maliva-p-0068/06c4.jpeg",
      provider_url: "https://www.tiktok.com",
      provider_name: "TikTok",
    }),
};

/** Hosts of the providers' thumbnails. */
const THUMBNAIL_HOSTS =
  /^(i\.ytimg\.com|i\.vimeocdn\.com|i1\.sndcdn\.com|image-cdn-ak\.spotifycdn\.com|media\.sketchfab\.com|my\.matterport\.com|live\.staticflickr\.com|s2\.dmcdn\.net|embed-ssl\.wistia\.com|cdn\.loom\.com|s3-alpha\.figma\.com|p16-sign-va\.tiktokcdn\.com)$/;

/** Response of a provider; null for any other URL. */
export function respondAsProvider(href: string): ProviderResponse | null {
  const url = new URL(href);
  const endpoint = ENDPOINTS[url.host + url.pathname];
  if (endpoint) return endpoint(url.searchParams.get("url") ?? "https://missing.invalid/");
  return THUMBNAIL_HOSTS.test(url.host) ? image() : null;
}
