/** The secrets with which messages are signed: in the database only this installation can read them. */
import type { Uuid } from "~/domain/shared/model";

import type { IdSource, TextSealer } from "../shared/ports";

/** Prefix of unsealed secrets (Standard Webhooks). */
export const SECRET_PREFIX = "whsec_";
/** Secrets are good until they are given up, and not until a day. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

const purpose = (webhookId: Uuid) => `webhook secret\n${webhookId}`;

/** A signing secret as Standard Webhooks writes it: 256 random bits in base64. */
export const newSecret = (ids: IdSource): string =>
  `${SECRET_PREFIX}${ids.token().replaceAll("-", "+").replaceAll("_", "/").padEnd(44, "=")}`;

/** A webhook's secret as it is kept. */
export const sealSecret = (sealer: TextSealer, webhookId: Uuid, secret: string): string =>
  sealer.seal(purpose(webhookId), secret, ALWAYS);

/** The secret again; null where the installation has another key by now. One that was kept before secrets were locked is as it is. */
export const openSecret = (
  sealer: TextSealer,
  webhookId: Uuid,
  stored: string,
  now: number,
): string | null =>
  stored.startsWith(SECRET_PREFIX) ? stored : sealer.open(purpose(webhookId), stored, now);
