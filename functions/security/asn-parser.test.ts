import { createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AsnParser, ECDSASigValue, X509Certificate } from "./asn-parser";

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const publicKey = createPublicKey(privateKey);

/** Both integers as 32 bytes each, as WebCrypto expects them. */
const fixedLength = (integers: readonly Uint8Array[]) =>
  Buffer.concat(integers.map((integer) => Buffer.concat([Buffer.alloc(32), integer]).subarray(-32)));

describe("an ECDSA signature", () => {
  it("is read as its two integers", () => {
    for (let i = 0; i < 500; i++) {
      const data = Buffer.from(`${i}`);
      const { r, s } = AsnParser.parse(sign("sha256", data, privateKey), ECDSASigValue);
      const signature = fixedLength([r, s]);
      expect(verify("sha256", data, { key: publicKey, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
    }
  });

  it("is rejected when a byte is missing, added or not DER", () => {
    const signature = sign("sha256", Buffer.from("a"), privateKey);
    const parse = (bytes: Uint8Array) => () => AsnParser.parse(bytes, ECDSASigValue);
    for (let length = 0; length < signature.length; length++)
      expect(parse(signature.subarray(0, length))).toThrow();
    expect(parse(Buffer.concat([signature, Buffer.alloc(1)]))).toThrow();
    for (const index of [0, 1, 2, 3])
      expect(parse(signature.with(index, (signature[index] ?? 0) ^ 1))).toThrow();
  });

  it("throws or returns integers for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          const { r, s } = AsnParser.parse(bytes, ECDSASigValue);
          expect(r.length + s.length + 6).toBe(bytes.length);
        } catch (error) {
          expect((error as Error).message).toBe("This is not an ECDSA signature in DER");
        }
      }),
    );
  });
});

it("reads no certificates", () => {
  expect(() => AsnParser.parse(new Uint8Array(), X509Certificate)).toThrow(/certificates are not verified/);
});
