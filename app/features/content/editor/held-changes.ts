/** Changes that could not be saved. They are kept and shown until the user decides about them. */
import type { CommandRejection, PartType } from "~/domain/content/content";
import { merge } from "~/domain/events/merge";
import { isEqual } from "~/domain/shared/is-equal";
import type { EventMedia, EventScene, EventTag } from "~/domain/shared/model";
import { type ContentDraft, type Edit, pickValues, type Values } from "./content";

/** An item of an event's content. */
export type Item = EventTag | EventMedia | EventScene;

/**
 * Unsaved changes of one record. `stale`: the same fields were saved elsewhere; `gone`: the record was deleted elsewhere, by another user or by the
 * user in another window; `too_large`: the edit is larger than a call may be; all other reasons are those of the server.
 */
export interface HeldChange {
  readonly type: PartType | "scene";
  /** SCENE_ID for the scene. */
  readonly id: string;
  readonly reason: Exclude<CommandRejection, "not_found"> | "gone" | "too_large";
  /** Local values by field. */
  readonly localValues: Values;
  /** Saved values of these fields when the change was last compared with them; undefined if no record is saved. */
  readonly savedValues: Values;
  /** The record as the editor showed it when its change was first held. */
  readonly item: Item;
  /** Message keys by field. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The edit that creates the record, if it was never saved. */
  readonly create: Edit | null;
}

/** Held changes with the saved record, which is null when it does not exist. */
export interface HeldConflict extends HeldChange {
  readonly saved: Item | null;
}

/** Applies held changes to the content, so that text that the user typed stays visible. */
export function applyHeldChanges(content: ContentDraft, heldChanges: Iterable<HeldChange>): void {
  for (const { type, id, item, localValues: values } of heldChanges)
    if (type === "scene") content.setScene(values);
    else content.put(type, { ...((content.find(id) ?? item) as EventTag | EventMedia), ...values });
}

/** Updates a held change after another user saved the record again. Values that only the other user changed are replaced by the saved ones. */
export function rebaseHeldChange(change: HeldChange, saved: Item): HeldChange {
  const fields = Object.keys(change.localValues);
  const savedValues = pickValues(saved, fields);
  const mergedEntries = fields.map((field) => [
    field,
    merge(change.savedValues[field], change.localValues[field], savedValues[field]).value,
  ]);
  return { ...change, localValues: Object.fromEntries(mergedEntries), savedValues };
}

/** Whether the saved record already contains the local values. */
export function isSettled(change: HeldChange, saved: Item | undefined): boolean {
  return (
    saved !== undefined &&
    change.create === null &&
    Object.entries(change.localValues).every(([field, value]) =>
      isEqual((saved as unknown as Values)[field], value),
    )
  );
}
