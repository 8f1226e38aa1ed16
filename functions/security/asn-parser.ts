/**
 * Replaces the ASN.1 packages of @simplewebauthn/server in the worker (scripts/lib/build/build.ts), which have 136 KB. That package uses them to read ECDSA
 * signatures, and attestations with certificates, which passkey-verifier.ts rejects before.
 */

/** Replaces everything that @simplewebauthn/server imports from the ASN.1 packages, except AsnParser and ECDSASigValue. Its constructor throws. */
class Certificate {
  constructor() {
    throw new Error("Attestations with certificates are not verified");
  }
}

/** Identifies the schema of an ECDSA signature (RFC 3279, §2.2.3) in calls of AsnParser. */
class ECDSASigValue {}

const SEQUENCE = 0x30;
const INTEGER = 0x02;

/**
 * Reads the two integers of an ECDSA signature in DER. A signature with a key on P-256, which WebAuthn requires for ES256 (§5.8.5), is shorter
 * than 128 bytes, so each length is one byte.
 * @throws for other bytes
 */
function readEcdsaSignature(bytes: Uint8Array): { readonly r: Uint8Array; readonly s: Uint8Array } {
  const sAt = 4 + (bytes[3] ?? 0);
  const end = sAt + 2 + (bytes[sAt + 1] ?? 0);
  const isSignature =
    bytes[0] === SEQUENCE && bytes[2] === INTEGER && bytes[sAt] === INTEGER && bytes[1] === end - 2;
  if (!isSignature || end !== bytes.length || bytes.length >= 130)
    throw new Error("This is not an ECDSA signature in DER");
  return { r: bytes.slice(4, sAt), s: bytes.slice(sAt + 2, end) };
}

/** Reads ECDSA signatures only. */
export const AsnParser = {
  /** @throws for other schemas than that of ECDSA signatures, and for invalid bytes */
  parse(bytes: Uint8Array, schema: unknown): ReturnType<typeof readEcdsaSignature> {
    return schema === ECDSASigValue
      ? readEcdsaSignature(bytes)
      : (new (schema as typeof Certificate)() as never);
  },
};

export {
  Certificate,
  Certificate as AuthorityKeyIdentifierExtension,
  Certificate as BasicConstraints,
  Certificate as CRLDistributionPointsExtension,
  Certificate as ECParameters,
  Certificate as ExtendedKeyUsage,
  Certificate as id_ce_basicConstraints,
  Certificate as id_ce_extKeyUsage,
  Certificate as id_ce_keyDescription,
  Certificate as id_ce_subjectAltName,
  Certificate as id_ecPublicKey,
  Certificate as id_rsaEncryption,
  Certificate as id_secp256r1,
  Certificate as id_secp384r1,
  Certificate as KeyDescription,
  Certificate as OctetString,
  Certificate as RSAPublicKey,
  Certificate as SubjectAlternativeName,
  Certificate as SubjectKeyIdentifierExtension,
  Certificate as X509Certificate,
  Certificate as X509ChainBuilder,
  Certificate as X509Crl,
  ECDSASigValue,
};
