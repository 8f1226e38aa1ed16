/**
 * Local edits that are not saved yet: the queue of edits, the changes that are held until the user decides, and the content with both of them. They
 * are reconciled with the server's responses.
 */
import type { CommandResult, ContentItem } from "~/domain/content/content";
import { isEqual } from "~/domain/shared/is-equal";
import type { EventMedia, EventTag, Uuid } from "~/domain/shared/model";
import {
  ContentDraft,
  createMovesBack,
  type Edit,
  type EditorContent,
  findItem,
  getSubjectId,
  getUserValues,
  isUpdate,
  pickValues,
  SCENE_ID,
  type Values,
} from "./content";
import { applyHeldChanges, type HeldChange, type Item, isSettled, rebaseHeldChange } from "./held-changes";
import { enqueue, listQueuedKinds, type Pending, rebase, separateQueued } from "./queue";
import type { Step } from "./steps";

/** A notice about an edit that was skipped, because another user changed or deleted the record. */
export interface SkippedEditNotice {
  readonly kind: "not-deleted" | "not-done";
  readonly id: string;
}

/** Local edits that are not saved yet. */
export class LocalChanges {
  readonly #eventId: Uuid;
  readonly #notify: (notice: SkippedEditNotice) => void;
  /** Content as the server last reported it. */
  base: ContentDraft;
  /** The saved content with all local edits. */
  draft: ContentDraft;
  /** Edits that wait to be saved. */
  queue: Pending[] = [];
  /** Number of edits at the start of the queue that were sent. Until the response arrives, it is unknown whether they were applied. */
  sentCount = 0;
  /** Changes that are held until the user decides, by the ids of their records. */
  readonly held = new Map<string, HeldChange>();

  constructor(eventId: Uuid, content: EditorContent, notify: (notice: SkippedEditNotice) => void) {
    this.#eventId = eventId;
    this.#notify = notify;
    this.base = new ContentDraft(content, eventId);
    this.draft = new ContentDraft(content, eventId);
  }

  /** Computes the draft again after the saved content, the queue or the held changes were replaced. */
  updateDraft(): void {
    this.draft = new ContentDraft(this.base.content(), this.#eventId);
    for (const { edit } of this.queue) this.draft.apply(edit);
    applyHeldChanges(this.draft, this.held.values());
  }

  /** Adds an edit to the queue, or its values to the held change of its record. A deletion discards the held change. */
  #push(edit: Edit): void {
    const id = getSubjectId(edit) ?? "";
    const heldChange = this.held.get(id);
    if (isUpdate(edit) && heldChange) {
      const previousValues = {
        ...pickValues(findItem(this.base, id), Object.keys(edit.values)),
        ...heldChange.savedValues,
      };
      this.held.set(id, {
        ...heldChange,
        localValues: { ...heldChange.localValues, ...edit.values },
        savedValues: previousValues,
      });
      // An edit that was rejected because of its values is sent again as soon as its values change.
      if (heldChange.reason !== "stale" && heldChange.reason !== "gone") this.release(id);
    } else if (edit.op === "delete" && heldChange) {
      this.held.delete(id);
      if (findItem(this.base, id)) enqueue(this.queue, { edit, previousValues: null }, this.sentCount);
    } else {
      const previousValues = isUpdate(edit)
        ? pickValues(findItem(this.draft, id), Object.keys(edit.values))
        : null;
      enqueue(this.queue, { edit, previousValues }, this.sentCount);
      this.draft.apply(edit);
      return;
    }
    this.updateDraft();
  }

  /** Applies edits. Returns the edits that had an effect, the edits that undo them, and the values of the records that they created or restored. */
  perform(edits: readonly Edit[]): Pick<Step, "edits" | "undo" | "createdValues"> {
    const previousTags = this.draft.content().tags;
    const effectiveEdits: Edit[] = [];
    const inverseEdits: (readonly Edit[])[] = [];
    const movedIds: string[] = [];
    for (const edit of edits) {
      const inverse = this.draft.inverseOf(edit);
      if (!inverse) continue;
      inverseEdits.push(inverse.edits);
      for (const id of inverse.moved) movedIds.push(id);
      effectiveEdits.push(edit);
      this.#push(edit);
    }
    const createdValues = new Map<string, Values>();
    for (const edit of effectiveEdits) {
      const isCreating = !isUpdate(edit) && edit.op !== "delete";
      const item = isCreating ? this.draft.find(getSubjectId(edit) ?? "") : undefined;
      if (item) createdValues.set(item.id, getUserValues(item));
    }
    // After everything is restored, one move returns all moved tags to their old positions.
    return {
      edits: effectiveEdits,
      undo: [...inverseEdits.reverse().flat(), ...createMovesBack(previousTags, movedIds)],
      createdValues,
    };
  }

  /** Holds the local changes of some records until the user decides. Each record has its own reason. */
  hold(changes: ReadonlyMap<string, Pick<HeldChange, "reason"> & Partial<HeldChange>>): void {
    if (changes.size === 0) return;
    const { localValues: queuedValues, remainingQueue } = separateQueued(this.queue, changes);
    this.queue = remainingQueue;
    for (const [id, change] of changes) {
      const item = findItem(this.draft, id) as Item | undefined;
      if (!item) continue;
      const heldBefore = this.held.get(id);
      const localValues = { ...heldBefore?.localValues, ...queuedValues.get(id) };
      this.held.set(id, {
        type: id === SCENE_ID ? "scene" : this.draft.typeOf(id),
        id,
        item,
        errors: {},
        create: null,
        ...heldBefore,
        ...change,
        localValues,
        savedValues: pickValues(findItem(this.base, id), Object.keys(localValues)),
      });
    }
  }

  /** Returns the held changes of a record to the queue. */
  release(id: string): void {
    const heldChange = this.held.get(id);
    if (!heldChange) return;
    this.held.delete(id);
    const add = (edit: Edit, previousValues: Values | null) =>
      enqueue(this.queue, { edit, previousValues }, this.sentCount);
    if (heldChange.create) add(heldChange.create, null);
    else if (heldChange.reason === "gone" && heldChange.type !== "scene") {
      this.base.addDeleted(heldChange.type, heldChange.item as EventTag | EventMedia);
      add({ op: "restore", type: heldChange.type, id }, null);
    }
    if (Object.keys(heldChange.localValues).length === 0) return;
    const update =
      heldChange.type === "scene"
        ? { op: "update_scene" as const, values: heldChange.localValues }
        : { op: `update_${heldChange.type}` as const, id, values: heldChange.localValues };
    const saved = findItem(this.base, id);
    add(
      update as Edit,
      saved && heldChange.reason === "stale" ? pickValues(saved, Object.keys(heldChange.localValues)) : null,
    );
  }

  /** Rebases the queued edits of some records on their saved versions, or holds them as conflicts. */
  #rebaseQueue(saved: ReadonlyMap<string, object>): void {
    if (saved.size === 0) return;
    const { queue: next, clashing } = rebase(this.queue, saved);
    this.queue = next;
    this.hold(new Map([...clashing].map((id) => [id, { reason: "stale" as const }])));
  }

  /** Reconciles local edits with records that were saved or deleted elsewhere. */
  reconcile(ids: Iterable<string>): void {
    const deletedByOthers = new Map<string, { readonly reason: "gone" }>();
    const undeletableIds = new Set<string>();
    const savedById = new Map<string, object>();
    const queuedKindsById = listQueuedKinds(this.queue);
    for (const id of new Set(ids)) {
      const saved = findItem(this.base, id);
      const [heldChange, queuedKinds] = [this.held.get(id), queuedKindsById.get(id)];
      if (heldChange && saved && isSettled(heldChange, saved)) this.held.delete(id);
      else if (heldChange && saved) this.held.set(id, rebaseHeldChange(heldChange, saved));
      if (heldChange && !saved && heldChange.create === null) deletedByOthers.set(id, { reason: "gone" });
      if (queuedKinds?.isDeleted && saved) {
        // The record has changed since the user chose to delete it.
        undeletableIds.add(id);
        this.#notify({ kind: "not-deleted", id });
      }
      if (queuedKinds?.isUpdated && saved) savedById.set(id, saved);
      else if (queuedKinds?.isUpdated && !queuedKinds.isCreated) deletedByOthers.set(id, { reason: "gone" });
    }
    if (undeletableIds.size > 0)
      this.queue = this.queue.filter(({ edit }) => edit.op !== "delete" || !undeletableIds.has(edit.id));
    this.hold(deletedByOthers);
    this.#rebaseQueue(savedById);
  }

  /** Stores a saved or deleted record, or the order of the tags. An older version of a record is ignored. */
  storeSaved(id: string, { type, item }: ContentItem): void {
    if (type === "order") this.base.setPositions(item);
    else if (type === "scene") {
      if (item.version > this.base.scene.version) this.base.setScene(item);
    } else if (item === null) this.base.drop(id);
    else if (item.version > (this.base.find(id)?.version ?? -1)) this.base.put(type, item);
  }

  /** Processes the result of an edit. Returns the edit if it must be sent again or the user must decide about it. */
  processResult(pending: Pending, result: CommandResult): Pending | null {
    const { edit } = pending;
    const id = getSubjectId(edit) ?? "";
    if (result.ok) {
      this.storeSaved(id, result);
      return null;
    }
    if (result.saved) this.storeSaved(id, result.saved);
    const saved = findItem(this.base, id);
    if (isUpdate(edit)) {
      if (result.reason === "not_found") this.base.drop(id);
      const isSaved =
        saved &&
        Object.entries(edit.values).every(([field, value]) =>
          isEqual((saved as unknown as Values)[field], value),
        );
      return result.reason === "stale" && isSaved ? null : pending;
    }
    if (edit.op === "delete") {
      if (result.reason === "not_found") this.base.drop(id);
      else this.#notify({ kind: "not-deleted", id });
    } else if (edit.op === "create_tag" || edit.op === "create_media") {
      if (!saved) return pending;
    } else if (!saved) this.#notify({ kind: "not-done", id });
    return null;
  }

  /** Holds, rebases or discards edits that were not saved, depending on their results. */
  sortUnsaved(unsaved: readonly (readonly [Pending, CommandResult])[]): void {
    const discarded = new Set<Edit>();
    const rejected = new Map<string, Pick<HeldChange, "reason"> & Partial<HeldChange>>();
    const staleRecords = new Map<string, object>();
    for (const [{ edit }, result] of unsaved) {
      if (result.ok) continue;
      const id = getSubjectId(edit) ?? "";
      const errors = result.errors ?? {};
      if (!isUpdate(edit)) {
        discarded.add(edit);
        if (result.reason !== "not_found") rejected.set(id, { reason: result.reason, create: edit, errors });
        else this.#notify({ kind: "not-done", id });
      } else if (result.reason === "not_found") rejected.set(id, { reason: "gone" });
      else if (result.reason !== "stale") rejected.set(id, { reason: result.reason, errors });
      else staleRecords.set(id, findItem(this.base, id) ?? {});
    }
    this.queue = this.queue.filter(({ edit }) => !discarded.has(edit));
    this.hold(rejected);
    this.#rebaseQueue(staleRecords);
  }
}
