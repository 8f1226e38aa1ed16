/** IPv4 networks that no request of the server may reach: special-purpose (IANA's registry, RFC 6890), multicast and reserved ones. */
const IPV4_NETWORKS = [
  ...([
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
  ] as const),
  ...(["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"] as const),
  ...(["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"] as const),
];

/**
 * The IPv6 networks that no request of the server may reach. All networks whose addresses contain an IPv4 address (mapped, translated,
 * 6to4, Teredo) are closed.
 */
const IPV6_NETWORKS = [
  // The first network contains the unspecified address, loopback, IPv4-mapped and IPv4-compatible addresses.
  ...(["::/80", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48"] as const),
  ...(["100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"] as const),
  ...(["fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8"] as const),
];

/** The bits of an IPv4 address in dotted decimal notation; null for anything else. */
function ipv4Bits(address: string): bigint | null {
  const parts = address.split(".");
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return null;
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n);
}

/** The bits of an IPv6 address in any notation of RFC 4291 §2.2, without brackets and zone; null for anything else. */
function ipv6Bits(address: string): bigint | null {
  // The last 32 bits may be in dotted decimal notation.
  const dotted = /^(.*:)([^:]*\.[^:]*)$/.exec(address);
  const lastBits = dotted ? ipv4Bits(dotted[2] ?? "") : null;
  if (dotted && lastBits === null) return null;
  const text =
    dotted && lastBits !== null
      ? `${dotted[1]}${(lastBits >> 16n).toString(16)}:${(lastBits & 0xffffn).toString(16)}`
      : address;
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail = []] = halves.map((groups) => (groups === "" ? [] : groups.split(":")));
  const missingGroups = 8 - head.length - tail.length;
  if (halves.length === 1 ? missingGroups !== 0 : missingGroups < 1) return null;
  const groups = [...head, ...Array.from({ length: missingGroups }, () => "0"), ...tail];
  if (groups.some((group) => !/^[\da-f]{1,4}$/i.test(group))) return null;
  return groups.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n);
}

interface Network {
  readonly bits: bigint;
  /** Number of the lowest bits that vary within the network. */
  readonly free: bigint;
}

const networksOf = (list: readonly string[], length: number, parse: (text: string) => bigint | null) =>
  list.map((text): Network => {
    const [address = "", prefix] = text.split("/");
    return { bits: parse(address) ?? 0n, free: BigInt(length - Number(prefix)) };
  });

const CLOSED_IPV4 = networksOf(IPV4_NETWORKS, 32, ipv4Bits);
const CLOSED_IPV6 = networksOf(IPV6_NETWORKS, 128, ipv6Bits);

const contains = ({ bits, free }: Network, address: bigint) => bits >> free === address >> free;

/** Whether a text is an IPv4 or IPv6 address, without brackets. */
export const isIpAddress = (text: string): boolean => ipv4Bits(text) !== null || ipv6Bits(text) !== null;

/**
 * Whether an IP address, without brackets, is not public: private, loopback, link-local, shared (CGNAT), unique local, multicast,
 * reserved, or containing an IPv4 address. Any other text counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const ipv4 = ipv4Bits(address);
  if (ipv4 !== null) return CLOSED_IPV4.some((network) => contains(network, ipv4));
  const ipv6 = ipv6Bits(address.replace(/%.*$/, ""));
  return ipv6 === null || CLOSED_IPV6.some((network) => contains(network, ipv6));
}
