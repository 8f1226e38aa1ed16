import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import {
  type FakeAssertion,
  type FakeRegistration,
  FLAGS,
  type KeyKind,
  softAuthenticator,
} from "../../tests/support/browser/authenticator";
import { passkeyVerifier } from "./passkey-verifier";

const site = { origin: "https://hiroba.test", rpId: "hiroba.test" };
const ALL = FLAGS.present | FLAGS.verified | FLAGS.attested;

describe("client data", () => {
  const challengeOf = (fake: FakeAssertion = {}) => {
    const { response } = softAuthenticator(site.origin).register("the-challenge", fake);
    return passkeyVerifier.challengeOf(response.clientDataJSON);
  };

  it("contains the challenge", async () => {
    expect(await challengeOf()).toBe("the-challenge");
  });

  it("is rejected in a frame of another site's page", async () => {
    expect(await challengeOf({ crossOrigin: true })).toBeNull();
  });

  it("is rejected if it is invalid", async () => {
    for (const text of [
      "",
      "null",
      "[]",
      "{",
      "1",
      '{"type":"webauthn.create"}',
      '{"challenge":1}',
      "\u0000",
    ])
      expect(await passkeyVerifier.challengeOf(Buffer.from(text).toString("base64url"))).toBeNull();
  });
});

/** A certificate whose revocation list is at http://10.0.0.1/crl. */
const CERTIFICATE = [
  "MIIBljCCATugAwIBAgIUTWs4Mzh4xtiJWyftxJcb2iDk+2gwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBdDAgFw0yNjExMjYwNzU1MTVaGA8y",
  "MTI2MTEwMjA3NTUxNVowDDEKMAgGA1UEAwwBdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEoKC3X/2o8LAxt0zc0tf2hRXen/22rG75UP",
  "zevC5eyeWk/xTrIG+yGipvxW8fnoxdi3EgVkamMFEqLn8CFpeR+jeTB3MB0GA1UdDgQWBBSifMbGS9/8BGjTpXgsDULNZmc0UzAfBgNVHSME",
  "GDAWgBSifMbGS9/8BGjTpXgsDULNZmc0UzAPBgNVHRMBAf8EBTADAQH/MCQGA1UdHwQdMBswGaAXoBWGE2h0dHA6Ly8xMC4wLjAuMS9jcmww",
  "CgYIKoZIzj0EAwIDSQAwRgIhAPL5FeXMGzPQ5I6koFiKrI4eRz/O/GeDMfL+hNFB3HTuAiEAqYRo/OA2HVukJhZ6i0J3y2rjjlzjadzAX10U",
  "Xq4B6q8=",
].join("");

/** Client data that is invalid for a registration and for a log-in. */
const WRONG_CLIENT_DATA = [
  ["from another origin", { origin: "https://hiroba.test.example" }],
  ["from the same host without encryption", { origin: "http://hiroba.test" }],
  ["in another ceremony", { type: "payment.get" }],
] as const;

describe("a new credential", () => {
  const check = (fake: FakeRegistration, kind?: KeyKind, challenge = "c") =>
    passkeyVerifier.registration(softAuthenticator(site.origin, kind).register("c", fake), challenge, site);

  it.each(["ec", "ed25519", "rsa"] as const)("is accepted with a key of the kind %s", async (kind) => {
    const authenticator = softAuthenticator(site.origin, kind);
    const credential = authenticator.register("c", { counter: 7 });
    const { publicKey } = authenticator;
    expect(await passkeyVerifier.registration(credential, "c", site)).toEqual({ publicKey, counter: 7 });
  });

  it.each(["p384", "weak-rsa"] as const)("is rejected with a key of the kind %s", async (kind) => {
    expect(await check({}, kind)).toBeNull();
  });

  it.each([
    ["for another host", { rpId: "other.test" }],
    ["without user presence", { flags: ALL & ~FLAGS.present }],
    ["without user verification", { flags: ALL & ~FLAGS.verified }],
    ["without a credential", { flags: ALL & ~FLAGS.attested }],
    ["backed up although it cannot be", { flags: ALL | FLAGS.backedUp }],
    ["with another id", { attestedId: Buffer.from("another") }],
    ["with an empty id", { attestedId: Buffer.alloc(0) }],
    ["with an id that is too long", { attestedId: Buffer.alloc(1024) }],
    ["with client data of a log-in", { type: "webauthn.get" }],
    ...WRONG_CLIENT_DATA,
  ] as const)("is rejected when it was made %s", async (_, fake) => {
    expect(await check(fake)).toBeNull();
  });

  it("is rejected when it answers another challenge", async () => {
    expect(await check({}, "ec", "another")).toBeNull();
  });

  it("is rejected without an exception when it is truncated or has no valid key", async () => {
    const registration = softAuthenticator(site.origin).register("c");
    const { attestationObject } = registration.response;
    for (let length = 0; length < attestationObject.length; length += 3) {
      const response = { ...registration.response, attestationObject: attestationObject.slice(0, length) };
      expect(await passkeyVerifier.registration({ ...registration, response }, "c", site)).toBeNull();
    }
    // No key, a number, a text, a list, half a map, an empty map, and a point that is not on the curve.
    const offCurve = Buffer.from(softAuthenticator(site.origin).publicKey, "base64url");
    offCurve.fill(7, offCurve.length - 8);
    for (const publicKey of ["", "00", "616b", "80", "a5", "a0", offCurve.toString("hex")])
      expect(await check({ publicKey: Buffer.from(publicKey, "hex") }), publicKey).toBeNull();
  });

  it("is rejected with certificates, and no URL that they name is fetched", async () => {
    const fetched = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("fetched"));
    const statement = new Map([["x5c", [Uint8Array.from(Buffer.from(CERTIFICATE, "base64"))]]]);
    for (const format of ["packed", "tpm", "android-key", "apple", "fido-u2f", "android-safetynet", "other"])
      expect(await check({ attestation: [format, statement] }), format).toBeNull();
    expect(await check({ attestation: ["android-safetynet", new Map()] })).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });
});

describe("a log-in", () => {
  const authenticator = softAuthenticator(site.origin);
  const stored = { publicKey: authenticator.publicKey, counter: 0 };
  const check = (fake: FakeAssertion = {}, challenge = "c", counter = 0) =>
    passkeyVerifier.signIn(authenticator.signIn("c", null, fake), challenge, { ...stored, counter }, site);

  it.each(["ec", "ed25519", "rsa"] as const)(
    "is accepted with a key of the kind %s, and with one stored as SPKI",
    async (kind) => {
      const { publicKey, spki, signIn } = softAuthenticator(site.origin, kind);
      for (const key of [publicKey, spki]) {
        const credential = signIn("c", null, { counter: 3 });
        const passkey = { publicKey: key, counter: 2 };
        expect(await passkeyVerifier.signIn(credential, "c", passkey, site)).toEqual({ counter: 3 });
      }
    },
  );

  it("is accepted with any length of the parts of its signature", async () => {
    // One signature in 128 has a part that starts with a zero byte, which DER omits.
    for (let i = 0; i < 400; i++) expect(await check()).toEqual({ counter: 0 });
  });

  it.each([
    ["for another host", { rpId: "other.test" }],
    ["without user presence", { flags: FLAGS.verified }],
    ["without user verification", { flags: FLAGS.present }],
    ["with another key", { key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
    ["with a key of another kind", { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey }],
    ["with client data of a new credential", { type: "webauthn.create" }],
    ...WRONG_CLIENT_DATA,
  ] as const)("is rejected %s", async (_, fake) => {
    expect(await check(fake)).toBeNull();
  });

  it("is rejected when it answers another challenge, or its counter does not grow", async () => {
    expect(await check({}, "another")).toBeNull();
    expect(await check({ counter: 4 }, "c", 4)).toBeNull();
    expect(await check({ counter: 3 }, "c", 4)).toBeNull();
    expect(await check({ counter: 5 }, "c", 4)).toEqual({ counter: 5 });
  });

  it("is rejected when any part of its response is from another log-in, or the stored key is invalid", async () => {
    const { id, response } = authenticator.signIn("c", null);
    const assertion = authenticator.signIn("d", null, { counter: 1 }).response;
    const verify = (change: Partial<typeof response>, publicKey = stored.publicKey) =>
      passkeyVerifier.signIn(
        { id, response: { ...response, ...change } },
        "c",
        { ...stored, publicKey },
        site,
      );
    expect(await verify({})).toEqual({ counter: 0 });
    for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const)
      expect(await verify({ [part]: assertion[part] })).toBeNull();
    for (const signature of ["AA", "MAYCAQECAQE"]) expect(await verify({ signature })).toBeNull();
    for (const publicKey of ["", "eA", "MAAA", "oA"]) expect(await verify({}, publicKey)).toBeNull();
  });
});
