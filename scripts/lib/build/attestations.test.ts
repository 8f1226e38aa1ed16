import { expect, it } from "vitest";
import { removeAttestationCode } from "./attestations";

it("a module keeps its exports, but its functions reject every attestation and its certificates are empty", async () => {
  const code = removeAttestationCode(
    "const a = 1;\nexport async function verifyAttestationApple(options) {\n  return true;\n}\nexport const ROOT = `---`;\n",
  );
  const module = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  await expect(module.verifyAttestationApple({})).rejects.toThrow("not verified");
  expect(module.ROOT).toBe("");
});
