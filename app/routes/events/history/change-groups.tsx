import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { cx } from "~/components/cx";
import { DateTime, useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import type { HistoryPage } from "./page.server";

type ChangeGroup = HistoryPage["changeGroups"][number];

export interface ChangeGroupsProps {
  readonly page: HistoryPage & { readonly timeZone: string };
  readonly className?: string;
}

/**
 * List of the change groups (consecutive changes of one person), newest first. Each links to the state after it, compared with the state before it.
 * `historyFrom` is the time at which recording began, for events that are older than that.
 */
export function ChangeGroups({ page, className }: ChangeGroupsProps) {
  const { t } = useTranslation();
  const { changeGroups, timeZone, stateView, earlier, before } = page;
  const formatDate = useFormatDate();
  const pageParam = before === null ? "" : `&before=${before}`;
  return (
    <nav aria-labelledby="changes-title" className={cx("grid gap-3", className)}>
      <h2 id="changes-title" className="text-base font-semibold">
        {t("events:history.changeGroups")}
      </h2>
      {changeGroups.length === 0 && page.historyFrom === null && (
        <p className="text-sm text-muted">{t("events:history.none")}</p>
      )}
      <ol id="list" tabIndex={-1} className="grid gap-2">
        {changeGroups.map((changeGroup, index) => (
          <li key={changeGroup.seq}>
            <ChangeGroupLink
              changeGroup={changeGroup}
              timeZone={timeZone}
              isCurrent={changeGroup.steps.some(({ seq }) => seq === stateView.seq)}
              href={`?seq=${changeGroup.seq}&with=before&since=${previousSeq(page, index)}${pageParam}`}
            />
            {changeGroup.steps.length > 1 && (
              <details className="text-sm">
                <summary className="flex min-h-10 cursor-pointer items-center gap-1 rounded px-3 text-muted hover:text-ink">
                  <Icon name="chevron-down" size={16} />
                  {t("events:history.steps", { count: changeGroup.steps.length })}
                </summary>
                <ol className="grid pl-3">
                  {[...changeGroup.steps].reverse().map(({ seq, at }) => (
                    <li key={seq}>
                      <Anchor
                        href={`?seq=${seq}&with=now${pageParam}`}
                        aria-current={seq === stateView.seq ? "true" : undefined}
                        className="inline-flex min-h-10 items-center rounded px-2 tabular-nums aria-current:font-semibold"
                      >
                        <DateTime instant={at} timeZone={timeZone} />
                      </Anchor>
                    </li>
                  ))}
                </ol>
              </details>
            )}
          </li>
        ))}
        {earlier === null && (
          <li>
            <Anchor
              href={`?seq=0&with=now${pageParam}`}
              aria-current={stateView.seq === 0 && page.isChosen ? "true" : undefined}
              className={linkClasses}
            >
              {page.historyFrom === null ? (
                <>
                  <span className="font-semibold">{t("events:history.created")}</span>
                  <span className="block text-muted tabular-nums">
                    <DateTime instant={page.createdAt} timeZone={timeZone} />
                  </span>
                </>
              ) : (
                t("events:history.asFound", { at: formatDate(toLocalInput(page.historyFrom, timeZone)) })
              )}
            </Anchor>
            {page.historyFrom !== null && (
              <p className="px-3 py-2 text-sm text-muted text-phrase">
                {t("events:history.notRecorded", {
                  at: formatDate(toLocalInput(page.historyFrom, timeZone)),
                })}
              </p>
            )}
          </li>
        )}
      </ol>
      <div className="flex flex-wrap gap-2">
        {earlier !== null && (
          <LinkButton href={`?before=${earlier}`} icon="chevron-down">
            {t("events:history.earlier")}
          </LinkButton>
        )}
        {!page.isNewest && (
          <LinkButton href="?" variant="quiet">
            {t("events:history.newest")}
          </LinkButton>
        )}
      </div>
    </nav>
  );
}

const linkClasses =
  "block rounded border border-line px-3 py-2 text-sm text-ink no-underline hover:border-edge hover:bg-surface aria-current:border-accent aria-current:bg-accent/8";

/**
 * Returns the sequence number of the last change before a change group; 0 for the event's first group.
 * @param page.earlier sequence number before which the next page begins; null on the last page
 */
export function previousSeq(
  { changeGroups, earlier }: Pick<HistoryPage, "changeGroups" | "earlier">,
  index: number,
): number {
  return changeGroups[index + 1]?.seq ?? (earlier === null ? 0 : earlier - 1);
}

/** One change group, as a link to the state after it. */
export function ChangeGroupLink({
  changeGroup,
  timeZone,
  isCurrent,
  href,
}: {
  readonly changeGroup: ChangeGroup;
  readonly timeZone: string;
  readonly isCurrent: boolean;
  readonly href: string;
}) {
  const { t } = useTranslation();
  const { published, actorId, actorName } = changeGroup;
  const author = actorName || t(actorId === null ? "events:history.clock" : "events:history.somebody");
  const countTexts = (["tag", "media"] as const).flatMap((type) => {
    const counts = (["added", "changed", "removed"] as const).flatMap((kind) => {
      const count = changeGroup.counts[type][kind];
      return count > 0 ? [t(`events:history.${kind}`, { count })] : [];
    });
    const what = t(type === "tag" ? "events:history.tags" : "events:history.media");
    return counts.length > 0
      ? [t("events:history.list", { what, counts: counts.join(t("shared-owners:listSeparator")) })]
      : [];
  });
  const lines = [...countTexts, ...changeGroup.changed.map((part) => t(`events:history.parts.${part}`))];
  return (
    <Anchor href={href} aria-current={isCurrent ? "true" : undefined} className={linkClasses}>
      <span className="block font-semibold tabular-nums">
        <DateTime instant={changeGroup.to} timeZone={timeZone} />
      </span>
      <span className="block text-muted">{author}</span>
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
      {published && (
        <span className="mt-1 flex items-start gap-1.5 text-status-published">
          <Icon name="eye" size={16} className="mt-1 shrink-0" />
          <span>
            {t(published.to === null ? "events:history.publishing" : "events:history.published")}{" "}
            <span className="tabular-nums">
              <DateTime instant={published.from} timeZone={timeZone} /> –{" "}
              {published.to === null ? (
                t("events:history.untilNow")
              ) : (
                <DateTime instant={published.to} timeZone={timeZone} />
              )}
            </span>
          </span>
        </span>
      )}
    </Anchor>
  );
}
