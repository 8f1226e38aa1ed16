/** The id (sid) of a showcase, a 3D space at Matterport: 11 letters and digits. Known ids are Base58, which lacks 0, O, I and l. */
export interface ShowcaseId {
  readonly sid: string;
  /** Whether the id has a character that no known id has. It is accepted, because it may be valid. */
  readonly isDoubtful: boolean;
}

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const SID_LENGTH = 11;
/** The form of ids that are accepted. */
const ACCEPTED = /^[A-Za-z0-9]{11}$/;
/** The form of all known ids. */
const STRICT = /^[1-9A-HJ-NP-Za-km-z]{11}$/;
/** Maximum length of an input, in characters. */
const INPUT_MAX = 2048;

/** Number of random bytes for makeSid. With this number, it practically always has enough valid bytes. */
export const SID_RANDOM_BYTES = 64;

/** Returns whether a value has the form of a sid. */
export function isSid(value: string): boolean {
  return ACCEPTED.test(value);
}

const PLAYER_HOSTS = new Set(["my.matterport.com", "my.matterportvr.cn"]);
const SITE_HOSTS = new Set(["matterport.com", "www.matterport.com"]);

/** Returns the rest of a path after a prefix: the id in a path such as /models/SID. Null for another prefix. */
function pathAfter(path: string, prefix: string): string | null {
  return path.startsWith(prefix) ? path.slice(prefix.length).replace(/\/$/, "") : null;
}

function readSidFromUrl(url: URL): string | null {
  const path = url.pathname;
  if (PLAYER_HOSTS.has(url.hostname)) {
    if (/^\/(show|work)\/?$/.test(path)) {
      const ids = new Set([...url.searchParams.getAll("m"), ...url.searchParams.getAll("model")]);
      // Two different ids are ambiguous.
      return ids.size === 1 ? ([...ids][0] ?? null) : null;
    }
    return pathAfter(path, "/models/");
  }
  if (url.hostname === "discover.matterport.com") return pathAfter(path, "/space/");
  if (SITE_HOSTS.has(url.hostname)) return pathAfter(path, "/discover/space/");
  return null;
}

/**
 * Returns the id of a showcase from the id itself or from any URL that shows it, with https or without a scheme, in full-width
 * or half-width characters. Null for any other input.
 */
export function parseShowcaseId(input: string): ShowcaseId | null {
  if (input.length > INPUT_MAX) return null;
  // Japanese keyboards can enter letters and signs in full width.
  const text = input.normalize("NFKC").trim();
  let sid: string | null = text;
  if (!ACCEPTED.test(text)) {
    if (/[\s\\\u0000-\u001f\u007f]/.test(text)) return null;
    const href = /^https:\/\//i.test(text)
      ? text
      : text.startsWith("//")
        ? `https:${text}`
        : `https://${text}`;
    let url: URL;
    try {
      url = new URL(href);
    } catch {
      return null;
    }
    if (url.username !== "" || url.password !== "" || url.port !== "") return null;
    sid = readSidFromUrl(url);
  }
  return sid !== null && ACCEPTED.test(sid) ? { sid, isDoubtful: !STRICT.test(sid) } : null;
}

/**
 * Generates an id of the same form for a space that is not a showcase: 11 Base58 characters, each equally likely. Bytes that would favour the first
 * characters are skipped, so pass SID_RANDOM_BYTES bytes. Throws RangeError when they run out.
 */
export function makeSid(randomBytes: Uint8Array): string {
  const firstUnusableByte = 256 - (256 % BASE58.length);
  let sid = "";
  for (const byte of randomBytes) {
    if (byte >= firstUnusableByte) continue;
    sid += BASE58.charAt(byte % BASE58.length);
    if (sid.length === SID_LENGTH) return sid;
  }
  throw new RangeError("Not enough random bytes for a sid");
}
