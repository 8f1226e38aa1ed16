/** Database ports of copying. */
import type { EventScene, Instant, Uuid } from "~/domain/shared/model";
import type { AuditEntry } from "../shared/ports";

/** The item to copy. Of a folder's contents, only items that the reader can see are copied. */
export interface CopySource {
  readonly kind: "folder" | "space" | "event";
  readonly id: Uuid;
  /** Limits the copy to records shared with these groups; null for all records. */
  readonly groupIds: readonly Uuid[] | null;
}

/** Query for names at the destination that may collide with the copy's name. */
export interface CollidingNamesQuery {
  readonly kind: CopySource["kind"];
  /** Id of the folder that contains the copy; for events, of the space. */
  readonly containerId: Uuid;
  /** Prefixes of the colliding names' nameKeys (normalised names for comparisons). */
  readonly prefixes: readonly string[];
}

/** Consistent read of all records of an item. */
export interface CopyPlan {
  /** Ordered from the outermost to the innermost. */
  readonly folders: readonly { readonly id: Uuid; readonly parentId: Uuid; readonly version: number }[];
  readonly spaces: readonly {
    readonly id: Uuid;
    readonly folderId: Uuid;
    readonly version: number;
    /** Public id. A showcase (an embedded Matterport space) has the id that Matterport gave it, and so has every copy of it. */
    readonly sid: string;
    readonly isShowcase: boolean;
  }[];
  /** Ordered from the oldest to the newest. */
  readonly events: readonly { readonly id: Uuid; readonly spaceId: Uuid; readonly revision: number }[];
  readonly tags: readonly { readonly id: Uuid; readonly eventId: Uuid }[];
  readonly media: readonly { readonly id: Uuid; readonly eventId: Uuid }[];
  /** Relations between tags and the media that they show. */
  readonly tagMedia: readonly { readonly tagId: Uuid; readonly mediaId: Uuid; readonly sortOrder: number }[];
  /** The nameKeys of the existing names that the query matches; empty without such a query. */
  readonly namesInUse: readonly string[];
  /** Scenes (start view, tour, floor plan, products) of events that have one. */
  readonly scenes: readonly (Omit<EventScene, "version"> & { readonly eventId: Uuid })[];
}

/** The records of a copy: those of the plan with the ids, containers and secrets of the copy. `from` is the id of the original. */
export interface Copy {
  readonly folders: readonly {
    readonly from: Uuid;
    readonly id: Uuid;
    readonly parentId: Uuid;
    readonly version: number;
  }[];
  readonly spaces: readonly {
    readonly from: Uuid;
    readonly id: Uuid;
    readonly folderId: Uuid;
    readonly version: number;
    readonly sid: string;
  }[];
  readonly events: readonly {
    readonly from: Uuid;
    readonly id: Uuid;
    readonly spaceId: Uuid;
    readonly revision: number;
    readonly accessToken: string;
    readonly previewAccessToken: string;
    readonly createdAt: Instant;
  }[];
  readonly tags: readonly { readonly from: Uuid; readonly id: Uuid; readonly eventId: Uuid }[];
  readonly media: readonly { readonly from: Uuid; readonly id: Uuid; readonly eventId: Uuid }[];
  readonly tagMedia: CopyPlan["tagMedia"];
  readonly scenes: CopyPlan["scenes"];
  /** Number of folder levels in the copy. */
  readonly height: number;
  readonly at: Instant;
  readonly entries: readonly AuditEntry[];
}

/** Result of writing a copy. `changed`: the original changed after it was read, and nothing was written. */
export type CopyOutcome =
  | "copied"
  | "gone"
  | "changed"
  | "space_license"
  | "content_full"
  | "too_many_events"
  | "too_many_space_events"
  | "too_deep"
  | "too_many_folders";
