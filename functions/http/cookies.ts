import { createHmac, timingSafeEqual } from "node:crypto";
import { parse, serialize } from "hono/utils/cookie";
import type { StoredCart } from "~/domain/store/store";
import { cartHandle, readCartCount, readCartId } from "~/domain/store/store-ids";

/** Lifetime and scope of a cookie. */
export interface CookieOptions {
  /** Seconds; 0 removes the cookie. */
  readonly maxAge: number;
  readonly secure: boolean;
  /** `/` by default. */
  readonly path?: string;
  /** True by default: no script reads the cookie. */
  readonly httpOnly?: boolean;
  /** Also sent in a frame on another site, and partitioned by that site. Requires `secure`. */
  readonly framed?: boolean;
}

/** The value of a cookie of the request, or null. */
export function readCookie(request: Request, name: string): string | null {
  const header = request.headers.get("cookie");
  return header ? (parse(header, name)[name] ?? null) : null;
}

/** Returns a Set-Cookie value: SameSite=Lax and HttpOnly unless the options say otherwise. */
export function cookieHeader(name: string, value: string, options: CookieOptions): string {
  return serialize(name, value, {
    path: options.path ?? "/",
    httpOnly: options.httpOnly ?? true,
    secure: options.secure,
    ...(options.framed && options.secure ? { sameSite: "None", partitioned: true } : { sameSite: "Lax" }),
    maxAge: options.maxAge,
  });
}

/** Name of the cookie that proves that a visitor entered an event's publish password. Its name and its signature are scoped to the event. */
export const eventAccessCookieName = (eventId: string) => `event-auth-${eventId}`;

/** The Set-Cookie value of the event access cookie, valid for `maxAge` seconds, also in viewers that other sites frame. */
export const formatEventAccessCookie = (
  eventId: string,
  value: string,
  maxAge: number,
  secure: boolean,
): string => cookieHeader(eventAccessCookieName(eventId), value, { maxAge, secure, framed: true });

/** Name of the cookie that stores a visitor's cart of an event's store. */
export const cartCookieName = (eventId: string) => `event-cart-${eventId}`;
/** Lifetime of the cart cookie in seconds. Stores keep carts for ten days. */
const CART_MAX_AGE = 10 * 86_400;

/** Parses the cart in its cookie; null if the cookie is missing or invalid. */
export function readCartCookie(request: Request, eventId: string): StoredCart | null {
  const handle = readCookie(request, cartCookieName(eventId));
  const [id, quantity] = [readCartId(handle), readCartCount(handle)];
  return id === null || quantity === null ? null : { id, quantity };
}

/** The Set-Cookie value that stores a cart, also in viewers that other sites frame; null removes it. */
export const cartCookie = (eventId: string, cart: StoredCart | null, secure: boolean): string =>
  cookieHeader(cartCookieName(eventId), cart ? cartHandle(cart.id, cart.quantity ?? 0) : "", {
    maxAge: cart ? CART_MAX_AGE : 0,
    secure,
    framed: true,
  });

const computeMac = (secret: string, eventId: string, passwordVersion: string, expires: number) =>
  createHmac("sha256", secret)
    .update(`event-auth\n${eventId}\n${passwordVersion}\n${expires}`)
    .digest("base64url");

/**
 * Creates the value of the event access cookie (specification §4): `expires.signature`.
 * @param passwordVersion changes with the password, so that a new password invalidates old cookies
 * @param expires epoch milliseconds
 */
export function signEventAccess(
  secret: string,
  eventId: string,
  passwordVersion: string,
  expires: number,
): string {
  return `${expires}.${computeMac(secret, eventId, passwordVersion, expires)}`;
}

/** True if a cookie was signed for this event and this password and has not expired. @param now epoch milliseconds */
export function verifyEventAccess(
  secret: string,
  eventId: string,
  passwordVersion: string,
  value: string | null,
  now: number,
): boolean {
  const [expiresText, signature] = (value ?? "").split(".");
  const expires = Number(expiresText);
  if (!signature || !Number.isSafeInteger(expires) || expires <= now) return false;
  const expectedMac = Buffer.from(computeMac(secret, eventId, passwordVersion, expires));
  const givenMac = Buffer.from(signature);
  return expectedMac.length === givenMac.length && timingSafeEqual(expectedMac, givenMac);
}
