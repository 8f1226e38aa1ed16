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

/** The origin of a showcase's address, or null for an address that is none: nothing is told to such a frame, and nothing believed. */
export function showcaseOrigin(address: string): string | null {
  const origin = URL.canParse(address) ? new URL(address).origin : "";
  return SHOWCASE_ORIGINS.includes(origin) ? origin : null;
}

/** Whether the script that a showcase names may be run in the page. */
export function isShowcaseScript(address: string): boolean {
  return URL.canParse(address) && SHOWCASE_SCRIPT_ORIGINS.includes(new URL(address).origin);
}
