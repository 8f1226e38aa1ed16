import { DRAWING_BYTES } from "~/domain/library/media-kinds";
import { THUMBNAIL_MAX_BYTES, THUMBNAIL_SIDE_MAX } from "~/domain/shared/limits";
import type { MediaKind } from "~/domain/shared/model";

/** Maximum width of a thumbnail, in pixels. */
export const THUMBNAIL_WIDTH = 640;
/** Time limit of waitForVideoEvent, in milliseconds. */
const VIDEO_EVENT_TIMEOUT_MS = 15_000;
/** Time limit for drawing the first page of a PDF, in milliseconds. */
const PDF_TIMEOUT_MS = 30_000;

/** Draws the thumbnail of a file. Resolves to null when none is needed or none can be drawn. */
type ThumbnailMaker = (file: File) => Promise<Blob | null>;

/** Draws the thumbnail of a video: the frame at one second, or in the middle of a video that is shorter than two seconds. */
const drawVideo: ThumbnailMaker = async (file) => {
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.preload = "auto";
  const objectUrl = URL.createObjectURL(file);
  try {
    const isLoaded = waitForVideoEvent(video, "loadeddata");
    video.src = objectUrl;
    if (!(await isLoaded) || !video.videoWidth) return null;
    const isAtFrame = waitForVideoEvent(video, "seeked");
    video.currentTime = Math.min(1, (Number.isFinite(video.duration) ? video.duration : 2) / 2);
    if (!(await isAtFrame)) return null;
    return await scaleToThumbnail(video, video.videoWidth, video.videoHeight);
  } finally {
    video.removeAttribute("src");
    video.load();
    URL.revokeObjectURL(objectUrl);
  }
};

/** Resolves to true at an event of a video, and to false after an error or the time limit. */
function waitForVideoEvent(video: HTMLVideoElement, event: "loadeddata" | "seeked"): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), VIDEO_EVENT_TIMEOUT_MS);
    const resolveWith = (hasOccurred: boolean) => () => {
      clearTimeout(timer);
      resolve(hasOccurred);
    };
    video.addEventListener(event, resolveWith(true), { once: true });
    video.addEventListener("error", resolveWith(false), { once: true });
  });
}

/** Draws the thumbnail of a PDF: its first page. Resolves to null for a page that cannot be drawn here, and for a document that requires a password. */
const drawPdf: ThumbnailMaker = async (file) => {
  const { openPdf } = await import("~/features/library/reader/pdf.client");
  const pdf = await openPdf(file, AbortSignal.timeout(PDF_TIMEOUT_MS));
  const page = await pdf?.draw(1, THUMBNAIL_WIDTH).catch(() => null);
  pdf?.close();
  return page ? scaleToThumbnail(page.canvas, page.canvas.width, page.canvas.height) : null;
};

/** Draws a small version of an SVG image that is too large for lists. Returns null for smaller ones, and for other images, which the server scales. */
const drawSvg: ThumbnailMaker = async (file) => {
  const isSvg = file.type === "image/svg+xml" || /\.svg$/i.test(file.name);
  if (!isSvg || file.size <= DRAWING_BYTES) return null;
  const objectUrl = URL.createObjectURL(
    file.type === "image/svg+xml" ? file : new Blob([file], { type: "image/svg+xml" }),
  );
  try {
    const image = new Image();
    image.src = objectUrl;
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    // SVG has no pixel size, so it is drawn in the width of a thumbnail.
    return width > 0 && height > 0
      ? await scaleToThumbnail(image, THUMBNAIL_WIDTH, (THUMBNAIL_WIDTH * height) / width)
      : null;
  } finally {
    URL.revokeObjectURL(objectUrl);
  }
};

/** Encodes a drawn image as a thumbnail that the API accepts. Returns null when it cannot be made small enough. */
export async function scaleToThumbnail(
  source: CanvasImageSource,
  width: number,
  height: number,
): Promise<Blob | null> {
  const scale = Math.min(1, THUMBNAIL_WIDTH / width, THUMBNAIL_SIDE_MAX / height);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  for (const quality of [0.82, 0.6, 0.4]) {
    // A browser that does not encode WebP returns PNG instead, which would be too large, so JPEG is used.
    for (const type of ["image/webp", "image/jpeg"]) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
      if (blob && blob.type === type && blob.size <= THUMBNAIL_MAX_BYTES) return blob;
    }
  }
  return null;
}

/** Thumbnail makers by kind. Of images, only large SVG files need a thumbnail from the browser. The library displays an icon for other kinds. */
const MAKERS: Partial<Record<MediaKind, ThumbnailMaker>> = {
  image: drawSvg,
  video: drawVideo,
  pdf: drawPdf,
  model: async (file) => (await import("~/viewer/thumbnail")).drawThumbnail(file, "model"),
  splat: async (file) => (await import("~/viewer/thumbnail")).drawThumbnail(file, "splat"),
};

/**
 * Draws the thumbnail of a file that lists cannot show directly. Returns null when none is needed or none can be drawn.
 * @throws UnreadableFileError for a PDF, model or splat file that cannot be opened; DOMException for a large SVG file that cannot be decoded
 */
export const makeThumbnail = async (file: File, kind: MediaKind): Promise<Blob | null> =>
  (await MAKERS[kind]?.(file)) ?? null;
