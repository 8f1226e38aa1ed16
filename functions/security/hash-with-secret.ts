import { createHmac } from "node:crypto";

/**
 * Hashes a text with HMAC-SHA-256, in hex. Without the secret, an IP address or an email address cannot be recovered by hashing all of them.
 * @param purpose name of the hash's use; hashes of one text with two purposes are unrelated
 */
export const hashWithSecret = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", secret).update(`hash\n${purpose}\n${text}`).digest("hex");
