/** What mails about statuses need from the outside. */
import type { EventStatusId, Instant, User, Uuid } from "~/domain/model";
import type { AuditEntry } from "./ports";

/** A mail that is to be sent now, by whoever took it and nobody else. */
export interface DueStatusMail {
  readonly id: string;
  readonly eventId: Uuid;
  readonly eventName: string;
  /** What the event became, and when: its own date. */
  readonly statusId: EventStatusId;
  readonly happenedAt: Instant;
  /** How often it was tried, this time included. */
  readonly tries: number;
  readonly user: Pick<User, "id" | "firstName" | "lastName" | "email" | "language" | "timeZone">;
}

/** Mails about statuses that the clock has changed. */
export interface StatusMailRepository {
  /** Takes the next that are due. Those whose readers no longer want them, or whose event is in the trash, are forgotten. */
  take(now: Instant, limit: number): Promise<readonly DueStatusMail[]>;
  /** It has gone out, or is given up. */
  remove(id: string): Promise<void>;
  /** It was refused, and is due again then. */
  putBack(id: string, nextAt: Instant): Promise<void>;
  /** Whether somebody wants these mails; null for nobody. */
  isWanted(userId: Uuid): Promise<boolean | null>;
  /** Nobody writes to this person any more. False when nobody did. */
  stop(userId: Uuid, at: Instant, audit: AuditEntry): Promise<boolean>;
}
