import { Anchor } from "~/components/anchor";
import { LinkButton } from "~/components/button";
import { cx } from "~/components/classes";
import { useDateWords } from "~/components/date-time";
import { Icon } from "~/components/icon";
import { toLocalInput } from "~/domain/time-zone";
import { useTranslation } from "~/i18n/use-translation";
import { Difference } from "./difference";
import { MapPicture } from "./map-picture";
import type { HistoryPage, LookData } from "./page.server";

export interface LookProps {
  readonly look: LookData;
  readonly page: HistoryPage & { readonly timeZone: string };
}

/** One state of the event: what differs between it and another one, and what there was. */
export function Look({ look, page }: LookProps) {
  const { t } = useTranslation();
  const words = useDateWords();
  const title = look.isLatest
    ? t("history.now")
    : look.seq === 0
      ? page.historyFrom === null
        ? t("history.asCreated")
        : t("history.asFound", { at: words(toLocalInput(page.historyFrom, page.timeZone)) })
      : t("history.thenAt", { at: look.at ? words(toLocalInput(look.at, page.timeZone)) : `#${look.seq}` });
  const search = new URLSearchParams(page.query);
  search.set("seq", String(look.seq));
  const withOther = (name: string) => {
    search.set("with", name);
    return `?${search}`;
  };
  const offered = (["published", "now", "before"] as const).filter(
    (name) => (name !== "now" || !look.isLatest) && (name !== "before" || look.comparison === "before"),
  );
  const differs =
    look.comparison === "published" && look.isBeforePublished ? "publishedLater" : look.comparison;
  const restore = new URLSearchParams(page.query);
  restore.set("seq", String(look.seq));
  restore.set("dialog", "restore");
  return (
    <div className="grid min-w-0 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg leading-title font-semibold">{title}</h2>
        {!look.isLatest && (
          <LinkButton href={`?${restore}`} icon="undo" keepScroll>
            {t("history.restore")}
          </LinkButton>
        )}
      </div>
      <nav aria-label={t("history.compare")} className="flex flex-wrap items-center gap-2 text-sm">
        <span aria-hidden="true" className="text-muted">
          {t("history.compare")}
        </span>
        {offered.map((name) => (
          <Anchor
            key={name}
            href={withOther(name)}
            keepScroll
            aria-current={name === look.comparison ? "true" : undefined}
            className="inline-flex min-h-10 items-center rounded-full border border-line px-4 text-ink no-underline hover:border-edge aria-current:border-accent aria-current:bg-accent/8 aria-current:font-semibold"
          >
            {t(`history.with.${name}`)}
          </Anchor>
        ))}
      </nav>
      <section aria-labelledby="differs-title" className="grid gap-4">
        <h3 id="differs-title" className="text-base font-semibold">
          {t(`history.differs.${differs}`)}
        </h3>
        {look.comparison === "published" && look.isPublishedNow && (
          <p className="text-sm text-muted">{t("history.isPublished")}</p>
        )}
        {look.difference ? (
          <>
            <MapPicture {...look.map} />
            <Difference difference={look.difference} timeZone={page.timeZone} />
          </>
        ) : (
          <p className="text-sm text-muted">{t("history.neverPublished")}</p>
        )}
      </section>
      <Content title={t("history.stateTags")} none={t("history.noTags")}>
        {look.tags.map(({ id, title: name, body, color, hidden, isPlaced }) => (
          <li key={id} className="flex gap-3 py-2">
            <span
              aria-hidden="true"
              className="mt-1.5 size-4 shrink-0 rounded-full"
              style={{ background: color }}
            />
            <Words name={name} text={body}>
              {!isPlaced && <Mark icon="place">{t("history.toPlace")}</Mark>}
              {hidden && <Mark icon="eye-off">{t("history.hiddenThen")}</Mark>}
            </Words>
          </li>
        ))}
      </Content>
      <Content title={t("history.stateMedia")} none={t("history.noMedia")}>
        {look.media.map(({ id, title: name, description, picture, kind, hidden }) => (
          <li key={id} className="flex gap-3 py-2">
            {picture ? (
              <img
                src={picture}
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
            <Words name={name} text={description}>
              {kind === null && <Mark icon="warning">{t("history.fileGone")}</Mark>}
              {hidden && <Mark icon="eye-off">{t("history.hiddenThen")}</Mark>}
            </Words>
          </li>
        ))}
      </Content>
    </div>
  );
}

interface Told {
  readonly text: string;
  readonly lang: "ja" | "en";
}

function Words({
  name,
  text,
  children,
}: {
  readonly name: Told;
  readonly text: Told;
  readonly children: React.ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <div className="min-w-0 flex-1 text-sm">
      <p lang={name.lang} className="font-semibold [overflow-wrap:anywhere]">
        {name.text || t("history.untitled")}
      </p>
      {text.text !== "" && (
        <p lang={text.lang} className="line-clamp-3 whitespace-pre-line text-muted [overflow-wrap:anywhere]">
          {text.text}
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 empty:hidden">{children}</p>
    </div>
  );
}

const Mark = ({
  icon,
  children,
}: {
  readonly icon: "place" | "eye-off" | "warning";
  readonly children: string;
}) => (
  <span className="inline-flex items-center gap-1 text-muted">
    <Icon name={icon} size={16} />
    {children}
  </span>
);

function Content({
  title,
  none,
  children,
}: {
  readonly title: string;
  readonly none: string;
  readonly children: readonly React.ReactNode[];
}) {
  return (
    <details className={cx("rounded border border-line")} open={children.length <= 12}>
      <summary className="flex min-h-10 cursor-pointer items-center gap-2 px-4 text-sm font-semibold">
        {title}
        <span className="font-normal text-muted tabular-nums">{children.length}</span>
      </summary>
      {children.length === 0 ? (
        <p className="px-4 pb-3 text-sm text-muted">{none}</p>
      ) : (
        <ul className="divide-y divide-line px-4 pb-2">{children}</ul>
      )}
    </details>
  );
}
