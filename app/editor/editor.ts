/**
 * The engine of the event editor: shows every edit at once, saves it a moment later, takes in what others saved, and never lets
 * one silently replace the other. Knows no React and no browser.
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

/** How long nothing may happen before what was done is saved, and how long that can be put off, in milliseconds. */
export const QUIET_MS = 800;
const QUIET_MAX_MS = 5000;
/** How often others' changes are asked for. */
export const POLL_MS = 4000;
const RETRY_MIN_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Bytes of what stands around the commands of one call. */
const AROUND_BYTES = 1024;
const CALL_BYTES_MAX = API_BODY_MAX - AROUND_BYTES;
/** Steps that can be taken back. */
const STEPS_MAX = 500;

/** How what was done stands. `refused`: the session has ended, or the event is gone. */
export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict" | "refused";

/** Something that people should hear of once. */
export type EditorNotice =
  | { readonly kind: "undone" | "redone" | "undo-skipped" | "reconnected" }
  /** Somebody changed things that are shown here. */
  | { readonly kind: "others"; readonly name: string; readonly count: number; readonly event: boolean }
  | { readonly kind: "not-deleted" | "not-done"; readonly id: string };

/** What a page shows. */
export interface EditorState {
  readonly content: Content;
  readonly save: SaveState;
  readonly conflicts: readonly Conflict[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The last one, with a number that grows with each. */
  readonly notice: (EditorNotice & { readonly number: number }) | null;
}

/** See createEditor. */
export interface Editor {
  readonly state: () => EditorState;
  /** Calls back after every change; returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Does something. Edits of one `key` that follow each other at once are taken back together; of a gesture, whenever they follow. */
  readonly run: (edits: readonly Edit[], key?: string, options?: { readonly isGesture?: boolean }) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Decides a conflict: saves what was meant here over what is saved, or lets it go. */
  readonly choose: (id: string, whose: "mine" | "saved") => void;
  /** Takes in content that came with a page. */
  readonly absorb: (content: EventContent) => void;
  /** Saves at once what waits. */
  readonly flush: (options?: { readonly leaving?: boolean }) => void;
  /** Asks at once what others changed. */
  readonly poll: () => void;
  /** Begins to ask what others changed; returns what ends that and saves what waits. */
  readonly start: () => () => void;
}

const contentOf = ({ tags, media, scene }: EventContent): Content => ({ tags, media, scene, gone: {} });

/** Makes the editor of an event's content. */
export function createEditor(input: {
  readonly eventId: Uuid;
  readonly content: EventContent;
  readonly ports: EditorPorts;
}): Editor {
  const { eventId, ports } = input;
  /** As the server last said. */
  let base = new Draft(contentOf(input.content), eventId);
  let { seq } = input.content;
  /** The number of the last change that an answer to this editor has told of. */
  let confirmed = seq;
  /** The calls of this editor, by which it knows its own changes again. */
  const own = new Set<string>();
  let queue: Pending[] = [];
  /** How many of the first edits were sent without an answer yet: until one comes nobody knows whether they were done. */
  let sent = 0;
  let isSending = false;
  /** Less when a call was told that it is too large, until all is saved: what stood in between may be gone by the next time. */
  let bytesMax = CALL_BYTES_MAX;
  const held = new Map<string, Held>();
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let line: "up" | "lost" | "refused" = "up";
  let attempts = 0;
  let notice: EditorState["notice"] = null;
  /** When the oldest of what is not saved was done. */
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

  // ——— What somebody does here

  const push = (edit: Edit) => {
    const id = subjectOf(edit) ?? "";
    const waiting = held.get(id);
    if (isUpdate(edit) && waiting) {
      const was = { ...pick(itemOf(base, id), Object.keys(edit.values)), ...waiting.was };
      held.set(id, { ...waiting, mine: { ...waiting.mine, ...edit.values }, was });
      // What was refused for what it said is tried again as soon as it says something else.
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
  /** Does edits and tells which of them changed anything, what takes them back, and what they made. */
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
    // Once everything is there again, it goes back to where it stood, all of it at once.
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
      // A step always holds what is done when it goes forward, and what takes that back.
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

  /** Keeps some things as they are meant here, each for its reason, until somebody decides. */
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

  // ——— What the server says

  /** Sets what waits for some things on what is saved of them, or asks. */
  const settleOn = (saved: ReadonlyMap<string, object>) => {
    if (saved.size === 0) return;
    const { queue: next, clashing } = rebase(queue, saved);
    queue = next;
    hold(new Map([...clashing].map((id) => [id, { reason: "stale" as const }])));
  };
  /** Somebody else saved some things, or deleted them: sets what waits here against that. */
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
        // It is no longer what somebody chose to delete.
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
  /** Takes in what is saved. */
  const take = (id: string, { type, item }: ContentItem): void => {
    if (type === "order") base.order(item);
    else if (type === "scene") {
      if (item.version > base.scene.version) base.setScene(item);
    } else if (item === null) base.drop(id);
    else if (item.version > (base.find(id)?.version ?? -1)) base.put(type, item);
  };
  /** Takes in the answer to an edit; the edit, where it is still to be saved or decided about. */
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
  /** What is to become of edits that were not saved. */
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
  /** A call was larger than the API takes, and nothing of it was done: half of it goes, or what alone is too much is kept here. */
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
    // Only what is sent while the page goes has to outlive it.
    const isLeaving = leaving;
    leaving = false;
    const most = isLeaving ? Math.min(bytesMax, OUTLIVING_BYTES - AROUND_BYTES) : bytesMax;
    // What was sent without an answer is sent just so again: the service does it once.
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
    // What did not fit into this call, or is to be tried on what is saved now, goes at once.
    due = queue.length > 0;
    if (!due) {
      firstUnsaved = null;
      bytesMax = CALL_BYTES_MAX;
    }
    emit();
  };

  // ——— Others

  /** What tells whether a thing has changed; of the event's own id the order of its tags. */
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
      // What a page brought while this was asked for is newer than the answer: nothing of it happens a second time.
      if (change.seq <= seq) continue;
      if (change.itemType === "event") {
        event = true;
        name = change.actorName || name;
        continue;
      }
      const id = change.itemType === "scene" ? SCENE_ID : change.itemId;
      if (!before.has(id)) before.set(id, stateOf(id));
      // In their order, one's own as well: what somebody did before that is overtaken by it.
      take(id, { type: change.itemType, item: change.after } as ContentItem);
      if (!own.has(change.act)) others.set(id, change.actorName);
    }
    // What ends as it was known is no news: nobody told whose it was of what was done here by a call whose answer was lost.
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

  // ——— When

  /** Something is to be saved now. */
  let due = false;
  /** Others' changes are to be asked for now. */
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
  /** One call at a time, so that every answer is about what was there when it was asked for. */
  const pump = async () => {
    if (busy) return;
    busy = true;
    try {
      for (;;)
        if (due && queue.length > 0 && line !== "refused") await saveOnce();
        else if (asked && sent === 0) {
          // Before that, what others did could not be told from what was done here.
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
