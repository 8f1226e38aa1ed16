import { UnreadableFileError } from "~/domain/library/unreadable-file-error";
import { THUMBNAIL_MAX_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { browserApi } from "./api";
import type { StillRequest } from "./draw-stills";
import { reportUnreadable } from "./report-unreadable";
import { makeStill, STILL_WIDTH, toStill } from "./still";

/** Items that were given one from this page, or for which it was tried. */
const tried = new Set<Uuid>();

type Seen = HTMLCanvasElement | Promise<Blob | null> | null | undefined;

/**
 * Gives an item that has no still picture one of what is seen of it now: of a file that came from a program, or without
 * scripts, nobody has made one. Once, and without a word: where it comes to nothing, all is as it was.
 * @param see what is seen, so many pixels wide
 */
export async function giveStill(itemId: Uuid, see: (width: number) => Seen): Promise<void> {
  if (tried.has(itemId)) return;
  tried.add(itemId);
  try {
    const seen = see(STILL_WIDTH);
    const still =
      seen instanceof HTMLCanvasElement ? await toStill(seen, seen.width, seen.height) : await seen;
    // A space that was left meanwhile has given none; the next one may.
    if (!still) tried.delete(itemId);
    else if (still.size <= THUMBNAIL_MAX_BYTES)
      await browserApi.bytes(`/api/v1/media/${itemId}/thumbnail`, still);
  } catch {
    // A canvas that is lost, or may not be read.
  }
}

/**
 * Fetches a file, draws its picture and stores it; marks a file that cannot be opened. Once for each file and page.
 * @returns whether the item changed
 */
export async function drawStill({
  itemId,
  name,
  kind,
  address,
}: Omit<StillRequest, "byteSize">): Promise<boolean> {
  let hasChanged = false;
  await giveStill(itemId, async () => {
    const response = await fetch(address);
    if (!response.ok) return null;
    const file = new File([await response.blob()], name);
    try {
      const still = await makeStill(file, kind);
      hasChanged = still !== null;
      return still;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      await markUnreadable(itemId);
      hasChanged = true;
      return null;
    }
  });
  return hasChanged;
}

/** Marks an item whose file this browser could not open. */
export const markUnreadable = (itemId: Uuid): Promise<void> => reportUnreadable(browserApi, itemId);
