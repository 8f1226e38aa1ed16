/**
 * Time-based one-time codes: RFC 6238 over HOTP (RFC 4226), with SHA-1, six digits and steps of 30 seconds, the usual values of
 * authenticator apps.
 */

/** Number of digits of a code. */
export const TOTP_DIGITS = 6;
/** Time for which an app shows a code, in milliseconds. */
const TOTP_STEP_MS = 30_000;
/** Length of a secret in bytes: that of a SHA-1 hash (RFC 4226 §4). */
export const TOTP_SECRET_BYTES = 20;
/** Number of steps before and after the current one whose codes are accepted too: clocks differ, and typing takes time. */
const TOTP_WINDOW = 1;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes in base32 (RFC 4648 §6) without padding, as authenticator apps read secrets. */
export function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}

/** Decodes a base32 text in capital letters. Ignores other characters. */
export function decodeBase32(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text) {
    const digit = BASE32.indexOf(character);
    if (digit < 0) continue;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 255);
  }
  return Uint8Array.from(bytes);
}

/** Returns the time step at a time (RFC 6238 §4). @param now epoch milliseconds */
export const totpCounter = (now: number): number => Math.floor(now / TOTP_STEP_MS);

/** Returns the code of a time step. @param secret in base32 */
export async function totpCode(secret: string, counter: number): Promise<string> {
  const message = new DataView(new ArrayBuffer(8));
  message.setBigUint64(0, BigInt(Math.max(0, counter)));
  const key = await crypto.subtle.importKey(
    "raw",
    decodeBase32(secret),
    { name: "HMAC", hash: "SHA-1" },
    false,
    ["sign"],
  );
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, message));
  // Dynamic truncation: RFC 4226 §5.3.
  const number = mac.getUint32(mac.getUint8(19) & 15) & 0x7fffffff;
  return String(number % 10 ** TOTP_DIGITS).padStart(TOTP_DIGITS, "0");
}

/** Compares two texts of the same length in constant time. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/**
 * Returns the time step of a code, at most one step away from `now`; null for a wrong code. Computes and compares every code of the window, so that
 * the duration does not depend on the code.
 * @param lastCounter time step of the last accepted code; it and earlier ones are not accepted again (RFC 6238 §5.2)
 * @param now epoch milliseconds
 */
export async function acceptedCounter(
  secret: string,
  code: string,
  lastCounter: number,
  now: number,
): Promise<number | null> {
  const current = totpCounter(now);
  let acceptedStep: number | null = null;
  for (let counter = current - TOTP_WINDOW; counter <= current + TOTP_WINDOW; counter++) {
    const isMatch = isEqual(await totpCode(secret, counter), code);
    if (isMatch && counter > lastCounter) acceptedStep ??= counter;
  }
  return acceptedStep;
}

/** Returns the URL that an authenticator app reads from a QR code (Key Uri Format of Google Authenticator). */
export function otpauthUrl(input: {
  readonly issuer: string;
  readonly account: string;
  readonly secret: string;
}): string {
  const label = `${encodeURIComponent(input.issuer)}:${encodeURIComponent(input.account)}`;
  const query = new URLSearchParams({
    secret: input.secret,
    issuer: input.issuer,
    algorithm: "SHA1",
    digits: String(TOTP_DIGITS),
    period: String(TOTP_STEP_MS / 1000),
  });
  // Several apps do not decode a plus sign as a space.
  return `otpauth://totp/${label}?${query.toString().replaceAll("+", "%20")}`;
}
