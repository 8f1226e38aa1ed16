import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** Modules of @simplewebauthn/server that verify attestations with certificates, and its modules of root certificates for them. */
const MODULES =
  /\/@simplewebauthn\/server\/esm\/(registration\/verifications\/(tpm\/)?verifyAttestation(AndroidKey|AndroidSafetyNet|Apple|FIDOU2F|TPM)|services\/defaultRootCerts\/[\w-]+)\.js$/;

/** Returns a module with the same exports: functions that reject every attestation, and empty certificates. */
export function removeAttestationCode(code: string): string {
  const exports = [...code.matchAll(/^export (async function|const) (\w+)/gm)].map(([, kind, name]) =>
    kind === "const"
      ? `export const ${name} = "";`
      : `export async function ${name}() { throw new Error("Attestations with certificates are not verified"); }`,
  );
  return exports.join("\n");
}

/** Removes from the worker the verification of attestations that functions/security/passkey-verifier.ts rejects before calling the package. */
export const removeAttestations: Plugin = {
  name: "no-attestations",
  setup({ onLoad }) {
    onLoad({ filter: MODULES }, ({ path }) => ({
      contents: removeAttestationCode(readFileSync(path, "utf8")),
    }));
  },
};
