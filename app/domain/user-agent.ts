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
