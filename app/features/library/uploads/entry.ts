import type { Uuid } from "~/domain/shared/model";
import { type FileSlice, missingSlices } from "./slices";
import type { UploadedItem, UploadPlace, UploadProblem, UploadRow, UploadState } from "./upload-state";

/** A slice that has not arrived, with its attempts. */
export interface PendingSlice extends FileSlice {
  /** Number of failed attempts. */
  attempts: number;
  /** Earliest time of the next attempt, in epoch milliseconds. */
  readyAt: number;
  /** Cancels the running request. Null when there is none. */
  abortController: AbortController | null;
  /** Number of its bytes that were sent. */
  sent: number;
}

/** State of the upload on the server. */
export interface ServerUpload {
  readonly uuid: Uuid;
  readonly media_uuid: Uuid;
  readonly folder_uuid: Uuid | null;
  readonly owner_uuid: Uuid;
  readonly replaces_uuid: Uuid | null;
  readonly file_name: string;
  readonly byte_size: number;
  readonly part_size: number;
  readonly fingerprint: string | null;
  readonly parts: readonly { readonly number: number; readonly byte_size: number }[];
}

/** A file of the queue with its internal state. */
export interface Entry {
  readonly id: string;
  place: UploadPlace;
  readonly name: string;
  readonly size: number;
  file: File | null;
  fingerprint: string;
  state: UploadState;
  problem: UploadProblem | null;
  upload: Pick<ServerUpload, "uuid" | "media_uuid" | "part_size"> | null;
  slices: PendingSlice[];
  /** Whether a request that opens or completes the upload is running. Such a request is short, and the queue never aborts it. */
  isRequesting: boolean;
  /** Number of failed attempts of that request, and earliest time of the next attempt in epoch milliseconds. */
  attempts: number;
  readyAt: number;
  /** Time since which the server has been completing the upload, in epoch milliseconds. Null when it is not. */
  busySince: number | null;
  /** Number of restarts after the server had lost the upload or some of its slices. */
  restarts: number;
  /** Functions that release the locks of this tab on the upload. */
  readonly releaseLocks: (() => void)[];
  /** Whether the used storage that the page last received includes the file. */
  isCounted: boolean;
  /** Called when the file has arrived. The form that added the file sets it. */
  onArrived: ((item: UploadedItem) => void) | null;
  /** The displayed row. Null when it must be computed again. */
  row: UploadRow | null;
}

/** Creates an entry for a new file of the queue. */
export const createEntry = (
  values: Pick<Entry, "id" | "place" | "name" | "size" | "file"> & Partial<Entry>,
): Entry => ({
  fingerprint: "",
  state: "checking",
  problem: null,
  upload: null,
  slices: [],
  isRequesting: false,
  attempts: 0,
  readyAt: 0,
  busySince: null,
  restarts: 0,
  releaseLocks: [],
  isCounted: false,
  onArrived: null,
  row: null,
  ...values,
});

/** Stores the server's state of an upload. The entry's slices become those that the server has not received. */
export function setUpload(entry: Entry, upload: ServerUpload): void {
  entry.upload = upload;
  entry.slices = missingSlices(entry.size, upload.part_size, upload.parts ?? []).map((slice) => ({
    ...slice,
    attempts: 0,
    readyAt: 0,
    abortController: null,
    sent: 0,
  }));
}

/** Aborts the running slices of an entry. */
export function stopSlices(entry: Entry): void {
  for (const slice of entry.slices) slice.abortController?.abort();
}

/** Resets the attempts of an entry and of its slices. */
export function resetAttempts(entry: Entry): void {
  entry.attempts = 0;
  entry.readyAt = 0;
  entry.busySince = null;
  for (const slice of entry.slices) {
    slice.attempts = 0;
    slice.readyAt = 0;
  }
}

function countSentBytes({ state, size, upload, slices }: Entry): number {
  if (state === "done") return size;
  if (!upload) return 0;
  return slices.reduce((sent, slice) => sent - (slice.end - slice.start) + slice.sent, size);
}

/** Returns the displayed row of an entry. */
export function getRow(entry: Entry): UploadRow {
  entry.row ??= {
    id: entry.id,
    group: entry.place.group,
    name: entry.name,
    size: entry.size,
    sent: countSentBytes(entry),
    state: entry.state,
    isRetrying: entry.attempts > 0 || entry.slices.some(({ attempts }) => attempts > 0),
    problem: entry.problem,
  };
  return entry.row;
}
