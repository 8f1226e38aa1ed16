import { createHmac } from "node:crypto";

/** Network name of requests without a client address, as in development. */
const LOCAL = "local";

/**
 * True if a hostname is an IP address or a name of this machine. A request with any other hostname may come from a page of another site (DNS
 * rebinding), which could read the response.
 */
export const isLocalHostname = (hostname: string): boolean =>
  hostname.startsWith("[") || /^(\d{1,3}(\.\d{1,3}){3}|([a-z0-9-]+\.)*localhost)$/.test(hostname);

/**
 * The network for which attempts are counted: an IPv4 address, or the /64 of an IPv6 address, which belongs to one subscriber. An IPv4-mapped IPv6
 * address counts as the IPv4 address.
 */
export function clientNetwork(request: Request): string {
  const address = request.headers.get("cf-connecting-ip");
  if (address === null) return LOCAL;
  const groups = ipv6Groups(address);
  if (groups === null) return address;
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address in any of its spellings; null for any other text. */
function ipv6Groups(address: string): number[] | null {
  if (!URL.canParse(`http://[${address}]`)) return null;
  // The URL parser normalises every address: groups in hex, and at most one gap.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/**
 * A network as the audit log and the log store it: 64 bits in hex. Equal networks result in equal values, which cannot be reversed without the
 * secret.
 */
export const hashNetwork = (secret: string, network: string): string =>
  createHmac("sha256", secret).update(`network\n${network}`).digest("hex").slice(0, 16);
