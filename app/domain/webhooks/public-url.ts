/** What is wrong with an address that a server is to call. */
export type PublicUrlProblem = "invalid" | "tooLong" | "credentials" | "host";

const PRIVATE_SUFFIX =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|test|invalid|onion)$/;

/** Whether a host name, as URL spells it, is that of a public server: no address of a machine, no name of a private network. */
export function isPublicHostname(hostname: string): boolean {
  if (hostname.startsWith("[") || /^[\d.]+$/.test(hostname) || hostname.endsWith(".")) return false;
  return (
    hostname.includes(".") &&
    /[a-z]/.test(hostname.slice(hostname.lastIndexOf("."))) &&
    !PRIVATE_SUFFIX.test(hostname)
  );
}

/**
 * The only rule for addresses that somebody types and the server calls (DESIGN §5): https, a public host name, the standard port, no
 * user name. What is written without a scheme or with http is read as https.
 * @param options.isAllowedHost may admit others by "host" or "host:port", for local runs
 */
export function readPublicUrl(
  input: string,
  options: { readonly max: number; readonly isAllowedHost?: (host: string) => boolean },
): { readonly url: URL } | { readonly problem: PublicUrlProblem } {
  const { max, isAllowedHost = () => false } = options;
  if (input.length > max) return { problem: "tooLong" };
  if (/[\s\\\u0000-\u001f\u007f]/.test(input)) return { problem: "invalid" };
  const rest = input.replace(/^https?:\/\//i, "");
  if (rest === "" || rest.startsWith("/") || rest.split(/[?#]/, 1)[0]?.includes("://"))
    return { problem: "invalid" };
  let url: URL;
  try {
    url = new URL(`https://${rest}`);
  } catch {
    return { problem: "invalid" };
  }
  if (url.username !== "" || url.password !== "" || rest.split(/[/?#]/, 1)[0]?.includes("@"))
    return { problem: "credentials" };
  if (isAllowedHost(url.host)) return { url };
  if (url.port !== "") {
    if (!(url.port === "80" && /^http:/i.test(input))) return { problem: "host" };
    url.port = "";
  }
  return isPublicHostname(url.hostname) ? { url } : { problem: "host" };
}
