import type { Instant } from "../shared/model";

/** What every access token begins with, so that people and scanners of secrets know one when they see it. */
export const TOKEN_PREFIX = "hir_";
/** Days for which a token can be made. */
export const TOKEN_DAYS = [30, 90, 365] as const;
/** The most of them: a token that nobody looks after any more must end by itself. */
export const TOKEN_DAYS_MAX = 365;
/** The one that is offered. */
export const TOKEN_DAYS_USUAL = 90;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 256 bits in digits of base 62, and 32 bits. */
const SECRET_LENGTH = 43;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`);

function inDigits(value: bigint, length: number): string {
  let digits = "";
  for (let rest = value; digits.length < length; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits;
}

/** CRC-32 (ISO 3309) of plain ASCII. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const checkOf = (text: string) => inDigits(BigInt(crc32(text)), CHECK_LENGTH);

/**
 * An access token out of 32 random bytes: the prefix, the bytes as letters and digits alone, and a checksum, by which a scanner tells a
 * token from what only looks like one.
 */
export function makeToken(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  const start = TOKEN_PREFIX + inDigits(value, SECRET_LENGTH);
  return start + checkOf(start);
}

/** Whether a value has the form of an access token, checksum included. */
export const isAccessToken = (value: string | null | undefined): value is string =>
  !!value && FORM.test(value) && value.endsWith(checkOf(value.slice(0, -CHECK_LENGTH)));

/** The characters by which its owner knows a token again. */
export const tokenHint = (token: string): string => token.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + 4);

/** How a token stands. */
export type TokenStatus = "active" | "expired" | "revoked";

/** How a token stands at `now` (epoch milliseconds). */
export function tokenStatus(
  token: { readonly expiresAt: Instant; readonly revokedAt: Instant | null },
  now: number,
): TokenStatus {
  if (token.revokedAt !== null) return "revoked";
  return Date.parse(token.expiresAt) <= now ? "expired" : "active";
}
