/** What kind of thing a session runs on. */
export type DeviceKind = "computer" | "phone" | "tablet" | "program";

/** A device in words that need no translation; empty where the header says nothing that people know. */
export interface Device {
  readonly kind: DeviceKind;
  /** "Chrome", "Safari"… */
  readonly browser: string;
  /** "Windows", "iOS"… */
  readonly system: string;
}

/** The first that matches names it: browsers carry the names of those that they descend from. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPiOS|Opera)\b/, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
  // Apps of Apple's systems, messengers say, show pages by its engine, and do not name it.
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

/** What apps in which people look at pages write of themselves and their device, and lists of robots take for a robot's name: news, Google. */
const APPS =
  /\b(Instagram|Barcelona) [\d.]+( Android)? \([^)]*\)?|\b(jp\.gocro\.)?SmartNews(?!\w*bot)[\w./]*/gi;

/** A User-Agent header as far as it may name a robot. */
export const withoutApp = (userAgent: string): string => userAgent.replace(APPS, "");

const named = (table: typeof BROWSERS, text: string) =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? "";

/** What a User-Agent header says of a device (RFC 9110 §10.1.5). A hint, as anybody may send any text. */
export function describeDevice(userAgent: string): Device {
  const browser = named(BROWSERS, userAgent);
  const system = named(SYSTEMS, userAgent);
  if (browser === "" || !userAgent.startsWith("Mozilla/")) return { kind: "program", browser: "", system };
  const tablet =
    /\biPad\b/.test(userAgent) || (/\bAndroid\b/.test(userAgent) && !/\bMobile\b/.test(userAgent));
  const phone = /\b(iPhone|iPod|Mobile)\b/.test(userAgent);
  return { kind: tablet ? "tablet" : phone ? "phone" : "computer", browser, system };
}
