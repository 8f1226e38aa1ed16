import type { Cursor } from "~/domain/cursor";
import type { Event, Instant, User, Uuid } from "~/domain/model";
import type { WebhookTarget, WebhookValue } from "~/domain/webhook.schema";
import type {
  Attempt,
  DisabledWhy,
  EventMessage,
  MessageState,
  MessageType,
  Outcome,
} from "~/domain/webhooks";
import type { AuditEntry, Slice } from "./ports";

/** A webhook for its owner, without its secret. */
export interface Webhook {
  readonly id: Uuid;
  readonly url: string;
  readonly types: readonly EventMessage[];
  readonly target: WebhookTarget;
  /** Of the space or event; null for all. */
  readonly targetName: string | null;
  readonly createdAt: Instant;
  readonly version: number;
  readonly disabledAt: Instant | null;
  readonly disabledWhy: DisabledWhy | null;
  readonly failingSince: Instant | null;
  /** Until when messages are signed with the secret before this one as well. */
  readonly previousUntil: Instant | null;
}

/** A webhook to be added. */
export interface NewWebhook extends WebhookValue {
  readonly id: Uuid;
  readonly userId: Uuid;
  /** Locked: see webhook-secrets. */
  readonly secret: string;
  readonly createdAt: Instant;
}

/** A message in the log of its webhook. */
export interface WebhookMessage {
  readonly id: Uuid;
  readonly type: MessageType;
  readonly at: Instant;
  readonly state: MessageState;
  /** The event's name as it is now; null for a test, and for an event that is gone. */
  readonly eventName: string | null;
  readonly nextAt: Instant;
  readonly log: readonly Attempt[];
}

/** A message that is to be sent now, by whoever holds it, until its claim ends. */
export interface ClaimedMessage {
  readonly id: Uuid;
  readonly webhookId: Uuid;
  /** Whose webhook it is. */
  readonly userId: Uuid;
  readonly eventId: Uuid | null;
  readonly type: MessageType;
  readonly at: Instant;
  /** Null before it was sent first. */
  readonly body: string | null;
  /** This one included. */
  readonly attempts: number;
  readonly claimedUntil: Instant;
  readonly log: readonly Attempt[];
  readonly url: string;
  /** Those with which it is signed, locked. */
  readonly secrets: readonly string[];
  readonly failingSince: Instant | null;
}

/** Which messages somebody sends: those of the owner of an event, or of an account; null for everybody's. */
export type Senders = { readonly eventId: Uuid } | { readonly userId: Uuid } | null;

/** Webhooks, and the messages that wait for them. Where a user is named, other people's are not found. */
export interface WebhookRepository {
  /** The newest first. Every account has few. */
  list(userId: Uuid): Promise<readonly Webhook[]>;
  find(userId: Uuid, id: Uuid): Promise<Webhook | null>;
  /** Adds a webhook, unless the account has `max`, the space or event is not its own, or there is one of that id. */
  add(
    webhook: NewWebhook,
    max: number,
    audit: AuditEntry,
  ): Promise<"added" | "too_many" | "no_target" | "there">;
  /** "stale" also when it is gone. */
  update(
    webhook: Pick<NewWebhook, "id" | "userId"> & WebhookValue,
    version: number,
    at: Instant,
    audit: AuditEntry,
  ): Promise<"updated" | "stale" | "no_target">;
  /** Pauses a webhook, or starts it again. False when it is so already, or is not there. */
  setPaused(userId: Uuid, id: Uuid, paused: boolean, at: Instant, audit: AuditEntry): Promise<boolean>;
  /** Gives it another secret, which is locked; the one before is good until then, as are those before it until their own day is over. False when it was saved in between, or is not there. */
  renewSecret(
    userId: Uuid,
    id: Uuid,
    version: number,
    secret: string,
    previous: { readonly now: Instant; readonly until: Instant },
    audit: AuditEntry,
  ): Promise<boolean>;
  /** @param version the one that it must have; null for any */
  remove(userId: Uuid, id: Uuid, version: number | null, audit: AuditEntry): Promise<boolean>;
  /** A page of its messages, the newest first. */
  listMessages(webhookId: Uuid, cursor: Cursor, size: number): Promise<Slice<WebhookMessage>>;
  /** Adds a message that is no event's. False when nothing is sent to the webhook. */
  addMessage(
    userId: Uuid,
    webhookId: Uuid,
    message: { readonly id: Uuid; readonly type: MessageType; readonly at: Instant },
  ): Promise<boolean>;
  /** Has a message sent now, whatever became of it. False when it is being sent, is not there, or nothing is sent to the webhook. */
  sendAgain(userId: Uuid, webhookId: Uuid, messageId: Uuid, at: Instant): Promise<boolean>;
  /**
   * Takes the message that is due and has waited longest, those for receivers that answer first, one at a time of each webhook: nobody else gets it
   * before `until`. Null when there is none.
   */
  claim(senders: Senders, now: Instant, until: Instant): Promise<ClaimedMessage | null>;
  /** Writes down what is sent, once. */
  writeBody(id: Uuid, body: string): Promise<void>;
  /** An event, in the trash or not. */
  findEvent(id: Uuid): Promise<Event | null>;
  /**
   * Writes down what became of an attempt, unless the claim has ended and somebody else has the message. When it disables the webhook all
   * that waits for it fails, else the oldest of what is more than may wait.
   * @returns the owner of a webhook that was disabled by this; else null
   */
  settle(
    message: Pick<ClaimedMessage, "id" | "webhookId" | "claimedUntil">,
    after: {
      readonly state: MessageState;
      readonly nextAt: Instant | null;
      readonly log: readonly Attempt[];
      readonly failingSince: Instant | null;
      readonly disables: DisabledWhy | null;
      readonly at: Instant;
    },
    audit: AuditEntry,
  ): Promise<User | null>;
  /** Forgets messages older than that. Returns how many. */
  deleteOld(before: Instant): Promise<number>;
}

/** What became of a request to a receiver. */
export interface Sent {
  readonly outcome: Outcome;
  readonly status: number | null;
  readonly answer: string;
}

/** Sends a message out. Never throws: what went wrong is its answer. @param answerMax characters that are read of the answer */
export type SendToReceiver = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  answerMax?: number,
) => Promise<Sent>;

/** What is said of an event to a receiver: as the API says it to its owner, without tokens. */
export type DescribeEvent = (event: Event, now: number) => Readonly<Record<string, unknown>>;
