import type { Uuid } from "~/domain/shared/model";
import type { UploadPlace, UploadProblem, UploadRow, UploadState } from "./model";
import { missingSlices, type Slice } from "./slices";

/** A slice that has not arrived, with its attempts. */
export interface PendingSlice extends Slice {
  /** How often it has been sent in vain. */
  tries: number;
  /** Not to be sent before this time. */
  readyAt: number;
  /** While it is under way. */
  flight: AbortController | null;
  /** Bytes of it that have gone. */
  sent: number;
}

/** The server's side of an upload. */
export interface OpenUpload {
  readonly uuid: Uuid;
  readonly media_uuid: Uuid;
  readonly folder_uuid: Uuid | null;
  readonly replaces_uuid: Uuid | null;
  readonly file_name: string;
  readonly byte_size: number;
  readonly part_size: number;
  readonly fingerprint: string | null;
  readonly parts: readonly { readonly number: number; readonly byte_size: number }[];
}

/** A file of the queue, as the queue itself knows it. */
export interface Entry {
  readonly id: string;
  place: UploadPlace;
  readonly name: string;
  readonly size: number;
  file: File | null;
  fingerprint: string;
  state: UploadState;
  problem: UploadProblem | null;
  upload: Pick<OpenUpload, "uuid" | "media_uuid" | "part_size"> | null;
  slices: PendingSlice[];
  /** A question about the file itself is under way: opening or completing its upload. It is short, and never broken off. */
  isAsking: boolean;
  /** How often such a question failed, and when the next may be asked. */
  tries: number;
  readyAt: number;
  /** Since when the server says that it is being completed; null when it does not. */
  busySince: number | null;
  /** How often it was begun anew because the server had forgotten it. */
  restarts: number;
  /** Gives the upload to other tabs. */
  readonly claims: (() => void)[];
  /** Its bytes are part of what the page last knew of the storage. */
  isCounted: boolean;
  /** What is shown of it, until something changes. */
  row: UploadRow | null;
}

/** A file of the queue at its beginning. */
export const newEntry = (
  known: Pick<Entry, "id" | "place" | "name" | "size" | "file"> & Partial<Entry>,
): Entry => ({
  fingerprint: "",
  state: "checking",
  problem: null,
  upload: null,
  slices: [],
  isAsking: false,
  tries: 0,
  readyAt: 0,
  busySince: null,
  restarts: 0,
  claims: [],
  isCounted: false,
  row: null,
  ...known,
});

/** Takes over what the server says has arrived. */
export function setUpload(entry: Entry, upload: OpenUpload): void {
  entry.upload = upload;
  entry.slices = missingSlices(entry.size, upload.part_size, upload.parts ?? []).map((slice) => ({
    ...slice,
    tries: 0,
    readyAt: 0,
    flight: null,
    sent: 0,
  }));
}

/** Breaks off its slices that are under way. */
export function stopSlices(entry: Entry): void {
  for (const slice of entry.slices) slice.flight?.abort();
}

/** Resets the attempts of an entry and of its slices. */
export function forgetTries(entry: Entry): void {
  entry.tries = 0;
  entry.readyAt = 0;
  entry.busySince = null;
  for (const slice of entry.slices) {
    slice.tries = 0;
    slice.readyAt = 0;
  }
}

function bytesSent({ state, size, upload, slices }: Entry): number {
  if (state === "done") return size;
  if (!upload) return 0;
  return slices.reduce((sent, slice) => sent - (slice.end - slice.start) + slice.sent, size);
}

/** What is shown of it. */
export function rowOf(entry: Entry): UploadRow {
  entry.row ??= {
    id: entry.id,
    group: entry.place.group,
    name: entry.name,
    size: entry.size,
    sent: bytesSent(entry),
    state: entry.state,
    isTroubled: entry.tries > 0 || entry.slices.some(({ tries }) => tries > 0),
    problem: entry.problem,
  };
  return entry.row;
}
