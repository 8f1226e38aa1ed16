import type { FileStore, StoredFile } from "#functions/services/library/stored-file-ports";
import { fileVersion, type ImageWidth, imageKey } from "~/domain/library/media-url";
import { sniffMedia } from "~/domain/library/sniff-media";
import { fileHeaders, isShown } from "../file-headers";
import { matchesEtag } from "../range-request";
import { sendFile } from "../send-file";
import { type ImageResizer, imageName, LIST_IMAGE } from "./image-resizer";
import { IMAGE_TYPES, type ImageType, negotiateImageType } from "./image-type";

/** Dependencies of sendImage. */
export interface ImageDeps {
  readonly store: FileStore;
  readonly images: ImageResizer;
  /** Receives work that the response need not wait for. */
  readonly defer: (work: Promise<unknown>) => void;
}

/**
 * Width in pixels from which an animated image is sent as an animation. Smaller images appear in lists, where twenty
 * animations would be many megabytes.
 */
const ANIMATED_MIN_WIDTH = 1280;
/** Maximum size in bytes of a file that is sent instead of a resized image. */
const bytesFor = (width: ImageWidth) => (width > LIST_IMAGE.width ? width * 1000 : LIST_IMAGE.bytes);
/** Maximum size of a thumbnail in bytes. Its size in pixels is not recorded. */
const THUMBNAIL_BYTES = 256 * 1024;

/** Placeholder for an image that cannot be made: a grey rectangle. It is not cached, so the browser requests the image again. */
const PLACEHOLDER_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 24"><path fill="#8883" d="M0 0h32v24H0z"/><path fill="none" stroke="#8889" d="m9 16 4-5 3 3 3-4 4 6z"/></svg>';

/**
 * Sends an image of a file: its thumbnail or, if the file is an image, the image itself, in the requested width and the best type that the client
 * accepts. An SVG file is sent as it is, unless it is too large or, in lists, has a thumbnail. A file that cannot be converted is sent itself if it
 * is small and browsers show its type, and otherwise replaced by a grey rectangle.
 * @param caching cache headers for a URL whose response never changes; empty for any other URL
 * @returns null for a file without an image, and if the store has lost the file or thumbnail that would be sent as stored
 */
export async function sendImage(
  { store, images, defer }: ImageDeps,
  file: StoredFile,
  width: ImageWidth,
  request: Request,
  caching: Readonly<Record<string, string>>,
): Promise<Response | null> {
  const key = imageKey(file);
  if (key === null) return null;
  const isFromFile = key === file.fileKey;
  const isSmall = file.byteSize <= bytesFor(width);
  const sendOriginal = () => sendFile(store, file, request, caching);
  if (file.mimeType === "image/svg+xml") {
    // Lists show the thumbnail that a browser has drawn of a large SVG file. Large views show the SVG file itself,
    // which stays sharp.
    const limit = isFromFile ? Math.max(bytesFor(width), THUMBNAIL_BYTES) : bytesFor(width);
    if (file.byteSize <= limit && (isFromFile || width > LIST_IMAGE.width)) return sendOriginal();
    if (isFromFile) return placeholderResponse(file);
  }
  if (isFromFile && file.mimeType === "image/gif" && width >= ANIMATED_MIN_WIDTH) return sendOriginal();

  // Only the bytes tell the type of a thumbnail. It was checked when it was stored, and every converter reads it.
  const mimeType = isFromFile ? file.mimeType : "image/jpeg";
  const type = negotiateImageType(request.headers.get("accept"), width, mimeType);
  const imageRequest = {
    key,
    mimeType,
    width,
    type,
    byteSize: isFromFile ? file.byteSize : THUMBNAIL_BYTES,
    size: isFromFile && file.width && file.height ? { width: file.width, height: file.height } : null,
  };
  const etag = `"${fileVersion(key)}-${imageName(imageRequest)}"`;
  const vary = [caching.vary, "Accept"].filter(Boolean).join(", ");
  if (matchesEtag(request.headers.get("if-none-match"), etag))
    return new Response(null, {
      status: 304,
      headers: { ...imageHeaders(file, type), ...caching, vary, etag },
    });
  if (isFromFile && width >= ANIMATED_MIN_WIDTH && (await isAnimated(store, file, key)))
    return sendOriginal();
  const resized = await images.get(imageRequest, defer);
  if (resized) {
    const headers = {
      ...imageHeaders(file, resized.type),
      ...caching,
      vary,
      etag,
      "content-length": String(resized.bytes.byteLength),
    };
    return new Response(request.method === "HEAD" ? null : resized.bytes, { headers });
  }
  if (!isFromFile) return sendThumbnail(store, file, key, width);
  const isSafe = file.mimeType.startsWith("image/") && isShown(file.mimeType);
  return isSmall && isSafe ? sendFile(store, file, request) : placeholderResponse(file);
}

/**
 * Number of bytes at the beginning of a file in which it states whether it is animated. In PNG, a colour profile may precede the statement.
 */
const ANIMATION_HEAD_BYTES = 4096;

/**
 * Returns whether a WebP or a PNG file has several frames (WebP: the flag in VP8X; PNG: the chunk acTL before the image
 * data).
 */
async function isAnimated(store: FileStore, file: StoredFile, key: string): Promise<boolean> {
  if (file.mimeType !== "image/webp" && file.mimeType !== "image/png") return false;
  const storedHead = await store.get(key, {
    range: { first: 0, last: Math.min(ANIMATION_HEAD_BYTES, file.byteSize) - 1 },
  });
  if (!storedHead?.body) return false;
  const head = new Uint8Array(await new Response(storedHead.body).arrayBuffer());
  const text = new TextDecoder("latin1").decode(head);
  if (file.mimeType === "image/webp") return text.startsWith("VP8X", 12) && ((head[20] ?? 0) & 2) !== 0;
  const animationOffset = text.indexOf("acTL");
  return animationOffset > 0 && (!text.includes("IDAT") || animationOffset < text.indexOf("IDAT"));
}

/** Sends a thumbnail as it was stored, with the type that its bytes tell; the placeholder if it is too large, an SVG file or no image. Null if it is missing. */
async function sendThumbnail(
  store: FileStore,
  file: StoredFile,
  key: string,
  width: ImageWidth,
): Promise<Response | null> {
  const stored = await store.get(key);
  if (!stored?.body) return null;
  if (stored.size > bytesFor(width)) {
    await stored.body.cancel();
    return placeholderResponse(file);
  }
  const bytes = await new Response(stored.body).arrayBuffer();
  const sniffed = await sniffMedia(new Uint8Array(bytes), "", bytes.byteLength);
  return sniffed?.kind === "image" && isShown(sniffed.mimeType) && sniffed.mimeType !== "image/svg+xml"
    ? new Response(bytes, { headers: imageHeaders(file, sniffed.mimeType) })
    : placeholderResponse(file);
}

const imageHeaders = (file: StoredFile, type: string): Record<string, string> => {
  const extension = IMAGE_TYPES[type as ImageType] ?? "img";
  const { "accept-ranges": _ranges, ...headers } = fileHeaders({
    mimeType: type,
    fileName: `${file.fileName.replace(/\.[^.]{1,5}$/, "")}.${extension}`,
  });
  return headers;
};

const placeholderResponse = (file: StoredFile): Response =>
  new Response(PLACEHOLDER_SVG, {
    headers: {
      ...fileHeaders({ mimeType: "image/svg+xml", fileName: `${file.itemId}.svg` }),
      // The viewer shows the title instead of this placeholder.
      "x-placeholder": "1",
    },
  });
