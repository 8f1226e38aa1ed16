/**
 * Web media: the accepted URLs of supported providers, and their players. A provider's HTML is never shown. A player is a path at a
 * host of the provider table, and the form of the path is checked again at every use.
 */
import { LINK_URL_MAX } from "../shared/limits";
import type { WebMediaItem } from "../shared/model";
import { hasSeveralLinks } from "../shared/several-links";
import { PROVIDERS, type WebProvider } from "./web-providers";

/** The provider of a URL, or the message key of the reason why the URL is not accepted. */
export type WebMatch =
  | { readonly provider: WebProvider; readonly url: string; readonly player: string | null }
  | {
      readonly error:
        | "library:errors.webMedia.required"
        | "library:errors.webMedia.invalid"
        | "library:errors.webMedia.several"
        | "library:errors.webMedia.unknown"
        | "shared-owners:errors.linkUrl.tooLong";
    };

/** Scheme and host of a typed URL that needs no correction by a browser. */
const TYPED_URL = /^https:\/\/([^/?#\\@:]+)(?=[/?#]|$)/i;

/**
 * Returns the provider of a typed URL, and the URL in its normalised form. Only https is accepted, and the whole host must match:
 * no similar names, no credentials, no ports and no IP URLs.
 */
export function matchProvider(typed: string): WebMatch {
  const text = typed.slice(0, LINK_URL_MAX * 2).trim();
  if (text === "") return { error: "library:errors.webMedia.required" };
  if (hasSeveralLinks(text)) return { error: "library:errors.webMedia.several" };
  if (text.length > LINK_URL_MAX) return { error: "shared-owners:errors.linkUrl.tooLong" };
  const url = parseTypedUrl(text);
  if (!url) return { error: "library:errors.webMedia.invalid" };
  for (const provider of PROVIDERS) {
    if (!isHostListed(url.hostname, provider.hosts)) continue;
    const match = provider.read(url);
    if (match) return { provider, url: match.url, player: validPlayerPath(provider, match.player) };
  }
  return { error: "library:errors.webMedia.unknown" };
}

function parseTypedUrl(text: string): URL | null {
  const host = TYPED_URL.exec(text)?.[1];
  if (host === undefined || /[\s\\\u0000-\u001f\u007f]/.test(text)) return null;
  try {
    const url = new URL(text);
    // Another spelling of a host, such as percent signs or full-width letters, does not occur in genuine URLs.
    return url.hostname === host.toLowerCase() ? url : null;
  } catch {
    return null;
  }
}

/** Returns whether a host is in a list. An entry that begins with a dot matches all of its subdomains. */
export const isHostListed = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));

/** Returns the provider with an id; null when it is no longer supported. */
export const findProvider = (id: string): WebProvider | null =>
  PROVIDERS.find((provider) => provider.id === id) ?? null;

const validPlayerPath = (provider: WebProvider, path: string | null): string | null =>
  path !== null && provider.player?.path.test(path) === true ? path : null;

/** Returns the https URL in the `src` of the first frame in HTML, with five entities decoded; null for none. */
function findFrameUrl(html: string): URL | null {
  const src = /<iframe\b[^>]*?\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(html);
  const text = (src?.[1] ?? src?.[2] ?? "").replace(
    /&(amp|quot|#39|lt|gt);/g,
    (_, name: string) => ENTITIES[name] ?? "",
  );
  try {
    const url = new URL(text.startsWith("//") ? `https:${text}` : text);
    return url.protocol === "https:" && url.port === "" && url.username === "" ? url : null;
  } catch {
    return null;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", quot: '"', "#39": "'", lt: "<", gt: ">" };

/**
 * Returns the path of a player that only the provider's response contains. It is built from the known parts of the frame in the HTML, if that frame
 * is the provider's own player. Null for anything else.
 */
export function playerInResponse(provider: WebProvider, html: string): string | null {
  const frame = findFrameUrl(html);
  if (!frame || !provider.player?.inFrame || frame.origin !== provider.player.origin) return null;
  return validPlayerPath(provider, provider.player.inFrame(frame));
}

/** Attributes of a player's frame, and its aspect ratio. */
export interface WebPlayerFrame {
  readonly src: string;
  readonly sandbox: string;
  readonly allow: string;
  /** Width divided by height. */
  readonly aspect: number;
  readonly referrerPolicy: "strict-origin-when-cross-origin";
}

/**
 * The permissions of a player: scripts and storage of its own origin, which is never ours, and windows that its links open. It cannot
 * navigate the page, submit forms, or request permissions that `allow` does not name.
 */
const SANDBOX =
  "allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox";
const ALLOW = "autoplay; fullscreen; encrypted-media; picture-in-picture";
/** Range of plausible aspect ratios in responses, and the default (`usual`). */
const ASPECTS = { min: 0.4, max: 4, usual: 16 / 9 } as const;

/** Returns the frame of a web media item; null for an image, and for a player that no supported provider has. */
export function createWebPlayer(
  web: Pick<WebMediaItem, "provider" | "player" | "width" | "height">,
): WebPlayerFrame | null {
  const provider = findProvider(web.provider);
  const path = provider && validPlayerPath(provider, web.player);
  if (!provider?.player || path === null) return null;
  const { origin, begin, aspect } = provider.player;
  const src = new URL(path, origin);
  for (const [name, value] of Object.entries(begin ?? {})) src.searchParams.set(name, value);
  return {
    src: src.href,
    sandbox: SANDBOX,
    allow: ALLOW,
    aspect: aspect ?? responseAspect(web),
    referrerPolicy: "strict-origin-when-cross-origin",
  };
}

function responseAspect({ width, height }: Pick<WebMediaItem, "width" | "height">): number {
  const aspect = width && height ? width / height : ASPECTS.usual;
  return Math.min(ASPECTS.max, Math.max(ASPECTS.min, aspect));
}

/** The origins of all players, for the Content-Security-Policy of pages that show them. */
export const PLAYER_ORIGINS: readonly string[] = [
  ...new Set(PROVIDERS.flatMap(({ player }) => player?.origin ?? [])),
].sort();
