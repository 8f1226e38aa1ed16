/** Ports of the use cases of web media. */

import type { WebAddressMatch, WebAnswer } from "~/domain/library/oembed.schema";
import type { Instant, Uuid, WebMedium } from "~/domain/shared/model";

/**
 * Reasons why a provider's response cannot be shown: a link (§5), an invalid response, not found, private, a lookup that the provider does not
 * support, or no response in time.
 */
export type WebMediaProblem = "link" | "bad" | "not_found" | "private" | "unsupported" | "unreachable";

/** A still picture, as it came; its type is what its bytes say. */
export interface StillImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}

/** Client for the oEmbed providers of the table, and for no other hosts. */
export interface WebLookup {
  /** Looks an address up at its provider's oEmbed endpoint. Responses are cached for as long as they declare, within bounds. */
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
  /** The folder's group, with which a new item is shared. */
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
  /** "kept" keeps the current one. */
  readonly picture: StoredImage | "kept" | null;
  readonly at: Instant;
}
