import type { MediaKind, Uuid } from "~/domain/shared/model";
import type { MessageKey, MessageValues } from "~/i18n/messages";

/** Slices that are under way at once, over all files of the queue. */
export const SLICES_AT_ONCE = 3;
/** How often a slice, or a question about a file, is sent before its file counts as failed. */
export const TRIES = 5;
/** The first wait before it is sent again, in milliseconds; it doubles with every further one. */
export const FIRST_WAIT_MS = 1000;
/** Interval between requests while the server completes an upload, in milliseconds. */
export const BUSY_WAIT_MS = 5000;
/** Time after which an upload that is being completed counts as failed, in milliseconds. */
export const BUSY_MAX_MS = 3 * 60_000;
/** The group of uploads that belong to no form: the shelf shows them. */
export const SHELF = "shelf";

/** Where a file is to lie, and who shows its row. */
export interface UploadPlace {
  /** The folder; null for the root of the owner's media. */
  readonly folderId: Uuid | null;
  /** Whose library; null for one's own. */
  readonly ownerId: Uuid | null;
  /** The item whose file it takes the place of. */
  readonly replacesId: Uuid | null;
  /** Folders below the folder, made when the first file for them is sent. */
  readonly path: readonly string[];
  /** SHELF, or the form that asked for the file. */
  readonly group: string;
}

/** A file that somebody chose, dropped or pasted, with the folders it came in. */
export interface ChosenFile {
  readonly file: File;
  readonly path: readonly string[];
}

/**
 * checking: read here; waiting, sending, finishing: under way; missing: the server knows it and this browser has no file for it;
 * refused: it cannot be stored; failed: tried often enough.
 */
export type UploadState =
  | "checking"
  | "waiting"
  | "sending"
  | "finishing"
  | "done"
  | "paused"
  | "missing"
  | "refused"
  | "failed";

/** Why something is refused or failed, in words. */
export interface UploadProblem {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

/** A file of the queue as it is shown. The same object until something about it changes. */
export interface UploadRow {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  readonly state: UploadState;
  /** Something of it failed and is tried again. */
  readonly isTroubled: boolean;
  readonly problem: UploadProblem | null;
}

/** What the API says of a stored file, as far as it is used here. */
export interface UploadedItem {
  readonly uuid: Uuid;
  readonly kind: MediaKind;
  readonly title: string;
  readonly file_name: string;
  readonly mime_type: string;
  readonly byte_size: number;
  /** How its conversion for visitors stands. */
  readonly preparation: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** The whole queue at one moment. */
export interface UploadsSnapshot {
  readonly rows: readonly UploadRow[];
  /** Why nothing is sent although files wait. */
  readonly halted: "offline" | "signedOut" | null;
}

/** Before there is a queue, and on the server. */
export const NO_UPLOADS: UploadsSnapshot = { rows: [], halted: null };

const UNDER_WAY: ReadonlySet<UploadState> = new Set(["checking", "waiting", "sending", "finishing"]);

/** Whether leaving the page would interrupt it. */
export const isUnderWay = ({ state }: Pick<UploadRow, "state">): boolean => UNDER_WAY.has(state);

const UNFINISHED: ReadonlySet<UploadState> = new Set(["missing", "refused", "failed"]);

/** True for a file that was rejected, failed, is missing in this browser, or is stored and cannot be shown. */
export const needsAttention = ({ state, problem }: Pick<UploadRow, "state" | "problem">): boolean =>
  UNFINISHED.has(state) || problem !== null;

/** Files and bytes of some rows. What was refused counts for nothing: none of it will be sent. */
export function totalOf(rows: readonly UploadRow[]) {
  const counted = rows.filter(({ state }) => state !== "refused");
  const sum = (of: (row: UploadRow) => number) => counted.reduce((total, row) => total + of(row), 0);
  const inState = (...states: readonly UploadState[]) =>
    rows.filter(({ state }) => states.includes(state)).length;
  return {
    files: counted.length,
    size: sum((row) => row.size),
    sent: sum((row) => row.sent),
    done: inState("done"),
    underWay: rows.filter(isUnderWay).length,
    paused: inState("paused"),
    missing: inState("missing"),
    notUploaded: inState("failed", "refused"),
    /** Files of which nothing more is sent. */
    ended: inState("done", "refused"),
  };
}
