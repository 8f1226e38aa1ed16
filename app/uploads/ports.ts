import type { MediaKind, Uuid } from "~/domain/shared/model";
import type { GatheredFiles } from "./gather-models";
import type { ChosenFile, UploadPlace, UploadProblem } from "./model";

/** An answer of the API. */
export interface Answer {
  /** 0: there was none. */
  readonly status: number;
  readonly body: unknown;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfter: number | null;
}

/** How the queue reaches the API. Never throws: no answer is an answer of status 0. */
export interface UploadApi {
  json(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** Sends bytes as they are. `onSent` hears how many have gone. */
  bytes(
    path: string,
    bytes: Blob,
    options?: { readonly signal?: AbortSignal; readonly onSent?: (bytes: number) => void },
  ): Promise<Answer>;
}

/** A file that is kept in the browser until it is uploaded, so that a reload does not lose it. */
export interface KeptFile {
  /** The row's. */
  readonly id: string;
  /** Who chose it: a browser can have several people. */
  readonly userId: Uuid;
  /** The server's upload; null before it has one. */
  readonly uploadId: Uuid | null;
  readonly fingerprint: string;
  readonly place: UploadPlace;
  readonly isPaused: boolean;
  readonly file: File;
}

/** Where files are kept. Never throws: where nothing can be kept, nothing is there afterwards. */
export interface KeptFiles {
  all(): Promise<readonly KeptFile[]>;
  keep(file: KeptFile): Promise<void>;
  /** Changes what is known of a kept file, which is not written again itself. */
  note(id: string, change: Partial<Pick<KeptFile, "uploadId" | "place" | "isPaused">>): Promise<void>;
  drop(id: string): Promise<void>;
}

/** What the queue uses of its surroundings. */
export interface UploadDeps {
  readonly api: UploadApi;
  readonly kept: KeptFiles;
  /** Takes an upload for this tab alone. @returns how to give it back; null while another tab has it */
  readonly claim: (name: string) => Promise<(() => void) | null>;
  /** @returns "" where the browser has no means for it */
  readonly fingerprint: (file: File) => Promise<string>;
  /** Packs each model of several files into one: glTF into a GLB, other formats into a ZIP file. Also reads chosen ZIP files. */
  readonly gatherModels: (chosen: readonly ChosenFile[]) => Promise<GatheredFiles>;
  /** Checks a 3D model in the browser. @returns the first problem; null when none is found */
  readonly checkModel: (file: File) => Promise<UploadProblem | null>;
  /** Checks the size of a picture. @returns the problem; null when the picture can be stored, or when its size is not known */
  readonly checkPicture: (file: File, mimeType: string) => Promise<UploadProblem | null>;
  /** Checks whether browsers can play a film. @returns the problem; null when one can, or when it is not known */
  readonly checkFilm: (file: File) => Promise<UploadProblem | null>;
  /** Makes the thumbnail of a video, PDF, model, splat or large SVG file; null when none is needed or can be made. @throws UnreadableFileError */
  readonly makeStill: (file: File, kind: MediaKind) => Promise<Blob | null>;
  readonly isOnline: () => boolean;
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly chance: () => number;
  readonly newId: () => string;
}
