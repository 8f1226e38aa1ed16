import type { Uuid } from "~/domain/shared/model";
import { classifyResponse } from "./classify-response";
import { type Entry, getRow, resetAttempts } from "./entry";
import type { UploadQueueDeps } from "./ports";
import { type AddOptions, UploadPreflight } from "./preflight/upload-preflight";
import { Sender } from "./sender";
import {
  type ChosenFile,
  isUnderWay,
  NO_UPLOADS,
  UPLOAD_TRAY_GROUP,
  type UploadedItem,
  type UploadPlace,
  type UploadRow,
  type UploadsSnapshot,
} from "./upload-state";

/** Interval between updates of the displayed progress, in milliseconds. */
const PROGRESS_UPDATE_MS = 150;

/** Called for each file that has arrived. @param file the file, if this browser still has it */
type ArrivalListener = (item: UploadedItem, row: UploadRow, file: File | null) => void;

/**
 * All uploads of one user in this tab, with their progress and actions. `UploadPreflight` adds files, and `Sender` sends them. The queue depends
 * neither on React nor, apart from files, on the browser.
 */
export class UploadQueue {
  private readonly entries: Entry[] = [];
  private readonly preflight: UploadPreflight;
  private readonly sender: Sender;
  private readonly listeners = new Set<() => void>();
  private readonly arrivals = new Set<ArrivalListener>();
  private snapshot: UploadsSnapshot = NO_UPLOADS;
  private cancelUpdate: (() => void) | null = null;
  private isOffline = false;
  private isSignedOut = false;
  private hasRestored = false;

  constructor(
    private readonly deps: UploadQueueDeps,
    /** Id of the user who uploads the files. */
    readonly userId: Uuid,
  ) {
    this.preflight = new UploadPreflight(deps, userId, this.entries, {
      changed: (entry) => this.handleChange(entry),
      dropped: () => this.updateSnapshot(),
      ready: () => this.sender.startRequests(),
    });
    this.sender = new Sender(deps, () => this.entries, {
      changed: (entry, isProgressOnly = false) => this.handleChange(entry, isProgressOnly),
      signedOut: () => this.halt("signedOut"),
      offline: () => this.halt("offline"),
      uploaded: (entry, item, file) => {
        this.handleChange(entry);
        entry.onArrived?.(item);
        for (const listener of this.arrivals) listener(item, getRow(entry), file);
      },
    });
    this.isOffline = !deps.isOnline();
    this.sender.isHalted = this.isOffline;
  }

  readonly getSnapshot = (): UploadsSnapshot => this.snapshot;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Subscribes to files that have arrived. Returns a function that unsubscribes the listener. */
  onArrival(listener: ArrivalListener): () => void {
    this.arrivals.add(listener);
    return () => this.arrivals.delete(listener);
  }

  /** Stores the free space of a library from the page's latest data. */
  setFreeBytes(ownerId: Uuid | null, freeBytes: number): void {
    this.preflight.setFreeBytes(ownerId, freeBytes);
  }

  /** Adds files. */
  add(chosen: readonly ChosenFile[], place: UploadPlace, options: AddOptions = {}): Promise<void> {
    return this.preflight.add(chosen, place, options);
  }

  /** Restores uploads that were not finished before the page was loaded. */
  async restore(): Promise<void> {
    if (this.hasRestored) return;
    this.hasRestored = true;
    const storedFiles = await this.preflight.listStoredFiles();
    const response = await this.deps.api.json("GET", "/api/v1/uploads");
    const result = classifyResponse(response);
    if (result.kind !== "ok") {
      // The restoration is repeated later, for example when the connection or the session has returned.
      this.hasRestored = false;
      if (result.kind === "signedOut" && storedFiles.length > 0) this.halt("signedOut");
      return;
    }
    await this.preflight.restore(storedFiles, response);
    this.sender.startRequests();
  }

  /** Pauses a file. Its running slices are completed, because aborted ones would have to be sent again. */
  pause(id: string): void {
    this.changeEntry(id, (entry) => {
      if (!isUnderWay(entry) || entry.state === "finishing" || entry.state === "checking") return;
      entry.state = "paused";
      void this.deps.storage.update(entry.id, { isPaused: true });
    });
  }

  /** Resumes a file that was paused or failed, and continues the queue if it was halted because the session had ended. */
  resume(id: string): void {
    this.changeEntry(id, (entry) => {
      if ((entry.state !== "paused" && entry.state !== "failed") || !entry.file) return;
      resetAttempts(entry);
      entry.restarts = 0;
      entry.problem = null;
      entry.state = "waiting";
      void this.deps.storage.update(entry.id, { isPaused: false });
    });
    this.tryAgain();
  }

  /** Continues a missing file with a newly chosen one. */
  async supply(id: string, file: File): Promise<void> {
    const entry = this.entries.find((candidate) => candidate.id === id);
    if (entry?.state === "missing") await this.preflight.supply(entry, file);
  }

  pauseAll(group: string): void {
    for (const { id, place } of this.entries) if (place.group === group) this.pause(id);
  }

  resumeAll(group: string): void {
    for (const { id, place } of this.entries) if (place.group === group) this.resume(id);
    this.tryAgain();
  }

  /** Removes a file from the queue, and deletes its upload on the server if it is unfinished. */
  cancel(id: string): void {
    this.changeEntry(id, (entry) => {
      const isEnded = entry.state === "done" || entry.state === "rejected";
      this.remove(entry);
      if (!isEnded) void this.sender.abandon(entry);
    });
  }

  /** Cancels the uploads whose files this browser does not have. */
  discardMissing(group: string): void {
    for (const { id, place, state } of [...this.entries])
      if (place.group === group && state === "missing") this.cancel(id);
  }

  /** Removes the rows of completed and rejected files. */
  clearEnded(group: string): void {
    for (const entry of [...this.entries])
      if (entry.place.group === group && (entry.state === "done" || entry.state === "rejected"))
        this.remove(entry);
    this.updateSnapshot();
  }

  /** Moves the files of a closed form to the upload tray, and removes the completed and rejected ones. */
  adopt(group: string): void {
    for (const entry of [...this.entries]) {
      if (entry.place.group !== group) continue;
      if (entry.state === "done" || entry.state === "rejected") {
        this.remove(entry);
        continue;
      }
      entry.place = { ...entry.place, group: UPLOAD_TRAY_GROUP };
      void this.deps.storage.update(entry.id, { place: entry.place });
      this.handleChange(entry);
    }
    this.updateSnapshot();
  }

  /** Stops sending while the browser is offline, and continues when it is online. */
  setOnline(isOnline: boolean): void {
    this.isOffline = !isOnline;
    if (isOnline) this.endHalt();
    else this.halt("offline");
  }

  /** Continues after the session has ended, because the user may have logged in again. */
  tryAgain(): void {
    this.isSignedOut = false;
    this.endHalt();
  }

  /** Stops the queue because another user has logged in. The stored files remain for their user. */
  stop(): void {
    this.sender.halt();
    for (const entry of this.entries.splice(0)) for (const release of entry.releaseLocks) release();
    this.updateSnapshot();
  }

  private changeEntry(id: string, change: (entry: Entry) => void): void {
    const entry = this.entries.find((candidate) => candidate.id === id);
    if (!entry) return;
    change(entry);
    this.handleChange(entry);
    this.sender.startRequests();
  }

  private remove(entry: Entry): void {
    this.sender.release(entry);
    const index = this.entries.indexOf(entry);
    if (index >= 0) this.entries.splice(index, 1);
  }

  private halt(reason: "offline" | "signedOut"): void {
    if (reason === "offline") this.isOffline = true;
    else this.isSignedOut = true;
    this.sender.halt();
    this.updateSnapshot();
  }

  private endHalt(): void {
    this.sender.isHalted = this.isOffline || this.isSignedOut;
    this.updateSnapshot();
    if (this.sender.isHalted) return;
    if (!this.hasRestored) void this.restore();
    this.sender.startRequests();
  }

  private handleChange(entry: Entry, isProgressOnly = false): void {
    entry.row = null;
    if (!isProgressOnly) this.updateSnapshot();
    else this.cancelUpdate ??= this.deps.schedule(() => this.updateSnapshot(), PROGRESS_UPDATE_MS);
  }

  private updateSnapshot(): void {
    this.cancelUpdate?.();
    this.cancelUpdate = null;
    this.snapshot = {
      rows: this.entries.map(getRow),
      halted: this.isSignedOut ? "signedOut" : this.isOffline ? "offline" : null,
    };
    for (const listener of this.listeners) listener();
  }
}
