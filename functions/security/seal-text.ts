/** Sealed texts: clients may store them, but cannot read or change them. Each is bound to a purpose and an expiry time. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const IV_BYTES = 12;
const TAG_BYTES = 16;

const deriveKey = (secret: string, purpose: string) =>
  createHmac("sha256", secret).update(`lock\n${purpose}`).digest();

/**
 * Encrypts a text with AES-256-GCM.
 * @param purpose the purpose and owner of the text; openText must get the same value
 * @param expires epoch milliseconds
 */
export function sealText(secret: string, purpose: string, text: string, expires: number): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(secret, purpose), iv);
  const ciphertext = Buffer.concat([
    cipher.update(Buffer.from(JSON.stringify([expires, text]))),
    cipher.final(),
  ]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]).toString("base64url");
}

/** Decrypts a text; null if it was not sealed here for this purpose, or has expired by `now`. */
export function openText(secret: string, purpose: string, value: string, now: number): string | null {
  const bytes = Buffer.from(value, "base64url");
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null;
  const [iv, tagAndCiphertext] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES)];
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(secret, purpose), iv, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(tagAndCiphertext.subarray(0, TAG_BYTES));
  try {
    const plaintext = Buffer.concat([
      decipher.update(tagAndCiphertext.subarray(TAG_BYTES)),
      decipher.final(),
    ]);
    const [expires, text] = JSON.parse(plaintext.toString()) as [number, string];
    return expires > now ? text : null;
  } catch {
    return null;
  }
}
