import { DAY_MS } from "../shared/day";
import type { Instant } from "../shared/model";

/** What receivers can be told about an event. */
export const EVENT_MESSAGES = [
  "event.published",
  "event.closed",
  "event.changed",
  "event.deleted",
  "event.restored",
] as const;
/** One of them. */
export type EventMessage = (typeof EVENT_MESSAGES)[number];
/** What is sent on request, to see whether it arrives. */
export const TEST_MESSAGE = "webhook.test";
/** The type of a message. */
export type MessageType = EventMessage | typeof TEST_MESSAGE;

/** Whether a value is the type of a message about an event. */
export const isEventMessage = (value: unknown): value is EventMessage =>
  EVENT_MESSAGES.includes(value as EventMessage);

/** What a message is about: the part of its type behind the dot, under which its words are kept. */
export type MessageName = MessageType extends `${string}.${infer Name}` ? Name : never;
/** The name of a type. */
export const messageName = (type: MessageType) => type.slice(type.indexOf(".") + 1) as MessageName;

/** How a message may stand. */
export const MESSAGE_STATES = ["waiting", "delivered", "failed"] as const;
/** How a message stands. */
export type MessageState = (typeof MESSAGE_STATES)[number];

/** Why a webhook is sent nothing: its owner has paused it, nothing has arrived for days, or the receiver said to stop (410). */
export const DISABLED_WHY = ["paused", "failing", "gone"] as const;
/** One of these reasons. */
export type DisabledWhy = (typeof DISABLED_WHY)[number];

/**
 * What became of one attempt: `answer` is one that says no, `redirect` one that is not followed; for `secret` nothing was sent, as the
 * webhook's secret can be read no more.
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
/** One of them. */
export type Outcome = (typeof OUTCOMES)[number];

/** One attempt to deliver a message. */
export interface Attempt {
  readonly at: Instant;
  readonly outcome: Outcome;
  /** Of the receiver's answer; null when there was none. */
  readonly status: number | null;
  /** Milliseconds until the answer, or until it was waited for no longer. */
  readonly ms: number;
  /** The beginning of the answer's body. */
  readonly answer: string;
}

/** How long after each failed attempt the next one follows, in seconds; after the last one there is none. */
export const RETRY_SECONDS = [60, 300, 1800, 7200, 28_800, 86_400] as const;
/** How long a receiver may take, in milliseconds. */
export const SEND_TIMEOUT_MS = 10_000;
/** Characters that are kept of an answer. */
export const ANSWER_MAX = 300;
/** Attempts that are kept of a message. */
export const ATTEMPTS_KEPT = 10;
/** How long messages are kept, in days. */
export const MESSAGE_DAYS = 30;
/** Messages that may wait for one receiver: beyond them the oldest are given up. */
export const WAITING_MAX = 1000;
/** After so many days in which nothing has arrived a webhook is sent no more. */
export const FAILING_DAYS = 5;
/** How long messages are signed with the secret before as well, in hours. */
export const OLD_SECRET_HOURS = 24;
/** Secrets that a message is signed with at most: beyond them the oldest are given up before their day is over. */
export const SECRETS_MAX = 10;
/** The status with which a receiver asks to be sent nothing more (Standard Webhooks, "410 Gone"). */
export const GONE_STATUS = 410;

/** What follows from an attempt. */
export interface AfterAttempt {
  readonly state: MessageState;
  /** When the message is to be sent again; null: it is not. */
  readonly nextAt: number | null;
  /** Since when nothing has arrived at the webhook, as an instant; null when something just did. */
  readonly failingSince: Instant | null;
  /** Why the webhook is to be sent nothing more; null: it goes on. */
  readonly disables: Exclude<DisabledWhy, "paused"> | null;
}

/**
 * What follows from an attempt: done, another one after a while that grows, or giving up. A webhook is given up with a message, when
 * nothing has arrived for FAILING_DAYS: one bad hour in a quiet month ends nothing.
 * @param attempts how often the message was sent, this time included
 * @param failingSince as it was before
 * @param now epoch milliseconds
 */
export function afterAttempt(
  { outcome, status }: Pick<Attempt, "outcome" | "status">,
  attempts: number,
  failingSince: Instant | null,
  now: number,
): AfterAttempt {
  if (outcome === "delivered")
    return { state: "delivered", nextAt: null, failingSince: null, disables: null };
  const since = failingSince ?? new Date(now).toISOString();
  if (status === GONE_STATUS) return { state: "failed", nextAt: null, failingSince: since, disables: "gone" };
  const wait = RETRY_SECONDS[attempts - 1];
  if (wait !== undefined)
    return { state: "waiting", nextAt: now + wait * 1000, failingSince: since, disables: null };
  const isOver = now - Date.parse(since) >= FAILING_DAYS * DAY_MS;
  return { state: "failed", nextAt: null, failingSince: since, disables: isOver ? "failing" : null };
}

/** How a webhook may stand: `stopped` is what we, or the receiver, have done. */
export const WEBHOOK_STATUSES = ["active", "failing", "paused", "stopped"] as const;
/** One of them. */
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** How a webhook stands. */
export function webhookStatus(webhook: {
  readonly disabledWhy: DisabledWhy | null;
  readonly failingSince: Instant | null;
}): WebhookStatus {
  if (webhook.disabledWhy !== null) return webhook.disabledWhy === "paused" ? "paused" : "stopped";
  return webhook.failingSince === null ? "active" : "failing";
}
