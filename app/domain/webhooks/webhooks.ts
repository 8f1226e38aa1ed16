import { DAY_MS } from "../shared/day";
import type { Instant } from "../shared/model";

/** Types of messages about an event to which webhooks can subscribe. */
export const EVENT_MESSAGE_TYPES = [
  "event.published",
  "event.closed",
  "event.changed",
  "event.deleted",
  "event.restored",
] as const;
/** One of the types of messages about an event. */
export type EventMessageType = (typeof EVENT_MESSAGE_TYPES)[number];
/** Type of the message that is sent on request, to test the delivery. */
export const TEST_MESSAGE = "webhook.test";
/** The type of any message. */
export type MessageType = EventMessageType | typeof TEST_MESSAGE;

/** Whether a value is the type of a message about an event. */
export const isEventMessageType = (value: unknown): value is EventMessageType =>
  EVENT_MESSAGE_TYPES.includes(value as EventMessageType);

/** The part of a message type after the dot, which is the key of its texts. */
export type MessageName = MessageType extends `${string}.${infer Name}` ? Name : never;
/** Returns the name of a message type. */
export const messageName = (type: MessageType) => type.slice(type.indexOf(".") + 1) as MessageName;

/** Delivery states of a message. */
export const MESSAGE_STATES = ["waiting", "delivered", "failed"] as const;
/** Delivery state of a message. */
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Reasons why a webhook is disabled: its owner paused it, no delivery succeeded for days, or the endpoint responded with 410. */
export const DISABLED_REASONS = ["paused", "failing", "gone"] as const;
/** One of the reasons why a webhook is disabled. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/**
 * Outcomes of an attempt. `answer`: an error response; `redirect`: a redirect, which is not followed; `network`: no connection; `address`: the request
 * was not sent, because the host has no public IP address; `secret`: it was not sent, because the webhook's secret can no longer be read.
 */
export const OUTCOMES = [
  "delivered",
  "answer",
  "redirect",
  "timeout",
  "network",
  "address",
  "secret",
] as const;
/** One of the outcomes. */
export type DeliveryOutcome = (typeof OUTCOMES)[number];

/** One attempt to deliver a message. */
export interface DeliveryAttempt {
  readonly at: Instant;
  readonly outcome: DeliveryOutcome;
  /** HTTP status of the endpoint's response; null without a response. */
  readonly status: number | null;
  /** Milliseconds until the response, or until the timeout. */
  readonly ms: number;
  /** The start of the response's body. */
  readonly answer: string;
}

/** Delays after the first, second and further failed attempts, in seconds. After the last delay, one more attempt is made. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 28_800, 86_400] as const;
/** Timeout of a delivery, in milliseconds. */
export const SEND_TIMEOUT_MS = 10_000;
/** Maximum number of characters that are kept of a response. */
export const RESPONSE_MAX = 300;
/** Maximum number of attempts that are kept for a message. */
export const ATTEMPTS_KEPT = 10;
/** Retention of messages, in days. */
export const MESSAGE_DAYS = 30;
/** Maximum number of waiting messages per webhook. Beyond it, the oldest fail. */
export const WAITING_MAX = 1000;
/** Number of days without a successful delivery after which a webhook is disabled. */
export const FAILING_DAYS = 5;
/** Time for which messages are also signed with the previous secret, in hours. */
export const OLD_SECRET_HOURS = 24;
/** Maximum number of secrets that sign a message. Beyond it, the oldest are dropped before their time is over. */
export const SECRETS_MAX = 10;
/** The status with which an endpoint unsubscribes (Standard Webhooks, "410 Gone"). */
export const GONE_STATUS = 410;

/** Consequences of an attempt. */
export interface AfterAttempt {
  readonly state: MessageState;
  /** Time of the next attempt, in epoch milliseconds; null for none. */
  readonly nextAt: number | null;
  /** Start of the time without a successful delivery; null after a success. */
  readonly failingSince: Instant | null;
  /** Reason to disable the webhook; null if it stays enabled. */
  readonly disables: Exclude<DisabledReason, "paused"> | null;
}

/**
 * Returns the consequences of an attempt: success, another attempt after a growing delay, or failure. GONE_STATUS disables the
 * webhook at once. Otherwise it is disabled only together with a failed message, after no delivery succeeded for FAILING_DAYS, so that one bad hour in a
 * quiet month does not disable it.
 * @param attempts number of attempts for the message, including this one
 * @param failingSince value before this attempt
 * @param now epoch milliseconds
 */
export function afterAttempt(
  { outcome, status }: Pick<DeliveryAttempt, "outcome" | "status">,
  attempts: number,
  failingSince: Instant | null,
  now: number,
): AfterAttempt {
  if (outcome === "delivered")
    return { state: "delivered", nextAt: null, failingSince: null, disables: null };
  const failureStart = failingSince ?? new Date(now).toISOString();
  if (status === GONE_STATUS)
    return { state: "failed", nextAt: null, failingSince: failureStart, disables: "gone" };
  const delaySeconds = RETRY_SECONDS[attempts - 1];
  if (delaySeconds !== undefined)
    return {
      state: "waiting",
      nextAt: now + delaySeconds * 1000,
      failingSince: failureStart,
      disables: null,
    };
  const hasFailedTooLong = now - Date.parse(failureStart) >= FAILING_DAYS * DAY_MS;
  return {
    state: "failed",
    nextAt: null,
    failingSince: failureStart,
    disables: hasFailedTooLong ? "failing" : null,
  };
}

/** Statuses of a webhook. `stopped`: disabled by the app or by the endpoint. */
export const WEBHOOK_STATUSES = ["active", "failing", "paused", "stopped"] as const;
/** One of the statuses. */
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Returns the status of a webhook. */
export function webhookStatus(webhook: {
  readonly disabledWhy: DisabledReason | null;
  readonly failingSince: Instant | null;
}): WebhookStatus {
  if (webhook.disabledWhy !== null) return webhook.disabledWhy === "paused" ? "paused" : "stopped";
  return webhook.failingSince === null ? "active" : "failing";
}
