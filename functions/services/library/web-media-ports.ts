/** Ports of the use cases of web media. */

import type { WebMediaResponse, WebUrlMatch } from "~/domain/library/oembed.schema";
import type { Instant, Uuid, WebMediaItem } from "~/domain/shared/model";

/**
 * Reasons why a provider's response cannot be shown: it offers only a link and nothing to embed (specification §5), it is invalid, the content was
 * not found or is private, the provider does not support the lookup, or the request failed.
 */
export type WebMediaProblem = "link" | "bad" | "not_found" | "private" | "unsupported" | "unreachable";

/** A thumbnail as the provider sent it. Its type is read from its bytes. */
export interface ThumbnailImage {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mimeType: string;
}

/** Client for the supported oEmbed providers. It contacts only their endpoints and image hosts. */
export interface WebLookup {
  /**
   * Requests a URL from its provider's oEmbed endpoint; for a provider without one, the response is made from the URL. Responses of endpoints are
   * cached for the time that they declare, within limits.
   */
  requestOembed(match: WebUrlMatch): Promise<WebMediaResponse | WebMediaProblem>;
  /** Loads the thumbnail of a response; null if it does not arrive or is not an image. */
  fetchThumbnail(match: WebUrlMatch, response: WebMediaResponse): Promise<ThumbnailImage | null>;
}

/** Thumbnails in R2. */
export interface ImageStore {
  put(key: string, image: ThumbnailImage): Promise<void>;
  delete(key: string): Promise<void>;
}

/** A stored thumbnail of a web media item. */
export interface StoredImage {
  readonly key: string;
  readonly mimeType: string;
  readonly byteSize: number;
}

/** A web media item to add to a library. */
export interface NewWebItem {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The folder's group, with which the new item is shared. */
  readonly groupId: Uuid | null;
  readonly title: string;
  readonly web: WebMediaItem;
  readonly image: StoredImage | null;
  readonly createdAt: Instant;
}

/** A new URL or a new provider response for a web media item of a given version. */
export interface WebItemChange {
  readonly id: Uuid;
  readonly version: number;
  /** Undefined keeps the title. */
  readonly title: string | undefined;
  readonly web: WebMediaItem;
  /** "kept" keeps the current thumbnail. */
  readonly image: StoredImage | "kept" | null;
  readonly at: Instant;
}
