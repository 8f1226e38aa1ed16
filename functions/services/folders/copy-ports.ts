/** What copying asks of the database. */
import type { EventScene, Instant, Uuid } from "~/domain/shared/model";
import type { AuditEntry } from "../shared/ports";

/** What is to be copied: one thing, and of what lies in a folder only what its reader sees. */
export interface CopySource {
  readonly kind: "folder" | "space" | "event";
  readonly id: Uuid;
  /** Only what is shared with these groups. Null: everything. */
  readonly groupIds: readonly Uuid[] | null;
}

/** Names that are taken where a copy is to lie, as far as they are in its way. */
export interface NamesAround {
  readonly kind: CopySource["kind"];
  /** The folder that holds them; of events the space. */
  readonly place: Uuid;
  /** What the nameKey of each begins with. */
  readonly prefix: string;
}

/** All records of a thing as they are at one moment, each with its version and its place. */
export interface CopyPlan {
  /** From the outermost to the innermost. */
  readonly folders: readonly { readonly id: Uuid; readonly parentId: Uuid; readonly version: number }[];
  readonly spaces: readonly {
    readonly id: Uuid;
    readonly folderId: Uuid;
    readonly version: number;
    readonly sid: string;
    readonly isShowcase: boolean;
  }[];
  /** From the oldest to the newest. */
  readonly events: readonly { readonly id: Uuid; readonly spaceId: Uuid; readonly revision: number }[];
  readonly tags: readonly { readonly id: Uuid; readonly eventId: Uuid }[];
  readonly media: readonly { readonly id: Uuid; readonly eventId: Uuid }[];
  /** The media that tags show. */
  readonly shown: readonly { readonly tagId: Uuid; readonly mediaId: Uuid; readonly sortOrder: number }[];
  /** The nameKey of each of the names that were asked for as well. */
  readonly taken: readonly string[];
  /** Of events for which one was saved. */
  readonly scenes: readonly (Omit<EventScene, "version"> & { readonly eventId: Uuid })[];
}

/** The same with the ids, places and secrets of the copy. */
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
  readonly shown: CopyPlan["shown"];
  readonly scenes: CopyPlan["scenes"];
  /** How many of its folders lie in one another. */
  readonly height: number;
  readonly at: Instant;
  readonly entries: readonly AuditEntry[];
}

/** What writing a copy came to. `changed`: the original is no longer what was read, and nothing was written. */
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
