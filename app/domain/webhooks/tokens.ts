import type { Instant } from "../shared/model";

/** Prefix of every API token, by which people and secret scanners recognise one. */
export const TOKEN_PREFIX = "hir_";
/** Lifetimes that a form offers for a token, in days. */
export const TOKEN_DAYS = [30, 90, 365] as const;
/** Maximum lifetime of a token, in days, so that unused tokens expire. */
export const TOKEN_DAYS_MAX = 365;
/** Default lifetime of a token, in days. */
export const TOKEN_DAYS_DEFAULT = 90;

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Number of base-62 digits of the secret (256 bits) and of the checksum (32 bits). */
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const TOKEN_PATTERN = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

function toBase62(value: bigint, length: number): string {
  let digits = "";
  for (let quotient = value; digits.length < length; quotient /= 62n)
    digits = DIGITS[Number(quotient % 62n)] + digits;
  return digits;
}

/** Returns the CRC-32 (ISO 3309) of an ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

const createChecksum = (text: string) => toBase62(BigInt(crc32(text)), CHECKSUM_LENGTH);

/**
 * Creates an API token from 32 random bytes: the prefix, the bytes as letters and digits, and a checksum by which a scanner distinguishes tokens from
 * similar texts.
 */
export function makeToken(bytes: Uint8Array): string {
  let value = 0n;
  for (const byte of bytes) value = value * 256n + BigInt(byte);
  const prefixAndSecret = TOKEN_PREFIX + toBase62(value, SECRET_LENGTH);
  return prefixAndSecret + createChecksum(prefixAndSecret);
}

/** Whether a value has the form of an API token, including a correct checksum. */
export const isApiToken = (value: string | null | undefined): value is string =>
  !!value && TOKEN_PATTERN.test(value) && value.endsWith(createChecksum(value.slice(0, -CHECKSUM_LENGTH)));

/** Returns the characters by which the owner recognises a token. */
export const tokenHint = (token: string): string => token.slice(TOKEN_PREFIX.length, TOKEN_PREFIX.length + 4);

/** Status of a token. */
export type TokenStatus = "active" | "expired" | "revoked";

/** Returns the status of a token at `now` (epoch milliseconds). */
export function tokenStatus(
  token: { readonly expiresAt: Instant; readonly revokedAt: Instant | null },
  now: number,
): TokenStatus {
  if (token.revokedAt !== null) return "revoked";
  return Date.parse(token.expiresAt) <= now ? "expired" : "active";
}
