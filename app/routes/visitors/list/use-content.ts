import { startTransition, useEffect } from "react";
import { waitForConnection } from "~/i18n/late-part";
import { whenReadable } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";

/** Content of the list and of the space. */
export type VisitorContent = Pick<Scene, "tags" | "media" | "pins" | "placedMedia">;

/**
 * Fetches the whole content of a long list once the page has loaded and the browser is idle, or when a lost connection is restored.
 * @param href URL of the content; null if nothing must be fetched
 */
export function useContent(href: string | null, onContent: (content: VisitorContent) => void): void {
  useEffect(() => {
    if (href === null) return;
    const controller = new AbortController();
    const { signal } = controller;
    const fetchContent = async (): Promise<void> => {
      try {
        const response = await fetch(href, { signal });
        if (!response.ok) return;
        const content = (await response.json()) as VisitorContent;
        startTransition(() => onContent(content));
      } catch {
        if (signal.aborted || navigator.onLine) return;
        await waitForConnection();
        if (!signal.aborted) await fetchContent();
      }
    };
    whenReadable(signal).then(fetchContent, () => {});
    return () => controller.abort();
  }, [href, onContent]);
}
