import { randomBytes, randomUUID } from "node:crypto";
import type { IdSource } from "#functions/services/shared/ports";
import { makeSid, SID_RANDOM_BYTES } from "~/domain/spaces/sid";

/** Unpredictable values from the platform's generator. */
export const idSource: IdSource = {
  uuid: () => randomUUID(),
  token: () => randomBytes(32).toString("base64url"),
  sid: () => makeSid(randomBytes(SID_RANDOM_BYTES)),
};

/** A nonce of 128 bits in base64: always 24 characters, so that it can be written into a prepared page. */
export const makeNonce = (): string => randomBytes(16).toString("base64");
/** Number of characters of a nonce. */
export const NONCE_LENGTH = 24;
