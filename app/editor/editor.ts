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
  Draft,
  type Edit,
  isUpdate,
  itemOf,
  movesBack,
  pick,
  SCENE_ID,
  subjectOf,
  type Values,
  valuesOf,
} from "./content";
import { type Conflict, type Held, type Item, isSettled, overlay, rebased } from "./held";
import { type EditorPorts, OUTLIVING_BYTES } from "./ports";
import { batchOf, enqueue, type Pending, rebase, takeOut, waitingOf } from "./queue";
import { applicable, continued, type Step } from "./steps";

/** Time without edits after which edits are saved, and maximum time for which saving can be delayed, in milliseconds. */
export const QUIET_MS = 800;
const QUIET_MAX_MS = 5000;
/** Interval between two requests for others' changes, in milliseconds. */
export const POLL_MS = 4000;
const RETRY_MIN_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Bytes of a call besides its commands. */
const AROUND_BYTES = 1024;
const CALL_BYTES_MAX = API_BODY_MAX - AROUND_BYTES;
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

const contentOf = ({ tags, media, scene }: EventContent): Content => ({ tags, media, scene, gone: {} });

/** Creates the editor of an event's content. */
export function createEditor(input: {
  readonly eventId: Uuid;
  readonly content: EventContent;
  readonly ports: EditorPorts;
}): Editor {
  const { eventId, ports } = input;
  /** Content as the server last reported it. */
  let base = new Draft(contentOf(input.content), eventId);
  let { seq } = input.content;
  /** Sequence number of the last change that a response to this editor's own calls contained. */
  let confirmed = seq;
  /** Ids of this editor's calls, by which it recognizes its own changes. */
  const own = new Set<string>();
  let queue: Pending[] = [];
  /** Number of edits at the start of the queue that were sent without a response. Until one arrives, it is unknown whether they were applied. */
  let sent = 0;
  let isSending = false;
  /**
   * Maximum size of a call in bytes. It is reduced after a "too large" response until everything is saved, because an
   * intermediary may have its own limit, which may not apply next time.
   */
  let bytesMax = CALL_BYTES_MAX;
  const held = new Map<string, Held>();
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let line: "up" | "lost" | "refused" = "up";
  let attempts = 0;
  let notice: EditorState["notice"] = null;
  /** Time of the oldest unsaved edit. */
  let firstUnsaved: number | null = null;
  let shown = new Draft(base.content(), eventId);
  let current: EditorState = {
    content: base.content(),
    save: "saved",
    conflicts: [],
    canUndo: false,
    canRedo: false,
    notice,
  };
  const listeners = new Set<() => void>();

  const say = (next: EditorNotice) => {
    notice = { ...next, number: (notice?.number ?? 0) + 1 };
  };
  const saveState = (): SaveState => {
    if (line === "refused") return "refused";
    if (held.size > 0) return "conflict";
    if (queue.length === 0) return "saved";
    if (line === "lost") return "offline";
    return isSending ? "saving" : "unsaved";
  };
  const reshow = () => {
    shown = new Draft(base.content(), eventId);
    for (const { edit } of queue) shown.apply(edit);
    overlay(shown, held.values());
  };
  const emit = () => {
    reshow();
    current = {
      content: shown.content(),
      save: saveState(),
      conflicts: [...held.values()].map((each) => ({ ...each, saved: itemOf(base, each.id) ?? null })),
      canUndo: done.length > 0,
      canRedo: undone.length > 0,
      notice,
    };
    for (const listener of listeners) listener();
  };

  // ——— Local edits

  const push = (edit: Edit) => {
    const id = subjectOf(edit) ?? "";
    const waiting = held.get(id);
    if (isUpdate(edit) && waiting) {
      const was = { ...pick(itemOf(base, id), Object.keys(edit.values)), ...waiting.was };
      held.set(id, { ...waiting, mine: { ...waiting.mine, ...edit.values }, was });
      // An edit that was rejected because of its values is sent again as soon as its values change.
      if (waiting.reason !== "stale" && waiting.reason !== "gone") release(id);
    } else if (edit.op === "delete" && waiting) {
      held.delete(id);
      if (itemOf(base, id)) enqueue(queue, { edit, was: null }, sent);
    } else {
      const was = isUpdate(edit) ? pick(itemOf(shown, id), Object.keys(edit.values)) : null;
      enqueue(queue, { edit, was }, sent);
      shown.apply(edit);
      return;
    }
    reshow();
  };
  /** Performs edits. Returns those that changed anything, the edits that undo them, and the records that they created. */
  const perform = (edits: readonly Edit[]): Pick<Step, "edits" | "undo" | "made"> => {
    const before = shown.content().tags;
    const kept: Edit[] = [];
    const back: (readonly Edit[])[] = [];
    const moved: string[] = [];
    for (const edit of edits) {
      const inverse = shown.inverseOf(edit);
      if (!inverse) continue;
      back.push(inverse.edits);
      for (const id of inverse.moved) moved.push(id);
      kept.push(edit);
      push(edit);
    }
    const made = new Map<string, Values>();
    for (const edit of kept) {
      const isMade = !isUpdate(edit) && edit.op !== "delete";
      const item = isMade ? shown.find(subjectOf(edit) ?? "") : undefined;
      if (item) made.set(item.id, valuesOf(item));
    }
    // After everything is restored, all moved tags return to their old positions in one move.
    return { edits: kept, undo: [...back.reverse().flat(), ...movesBack(before, moved)], made };
  };
  const run: Editor["run"] = (edits, key, { isGesture = false } = {}) => {
    const at = ports.now();
    const next: Step = { ...perform(edits), key: key ?? null, isGesture, at };
    if (next.edits.length === 0) return;
    const longer = continued(done.at(-1), next);
    done = longer ? [...done.slice(0, -1), longer] : [...done, next].slice(-STEPS_MAX);
    undone = [];
    changed();
  };
  const takeBack = (from: "done" | "undone") => {
    const step = (from === "done" ? done : undone).at(-1);
    if (!step) return;
    const [edits, other] = from === "done" ? [step.undo, step.edits] : [step.edits, step.undo];
    const { edits: own, spared } = applicable(shown, edits, { other, made: step.made });
    const back = perform(own);
    if (from === "done") done = done.slice(0, -1);
    else undone = undone.slice(0, -1);
    const [others] = spared;
    if (back.edits.length > 0) {
      // A step always contains the edits of its forward direction and those that undo them.
      if (from === "done")
        undone = [...undone, { ...step, key: null, edits: back.undo, undo: back.edits, made: back.made }];
      else done = [...done, { ...step, ...back, key: null }];
    }
    if (others !== undefined) say({ kind: "not-deleted", id: others });
    else if (back.edits.length === 0) say({ kind: "undo-skipped" });
    else say({ kind: from === "done" ? "undone" : "redone" });
    if (back.edits.length === 0) emit();
    else changed();
  };

  // ——— Conflicts

  /** Keeps the local changes of some records, each for its reason, until the user decides. */
  const hold = (reasons: ReadonlyMap<string, Pick<Held, "reason"> & Partial<Held>>) => {
    if (reasons.size === 0) return;
    const { mine, rest } = takeOut(queue, reasons);
    queue = rest;
    for (const [id, more] of reasons) {
      const item = itemOf(shown, id) as Item | undefined;
      if (!item) continue;
      const before = held.get(id);
      const meant = { ...before?.mine, ...mine.get(id) };
      held.set(id, {
        type: id === SCENE_ID ? "scene" : shown.typeOf(id),
        id,
        item,
        errors: {},
        create: null,
        ...before,
        ...more,
        mine: meant,
        was: pick(itemOf(base, id), Object.keys(meant)),
      });
    }
  };
  const release = (id: string) => {
    const found = held.get(id);
    if (!found) return;
    held.delete(id);
    const add = (edit: Edit, was: Values | null) => enqueue(queue, { edit, was }, sent);
    if (found.create) add(found.create, null);
    else if (found.reason === "gone" && found.type !== "scene") {
      base.remember(found.type, found.item as EventTag | EventMedia);
      add({ op: "restore", type: found.type, id }, null);
    }
    if (Object.keys(found.mine).length === 0) return;
    const update =
      found.type === "scene"
        ? { op: "update_scene" as const, values: found.mine }
        : { op: `update_${found.type}` as const, id, values: found.mine };
    const saved = itemOf(base, id);
    add(update as Edit, saved && found.reason === "stale" ? pick(saved, Object.keys(found.mine)) : null);
  };
  const choose: Editor["choose"] = (id, whose) => {
    if (whose === "mine") release(id);
    else held.delete(id);
    changed();
  };

  // ——— Responses of the server

  /** Rebases the queued edits of some records on their saved versions, or reports a conflict. */
  const settleOn = (saved: ReadonlyMap<string, object>) => {
    if (saved.size === 0) return;
    const { queue: next, clashing } = rebase(queue, saved);
    queue = next;
    hold(new Map([...clashing].map((id) => [id, { reason: "stale" as const }])));
  };
  /** Reconciles local edits with records that another user saved or deleted. */
  const reconcile = (ids: Iterable<string>) => {
    const gone = new Map<string, { readonly reason: "gone" }>();
    const kept = new Set<string>();
    const saves = new Map<string, object>();
    const waiting = waitingOf(queue);
    for (const id of new Set(ids)) {
      const saved = itemOf(base, id);
      const [asks, waits] = [held.get(id), waiting.get(id)];
      if (asks && saved && isSettled(asks, saved)) held.delete(id);
      else if (asks && saved) held.set(id, rebased(asks, saved));
      if (asks && !saved && asks.create === null) gone.set(id, { reason: "gone" });
      if (waits?.deleted && saved) {
        // The record has changed since the user chose to delete it.
        kept.add(id);
        say({ kind: "not-deleted", id });
      }
      if (waits?.updated && saved) saves.set(id, saved);
      else if (waits?.updated && !waits.made) gone.set(id, { reason: "gone" });
    }
    if (kept.size > 0) queue = queue.filter(({ edit }) => edit.op !== "delete" || !kept.has(edit.id));
    hold(gone);
    settleOn(saves);
  };
  /** Stores a saved record. */
  const take = (id: string, { type, item }: ContentItem): void => {
    if (type === "order") base.order(item);
    else if (type === "scene") {
      if (item.version > base.scene.version) base.setScene(item);
    } else if (item === null) base.drop(id);
    else if (item.version > (base.find(id)?.version ?? -1)) base.put(type, item);
  };
  /** Processes the result of an edit. Returns the edit if it must be saved again or decided. */
  const settle = (pending: Pending, result: CommandResult): Pending | null => {
    const { edit } = pending;
    const id = subjectOf(edit) ?? "";
    if (result.ok) {
      take(id, result);
      return null;
    }
    if (result.saved) take(id, result.saved);
    const saved = itemOf(base, id);
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
      else say({ kind: "not-deleted", id });
    } else if (edit.op === "create_tag" || edit.op === "create_media") {
      if (!saved) return pending;
    } else if (!saved) say({ kind: "not-done", id });
    return null;
  };
  /** Decides how edits that were not saved continue. */
  const judge = (left: readonly (readonly [Pending, CommandResult])[]) => {
    const over = new Set<Edit>();
    const wrong = new Map<string, Pick<Held, "reason"> & Partial<Held>>();
    const stale = new Map<string, object>();
    for (const [{ edit }, result] of left) {
      if (result.ok) continue;
      const id = subjectOf(edit) ?? "";
      const errors = result.errors ?? {};
      if (!isUpdate(edit)) {
        over.add(edit);
        if (result.reason !== "not_found") wrong.set(id, { reason: result.reason, create: edit, errors });
        else say({ kind: "not-done", id });
      } else if (result.reason === "not_found") wrong.set(id, { reason: "gone" });
      else if (result.reason !== "stale") wrong.set(id, { reason: result.reason, errors });
      else stale.set(id, itemOf(base, id) ?? {});
    }
    queue = queue.filter(({ edit }) => !over.has(edit));
    hold(wrong);
    settleOn(stale);
  };
  /**
   * Handles a call that was too large and therefore not applied: the next call is half as large, or a single edit that is too
   * large becomes a conflict.
   */
  const divide = (bytes: number) => {
    const [first] = queue;
    const isOne = sent === 1;
    sent = 0;
    if (!isOne || !first) {
      bytesMax = Math.floor(bytes / 2);
      return;
    }
    const id = subjectOf(first.edit) ?? "";
    queue = queue.slice(1);
    if (isUpdate(first.edit)) queue = [first, ...queue];
    hold(new Map([[id, { reason: "too_large", create: isUpdate(first.edit) ? null : first.edit }]]));
  };
  const saveOnce = async () => {
    // Only the call that is sent while the page closes must outlive it.
    const isLeaving = leaving;
    leaving = false;
    const most = isLeaving ? Math.min(bytesMax, OUTLIVING_BYTES - AROUND_BYTES) : bytesMax;
    // Edits that were sent without a response are sent again unchanged. The service applies them only once.
    const { commands, bytes } = batchOf(
      sent > 0 ? queue.slice(0, sent) : queue,
      base,
      sent > 0 ? Number.POSITIVE_INFINITY : most,
    );
    sent = commands.length;
    const batch = queue.slice(0, sent);
    isSending = true;
    due = false;
    emit();
    const answer = await ports.send(commands, { leaving: isLeaving });
    isSending = false;
    if (answer.state === "too_large") divide(bytes);
    else if (answer.state !== "done") return fail(answer.state);
    else {
      sent = 0;
      confirmed = Math.max(confirmed, answer.seq);
      own.add(answer.act);
      const back = batch.flatMap((pending, index) => {
        const result = answer.results[index];
        const left = result ? settle(pending, result) : pending;
        return left && result ? [[left, result] as const] : [];
      });
      queue = [...back.map(([left]) => left), ...queue.slice(batch.length)];
      judge(back);
    }
    recover();
    // Edits that did not fit into this call, or must be sent for the newly saved version, are sent at once.
    due = queue.length > 0;
    if (!due) {
      firstUnsaved = null;
      bytesMax = CALL_BYTES_MAX;
    }
    emit();
  };

  // ——— Changes of other users

  /** Returns a value by which a change of a record is detected: its version, or for the event's own id the order of its tags. */
  const stateOf = (id: string) =>
    id === eventId ? base.content().tags.map((tag) => tag.id) : itemOf(base, id)?.version;
  const pollOnce = async () => {
    const answer = await ports.changes(seq);
    if (answer.state !== "done") {
      if (answer.state === "refused") line = "refused";
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
      if (!before.has(id)) before.set(id, stateOf(id));
      // All changes are applied in their order, including the editor's own, because they replace earlier ones by others.
      take(id, { type: change.itemType, item: change.after } as ContentItem);
      if (!own.has(change.act)) others.set(id, change.actorName);
    }
    // A record that ends in its known state is not reported. After a lost response, the editor cannot know whether the change was
    // its own.
    const news = new Set([...others.keys()].filter((id) => !isEqual(before.get(id), stateOf(id))));
    for (const id of news) name = others.get(id) || name;
    seq = Math.max(seq, answer.seq);
    reconcile(news);
    if (news.size > 0 || event) say({ kind: "others", name, count: news.size, event });
    asked = asked || answer.more;
    emit();
  };
  const absorb: Editor["absorb"] = (content) => {
    if (sent > 0 || content.seq < Math.max(seq, confirmed)) return;
    seq = content.seq;
    const all = [...content.tags, ...content.media];
    const there = new Set(all.map(({ id }) => id));
    const { tags, media } = base.content();
    const gone = [...tags, ...media].filter(({ id }) => !there.has(id));
    const news = [...all.filter(({ id, version }) => base.find(id)?.version !== version), ...gone];
    const changedIds = news.map(({ id }) => id);
    if (content.scene.version !== base.scene.version) changedIds.push(SCENE_ID);
    for (const { id } of gone) base.drop(id);
    const kept = Object.entries(base.content().gone).filter(([id]) => !there.has(id));
    base = new Draft({ ...contentOf(content), gone: Object.fromEntries(kept) }, eventId);
    reconcile(changedIds);
    emit();
  };

  // ——— Timing

  /** Whether edits must be saved now. */
  let due = false;
  /** Whether others' changes must be requested now. */
  let asked = false;
  let busy = false;
  let leaving = false;
  let callOff = () => {};
  const soon = (ms: number) => {
    callOff();
    callOff = ports.later(ms, () => {
      due = true;
      void pump();
    });
  };
  const changed = () => {
    const now = ports.now();
    firstUnsaved ??= now;
    if (queue.length > 0 && line !== "lost")
      soon(Math.max(0, Math.min(QUIET_MS, firstUnsaved + QUIET_MAX_MS - now)));
    emit();
  };
  const fail = (state: "lost" | "refused") => {
    line = state;
    due = false;
    if (state === "lost") soon(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** attempts++));
    emit();
  };
  const recover = () => {
    if (line === "lost" && queue.length > 0) say({ kind: "reconnected" });
    line = "up";
    attempts = 0;
  };
  /** Runs one call at a time, so that every response refers to the state at its request. */
  const pump = async () => {
    if (busy) return;
    busy = true;
    try {
      for (;;)
        if (due && queue.length > 0 && line !== "refused") await saveOnce();
        else if (asked && sent === 0) {
          // Before a response has arrived, others' changes cannot be distinguished from local ones.
          asked = false;
          await pollOnce();
        } else break;
    } finally {
      busy = false;
    }
  };
  const flush: Editor["flush"] = (options) => {
    leaving = options?.leaving ?? false;
    if (line === "refused") line = "up";
    due = queue.length > 0;
    void pump();
  };
  const poll = () => {
    asked = true;
    void pump();
  };
  const start = () => {
    let stop = () => {};
    const tick = () => {
      if (ports.visible() && line !== "refused") poll();
      stop = ports.later(POLL_MS, tick);
    };
    stop = ports.later(POLL_MS, tick);
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
