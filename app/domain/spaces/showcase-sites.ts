/** Where showcases are served from (reference/showcase §4.1, §4.3). */
export const SHOWCASE_ORIGINS: readonly string[] = [
  "https://my.matterport.com",
  "https://my.matterportvr.cn",
];

/** Where the script of a showcase's SDK may come from: its frame names one of them (reference/showcase §4.3). */
export const SHOWCASE_SCRIPT_ORIGINS: readonly string[] = [
  "https://static.matterport.com",
  "https://api.matterport.com",
];

/** The origin of an https address. A blob's address has the origin of its maker, and is not from there. */
function httpsOrigin(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const { protocol, origin } = new URL(address);
  return protocol === "https:" ? origin : null;
}

/** The origin of a showcase's address, or null for an address that is none: nothing is told to such a frame, and nothing believed. */
export function showcaseOrigin(address: string): string | null {
  const origin = httpsOrigin(address);
  return origin !== null && SHOWCASE_ORIGINS.includes(origin) ? origin : null;
}

/** Whether the script that a showcase names may be run in the page. */
export function isShowcaseScript(address: string): boolean {
  return SHOWCASE_SCRIPT_ORIGINS.includes(httpsOrigin(address) ?? "");
}
