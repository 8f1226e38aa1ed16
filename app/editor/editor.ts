/**
 * The engine of the event editor: shows every edit at once, saves it a moment later, takes in what others saved, and never lets
 * one silently replace the other. Knows no React and no browser.
 */

import type { CommandResult, ContentChange, ContentItem, EventContent } from "~/domain/content";
import type { Uuid } from "~/domain/model";
import { isEqual } from "~/domain/same";
import {
  applyEdit,
  type Content,
  drop,
  type Edit,
  inverseOf,
  isUpdate,
  itemOf,
  pick,
  put,
  reorder,
  SCENE_ID,
  subjectOf,
  type Values,
} from "./content";
import { type Conflict, type Held, type Item, isSettled, overlay, typeOf } from "./held";
import type { EditorPorts } from "./ports";
import { batchSize, enqueue, type Pending, rebase, takeOut, toCommand } from "./queue";
import { applicable, continued, type Step } from "./steps";

/** How long nothing may happen before what was done is saved, and how long that can be put off, in milliseconds. */
export const QUIET_MS = 800;
const QUIET_MAX_MS = 5000;
/** How often others' changes are asked for. */
export const POLL_MS = 4000;
const RETRY_MIN_MS = 1000;
const RETRY_MAX_MS = 30_000;
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
  /** Does something. Edits of one `key` that follow each other at once are taken back together. */
  readonly run: (edits: readonly Edit[], key?: string) => void;
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
  let base = contentOf(input.content);
  let { seq } = input.content;
  /** The number of the last change that an answer to this editor has told of. */
  let confirmed = seq;
  /** The calls of this editor, by which it knows its own changes again. */
  const own = new Set<string>();
  let queue: readonly Pending[] = [];
  /** How many of the first edits were sent without an answer yet: until one comes nobody knows whether they were done. */
  let sent = 0;
  let isSending = false;
  let held: readonly Held[] = [];
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let line: "up" | "lost" | "refused" = "up";
  let attempts = 0;
  let notice: EditorState["notice"] = null;
  /** When the oldest of what is not saved was done. */
  let firstUnsaved: number | null = null;
  let shown = base;
  let current: EditorState = {
    content: base,
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
    if (held.length > 0) return "conflict";
    if (queue.length === 0) return "saved";
    if (line === "lost") return "offline";
    return isSending ? "saving" : "unsaved";
  };
  const reshow = () => {
    shown = overlay(
      queue.reduce<Content>((content, { edit }) => applyEdit(content, edit, eventId), base),
      held,
    );
  };
  const emit = () => {
    reshow();
    current = {
      content: shown,
      save: saveState(),
      conflicts: held.map((each) => ({ ...each, saved: itemOf(base, each.id) ?? null })),
      canUndo: done.length > 0,
      canRedo: undone.length > 0,
      notice,
    };
    for (const listener of listeners) listener();
  };

  // ——— What somebody does here

  const push = (edit: Edit) => {
    const id = subjectOf(edit) ?? "";
    const waiting = held.find((each) => each.id === id);
    if (isUpdate(edit) && waiting) {
      const mine = { ...waiting.mine, ...edit.values };
      const decides = waiting.reason === "stale" || waiting.reason === "gone";
      held = held.map((each) => (each === waiting ? { ...each, mine } : each));
      // What was refused for what it said is tried again as soon as it says something else.
      if (!decides) release(id);
    } else if (edit.op === "delete" && waiting) {
      held = held.filter((each) => each !== waiting);
      if (itemOf(base, id)) queue = enqueue(queue, { edit, was: null }, sent);
    } else {
      const was = isUpdate(edit) ? pick(itemOf(shown, id), Object.keys(edit.values)) : null;
      queue = enqueue(queue, { edit, was }, sent);
    }
    reshow();
  };
  /** Does edits and tells which of them changed anything, and what takes them back. */
  const perform = (edits: readonly Edit[]): Pick<Step, "edits" | "undo"> => {
    const kept: Edit[] = [];
    const undo: Edit[] = [];
    for (const edit of edits) {
      const back = inverseOf(shown, edit);
      if (back.length === 0) continue;
      undo.unshift(...back);
      kept.push(edit);
      push(edit);
    }
    return { edits: kept, undo };
  };
  const run: Editor["run"] = (edits, key) => {
    const at = ports.now();
    const next: Step = { ...perform(edits), key: key ?? null, at };
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
    const back = perform(applicable(shown, edits, other));
    if (from === "done") done = done.slice(0, -1);
    else undone = undone.slice(0, -1);
    if (back.edits.length === 0) {
      say({ kind: "undo-skipped" });
      return emit();
    }
    // A step always holds what is done when it goes forward, and what takes that back.
    if (from === "done") undone = [...undone, { ...step, key: null, edits: back.undo, undo: back.edits }];
    else done = [...done, { ...step, ...back, key: null }];
    say({ kind: from === "done" ? "undone" : "redone" });
    changed();
  };

  // ——— Conflicts

  const hold = (id: string, reason: Held["reason"], more: Partial<Held> = {}) => {
    const item = itemOf(shown, id) as Item | undefined;
    const type = typeOf(shown, id);
    const { mine, rest } = takeOut(queue, id);
    queue = rest;
    if (!item) return;
    const before = held.find((each) => each.id === id);
    held = [
      ...held.filter((each) => each.id !== id),
      {
        type,
        id,
        reason,
        item,
        errors: {},
        create: null,
        ...before,
        ...more,
        mine: { ...before?.mine, ...mine },
      },
    ];
  };
  const release = (id: string) => {
    const found = held.find((each) => each.id === id);
    if (!found) return;
    held = held.filter((each) => each !== found);
    const add = (edit: Edit, was: Values | null) => {
      queue = enqueue(queue, { edit, was }, sent);
    };
    if (found.create) add(found.create, null);
    else if (found.reason === "gone" && found.type !== "scene") {
      base = { ...base, gone: { ...base.gone, [id]: { type: found.type, item: found.item } as never } };
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
    else held = held.filter((each) => each.id !== id);
    changed();
  };

  // ——— What the server says

  /** Sets what waits for a thing on what is saved of it, or asks. */
  const settleOn = (id: string, saved: object) => {
    const next = rebase(queue, id, saved);
    if (next) queue = next;
    else hold(id, "stale");
  };
  /** Somebody else saved a thing, or deleted it: sets what waits here against that. */
  const reconcile = (id: string) => {
    const saved = itemOf(base, id);
    const waiting = held.find((each) => each.id === id);
    if (waiting && saved && isSettled(waiting, saved)) held = held.filter((each) => each !== waiting);
    else if (waiting && !saved && waiting.create === null) hold(id, "gone", { reason: "gone" });
    if (queue.some(({ edit }) => edit.op === "delete" && edit.id === id) && saved) {
      // It is no longer what somebody chose to delete.
      queue = queue.filter(({ edit }) => !(edit.op === "delete" && edit.id === id));
      say({ kind: "not-deleted", id });
    }
    const updates = queue.some(({ edit }) => isUpdate(edit) && subjectOf(edit) === id);
    if (!updates) return;
    const isMade = queue.some(
      ({ edit }) => !isUpdate(edit) && edit.op !== "delete" && subjectOf(edit) === id,
    );
    if (!saved && !isMade) hold(id, "gone");
    else if (saved) settleOn(id, saved);
  };
  /** Takes in what is saved; whether that was news. */
  const take = (id: string, { type, item }: ContentItem): boolean => {
    if (type === "order") {
      const tags = reorder(base.tags, item);
      const isNews = tags.some((tag, index) => tag.id !== base.tags[index]?.id);
      base = { ...base, tags };
      return isNews;
    }
    const known = itemOf(base, type === "scene" ? SCENE_ID : id);
    if (type === "scene") {
      if (item.version <= base.scene.version) return false;
      base = { ...base, scene: item };
      return true;
    }
    if (item === null) {
      base = drop(base, id);
      return known !== undefined;
    }
    if (known && item.version <= known.version) return false;
    base = put(base, type, item);
    return true;
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
      if (result.reason === "not_found") base = drop(base, id);
      const isThere =
        saved &&
        Object.entries(edit.values).every(([field, value]) =>
          isEqual((saved as unknown as Values)[field], value),
        );
      return result.reason === "stale" && isThere ? null : pending;
    }
    if (edit.op === "delete") {
      if (result.reason === "not_found") base = drop(base, id);
      else say({ kind: "not-deleted", id });
    } else if (edit.op === "create_tag" || edit.op === "create_media") {
      if (!saved) return pending;
    } else if (!saved) say({ kind: "not-done", id });
    return null;
  };
  /** What is to become of an edit that was not saved. */
  const judge = ({ edit }: Pending, result: CommandResult) => {
    if (result.ok) return;
    const id = subjectOf(edit) ?? "";
    const errors = result.errors ?? {};
    if (!isUpdate(edit)) {
      queue = queue.filter((each) => each.edit !== edit);
      if (result.reason !== "not_found") hold(id, result.reason, { create: edit, errors });
      else say({ kind: "not-done", id });
    } else if (result.reason === "not_found") hold(id, "gone");
    else if (result.reason !== "stale") hold(id, result.reason, { errors });
    else settleOn(id, itemOf(base, id) ?? {});
  };
  const saveOnce = async () => {
    // What was sent without an answer is sent just so again: the service does it once.
    const batch = queue.slice(0, sent || batchSize(queue));
    sent = batch.length;
    isSending = true;
    // Only what is sent while the page goes has to outlive it.
    const isLeaving = leaving;
    leaving = false;
    due = false;
    emit();
    const answer = await ports.send(
      batch.map(({ edit }) => toCommand(edit, base)),
      { leaving: isLeaving },
    );
    isSending = false;
    if (answer.state !== "done") return fail(answer.state);
    sent = 0;
    recover();
    confirmed = Math.max(confirmed, answer.seq);
    own.add(answer.act);
    const back = batch.flatMap((pending, index) => {
      const result = answer.results[index];
      const left = result ? settle(pending, result) : pending;
      return left && result ? [{ left, result }] : [];
    });
    queue = [...back.map(({ left }) => left), ...queue.slice(batch.length)];
    for (const { left, result } of back) judge(left, result);
    // What did not fit into this call, or is to be tried on what is saved now, goes at once.
    due = queue.length > 0;
    if (!due) firstUnsaved = null;
    emit();
  };

  // ——— Others

  const pollOnce = async () => {
    const answer = await ports.changes(seq);
    if (answer.state !== "done") {
      if (answer.state === "refused") line = "refused";
      return emit();
    }
    recover();
    seq = Math.max(seq, answer.seq);
    const news = new Set<string>();
    let event = false;
    let name = "";
    for (const change of answer.changes) {
      if (!isNews(change)) continue;
      name = change.actorName || name;
      if (change.itemType === "event") event = true;
      else news.add(change.itemType === "scene" ? SCENE_ID : change.itemId);
    }
    for (const id of news) reconcile(id);
    if (news.size > 0 || event) say({ kind: "others", name, count: news.size, event });
    asked = asked || answer.more;
    emit();
  };
  const isNews = (change: ContentChange): boolean => {
    if (change.itemType === "event") return true;
    const { itemType: type, after: item } = change;
    // In their order, one's own as well: what somebody did before that is overtaken by it.
    return take(change.itemId, { type, item } as ContentItem) && !own.has(change.act);
  };
  const absorb: Editor["absorb"] = (content) => {
    if (sent > 0 || content.seq < Math.max(seq, confirmed)) return;
    seq = content.seq;
    const next = contentOf(content);
    const news = [...next.tags, ...next.media].filter(
      ({ id, version }) => itemOf(base, id)?.version !== version,
    );
    const gone = [...base.tags, ...base.media].filter(({ id }) => !itemOf(next, id));
    const isSceneNew = next.scene.version !== base.scene.version;
    const kept = gone.reduce((all, { id }) => drop(all, id), base).gone;
    const back = new Set([...next.tags, ...next.media].map(({ id }) => id));
    base = { ...next, gone: Object.fromEntries(Object.entries(kept).filter(([id]) => !back.has(id))) };
    for (const { id } of [...news, ...gone]) reconcile(id);
    if (isSceneNew) reconcile(SCENE_ID);
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
