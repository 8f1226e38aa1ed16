/**
 * The engine of the event editor. It shows every edit at once, saves it after a short delay, and merges other users' changes. No change replaces
 * another one without notice. The engine does not depend on React or on the browser.
 */
import type { ContentItem, EventContent } from "~/domain/content/content";
import { isEqual } from "~/domain/shared/is-equal";
import { API_BODY_MAX, LEAVING_CALL_BYTES_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import {
  ContentDraft,
  type Edit,
  type EditorContent,
  findItem,
  getSubjectId,
  isUpdate,
  SCENE_ID,
} from "./content";
import type { HeldConflict } from "./held-changes";
import { LocalChanges, type SkippedEditNotice } from "./local-changes";
import type { EditorPorts } from "./ports";
import { takeBatch } from "./queue";
import { joinSteps, type Step, selectApplicableEdits, withoutDeletions } from "./steps";

/** Time without edits after which edits are saved, and maximum delay of a save, in milliseconds. */
export const QUIET_MS = 800;
const QUIET_MAX_MS = 5000;
/** Interval between two requests for other users' changes, in milliseconds. */
export const POLL_MS = 4000;
/** Delay before a call without a response is sent again, in milliseconds. It doubles with each attempt, up to the maximum. */
const RETRY_MIN_MS = 1000;
const RETRY_MAX_MS = 30_000;
/** Bytes of a call that are reserved for everything but its commands. */
const OVERHEAD_BYTES = 1024;
const CALL_BYTES_MAX = API_BODY_MAX - OVERHEAD_BYTES;
/** Maximum number of steps that can be undone. */
const STEPS_MAX = 500;

/** State of the local edits. `conflict`: the user must decide about some; `rejected`: the server rejects all calls, for example because the session has ended. */
export type SaveState = "saved" | "saving" | "unsaved" | "offline" | "conflict" | "rejected";

/** A message that is shown once. */
export type EditorNotice =
  | { readonly kind: "undone" | "redone" | "undo-skipped" | "reconnected" }
  /**
   * Another user changed records or the settings of the event. `hasChangedSettings`: these settings were changed, by another user or by the user in
   * another window.
   */
  | {
      readonly kind: "others";
      readonly name: string;
      readonly count: number;
      readonly hasChangedSettings: boolean;
    }
  /** The user changed such records, or the settings of the event, in another window. */
  | { readonly kind: "own"; readonly count: number; readonly hasChangedSettings: boolean }
  | SkippedEditNotice;

/** State that a page renders. */
export interface EditorState {
  readonly content: EditorContent;
  readonly save: SaveState;
  readonly conflicts: readonly HeldConflict[];
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** The latest notice, with a number that increases with each notice. */
  readonly notice: (EditorNotice & { readonly number: number }) | null;
}

/** Methods of an event's editor. */
export interface Editor {
  readonly state: () => EditorState;
  /** Calls a listener after every change. Returns a function that unsubscribes it. */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Applies edits. Restoring what was deleted removes the deletion from the steps of undo, so that undo does not delete it again. Consecutive updates
   * with the same `key` and short pauses are undone together. With `isGesture`, the pauses may be of any length.
   */
  readonly run: (edits: readonly Edit[], key?: string, options?: { readonly isGesture?: boolean }) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Resolves a conflict: saves the local change over the saved record, or discards it. */
  readonly choose: (id: string, whose: "mine" | "saved") => void;
  /** Merges the content that a page has loaded. It is ignored when it is older than the editor's, and while a save has no response. */
  readonly absorb: (content: EventContent) => void;
  /** Saves pending edits at once. With `leaving`, the page is about to close: the call continues afterwards, and has a lower size limit. */
  readonly flush: (options?: { readonly leaving?: boolean }) => void;
  /** Requests other users' changes at once. */
  readonly poll: () => void;
  /** Starts polling for other users' changes. Returns a function that stops polling and saves pending edits. */
  readonly start: () => () => void;
}

const toContent = ({ tags, media, scene }: EventContent): EditorContent => ({
  tags,
  media,
  scene,
  deleted: {},
});

/** Creates the editor of an event's content. */
export function createEditor(input: {
  readonly eventId: Uuid;
  /** The account of the user. */
  readonly userId: Uuid;
  readonly content: EventContent;
  readonly ports: EditorPorts;
}): Editor {
  const { eventId, userId, ports } = input;
  let { seq } = input.content;
  /** Sequence number of the last change that a response to this editor's own calls contained. */
  let confirmedSeq = seq;
  /** Ids of this editor's calls, by which its own changes are recognized. */
  const ownCalls = new Set<string>();
  let isSending = false;
  /**
   * Maximum size of a call in bytes. After a "too large" response, it is reduced until everything is saved, because a proxy may have a lower limit.
   * That limit may not apply to later calls.
   */
  let bytesMax = CALL_BYTES_MAX;
  let done: readonly Step[] = [];
  let undone: readonly Step[] = [];
  let connection: "up" | "lost" | "rejected" = "up";
  let failedAttempts = 0;
  let notice: EditorState["notice"] = null;
  /** Time since which the queue of unsaved edits is not empty, in milliseconds of the editor's clock; null while it is empty. */
  let unsavedSince: number | null = null;
  const notify = (newNotice: EditorNotice) => {
    notice = { ...newNotice, number: (notice?.number ?? 0) + 1 };
  };
  const local = new LocalChanges(eventId, toContent(input.content), notify);
  let current: EditorState = {
    content: local.base.content(),
    save: "saved",
    conflicts: [],
    canUndo: false,
    canRedo: false,
    notice,
  };
  const listeners = new Set<() => void>();

  const saveState = (): SaveState => {
    if (connection === "rejected") return "rejected";
    if (local.held.size > 0) return "conflict";
    if (local.queue.length === 0) return "saved";
    if (connection === "lost") return "offline";
    return isSending ? "saving" : "unsaved";
  };
  const emit = () => {
    if (local.queue.length === 0) unsavedSince = null;
    local.updateDraft();
    current = {
      content: local.draft.content(),
      save: saveState(),
      conflicts: [...local.held.values()].map((change) => ({
        ...change,
        saved: findItem(local.base, change.id) ?? null,
      })),
      canUndo: done.length > 0,
      canRedo: undone.length > 0,
      notice,
    };
    for (const listener of listeners) listener();
  };

  // ——— Local edits

  const run: Editor["run"] = (edits, key, { isGesture = false } = {}) => {
    const now = ports.now();
    const next: Step = { ...local.perform(edits), key: key ?? null, isGesture, at: now };
    if (next.edits.length === 0) return;
    const otherSteps = withoutDeletions(done, next.edits);
    if (otherSteps) {
      done = otherSteps;
      undone = [];
      return scheduleSaveAndEmit();
    }
    const joinedStep = joinSteps(done.at(-1), next);
    done = joinedStep ? [...done.slice(0, -1), joinedStep] : [...done, next].slice(-STEPS_MAX);
    undone = [];
    scheduleSaveAndEmit();
  };
  const applyStep = (from: "done" | "undone") => {
    const step = (from === "done" ? done : undone).at(-1);
    if (!step) return;
    const [edits, oppositeEdits] = from === "done" ? [step.undo, step.edits] : [step.edits, step.undo];
    const { edits: applicableEdits, sparedIds } = selectApplicableEdits(local.draft, edits, {
      oppositeEdits,
      createdValues: step.createdValues,
    });
    const result = local.perform(applicableEdits);
    if (from === "done") done = done.slice(0, -1);
    else undone = undone.slice(0, -1);
    const [sparedId] = sparedIds;
    if (result.edits.length > 0) {
      // A step contains the edits of its forward direction as `edits`, and the edits that undo them as `undo`.
      if (from === "done")
        undone = [
          ...undone,
          { ...step, key: null, edits: result.undo, undo: result.edits, createdValues: result.createdValues },
        ];
      else done = [...done, { ...step, ...result, key: null }];
    }
    if (sparedId !== undefined) notify({ kind: "not-deleted", id: sparedId });
    else if (result.edits.length === 0) notify({ kind: "undo-skipped" });
    else notify({ kind: from === "done" ? "undone" : "redone" });
    if (result.edits.length === 0) emit();
    else scheduleSaveAndEmit();
  };

  // ——— Conflicts

  const choose: Editor["choose"] = (id, whose) => {
    if (whose === "mine") local.release(id);
    else local.held.delete(id);
    scheduleSaveAndEmit();
  };

  // ——— Responses of the server

  /**
   * Handles a call that was too large and therefore not applied. The next call is at most half as large. If the call had only one edit, that edit
   * becomes a conflict.
   */
  const handleTooLarge = (bytes: number) => {
    const [firstPending] = local.queue;
    const hadOneEdit = local.sentCount === 1;
    local.sentCount = 0;
    if (!hadOneEdit || !firstPending) {
      bytesMax = Math.floor(bytes / 2);
      return;
    }
    const id = getSubjectId(firstPending.edit) ?? "";
    local.queue = local.queue.slice(1);
    if (isUpdate(firstPending.edit)) local.queue = [firstPending, ...local.queue];
    local.hold(
      new Map([
        [id, { reason: "too_large", create: isUpdate(firstPending.edit) ? null : firstPending.edit }],
      ]),
    );
  };
  const saveOnce = async () => {
    // Only the call that is sent while the page closes must continue after the page has closed.
    const isLeaving = isPageLeaving;
    isPageLeaving = false;
    const maxBytes = isLeaving ? Math.min(bytesMax, LEAVING_CALL_BYTES_MAX - OVERHEAD_BYTES) : bytesMax;
    // Edits that were sent without a response are sent again unchanged. The service applies them only once.
    const { commands, bytes } = takeBatch(
      local.sentCount > 0 ? local.queue.slice(0, local.sentCount) : local.queue,
      local.base,
      local.sentCount > 0 ? Number.POSITIVE_INFINITY : maxBytes,
    );
    local.sentCount = commands.length;
    const batch = local.queue.slice(0, local.sentCount);
    isSending = true;
    isSaveDue = false;
    emit();
    const response = await ports.send(commands, { isPageLeaving: isLeaving });
    isSending = false;
    if (response.state === "too_large") handleTooLarge(bytes);
    else if (response.state !== "done") return fail(response.state);
    else {
      local.sentCount = 0;
      confirmedSeq = Math.max(confirmedSeq, response.seq);
      ownCalls.add(response.callId);
      const unsaved = batch.flatMap((pending, index) => {
        const result = response.results[index];
        const remaining = result ? local.processResult(pending, result) : pending;
        return remaining && result ? [[remaining, result] as const] : [];
      });
      local.queue = [...unsaved.map(([remaining]) => remaining), ...local.queue.slice(batch.length)];
      local.sortUnsaved(unsaved);
    }
    recover();
    // Edits that did not fit into this call, or that must be sent again for the newly saved version, are sent at once.
    isSaveDue = local.queue.length > 0;
    if (!isSaveDue) bytesMax = CALL_BYTES_MAX;
    emit();
  };

  // ——— Changes of other users

  /** Returns a value that differs after a change of a record: its version, or for the event's own id the order of its tags. */
  const readComparable = (id: string) =>
    id === eventId ? local.base.content().tags.map((tag) => tag.id) : findItem(local.base, id)?.version;
  let hasPolled = false;
  const pollOnce = async () => {
    const response = await ports.changes(seq);
    if (response.state !== "done") {
      if (response.state === "rejected") connection = "rejected";
      return emit();
    }
    recover();
    const previousValues = new Map<string, unknown>();
    /** Records that other calls have changed: the names of their users, and null for the user's own other windows. */
    const changedBy = new Map<string, string | null>();
    let haveOthersChangedSettings = false;
    let hasUserChangedSettings = false;
    const isFirstPoll = !hasPolled;
    hasPolled = true;
    let othersName = "";
    for (const change of response.changes) {
      // A page may have loaded newer content during this request, so changes that it contains are skipped.
      if (change.seq <= seq) continue;
      if (change.itemType === "event") {
        if (change.actorId === userId) hasUserChangedSettings = true;
        else {
          haveOthersChangedSettings = true;
          othersName = change.actorName || othersName;
        }
        continue;
      }
      const id = change.itemType === "scene" ? SCENE_ID : change.itemId;
      if (!previousValues.has(id)) previousValues.set(id, readComparable(id));
      // All changes are applied in their order, including the editor's own, because they may replace earlier changes by other users.
      local.storeSaved(id, { type: change.itemType, item: change.after } as ContentItem);
      if (ownCalls.has(change.callId)) continue;
      const isOwn = change.actorId === userId;
      changedBy.set(id, isOwn ? (changedBy.get(id) ?? null) : change.actorName);
    }
    // A record that has not changed for the editor is not reported. After a lost response, such a change may be the editor's own.
    const changedIds = new Set(
      [...changedBy.keys()].filter((id) => !isEqual(previousValues.get(id), readComparable(id))),
    );
    const othersIds = [...changedIds].filter((id) => changedBy.get(id) !== null);
    for (const id of othersIds) othersName = changedBy.get(id) || othersName;
    // A page that is left or loaded again saves its last edits. The next page receives them with its first poll, and does not report them.
    const ownCount = isFirstPoll ? 0 : changedIds.size - othersIds.length;
    seq = Math.max(seq, response.seq);
    local.reconcile(changedIds);
    if (othersIds.length > 0 || haveOthersChangedSettings)
      notify({
        kind: "others",
        name: othersName,
        count: othersIds.length,
        hasChangedSettings: haveOthersChangedSettings || hasUserChangedSettings,
      });
    else if (ownCount > 0 || hasUserChangedSettings)
      notify({ kind: "own", count: ownCount, hasChangedSettings: hasUserChangedSettings });
    isPollDue = isPollDue || response.more;
    emit();
  };
  const absorb: Editor["absorb"] = (content) => {
    if (local.sentCount > 0 || content.seq < Math.max(seq, confirmedSeq)) return;
    seq = content.seq;
    const presentItems = [...content.tags, ...content.media];
    const presentIds = new Set(presentItems.map(({ id }) => id));
    const { tags, media } = local.base.content();
    const removed = [...tags, ...media].filter(({ id }) => !presentIds.has(id));
    const changedItems = [
      ...presentItems.filter(({ id, version }) => local.base.find(id)?.version !== version),
      ...removed,
    ];
    const changedIds = changedItems.map(({ id }) => id);
    if (content.scene.version !== local.base.scene.version) changedIds.push(SCENE_ID);
    for (const { id } of removed) local.base.drop(id);
    const stillDeleted = Object.entries(local.base.content().deleted).filter(([id]) => !presentIds.has(id));
    local.base = new ContentDraft(
      { ...toContent(content), deleted: Object.fromEntries(stillDeleted) },
      eventId,
    );
    local.reconcile(changedIds);
    emit();
  };

  // ——— Timing

  /** Whether edits must be saved now. */
  let isSaveDue = false;
  /** Whether other users' changes must be requested now. */
  let isPollDue = false;
  let isBusy = false;
  let isPageLeaving = false;
  let cancelTimer = () => {};
  const saveAfter = (ms: number) => {
    cancelTimer();
    cancelTimer = ports.schedule(ms, () => {
      isSaveDue = true;
      void runCalls();
    });
  };
  const scheduleSaveAndEmit = () => {
    const now = ports.now();
    unsavedSince ??= now;
    if (local.queue.length > 0 && connection !== "lost")
      saveAfter(Math.max(0, Math.min(QUIET_MS, unsavedSince + QUIET_MAX_MS - now)));
    emit();
  };
  const fail = (state: "lost" | "rejected") => {
    connection = state;
    isSaveDue = false;
    if (state === "lost") saveAfter(Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** failedAttempts++));
    emit();
  };
  const recover = () => {
    if (connection === "lost" && local.queue.length > 0) notify({ kind: "reconnected" });
    connection = "up";
    failedAttempts = 0;
  };
  /** Runs one call at a time, so that every response refers to the state at its request. */
  const runCalls = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      for (;;)
        if (isSaveDue && local.queue.length > 0 && connection !== "rejected") await saveOnce();
        else if (isPollDue && local.sentCount === 0) {
          // While a response is missing, other users' changes cannot be distinguished from local ones.
          isPollDue = false;
          await pollOnce();
        } else break;
    } finally {
      isBusy = false;
      // Otherwise the next save of a page that was hidden and is visible again would count as leaving.
      isPageLeaving = false;
    }
  };
  const flush: Editor["flush"] = (options) => {
    isPageLeaving = options?.leaving ?? false;
    if (connection === "rejected") connection = "up";
    isSaveDue = local.queue.length > 0;
    void runCalls();
  };
  const poll = () => {
    isPollDue = true;
    void runCalls();
  };
  const start = () => {
    const stopPolling = repeat(ports, POLL_MS, () => {
      if (ports.isVisible() && connection !== "rejected") poll();
    });
    return () => {
      stopPolling();
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
    undo: () => applyStep("done"),
    redo: () => applyStep("undone"),
    choose,
    absorb,
    flush,
    poll,
    start,
  };
}

/** Runs a function at an interval in milliseconds, first after one interval. Returns a function that stops it. */
function repeat(ports: Pick<EditorPorts, "schedule">, ms: number, run: () => void): () => void {
  let stop = () => {};
  const scheduleNext = () => {
    stop = ports.schedule(ms, () => {
      run();
      scheduleNext();
    });
  };
  scheduleNext();
  return () => stop();
}
