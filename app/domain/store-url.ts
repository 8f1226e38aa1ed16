import { STORE_URL_MAX } from "./limits";

/** A store's address once it is read, or the key of the message that says what is wrong with it. */
export type StoreUrlResult =
  | { readonly origin: string }
  | {
      readonly error:
        | "errors.spStoreUrl.invalid"
        | "errors.spStoreUrl.tooLong"
        | "errors.spStoreUrl.credentials"
        | "errors.spStoreUrl.host";
    };

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
 * The origin of a store, forced to https (§5, DESIGN §4): whatever path follows is dropped, as the store's client does.
 * Only public host names at the standard port; `isAllowedHost` may admit others by "host" or "host:port" for local runs.
 */
export function readStoreUrl(
  input: string,
  isAllowedHost: (host: string) => boolean = () => false,
): StoreUrlResult {
  const invalid = { error: "errors.spStoreUrl.invalid" } as const;
  if (input.length > STORE_URL_MAX) return { error: "errors.spStoreUrl.tooLong" };
  if (/[\s\\\u0000-\u001f\u007f]/.test(input)) return invalid;
  const rest = input.replace(/^https?:\/\//i, "");
  if (rest === "" || rest.startsWith("/") || rest.includes("://")) return invalid;
  let url: URL;
  try {
    url = new URL(`https://${rest}`);
  } catch {
    return invalid;
  }
  if (url.username !== "" || url.password !== "" || rest.split(/[/?#]/, 1)[0]?.includes("@")) {
    return { error: "errors.spStoreUrl.credentials" };
  }
  if (isAllowedHost(url.host)) return { origin: url.origin };
  if (url.port !== "" && !(url.port === "80" && /^http:/i.test(input)))
    return { error: "errors.spStoreUrl.host" };
  return isPublicHostname(url.hostname)
    ? { origin: `https://${url.hostname}` }
    : { error: "errors.spStoreUrl.host" };
}
