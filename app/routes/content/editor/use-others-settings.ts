import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import type { EditorState } from "~/editor/editor";
import type { LeaveGuard } from "~/forms/use-leave-guard";

/**
 * Reads the page anew when somebody else has changed the event's own settings: whether it is published is told beside all that is edited.
 * What is typed into the settings here stays, and meets the other one's when it is saved.
 */
export function useOthersSettings({ notice }: EditorState, { holds }: LeaveGuard): void {
  const { revalidate } = useRevalidator();
  const number = notice?.kind === "others" && notice.event ? notice.number : 0;
  useEffect(() => {
    if (number > 0 && !holds("page") && !holds("dialog")) revalidate();
  }, [number, holds, revalidate]);
}
