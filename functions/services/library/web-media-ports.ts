/** What the use cases of web media ask of the outside. */

import type { WebAddressMatch, WebAnswer } from "~/domain/library/oembed.schema";
import type { Instant, Uuid, WebMedium } from "~/domain/shared/model";

/**
 * Why a provider's answer gives nothing to show: a link (§5), something that is no answer, nothing there, not for everybody,
 * a question that it does not answer, or nobody who answered in time.
 */
export type WebMediaProblem = "link" | "bad" | "not_found" | "private" | "unsupported" | "unreachable";

/** A still picture, as it came; its type is what its bytes say. */
export interface StillImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}

/** The way out to the providers of our table, and to nobody else. */
export interface WebLookup {
  /** What an address is, by its provider's oEmbed endpoint. Answers are kept for as long as they say, within bounds. */
  ask(match: WebAddressMatch): Promise<WebAnswer | WebMediaProblem>;
  /** The still picture of an answer; null when it does not come, or is no picture. Nothing depends on it. */
  picture(match: WebAddressMatch, answer: WebAnswer): Promise<StillImage | null>;
}

/** Still pictures in R2. */
export interface ImageStore {
  put(key: string, picture: StillImage): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A web medium's still picture, stored. */
export interface StoredImage {
  readonly key: string;
  readonly mimeType: string;
  readonly byteSize: number;
}

/** A web medium to be added to a library. */
export interface NewWebItem {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The folder's group: what is made in a shared folder is shared. */
  readonly groupId: Uuid | null;
  readonly title: string;
  readonly web: WebMedium;
  readonly picture: StoredImage | null;
  readonly createdAt: Instant;
}

/** Another address, or another answer, for a web medium of that version. */
export interface WebItemChange {
  readonly id: Uuid;
  readonly version: number;
  /** Undefined keeps the title. */
  readonly title: string | undefined;
  readonly web: WebMedium;
  /** "kept": the one that it has. */
  readonly picture: StoredImage | "kept" | null;
  readonly at: Instant;
}
