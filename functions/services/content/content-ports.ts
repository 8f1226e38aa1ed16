/** Database ports of editing an event's content. */
import type {
  ChangeType,
  ContentCommand,
  EventFields,
  MediaValues,
  PartType,
  TagPlaces,
} from "~/domain/content/content";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Event, EventMedia, EventScene, EventTag, Instant, Space, Uuid } from "~/domain/shared/model";
import type { AuditEntry } from "../shared/ports";

/** A tag or medium of an event, in its trash or not. */
export interface StoredPart<Item> {
  readonly item: Item;
  readonly isLive: boolean;
}
/** A media item also needs its library item, which may be in the trash by itself and has an owner. */
export interface StoredMediaItem extends StoredPart<EventMedia> {
  readonly hasItem: boolean;
  /** True if the library item is unchanged since the media item was deleted here: it is shared with the same readers. */
  readonly isItemAsThen: boolean;
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

/** Records referenced by the commands that belong to this event. */
export interface ContentParts {
  readonly tags: ReadonlyMap<Uuid, StoredPart<EventTag>>;
  readonly media: ReadonlyMap<Uuid, StoredMediaItem>;
  readonly scene: EventScene;
}

/** An event and what some commands name of it. */
export interface NamedContent extends ContentParts {
  readonly event: Event;
  readonly space: Space;
  /** Library items that new media are to show, independent of who may see them. */
  readonly items: ReadonlyMap<Uuid, LibraryItem>;
}

/** Ids that commands name. */
export interface NamedIds {
  readonly tags: readonly Uuid[];
  readonly media: readonly Uuid[];
  readonly items: readonly Uuid[];
}

/** Owner and group of a library item at the time when the actor's permission was checked. */
export interface Whose {
  readonly ownerId: Uuid;
  readonly groupId: Uuid | null;
}

/**
 * A command as it is written. Duplicates have become creations; a medium that is new or comes back says whose library item it shows,
 * and may bring the instant by which it was ordered. With `lacks` a tag is written without the media that are not there.
 */
export type WriteCommand =
  | Exclude<
      ContentCommand,
      { readonly op: "create_tag" | "update_tag" | "create_media" | "restore" | "duplicate" }
    >
  | (Extract<ContentCommand, { readonly op: "create_tag" | "update_tag" }> & { readonly lacks?: boolean })
  | (Extract<ContentCommand, { readonly op: "restore" }> & Partial<Whose>)
  | {
      readonly op: "create_media";
      readonly id: Uuid;
      readonly values: MediaValues & { readonly libraryItemId: Uuid };
      readonly ownerId: Uuid;
      readonly groupId: Uuid | null;
      readonly createdOn: Instant;
    };

/** The changes of one call, or a part of them. */
export interface ContentAct {
  readonly id: Uuid;
  readonly eventId: Uuid;
  /** The space's owner and group when the permission was checked. If they have changed, nothing is written. */
  readonly space: Pick<Space, "ownerId" | "groupId">;
  readonly actorId: Uuid;
  readonly at: Instant;
  /** `part` is the number of a command in its call. */
  readonly commands: readonly { readonly part: number; readonly command: WriteCommand }[];
  /** Written if anything was changed. */
  readonly entry: AuditEntry;
  /** Not written when the same actor has left the same entry for this event since then: typing is no news every second. */
  readonly entrySince: Instant | null;
  /** A change of the words of the tour is one with the actor's last one, when that was begun since then. Null: each is one by itself. */
  readonly typingSince: Instant | null;
}

/** Result of a call: the executed commands and the current records. */
export interface WrittenContent extends ContentParts {
  /** False: the event was deleted, or its space has another owner. */
  readonly isEditable: boolean;
  /** The numbers of the commands of the act that were done. */
  readonly done: ReadonlySet<number>;
  /** The places of the event's tags, in their order. */
  readonly order: TagPlaces;
  /** The owner's content has room for as much as the act. */
  readonly hasBytes: boolean;
  /** How many there are. */
  readonly count: Readonly<Record<PartType, number>>;
  /** Tags, media and images of the event that commands refer to, in the trash or not. */
  readonly known: Readonly<Record<"tags" | "media" | "pictures", ReadonlySet<Uuid>>>;
  /** The number of the event's latest change. */
  readonly seq: number;
}

/** A change, as it is read for live editors: `after` with all that the item shows. */
export interface ChangeRow {
  readonly seq: number;
  readonly at: Instant;
  readonly act: Uuid;
  readonly actorId: Uuid | null;
  readonly actor: { readonly firstName: string; readonly lastName: string; readonly email: string } | null;
  readonly itemType: ChangeType;
  readonly itemId: Uuid;
  readonly after: EventTag | EventMedia | EventScene | TagPlaces | EventFields | null;
}
