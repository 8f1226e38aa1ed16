/**
 * The engine of the event editor. It shows every edit at once, saves it after a short delay, merges what others saved, and never
 * lets one change silently replace another. It does not depend on React or on the browser.
 */

import type { CommandResult, ContentItem, EventContent } from "~/domain/content/content";
import { API_BODY_MAX } from "~/domain/shared/limits";
import type { EventMedia, EventTag, Uuid } from "~/domain/shared/model";
import { isEqual } from "~/domain/shared/same";
import {
  type Content,
  createMovesBack,
  Draft,
  type Edit,
  findItem,
  getSubjectId,
  getUserValues,
  isUpdate,
  pickValues,
  SCENE_ID,
  type Values,
} from "./content";
import {
  applyHeldChanges,
  type Conflict,
  type HeldChange,
  type Item,
  isSettled,
  rebaseHeldChange,
} from "./held-changes";
import { type EditorPorts, LEAVING_CALL_BYTES_MAX } from "./ports";
import { enqueue, listQueuedKinds, type Pending, rebase, separateQueued, takeBatch } from "./queue";
import { joinSteps, type Step, selectApplicableEdits } from "./steps";

/** Time without edits after which edits are saved, and maximum time for which saving can be delayed, in milliseconds. */
export const QUIET_MS = 800;
const QUIET_MAX_MS = 5000;
/** Interval between two requests for others' changes, in milliseconds. */
export const POLL_MS = 4000;
const RETRY_MIN_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Bytes of a call besides its commands. */
const OVERHEAD_BYTES = 1024;
const CALL_BYTES_MAX = API_BODY_MAX - OVERHEAD_BYTES;
/** Maximum number of steps that can be undone. */
const STEPS_MAX = 500;

/** State of the local edits. `refused`: the session has ended, or the event was deleted. */
export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict" | "refused";

/** A message that is shown once. */
export type EditorNotice =
  | { readonly kind: "undone" | "redone" | "undo-skipped" | "reconnected" }
  /** Another user changed records that are shown here. */
  | { readonly kind: "others"; readonly name: string; readonly count: number; readonly event: boolean }
  | { readonly kind: "not-deleted" | "not-done"; readonly id: string };

/** State that a page renders. */
export interface EditorState {
  readonly content: Content;
  readonly save: SaveState;
  readonly conflicts: readonly Conflict[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The last notice, with a number that increases with each one. */
  readonly notice: (EditorNotice & { readonly number: number }) | null;
}

/** See createEditor. */
export interface Editor {
  readonly state: () => EditorState;
  /** Calls a listener after every change. Returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Performs edits. Consecutive edits with the same `key` are undone together. Edits of a gesture are undone together after any pause. */
  readonly run: (edits: readonly Edit[], key?: string, options?: { readonly isGesture?: boolean }) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Resolves a conflict: saves the local change over the saved record, or discards it. */
  readonly choose: (id: string, whose: "mine" | "saved") => void;
  /** Merges content that arrived with a page. */
  readonly absorb: (content: EventContent) => void;
  /** Saves pending edits at once. */
  readonly flush: (options?: { readonly leaving?: boolean }) => void;
  /** Requests others' changes at once. */
  readonly poll: () => void;
  /** Starts polling for others' changes. Returns a function that stops it and saves pending edits. */
  readonly start: () => () => void;
}

const toContent = ({ tags, media, scene }: EventContent): Content => ({ tags, media, scene, deleted: {} });

/** Creates the editor of an event's content. */
export function createEditor(input: {
  readonly eventId: Uuid;
  readonly content: EventContent;
  readonly ports: EditorPorts;
}): Editor {
  const { eventId, ports } = input;
  /** Content as the server last reported it. */
  let base = new Draft(toContent(input.content), eventId);
  let { seq } = input.content;
  /** Sequence number of the last change that a response to this editor's own calls contained. */
  let confirmed = seq;
  /** Ids of this editor's calls, by which it recognizes its own changes. */
  const ownCalls = new Set<string>();
  let queue: Pending[] = [];
  /** Number of edits at the start of the queue that were sent without a response. Until one arrives, it is unknown whether they were applied. */
  let sentCount = 0;
  let isSending = false;
  /**
   * Maximum size of a call in bytes. It is reduced after a "too large" response until everything is saved, because an
   * intermediary may have its own limit, which may not apply next time.
   */
  let bytesMax = CALL_BYTES_MAX;
  const heldChanges = new Map<string, HeldChange>();
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let connection: "up" | "lost" | "refused" = "up";
  let attempts = 0;
  let notice: EditorState["notice"] = null;
  /** Time of the oldest unsaved edit. */
  let firstUnsaved: number | null = null;
  let localDraft = new Draft(base.content(), eventId);
  let current: EditorState = {
    content: base.content(),
    save: "saved",
    conflicts: [],
    canUndo: false,
    canRedo: false,
    notice,
  };
  const listeners = new Set<() => void>();

  const notify = (next: EditorNotice) => {
    notice = { ...next, number: (notice?.number ?? 0) + 1 };
  };
  const saveState = (): SaveState => {
    if (connection === "refused") return "refused";
    if (heldChanges.size > 0) return "conflict";
    if (queue.length === 0) return "saved";
    if (connection === "lost") return "offline";
    return isSending ? "saving" : "unsaved";
  };
  const updateLocalDraft = () => {
    localDraft = new Draft(base.content(), eventId);
    for (const { edit } of queue) localDraft.apply(edit);
    applyHeldChanges(localDraft, heldChanges.values());
  };
  const emit = () => {
    updateLocalDraft();
    current = {
      content: localDraft.content(),
      save: saveState(),
      conflicts: [...heldChanges.values()].map((each) => ({
        ...each,
        saved: findItem(base, each.id) ?? null,
      })),
      canUndo: done.length > 0,
      canRedo: undone.length > 0,
      notice,
    };
    for (const listener of listeners) listener();
  };

  // ——— Local edits

  const push = (edit: Edit) => {
    const id = getSubjectId(edit) ?? "";
    const heldChange = heldChanges.get(id);
    if (isUpdate(edit) && heldChange) {
      const was = { ...pickValues(findItem(base, id), Object.keys(edit.values)), ...heldChange.savedValues };
      heldChanges.set(id, {
        ...heldChange,
        localValues: { ...heldChange.localValues, ...edit.values },
        savedValues: was,
      });
      // An edit that was rejected because of its values is sent again as soon as its values change.
      if (heldChange.reason !== "stale" && heldChange.reason !== "gone") release(id);
    } else if (edit.op === "delete" && heldChange) {
      heldChanges.delete(id);
      if (findItem(base, id)) enqueue(queue, { edit, was: null }, sentCount);
    } else {
      const was = isUpdate(edit) ? pickValues(findItem(localDraft, id), Object.keys(edit.values)) : null;
      enqueue(queue, { edit, was }, sentCount);
      localDraft.apply(edit);
      return;
    }
    updateLocalDraft();
  };
  /** Performs edits. Returns those that changed anything, the edits that undo them, and the records that they created. */
  const perform = (edits: readonly Edit[]): Pick<Step, "edits" | "undo" | "createdValues"> => {
    const before = localDraft.content().tags;
    const effectiveEdits: Edit[] = [];
    const inverseEdits: (readonly Edit[])[] = [];
    const moved: string[] = [];
    for (const edit of edits) {
      const inverse = localDraft.inverseOf(edit);
      if (!inverse) continue;
      inverseEdits.push(inverse.edits);
      for (const id of inverse.moved) moved.push(id);
      effectiveEdits.push(edit);
      push(edit);
    }
    const createdValues = new Map<string, Values>();
    for (const edit of effectiveEdits) {
      const isMade = !isUpdate(edit) && edit.op !== "delete";
      const item = isMade ? localDraft.find(getSubjectId(edit) ?? "") : undefined;
      if (item) createdValues.set(item.id, getUserValues(item));
    }
    // After everything is restored, all moved tags return to their old positions in one move.
    return {
      edits: effectiveEdits,
      undo: [...inverseEdits.reverse().flat(), ...createMovesBack(before, moved)],
      createdValues,
    };
  };
  const run: Editor["run"] = (edits, key, { isGesture = false } = {}) => {
    const at = ports.now();
    const next: Step = { ...perform(edits), key: key ?? null, isGesture, at };
    if (next.edits.length === 0) return;
    const longer = joinSteps(done.at(-1), next);
    done = longer ? [...done.slice(0, -1), longer] : [...done, next].slice(-STEPS_MAX);
    undone = [];
    changed();
  };
  const takeBack = (from: "done" | "undone") => {
    const step = (from === "done" ? done : undone).at(-1);
    if (!step) return;
    const [edits, other] = from === "done" ? [step.undo, step.edits] : [step.edits, step.undo];
    const { edits: own, spared } = selectApplicableEdits(localDraft, edits, {
      other,
      createdValues: step.createdValues,
    });
    const back = perform(own);
    if (from === "done") done = done.slice(0, -1);
    else undone = undone.slice(0, -1);
    const [others] = spared;
    if (back.edits.length > 0) {
      // A step always contains the edits of its forward direction and those that undo them.
      if (from === "done")
        undone = [
          ...undone,
          { ...step, key: null, edits: back.undo, undo: back.edits, createdValues: back.createdValues },
        ];
      else done = [...done, { ...step, ...back, key: null }];
    }
    if (others !== undefined) notify({ kind: "not-deleted", id: others });
    else if (back.edits.length === 0) notify({ kind: "undo-skipped" });
    else notify({ kind: from === "done" ? "undone" : "redone" });
    if (back.edits.length === 0) emit();
    else changed();
  };

  // ——— Conflicts

  /** Keeps the local changes of some records, each for its reason, until the user decides. */
  const holdChanges = (reasons: ReadonlyMap<string, Pick<HeldChange, "reason"> & Partial<HeldChange>>) => {
    if (reasons.size === 0) return;
    const { mine, rest } = separateQueued(queue, reasons);
    queue = rest;
    for (const [id, more] of reasons) {
      const item = findItem(localDraft, id) as Item | undefined;
      if (!item) continue;
      const before = heldChanges.get(id);
      const meant = { ...before?.localValues, ...mine.get(id) };
      heldChanges.set(id, {
        type: id === SCENE_ID ? "scene" : localDraft.typeOf(id),
        id,
        item,
        errors: {},
        create: null,
        ...before,
        ...more,
        localValues: meant,
        savedValues: pickValues(findItem(base, id), Object.keys(meant)),
      });
    }
  };
  const release = (id: string) => {
    const found = heldChanges.get(id);
    if (!found) return;
    heldChanges.delete(id);
    const add = (edit: Edit, was: Values | null) => enqueue(queue, { edit, was }, sentCount);
    if (found.create) add(found.create, null);
    else if (found.reason === "gone" && found.type !== "scene") {
      base.remember(found.type, found.item as EventTag | EventMedia);
      add({ op: "restore", type: found.type, id }, null);
    }
    if (Object.keys(found.localValues).length === 0) return;
    const update =
      found.type === "scene"
        ? { op: "update_scene" as const, values: found.localValues }
        : { op: `update_${found.type}` as const, id, values: found.localValues };
    const saved = findItem(base, id);
    add(
      update as Edit,
      saved && found.reason === "stale" ? pickValues(saved, Object.keys(found.localValues)) : null,
    );
  };
  const choose: Editor["choose"] = (id, whose) => {
    if (whose === "mine") release(id);
    else heldChanges.delete(id);
    changed();
  };

  // ——— Responses of the server

  /** Rebases the queued edits of some records on their saved versions, or reports a conflict. */
  const rebaseQueue = (saved: ReadonlyMap<string, object>) => {
    if (saved.size === 0) return;
    const { queue: next, clashing } = rebase(queue, saved);
    queue = next;
    holdChanges(new Map([...clashing].map((id) => [id, { reason: "stale" as const }])));
  };
  /** Reconciles local edits with records that another user saved or deleted. */
  const reconcile = (ids: Iterable<string>) => {
    const gone = new Map<string, { readonly reason: "gone" }>();
    const kept = new Set<string>();
    const saves = new Map<string, object>();
    const waiting = listQueuedKinds(queue);
    for (const id of new Set(ids)) {
      const saved = findItem(base, id);
      const [asks, waits] = [heldChanges.get(id), waiting.get(id)];
      if (asks && saved && isSettled(asks, saved)) heldChanges.delete(id);
      else if (asks && saved) heldChanges.set(id, rebaseHeldChange(asks, saved));
      if (asks && !saved && asks.create === null) gone.set(id, { reason: "gone" });
      if (waits?.deleted && saved) {
        // The record has changed since the user chose to delete it.
        kept.add(id);
        notify({ kind: "not-deleted", id });
      }
      if (waits?.updated && saved) saves.set(id, saved);
      else if (waits?.updated && !waits.made) gone.set(id, { reason: "gone" });
    }
    if (kept.size > 0) queue = queue.filter(({ edit }) => edit.op !== "delete" || !kept.has(edit.id));
    holdChanges(gone);
    rebaseQueue(saves);
  };
  /** Stores a saved record. */
  const storeSaved = (id: string, { type, item }: ContentItem): void => {
    if (type === "order") base.order(item);
    else if (type === "scene") {
      if (item.version > base.scene.version) base.setScene(item);
    } else if (item === null) base.drop(id);
    else if (item.version > (base.find(id)?.version ?? -1)) base.put(type, item);
  };
  /** Processes the result of an edit. Returns the edit if it must be saved again or decided. */
  const processResult = (pending: Pending, result: CommandResult): Pending | null => {
    const { edit } = pending;
    const id = getSubjectId(edit) ?? "";
    if (result.ok) {
      storeSaved(id, result);
      return null;
    }
    if (result.saved) storeSaved(id, result.saved);
    const saved = findItem(base, id);
    if (isUpdate(edit)) {
      if (result.reason === "not_found") base.drop(id);
      const isThere =
        saved &&
        Object.entries(edit.values).every(([field, value]) =>
          isEqual((saved as unknown as Values)[field], value),
        );
      return result.reason === "stale" && isThere ? null : pending;
    }
    if (edit.op === "delete") {
      if (result.reason === "not_found") base.drop(id);
      else notify({ kind: "not-deleted", id });
    } else if (edit.op === "create_tag" || edit.op === "create_media") {
      if (!saved) return pending;
    } else if (!saved) notify({ kind: "not-done", id });
    return null;
  };
  /** Decides how edits that were not saved continue. */
  const sortUnsaved = (left: readonly (readonly [Pending, CommandResult])[]) => {
    const over = new Set<Edit>();
    const wrong = new Map<string, Pick<HeldChange, "reason"> & Partial<HeldChange>>();
    const stale = new Map<string, object>();
    for (const [{ edit }, result] of left) {
      if (result.ok) continue;
      const id = getSubjectId(edit) ?? "";
      const errors = result.errors ?? {};
      if (!isUpdate(edit)) {
        over.add(edit);
        if (result.reason !== "not_found") wrong.set(id, { reason: result.reason, create: edit, errors });
        else notify({ kind: "not-done", id });
      } else if (result.reason === "not_found") wrong.set(id, { reason: "gone" });
      else if (result.reason !== "stale") wrong.set(id, { reason: result.reason, errors });
      else stale.set(id, findItem(base, id) ?? {});
    }
    queue = queue.filter(({ edit }) => !over.has(edit));
    holdChanges(wrong);
    rebaseQueue(stale);
  };
  /**
   * Handles a call that was too large and therefore not applied: the next call is half as large, or a single edit that is too
   * large becomes a conflict.
   */
  const handleTooLarge = (bytes: number) => {
    const [first] = queue;
    const isOne = sentCount === 1;
    sentCount = 0;
    if (!isOne || !first) {
      bytesMax = Math.floor(bytes / 2);
      return;
    }
    const id = getSubjectId(first.edit) ?? "";
    queue = queue.slice(1);
    if (isUpdate(first.edit)) queue = [first, ...queue];
    holdChanges(new Map([[id, { reason: "too_large", create: isUpdate(first.edit) ? null : first.edit }]]));
  };
  const saveOnce = async () => {
    // Only the call that is sent while the page closes must outlive it.
    const isLeaving = leaving;
    leaving = false;
    const most = isLeaving ? Math.min(bytesMax, LEAVING_CALL_BYTES_MAX - OVERHEAD_BYTES) : bytesMax;
    // Edits that were sent without a response are sent again unchanged. The service applies them only once.
    const { commands, bytes } = takeBatch(
      sentCount > 0 ? queue.slice(0, sentCount) : queue,
      base,
      sentCount > 0 ? Number.POSITIVE_INFINITY : most,
    );
    sentCount = commands.length;
    const batch = queue.slice(0, sentCount);
    isSending = true;
    isSaveDue = false;
    emit();
    const answer = await ports.send(commands, { isPageLeaving: isLeaving });
    isSending = false;
    if (answer.state === "too_large") handleTooLarge(bytes);
    else if (answer.state !== "done") return fail(answer.state);
    else {
      sentCount = 0;
      confirmed = Math.max(confirmed, answer.seq);
      ownCalls.add(answer.act);
      const back = batch.flatMap((pending, index) => {
        const result = answer.results[index];
        const left = result ? processResult(pending, result) : pending;
        return left && result ? [[left, result] as const] : [];
      });
      queue = [...back.map(([left]) => left), ...queue.slice(batch.length)];
      sortUnsaved(back);
    }
    recover();
    // Edits that did not fit into this call, or must be sent for the newly saved version, are sent at once.
    isSaveDue = queue.length > 0;
    if (!isSaveDue) {
      firstUnsaved = null;
      bytesMax = CALL_BYTES_MAX;
    }
    emit();
  };

  // ——— Changes of other users

  /** Returns a value by which a change of a record is detected: its version, or for the event's own id the order of its tags. */
  const readState = (id: string) =>
    id === eventId ? base.content().tags.map((tag) => tag.id) : findItem(base, id)?.version;
  const pollOnce = async () => {
    const answer = await ports.changes(seq);
    if (answer.state !== "done") {
      if (answer.state === "refused") connection = "refused";
      return emit();
    }
    recover();
    const before = new Map<string, unknown>();
    const others = new Map<string, string>();
    let event = false;
    let name = "";
    for (const change of answer.changes) {
      // The page may have brought newer content during this request. Its changes are not applied twice.
      if (change.seq <= seq) continue;
      if (change.itemType === "event") {
        event = true;
        name = change.actorName || name;
        continue;
      }
      const id = change.itemType === "scene" ? SCENE_ID : change.itemId;
      if (!before.has(id)) before.set(id, readState(id));
      // All changes are applied in their order, including the editor's own, because they replace earlier ones by others.
      storeSaved(id, { type: change.itemType, item: change.after } as ContentItem);
      if (!ownCalls.has(change.act)) others.set(id, change.actorName);
    }
    // A record that ends in its known state is not reported. After a lost response, the editor cannot know whether the change was
    // its own.
    const news = new Set([...others.keys()].filter((id) => !isEqual(before.get(id), readState(id))));
    for (const id of news) name = others.get(id) || name;
    seq = Math.max(seq, answer.seq);
    reconcile(news);
    if (news.size > 0 || event) notify({ kind: "others", name, count: news.size, event });
    isPollDue = isPollDue || answer.more;
    emit();
  };
  const absorb: Editor["absorb"] = (content) => {
    if (sentCount > 0 || content.seq < Math.max(seq, confirmed)) return;
    seq = content.seq;
    const all = [...content.tags, ...content.media];
    const there = new Set(all.map(({ id }) => id));
    const { tags, media } = base.content();
    const gone = [...tags, ...media].filter(({ id }) => !there.has(id));
    const news = [...all.filter(({ id, version }) => base.find(id)?.version !== version), ...gone];
    const changedIds = news.map(({ id }) => id);
    if (content.scene.version !== base.scene.version) changedIds.push(SCENE_ID);
    for (const { id } of gone) base.drop(id);
    const kept = Object.entries(base.content().deleted).filter(([id]) => !there.has(id));
    base = new Draft({ ...toContent(content), deleted: Object.fromEntries(kept) }, eventId);
    reconcile(changedIds);
    emit();
  };

  // ——— Timing

  /** Whether edits must be saved now. */
  let isSaveDue = false;
  /** Whether others' changes must be requested now. */
  let isPollDue = false;
  let isBusy = false;
  let leaving = false;
  let cancelTimer = () => {};
  const saveAfter = (ms: number) => {
    cancelTimer();
    cancelTimer = ports.schedule(ms, () => {
      isSaveDue = true;
      void runCalls();
    });
  };
  const changed = () => {
    const now = ports.now();
    firstUnsaved ??= now;
    if (queue.length > 0 && connection !== "lost")
      saveAfter(Math.max(0, Math.min(QUIET_MS, firstUnsaved + QUIET_MAX_MS - now)));
    emit();
  };
  const fail = (state: "lost" | "refused") => {
    connection = state;
    isSaveDue = false;
    if (state === "lost") saveAfter(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempts++));
    emit();
  };
  const recover = () => {
    if (connection === "lost" && queue.length > 0) notify({ kind: "reconnected" });
    connection = "up";
    attempts = 0;
  };
  /** Runs one call at a time, so that every response refers to the state at its request. */
  const runCalls = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (;;)
        if (isSaveDue && queue.length > 0 && connection !== "refused") await saveOnce();
        else if (isPollDue && sentCount === 0) {
          // Before a response has arrived, others' changes cannot be distinguished from local ones.
          isPollDue = false;
          await pollOnce();
        } else break;
    } finally {
      isBusy = false;
    }
  };
  const flush: Editor["flush"] = (options) => {
    leaving = options?.leaving ?? false;
    if (connection === "refused") connection = "up";
    isSaveDue = queue.length > 0;
    void runCalls();
  };
  const poll = () => {
    isPollDue = true;
    void runCalls();
  };
  const start = () => {
    let stop = () => {};
    const tick = () => {
      if (ports.isVisible() && connection !== "refused") poll();
      stop = ports.schedule(POLL_MS, tick);
    };
    stop = ports.schedule(POLL_MS, tick);
    return () => {
      stop();
      flush();
    };
  };
  return {
    state: () => current,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    run,
    undo: () => takeBack("done"),
    redo: () => takeBack("undone"),
    choose,
    absorb,
    flush,
    poll,
    start,
  };
}
