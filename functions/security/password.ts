import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import type { PasswordHasher } from "#functions/services/auth/auth-ports";
import { NO_PASSWORD } from "~/domain/auth/no-password";

interface ScryptParams {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's scrypt set that fits a Worker's memory: 16 MiB, five lanes (Password Storage Cheat Sheet). */
const PARAMS: ScryptParams = { N: 16_384, r: 8, p: 5 };
const KEY_BYTES = 32;

/** Scrypt parameters: OWASP's, or the given N with one lane. */
const scryptParams = (cost: number | null): ScryptParams =>
  cost === null ? PARAMS : { N: cost, r: 8, p: 1 };

function derive(password: string, salt: Buffer, params: ScryptParams): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize("NFKC"),
      salt,
      KEY_BYTES,
      { ...params, maxmem: 64 * 1024 * 1024 },
      (error, key) => (error ? reject(error) : resolve(key)),
    );
  });
}

/**
 * Hashes a password. Returns `scrypt$N$r$p$salt$key`, with salt and key in base64url.
 * @param cost scrypt's N for hashes that protect no real data; null for the required cost
 */
export async function hashPassword(password: string, cost: number | null = null): Promise<string> {
  const salt = randomBytes(16);
  const params = scryptParams(cost);
  const key = await derive(password, salt, params);
  const { N, r, p } = params;
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** True if a password matches a hash made by hashPassword. A hash of another form never matches. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, N, r, p, salt, key] = hash.split("$");
  if (scheme !== "scrypt" || !salt || !key) return false;
  const expectedKey = Buffer.from(key, "base64url");
  const derivedKey = await derive(password, Buffer.from(salt, "base64url"), {
    N: Number(N),
    r: Number(r),
    p: Number(p),
  });
  return expectedKey.length === derivedKey.length && timingSafeEqual(expectedKey, derivedKey);
}

/**
 * Hashes and verifies passwords at one cost (see hashPassword). Verifying an existing hash uses the hash's own parameters. The dummy hash uses this
 * cost, so that an unknown account takes as long as a known one.
 */
export function passwordHasher(cost: number | null): PasswordHasher {
  const { N, r, p } = scryptParams(cost);
  const dummyHash = NO_PASSWORD.replace(/^scrypt\$\d+\$\d+\$\d+/, ["scrypt", N, r, p].join("$"));
  return {
    hash: (password) => hashPassword(password, cost),
    verify: (password, hash) => verifyPassword(password, hash === NO_PASSWORD ? dummyHash : hash),
    dummyHash: NO_PASSWORD,
  };
}
