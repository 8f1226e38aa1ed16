import { createHash, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import type { PasskeyVerifier } from "#functions/services/ports";

/*
 * The server's half of WebAuthn (Level 3, §7.1 and §7.2) for what this product asks for: no attestation, a verified user.
 * The browser hands keys over as SPKI (§5.2.1.1), so there is neither CBOR nor COSE to read here (decision 012).
 */

const RP_HASH_BYTES = 32;
const COUNTER_AT = 33;
const CREDENTIAL_LENGTH_AT = 53;
const CREDENTIAL_ID_MAX = 1023;
const RSA_BITS_MIN = 2048;

const FLAG = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 } as const;

const decode = (base64url: string) => Buffer.from(base64url, "base64url");

interface AuthenticatorData {
  readonly flags: number;
  readonly counter: number;
  readonly bytes: Buffer;
}

/** Authenticator data (§6.1) of this site, of somebody who was there and proved it; null for any other. */
function readAuthenticatorData(base64url: string, rpId: string): AuthenticatorData | null {
  const bytes = decode(base64url);
  if (bytes.length < COUNTER_AT + 4) return null;
  const rpHash = createHash("sha256").update(rpId).digest();
  if (!timingSafeEqual(bytes.subarray(0, RP_HASH_BYTES), rpHash)) return null;
  const flags = bytes.readUInt8(RP_HASH_BYTES);
  const asked = FLAG.present | FLAG.verified;
  if ((flags & asked) !== asked) return null;
  if (flags & FLAG.backedUp && !(flags & FLAG.backupEligible)) return null;
  return { flags, counter: bytes.readUInt32BE(COUNTER_AT), bytes };
}

/** The credential's id in attested credential data (§6.5.1), or null. */
function attestedId({ flags, bytes }: AuthenticatorData): Buffer | null {
  if (!(flags & FLAG.attested) || bytes.length < CREDENTIAL_LENGTH_AT + 2) return null;
  const length = bytes.readUInt16BE(CREDENTIAL_LENGTH_AT);
  const start = CREDENTIAL_LENGTH_AT + 2;
  if (length === 0 || length > CREDENTIAL_ID_MAX || bytes.length < start + length) return null;
  return bytes.subarray(start, start + length);
}

/** The challenge that the browser's client data (§5.8.1) answers, when it is of this site, in its own window; else null. */
function challengeOf(clientData: Buffer, type: string, origin: string): string | null {
  let data: Record<string, unknown>;
  try {
    const parsed: unknown = JSON.parse(clientData.toString("utf8"));
    if (typeof parsed !== "object" || parsed === null) return null;
    data = parsed as Record<string, unknown>;
  } catch {
    return null;
  }
  if (data.type !== type || data.origin !== origin || data.crossOrigin === true) return null;
  return typeof data.challenge === "string" ? data.challenge : null;
}

/** A public key of a kind that was asked for: P-256, Ed25519, or RSA that is long enough; null for any other. */
function readKey(spki: string): KeyObject | null {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: decode(spki), format: "der", type: "spki" });
  } catch {
    return null;
  }
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  const known =
    (key.asymmetricKeyType === "ec" && namedCurve === "prime256v1") ||
    key.asymmetricKeyType === "ed25519" ||
    (key.asymmetricKeyType === "rsa" && modulusLength >= RSA_BITS_MIN);
  return known ? key : null;
}

function isSigned(key: KeyObject, data: Buffer, signature: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === "ed25519" ? null : "sha256", data, key, signature);
  } catch {
    return false;
  }
}

/** Verifies what browsers answer for passkeys. */
export const passkeyVerifier: PasskeyVerifier = {
  challengeOf(clientDataJson, ceremony, site) {
    return challengeOf(decode(clientDataJson), `webauthn.${ceremony}`, site.origin);
  },

  registration({ id, response }, site) {
    const data = readAuthenticatorData(response.authenticatorData, site.rpId);
    const attested = data && attestedId(data);
    if (!data || !attested?.equals(decode(id)) || !readKey(response.publicKey)) return null;
    return { counter: data.counter };
  },

  signIn({ response }, publicKey, site) {
    const data = readAuthenticatorData(response.authenticatorData, site.rpId);
    const key = data && readKey(publicKey);
    if (!data || !key) return null;
    const clientHash = createHash("sha256").update(decode(response.clientDataJSON)).digest();
    const signed = isSigned(key, Buffer.concat([data.bytes, clientHash]), decode(response.signature));
    return signed ? { counter: data.counter } : null;
  },
};
