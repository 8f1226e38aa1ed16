/** What reading an event's history asks of the database. */
import type { EventState, HistorySide } from "~/domain/history";
import type { EventMedia, Instant, Space, Uuid } from "~/domain/model";
import type { ChangeMark, FieldsSince } from "~/domain/moments";

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

/** What an event was. */
export interface HistoryRepository {
  /**
   * An event as it is now, and for each number what must be undone to come to the state after that change: one entry a thing.
   * Null when the event is not there.
   */
  read(
    eventId: Uuid,
    seqs: readonly number[],
  ): Promise<(StateNow & { readonly undo: readonly (readonly HistorySide<"before">[])[] }) | null>;
  /** Changes before a number (null: all), newest first; without those of tags whose media the trash has lost, which nobody sees. */
  marks(eventId: Uuid, before: number | null, limit: number): Promise<readonly MarkRow[]>;
  /** Every change of the event's own fields, oldest first: when it was made, and what of its status there was before it. */
  fieldChanges(
    eventId: Uuid,
  ): Promise<readonly { readonly at: Instant; readonly before: FieldsSince["fields"] }[]>;
  /** The number of the last change before an instant; 0 for none. */
  lastBefore(eventId: Uuid, at: Instant): Promise<number>;
  /** What library items are, those in the trash too. By id. */
  facts(
    itemIds: readonly Uuid[],
  ): Promise<
    ReadonlyMap<Uuid, Pick<EventMedia, "kind"> & { readonly isLive: boolean; readonly hasStill: boolean }>
  >;
}
