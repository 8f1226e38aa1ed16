import { startTransition, useEffect } from "react";
import { isOnline } from "~/i18n/later";
import { whenReadable } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";

/** The entries that the list shows. */
export type Content = Pick<Scene, "tags" | "media">;

/**
 * Fetches all of a long list once the page is readable, and again when a lost connection comes back.
 * @param href where it is; null where nothing is to be fetched
 */
export function useContent(href: string | null, onContent: (content: Content) => void): void {
  useEffect(() => {
    if (href === null) return;
    const abort = new AbortController();
    const { signal } = abort;
    const read = async (): Promise<void> => {
      try {
        const response = await fetch(href, { signal });
        if (!response.ok) return;
        const content = (await response.json()) as Content;
        startTransition(() => onContent(content));
      } catch {
        if (signal.aborted || navigator.onLine) return;
        await isOnline();
        if (!signal.aborted) await read();
      }
    };
    whenReadable(signal).then(read, () => {});
    return () => abort.abort();
  }, [href, onContent]);
}
