import type { ChangeHistory } from "#functions/services/events/history";
import { LinkButton } from "~/components/button";
import { useTranslation } from "~/i18n/translation";
import { ChangeGroupLink, previousSeq } from "./change-groups";

/** Number of change groups in the panel; the history page lists all of them. */
const VISIBLE_GROUPS = 10;

export interface HistoryPanelProps {
  readonly eventId: string;
  readonly history: Pick<ChangeHistory, "changeGroups" | "earlier">;
  readonly timeZone: string;
}

/** The latest changes, with a link to the history page. */
export function HistoryPanel({ eventId, history, timeZone }: HistoryPanelProps) {
  const { t } = useTranslation();
  const href = `/event/${eventId}/history`;
  return (
    <section aria-labelledby="history-title" className="grid gap-4">
      <h2 id="history-title" className="text-base font-semibold">
        {t("content:history.title")}
      </h2>
      {history.changeGroups.length === 0 && (
        <p className="text-muted text-phrase">{t("events:history.none")}</p>
      )}
      <ol className="grid gap-2 empty:hidden">
        {history.changeGroups.slice(0, VISIBLE_GROUPS).map((changeGroup, index) => (
          <li key={changeGroup.seq}>
            <ChangeGroupLink
              changeGroup={changeGroup}
              timeZone={timeZone}
              isCurrent={false}
              href={`${href}?seq=${changeGroup.seq}&with=before&since=${previousSeq(history, index)}`}
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
