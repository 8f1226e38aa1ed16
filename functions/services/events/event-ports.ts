/** Ports of events. */

import type { SceneValues, TagValues } from "~/domain/content/content";
import type { EventFormValue } from "~/domain/events/event-form";
import type { Cursor } from "~/domain/shared/cursor";
import type { Event, EventMedia, EventTag, Instant, Localized, Space, Uuid } from "~/domain/shared/model";
import type { Slice } from "../shared/ports";

/** Validated values of the event form, without the version and the password. The fields with `sp` belong to the event's Shopify store. */
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
