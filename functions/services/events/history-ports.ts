import type { EventState } from "~/domain/events/history";
import type { ChangeMark } from "~/domain/events/moments";
import type { Instant, Space } from "~/domain/shared/model";

/** A change without what it changed, and who made it. */
export interface MarkRow extends ChangeMark {
  readonly actor: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
}

/** The event as it is now, raw: with the media that show library items in the trash, and tags that name media in it. */
export interface StateNow {
  readonly space: Pick<Space, "id" | "name" | "ownerId" | "groupId">;
  readonly state: EventState;
  /** The number of the latest change. */
  readonly seq: number;
  readonly createdAt: Instant;
  /** From when on its changes are kept; null: since it was made. */
  readonly historyFrom: Instant | null;
}
