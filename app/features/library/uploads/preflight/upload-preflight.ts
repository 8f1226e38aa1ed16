import { SPLAT_TYPES } from "~/domain/library/formats/mime-types";
import { isMisnamed } from "~/domain/library/formats/misnamed";
import { findRejectedFormat } from "~/domain/library/formats/rejected-formats";
import { SNIFF_BYTES, sniffMedia } from "~/domain/library/sniff-media";
import { uploadProblem } from "~/domain/shared/limits";
import type { MediaKind, Uuid } from "~/domain/shared/model";
import { createEntry, type Entry, resetAttempts, type ServerUpload, setUpload } from "../entry";
import type { ApiResponse, CachedFile, UploadQueueDeps } from "../ports";
import {
  type ChosenFile,
  UPLOAD_TRAY_GROUP,
  type UploadedItem,
  type UploadPlace,
  type UploadProblem,
  type UploadState,
} from "../upload-state";

/** File types that may belong to a model of several files. */
const MULTI_FILE_NAME = /\.(gltf|zip|obj|fbx|dae|usd[ac]?|ply)$/i;

/** States of queued files that do not stand for an equal file that is added later. */
const NOT_REUSED_STATES: ReadonlySet<UploadState> = new Set(["checking", "rejected", "done"]);

type UploadTarget = Pick<UploadPlace, "ownerId" | "replacesId">;

const isSamePlace = (a: UploadPlace, b: UploadPlace): boolean =>
  a.folderId === b.folderId &&
  a.ownerId === b.ownerId &&
  a.replacesId === b.replacesId &&
  a.path.join("/") === b.path.join("/");

/**
 * Whether an upload may continue with a file that is added to a place: in any folder of the same library, so that its slices are not sent twice, but in no
 * other library and for no other item.
 */
const canContinueFor = (uploadPlace: UploadTarget, place: UploadTarget): boolean =>
  uploadPlace.ownerId === place.ownerId && uploadPlace.replacesId === place.replacesId;

/** Options for adding files. */
export interface AddOptions {
  /** Accepted kinds. Default: all. */
  readonly kinds?: readonly MediaKind[];
  /** Whether only one file is accepted. A model with the files that it refers to counts as one. */
  readonly isSingle?: boolean;
  /**
   * Called for each added file when it is stored, even when the form that added it is closed.
   * @param index position among the added files
   */
  readonly onArrived?: (item: UploadedItem, index: number) => void;
}

/** Callbacks to the queue. */
export interface UploadPreflightEvents {
  /** The display of a file must be updated. */
  readonly changed: (entry: Entry) => void;
  /** A file was removed from the list. */
  readonly dropped: () => void;
  /** A file is ready to be sent. */
  readonly ready: () => void;
}

/**
 * Adds files to a queue: newly chosen ones, and those that are restored after a reload. Chosen files are checked first, so that most files that the
 * server would reject cause no request.
 */
export class UploadPreflight {
  /** Free bytes of a library by its owner. The key "" is the user's own library. */
  private readonly freeBytesByOwner = new Map<string, number>();

  constructor(
    private readonly deps: UploadQueueDeps,
    private readonly userId: Uuid,
    /** The queue's list, to which files are added. */
    private readonly entries: Entry[],
    private readonly events: UploadPreflightEvents,
  ) {}

  /** Stores the free space of a library from the page's latest data. Uploaded files then count as subtracted from it. */
  setFreeBytes(ownerId: Uuid | null, freeBytes: number): void {
    this.freeBytesByOwner.set(ownerId ?? "", freeBytes);
    for (const entry of this.entries)
      if (entry.place.ownerId === ownerId && entry.state === "done") entry.isCounted = true;
  }

  /** Adds chosen files. */
  async add(chosen: readonly ChosenFile[], place: UploadPlace, options: AddOptions): Promise<void> {
    const { kinds, isSingle, onArrived } = options;
    const gathered = chosen.some(({ file }) => MULTI_FILE_NAME.test(file.name))
      ? await this.deps.gatherModels(chosen)
      : { files: chosen, rejected: [] };
    const files = isSingle ? gathered.files.slice(0, 1) : gathered.files;
    const surplus = gathered.files
      .slice(files.length)
      .map((file) => ({ chosen: file, problem: { key: "library:errors.upload.oneFile" } as const }));
    const createEntryFor = ({ file, path }: ChosenFile) =>
      createEntry({
        id: this.deps.newId(),
        place: { ...place, path: [...place.path, ...path] },
        name: file.name,
        size: file.size,
        file,
      });
    for (const { chosen: rejectedFile, problem } of [...gathered.rejected, ...surplus]) {
      const entry = Object.assign(createEntryFor(rejectedFile), {
        state: "rejected",
        problem,
        file: null,
      } as const);
      this.entries.push(entry);
      this.events.changed(entry);
    }
    const added = files.map((file, index) =>
      Object.assign(createEntryFor(file), {
        onArrived: onArrived ? (item: UploadedItem) => onArrived(item, index) : null,
      }),
    );
    this.entries.push(...added);
    for (const entry of added) this.events.changed(entry);
    for (const entry of added) await this.check(entry, kinds);
  }

  /** Continues a missing file with a newly chosen one. A different file is rejected, and the slices that the server has are kept. */
  async supply(entry: Entry, file: File): Promise<void> {
    const fingerprint = await this.deps.fingerprint(file).catch(() => null);
    const isSame = entry.fingerprint
      ? fingerprint === entry.fingerprint
      : file.name === entry.name && file.size === entry.size;
    if (isSame) return this.continueWith(entry, file);
    entry.problem = { key: "library:uploads.problem.otherFile", values: { name: entry.name } };
    this.events.changed(entry);
  }

  /** Returns this user's files that are stored in the browser. */
  async listStoredFiles(): Promise<CachedFile[]> {
    return (await this.deps.storage.all()).filter(({ userId }) => userId === this.userId);
  }

  /**
   * Restores uploads that were not finished before the page was loaded.
   * @param storedFiles the user's files that are stored in this browser
   * @param response the server's list of open uploads; those that lack slices and a stored file continue when the user chooses the file again
   */
  async restore(storedFiles: readonly CachedFile[], response: ApiResponse): Promise<void> {
    const openUploads = new Map(
      (response.body as readonly ServerUpload[]).map((upload) => [upload.uuid, upload]),
    );
    for (const { upload } of this.entries) if (upload) openUploads.delete(upload.uuid);
    for (const file of storedFiles) await this.restoreStored(file, openUploads);
    for (const upload of openUploads.values()) await this.restoreMissing(upload);
  }

  private async check(entry: Entry, kinds: readonly MediaKind[] | undefined): Promise<void> {
    const { file, place } = entry;
    if (!file || entry.state !== "checking") return;
    const reject = (problem: UploadProblem) => {
      entry.state = "rejected";
      entry.problem = problem;
      entry.file = null;
      this.events.changed(entry);
    };
    const freeBytes = this.freeBytesByOwner.get(place.ownerId ?? "") ?? Number.POSITIVE_INFINITY;
    const problem = uploadProblem(
      { storageLimit: freeBytes, storageUsed: this.countPendingBytes(entry) },
      file.size,
    );
    if (problem) return reject({ key: problem });
    try {
      const head = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer());
      const rejectedFormat = findRejectedFormat(head, file.name, file.size);
      if (rejectedFormat)
        return reject({
          key: `library:errors.upload.format.${rejectedFormat.format}`,
          values: rejectedFormat.values,
        });
      const sniffed = await sniffMedia(head, file.name, file.size);
      if (!sniffed) return reject({ key: "library:errors.upload.kind" });
      if (isMisnamed(file.name, sniffed)) return reject({ key: "library:errors.upload.misnamed" });
      if (kinds && !kinds.includes(sniffed.kind)) return reject({ key: "library:uploads.problem.notHere" });
      const isGltf = sniffed.kind === "model" || sniffed.mimeType === SPLAT_TYPES.glb;
      const fault = isGltf ? await this.deps.checkModel(file) : null;
      if (fault) return reject(fault);
      const unplayable = sniffed.kind === "video" ? await this.deps.checkVideo(file) : null;
      if (unplayable) return reject(unplayable);
      const oversized = sniffed.kind === "image" ? await this.deps.checkImage(file, sniffed.mimeType) : null;
      if (oversized) return reject(oversized);
      entry.fingerprint = await this.deps.fingerprint(file);
    } catch {
      return reject({ key: "library:uploads.problem.unreadable" });
    }
    if (!this.entries.includes(entry) || this.joinExisting(entry, file)) return;
    entry.state = "waiting";
    this.storeFile(entry, file);
    this.events.changed(entry);
    this.events.ready();
  }

  /** Returns the bytes of the other files for the same library that have passed the check and are not subtracted from its free space yet. */
  private countPendingBytes(entry: Entry): number {
    const pendingEntries = this.entries.filter(
      (other) =>
        other !== entry &&
        other.place.ownerId === entry.place.ownerId &&
        other.state !== "rejected" &&
        other.state !== "checking" &&
        !other.isCounted,
    );
    return pendingEntries.reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Handles a file that the queue already has. An upload whose file was missing continues with this file. A file that is already queued for the same
   * folder or item is not added again.
   * @returns whether the new entry was removed
   */
  private joinExisting(entry: Entry, file: File): boolean {
    const { fingerprint, size, place } = entry;
    if (!fingerprint) return false;
    const existing = this.entries.find(
      (other) =>
        other !== entry &&
        other.fingerprint === fingerprint &&
        other.size === size &&
        !NOT_REUSED_STATES.has(other.state) &&
        (other.state === "missing" ? canContinueFor(other.place, place) : isSamePlace(other.place, place)),
    );
    if (!existing) return false;
    this.entries.splice(this.entries.indexOf(entry), 1);
    existing.onArrived ??= entry.onArrived;
    if (existing.state === "missing") {
      existing.place = { ...existing.place, group: place.group };
      this.continueWith(existing, file);
    }
    this.events.dropped();
    return true;
  }

  /** Continues an upload whose file was missing. */
  private continueWith(entry: Entry, file: File): void {
    entry.file = file;
    entry.problem = null;
    entry.state = "waiting";
    resetAttempts(entry);
    this.storeFile(entry, file);
    this.events.changed(entry);
    this.events.ready();
  }

  private storeFile(entry: Entry, file: File): void {
    const { id, upload, fingerprint, place } = entry;
    void this.deps.lock(id).then((release) => release && entry.releaseLocks.push(release));
    void this.deps.storage.store({
      id,
      userId: this.userId,
      uploadId: upload?.uuid ?? null,
      fingerprint,
      place: { ...place, group: UPLOAD_TRAY_GROUP },
      isPaused: false,
      file,
    });
  }

  private async restoreStored(storedFile: CachedFile, openUploads: Map<Uuid, ServerUpload>): Promise<void> {
    const { id, file, fingerprint, place, isPaused } = storedFile;
    if (this.entries.some((entry) => entry.id === id)) return;
    const release = await this.deps.lock(id);
    const upload = storedFile.uploadId
      ? openUploads.get(storedFile.uploadId)
      : [...openUploads.values()].find(
          (serverUpload) =>
            fingerprint !== "" &&
            serverUpload.fingerprint === fingerprint &&
            canContinueFor(this.targetOf(serverUpload), place),
        );
    if (upload) openUploads.delete(upload.uuid);
    // Another tab has the lock and uploads this file.
    if (!release) return;
    if (storedFile.uploadId && !upload) {
      release();
      return this.deps.storage.drop(id);
    }
    const entry = createEntry({
      id,
      place,
      name: file.name,
      size: file.size,
      file,
      fingerprint,
      releaseLocks: [release],
    });
    entry.state = isPaused ? "paused" : "waiting";
    if (upload) setUpload(entry, upload);
    this.entries.push(entry);
    this.events.changed(entry);
  }

  /** Returns the library and the item of an upload on the server, as an UploadPlace names them. */
  private targetOf({ owner_uuid, replaces_uuid }: ServerUpload): UploadTarget {
    return { ownerId: owner_uuid === this.userId ? null : owner_uuid, replacesId: replaces_uuid };
  }

  private async restoreMissing(upload: ServerUpload): Promise<void> {
    const release = await this.deps.lock(upload.uuid);
    if (!release) return;
    const place = {
      folderId: upload.folder_uuid,
      ...this.targetOf(upload),
      path: [],
      group: UPLOAD_TRAY_GROUP,
    };
    const entry = createEntry({
      id: this.deps.newId(),
      place,
      name: upload.file_name,
      size: upload.byte_size,
      file: null,
      fingerprint: upload.fingerprint ?? "",
      releaseLocks: [release],
    });
    setUpload(entry, upload);
    // When the server has all slices, the upload can be completed without the file.
    entry.state = entry.slices.length > 0 ? "missing" : "waiting";
    this.entries.push(entry);
    this.events.changed(entry);
  }
}
