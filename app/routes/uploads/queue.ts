import { uploadProblem } from "~/domain/limits";
import { SNIFF_BYTES, sniffMedia } from "~/domain/media-kind";
import type { MediaKind, Uuid } from "~/domain/model";
import { type Entry, forgetTries, newEntry, type OpenUpload, rowOf, setUpload, stopSlices } from "./entry";
import {
  type ChosenFile,
  isUnderWay,
  NO_UPLOADS,
  SHELF,
  type UploadedItem,
  type UploadPlace,
  type UploadProblem,
  type UploadRow,
  type UploadsSnapshot,
} from "./model";
import type { KeptFile, UploadDeps } from "./ports";
import { Sender } from "./sender";
import { verdictOf } from "./verdict";

/** How often the bytes that have gone are shown anew, in milliseconds. */
const PROGRESS_MS = 150;

/** What only the place that asks for files knows of them. */
export interface AddOptions {
  /** Kinds that are of use there; any when it is not told. */
  readonly kinds?: readonly MediaKind[];
}

/**
 * All uploads of one person in this tab: what was chosen, how far it is, and what can be done about it. Knows no React and no
 * browser but for files.
 */
export class UploadQueue {
  private readonly entries: Entry[] = [];
  private readonly sender: Sender;
  private readonly listeners = new Set<() => void>();
  private readonly arrivals = new Set<(item: UploadedItem, row: UploadRow) => void>();
  /** Bytes left in a library, by its owner; "" is one's own. */
  private readonly room = new Map<string, number>();
  private snapshot: UploadsSnapshot = NO_UPLOADS;
  private cancelShow: (() => void) | null = null;
  private isOffline = false;
  private isSignedOut = false;
  private hasRestored = false;

  constructor(
    private readonly deps: UploadDeps,
    /** Whose uploads these are. */
    readonly userId: Uuid,
  ) {
    this.sender = new Sender(deps, () => this.entries, {
      changed: (entry, progress = false) => this.changed(entry, progress),
      signedOut: () => this.halt("signedOut"),
      offline: () => this.halt("offline"),
      uploaded: (entry, item) => {
        this.changed(entry);
        for (const listener of this.arrivals) listener(item, rowOf(entry));
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

  /** Hears of every file that has arrived. */
  onArrival(listener: (item: UploadedItem, row: UploadRow) => void): () => void {
    this.arrivals.add(listener);
    return () => this.arrivals.delete(listener);
  }

  /** How much a library has left, as its page last heard it. */
  setRoom(ownerId: Uuid | null, left: number): void {
    this.room.set(ownerId ?? "", left);
    for (const entry of this.entries)
      if (entry.place.ownerId === ownerId && entry.state === "done") entry.isCounted = true;
  }

  /** Takes files. Each is looked at first: what the server would refuse is refused here, without a request. */
  async add(chosen: readonly ChosenFile[], place: UploadPlace, { kinds }: AddOptions = {}): Promise<void> {
    const added = chosen.map(({ file, path }) =>
      newEntry({
        id: this.deps.newId(),
        place: { ...place, path: [...place.path, ...path] },
        name: file.name,
        size: file.size,
        file,
      }),
    );
    this.entries.push(...added);
    for (const entry of added) this.changed(entry);
    for (const entry of added) await this.check(entry, kinds);
  }

  /**
   * Finds what was not finished before this page was loaded: files that this browser kept go on by themselves, the others
   * wait to be chosen again.
   */
  async restore(): Promise<void> {
    if (this.hasRestored) return;
    this.hasRestored = true;
    const kept = (await this.deps.kept.all()).filter(({ userId }) => userId === this.userId);
    const answer = await this.deps.api.json("GET", "/api/v1/uploads");
    const verdict = verdictOf(answer);
    if (verdict.is !== "ok") {
      // Asked again with the next page, or when the connection or the session is back.
      this.hasRestored = false;
      if (verdict.is === "signedOut" && kept.length > 0) this.halt("signedOut");
      return;
    }
    const open = new Map((answer.body as readonly OpenUpload[]).map((upload) => [upload.uuid, upload]));
    for (const { upload } of this.entries) if (upload) open.delete(upload.uuid);
    for (const file of kept) await this.restoreKept(file, open);
    for (const upload of open.values()) await this.restoreMissing(upload);
    this.sender.pump();
  }

  pause(id: string): void {
    this.each(id, (entry) => {
      if (!isUnderWay(entry) || entry.state === "finishing" || entry.state === "checking") return;
      entry.state = "paused";
      stopSlices(entry);
      void this.deps.kept.note(entry.id, { isPaused: true });
    });
  }

  /** Goes on with one that was paused or failed. */
  goOn(id: string): void {
    this.each(id, (entry) => {
      if ((entry.state !== "paused" && entry.state !== "failed") || !entry.file) return;
      forgetTries(entry);
      entry.restarts = 0;
      entry.problem = null;
      entry.state = "waiting";
      void this.deps.kept.note(entry.id, { isPaused: false });
    });
    this.tryAgain();
  }

  /** Somebody chose the file of one that is missing. Another file is refused, and what has arrived stays. */
  async supply(id: string, file: File): Promise<void> {
    const entry = this.entries.find((each) => each.id === id);
    if (entry?.state !== "missing") return;
    const fingerprint = await this.deps.fingerprint(file).catch(() => null);
    const isSame = entry.fingerprint
      ? fingerprint === entry.fingerprint
      : file.name === entry.name && file.size === entry.size;
    if (isSame) this.giveFile(entry, file);
    else {
      entry.problem = { key: "uploads.problem.otherFile", values: { name: entry.name } };
      this.changed(entry);
    }
  }

  pauseAll(group: string): void {
    for (const { id, place } of this.entries) if (place.group === group) this.pause(id);
  }

  goOnAll(group: string): void {
    for (const { id, place } of this.entries) if (place.group === group) this.goOn(id);
    this.tryAgain();
  }

  /** Gives an upload up, on the server too. */
  cancel(id: string): void {
    this.each(id, (entry) => {
      const isEnded = entry.state === "done" || entry.state === "refused";
      this.remove(entry);
      if (!isEnded) void this.sender.abandon(entry);
    });
  }

  /** Takes away the rows that need nobody any more. */
  clearEnded(group: string): void {
    for (const entry of [...this.entries])
      if (entry.place.group === group && (entry.state === "done" || entry.state === "refused"))
        this.remove(entry);
    this.show();
  }

  /** The form that asked for these files is gone: the shelf shows them from now on. */
  adopt(group: string): void {
    for (const entry of [...this.entries]) {
      if (entry.place.group !== group) continue;
      if (entry.state === "done" || entry.state === "refused") {
        this.remove(entry);
        continue;
      }
      entry.place = { ...entry.place, group: SHELF };
      void this.deps.kept.note(entry.id, { place: entry.place });
      this.changed(entry);
    }
    this.show();
  }

  /** The browser lost its connection, or has it again. */
  setOnline(isOnline: boolean): void {
    this.isOffline = !isOnline;
    if (isOnline) this.resume();
    else this.halt("offline");
  }

  /** Asks once more after the session was lost: somebody may have logged in meanwhile. */
  tryAgain(): void {
    this.isSignedOut = false;
    this.resume();
  }

  /** Somebody else is logged in: nothing of this queue is sent any more. What is kept stays for its person. */
  stop(): void {
    this.sender.halt();
    for (const entry of this.entries.splice(0)) for (const release of entry.claims) release();
    this.show();
  }

  private async check(entry: Entry, kinds: readonly MediaKind[] | undefined): Promise<void> {
    const { file, place } = entry;
    if (!file || entry.state !== "checking") return;
    const refuse = (problem: UploadProblem) => {
      entry.state = "refused";
      entry.problem = problem;
      entry.file = null;
      this.changed(entry);
    };
    const left = this.room.get(place.ownerId ?? "") ?? Number.POSITIVE_INFINITY;
    const problem = uploadProblem({ storageLimit: left, storageUsed: this.claimed(entry) }, file.size);
    if (problem) return refuse({ key: problem });
    try {
      const head = new Uint8Array(await file.slice(0, SNIFF_BYTES).arrayBuffer());
      const found = sniffMedia(head, file.name, file.size);
      if (!found) return refuse({ key: "errors.upload.kind" });
      if (kinds && !kinds.includes(found.kind)) return refuse({ key: "uploads.problem.notHere" });
      entry.fingerprint = await this.deps.fingerprint(file);
    } catch {
      return refuse({ key: "uploads.problem.unreadable" });
    }
    if (!this.entries.includes(entry) || this.joins(entry, file)) return;
    entry.state = "waiting";
    this.keep(entry, file);
    this.changed(entry);
    this.sender.pump();
  }

  /** Bytes that are on their way to the same library, or there since its page last counted. */
  private claimed(entry: Entry): number {
    const others = this.entries.filter(
      (other) =>
        other !== entry &&
        other.place.ownerId === entry.place.ownerId &&
        other.state !== "refused" &&
        other.state !== "checking" &&
        !other.isCounted,
    );
    return others.reduce((sum, { size }) => sum + size, 0);
  }

  /** Whether it is a file that the queue has already: one that was missing goes on, one that is under way is no second one. */
  private joins(entry: Entry, file: File): boolean {
    const { fingerprint, size, place } = entry;
    if (!fingerprint) return false;
    const same = this.entries.find(
      (other) =>
        other !== entry && other.fingerprint === fingerprint && other.size === size && other.state !== "done",
    );
    if (!same || same.state === "checking" || same.state === "refused") return false;
    const isElsewhere =
      same.place.folderId !== place.folderId || same.place.path.join("/") !== place.path.join("/");
    if (same.state !== "missing" && isElsewhere) return false;
    this.entries.splice(this.entries.indexOf(entry), 1);
    if (same.state === "missing") {
      same.place = { ...same.place, group: place.group };
      this.giveFile(same, file);
    }
    this.show();
    return true;
  }

  /** Goes on with one whose file was missing. */
  private giveFile(entry: Entry, file: File): void {
    entry.file = file;
    entry.problem = null;
    entry.state = "waiting";
    forgetTries(entry);
    this.keep(entry, file);
    this.changed(entry);
    this.sender.pump();
  }

  private keep(entry: Entry, file: File): void {
    const { id, upload, fingerprint, place } = entry;
    void this.deps.claim(id).then((release) => release && entry.claims.push(release));
    void this.deps.kept.keep({
      id,
      userId: this.userId,
      uploadId: upload?.uuid ?? null,
      fingerprint,
      place: { ...place, group: SHELF },
      isPaused: false,
      file,
    });
  }

  private async restoreKept(kept: KeptFile, open: Map<Uuid, OpenUpload>): Promise<void> {
    const { id, file, fingerprint, place, isPaused } = kept;
    if (this.entries.some((entry) => entry.id === id)) return;
    const release = await this.deps.claim(id);
    const upload = kept.uploadId
      ? open.get(kept.uploadId)
      : [...open.values()].find((each) => fingerprint !== "" && each.fingerprint === fingerprint);
    if (upload) open.delete(upload.uuid);
    // Another tab has it.
    if (!release) return;
    if (kept.uploadId && !upload) {
      release();
      return this.deps.kept.drop(id);
    }
    const entry = newEntry({
      id,
      place,
      name: file.name,
      size: file.size,
      file,
      fingerprint,
      claims: [release],
    });
    entry.state = isPaused ? "paused" : "waiting";
    if (upload) setUpload(entry, upload);
    this.entries.push(entry);
    this.changed(entry);
  }

  private async restoreMissing(upload: OpenUpload): Promise<void> {
    const release = await this.deps.claim(upload.uuid);
    if (!release) return;
    const place = {
      folderId: upload.folder_uuid,
      ownerId: null,
      replacesId: upload.replaces_uuid,
      path: [],
      group: SHELF,
    };
    const entry = newEntry({
      id: this.deps.newId(),
      place,
      name: upload.file_name,
      size: upload.byte_size,
      file: null,
      fingerprint: upload.fingerprint ?? "",
      claims: [release],
    });
    setUpload(entry, upload);
    // What has arrived whole needs no file to be finished.
    entry.state = entry.slices.length > 0 ? "missing" : "waiting";
    this.entries.push(entry);
    this.changed(entry);
  }

  private each(id: string, change: (entry: Entry) => void): void {
    const entry = this.entries.find((each) => each.id === id);
    if (!entry) return;
    change(entry);
    this.changed(entry);
    this.sender.pump();
  }

  private remove(entry: Entry): void {
    this.sender.release(entry);
    const at = this.entries.indexOf(entry);
    if (at >= 0) this.entries.splice(at, 1);
  }

  private halt(why: "offline" | "signedOut"): void {
    if (why === "offline") this.isOffline = true;
    else this.isSignedOut = true;
    this.sender.halt();
    this.show();
  }

  private resume(): void {
    this.sender.isHalted = this.isOffline || this.isSignedOut;
    this.show();
    if (this.sender.isHalted) return;
    if (!this.hasRestored) void this.restore();
    this.sender.pump();
  }

  private changed(entry: Entry, progress = false): void {
    entry.row = null;
    if (!progress) this.show();
    else this.cancelShow ??= this.deps.later(() => this.show(), PROGRESS_MS);
  }

  private show(): void {
    this.cancelShow?.();
    this.cancelShow = null;
    this.snapshot = {
      rows: this.entries.map(rowOf),
      halted: this.isSignedOut ? "signedOut" : this.isOffline ? "offline" : null,
    };
    for (const listener of this.listeners) listener();
  }
}
