/** The providers of web media, each with its accepted URLs, its oEmbed endpoint, and the form of its player. */

/** A normalised URL of a provider. `player` is the path of the player if the URL determines it. */
export interface WebUrl {
  readonly url: string;
  readonly player: string | null;
}

/** A provider. Hosts must match completely. A host that begins with a dot matches all of its subdomains. */
export interface WebProvider {
  /** The stored id. */
  readonly id: string;
  /** The proper name, which is not translated. */
  readonly name: string;
  /** Hosts of the URLs that people copy. */
  readonly hosts: readonly string[];
  /** Reads an https URL at one of the hosts; null for pages that are no media. */
  read(url: URL): WebUrl | null;
  /** The oEmbed endpoint; null for a provider without one. The URL is then the only source of information. */
  readonly endpoint: string | null;
  /** Hosts of the thumbnails. */
  readonly imageHosts: readonly string[];
  /** Null for a provider of images. */
  readonly player: {
    readonly origin: string;
    /** The only permitted form of a player's path, including its parameters. */
    readonly path: RegExp;
    /** Parameters that are added to the path. Most of them start playback, because the player is loaded only after a click on play. */
    readonly begin?: Readonly<Record<string, string>>;
    /** Width divided by height, for providers whose responses do not state the player's size. */
    readonly aspect?: number;
    /** Returns the player's path from the frame in a response, for providers whose URLs do not determine it. */
    inFrame?(frame: URL): string | null;
  } | null;
}

const WIDE_RATIO = 16 / 9;

/** Returns the first group of an anchored pattern in a path; null without a match. */
const matchPath = (url: URL, pattern: RegExp): string | null => pattern.exec(url.pathname)?.[1] ?? null;
const readParameter = (url: URL, name: string, form: RegExp): string | null => {
  const value = url.searchParams.get(name);
  return value !== null && form.test(value) ? value : null;
};
const toWebUrl = (url: string | null, player: string | null): WebUrl | null =>
  url === null ? null : { url, player };

/** Returns the seconds of "90", "90s" or "1h2m3s"; 0 for any other text. */
function parseSeconds(time: string | null): number {
  const [, hours, minutes, secondsText] =
    /^(?:(\d{1,2})h)?(?:(\d{1,4})m)?(?:(\d{1,6})s?)?$/.exec(time ?? "") ?? [];
  return Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(secondsText ?? 0);
}

const YOUTUBE_ID = /^[\w-]{11}$/;
const YOUTUBE_LIST = /^[\w-]{10,64}$/;

const youtube: WebProvider = {
  id: "youtube",
  name: "YouTube",
  hosts: [
    "youtube.com",
    "www.youtube.com",
    "m.youtube.com",
    "music.youtube.com",
    "youtu.be",
    "www.youtube-nocookie.com",
  ],
  endpoint: "https://www.youtube.com/oembed",
  imageHosts: ["i.ytimg.com"],
  player: {
    origin: "https://www.youtube-nocookie.com",
    path: /^\/embed\/(?:[\w-]{11}(?:\?start=\d{1,6})?|videoseries\?list=[\w-]{10,64})$/,
    begin: { autoplay: "1" },
  },
  read(url) {
    const isShortHost = url.hostname === "youtu.be";
    const id = isShortHost
      ? matchPath(url, /^\/([\w-]{11})\/?$/)
      : url.pathname === "/watch"
        ? readParameter(url, "v", YOUTUBE_ID)
        : matchPath(url, /^\/(?:shorts|live|embed|v)\/([\w-]{11})\/?$/);
    if (id !== null) {
      const start = parseSeconds(url.searchParams.get("t") ?? url.searchParams.get("start"));
      const page = `https://www.youtube.com/watch?v=${id}`;
      return start > 0
        ? { url: `${page}&t=${start}s`, player: `/embed/${id}?start=${start}` }
        : { url: page, player: `/embed/${id}` };
    }
    const list =
      !isShortHost && url.pathname === "/playlist" ? readParameter(url, "list", YOUTUBE_LIST) : null;
    return list === null
      ? null
      : { url: `https://www.youtube.com/playlist?list=${list}`, player: `/embed/videoseries?list=${list}` };
  },
};

const vimeo: WebProvider = {
  id: "vimeo",
  name: "Vimeo",
  hosts: ["vimeo.com", "www.vimeo.com", "player.vimeo.com"],
  endpoint: "https://vimeo.com/api/oembed.json",
  imageHosts: ["i.vimeocdn.com"],
  player: {
    origin: "https://player.vimeo.com",
    path: /^\/video\/\d{1,12}(?:\?h=[0-9a-f]{8,20})?$/,
    begin: { autoplay: "1", dnt: "1" },
  },
  read(url) {
    const [, id, key = null] =
      (url.hostname === "player.vimeo.com"
        ? /^\/video\/(\d{1,12})\/?$/
        : /^\/(?:channels\/[\w-]+\/|groups\/[\w-]+\/videos\/|(?:album|showcase)\/\d+\/video\/)?(\d{1,12})(?:\/([0-9a-f]{8,20}))?\/?$/
      ).exec(url.pathname) ?? [];
    if (id === undefined) return null;
    // An unlisted video is shown to every visitor who has its key.
    const secret = key ?? readParameter(url, "h", /^[0-9a-f]{8,20}$/);
    return secret === null
      ? { url: `https://vimeo.com/${id}`, player: `/video/${id}` }
      : { url: `https://vimeo.com/${id}/${secret}`, player: `/video/${id}?h=${secret}` };
  },
};

/** URLs that SoundCloud's player may play. URLs on other hosts are not allowed. */
const SOUNDCLOUD_RESOURCE =
  /^https:\/\/api\.soundcloud\.com\/(?:tracks|playlists|users)\/(?:soundcloud(?::|%3A)(?:tracks|playlists|users)(?::|%3A))?\d{1,16}(?:\?secret_token=s-[A-Za-z0-9]{4,20})?$/;

const soundcloud: WebProvider = {
  id: "soundcloud",
  name: "SoundCloud",
  hosts: ["soundcloud.com", "www.soundcloud.com", "m.soundcloud.com", "on.soundcloud.com"],
  endpoint: "https://soundcloud.com/oembed",
  imageHosts: [".sndcdn.com"],
  player: {
    origin: "https://w.soundcloud.com",
    path: /^\/player\/\?url=https%3A%2F%2Fapi\.soundcloud\.com%2F(?:tracks|playlists|users)%2F[\w%-]{1,120}$/,
    begin: { auto_play: "true", visual: "true" },
    aspect: WIDE_RATIO,
    inFrame(frame) {
      const soundUrl =
        frame.pathname === "/player/" ? readParameter(frame, "url", SOUNDCLOUD_RESOURCE) : null;
      return soundUrl === null ? null : `/player/?url=${encodeURIComponent(soundUrl)}`;
    },
  },
  read(url) {
    if (url.hostname === "on.soundcloud.com") {
      const code = matchPath(url, /^\/(\w{4,32})\/?$/);
      return toWebUrl(code && `https://on.soundcloud.com/${code}`, null);
    }
    const path = matchPath(url, /^(\/[\w-]{1,64}\/(?:sets\/)?[\w-]{1,255}(?:\/s-[A-Za-z0-9]{4,20})?)\/?$/);
    return toWebUrl(path && `https://soundcloud.com${path}`, null);
  },
};

const spotify: WebProvider = {
  id: "spotify",
  name: "Spotify",
  hosts: ["open.spotify.com"],
  endpoint: "https://open.spotify.com/oembed",
  imageHosts: [".scdn.co", ".spotifycdn.com"],
  player: {
    origin: "https://open.spotify.com",
    path: /^\/embed\/(?:track|album|playlist|artist|show|episode)\/[A-Za-z0-9]{22}$/,
    // The player is 352 pixels high at a width of 640.
    aspect: 640 / 352,
  },
  read(url) {
    const path = matchPath(
      url,
      /^(?:\/intl-[a-z]{2}(?:-[a-z]{2})?)?(?:\/embed)?(\/(?:track|album|playlist|artist|show|episode)\/[A-Za-z0-9]{22})\/?$/i,
    );
    return toWebUrl(path && `https://open.spotify.com${path}`, path && `/embed${path}`);
  },
};

const sketchfab: WebProvider = {
  id: "sketchfab",
  name: "Sketchfab",
  hosts: ["sketchfab.com", "www.sketchfab.com"],
  endpoint: "https://sketchfab.com/oembed",
  imageHosts: ["media.sketchfab.com"],
  player: {
    origin: "https://sketchfab.com",
    path: /^\/models\/[0-9a-f]{32}\/embed$/,
    begin: { autostart: "1", dnt: "1" },
    aspect: WIDE_RATIO,
  },
  read(url) {
    const id = matchPath(url, /^\/(?:models\/|3d-models\/(?:[\w%-]{1,200}-)?)([0-9a-f]{32})(?:\/embed)?\/?$/);
    return toWebUrl(id && `https://sketchfab.com/models/${id}`, id && `/models/${id}/embed`);
  },
};

const matterport: WebProvider = {
  id: "matterport",
  name: "Matterport",
  hosts: ["my.matterport.com"],
  endpoint: "https://my.matterport.com/api/v1/models/oembed/",
  imageHosts: ["my.matterport.com", "cdn-1.matterport.com", "cdn-2.matterport.com"],
  player: {
    origin: "https://my.matterport.com",
    path: /^\/show\/\?m=[1-9A-HJ-NP-Za-km-z]{11}$/,
    begin: { play: "1" },
    aspect: WIDE_RATIO,
  },
  read(url) {
    if (url.pathname !== "/show" && url.pathname !== "/show/") return null;
    const sid = readParameter(url, "m", /^[1-9A-HJ-NP-Za-km-z]{11}$/);
    return toWebUrl(sid && `https://my.matterport.com/show/?m=${sid}`, sid && `/show/?m=${sid}`);
  },
};

const flickr: WebProvider = {
  id: "flickr",
  name: "Flickr",
  hosts: ["flickr.com", "www.flickr.com", "flic.kr"],
  endpoint: "https://www.flickr.com/services/oembed/",
  imageHosts: [".staticflickr.com"],
  player: null,
  read(url) {
    if (url.hostname === "flic.kr") {
      const code = matchPath(url, /^\/p\/([1-9A-Za-z]{4,16})\/?$/);
      return toWebUrl(code && `https://flic.kr/p/${code}`, null);
    }
    const path = matchPath(url, /^\/photos(\/[\w@-]{1,64}\/\d{1,16})(?:\/|\/in\/[\w/-]{1,100})?$/);
    return toWebUrl(path && `https://www.flickr.com/photos${path}/`, null);
  },
};

const dailymotion: WebProvider = {
  id: "dailymotion",
  name: "Dailymotion",
  hosts: ["www.dailymotion.com", "dailymotion.com", "dai.ly"],
  endpoint: "https://www.dailymotion.com/services/oembed",
  imageHosts: [".dmcdn.net"],
  player: {
    origin: "https://geo.dailymotion.com",
    path: /^\/player\.html\?video=[A-Za-z0-9]{5,24}$/,
  },
  read(url) {
    const id = matchPath(
      url,
      url.hostname === "dai.ly"
        ? /^\/([A-Za-z0-9]{5,24})\/?$/
        : /^\/(?:embed\/)?video\/([A-Za-z0-9]{5,24})\/?$/,
    );
    return toWebUrl(id && `https://www.dailymotion.com/video/${id}`, id && `/player.html?video=${id}`);
  },
};

const wistia: WebProvider = {
  id: "wistia",
  name: "Wistia",
  hosts: [".wistia.com"],
  endpoint: "https://fast.wistia.com/oembed.json",
  imageHosts: ["embed-ssl.wistia.com", "embed.wistia.com", "fast.wistia.com"],
  player: {
    origin: "https://fast.wistia.net",
    path: /^\/embed\/iframe\/[a-z0-9]{10}$/,
    begin: { autoPlay: "true", doNotTrack: "true" },
  },
  read(url) {
    const id = matchPath(url, /^\/(?:medias|embed\/iframe)\/([a-z0-9]{10})\/?$/);
    return toWebUrl(id && `https://fast.wistia.com/embed/iframe/${id}`, id && `/embed/iframe/${id}`);
  },
};

const loom: WebProvider = {
  id: "loom",
  name: "Loom",
  hosts: ["www.loom.com", "loom.com"],
  endpoint: "https://www.loom.com/v1/oembed",
  imageHosts: ["cdn.loom.com"],
  player: {
    origin: "https://www.loom.com",
    path: /^\/embed\/[0-9a-f]{32}$/,
    begin: { autoplay: "1" },
  },
  read(url) {
    const id = matchPath(url, /^\/(?:share|embed|i)\/(?:[\w-]{1,200}-)?([0-9a-f]{32})\/?$/);
    return toWebUrl(id && `https://www.loom.com/share/${id}`, id && `/embed/${id}`);
  },
};

const speakerdeck: WebProvider = {
  id: "speakerdeck",
  name: "Speaker Deck",
  hosts: ["speakerdeck.com"],
  endpoint: "https://speakerdeck.com/oembed.json",
  imageHosts: ["files.speakerdeck.com"],
  player: {
    origin: "https://speakerdeck.com",
    path: /^\/player\/[0-9a-f]{32}$/,
    inFrame: (frame) => frame.pathname,
  },
  read(url) {
    const path = matchPath(url, /^(\/(?!player\/)[\w.-]{1,64}\/[\w-]{1,200})\/?$/);
    return toWebUrl(path && `https://speakerdeck.com${path}`, null);
  },
};

const figma: WebProvider = {
  id: "figma",
  name: "Figma",
  hosts: ["www.figma.com", "figma.com"],
  endpoint: "https://www.figma.com/api/oembed",
  imageHosts: [".figma.com"],
  player: {
    origin: "https://embed.figma.com",
    path: /^\/(?:file|design|board|slides)\/[A-Za-z0-9]{10,64}$/,
    begin: { "embed-host": "hiroba" },
    aspect: WIDE_RATIO,
  },
  read(url) {
    const path = matchPath(
      url,
      /^(\/(?:file|design|board|slides)\/[A-Za-z0-9]{10,64})(?:\/[^/]{0,200})?\/?$/,
    );
    return toWebUrl(path && `https://www.figma.com${path}`, path);
  },
};

const x: WebProvider = {
  id: "x",
  name: "X",
  hosts: ["x.com", "www.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com"],
  endpoint: "https://publish.twitter.com/oembed",
  imageHosts: ["pbs.twimg.com"],
  player: {
    origin: "https://platform.twitter.com",
    path: /^\/embed\/Tweet\.html\?id=\d{1,20}$/,
    begin: { dnt: "true" },
    // Posts are taller than wide; the frame scrolls.
    aspect: 4 / 5,
  },
  read(url) {
    const [, user, id] =
      /^\/(\w{1,20})\/status(?:es)?\/(\d{1,20})(?:\/(?:photo|video)\/\d)?\/?$/.exec(url.pathname) ?? [];
    // The oEmbed endpoint accepts posts only under the old host name.
    return id === undefined
      ? null
      : { url: `https://twitter.com/${user}/status/${id}`, player: `/embed/Tweet.html?id=${id}` };
  },
};

const tiktok: WebProvider = {
  id: "tiktok",
  name: "TikTok",
  hosts: ["www.tiktok.com", "tiktok.com", "m.tiktok.com"],
  endpoint: "https://www.tiktok.com/oembed",
  imageHosts: [".tiktokcdn.com", ".tiktokcdn-us.com", ".tiktokcdn-eu.com"],
  player: {
    origin: "https://www.tiktok.com",
    path: /^\/player\/v1\/\d{10,24}$/,
    begin: { autoplay: "1" },
    aspect: 9 / 16,
  },
  read(url) {
    const [, user, id] = /^\/(@[\w.]{1,32})\/video\/(\d{10,24})\/?$/.exec(url.pathname) ?? [];
    return id === undefined
      ? null
      : { url: `https://www.tiktok.com/${user}/video/${id}`, player: `/player/v1/${id}` };
  },
};

const niconico: WebProvider = {
  id: "niconico",
  name: "niconico",
  hosts: ["www.nicovideo.jp", "nicovideo.jp", "sp.nicovideo.jp", "nico.ms"],
  // Niconico has no oEmbed endpoint. The URL identifies the video, and the owner enters its title.
  endpoint: null,
  imageHosts: [],
  player: {
    origin: "https://embed.nicovideo.jp",
    path: /^\/watch\/(?:sm|nm|so)\d{1,12}$/,
    begin: { autoplay: "1" },
    aspect: WIDE_RATIO,
  },
  read(url) {
    const id = matchPath(
      url,
      url.hostname === "nico.ms" ? /^\/((?:sm|nm|so)\d{1,12})\/?$/ : /^\/watch\/((?:sm|nm|so)\d{1,12})\/?$/,
    );
    return toWebUrl(id && `https://www.nicovideo.jp/watch/${id}`, id && `/watch/${id}`);
  },
};

/** All providers, in the order in which pages list them. */
export const PROVIDERS: readonly WebProvider[] = [
  youtube,
  vimeo,
  niconico,
  soundcloud,
  spotify,
  sketchfab,
  matterport,
  flickr,
  dailymotion,
  wistia,
  loom,
  speakerdeck,
  figma,
  x,
  tiktok,
];
