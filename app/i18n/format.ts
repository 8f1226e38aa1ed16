/** Formats sizes, durations and amounts. Server and browser must return the same text. */
import type { Lang } from "~/domain/shared/model";
import type { Money } from "~/domain/store/store";

export { formatName } from "~/domain/users/format-name";

/** Formats a number as both languages write it: 2,033. Returns "0" for −0. */
export const formatNumber = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 1000 ? String(value || 0) : NUMBERS.format(value);

const NUMBERS = new Intl.NumberFormat("en");

const UNITS = ["B", "KB", "MB", "GB", "TB"] as const;

/** Formats a number of bytes in a suitable unit (1 KB is 1024 bytes): 3.4 MB. */
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

/** Formats seconds as a player shows them: 0:07, 12:30, 1:02:03. */
export function formatDuration(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(totalSeconds / 3600), Math.floor(totalSeconds / 60) % 60];
  return hours > 0
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(totalSeconds % 60)}`
    : `${minutes}:${twoDigits(totalSeconds % 60)}`;
}

const LOCALES: Readonly<Record<Lang, string>> = { ja: "ja-JP", en: "en-US" };
const currencies = new Map<string, Intl.NumberFormat>();

/** Formats an amount with its currency's digits: ¥1,650, $11.00. For an invalid currency code, returns the code and the number. */
export function formatMoney({ amount, currencyCode }: Money, lang: Lang): string {
  const key = `${lang} ${currencyCode}`;
  let format = currencies.get(key);
  try {
    format ??= new Intl.NumberFormat(LOCALES[lang], { style: "currency", currency: currencyCode });
  } catch {
    return `${currencyCode} ${amount}`;
  }
  currencies.set(key, format);
  // Currency signs and spaces differ between Intl implementations. Server and browser must return the same text.
  return format
    .format(Number(amount))
    .replace("\uffe5", "\u00a5")
    .replace(/[\u00a0\u202f]/g, " ");
}
