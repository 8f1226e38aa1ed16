import type { MediaKind, Uuid } from "~/domain/shared/model";
import type { GatheredFiles } from "./preflight/gather-models";
import type { ChosenFile, UploadPlace, UploadProblem } from "./upload-state";

/** A response of the API. */
export interface ApiResponse {
  /** HTTP status. 0 when there was no response. */
  readonly status: number;
  readonly body: unknown;
  /** Delay that the server requires, in milliseconds. */
  readonly retryAfter: number | null;
}

/** Access of the queue to the API. It never throws: without a response, the status is 0. */
export interface UploadApi {
  json(
    method: "GET" | "POST" | "DELETE",
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<ApiResponse>;
  /** Sends raw bytes. `onSent` receives the number of bytes that have been sent so far. */
  bytes(
    path: string,
    bytes: Blob,
    options?: { readonly signal?: AbortSignal; readonly onSent?: (bytes: number) => void },
  ): Promise<ApiResponse>;
}

/** A file that the browser stores until it is uploaded, so that it is not lost with a reload. */
export interface CachedFile {
  /** Id of the row. */
  readonly id: string;
  /** Id of the user who chose it, because a browser can have several users. */
  readonly userId: Uuid;
  /** Id of the server's upload. Null before it exists. */
  readonly uploadId: Uuid | null;
  readonly fingerprint: string;
  readonly place: UploadPlace;
  readonly isPaused: boolean;
  readonly file: File;
}

/** Stores files in the browser. Its methods never throw: a file that cannot be stored is missing afterwards. */
export interface FileStorage {
  all(): Promise<readonly CachedFile[]>;
  store(file: CachedFile): Promise<void>;
  /** Changes the metadata of a stored file without writing the file again. */
  update(id: string, change: Partial<Pick<CachedFile, "uploadId" | "place" | "isPaused">>): Promise<void>;
  drop(id: string): Promise<void>;
}

/** Dependencies of the queue. */
export interface UploadQueueDeps {
  readonly api: UploadApi;
  readonly storage: FileStorage;
  /** Locks an upload for this tab. @returns a function that releases the lock; null while another tab has it */
  readonly lock: (name: string) => Promise<(() => void) | null>;
  /** @returns "" in browsers that cannot compute it */
  readonly fingerprint: (file: File) => Promise<string>;
  /**
   * Packs each model that consists of several files into one file: glTF into a GLB file, other formats into a ZIP file. Chosen ZIP files are searched
   * as well.
   */
  readonly gatherModels: (chosen: readonly ChosenFile[]) => Promise<GatheredFiles>;
  /** Checks a 3D model in the browser. @returns the first problem; null when none is found */
  readonly checkModel: (file: File) => Promise<UploadProblem | null>;
  /**
   * Checks the size of an image.
   * @returns the problem; null when the image can be stored, or when its size is unknown
   */
  readonly checkImage: (file: File, mimeType: string) => Promise<UploadProblem | null>;
  /** Checks whether browsers can play a video. @returns the problem when no browser can play it; null otherwise, and when this is unknown */
  readonly checkVideo: (file: File) => Promise<UploadProblem | null>;
  /**
   * Draws the thumbnail of a video, PDF, model, splat or large SVG file. Returns null when none is needed or none can be drawn. @throws
   * UnreadableFileError
   */
  readonly makeThumbnail: (file: File, kind: MediaKind) => Promise<Blob | null>;
  readonly isOnline: () => boolean;
  readonly now: () => number;
  readonly schedule: (run: () => void, milliseconds: number) => () => void;
  readonly random: () => number;
  readonly newId: () => string;
}
