/** Ports of visitors' pages and their files. */

import type { EventScene, Uuid } from "~/domain/shared/model";
import type { EventEditorData } from "../events/event-ports";
import type { StoredFile } from "../library/stored-file-ports";

/** Signs texts for addresses of files. */
export interface MediaSigner {
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** The signed flag that a visitor keeps after giving an event's publish password (§4). */
export interface EventAccessSigner {
  /** @param passwordVersion changes with the password; only its MAC leaves the server. @param expires epoch milliseconds */
  sign(eventId: Uuid, passwordVersion: string, expires: number): string;
  verify(eventId: Uuid, passwordVersion: string, value: string | null, now: number): boolean;
}

/**
 * Everything that any visitor's page of one event needs, secrets included. Stays on the server: an isolate may keep it
 * under its revision. `toVisitorEvent` makes what may leave.
 */
export interface EventRecord extends EventEditorData {
  readonly scene: EventScene;
  readonly revision: number;
  readonly publishPasswordHash: string | null;
  /** The owner's: in which the event's dates are shown. */
  readonly timeZone: string;
  /** The files that this event's visitors may fetch: of its media, its space and the space's poster. By item id. */
  readonly files: Readonly<Record<Uuid, StoredFile>>;
}
