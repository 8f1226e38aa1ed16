/** Ports of events. */

import type { SceneValues, TagValues } from "~/domain/content/content";
import type { ChangeMark } from "~/domain/events/change-groups";
import type { EventFormValue } from "~/domain/events/event-form";
import type { EventState } from "~/domain/events/history";
import type { Cursor } from "~/domain/shared/cursor";
import type {
  Event,
  EventMedia,
  EventStatusId,
  EventTag,
  Instant,
  Localized,
  Space,
  User,
  Uuid,
} from "~/domain/shared/model";
import type { Slice } from "../shared/ports";

/** Validated values of the event form, without the version and the password. Fields whose names begin with `sp` belong to the event's Shopify store. */
export type EventValues = Omit<EventFormValue, "version" | "publishPassword" | "spAccessToken"> & {
  readonly spAccessToken: string | null;
};

/** Initial content of a new event, written in the same batch as the event. */
export interface NewContent {
  /** Tags in their order. They have no media. */
  readonly tags: readonly (TagValues & { readonly id: Uuid })[];
  readonly scene: SceneValues;
}

/** An event to be added, with its link tokens. */
export interface NewEvent {
  readonly id: Uuid;
  readonly spaceId: Uuid;
  readonly accessToken: string;
  readonly previewAccessToken: string;
  readonly values: EventValues;
  /** Null for an event without a publish password. */
  readonly publishPasswordHash: string | null;
  /** Null for an event that begins empty. */
  readonly content: NewContent | null;
  readonly createdAt: Instant;
}

/** A new hash; undefined keeps the password, null removes it. */
export type PasswordHashChange = string | null | undefined;

/** An event with the space that decides who may see it. */
export interface EventInSpace {
  readonly event: Event;
  readonly space: Space;
}

/** An event with its space, tags and media, for the editor and for visitors' pages. */
export interface EventEditorData extends EventInSpace {
  /** Ordered by sortOrder. */
  readonly tags: readonly EventTag[];
  /** Ordered by createdOn (specification §3). */
  readonly media: readonly EventMedia[];
}

/** An event in the trash, and the space to which it returns. */
export interface TrashedEvent {
  readonly id: Uuid;
  readonly eventName: Localized;
  readonly deletedAt: Instant;
  readonly space: Pick<Space, "id" | "name">;
}

/** The events to list: those of a space, or of all spaces of the caller. */
export interface EventsQuery {
  readonly spaceId: Uuid | null;
  /** Page number from 1. Lists that use a cursor have only page 1. */
  readonly page: number;
  readonly cursor: Cursor;
  readonly size: number;
}

/** One page of a list of events, newest first, and the total number. */
export interface FoundEvents<E = Event> extends Slice<E> {
  readonly total: number;
}

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
