import { createHmac } from "node:crypto";

/**
 * Hashes a text with HMAC-SHA-256, in hex. Without the secret, a network or an address cannot be recovered by trying all of them.
 * @param purpose the purpose: hashes of one text for two purposes are unrelated
 */
export const hashWithSecret = (secret: string, purpose: string, text: string): string =>
  createHmac("sha256", secret).update(`hash\n${purpose}\n${text}`).digest("hex");
