import { formatDuration, formatNumber } from "~/i18n/format";

/** Formats a share in per cent, without a minus or per cent sign: 12.5, 0, 300. */
export function formatPercent(share: number): string {
  const percent = Math.abs(share) * 100;
  // A very small share must not be displayed as zero.
  if (percent > 0 && percent < 0.05) return "<0.1";
  return formatNumber(Number(percent.toFixed(percent >= 100 ? 0 : 1)));
}

/** Change of a number: the kind of its message, and the share in per cent by which there is `more` or `less`. `wasNone`: the number was zero before. */
export type Change =
  | { readonly kind: "more" | "less"; readonly share: string }
  | { readonly kind: "same" | "wasNone" };

/** Returns how a number differs from `before`; null if `before` is null, or if both numbers are zero. */
export function computeChange(number: {
  readonly value: number;
  readonly before: number | null;
  readonly change: number | null;
}): Change | null {
  const { value, before, change } = number;
  if (before === null || (before === 0 && value === 0)) return null;
  if (change === null) return { kind: "wasNone" };
  if (change === 0) return { kind: "same" };
  return { kind: change > 0 ? "more" : "less", share: formatPercent(change) };
}

/** The names of a report's numbers in display order. */
export const NUMBER_NAMES = [
  "visits",
  "visitors",
  "time",
  "tags",
  "media",
  "products",
  "carts",
  "checkouts",
] as const;

export type NumberName = (typeof NUMBER_NAMES)[number];

/** Formats a number of a report; `time` is the mean duration of a visit in seconds. */
export const formatAmount = (name: NumberName, value: number): string =>
  name === "time" ? formatDuration(value) : formatNumber(value);
