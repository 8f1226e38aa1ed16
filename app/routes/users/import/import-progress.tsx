import type { ImportState } from "#functions/services/users/user-import-plan";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import type { LineRow } from "./import-line";

export interface ImportProgressProps {
  readonly state: ImportState;
  /** Number of lines that are still to be applied. */
  readonly pendingCount: number;
  /** Number of lines by result. */
  readonly result: { readonly created: number; readonly updated: number; readonly refused: number };
  readonly counts: readonly { readonly outcome: LineRow["outcome"]; readonly count: number }[];
}

/** State of an import: the result of its check, its progress, or its own result. */
export function ImportProgress({ state, pendingCount, result, counts }: ImportProgressProps) {
  const { t } = useTranslation();
  const progressText = t("users:csv.doneText", result);
  if (state === "done")
    return (
      <Notice tone="success" title={t("users:csv.done")} live>
        {progressText}
      </Notice>
    );
  if (state === "waiting")
    return (
      <Notice title={t("users:csv.checkedText")}>
        <ul className="mt-1 flex flex-wrap gap-x-6 tabular-nums">
          {counts.map(({ outcome, count }) => (
            <li key={outcome}>{t(`users:csv.count.${outcome}`, { count })}</li>
          ))}
        </ul>
      </Notice>
    );
  const interrupted = state === "interrupted";
  return (
    <Notice
      tone={interrupted ? "warning" : "info"}
      title={t(interrupted ? "users:csv.interrupted" : "users:csv.running")}
      live
    >
      {progressText}
      {t("shared:space")}
      {t(interrupted ? "users:csv.interruptedText" : "users:csv.runningText", { count: pendingCount })}
    </Notice>
  );
}
