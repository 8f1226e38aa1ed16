import type { ChangeMark } from "~/domain/events/change-groups";
import type { EventState } from "~/domain/events/history";
import type { Instant, Space } from "~/domain/shared/model";

/** A change without its values, and its author. */
export interface MarkRow extends ChangeMark {
  readonly actor: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
}

/** The current event, including media whose library item is in the trash. Its tags also refer to media in the event's trash. */
export interface StateNow {
  readonly space: Pick<Space, "id" | "name" | "ownerId" | "groupId">;
  readonly state: EventState;
  /** Sequence number of the latest change. */
  readonly seq: number;
  readonly createdAt: Instant;
  /** Time at which recording began; null if everything since the event's creation is recorded. */
  readonly historyFrom: Instant | null;
}
