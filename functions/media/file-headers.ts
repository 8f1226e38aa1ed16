import type { StoredFile } from "#functions/services/library/stored-file-ports";
import { contentDisposition } from "~/domain/shared/content-disposition";

/** Types that a browser may display. All other uploaded files are sent as downloads. */
const DISPLAYED_TYPES =
  /^(image\/(png|jpeg|gif|webp|avif|svg\+xml)|video\/(mp4|webm|ogg|quicktime)|audio\/(mpeg|mp4|aac|ogg|wav|webm|flac)|application\/pdf|text\/vtt)$/;
/** Types that are not displayed but keep their MIME type: models, which the viewer fetches, and images that browsers cannot show. */
const DOWNLOADED_TYPES =
  /^(model\/(gltf-binary|gltf\+json|obj|stl|vnd\.usdz\+zip)|image\/(ktx2|hei[cf]|tiff|bmp))$/;

/** Whether a browser shows files of a type by itself. */
export const isShown = (mimeType: string): boolean => DISPLAYED_TYPES.test(mimeType);

/** The type with which a stored file is sent: its own without parameters if it is listed above, otherwise plain bytes. */
export function safeContentType(mimeType: string): string {
  const type = mimeType.split(";")[0]?.trim().toLowerCase() ?? "";
  return isShown(type) || DOWNLOADED_TYPES.test(type) ? type : "application/octet-stream";
}

/**
 * Headers of an uploaded file: it cannot run scripts, make requests to other origins or be interpreted as another type, and every cache must
 * revalidate it, so that a closed link is closed everywhere. Decision 015 lists the exceptions.
 */
export function fileHeaders(file: Pick<StoredFile, "mimeType" | "fileName">): Record<string, string> {
  const type = safeContentType(file.mimeType);
  return {
    // WebVTT is always UTF-8. Without a charset, browsers may decode text in a legacy encoding.
    "content-type": type === "text/vtt" ? "text/vtt; charset=utf-8" : type,
    "content-disposition": contentDisposition(file.fileName, isShown(type) ? "inline" : "attachment"),
    "x-content-type-options": "nosniff",
    // A sandboxed PDF stays blank in browsers that show it with a plug-in. The policy below blocks scripts anyway.
    "content-security-policy":
      type === "application/pdf"
        ? "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
        : "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "private, no-cache",
    "accept-ranges": "bytes",
  };
}
