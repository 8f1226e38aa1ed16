import { Form } from "@remix-run/react";
import type { NotRestored } from "#functions/services/events/history";
import { Button, LinkButton } from "~/components/button";
import { Notice } from "~/components/status/notice";
import { inLanguage } from "~/domain/shared/localized";
import type { Lang } from "~/domain/shared/model";
import { useTranslation } from "~/i18n/translation";

/** Maximal number of rejected items that are listed by name. */
const NAMED = 20;

/** Titles of the rejected items in a language, and the number of those that are not listed. */
export const rejectedItems = (refused: readonly NotRestored[], lang: Lang) => ({
  count: refused.length,
  named: refused.slice(0, NAMED).map(({ type, title, reason }) => ({
    type,
    reason,
    title: title && inLanguage(title, lang),
  })),
});

export interface RestoreOutcomeProps {
  readonly restored: number;
  readonly refused: ReturnType<typeof rejectedItems> | null;
  /** Numbers of the states before and after; null if nothing was changed. */
  readonly undo: { readonly from: number; readonly to: number } | null;
  /** The change was not undone, because the event was changed meanwhile. */
  readonly isLate?: boolean;
  /** The restore was undone. */
  readonly isUndone?: boolean;
  /** Number of the event's last change. After a newer change, undoing would revert that change too. */
  readonly latest: number;
}

/** Result of restoring a state. */
export function RestoreOutcome({ restored, refused, undo, isLate, isUndone, latest }: RestoreOutcomeProps) {
  const { t } = useTranslation();
  if (isLate)
    return (
      <Notice tone="warning" live>
        <p>{t("events:history.undoLate")}</p>
        <LinkButton href="?" className="mt-2">
          {t("events:history.now")}
        </LinkButton>
      </Notice>
    );
  return (
    <Notice tone={refused ? "warning" : "success"} live>
      {restored > 0 ? (
        <p>{t(isUndone ? "events:history.undone" : "events:history.restored")}</p>
      ) : (
        !refused && <p>{t("events:history.restoredNothing")}</p>
      )}
      {refused && (
        <>
          <p>{t("events:history.refused", { count: refused.count })}</p>
          <ul className="list-disc pl-5">
            {refused.named.map(({ type, title, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be the same, and the list never changes
              <li key={index} className="[overflow-wrap:anywhere]">
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
                {t(`events:history.refusedAs.${reason}`)}
              </li>
            ))}
            {refused.count > refused.named.length && (
              <li>{t("events:history.refusedMore", { count: refused.count - refused.named.length })}</li>
            )}
          </ul>
        </>
      )}
      {undo?.to === latest && (
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
