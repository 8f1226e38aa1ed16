/** What could not be saved as it was meant: kept and shown until somebody decides. */

import type { CommandRefusal, PartType } from "~/domain/content/content";
import { merge } from "~/domain/events/merge";
import type { EventMedia, EventScene, EventTag } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";
import { type Draft, type Edit, pick, type Values } from "./content";

/** An item of an event's content. */
export type Item = EventTag | EventMedia | EventScene;

/**
 * Changes of one thing that are not saved. `stale`: somebody saved the same fields; `gone`: somebody deleted it; `too_large`: it is more
 * than a call may carry; the others are the server's own reasons.
 */
export interface Held {
  readonly type: PartType | "scene";
  /** SCENE_ID for the scene. */
  readonly id: string;
  readonly reason: Exclude<CommandRefusal, "not_found"> | "gone" | "too_large";
  /** What was meant, by field. */
  readonly mine: Values;
  /** What was saved in these fields when it was last set against that; nothing of what is not there. */
  readonly was: Values;
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

/** Puts what is held on top of the content, so that nothing typed leaves the screen. */
export function overlay(content: Draft, held: Iterable<Held>): void {
  for (const { type, id, item, mine } of held)
    if (type === "scene") content.setScene(mine);
    else content.put(type, { ...((content.find(id) ?? item) as EventTag | EventMedia), ...mine });
}

/** The same after somebody saved the thing once more: what only they changed since is no part of the choice. */
export function rebased(held: Held, saved: Item): Held {
  const fields = Object.keys(held.mine);
  const now = pick(saved, fields);
  const mine = fields.map((field) => [field, merge(held.was[field], held.mine[field], now[field]).value]);
  return { ...held, mine: Object.fromEntries(mine), was: now };
}

/** Whether what is saved says already what was meant. */
export function isSettled(held: Held, saved: Item | undefined): boolean {
  return (
    saved !== undefined &&
    held.create === null &&
    Object.entries(held.mine).every(([field, value]) => isEqual((saved as unknown as Values)[field], value))
  );
}
