/** Schemas of oEmbed responses (oembed.com 1.0, §2.3.4) and of the parts that are stored. */
import * as z from "zod";
import { MEDIA_TITLE_MAX } from "../shared/limits";
import type { WebMediaItem } from "../shared/model";
import { isBlank, normaliseText, textProblem } from "../shared/text";
import { findProvider, isHostListed, playerInResponse, type WebMatch } from "./web-media";
import type { WebProvider } from "./web-providers";

/** The largest size that a response may state, in pixels. */
const SIZE_MAX = 20_000;

/**
 * Pixels, as a number or a text. Some providers send "100%" or null, which count as no size. A bare transform, as here and below, also runs for a missing
 * key.
 */
const sizeField = z.transform((value: unknown) => {
  const size = typeof value === "string" && /^\d{1,5}$/.test(value) ? Number(value) : value;
  return typeof size === "number" && size >= 1 && size <= SIZE_MAX ? Math.round(size) : null;
});

/** One line of text, cut to the length of a title; empty for a text that cannot be shown. */
const lineField = z.transform((value: unknown) => {
  if (typeof value !== "string") return "";
  const line = normaliseText(value.slice(0, 4096).replace(/\s+/g, " "));
  if (textProblem(line) !== null || isBlank(line)) return "";
  return [...line].slice(0, MEDIA_TITLE_MAX).join("").trim();
});

const addressField = z.transform((value: unknown) => (typeof value === "string" ? value : null));

const commonFields = {
  version: z.union([z.literal("1.0"), z.literal(1), z.literal("1")]).optional(),
  title: lineField,
  author_name: lineField,
  cache_age: z.transform((value: unknown) => {
    const age = Number(value);
    return Number.isFinite(age) && age >= 0 ? age : null;
  }),
  thumbnail_url: addressField,
  width: sizeField,
  height: sizeField,
};

/** The required parts of each type (oembed.com 1.0, §2.3.4.1–4). For a link, only the type is read. */
const OembedSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("photo"), ...commonFields, url: z.string() }),
  z.object({ type: z.literal("video"), ...commonFields, html: z.string() }),
  z.object({ type: z.literal("rich"), ...commonFields, html: z.string() }),
  z.object({ type: z.literal("link") }),
]);

/** The result of reading a response. `image` is the URL of the photo or of the thumbnail; `cacheAge` is the stated validity in seconds. */
export interface WebMediaResponse {
  readonly web: WebMediaItem;
  readonly image: string | null;
  readonly cacheAge: number | null;
}

/** A URL whose provider is known. */
export type WebUrlMatch = Extract<WebMatch, { provider: WebProvider }>;

/**
 * Reads the oEmbed response for a URL.
 * @returns "link" for the unsupported type `link` (specification §5); "bad" for an invalid response, and for one without a player or a permitted photo
 */
export function readOembed(match: WebUrlMatch, response: unknown): WebMediaResponse | "link" | "bad" {
  const parsed = OembedSchema.safeParse(response);
  if (!parsed.success) return "bad";
  const data = parsed.data;
  if (data.type === "link") return "link";
  const { provider, url } = match;
  const player = data.type === "photo" ? null : (match.player ?? playerInResponse(provider, data.html));
  if (data.type !== "photo" && player === null) return "bad";
  const imageUrls = data.type === "photo" ? [data.url, data.thumbnail_url] : [data.thumbnail_url];
  const image =
    imageUrls.map((imageUrl) => readThumbnailUrl(provider, imageUrl)).find((imageUrl) => imageUrl !== null) ??
    null;
  // A photo without a permitted URL cannot be shown.
  if (data.type === "photo" && image === null) return "bad";
  const { type, title, author_name: author, width, height, cache_age: cacheAge } = data;
  return {
    web: { provider: provider.id, url, type, title, author, player, width, height },
    image,
    cacheAge,
  };
}

/** Returns the https URL of a photo or thumbnail if it is on an image host of its provider; null otherwise. */
export function readThumbnailUrl(provider: WebProvider, href: string | null): string | null {
  if (href === null || href.length > 4096) return null;
  try {
    const url = new URL(href.startsWith("//") ? `https:${href}` : href);
    if (url.protocol === "http:") url.protocol = "https:";
    return isImageUrl(provider, url) ? url.href : null;
  } catch {
    return null;
  }
}

/** Returns whether images of a provider may be fetched from a URL. */
export const isImageUrl = (provider: WebProvider, url: URL): boolean =>
  url.protocol === "https:" &&
  url.port === "" &&
  url.username === "" &&
  url.password === "" &&
  isHostListed(url.hostname, provider.imageHosts);

/** Returns the web media item of a URL whose provider has no oEmbed endpoint. */
export const webMediaFromUrl = ({ provider, url, player }: WebUrlMatch): WebMediaResponse => ({
  web: {
    provider: provider.id,
    url,
    type: "video",
    title: "",
    author: "",
    player,
    width: null,
    height: null,
  },
  image: null,
  cacheAge: null,
});

const EmbedSchema = z.object({
  provider: z.string().refine((id) => findProvider(id) !== null),
  type: z.enum(["photo", "video", "rich"]),
  title: z.string(),
  author: z.string(),
  player: z.string().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
});

/** The stored fields of a web media item other than its URL. */
export type WebEmbed = Omit<WebMediaItem, "url">;

/** Reads a stored web media item; null when it is invalid or its provider was removed from the list. */
export function readWebMediaItem(url: string, embed: unknown): WebMediaItem | null {
  const parsed = EmbedSchema.safeParse(embed);
  return parsed.success ? { ...parsed.data, url } : null;
}
