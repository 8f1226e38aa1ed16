import type { ImportState } from "#functions/services/users/user-import-plan";
import { Notice } from "~/components/status/notice";
import { useTranslation } from "~/i18n/translation";
import type { LineRow } from "./import-line";

export interface ImportProgressProps {
  readonly state: ImportState;
  /** Number of lines that are still to be applied. */
  readonly pendingCount: number;
  /** Number of lines that the import has processed so far, by result. `refused` includes the lines in which the check found errors. */
  readonly result: { readonly created: number; readonly updated: number; readonly refused: number };
  /** Number of lines by the outcome of the check, which precedes the import. */
  readonly counts: readonly { readonly outcome: LineRow["outcome"]; readonly count: number }[];
}

/** Shows the state of an import of users: the result of the check that precedes it, its progress, or its final result. */
export function ImportProgress({ state, pendingCount, result, counts }: ImportProgressProps) {
  const { t } = useTranslation();
  const resultText = t("users:csv.resultText", result);
  if (state === "done")
    return (
      <Notice tone="success" title={t("users:csv.done")} live>
        {resultText}
      </Notice>
    );
  if (state === "waiting")
    return (
      <Notice title={t("users:csv.notSaved")}>
        <ul className="mt-1 flex flex-wrap gap-x-6 tabular-nums">
          {counts.map(({ outcome, count }) => (
            <li key={outcome}>{t(`users:csv.count.${outcome}`, { count })}</li>
          ))}
        </ul>
      </Notice>
    );
  const isInterrupted = state === "interrupted";
  return (
    <Notice
      tone={isInterrupted ? "warning" : "info"}
      title={t(isInterrupted ? "users:csv.interrupted" : "users:csv.running")}
      live
    >
      {resultText}
      {t("shared:space")}
      {t(isInterrupted ? "users:csv.interruptedText" : "users:csv.runningText", { count: pendingCount })}
    </Notice>
  );
}
