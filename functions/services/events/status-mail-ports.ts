/** What mails about statuses need from the outside. */
import type { EventStatusId, Instant, User, Uuid } from "~/domain/shared/model";

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
