/** Origins of showcases, the spaces that Matterport hosts. */
export const SHOWCASE_ORIGINS: readonly string[] = [
  "https://my.matterport.com",
  "https://my.matterportvr.cn",
];

/** Permitted origins of a showcase's SDK script. The showcase's frame names a script at one of them. */
export const SHOWCASE_SCRIPT_ORIGINS: readonly string[] = [
  "https://static.matterport.com",
  "https://api.matterport.com",
];

/** Returns the origin of an https URL; null otherwise. A blob URL has the origin of its creator, although it did not come from that server. */
function httpsOrigin(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, origin } = new URL(url);
  return protocol === "https:" ? origin : null;
}

/** Returns the origin of a showcase's URL; null for any other URL. Messages are neither sent to a frame at another URL nor accepted from it. */
export function showcaseOrigin(url: string): string | null {
  const origin = httpsOrigin(url);
  return origin !== null && SHOWCASE_ORIGINS.includes(origin) ? origin : null;
}

/** Returns whether the script that a showcase names may run in the page. */
export function isShowcaseScript(url: string): boolean {
  return SHOWCASE_SCRIPT_ORIGINS.includes(httpsOrigin(url) ?? "");
}
