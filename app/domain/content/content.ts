/** The content of an event (its tags, media and scene), the commands that edit it, and their results. */
import type {
  Event,
  EventMedia,
  EventScene,
  EventTag,
  FloorPlan,
  Instant,
  Lang,
  Localized,
  Placement,
  TourStop,
  UrlParams,
  Uuid,
  Viewpoint,
} from "../shared/model";
import type { TagFieldName } from "./tag-fields";

/** The fields of a tag that its editor can change. The command move_tags changes its order. */
export type TagValues = Pick<EventTag, TagFieldName>;
/** The fields of an event's media item that its editor can change. Its library item never changes. */
export interface MediaValues {
  readonly title: Localized;
  readonly description: Localized;
  readonly placement: Placement | null;
  readonly hidden: boolean;
}

/** The values of a library item that is added to an event: its title in one language, without description and placement. */
export const newMediaValues = (libraryItemId: Uuid, title: string, lang: Lang) => ({
  libraryItemId,
  title: { ja: "", en: "", [lang]: title },
  description: { ja: "", en: "" },
  placement: null,
  hidden: false,
});

/** A media item without the fields that come from its library item. An event's history keeps media in this form. */
export type MediaItemRecord = Pick<
  EventMedia,
  | "id"
  | "eventId"
  | "libraryItemId"
  | "title"
  | "description"
  | "placement"
  | "hidden"
  | "createdOn"
  | "version"
>;
/** The fields of a media item that come from its library item. */
export type MediaItemMetadata = Omit<EventMedia, keyof MediaItemRecord>;
/** The fields of an event's scene that its editor can change. */
export interface SceneValues {
  readonly startView: Viewpoint | null;
  readonly tour: readonly TourStop[];
  readonly plan: FloorPlan | null;
  readonly products: EventScene["products"];
}

/**
 * A validated command that edits an event's content. The caller creates the ids of new items, so that a repeated command is executed once. move_tags puts
 * tags before another one, or at the end if `before` is null.
 */
export type ContentCommand =
  | { readonly op: "create_tag"; readonly id: Uuid; readonly values: TagValues }
  | {
      readonly op: "update_tag";
      readonly id: Uuid;
      readonly version: number;
      readonly values: Partial<TagValues>;
    }
  | {
      readonly op: "create_media";
      readonly id: Uuid;
      readonly values: MediaValues & { readonly libraryItemId: Uuid };
    }
  | {
      readonly op: "update_media";
      readonly id: Uuid;
      readonly version: number;
      readonly values: Partial<MediaValues>;
    }
  | { readonly op: "delete"; readonly type: PartType; readonly id: Uuid; readonly version: number }
  | { readonly op: "restore"; readonly type: PartType; readonly id: Uuid }
  | { readonly op: "duplicate"; readonly type: PartType; readonly id: Uuid; readonly newId: Uuid }
  | { readonly op: "move_tags"; readonly ids: readonly Uuid[]; readonly before: Uuid | null }
  | { readonly op: "update_scene"; readonly version: number; readonly values: Partial<SceneValues> };

/** The types of content that an event can have several of. */
export type PartType = "tag" | "media";
/** The types of content that a change can affect. */
export const CHANGE_TYPES = ["tag", "media", "scene", "order", "event"] as const;
/** A type of content that a change can affect. `order` is the order of all tags. */
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** The sort positions of tags, lowest first. A tag that was created or restored after the last reordering has no entry; its sortOrder counts. */
export type TagPositions = ReadonlyMap<Uuid, number>;

/** The current state of a changed item; null when it was deleted. The item of type `order` contains the positions of all tags. */
export type ContentItem =
  | { readonly type: "tag"; readonly item: EventTag | null }
  | { readonly type: "media"; readonly item: EventMedia | null }
  | { readonly type: "scene"; readonly item: EventScene }
  | { readonly type: "order"; readonly item: TagPositions };

/**
 * The reason why a command was rejected.
 * - stale: another save came in between; `saved` is the current state
 * - not_found: the event has no such item
 * - invalid: `errors` lists the wrong fields
 * - limit: the event already has the maximum number of such items
 * - content_full: the owner's content or storage would exceed its limit
 * - forbidden: the actor may not do this
 */
export type CommandRejection = "stale" | "not_found" | "invalid" | "limit" | "content_full" | "forbidden";

/** The result of one command. For a scene and for an order, `id` is the event's id. An order has version 0. */
export type CommandResult =
  | ({ readonly ok: true; readonly id: Uuid; readonly version: number } & ContentItem)
  | {
      readonly ok: false;
      readonly id: string;
      readonly reason: CommandRejection;
      /** Message keys by field. */
      readonly errors?: Readonly<Record<string, readonly string[]>>;
      readonly saved?: ContentItem;
    };

/** The fields of an event in its history. The history records whether secrets are set, never their values. */
export type EventFields = Pick<
  Event,
  | "eventName"
  | "startDate"
  | "endDate"
  | "statusId"
  | "enableAutoChangeStatus"
  | "eventDetail"
  | "showBeforePassword"
> & { readonly urlParams: UrlParams; readonly hasStore: boolean; readonly hasPassword: boolean };

/** One saved change for the other editors of the same event. */
export type ContentChange = {
  readonly seq: number;
  readonly at: Instant;
  /** Id of the save or API call that made the change; all changes of one call share it. */
  readonly callId: Uuid;
  /** Null for an automatic change. */
  readonly actorId: Uuid | null;
  /** Empty without an actor. */
  readonly actorName: string;
  readonly itemId: Uuid;
} & (
  | { readonly itemType: "tag"; readonly after: EventTag | null }
  | { readonly itemType: "media"; readonly after: EventMedia | null }
  | { readonly itemType: "scene"; readonly after: EventScene }
  | { readonly itemType: "order"; readonly after: TagPositions }
  | { readonly itemType: "event"; readonly after: EventFields }
);

/** All content of an event, with the sequence number of the latest change. */
export interface EventContent {
  /** Tags in their order. */
  readonly tags: readonly EventTag[];
  /** Media ordered by createdOn (specification §3). */
  readonly media: readonly EventMedia[];
  readonly scene: EventScene;
  readonly seq: number;
}

/** A media item of an event that is not shown, because its library item is in the trash. Restoring the library item restores it. */
export interface TrashedMediaItem extends Pick<EventMedia, "id" | "libraryItemId" | "kind" | "title"> {
  /** The tags that would show it. */
  readonly tagIds: readonly Uuid[];
}

/** The content of an event as its editors receive it. */
export interface EditableContent extends EventContent {
  readonly trashed: readonly TrashedMediaItem[];
}

/** The scene of an event that has no saved scene. */
export const EMPTY_SCENE: EventScene = { startView: null, tour: [], plan: null, products: [], version: 0 };
