import { formatDuration, formatNumber } from "~/i18n/format";

/** A share as people read it, without its sign: 12.5, 0, 300. */
export function shareWords(share: number): string {
  const percent = Math.abs(share) * 100;
  // What is hardly there is not nothing.
  if (percent > 0 && percent < 0.05) return "<0.1";
  return formatNumber(Number(percent.toFixed(percent >= 100 ? 0 : 1)));
}

/** How a number has changed: which words say it, and how much. */
export type Change =
  | { readonly kind: "more" | "less"; readonly share: string }
  | { readonly kind: "same" | "wasNone" };

/** Null where there is no period before, or nothing in either. */
export function changeOf(number: {
  readonly value: number;
  readonly before: number | null;
  readonly change: number | null;
}): Change | null {
  const { value, before, change } = number;
  if (before === null || (before === 0 && value === 0)) return null;
  if (change === null) return { kind: "wasNone" };
  if (change === 0) return { kind: "same" };
  return { kind: change > 0 ? "more" : "less", share: shareWords(change) };
}

/** The numbers in front, in their order. */
export const SHOWN = [
  "visits",
  "visitors",
  "time",
  "tags",
  "media",
  "products",
  "carts",
  "checkouts",
] as const;

export const amountWords = (name: (typeof SHOWN)[number], value: number): string =>
  name === "time" ? formatDuration(value) : formatNumber(value);
