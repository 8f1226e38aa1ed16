/** Ports of mails about statuses. */
import type { EventStatusId, Instant, Localized, User, Uuid } from "~/domain/shared/model";

/** A mail that is due. Only the run that took it sends it. */
export interface DueStatusMail {
  readonly id: string;
  readonly eventId: Uuid;
  readonly eventName: Localized;
  /** The event's new status, and the date at which it took effect. */
  readonly statusId: EventStatusId;
  readonly happenedAt: Instant;
  /** Number of attempts, including this one. */
  readonly tries: number;
  readonly user: Pick<User, "id" | "firstName" | "lastName" | "email" | "language" | "timeZone">;
}
