/** The end of an IPv6 network as functions/security/client-network.ts writes it: the /64 of one subscriber. */
const SUBSCRIBER = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/;

/**
 * The IPv6 /48 of a /64: the customer of a provider who has 65,536 of them.
 * @returns null for an IPv4 address, and for anything else that is no /64
 */
export function siteNetwork(network: string): string | null {
  const [, site] = SUBSCRIBER.exec(network) ?? [];
  return site === undefined ? null : `${site}::/48`;
}
