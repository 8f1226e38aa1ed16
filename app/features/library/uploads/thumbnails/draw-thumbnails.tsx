import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { UPLOAD_MAX_BYTES } from "~/domain/shared/limits";
import type { ThumbnailRequest } from "./upload-thumbnail";

/**
 * Maximum size of a file that is downloaded only to draw its thumbnail, in bytes. Larger models and splats are usually converted, and the conversion
 * also draws their thumbnail.
 */
const FETCHED_BYTES_MAX = Math.min(64 * 1024 * 1024, UPLOAD_MAX_BYTES);

/**
 * Draws the thumbnails of files that have none, one after the other, for example after an upload through the API. A file that cannot be opened is
 * reported to the server (decision 064). After either, the page's data is reloaded.
 */
export function DrawThumbnails({ items }: { readonly items: readonly ThumbnailRequest[] }) {
  const revalidator = useRevalidator();
  const latestRevalidator = useRef(revalidator);
  const latestItems = useRef(items);
  useEffect(() => {
    latestRevalidator.current = revalidator;
    latestItems.current = items;
  });
  const key = items.map(({ itemId }) => itemId).join();
  useEffect(() => {
    if (key === "") return;
    let isOutdated = false;
    const run = async () => {
      const { drawAndUploadThumbnail } = await import("./upload-thumbnail");
      for (const item of latestItems.current) {
        if (isOutdated) return;
        if (item.byteSize <= FETCHED_BYTES_MAX && (await drawAndUploadThumbnail(item)))
          latestRevalidator.current.revalidate();
      }
    };
    run().catch(() => {});
    return () => {
      isOutdated = true;
    };
  }, [key]);
  return null;
}
