import type { Event, Instant, Localized, Uuid } from "~/domain/shared/model";
import type { WebhookTarget, WebhookValue } from "~/domain/webhooks/webhook.schema";
import type {
  DeliveryAttempt,
  DeliveryOutcome,
  DisabledReason,
  EventMessageType,
  MessageState,
  MessageType,
} from "~/domain/webhooks/webhooks";

/** A webhook in its owner's list, without its secret. */
export interface Webhook {
  readonly id: Uuid;
  readonly url: string;
  readonly types: readonly EventMessageType[];
  readonly target: WebhookTarget;
  /** Name of the space or event; null for all. */
  readonly targetName: string | Localized | null;
  readonly createdAt: Instant;
  readonly version: number;
  readonly disabledAt: Instant | null;
  readonly disabledWhy: DisabledReason | null;
  readonly failingSince: Instant | null;
  /** Time until which messages are also signed with the previous secret. */
  readonly previousUntil: Instant | null;
}

/** A webhook to add. */
export interface NewWebhook extends WebhookValue {
  readonly id: Uuid;
  readonly userId: Uuid;
  /** Sealed (encrypted): see webhook-secrets. */
  readonly secret: string;
  readonly createdAt: Instant;
}

/** A message in the log of its webhook. */
export interface WebhookMessage {
  readonly id: Uuid;
  readonly type: MessageType;
  /** Time of the occurrence that it reports. */
  readonly at: Instant;
  readonly state: MessageState;
  /** The event's current name; null for a test, and for an event that was deleted permanently. */
  readonly eventName: Localized | null;
  /** Time of the next attempt, if the message waits. */
  readonly nextAt: Instant;
  readonly log: readonly DeliveryAttempt[];
}

/** A message that is due, claimed by one caller until the claim ends. */
export interface ClaimedMessage {
  readonly id: Uuid;
  readonly webhookId: Uuid;
  /** Owner of the webhook. */
  readonly userId: Uuid;
  readonly eventId: Uuid | null;
  readonly type: MessageType;
  readonly at: Instant;
  /** Null at the first attempt, which creates it. */
  readonly body: string | null;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly claimedUntil: Instant;
  readonly log: readonly DeliveryAttempt[];
  readonly url: string;
  /** The sealed secrets with which the message is signed. */
  readonly secrets: readonly string[];
  readonly failingSince: Instant | null;
}

/** Selects the messages of one account's webhooks: of the event's owner, or of this user; null for all. */
export type WebhookOwner = { readonly eventId: Uuid } | { readonly userId: Uuid } | null;

/** Result of a request to a webhook endpoint. */
export interface WebhookResponse {
  readonly outcome: DeliveryOutcome;
  /** HTTP status; null without a response. */
  readonly status: number | null;
  /** The beginning of the response's body. */
  readonly answer: string;
}

/** Sends a message. Never throws; a failure is part of the response. @param maxCharacters maximum number of characters that are read of the response */
export type SendToWebhookEndpoint = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  maxCharacters?: number,
) => Promise<WebhookResponse>;

/** Describes an event for a webhook endpoint, as the API returns it to its owner, without tokens. `now` is in epoch milliseconds. */
export type DescribeEvent = (event: Event, now: number) => Readonly<Record<string, unknown>>;
