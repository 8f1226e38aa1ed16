import { LinkButton } from "~/components/button";
import { DateTime } from "~/components/date-time";
import { useTranslation } from "~/i18n/use-translation";
import type { RecentChange } from "./recent-changes.server";

export interface HistoryPanelProps {
  readonly eventId: string;
  readonly changes: readonly RecentChange[];
  readonly timeZone: string;
}

/** What was changed last, and the way to all of it. */
export function HistoryPanel({ eventId, changes, timeZone }: HistoryPanelProps) {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="history-title" className="grid gap-4">
      <h2 id="history-title" className="text-base font-semibold">
        {t("editor.history.title")}
      </h2>
      {changes.length === 0 ? (
        <p className="text-muted text-phrase">{t("editor.history.none")}</p>
      ) : (
        <ol className="divide-y divide-line border-y border-line">
          {changes.map(({ seq, at, actorName, itemType, title, isGone }) => (
            <li key={seq} className="grid gap-0.5 py-2 text-sm">
              <span className="[overflow-wrap:anywhere]">
                {t(isGone ? `editor.history.gone.${itemType}` : `editor.history.changed.${itemType}`, {
                  title,
                })}
              </span>
              <span className="flex flex-wrap gap-x-3 text-xs text-muted">
                <DateTime instant={at} timeZone={timeZone} />
                <span>{actorName || t("editor.somebody")}</span>
              </span>
            </li>
          ))}
        </ol>
      )}
      <LinkButton href={`/event/${eventId}/history`} icon="clock" className="w-fit">
        {t("editor.history.all")}
      </LinkButton>
    </section>
  );
}
