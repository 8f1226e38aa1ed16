/** Sealed (encrypted) signing secrets of webhooks. The database alone is not sufficient to read them. */
import type { Uuid } from "~/domain/shared/model";

import type { IdSource, TextSealer } from "../shared/ports";

/** Prefix of unsealed secrets (Standard Webhooks). */
export const SECRET_PREFIX = "whsec_";
/** Expiry time of sealed secrets. It is so late that they never expire. */
const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;

const purpose = (webhookId: Uuid) => `webhook secret\n${webhookId}`;

/** Creates a signing secret in the format of Standard Webhooks: 256 random bits in base64. */
export const newSecret = (ids: IdSource): string =>
  `${SECRET_PREFIX}${ids.token().replaceAll("-", "+").replaceAll("_", "/").padEnd(44, "=")}`;

/** Seals a webhook's secret for storing. */
export const sealSecret = (sealer: TextSealer, webhookId: Uuid, secret: string): string =>
  sealer.seal(purpose(webhookId), secret, NEVER_EXPIRES);

/** Opens a sealed secret; null if it is damaged, or the deployment has another key now. A secret that was stored without sealing is returned as it is. */
export const openSecret = (
  sealer: TextSealer,
  webhookId: Uuid,
  stored: string,
  now: number,
): string | null =>
  stored.startsWith(SECRET_PREFIX) ? stored : sealer.open(purpose(webhookId), stored, now);
