import { memo, useEffect, useMemo, useRef } from "react";
import { Icon } from "~/components/icon";
import { useHydrated } from "~/components/use-hydrated";
import type { Uuid } from "~/domain/model";
import { useTranslation } from "~/i18n/use-translation";
import type { Twin } from "~/viewer/Viewer";
import { Medium, TagSign, Words } from "./medium";
import { Rich } from "./rich";
import type { Scene, SceneMedium, SceneTag } from "./scene";
import { TagLink } from "./tag-link";

export interface ContentListProps {
  readonly scene: Scene;
  readonly twin: Twin;
  /** The entries that a search leaves; all when null. What is open is always there. */
  readonly shown?: ReadonlySet<Uuid> | null;
}

/** From so many entries on, those out of sight are neither measured nor painted. */
const MANY = 60;
const PAINTED_IN_SIGHT = "-mx-2 px-2 [content-visibility:auto] [contain-intrinsic-size:auto_3.5rem]";

/** Everything of an event's content as a list: the accessible twin of the pins in 3D. Works without scripts. */
export function ContentList({ scene, twin, shown = null }: ContentListProps) {
  const { t } = useTranslation();
  const { tags, loose, tagged } = useMemo(() => {
    const media = new Map(scene.media.map((medium) => [medium.id, medium]));
    const ids = new Set(scene.tags.flatMap((tag) => tag.mediaIds));
    return {
      tags: scene.tags.map((tag) => ({ tag, media: tag.mediaIds.flatMap((id) => media.get(id) ?? []) })),
      loose: scene.media.filter((medium) => !ids.has(medium.id)),
      tagged: ids.size > 0,
    };
  }, [scene]);
  useOpenEntryInView(twin.openPinId);
  const { openPinId, openPin, entry } = twin;
  const isShown = (id: Uuid) => shown === null || shown.has(id) || id === openPinId;
  const seen = (ids: readonly Uuid[]) => ids.filter(isShown).length;
  const tagCount = seen(tags.map(({ tag }) => tag.id));
  const looseCount = seen(loose.map(({ id }) => id));
  const look = tags.length + loose.length > MANY ? PAINTED_IN_SIGHT : undefined;
  return (
    <>
      {tags.length > 0 && (
        <section
          aria-labelledby="tags-title"
          hidden={tagCount === 0}
          className="grid gap-3 [&[hidden]]:hidden"
        >
          <ListTitle id="tags-title" count={tagCount}>
            {t("visit.tags")}
          </ListTitle>
          <ol className="divide-y divide-line border-y border-line">
            {tags.map(({ tag, media }) => (
              <TagEntry
                key={tag.id}
                tag={tag}
                media={media}
                open={openPinId === tag.id}
                hidden={!isShown(tag.id)}
                look={look}
                openPin={openPin}
                entry={entry}
              />
            ))}
          </ol>
        </section>
      )}
      {loose.length > 0 && (
        <section
          aria-labelledby="media-title"
          hidden={looseCount === 0}
          className="grid gap-4 [&[hidden]]:hidden"
        >
          <ListTitle id="media-title" count={looseCount}>
            {tagged ? t("visit.otherMedia") : t("visit.media")}
          </ListTitle>
          <ul className="grid gap-8">
            {loose.map((medium) => (
              <MediumEntry
                key={medium.id}
                medium={medium}
                open={openPinId === medium.id}
                hidden={!isShown(medium.id)}
                look={look}
                openPin={openPin}
                entry={entry}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function ListTitle({ id, count, children }: { id: string; count: number; children: string }) {
  return (
    <h2 id={id} className="flex items-baseline gap-2 text-base font-semibold">
      {children} <span className="text-sm font-normal text-muted tabular-nums">{count}</span>
    </h2>
  );
}

interface EntryProps extends Pick<Twin, "openPin" | "entry"> {
  readonly open: boolean;
  readonly hidden: boolean;
  readonly look: string | undefined;
}

/** Drawn again only when it changes itself: of hundreds, a search or a pin changes a few. */
const MediumEntry = memo(function MediumEntry({
  medium,
  open,
  hidden,
  look,
  openPin,
  entry,
}: EntryProps & { readonly medium: SceneMedium }) {
  return (
    <li
      {...entry(medium.id)}
      hidden={hidden}
      className={`${look ?? ""} ${open ? "rounded outline-2 outline-offset-8 outline-accent" : ""}`}
    >
      <Medium medium={medium} />
      {medium.placed && <ShowInSpace onShow={() => openPin(medium.id)} title={medium.title.text} />}
    </li>
  );
});

const TagEntry = memo(function TagEntry({
  tag,
  media,
  open,
  hidden,
  look,
  openPin,
  entry,
}: EntryProps & { readonly tag: SceneTag; readonly media: readonly SceneMedium[] }) {
  const { t } = useTranslation();
  const { id, ...focus } = entry(tag.id);
  return (
    <li id={id} {...focus} hidden={hidden} className={`scroll-mt-4 ${look ?? ""}`}>
      <details
        open={open}
        onToggle={(event) => {
          const nowOpen = event.currentTarget.open;
          if (nowOpen !== open) openPin(nowOpen ? tag.id : null);
        }}
        className="group/tag"
      >
        <summary className="-mx-2 flex min-h-14 cursor-pointer list-none items-center gap-3 rounded px-2 py-2 hover:bg-surface [&::-webkit-details-marker]:hidden">
          <TagSign color={tag.color} icon={tag.icon} />
          <Words value={tag.title} className="min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]" />
          <Icon
            name="chevron-down"
            size={16}
            className="text-faint transition-transform group-open/tag:rotate-180 motion-reduce:transition-none"
          />
        </summary>
        <div className="grid gap-4 pt-1 pb-6">
          <Rich value={tag.body} />
          {media.map((medium) => (
            <Medium key={medium.id} medium={medium} />
          ))}
          {tag.keywords.length > 0 && (
            <ul aria-label={t("visit.keywords")} className="flex flex-wrap gap-2">
              {tag.keywords.map((keyword) => (
                <li key={keyword} className="rounded bg-surface px-2 py-1 text-xs text-muted">
                  {keyword}
                </li>
              ))}
            </ul>
          )}
          <p className="flex flex-wrap gap-x-6 text-sm">
            {tag.linkUrl && (
              <a
                href={tag.linkUrl}
                target="_blank"
                rel="noreferrer"
                className="inline-flex min-h-10 items-center gap-2 text-accent underline underline-offset-4"
              >
                <Icon name="external" size={16} />
                {t("visit.moreLink")}
                <span className="sr-only"> ({t("visit.opensNewTab")})</span>
              </a>
            )}
            <TagLink id={tag.id} />
          </p>
        </div>
      </details>
    </li>
  );
});

function ShowInSpace({ onShow, title }: { readonly onShow: () => void; readonly title: string }) {
  const { t } = useTranslation();
  if (!useHydrated()) return null;
  return (
    <button
      type="button"
      onClick={onShow}
      className="mt-1 inline-flex min-h-10 items-center gap-2 text-sm text-accent underline underline-offset-4"
    >
      <Icon name="place" size={16} />
      {t("visit.showInSpace")}
      <span className="sr-only"> {title}</span>
    </button>
  );
}

/** Brings the entry that was opened in 3D into view, without taking the focus away from the space. */
function useOpenEntryInView(openPinId: string | null) {
  const first = useRef(true);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      if (openPinId === null) return;
    }
    if (openPinId === null) return;
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    document
      .getElementById(`tag-${openPinId}`)
      ?.scrollIntoView({ block: "nearest", behavior: reduced ? "auto" : "smooth" });
  }, [openPinId]);
}
