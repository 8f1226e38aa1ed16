import { DAY_MS } from "~/domain/shared/day";

/** Where programs look for what every site may say of itself (RFC 8615). */
export const WELL_KNOWN_PATH = "/.well-known/";
/** A file that says for how long it holds must not say so for long (RFC 9116 §2.5.5): half a year, in days. */
const HOLDS_DAYS = 180;

/** What the answers are made of. */
export interface WellKnown {
  /** Address for reports of vulnerabilities: `mailto:…` or `https://…`. */
  readonly securityContact: string;
  /** Where the product answers. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Whom to tell of a weakness (security.txt, RFC 9116), and where password managers send those who are to choose another password
 * (change-password, W3C). Null for anything else, which is a page that there is not.
 */
export function serveWellKnown({ method }: Request, pathname: string, about: WellKnown): Response | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const name = pathname.slice(WELL_KNOWN_PATH.length);
  if (name === "change-password")
    return new Response(null, { status: 302, headers: { location: "/account/security?dialog=password" } });
  if (name !== "security.txt") return null;
  const day = Math.floor(about.now / DAY_MS) + HOLDS_DAYS;
  const lines = [
    `Contact: ${about.securityContact}`,
    `Expires: ${new Date(day * DAY_MS).toISOString()}`,
    "Preferred-Languages: ja, en",
    `Canonical: ${about.origin}${pathname}`,
  ];
  return new Response(method === "HEAD" ? null : `${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}
