import { needsConversion } from "~/domain/library/preparation";
import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import type { Uuid } from "~/domain/shared/model";
import { classifyResponse } from "./classify-response";
import {
  type Entry,
  type PendingSlice,
  resetAttempts,
  type ServerUpload,
  setUpload,
  stopSlices,
} from "./entry";
import { FolderMaker } from "./folder-maker";
import type { ApiResponse, UploadQueueDeps } from "./ports";
import { reportUnreadable } from "./preflight/report-unreadable";
import { computeRetryDelay } from "./slices";
import {
  ATTEMPTS_MAX,
  BUSY_MAX_MS,
  COMPLETION_POLL_MS,
  SLICES_AT_ONCE,
  type UploadedItem,
  type UploadProblem,
} from "./upload-state";

const UPLOADS = "/api/v1/uploads";

/** Callbacks to the queue. */
export interface SenderEvents {
  /** The display of a file must be updated. `isProgressOnly`: only the number of sent bytes has changed. */
  readonly changed: (entry: Entry, isProgressOnly?: boolean) => void;
  readonly signedOut: () => void;
  readonly offline: () => void;
  readonly uploaded: (entry: Entry, item: UploadedItem, file: File | null) => void;
}

/**
 * Opens, sends and completes the uploads of a queue in their order, with at most SLICES_AT_ONCE such requests at a time. A request that fails
 * temporarily is repeated after a delay; other requests continue meanwhile.
 */
export class Sender {
  private readonly folders: FolderMaker;
  private runningRequests = 0;
  private cancelWake: (() => void) | null = null;
  /** While true, `startRequests` starts nothing. */
  isHalted = false;

  constructor(
    private readonly deps: UploadQueueDeps,
    private readonly entries: () => readonly Entry[],
    private readonly events: SenderEvents,
  ) {
    this.folders = new FolderMaker(deps.api);
  }

  /** Starts all requests that are possible now, and schedules the next run for the end of the shortest delay. */
  startRequests(): void {
    this.cancelWake?.();
    this.cancelWake = null;
    if (this.isHalted) return;
    const now = this.deps.now();
    let nextReadyAt = Number.POSITIVE_INFINITY;
    for (const entry of this.entries()) {
      if (entry.state !== "waiting" && entry.state !== "sending") continue;
      if (this.runningRequests >= SLICES_AT_ONCE) return;
      if (!entry.upload || entry.slices.length === 0) {
        if (entry.isRequesting) continue;
        if (entry.readyAt > now) nextReadyAt = Math.min(nextReadyAt, entry.readyAt);
        else void this.runRequest(entry, entry.upload ? this.complete : this.openUpload);
        continue;
      }
      for (const slice of entry.slices) {
        if (this.runningRequests >= SLICES_AT_ONCE) return;
        if (slice.abortController) continue;
        if (slice.readyAt > now) nextReadyAt = Math.min(nextReadyAt, slice.readyAt);
        else void this.send(entry, slice);
      }
    }
    if (nextReadyAt < Number.POSITIVE_INFINITY)
      this.cancelWake = this.deps.schedule(() => this.startRequests(), nextReadyAt - now);
  }

  /** Stops sending and aborts running slices. Aborted slices do not count as attempts. */
  halt(): void {
    this.isHalted = true;
    this.cancelWake?.();
    for (const entry of this.entries()) if (entry.state !== "finishing") stopSlices(entry);
  }

  /** Deletes the upload on the server. If the request fails, the server's clean-up deletes it later. */
  async abandon(entry: Entry): Promise<void> {
    stopSlices(entry);
    if (entry.upload) await this.remove(entry.upload.uuid);
  }

  private async remove(uploadId: Uuid): Promise<void> {
    await this.deps.api.json("DELETE", `${UPLOADS}/${uploadId}`);
  }

  /** Whether the file is still in the queue. */
  private has(entry: Entry): boolean {
    return this.entries().includes(entry);
  }

  private async runRequest(entry: Entry, request: (entry: Entry) => Promise<void>): Promise<void> {
    entry.isRequesting = true;
    this.runningRequests++;
    try {
      await request.call(this, entry);
    } finally {
      this.runningRequests--;
      entry.isRequesting = false;
      this.startRequests();
    }
  }

  private async openUpload(entry: Entry): Promise<void> {
    const folder = await this.folders.findOrCreate(entry.place);
    if (!this.has(entry)) return;
    if ("problem" in folder) return this.endUpload(entry, "rejected", folder.problem);
    if ("response" in folder) {
      this.handleResponse(entry, entry, folder.response, { key: "library:uploads.problem.folder" });
      return;
    }
    const { place, name, size, fingerprint } = entry;
    const response = await this.deps.api.json("POST", UPLOADS, {
      ...(folder.folderId && { folder_uuid: folder.folderId }),
      ...(place.replacesId && { replaces_uuid: place.replacesId }),
      ...(place.ownerId && { owner_uuid: place.ownerId }),
      file_name: name,
      byte_size: size,
      ...(fingerprint && { fingerprint }),
    });
    if (!this.has(entry)) {
      // The upload was cancelled while the request was running, so it is deleted on the server.
      if (response.status === 200) await this.remove((response.body as ServerUpload).uuid);
      return;
    }
    if (this.handleResponse(entry, entry, response, { key: "library:uploads.problem.place" })) return;
    if (entry.state === "waiting") entry.state = "sending";
    this.handleOpened(entry, response.body as ServerUpload);
  }

  private handleOpened(entry: Entry, upload: ServerUpload): void {
    setUpload(entry, upload);
    resetAttempts(entry);
    void this.deps.storage.update(entry.id, { uploadId: upload.uuid });
    void this.deps.lock(upload.uuid).then((release) => release && entry.releaseLocks.push(release));
    this.events.changed(entry);
  }

  private async send(entry: Entry, slice: PendingSlice): Promise<void> {
    const { file, upload } = entry;
    if (!file || !upload) return;
    const abortController = new AbortController();
    slice.abortController = abortController;
    if (entry.state === "waiting") {
      entry.state = "sending";
      this.events.changed(entry);
    }
    this.runningRequests++;
    const response = await this.deps.api.bytes(
      `${UPLOADS}/${upload.uuid}/parts/${slice.number}`,
      file.slice(slice.start, slice.end),
      {
        signal: abortController.signal,
        onSent: (bytes) => {
          slice.sent = Math.min(bytes, slice.end - slice.start);
          this.events.changed(entry, true);
        },
      },
    );
    this.runningRequests--;
    slice.abortController = null;
    slice.sent = 0;
    const isStale = !this.has(entry) || entry.upload?.uuid !== upload.uuid || !entry.slices.includes(slice);
    // A slice that was aborted by this browser, for example when it went offline, does not count as a failed attempt.
    if (!isStale && !abortController.signal.aborted) {
      if (this.handleResponse(entry, slice, response)) {
        if (response.status === 0) await this.markMissingIfUnreadable(entry, file);
      } else {
        entry.slices = entry.slices.filter((pendingSlice) => pendingSlice !== slice);
      }
    }
    this.events.changed(entry, true);
    this.startRequests();
  }

  private async complete(entry: Entry): Promise<void> {
    const { upload, file } = entry;
    if (!upload) return;
    entry.state = "finishing";
    this.events.changed(entry);
    // The item id makes the request repeatable: if an earlier response was lost, the server returns the same result again.
    const response = await this.deps.api.json("POST", `${UPLOADS}/${upload.uuid}/complete`, {
      media_uuid: upload.media_uuid,
    });
    const { kind } = classifyResponse(response);
    // The thumbnail takes time to draw, but does not occupy an upload slot meanwhile.
    if (kind === "ok") return void this.handleArrival(entry, file, response.body as UploadedItem);
    entry.state = "sending";
    if (kind !== "busy") entry.busySince = null;
    else if (this.retryWhileBusy(entry)) return;
    if (kind === "incomplete" && ++entry.restarts <= ATTEMPTS_MAX)
      return this.reloadSlices(entry, upload.uuid);
    this.handleResponse(entry, entry, response);
  }

  /** Sets the time of the next request while the server is completing the upload. Returns false if it has been busy for BUSY_MAX_MS. */
  private retryWhileBusy(entry: Entry): boolean {
    const now = this.deps.now();
    entry.busySince ??= now;
    if (now - entry.busySince >= BUSY_MAX_MS) return false;
    entry.readyAt = now + COMPLETION_POLL_MS;
    this.events.changed(entry);
    return true;
  }

  /** Requests the list of slices that the server has. */
  private async reloadSlices(entry: Entry, uploadId: Uuid): Promise<void> {
    const response = await this.deps.api.json("GET", `${UPLOADS}/${uploadId}`);
    if (this.handleResponse(entry, entry, response)) return;
    setUpload(entry, response.body as ServerUpload);
    // If the server reports no missing slices, all slices are sent again.
    if (entry.slices.length === 0) setUpload(entry, { ...(response.body as ServerUpload), parts: [] });
    if (!entry.file) entry.state = "missing";
    this.events.changed(entry);
  }

  private async handleArrival(entry: Entry, file: File | null, item: UploadedItem): Promise<void> {
    entry.state = "finishing";
    this.events.changed(entry);
    // Without a thumbnail, the library shows an icon, so an error does not end the upload.
    const thumbnail =
      file &&
      (await this.deps.makeThumbnail(file, item.kind).catch(async (error: unknown) => {
        if (error instanceof UnreadableFileError) await this.markNotShown(entry, item);
        return null;
      }));
    if (thumbnail) await this.deps.api.bytes(`/api/v1/media/${item.uuid}/thumbnail`, thumbnail);
    entry.state = "done";
    this.release(entry);
    this.events.uploaded(entry, item, file);
  }

  /** Shows to the user and reports to the library that a stored file cannot be displayed. Files that must be converted first are checked later. */
  private async markNotShown(
    entry: Entry,
    { uuid, mime_type: mimeType, width, height }: UploadedItem,
  ): Promise<void> {
    if (needsConversion({ mimeType, width, height })) return;
    entry.problem = { key: "library:conversion.code.not_shown", values: { name: entry.name } };
    await reportUnreadable(this.deps.api, uuid);
  }

  /**
   * Handles the response of a request.
   * @param retryState the slice or file whose attempts are counted
   * @param notFoundProblem problem that is shown when a 404 ends the upload
   * @returns whether the request failed
   */
  private handleResponse(
    entry: Entry,
    retryState: { attempts: number; readyAt: number },
    response: ApiResponse,
    notFoundProblem?: UploadProblem,
  ): boolean {
    const result = classifyResponse(response);
    if (result.kind === "ok") return false;
    if (result.kind === "signedOut") this.events.signedOut();
    else if (response.status === 0 && !this.deps.isOnline()) this.events.offline();
    else if (result.kind === "rejected") {
      if (result.cause === "request") void this.abandon(entry);
      this.endUpload(entry, result.cause === "capacity" ? "failed" : "rejected", result.problem);
    } else if (result.kind === "gone") this.restart(entry, notFoundProblem);
    else if (++retryState.attempts >= ATTEMPTS_MAX && entry.state !== "paused")
      // A paused file does not fail, because its attempts are reset when it is resumed.
      this.endUpload(entry, "failed", { key: "library:uploads.problem.network" });
    else {
      const requestedDelay = "retryAfter" in result ? result.retryAfter : null;
      retryState.readyAt =
        this.deps.now() + computeRetryDelay(retryState.attempts, requestedDelay, this.deps.random());
    }
    this.events.changed(entry);
    return true;
  }

  /** Restarts an upload that the server has deleted, but only once. Ends an upload that could not be opened, because its folder or item does not exist. */
  private restart(entry: Entry, notFoundProblem: UploadProblem | undefined): void {
    stopSlices(entry);
    const wasOpened = entry.upload !== null;
    entry.upload = null;
    entry.slices = [];
    void this.deps.storage.update(entry.id, { uploadId: null });
    if (!wasOpened || ++entry.restarts > 1) {
      this.folders.clear();
      this.endUpload(entry, "failed", notFoundProblem ?? { key: "library:uploads.problem.gone" });
    } else if (entry.state !== "paused") entry.state = entry.file ? "waiting" : "missing";
  }

  /** Marks a file as missing if it cannot be read any more. A file that was moved, changed or unplugged causes the same error as a network failure. */
  private async markMissingIfUnreadable(entry: Entry, file: File): Promise<void> {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      if (entry.file !== file) return;
      stopSlices(entry);
      entry.file = null;
      entry.state = "missing";
      this.events.changed(entry);
    }
  }

  private endUpload(entry: Entry, state: "rejected" | "failed", problem: UploadProblem): void {
    stopSlices(entry);
    entry.state = state;
    entry.problem = problem;
    if (state === "rejected") this.release(entry);
    this.events.changed(entry);
  }

  /** Releases the locks of a file, and removes the file from the entry and from the browser's storage. */
  release(entry: Entry): void {
    for (const release of entry.releaseLocks.splice(0)) release();
    void this.deps.storage.drop(entry.id);
    entry.file = null;
  }
}
