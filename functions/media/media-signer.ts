import { createHmac, timingSafeEqual } from "node:crypto";
import type { MediaSigner } from "#functions/services/visitors/visitor-ports";

/**
 * Creates a signer for the parameters of file URLs (HMAC-SHA256, base64url).
 * @param secret SESSION_SECRET
 */
export function createMediaSigner(secret: string): MediaSigner {
  const sign = (text: string) => createHmac("sha256", secret).update(`media\n${text}`).digest("base64url");
  return {
    sign,
    verify(text, signature) {
      const [expected, actual] = [Buffer.from(sign(text)), Buffer.from(signature)];
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
  };
}
