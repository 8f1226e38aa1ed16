/** Sizes and names as people read them. Made of fixed parts, so that server and browser write the same text. */
import type { Lang } from "~/domain/shared/model";
import type { Money } from "~/domain/store/store";

export { formatName } from "~/domain/users/person-name";

/** A number as both languages write it: 2,033. */
export const formatNumber = (value: number): string => value.toLocaleString("en");

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** A number of bytes in the unit that fits, 1 KB being 1024 bytes: 3.4 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${formatNumber(Number(value.toFixed(digits)))} ${UNITS[unit]}`;
}

/** Seconds as a player shows them: 0:07, 12:30, 1:02:03. */
export function formatDuration(seconds: number): string {
  const all = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(all / 3600), Math.floor(all / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`;
}

const LOCALES: Readonly<Record<Lang, string>> = { ja: "ja-JP", en: "en-US" };
const currencies = new Map<string, Intl.NumberFormat>();

/** An amount in its currency, with as many digits as that has: ¥1,650, $11.00. Of a code that no currency can have, the code and the number. */
export function formatMoney({ amount, currencyCode }: Money, lang: Lang): string {
  const key = `${lang} ${currencyCode}`;
  let format = currencies.get(key);
  try {
    format ??= new Intl.NumberFormat(LOCALES[lang], { style: "currency", currency: currencyCode });
  } catch {
    return `${currencyCode} ${amount}`;
  }
  currencies.set(key, format);
  // Which sign and which space stand there depends on who formats; server and browser are to write the same.
  return format
    .format(Number(amount))
    .replace("\uffe5", "\u00a5")
    .replace(/[\u00a0\u202f]/g, " ");
}

/** How long ago something was, in whole minutes, beside something short: 3 min ago. */
export const formatMinutesAgo = (minutes: number, lang: Lang): string =>
  lang === "ja" ? `${formatNumber(minutes)}分前` : `${formatNumber(minutes)} min ago`;
