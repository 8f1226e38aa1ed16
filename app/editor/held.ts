/** What could not be saved as it was meant: kept and shown until somebody decides. */

import type { CommandRefusal, PartType } from "~/domain/content";
import type { EventMedia, EventScene, EventTag } from "~/domain/model";
import { isEqual } from "~/domain/same";
import { type Content, type Edit, itemOf, put, SCENE_ID, type Values } from "./content";

/** An item of an event's content. */
export type Item = EventTag | EventMedia | EventScene;

/**
 * Changes of one thing that are not saved. `stale`: somebody saved the same fields; `gone`: somebody deleted it; the others are
 * the server's own reasons.
 */
export interface Held {
  readonly type: PartType | "scene";
  /** SCENE_ID for the scene. */
  readonly id: string;
  readonly reason: Exclude<CommandRefusal, "not_found"> | "gone";
  /** What was meant, by field. */
  readonly mine: Values;
  /** The thing as it was shown here. */
  readonly item: Item;
  /** Keys of messages by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Of what was never saved at all: how it is made. */
  readonly create: Edit | null;
}

/** The same with what is saved now; null where nothing is. */
export interface Conflict extends Held {
  readonly saved: Item | null;
}

/** The content with what is held on top, so that nothing typed leaves the screen. */
export function overlay(content: Content, held: readonly Held[]): Content {
  let shown = content;
  for (const { type, id, item, mine } of held) {
    if (type === "scene") shown = { ...shown, scene: { ...shown.scene, ...mine } };
    else {
      const found = itemOf(shown, id) ?? item;
      shown = put(shown, type, { ...(found as EventTag | EventMedia), ...mine });
    }
  }
  return shown;
}

/** Whether what is saved says already what was meant. */
export function isSettled(held: Held, saved: Item | undefined): boolean {
  return (
    saved !== undefined &&
    held.create === null &&
    Object.entries(held.mine).every(([field, value]) => isEqual((saved as unknown as Values)[field], value))
  );
}

/** What a thing is, by its place in the content. */
export function typeOf(content: Content, id: string): Held["type"] {
  if (id === SCENE_ID) return "scene";
  const isMedium = content.media.some((medium) => medium.id === id) || content.gone[id]?.type === "media";
  return isMedium ? "media" : "tag";
}
