import { DAY_MS } from "~/domain/shared/day";

/** Path prefix of the well-known resources (RFC 8615). */
export const WELL_KNOWN_PATH = "/.well-known/";
/** Validity of security.txt in days. RFC 9116 §2.5.5 recommends less than a year. */
const VALID_DAYS = 180;

/** Values for the well-known resources. */
export interface WellKnown {
  /** Address for reports of vulnerabilities: `mailto:…` or `https://…`. */
  readonly securityContact: string;
  /** The product's origin. */
  readonly origin: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Serves security.txt (RFC 9116) and change-password (W3C). Returns null for any other path or method. */
export function serveWellKnown({ method }: Request, pathname: string, site: WellKnown): Response | null {
  if (method !== "GET" && method !== "HEAD") return null;
  const name = pathname.slice(WELL_KNOWN_PATH.length);
  if (name === "change-password")
    return new Response(null, { status: 302, headers: { location: "/account/security?dialog=password" } });
  if (name !== "security.txt") return null;
  const expiryDay = Math.floor(site.now / DAY_MS) + VALID_DAYS;
  const lines = [
    `Contact: ${site.securityContact}`,
    `Expires: ${new Date(expiryDay * DAY_MS).toISOString()}`,
    "Preferred-Languages: ja, en",
    `Canonical: ${site.origin}${pathname}`,
  ];
  return new Response(method === "HEAD" ? null : `${lines.join("\n")}\n`, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
  });
}
