import type { EventHistory } from "#functions/services/events/history";
import { LinkButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import { beginOf, MomentLink } from "./change-groups";

/** Moments that the panel shows; the history has all. */
const SHOWN = 10;

export interface HistoryPanelProps {
  readonly eventId: string;
  readonly history: Pick<EventHistory, "moments" | "earlier">;
  readonly timeZone: string;
}

/** What was done last, and the way to all of it. */
export function HistoryPanel({ eventId, history, timeZone }: HistoryPanelProps) {
  const { t } = useTranslation();
  const href = `/event/${eventId}/history`;
  return (
    <section aria-labelledby="history-title" className="grid gap-4">
      <h2 id="history-title" className="text-base font-semibold">
        {t("content:history.title")}
      </h2>
      {history.moments.length === 0 && <p className="text-muted text-phrase">{t("events:history.none")}</p>}
      <ol className="grid gap-2 empty:hidden">
        {history.moments.slice(0, SHOWN).map((moment, index) => (
          <li key={moment.seq}>
            <MomentLink
              moment={moment}
              timeZone={timeZone}
              isCurrent={false}
              href={`${href}?seq=${moment.seq}&with=before&since=${beginOf(history, index)}`}
            />
          </li>
        ))}
      </ol>
      <LinkButton href={href} icon="clock" className="w-fit">
        {t("content:history.all")}
      </LinkButton>
    </section>
  );
}
