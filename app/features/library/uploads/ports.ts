import type { MediaKind, Uuid } from "~/domain/shared/model";
import type { ChosenFile, UploadPlace, UploadProblem } from "./model";
import type { GatheredFiles } from "./preflight/gather-models";

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
  /** Sends raw bytes. `onSent` receives the number of sent bytes. */
  bytes(
    path: string,
    bytes: Blob,
    options?: { readonly signal?: AbortSignal; readonly onSent?: (bytes: number) => void },
  ): Promise<ApiResponse>;
}

/** A file that is cached in the browser until it is uploaded, so that a reload does not lose it. */
export interface KeptFile {
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

/** The cache of files. It never throws: a file that cannot be stored is simply missing afterwards. */
export interface KeptFiles {
  all(): Promise<readonly KeptFile[]>;
  keep(file: KeptFile): Promise<void>;
  /** Changes the metadata of a cached file. The file itself is not written again. */
  note(id: string, change: Partial<Pick<KeptFile, "uploadId" | "place" | "isPaused">>): Promise<void>;
  drop(id: string): Promise<void>;
}

/** Dependencies of the queue. */
export interface UploadQueueDeps {
  readonly api: UploadApi;
  readonly kept: KeptFiles;
  /**
   * Locks an upload for this tab.
   * @returns a function that unlocks it; null while another tab has it
   */
  readonly claim: (name: string) => Promise<(() => void) | null>;
  /** @returns "" in browsers that cannot compute it */
  readonly fingerprint: (file: File) => Promise<string>;
  /** Packs each model of several files into one: glTF into a GLB, other formats into a ZIP file. Also reads chosen ZIP files. */
  readonly gatherModels: (chosen: readonly ChosenFile[]) => Promise<GatheredFiles>;
  /** Checks a 3D model in the browser. @returns the first problem; null when none is found */
  readonly checkModel: (file: File) => Promise<UploadProblem | null>;
  /**
   * Checks the size of an image.
   * @returns the problem; null when the image can be stored, or when its size is unknown
   */
  readonly checkImage: (file: File, mimeType: string) => Promise<UploadProblem | null>;
  /**
   * Checks whether browsers can play a video.
   * @returns the problem; null when one can, or when it is unknown
   */
  readonly checkVideo: (file: File) => Promise<UploadProblem | null>;
  /** Makes the thumbnail of a video, PDF, model, splat or large SVG file; null when none is needed or can be made. @throws UnreadableFileError */
  readonly makeThumbnail: (file: File, kind: MediaKind) => Promise<Blob | null>;
  readonly isOnline: () => boolean;
  readonly now: () => number;
  readonly later: (run: () => void, milliseconds: number) => () => void;
  readonly chance: () => number;
  readonly newId: () => string;
}
