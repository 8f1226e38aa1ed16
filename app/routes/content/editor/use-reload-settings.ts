import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { EditorState } from "~/features/content/editor/editor";
import type { LeaveGuard } from "~/forms/shared/use-leave-guard";

/**
 * Loads the page again when another editor, or another window of the user, has changed the event's settings, because every panel shows whether the
 * event is published. While settings are unsaved, the page is not loaded again: they are compared with the new version when they are saved.
 */
export function useReloadSettings({ notice }: EditorState, { hasUnsaved }: LeaveGuard): void {
  const { revalidate } = useRevalidator();
  const concernsSettings = (notice?.kind === "own" || notice?.kind === "others") && notice.hasChangedSettings;
  const noticeNumber = concernsSettings ? notice.number : 0;
  useEffect(() => {
    if (noticeNumber > 0 && !hasUnsaved("page") && !hasUnsaved("dialog")) revalidate();
  }, [noticeNumber, hasUnsaved, revalidate]);
}
