import { useEffect, useRef } from "react";
import { Icon } from "~/components/icon";
import { OutsideLink } from "~/components/outside-link";
import { useHydrated } from "~/components/use-hydrated";
import { useTranslation } from "~/i18n/use-translation";
import type { Twin } from "~/viewer/Viewer";
import { Medium, Prose, TagSign, Words } from "./medium";
import type { Scene, SceneMedium, SceneTag } from "./scene";
import { TagLink } from "./tag-link";

/** Everything of an event's content as a list: the accessible twin of the pins in 3D. Works without scripts. */
export function ContentList({ scene, twin }: { readonly scene: Scene; readonly twin: Twin }) {
  const { t } = useTranslation();
  const media = new Map(scene.media.map((medium) => [medium.id, medium]));
  const tagged = new Set(scene.tags.flatMap((tag) => tag.mediaIds));
  const loose = scene.media.filter((medium) => !tagged.has(medium.id));
  useOpenEntryInView(twin.openPinId);
  return (
    <>
      {scene.tags.length > 0 && (
        <section aria-labelledby="tags-title" className="grid gap-3">
          <h2 id="tags-title" className="flex items-baseline gap-2 text-base font-semibold">
            {t("visit.tags")}{" "}
            <span className="text-sm font-normal text-muted tabular-nums">{scene.tags.length}</span>
          </h2>
          <ol className="divide-y divide-line border-y border-line">
            {scene.tags.map((tag) => (
              <TagEntry
                key={tag.id}
                tag={tag}
                media={tag.mediaIds.flatMap((id) => media.get(id) ?? [])}
                twin={twin}
              />
            ))}
          </ol>
        </section>
      )}
      {loose.length > 0 && (
        <section aria-labelledby="media-title" className="grid gap-4">
          <h2 id="media-title" className="flex items-baseline gap-2 text-base font-semibold">
            {tagged.size > 0 ? t("visit.otherMedia") : t("visit.media")}{" "}
            <span className="text-sm font-normal text-muted tabular-nums">{loose.length}</span>
          </h2>
          <ul className="grid gap-8">
            {loose.map((medium) => (
              <li
                key={medium.id}
                {...twin.entry(medium.id)}
                className={openClass(twin.openPinId === medium.id)}
              >
                <Medium medium={medium} />
                {medium.placed && (
                  <ShowInSpace onShow={() => twin.openPin(medium.id)} title={medium.title.text} />
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

const openClass = (open: boolean) => (open ? "rounded outline-2 outline-offset-8 outline-accent" : undefined);

function TagEntry({
  tag,
  media,
  twin,
}: {
  readonly tag: SceneTag;
  readonly media: readonly SceneMedium[];
  readonly twin: Twin;
}) {
  const { t } = useTranslation();
  const open = twin.openPinId === tag.id;
  const { id, ...focus } = twin.entry(tag.id);
  return (
    <li id={id} {...focus} className="scroll-mt-4">
      <details
        open={open}
        onToggle={(event) => {
          const nowOpen = event.currentTarget.open;
          if (nowOpen !== open) twin.openPin(nowOpen ? tag.id : null);
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
          <Prose value={tag.body} />
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
            {tag.linkUrl && <OutsideLink href={tag.linkUrl}>{t("visit.moreLink")}</OutsideLink>}
            <TagLink id={tag.id} />
          </p>
        </div>
      </details>
    </li>
  );
}

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
