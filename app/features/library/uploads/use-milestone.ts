import { useEffect, useState } from "react";
import type { Translate } from "~/i18n/messages";
import { useTranslation } from "~/i18n/translation";
import { sumRows, type UploadRow, type UploadsSnapshot } from "./upload-state";

/**
 * Returns the text that screen readers announce about uploads: their progress in steps of 25 percent, the reason why they wait, a pause, or their
 * result.
 */
export function milestoneText(
  rows: readonly UploadRow[],
  halted: UploadsSnapshot["halted"],
  t: Translate,
): string {
  const { files, size, sent, done, underWay, paused, notUploaded } = sumRows(rows);
  const problem = notUploaded > 0 ? t("library:uploads.say.stuck", { count: notUploaded }) : "";
  if (underWay > 0) {
    if (halted) return t(`library:uploads.${halted}`);
    const percent = size > 0 ? Math.floor((sent / size) * 4) * 25 : 0;
    return [t("library:uploads.say.progress", { count: files, percent }), problem]
      .filter(Boolean)
      .join(t("shared:space"));
  }
  if (paused > 0) return t("library:uploads.say.paused");
  return [done > 0 ? t("library:uploads.say.done", { count: done }) : "", problem]
    .filter(Boolean)
    .join(t("shared:space"));
}

/**
 * Returns the milestone text, but an empty text in the first render, because screen readers announce only text that is added to a live region later.
 */
export function useMilestone(rows: readonly UploadRow[], halted: UploadsSnapshot["halted"]): string {
  const { t } = useTranslation();
  const text = milestoneText(rows, halted, t);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => setAnnouncement(text), [text]);
  return announcement;
}
