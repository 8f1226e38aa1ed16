/** Ports of visitors' pages and their files. */

import type { EventScene, Uuid } from "~/domain/shared/model";
import type { EventEditorData } from "../events/event-ports";
import type { StoredFile } from "../library/stored-file-ports";

/** Signs texts for URLs of files, and verifies the signatures. */
export interface MediaSigner {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** Signs the value of the event access cookie, which a visitor gets after entering an event's publish password (specification §4). */
export interface EventAccessSigner {
  /** @param passwordVersion changes with the password; only its MAC leaves the server. @param expires epoch milliseconds */
  sign(eventId: Uuid, passwordVersion: string, expires: number): string;
  verify(eventId: Uuid, passwordVersion: string, value: string | null, now: number): boolean;
}

/**
 * All data that visitors' pages of one event need, including secrets. Stays on the server, where an isolate may cache it by its revision (the
 * event's change counter). `toVisitorEvent` selects the data for visitors.
 */
export interface EventRecord extends EventEditorData {
  readonly scene: EventScene;
  readonly revision: number;
  readonly publishPasswordHash: string | null;
  /** Time zone of the owner, for the event's dates. */
  readonly timeZone: string;
  /** The files that this event's visitors may load, by item id: of its media, its space and the space's thumbnail. */
  readonly files: Readonly<Record<Uuid, StoredFile>>;
}
