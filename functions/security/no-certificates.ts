/**
 * Stands in for @peculiar/x509 in the worker (scripts/lib/build.ts). @simplewebauthn/server uses it only for attestations with certificates,
 * which webauthn.ts rejects before the package sees them.
 */
class Certificate {
  constructor() {
    throw new Error("Attestations with certificates are not verified");
  }
}

export {
  Certificate as AuthorityKeyIdentifierExtension,
  Certificate as CRLDistributionPointsExtension,
  Certificate as SubjectKeyIdentifierExtension,
  Certificate as X509Certificate,
  Certificate as X509ChainBuilder,
  Certificate as X509Crl,
};
