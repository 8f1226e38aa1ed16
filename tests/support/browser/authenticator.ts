/** A software authenticator that responds as a browser does, and can create invalid responses. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { PasskeyRegistration, PasskeySignIn } from "~/domain/auth/passkey.schema";

const encode = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url");
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

type CborValue = Parameters<typeof isoCBOR.encode>[0];

export const FLAGS = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const;

/** Deviations of an assertion from a valid one. */
export interface FakeAssertion {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  readonly flags?: number;
  readonly counter?: number;
  /** Signs with another key. */
  readonly key?: KeyObject;
}

/** Deviations of a registration from a valid one. */
export interface FakeRegistration extends FakeAssertion {
  readonly attestedId?: Buffer;
  /** Another public key, as COSE or as any other bytes. */
  readonly publicKey?: Uint8Array;
  /** Format and statement of the attestation. The default is "none". */
  readonly attestation?: readonly [string, Map<string, CborValue>];
}

export type KeyKind = "ec" | "ed25519" | "rsa" | "weak-rsa" | "p384";

function createKeys(kind: KeyKind) {
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  if (kind === "rsa" || kind === "weak-rsa")
    return generateKeyPairSync("rsa", { modulusLength: kind === "rsa" ? 2048 : 1024 });
  return generateKeyPairSync("ec", { namedCurve: kind === "ec" ? "P-256" : "P-384" });
}

const cbor = (entries: readonly (readonly [number | string, CborValue])[]) =>
  Uint8Array.from(isoCBOR.encode(new Map(entries)));
const toBytes = (base64url = "") => Uint8Array.from(Buffer.from(base64url, "base64url"));

/** The COSE parameters of a public key (RFC 9053, and RFC 8230 for RSA): type, algorithm, and the curve and coordinates, or the modulus and exponent. */
function toCoseKey(publicKey: KeyObject): [number, number | Uint8Array][] {
  const { kty, crv, x, y, n, e } = publicKey.export({ format: "jwk" });
  if (kty === "RSA")
    return [
      [1, 3],
      [3, -257],
      [-1, toBytes(n)],
      [-2, toBytes(e)],
    ];
  if (kty === "OKP")
    return [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, toBytes(x)],
    ];
  const isP256 = crv === "P-256";
  return [
    [1, 2],
    [3, isP256 ? -7 : -35],
    [-1, isP256 ? 1 : 2],
    [-2, toBytes(x)],
    [-3, toBytes(y)],
  ];
}

export function softAuthenticator(origin: string, kind: KeyKind = "ec") {
  const rpId = new URL(origin).hostname;
  const { publicKey, privateKey } = createKeys(kind);
  const credentialId = randomBytes(32);
  const id = encode(credentialId);
  const defaultFlags = FLAGS.present | FLAGS.verified;

  const clientData = (type: string, challenge: string, fake: FakeAssertion) =>
    Buffer.from(
      JSON.stringify({
        type: fake.type ?? type,
        challenge,
        origin: fake.origin ?? origin,
        crossOrigin: fake.crossOrigin ?? false,
      }),
    );
  const authenticatorData = (fake: FakeAssertion, flags: number, attestedData = Buffer.alloc(0)) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(fake.counter ?? 0);
    return Buffer.concat([
      sha256(fake.rpId ?? rpId),
      Buffer.from([fake.flags ?? flags]),
      counter,
      attestedData,
    ]);
  };

  const publicKeyCose = cbor(toCoseKey(publicKey));

  return {
    id,
    /** Public key as COSE, in base64url. */
    publicKey: encode(publicKeyCose),
    /** The stored form before decision 075: SPKI in base64url. */
    spki: encode(publicKey.export({ format: "der", type: "spki" })),
    register(challenge: string, fake: FakeRegistration = {}): PasskeyRegistration {
      const attestedId = fake.attestedId ?? credentialId;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(attestedId.length);
      const attestedData = Buffer.concat([
        Buffer.alloc(16),
        length,
        attestedId,
        fake.publicKey ?? publicKeyCose,
      ]);
      const authData = Uint8Array.from(authenticatorData(fake, defaultFlags | FLAGS.attested, attestedData));
      const [format, statement] = fake.attestation ?? ["none", new Map()];
      return {
        id,
        response: {
          clientDataJSON: encode(clientData("webauthn.create", challenge, fake)),
          attestationObject: encode(
            cbor([
              ["fmt", format],
              ["attStmt", statement],
              ["authData", authData],
            ]),
          ),
          transports: ["internal"],
        },
      };
    },
    signIn(challenge: string, userHandle: string | null, fake: FakeAssertion = {}): PasskeySignIn {
      const clientJson = clientData("webauthn.get", challenge, fake);
      const data = authenticatorData(fake, defaultFlags);
      const signedBytes = Buffer.concat([data, sha256(clientJson)]);
      const signature = sign(kind === "ed25519" ? null : "sha256", signedBytes, fake.key ?? privateKey);
      return {
        id,
        response: {
          clientDataJSON: encode(clientJson),
          authenticatorData: encode(data),
          signature: encode(signature),
          userHandle,
        },
      };
    },
  };
}
