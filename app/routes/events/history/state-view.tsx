import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { useFormatDate } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { toLocalInput } from "~/domain/shared/time-zone";
import { useTranslation } from "~/i18n/translation";
import { Difference } from "./difference";
import { MapDrawing } from "./map-drawing";
import type { HistoryPage, StateViewData } from "./page.server";
import { CollapsibleList, ItemBadge, ItemName } from "./state-lists";

export interface StateViewProps {
  readonly stateView: StateViewData;
  readonly page: HistoryPage & { readonly timeZone: string };
}

/** One state of the event: its differences from another state, and its content. */
export function StateView({ stateView, page }: StateViewProps) {
  const { t } = useTranslation();
  const formatDate = useFormatDate();
  const title = stateView.isLatest
    ? t("events:history.now")
    : stateView.seq === 0
      ? page.historyFrom === null
        ? t("events:history.asCreated")
        : t("events:history.asFound", { at: formatDate(toLocalInput(page.historyFrom, page.timeZone)) })
      : t("events:history.thenAt", {
          at: stateView.at ? formatDate(toLocalInput(stateView.at, page.timeZone)) : `#${stateView.seq}`,
        });
  const comparisonQuery = new URLSearchParams(page.query);
  comparisonQuery.set("seq", String(stateView.seq));
  const comparisonHref = (name: string) => {
    comparisonQuery.set("with", name);
    return `?${comparisonQuery}`;
  };
  const comparisons = (["published", "now", "before"] as const).filter(
    (name) =>
      (name !== "now" || !stateView.isLatest) && (name !== "before" || stateView.comparison === "before"),
  );
  const comparisonKey =
    stateView.comparison === "published" && stateView.isBeforePublished
      ? "publishedLater"
      : stateView.comparison;
  const spaceQuery = new URLSearchParams({
    seq: String(stateView.seq),
    with: stateView.comparison,
    ...(stateView.since > 0 && { since: String(stateView.since) }),
  });
  const restoreQuery = new URLSearchParams(page.query);
  restoreQuery.set("seq", String(stateView.seq));
  restoreQuery.set("dialog", "restore");
  return (
    <div className="grid min-w-0 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg leading-title font-semibold">{title}</h2>
        <div className="flex flex-wrap gap-2">
          <LinkButton href={`/event/${page.event.id}/history/space?${spaceQuery}`} icon="cube">
            {t("events:history.visit.open")}
          </LinkButton>
          {!stateView.isLatest && (
            <LinkButton href={`?${restoreQuery}`} icon="undo" keepScroll>
              {t("events:history.restore")}
            </LinkButton>
          )}
        </div>
      </div>
      <nav aria-label={t("events:history.compare")} className="flex flex-wrap items-center gap-2 text-sm">
        <span aria-hidden="true" className="text-muted">
          {t("events:history.compare")}
        </span>
        {comparisons.map((name) => (
          <Anchor
            key={name}
            href={comparisonHref(name)}
            keepScroll
            aria-current={name === stateView.comparison ? "true" : undefined}
            className="inline-flex min-h-10 items-center rounded-full border border-line px-4 text-ink no-underline hover:border-edge aria-current:border-accent aria-current:bg-accent/8 aria-current:font-semibold"
          >
            {t(`events:history.with.${name}`)}
          </Anchor>
        ))}
      </nav>
      <section aria-labelledby="differs-title" className="grid gap-4">
        <h3 id="differs-title" className="text-base font-semibold">
          {t(`events:history.differs.${comparisonKey}`)}
        </h3>
        {stateView.comparison === "published" && stateView.isPublishedNow && (
          <p className="text-sm text-muted">{t("events:history.isPublished")}</p>
        )}
        {stateView.difference ? (
          <>
            <MapDrawing {...stateView.map} />
            {stateView.difference.items.length > 0 && (
              <Anchor
                href={`/event/${page.event.id}/history/space?${spaceQuery}&marks=1`}
                className="text-link w-fit text-sm"
              >
                <Icon name="cube" size={16} />
                {t("events:history.visit.openMarked")}
              </Anchor>
            )}
            <Difference difference={stateView.difference} timeZone={page.timeZone} />
          </>
        ) : (
          <p className="text-sm text-muted">{t("events:history.neverPublished")}</p>
        )}
      </section>
      <CollapsibleList title={t("events:history.stateTags")} emptyText={t("events:history.noTags")}>
        {stateView.tags.map(({ id, title: name, body, color, hidden, isPlaced }) => (
          <li key={id} className="flex gap-3 py-2">
            <span
              aria-hidden="true"
              className="mt-1.5 size-4 shrink-0 rounded-full"
              style={{ background: color }}
            />
            <ItemName name={name} text={body}>
              {!isPlaced && <ItemBadge icon="place">{t("events:history.toPlace")}</ItemBadge>}
              {hidden && <ItemBadge icon="eye-off">{t("events:history.hiddenThen")}</ItemBadge>}
            </ItemName>
          </li>
        ))}
      </CollapsibleList>
      <CollapsibleList title={t("events:history.stateMedia")} emptyText={t("events:history.noMedia")}>
        {stateView.media.map(({ id, title: name, description, image, loss, hidden }) => (
          <li key={id} className="flex gap-3 py-2">
            {image ? (
              <img
                src={image}
                alt=""
                width={64}
                height={48}
                loading="lazy"
                className="h-12 w-16 shrink-0 rounded bg-surface object-cover"
              />
            ) : (
              <span className="flex h-12 w-16 shrink-0 items-center justify-center rounded bg-surface text-faint">
                <Icon name="document" />
              </span>
            )}
            <ItemName name={name} text={description}>
              {loss && <ItemBadge icon="warning">{t(`events:history.rejectionReasons.${loss}`)}</ItemBadge>}
              {hidden && <ItemBadge icon="eye-off">{t("events:history.hiddenThen")}</ItemBadge>}
            </ItemName>
          </li>
        ))}
      </CollapsibleList>
      {stateView.tour.length > 0 && (
        <CollapsibleList title={t("events:history.stateTour")} emptyText="">
          {stateView.tour.map(({ id, number, title: name, text }) => (
            <li key={id} className="flex gap-3 py-2">
              <span aria-hidden="true" className="w-5 shrink-0 text-right text-sm text-muted tabular-nums">
                {number}
              </span>
              <ItemName
                name={name.text ? name : { ...name, text: t("events:history.stop", { at: number }) }}
                text={text}
              >
                {null}
              </ItemName>
            </li>
          ))}
        </CollapsibleList>
      )}
    </div>
  );
}
