import { Anchor } from "~/components/anchor";
import { Notice } from "~/components/status/notice";
import { writeTreeRef } from "~/domain/folders/tree-list.schema";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";
import type { BatchAction, TreeOutcome } from "./action.server";

/** Items to which a form could not be applied; they stay selected. */
export const rejectedRefs = (outcome: TreeOutcome | null): readonly string[] =>
  (outcome?.results ?? []).filter(({ rejection }) => rejection !== null).map(writeTreeRef);

/** Result of a form that was not, or not completely, applied. */
export function TreeResults({ outcome }: { readonly outcome: TreeOutcome }) {
  const { t } = useTranslation();
  const message = useMessage();
  const { action, results, problem } = outcome;
  if (problem)
    return (
      <Notice tone="danger" live>
        {message(problem)}
      </Notice>
    );
  const failedResults = results.filter(({ rejection }) => rejection !== null);
  const doneResults = results.filter(({ rejection }) => rejection === null);
  if (failedResults.length === 0) return null;
  return (
    <Notice
      tone="warning"
      title={t(action === "copy" ? "folders:notCopied" : "folders:someFailed", {
        count: failedResults.length,
      })}
      live
    >
      <ul className="mt-1 grid gap-1">
        {failedResults.map(({ kind, id, name, rejection }) => (
          <li key={`${kind} ${id}`}>
            {name || t("folders:unknown")} – {rejection && t(`folders:rejected.${rejection}`)}
          </li>
        ))}
      </ul>
      {doneResults.length > 0 && (
        <p className="mt-3">
          {t(`folders:done.${action as BatchAction}`, { count: doneResults.length })}
          {t("shared:space")}
          {doneResults.map(({ name }) => name).join(t("shared-owners:listSeparator"))}{" "}
          {action === "delete" && (
            <Anchor href="?show=trash" className="inline-flex min-h-10 items-center underline">
              {t("shared-owners:toasts.toTrash")}
            </Anchor>
          )}
        </p>
      )}
    </Notice>
  );
}
