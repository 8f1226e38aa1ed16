/** Kind of device that a User-Agent header names; `program` if the header is not a browser's. */
export type DeviceKind = "computer" | "phone" | "tablet" | "program";

/** Browser and system of a device, by names that need no translation; empty if the header contains no well-known name. */
export interface Device {
  readonly kind: DeviceKind;
  /** "Chrome", "Safari"… */
  readonly browser: string;
  /** "Windows", "iOS"… */
  readonly system: string;
}

/** The first match counts, because a browser's header also contains the names of the browsers that it descends from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPiOS|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  // Apps on Apple's systems, such as messengers, render pages with Apple's engine and do not name a browser.
  [/\b(iPhone|iPad|iPod|Macintosh)\b.*\bAppleWebKit\/[\d.]+ \(KHTML, like Gecko\)/, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPad\b/, "iPadOS"],
  [/\biPhone|\biPod\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** Texts that in-app browsers (Instagram, SmartNews) add to the header, and that bot lists mistake for a bot's name. */
const APPS =
  /\b(Instagram|Barcelona) [\d.]+( Android)? \([^)]*\)?|\b(jp\.gocro\.)?SmartNews(?!\w*bot)[\w./]*/gi;

/** Returns a User-Agent header without the texts that bot lists mistake for a bot's name. */
export const withoutApp = (userAgent: string): string => userAgent.replace(APPS, "");

const findName = (table: typeof BROWSERS, text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? "";

/** Describes the device that a User-Agent header names (RFC 9110 §10.1.5). The result is only a hint, as a client can send any text. */
export function describeDevice(userAgent: string): Device {
  const browser = findName(BROWSERS, userAgent);
  const system = findName(SYSTEMS, userAgent);
  if (browser === "" || !userAgent.startsWith("Mozilla/")) return { kind: "program", browser: "", system };
  const isTablet =
    /\biPad\b/.test(userAgent) || (/\bAndroid\b/.test(userAgent) && !/\bMobile\b/.test(userAgent));
  const isPhone = /\b(iPhone|iPod|Mobile)\b/.test(userAgent);
  return { kind: isTablet ? "tablet" : isPhone ? "phone" : "computer", browser, system };
}
