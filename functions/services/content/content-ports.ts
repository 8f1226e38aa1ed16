/** Database ports of editing an event's content. */
import type {
  ChangeType,
  ContentCommand,
  EventFields,
  MediaValues,
  PartType,
  TagPositions,
} from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Event, EventMedia, EventScene, EventTag, Instant, Space, Uuid } from "~/domain/shared/model";
import type { AuditEntry } from "../shared/ports";

/** A tag or media item of an event, including items in its trash. */
export interface StoredPart<Item> {
  readonly item: Item;
  /** False in the trash. */
  readonly isLive: boolean;
}
/** A media item with the state and the rights of its library item, which can be in the trash independently. */
export interface StoredMediaItem extends StoredPart<EventMedia> {
  /** False if the library item is in the trash. */
  readonly hasItem: boolean;
  /** True if the media item was deleted from the event and its library item has not changed since. */
  readonly isItemUnchanged: boolean;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

/** Items of an event to which commands refer, and its scene (start view, tour, floor plan, products). */
export interface ContentParts {
  readonly tags: ReadonlyMap<Uuid, StoredPart<EventTag>>;
  readonly media: ReadonlyMap<Uuid, StoredMediaItem>;
  readonly scene: EventScene;
}

/** An event and the items that some commands refer to. */
export interface ReferencedContent extends ContentParts {
  readonly event: Event;
  readonly space: Space;
  /** Library items for new media. Their permissions are not checked yet. */
  readonly items: ReadonlyMap<Uuid, LibraryItem>;
}

/** Ids that commands refer to. */
export interface ReferencedIds {
  readonly tags: readonly Uuid[];
  readonly media: readonly Uuid[];
  readonly items: readonly Uuid[];
}

/** Owner and group of a library item at the time when the actor's permission was checked. */
export interface LibraryItemRights {
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

/**
 * A command ready for writing. Duplicates have become creations. A new or restored media item has the owner and group of its library item, and a new
 * one its creation time, which orders media. With `skipsMissingMedia` a tag is written without the media that do not exist.
 */
export type WriteCommand =
  | Exclude<
      ContentCommand,
      { readonly op: "create_tag" | "update_tag" | "create_media" | "restore" | "duplicate" }
    >
  | (Extract<ContentCommand, { readonly op: "create_tag" | "update_tag" }> & {
      readonly skipsMissingMedia?: boolean;
    })
  | (Extract<ContentCommand, { readonly op: "restore" }> & Partial<LibraryItemRights>)
  | {
      readonly op: "create_media";
      readonly id: Uuid;
      readonly values: MediaValues & { readonly libraryItemId: Uuid };
      readonly ownerId: Uuid;
      readonly groupId: Uuid | null;
      readonly createdOn: Instant;
    };

/** The changes of one call, or a part of them, for one batch. */
export interface ContentWrite {
  /** Id of the call: see EditContentResult.callId. */
  readonly id: Uuid;
  readonly eventId: Uuid;
  /** The space's owner and group when the permission was checked. If they have changed, nothing is written. */
  readonly space: Pick<Space, "ownerId" | "groupId">;
  readonly actorId: Uuid;
  readonly at: Instant;
  /** `part` is the index of a command in its call. */
  readonly commands: readonly { readonly part: number; readonly command: WriteCommand }[];
  /** Audit entry; written only if anything was changed. */
  readonly entry: AuditEntry;
  /**
   * The entry is not written if the actor, with the same credential, wrote one of the same action for this event after this instant. Null: no earlier
   * entry prevents it.
   */
  readonly entrySince: Instant | null;
  /** An edit of the contents of the tour's stops is merged with the actor's previous one if that began after this instant. Null: edits are not merged. */
  readonly typingSince: Instant | null;
}

/** Result of a batch: the executed commands and the current records. */
export interface WrittenContent extends ContentParts {
  /** False if the event was deleted or its space has another owner or group now. */
  readonly isEditable: boolean;
  /** Indexes of the commands that were executed. */
  readonly done: ReadonlySet<number>;
  /** Sort positions of the event's tags. */
  readonly order: TagPositions;
  /** Whether the owner's limits of storage and of content have room for these changes. */
  readonly hasRoom: boolean;
  /** Number of the event's tags and media. */
  readonly count: Readonly<Record<PartType, number>>;
  /** Tags, media and images of the event that commands refer to, including those in the trash. */
  readonly known: Readonly<Record<"tags" | "media" | "images", ReadonlySet<Uuid>>>;
  /** Sequence number of the event's latest change. */
  readonly seq: number;
}

/** A change for clients that have the event open. `after` is the complete item, or null when it was deleted or is not shown. */
export interface ChangeRow {
  readonly seq: number;
  readonly at: Instant;
  /** Id of the save or API call that made the change; all changes of one call share it. */
  readonly callId: Uuid;
  readonly actorId: Uuid | null;
  readonly actor: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  readonly after: EventTag | EventMedia | EventScene | TagPositions | EventFields | null;
}
