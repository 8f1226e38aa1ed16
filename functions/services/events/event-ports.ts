/** Ports of events. */

import type { SceneValues, TagValues } from "~/domain/content/content";
import type { EventFormValue } from "~/domain/events/event-form";
import type { Cursor } from "~/domain/shared/cursor";
import type { Event, EventMedia, EventTag, Instant, Localized, Space, Uuid } from "~/domain/shared/model";
import type { Slice } from "../shared/ports";

/** Validated values of the event form, without the version and the password. */
export type EventValues = Omit<EventFormValue, "version" | "publishPassword" | "spAccessToken"> & {
  readonly spAccessToken: string | null;
};

/** Content with which a new event begins: written with the event, or not at all. */
export interface NewContent {
  /** In their order. They have no media. */
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

/** undefined keeps the password, null removes it. */
export type PasswordHashChange = string | null | undefined;

/** An event with the space that decides who may see it. */
export interface EventInSpace {
  readonly event: Event;
  readonly space: Space;
}

/** An event with all that hangs in its space: what its editor and its visitors' pages are made from. */
export interface EventEditorData extends EventInSpace {
  /** By sortOrder. */
  readonly tags: readonly EventTag[];
  /** By createdOn (§3). */
  readonly media: readonly EventMedia[];
}

/** An event in the trash, and the space to which it returns. */
export interface TrashedEvent {
  readonly id: Uuid;
  readonly eventName: Localized;
  readonly deletedAt: Instant;
  readonly space: Pick<Space, "id" | "name">;
}

/** Which events are listed: of a space, or of all spaces that the caller owns. */
export interface EventsQuery {
  readonly spaceId: Uuid | null;
  /** From 1. Lists from a cursor on have no page but the first. */
  readonly page: number;
  readonly cursor: Cursor;
  readonly size: number;
}

/** A part of a list of events, newest first, and how many there are in all. */
export interface FoundEvents<E = Event> extends Slice<E> {
  readonly total: number;
}
