import type { MediaKind, Uuid } from "~/domain/shared/model";
import type { MessageKey, MessageValues } from "~/i18n/messages";

/** Maximum number of slices that are sent at the same time, for all files of the queue. */
export const SLICES_AT_ONCE = 3;
/** Number of attempts for a slice or a request before its file fails. */
export const ATTEMPTS_MAX = 5;
/** Delay before the first retry in milliseconds. It doubles with every further retry. */
export const FIRST_RETRY_MS = 1000;
/** Interval between requests while the server completes an upload, in milliseconds. */
export const COMPLETION_POLL_MS = 5000;
/** Time after which an upload that the server is completing counts as failed, in milliseconds. */
export const BUSY_MAX_MS = 3 * 60_000;
/** Group of the uploads that belong to no form and are shown in the upload tray. Browsers store the value (CachedFile), so it keeps its earlier name. */
export const UPLOAD_TRAY_GROUP = "shelf";

/** Target of a file, and the form that shows the file's row. */
export interface UploadPlace {
  /** Id of the folder. Null for the root of the owner's media. */
  readonly folderId: Uuid | null;
  /** Owner of the library. Null for the user's own library. */
  readonly ownerId: Uuid | null;
  /** Id of the item whose file is replaced. */
  readonly replacesId: Uuid | null;
  /** Path of subfolders in that folder. They are created before the first of their files is sent. */
  readonly path: readonly string[];
  /** UPLOAD_TRAY_GROUP, or the name of the form that added the file. */
  readonly group: string;
}

/** A file that the user chose, dropped or pasted, with its folder path. */
export interface ChosenFile {
  readonly file: File;
  readonly path: readonly string[];
}

/**
 * checking: the file is checked in the browser; waiting, sending, finishing: in progress; missing: the browser does not have the file, so the user
 * must choose it again; rejected: the file cannot be stored; failed: the file was not stored, but the user can try again.
 */
export type UploadState =
  | "checking"
  | "waiting"
  | "sending"
  | "finishing"
  | "done"
  | "paused"
  | "missing"
  | "rejected"
  | "failed";

/** Text for the reason of a rejection or failure. */
export interface UploadProblem {
  readonly key: MessageKey;
  readonly values?: MessageValues;
}

/** A file of the queue as it is displayed. The object is the same until something changes. */
export interface UploadRow {
  readonly id: string;
  readonly group: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly sent: number;
  readonly state: UploadState;
  /** Whether a request failed and is being retried. */
  readonly isRetrying: boolean;
  readonly problem: UploadProblem | null;
}

/** The fields of a stored file in the API's response that are used here. */
export interface UploadedItem {
  readonly uuid: Uuid;
  readonly kind: MediaKind;
  readonly title: string;
  readonly file_name: string;
  readonly mime_type: string;
  readonly byte_size: number;
  /** State of the file's conversion. */
  readonly preparation: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** Compares file names. Numbers in them are compared by value. */
export const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

/** Snapshot of the whole queue. */
export interface UploadsSnapshot {
  readonly rows: readonly UploadRow[];
  /** Reason why nothing is sent although files wait. */
  readonly halted: "offline" | "signedOut" | null;
}

/** Value before a queue exists, and on the server. */
export const NO_UPLOADS: UploadsSnapshot = { rows: [], halted: null };

const UNDER_WAY: ReadonlySet<UploadState> = new Set(["checking", "waiting", "sending", "finishing"]);

/** Whether leaving the page would interrupt the upload. */
export const isUnderWay = ({ state }: Pick<UploadRow, "state">): boolean => UNDER_WAY.has(state);

const NEEDING_ATTENTION: ReadonlySet<UploadState> = new Set(["missing", "rejected", "failed"]);

/** True for a file that was rejected, failed, is missing in this browser, or is stored and cannot be shown. */
export const needsAttention = ({ state, problem }: Pick<UploadRow, "state" | "problem">): boolean =>
  NEEDING_ATTENTION.has(state) || problem !== null;

/** Sums up some rows. `files`, `size` and `sent` do not include rejected files, because these will not be sent. */
export function sumRows(rows: readonly UploadRow[]) {
  const counted = rows.filter(({ state }) => state !== "rejected");
  const sum = (read: (row: UploadRow) => number) => counted.reduce((total, row) => total + read(row), 0);
  const countInState = (...states: readonly UploadState[]) =>
    rows.filter(({ state }) => states.includes(state)).length;
  return {
    files: counted.length,
    size: sum((row) => row.size),
    sent: sum((row) => row.sent),
    done: countInState("done"),
    underWay: rows.filter(isUnderWay).length,
    paused: countInState("paused"),
    missing: countInState("missing"),
    rejected: countInState("rejected"),
    notUploaded: countInState("failed", "rejected"),
    /** Files that need no further request. */
    ended: countInState("done", "rejected"),
  };
}
