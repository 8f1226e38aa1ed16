import { createPublicKey } from "node:crypto";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import {
  cose,
  decodeAttestationObject,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  isoCBOR,
  verifySignature,
} from "@simplewebauthn/server/helpers";
import type { PasskeyVerifier } from "#functions/services/auth/auth-ports";
import { PASSKEY_ALGORITHMS } from "~/domain/auth/passkey.schema";

/*
 * The server's half of WebAuthn (Level 3, §7.1 and §7.2), with @simplewebauthn/server. The package is a quarter of a megabyte, so this
 * module is loaded at the first ceremony of an isolate (decisions 075 and 076).
 */

/** Bytes of an RSA modulus of 2048 bits. */
const RSA_BYTES_MIN = 256;
/** Signatures for testing a key: the shortest DER signature for ES256 and RSA, and one for Ed25519. workerd rejects other forms for Ed25519. */
const TRIAL_SIGNATURE = Uint8Array.of(0x30, 6, 2, 1, 1, 2, 1, 1);
const TRIAL_ED25519 = new Uint8Array(64);
/** The first byte of a key in SPKI (DER). COSE keys are CBOR maps, which begin with 0xa0 to 0xbf. */
const DER_SEQUENCE = 0x30;

const decode = (base64url: string) => Uint8Array.from(Buffer.from(base64url, "base64url"));
const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

/** The result of a verification, or null when the package throws, as it does for many invalid responses. */
const resultOrNull = <T>(verify: () => Promise<T>): Promise<T | null> => verify().catch(() => null);

/** Converts a credential to the package's type. Ours has only some of its fields. */
const credentialOf = <T>(id: string, response: T) =>
  ({ id, rawId: id, type: "public-key", clientExtensionResults: {}, response }) as const;

/**
 * Returns true for an attestation without certificates: "none", or "packed" with the credential's own key (WebAuthn §8.2). For certificates, the
 * package would fetch revocation lists from URLs that the caller chooses.
 */
async function isWithoutCertificates(attestationObject: string): Promise<boolean> {
  const attestation = decodeAttestationObject(decode(attestationObject));
  const format = attestation.get("fmt");
  return format === "none" || (format === "packed" && attestation.get("attStmt").get("x5c") === undefined);
}

/** Returns true for a COSE key that is long enough. @throws for an invalid key, which the package would only find at the first log-in */
async function isUsableKey(credentialPublicKey: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const key = decodeCredentialPublicKey(credentialPublicKey);
  const signature = cose.isCOSEPublicKeyOKP(key) ? TRIAL_ED25519 : TRIAL_SIGNATURE;
  await verifySignature({ credentialPublicKey, data: new Uint8Array(1), signature });
  return !cose.isCOSEPublicKeyRSA(key) || (key.get(cose.COSEKEYS.n)?.length ?? 0) >= RSA_BYTES_MIN;
}

/** Converts a stored key to COSE. Keys that were stored before decision 075 are SPKI. */
async function coseKey(storedKey: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = decode(storedKey);
  if (bytes[0] !== DER_SEQUENCE) return bytes;
  const spki = { key: Buffer.from(bytes), format: "der", type: "spki" } as const;
  const { kty, x = "", y = "", n = "", e = "" } = createPublicKey(spki).export({ format: "jwk" });
  // Labels of RFC 9052 §7 and RFC 9053 §7: 1 is the key type, 3 the algorithm; -1, -2 and -3 are curve, x and y, or n and e of RSA.
  const entries: [number, number | Uint8Array][] =
    kty === "EC"
      ? [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, decode(x)],
          [-3, decode(y)],
        ]
      : kty === "OKP"
        ? [
            [1, 1],
            [3, -8],
            [-1, 6],
            [-2, decode(x)],
          ]
        : [
            [1, 3],
            [3, -257],
            [-1, decode(n)],
            [-2, decode(e)],
          ];
  return Uint8Array.from(isoCBOR.encode(new Map(entries)));
}

/** Verifies the responses of browsers to passkey requests. */
export const passkeyVerifier: PasskeyVerifier = {
  async challengeOf(clientDataJson) {
    return resultOrNull(async () => {
      const { challenge, crossOrigin } = decodeClientDataJSON(clientDataJson);
      return typeof challenge === "string" && crossOrigin !== true ? challenge : null;
    });
  },

  async registration({ id, response }, challenge, site) {
    return resultOrNull(async () => {
      if (!(await isWithoutCertificates(response.attestationObject))) return null;
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: credentialOf(id, { ...response, transports: [] }),
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
      });
      if (!verified) return null;
      const { credential } = registrationInfo;
      if (credential.id !== id || !(await isUsableKey(credential.publicKey))) return null;
      return { publicKey: encode(credential.publicKey), counter: credential.counter };
    });
  },

  async signIn({ id, response }, challenge, passkey, site) {
    return resultOrNull(async () => {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: credentialOf(id, { ...response, userHandle: response.userHandle ?? undefined }),
        expectedChallenge: challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.rpId,
        credential: { id, publicKey: await coseKey(passkey.publicKey), counter: passkey.counter },
      });
      return verified ? { counter: authenticationInfo.newCounter } : null;
    });
  },
};
