/** Reasons why the server does not call a URL. */
export type PublicUrlProblem = "invalid" | "tooLong" | "credentials" | "host";

const PRIVATE_SUFFIX =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/;

/** Whether a host name, as URL spells it, belongs to a public server: it is neither an IP address nor a name of a private network. */
export function isPublicHostname(hostname: string): boolean {
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname) || hostname.endsWith(".")) return false;
  return (
    hostname.includes(".") &&
    /[a-z]/.test(hostname.slice(hostname.lastIndexOf("."))) &&
    !PRIVATE_SUFFIX.test(hostname)
  );
}

/**
 * Parses a URL that a user typed and the server will call. This is the only rule for such URLs: https, a public host name, the standard
 * port, no user name. A missing scheme or http becomes https.
 * @param options.max maximum length of the input, in characters
 * @param options.isAllowedHost admits other hosts by "host" or "host:port", for local runs
 */
export function readPublicUrl(
  input: string,
  options: { readonly max: number; readonly isAllowedHost?: (host: string) => boolean },
): { readonly url: URL } | { readonly problem: PublicUrlProblem } {
  const { max, isAllowedHost = () => false } = options;
  if (input.length > max) return { problem: "tooLong" };
  if (/[\s\\\u0000-\u001f\u007f]/.test(input)) return { problem: "invalid" };
  const withoutScheme = input.replace(/^https?:\/\//i, "");
  if (
    withoutScheme === "" ||
    withoutScheme.startsWith("/") ||
    withoutScheme.split(/[?#]/, 1)[0]?.includes("://")
  )
    return { problem: "invalid" };
  let url: URL;
  try {
    url = new URL(`https://${withoutScheme}`);
  } catch {
    return { problem: "invalid" };
  }
  if (url.username !== "" || url.password !== "" || withoutScheme.split(/[/?#]/, 1)[0]?.includes("@"))
    return { problem: "credentials" };
  if (isAllowedHost(url.host)) return { url };
  if (url.port !== "") {
    if (!(url.port === "80" && /^http:/i.test(input))) return { problem: "host" };
    url.port = "";
  }
  return isPublicHostname(url.hostname) ? { url } : { problem: "host" };
}
