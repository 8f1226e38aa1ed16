/** The content of an event (its tags, media and scene), what is done to it, and what comes of that. */
import type {
  Event,
  EventMedia,
  EventScene,
  EventTag,
  FloorPlan,
  Instant,
  Localized,
  Placement,
  TourStop,
  UrlParams,
  Uuid,
  Viewpoint,
} from "../shared/model";
import type { TagFieldName } from "./tag-fields";

/** What a tag is made of, as its editor names it. Its place among the others is changed by move_tags. */
export type TagValues = Pick<EventTag, TagFieldName>;
/** What a medium of an event is made of. The library item stays the same for as long as the medium is there. */
export interface MediaValues {
  readonly title: Localized;
  readonly description: Localized;
  readonly placement: Placement | null;
  readonly hidden: boolean;
}
/** A medium as the event knows it by itself, and as its history keeps it: without what its library item says. */
export type MediumUse = Pick<
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
/** What its library item says of a medium. */
export type MediumFacts = Omit<EventMedia, keyof MediumUse>;
/** What the scene of an event is made of. */
export interface SceneValues {
  readonly startView: Viewpoint | null;
  readonly tour: readonly TourStop[];
  readonly plan: FloorPlan | null;
  readonly products: EventScene["products"];
}

/** One change of an event's content, checked. Ids of new things are made by the caller: the same command twice is done once. */
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

/** The parts of an event of which there are many. */
export type PartType = "tag" | "media";
/** What changes are about. */
export const CHANGE_TYPES = ["tag", "media", "scene", "order", "event"] as const;
/** One of them. `order`: the order of all tags. */
export type ChangeType = (typeof CHANGE_TYPES)[number];

/**
 * Where tags stand among each other, the least first. A tag that it does not name stands where its own sortOrder says: it was not
 * there when all were put in order, and nothing was moved since.
 */
export type TagPlaces = ReadonlyMap<Uuid, number>;

/** A thing that was changed, as it is now; null when it is gone. Of an order the places of the tags, in their order. */
export type ContentItem =
  | { readonly type: "tag"; readonly item: EventTag | null }
  | { readonly type: "media"; readonly item: EventMedia | null }
  | { readonly type: "scene"; readonly item: EventScene }
  | { readonly type: "order"; readonly item: TagPlaces };

/**
 * Why a command was not done.
 * - stale: somebody saved in between; `saved` is what is saved now
 * - not_found: there is no such thing in this event
 * - invalid: `errors` says which fields are wrong
 * - limit: the event has as many as it may have
 * - content_full: the owner's content, or the owner's storage that it counts towards, has no room
 * - forbidden: the actor may not do this
 */
export type CommandRefusal = "stale" | "not_found" | "invalid" | "limit" | "content_full" | "forbidden";

/** What became of one command. Of a scene and of an order the id is the event's, and an order has version 0. */
export type CommandResult =
  | ({ readonly ok: true; readonly id: Uuid; readonly version: number } & ContentItem)
  | {
      readonly ok: false;
      readonly id: string;
      readonly reason: CommandRefusal;
      /** Keys of messages by field. */
      readonly errors?: Readonly<Record<string, readonly string[]>>;
      readonly saved?: ContentItem;
    };

/** What an event's history keeps of the event itself: whether secrets are set, never which. */
export type EventFields = Pick<
  Event,
  "eventName" | "startDate" | "endDate" | "statusId" | "enableAutoChangeStatus" | "eventDetail"
> & { readonly urlParams: UrlParams; readonly hasStore: boolean; readonly hasPassword: boolean };

/** One change that somebody made, for whoever has the same event open. */
export type ContentChange = {
  readonly seq: number;
  readonly at: Instant;
  /** Of all changes of one call. */
  readonly act: Uuid;
  /** Null for what the clock has done. */
  readonly actorId: Uuid | null;
  /** Empty where there is nobody to name. */
  readonly actorName: string;
  readonly itemId: Uuid;
} & (
  | { readonly itemType: "tag"; readonly after: EventTag | null }
  | { readonly itemType: "media"; readonly after: EventMedia | null }
  | { readonly itemType: "scene"; readonly after: EventScene }
  | { readonly itemType: "order"; readonly after: TagPlaces }
  | { readonly itemType: "event"; readonly after: EventFields }
);

/** All content of an event, with the number of the latest change. */
export interface EventContent {
  /** In their order. */
  readonly tags: readonly EventTag[];
  /** By createdOn (§3). */
  readonly media: readonly EventMedia[];
  readonly scene: EventScene;
  readonly seq: number;
}

/** A medium of an event that nobody sees, as its file lies in the trash of the library; restored, it is back where it was. */
export interface TrashedMedium extends Pick<EventMedia, "id" | "libraryItemId" | "kind" | "title"> {
  /** The tags that would show it. */
  readonly tagIds: readonly Uuid[];
}

/** The content of an event as its editors have it. */
export interface EditableContent extends EventContent {
  readonly trashed: readonly TrashedMedium[];
}

/** The scene of an event for which none was ever saved. */
export const EMPTY_SCENE: EventScene = { startView: null, tour: [], plan: null, products: [], version: 0 };
