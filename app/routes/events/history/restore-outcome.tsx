import { Form } from "@remix-run/react";
import type { NotRestored } from "#functions/services/events/history";
import { Button, LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

/** Maximum number of rejected items that are listed by name. */
const LISTED_MAX = 20;

/** Number of all rejected items, and the listed ones with their titles in one language. */
export const rejectedItems = (rejected: readonly NotRestored[], lang: Lang) => ({
  count: rejected.length,
  listed: rejected.slice(0, LISTED_MAX).map(({ type, title, reason }) => ({
    type,
    reason,
    title: title && inLanguage(title, lang),
  })),
});

export interface RestoreOutcomeProps {
  readonly restoredCount: number;
  readonly rejected: ReturnType<typeof rejectedItems> | null;
  /** Numbers of the states before and after; null if nothing was changed. */
  readonly undo: { readonly from: number; readonly to: number } | null;
  /** The restore was not undone, because the event was changed meanwhile. */
  readonly isOutdated?: boolean;
  /** The restore was undone. */
  readonly isUndone?: boolean;
  /** Number of the event's last change. If that is not the restore, undoing is not offered, because it would revert that change too. */
  readonly latestSeq: number;
}

/** Result of restoring a state. */
export function RestoreOutcome({
  restoredCount,
  rejected,
  undo,
  isOutdated,
  isUndone,
  latestSeq,
}: RestoreOutcomeProps) {
  const { t } = useTranslation();
  if (isOutdated)
    return (
      <Notice tone="warning" live>
        <p>{t("events:history.undoLate")}</p>
        <LinkButton href="?" className="mt-2">
          {t("events:history.now")}
        </LinkButton>
      </Notice>
    );
  return (
    <Notice tone={rejected ? "warning" : "success"} live>
      {restoredCount > 0 ? (
        <p>{t(isUndone ? "events:history.undone" : "events:history.restored")}</p>
      ) : (
        !rejected && <p>{t("events:history.restoredNothing")}</p>
      )}
      {rejected && (
        <>
          <p>{t("events:history.rejected", { count: rejected.count })}</p>
          <ul className="list-disc pl-5">
            {rejected.listed.map(({ type, title, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list never changes
              <li key={index} className="wrap-anywhere">
                {type === "tag" || type === "media" ? (
                  <>
                    {t(`events:history.types.${type}`)}{" "}
                    <span lang={title?.lang} className="font-semibold">
                      {title?.text || t("events:history.untitled")}
                    </span>
                  </>
                ) : (
                  t(type === "scene" ? "events:history.wholeScene" : "events:history.order")
                )}
                {" – "}
                {t(`events:history.rejectionReasons.${reason}`)}
              </li>
            ))}
            {rejected.count > rejected.listed.length && (
              <li>{t("events:history.rejectedMore", { count: rejected.count - rejected.listed.length })}</li>
            )}
          </ul>
        </>
      )}
      {undo?.to === latestSeq && (
        <Form method="post" className="mt-2">
          <input type="hidden" name="intent" value="restore" />
          <input type="hidden" name="seq" value={undo.from} />
          <input type="hidden" name="expected" value={undo.to} />
          <Button type="submit" icon="undo">
            {t("events:history.undo")}
          </Button>
        </Form>
      )}
    </Notice>
  );
}
