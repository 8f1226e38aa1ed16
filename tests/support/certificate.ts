/** Certificates of authorities that nobody knows, for servers of tests: X.509 v3 (RFC 5280) in DER, as much of it as they need. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => tlv(0x30, ...parts);
const bits = (bytes: Uint8Array) => tlv(0x03, Buffer.from([0]), bytes);
const TRUE = Buffer.from([0x01, 0x01, 0xff]);
/** ecdsa-with-SHA256, commonName, basicConstraints and subjectAltName. */
const OID = {
  signature: Buffer.from("06082a8648ce3d040302", "hex"),
  name: Buffer.from("0603550403", "hex"),
  constraints: Buffer.from("0603551d13", "hex"),
  hosts: Buffer.from("0603551d11", "hex"),
};
const nameOf = (text: string) => sequence(tlv(0x31, sequence(OID.name, tlv(0x0c, Buffer.from(text)))));
const utcTime = (time: Date) =>
  tlv(0x17, Buffer.from(`${time.toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
const DAY = 86_400_000;

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly name: string;
  readonly certificate: string;
  readonly key: string;
}

/**
 * Makes one for a day.
 * @param issuer who signs it; an authority signs itself
 */
export function makeCertificate(name: string, issuer?: Certificate & { readonly keys: KeyObject }) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extension = issuer
    ? sequence(OID.hosts, tlv(0x04, sequence(tlv(0x82, Buffer.from(name)))))
    : sequence(OID.constraints, TRUE, tlv(0x04, sequence(TRUE)));
  const now = Date.now();
  const body = sequence(
    tlv(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    tlv(0x02, Buffer.from([0x01]), randomBytes(8)),
    sequence(OID.signature),
    nameOf(issuer?.name ?? name),
    sequence(utcTime(new Date(now - DAY)), utcTime(new Date(now + DAY))),
    nameOf(name),
    publicKey.export({ format: "der", type: "spki" }),
    tlv(0xa3, sequence(extension)),
  );
  const signature = sign("sha256", body, issuer?.keys ?? privateKey);
  const der = sequence(body, sequence(OID.signature), bits(signature));
  const lines = der
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    name,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
    keys: privateKey,
  };
}
