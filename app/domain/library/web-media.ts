/**
 * Web media: which addresses we take, of which providers, and how their players are built. Nothing of a provider's HTML is
 * ever shown: a player is its path at a host of this table, in a form that is checked again whenever it is used.
 */
import { LINK_URL_MAX } from "../shared/limits";
import type { WebMedium } from "../shared/model";
import { PROVIDERS, type WebProvider } from "./web-providers";

/** What an address names, or the key of the message that says why it names nothing of ours. */
export type WebMatch =
  | { readonly provider: WebProvider; readonly url: string; readonly player: string | null }
  | {
      readonly error:
        | "library:errors.webMedia.required"
        | "library:errors.webMedia.invalid"
        | "library:errors.webMedia.unknown"
        | "shared-owners:errors.linkUrl.tooLong";
    };

/** Scheme and host as they are typed: nothing that a browser would have to straighten first. */
const TYPED = /^https:\/\/([^/?#\\@:]+)(?=[/?#]|$)/i;

/**
 * The provider of an address as somebody typed it, and the address without what does not matter. Https alone, the host
 * compared as a whole: no names that only look like it, no credentials, no ports, no addresses of machines.
 */
export function matchProvider(typed: string): WebMatch {
  const text = typed.slice(0, LINK_URL_MAX * 2).trim();
  if (text === "") return { error: "library:errors.webMedia.required" };
  if (text.length > LINK_URL_MAX) return { error: "shared-owners:errors.linkUrl.tooLong" };
  const url = parse(text);
  if (!url) return { error: "library:errors.webMedia.invalid" };
  for (const provider of PROVIDERS) {
    if (!isHostOf(url.hostname, provider.hosts)) continue;
    const found = provider.read(url);
    if (found) return { provider, url: found.url, player: checkedPath(provider, found.player) };
  }
  return { error: "library:errors.webMedia.unknown" };
}

function parse(text: string): URL | null {
  const host = TYPED.exec(text)?.[1];
  if (host === undefined || /[\s\\\u0000-\u001f\u007f]/.test(text)) return null;
  try {
    const url = new URL(text);
    // Another spelling of a host, percent signs or full-width letters say, is nobody's honest address.
    return url.hostname === host.toLowerCase() ? url : null;
  } catch {
    return null;
  }
}

/** Whether a host is one of a list: the same name, or below one that begins with a dot. */
export const isHostOf = (hostname: string, hosts: readonly string[]): boolean =>
  hosts.some((host) => (host.startsWith(".") ? hostname.endsWith(host) : hostname === host));

/** The provider of that name; null when it is none of ours any more. */
export const providerOf = (id: string): WebProvider | null =>
  PROVIDERS.find((provider) => provider.id === id) ?? null;

const checkedPath = (provider: WebProvider, path: string | null): string | null =>
  path !== null && provider.player?.path.test(path) === true ? path : null;

/** The `src` of the first frame in some HTML, its five entities resolved. */
function frameOf(html: string): URL | null {
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
 * The path of a player that only its provider's answer names: of the frame in its HTML, when that is a frame of the
 * provider's own player, the parts that we know. Null for anything else.
 */
export function playerInAnswer(provider: WebProvider, html: string): string | null {
  const frame = frameOf(html);
  if (!frame || !provider.player?.inFrame || frame.origin !== provider.player.origin) return null;
  return checkedPath(provider, provider.player.inFrame(frame));
}

/** A frame for a player, complete. */
export interface WebPlayer {
  readonly src: string;
  readonly sandbox: string;
  readonly allow: string;
  /** Width by height. */
  readonly aspect: number;
  readonly referrerPolicy: "strict-origin-when-cross-origin";
}

/**
 * What a player may do: scripts and storage of its own origin, which is never ours, and windows that its links open. Not:
 * lead the page away, send forms, ask for permissions that `allow` does not name.
 */
const SANDBOX =
  "allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox";
const ALLOW = "autoplay; fullscreen; encrypted-media; picture-in-picture";
/** Shapes beyond these are no answer's honest size. */
const ASPECTS = { min: 0.4, max: 4, usual: 16 / 9 } as const;

/** The frame of a web medium; null for what is a picture, and for what no provider of ours would show. */
export function playerOf(
  medium: Pick<WebMedium, "provider" | "player" | "width" | "height">,
): WebPlayer | null {
  const provider = providerOf(medium.provider);
  const path = provider && checkedPath(provider, medium.player);
  if (!provider?.player || path === null) return null;
  const { origin, begin, aspect } = provider.player;
  const src = new URL(path, origin);
  for (const [name, value] of Object.entries(begin ?? {})) src.searchParams.set(name, value);
  return {
    src: src.href,
    sandbox: SANDBOX,
    allow: ALLOW,
    aspect: aspect ?? answeredAspect(medium),
    referrerPolicy: "strict-origin-when-cross-origin",
  };
}

function answeredAspect({ width, height }: Pick<WebMedium, "width" | "height">): number {
  const aspect = width && height ? width / height : ASPECTS.usual;
  return Math.min(ASPECTS.max, Math.max(ASPECTS.min, aspect));
}

/** The hosts of all players, for the policy of pages that show them. */
export const PLAYER_ORIGINS: readonly string[] = [
  ...new Set(PROVIDERS.flatMap(({ player }) => player?.origin ?? [])),
].sort();
