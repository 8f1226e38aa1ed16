import type { Repositories } from "#functions/data/shared/repositories";
import { DAY_MS } from "~/domain/shared/day";
import { readEndpointUrl } from "~/domain/webhooks/webhook.schema";
import { ATTEMPTS_KEPT, afterAttempt, type DeliveryAttempt, MESSAGE_DAYS } from "~/domain/webhooks/webhooks";
import { type LinkDeps, sendEmail } from "../auth/mail-links";
import { bindUseCases } from "../shared/bind";
import { toInstant } from "../shared/instant";

import type { Clock, IdSource, TextSealer } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type {
  ClaimedMessage,
  DescribeEvent,
  SendToWebhookEndpoint,
  WebhookOwner,
  WebhookResponse,
} from "./webhook-ports";
import { openSecret, SECRET_PREFIX } from "./webhook-secrets";

/** Time for which a claimed message is reserved for the run that claimed it, in milliseconds. Longer than the timeout of an endpoint. */
const CLAIM_MS = 30_000;
/** Number of messages that are sent concurrently: Workers allow six simultaneous outgoing connections. */
const CONCURRENT_SENDS = 6;
/** Approximate maximum number of messages per run. Each needs four D1 queries, and D1 allows 1,000 queries per invocation. */
const MESSAGES_PER_RUN = 100;
/** Time after which a run starts no further message, in milliseconds. The next cron run continues. */
const RUN_MS = 50_000;
/** Same limit for a run after a response, where waitUntil allows 30 seconds. */
const RUN_AFTER_RESPONSE_MS = 15_000;

/** Dependencies of sending messages. */
export interface DeliveryDeps
  extends Pick<LinkDeps, "mailer" | "emailTemplate">,
    Pick<Repositories, "webhooks"> {
  readonly sendToEndpoint: SendToWebhookEndpoint;
  readonly describeEvent: DescribeEvent;
  readonly textSealer: TextSealer;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Origin of this product, without a trailing slash. */
  readonly origin: string;
  /** Whether a local host may be called as a store or a webhook endpoint; only in development. */
  readonly isAllowedLocalHost: (host: string) => boolean;
}

/**
 * Sends due messages, several at a time but only one at a time per webhook, until there are none left or a limit of the run is reached. An
 * interrupted message is sent again when its claim ends, so it may arrive twice, with the same id.
 * @param input.owner the account whose webhooks' messages are sent; null for all (at the cron trigger)
 * @returns the number of attempts
 */
export async function deliver(deps: DeliveryDeps, input: { readonly owner: WebhookOwner }): Promise<number> {
  const { owner } = input;
  const deadline = deps.clock.now() + (owner === null ? RUN_MS : RUN_AFTER_RESPONSE_MS);
  let attemptCount = 0;
  const claim = () => {
    const now = deps.clock.now();
    return now > deadline || attemptCount >= MESSAGES_PER_RUN
      ? null
      : deps.webhooks.claim(owner, toInstant(now), toInstant(now + CLAIM_MS));
  };
  const sendMessages = async (firstMessage: ClaimedMessage | null) => {
    for (let message = firstMessage; message !== null; message = await claim()) {
      await sendMessage(deps, message);
      attemptCount++;
    }
  };
  // Usually there is no message, so the first query decides whether more are needed.
  const firstMessage = await claim();
  if (firstMessage === null) return 0;
  const workers = Array.from({ length: CONCURRENT_SENDS - 1 }, async () => sendMessages(await claim()));
  const failure = (await Promise.allSettled([sendMessages(firstMessage), ...workers])).find(
    (outcome) => outcome.status === "rejected",
  );
  if (failure) throw failure.reason;
  return attemptCount;
}

async function sendMessage(deps: DeliveryDeps, message: ClaimedMessage): Promise<void> {
  const body = message.body ?? (await createBody(deps, message));
  const startedAt = deps.clock.now();
  const result = await send(deps, message, body, startedAt);
  const now = deps.clock.now();
  const attempt: DeliveryAttempt = { at: toInstant(startedAt), ms: now - startedAt, ...result };
  const nextState = afterAttempt(attempt, message.attempts, message.failingSince, now);
  // Only if this attempt disables the webhook, the audit entry is written and the webhook's owner is returned.
  const ownerOfDisabled = await deps.webhooks.settle(
    message,
    {
      ...nextState,
      nextAt: nextState.nextAt === null ? null : toInstant(nextState.nextAt),
      log: [...message.log, attempt].slice(-ATTEMPTS_KEPT),
      at: toInstant(now),
    },
    auditEntry(deps, null, "webhook_stopped", "user", message.userId, { webhook: message.webhookId }),
  );
  if (ownerOfDisabled === null) return;
  const link = `${deps.origin}/account/webhooks/${message.webhookId}`;
  const name = new URL(message.url).host;
  await sendEmail(deps, ownerOfDisabled.email, "webhookStopped", {
    user: ownerOfDisabled,
    link,
    expiresAt: null,
    name,
  });
}

/** Returns a message's body. It is created at the first attempt, from the event at that time, and stays unchanged afterwards. */
async function createBody(deps: DeliveryDeps, { id, eventId, type, at }: ClaimedMessage): Promise<string> {
  const event = eventId === null ? null : await deps.webhooks.findEvent(eventId);
  const eventJson = event ? deps.describeEvent(event, deps.clock.now()) : { uuid: eventId };
  const data = eventId === null ? {} : { event: eventJson };
  const body = JSON.stringify({ type, timestamp: at, data });
  await deps.webhooks.writeBody(id, body);
  return body;
}

/** Sends a message. The outcome is "address" if its URL may no longer be called, and "secret" if no secret can be decrypted. */
async function send(
  deps: DeliveryDeps,
  message: ClaimedMessage,
  body: string,
  now: number,
): Promise<WebhookResponse> {
  if ("error" in readEndpointUrl(message.url, deps.isAllowedLocalHost))
    return { outcome: "address", status: null, answer: "" };
  const secrets = message.secrets.flatMap(
    (sealed) => openSecret(deps.textSealer, message.webhookId, sealed, now) ?? [],
  );
  if (secrets.length === 0) return { outcome: "secret", status: null, answer: "" };
  const id = `msg_${message.id}`;
  const timestamp = String(Math.floor(now / 1000));
  const signatures = await Promise.all(secrets.map((secret) => signMessage(secret, id, timestamp, body)));
  return deps.sendToEndpoint(
    message.url,
    { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") },
    body,
  );
}

const encoder = new TextEncoder();
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * A signature of the Standard Webhooks specification, "v1,…": HMAC-SHA256 over `id.timestamp.body`.
 * @param secret SECRET_PREFIX and base64
 * @param timestamp seconds since 1970
 */
export async function signMessage(
  secret: string,
  id: string,
  timestamp: string,
  body: string,
): Promise<string> {
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret.slice(SECRET_PREFIX.length)),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
  const mac = new Uint8Array(
    await crypto.subtle.sign("HMAC", key, encoder.encode(`${id}.${timestamp}.${body}`)),
  );
  return `v1,${btoa(String.fromCharCode(...mac))}`;
}

/** Sends all due messages; for the cron trigger. */
export const deliverDue = (deps: DeliveryDeps): Promise<number> => deliver(deps, { owner: null });

/** Deletes messages after MESSAGE_DAYS; for the cron trigger. Returns their number. */
export const deleteExpiredMessages = (deps: Pick<DeliveryDeps, "webhooks" | "clock">): Promise<number> =>
  deps.webhooks.deleteOld(toInstant(deps.clock.now() - MESSAGE_DAYS * DAY_MS));

/** Use cases in `context.services.webhooks`. */
export const deliveryServices = (deps: DeliveryDeps) =>
  bindUseCases(deps, { deliverDue, deleteExpiredMessages });
