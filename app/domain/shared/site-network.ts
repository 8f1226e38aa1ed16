/** An IPv6 /64 of one subscriber, in the form that functions/security/client-network.ts writes. */
const SUBSCRIBER = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/;

/**
 * Returns the IPv6 /48 that contains a /64. A provider's customer may have a /48 with 65,536 of them.
 * @returns null for an IPv4 address, and for anything else that is no /64
 */
export function siteNetwork(network: string): string | null {
  const [, site] = SUBSCRIBER.exec(network) ?? [];
  return site === undefined ? null : `${site}::/48`;
}
