import { createHmac, timingSafeEqual } from "node:crypto";

const mac = (secret: string, about: string, text: string) =>
  createHmac("sha256", secret).update(`sealed\n${about}\n${text}`).digest("base64url").slice(0, 22);

/**
 * A text of ours that an address carries to another request: whoever sees it can read it, and nobody else can write one.
 * @param about what it is about: it opens for that alone
 */
export const seal = (secret: string, about: string, text: string): string =>
  `${mac(secret, about, text)}.${Buffer.from(text).toString("base64url")}`;

/** The text of such an address; null for what was not sealed here for that. */
export function unseal(secret: string, about: string, value: string | null): string | null {
  const [found = "", encoded = ""] = (value ?? "").split(".");
  const text = Buffer.from(encoded, "base64url").toString();
  const [a, b] = [Buffer.from(found), Buffer.from(mac(secret, about, text))];
  return a.length === b.length && timingSafeEqual(a, b) ? text : null;
}
