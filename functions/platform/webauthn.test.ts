import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { FLAGS, type KeyKind, type Lie, softAuthenticator } from "../../tests/support/authenticator";
import { passkeyVerifier } from "./webauthn";

const site = { origin: "https://hiroba.test", rpId: "hiroba.test" };
const ALL = FLAGS.present | FLAGS.verified | FLAGS.attested;

describe("client data", () => {
  const challengeOf = (ceremony: "create" | "get", lie: Lie = {}) => {
    const { response } = softAuthenticator(site.origin).register("the-challenge", lie);
    return passkeyVerifier.challengeOf(response.clientDataJSON, ceremony, site);
  };

  it("names its challenge when it is of this site and ceremony", () => {
    expect(challengeOf("create")).toBe("the-challenge");
  });

  it.each([
    ["another ceremony", "get", {}],
    ["another origin", "create", { origin: "https://hiroba.test.example" }],
    ["the same host without encryption", "create", { origin: "http://hiroba.test" }],
    ["a frame in another site", "create", { crossOrigin: true }],
  ] as const)("names none of %s", (_, ceremony, lie) => {
    expect(challengeOf(ceremony, lie)).toBeNull();
  });

  it("names none when it is no client data", () => {
    for (const text of ["", "null", "[]", "{", "1", '{"type":"webauthn.create"}', "\u0000"])
      expect(passkeyVerifier.challengeOf(Buffer.from(text).toString("base64url"), "create", site)).toBeNull();
  });
});

describe("a new credential", () => {
  const check = (lie: Parameters<ReturnType<typeof softAuthenticator>["register"]>[1], kind?: KeyKind) =>
    passkeyVerifier.registration(softAuthenticator(site.origin, kind).register("c", lie), site);

  it.each(["ec", "ed25519", "rsa"] as const)("is taken with a key of the kind %s", (kind) => {
    expect(check({ counter: 7 }, kind)).toEqual({ counter: 7 });
  });

  it.each(["p384", "weak-rsa"] as const)("is refused with a key of the kind %s", (kind) => {
    expect(check({}, kind)).toBeNull();
  });

  it.each([
    ["for another host", { rpId: "other.test" }],
    ["without a person", { flags: ALL & ~FLAGS.present }],
    ["without a person who proved who it is", { flags: ALL & ~FLAGS.verified }],
    ["without a credential", { flags: ALL & ~FLAGS.attested }],
    ["backed up although it cannot be", { flags: ALL | FLAGS.backedUp }],
    ["of another id", { attestedId: Buffer.from("another") }],
    ["of an empty id", { attestedId: Buffer.alloc(0) }],
    ["of an id that is too long", { attestedId: Buffer.alloc(1024) }],
  ] as const)("is refused when it was made %s", (_, lie) => {
    expect(check(lie)).toBeNull();
  });

  it("is refused, and never an error, when it is cut off or no key", () => {
    const whole = softAuthenticator(site.origin).register("c");
    const { authenticatorData } = whole.response;
    for (let length = 0; length < 90; length += 3)
      expect(
        passkeyVerifier.registration(
          {
            ...whole,
            response: { ...whole.response, authenticatorData: authenticatorData.slice(0, length) },
          },
          site,
        ),
      ).toBeNull();
    for (const publicKey of ["", "AAAA", authenticatorData])
      expect(
        passkeyVerifier.registration({ ...whole, response: { ...whole.response, publicKey } }, site),
      ).toBeNull();
  });
});

describe("a log-in", () => {
  const authenticator = softAuthenticator(site.origin);
  const check = (lie: Lie = {}) =>
    passkeyVerifier.signIn(authenticator.signIn("c", null, lie), authenticator.publicKey, site);

  it.each(["ec", "ed25519", "rsa"] as const)("is right with a key of the kind %s", (kind) => {
    const other = softAuthenticator(site.origin, kind);
    expect(passkeyVerifier.signIn(other.signIn("c", null, { counter: 3 }), other.publicKey, site)).toEqual({
      counter: 3,
    });
  });

  it("is right however short the parts of its signature are", () => {
    // One in 128 has a part that starts with a zero byte, which DER leaves out.
    for (let i = 0; i < 400; i++) expect(check()).toEqual({ counter: 0 });
  });

  it.each([
    ["for another host", { rpId: "other.test" }],
    ["without a person", { flags: FLAGS.verified }],
    ["without a person who proved who it is", { flags: FLAGS.present }],
    ["with another key", { key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
    ["with a key of another kind", { key: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey }],
  ] as const)("is wrong %s", (_, lie) => {
    expect(check(lie)).toBeNull();
  });

  it("is wrong when anything that was signed is changed", () => {
    const { id, response } = authenticator.signIn("c", null);
    const other = authenticator.signIn("d", null, { counter: 1 }).response;
    for (const part of ["clientDataJSON", "authenticatorData", "signature"] as const)
      expect(
        passkeyVerifier.signIn(
          { id, response: { ...response, [part]: other[part] } },
          authenticator.publicKey,
          site,
        ),
      ).toBeNull();
    expect(
      passkeyVerifier.signIn(
        { id, response: { ...response, signature: "AA" } },
        authenticator.publicKey,
        site,
      ),
    ).toBeNull();
  });
});
