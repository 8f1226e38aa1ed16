import { memo } from "react";
import { Icon } from "~/components/icon";
import { OutsideLink } from "~/components/outside-link";
import { useHydrated } from "~/components/use-hydrated";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import { Medium, TagSign, Words } from "../media/media-item";
import { Rich } from "../media/rich";
import type { SceneMedium, SceneTag } from "../scene/scene-types";
import { TagLink } from "./tag-link";

const TagProduct = later(
  withMessages(["store-visitors"], () => import("../../store/visit/tag-product-card")),
);

/** Props that the list gives an entry. */
interface EntryProps extends Pick<AccessibleList, "openPin" | "entry"> {
  readonly open: boolean;
  readonly hidden: boolean;
  readonly look: string | undefined;
}

/** The entries are memoized because a search or a pin changes only a few of hundreds. */
export const MediumEntry = memo(function MediumEntry({
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
      className={`${look ?? ""} data-open:rounded data-open:outline-2 data-open:outline-offset-8 data-open:outline-accent`}
      // It is the last attribute, because links to media insert it into cached pages (page-template).
      data-open={open || undefined}
    >
      <Medium medium={medium} />
      {medium.placed && <ShowInSpace onShow={() => openPin(medium.id)} title={medium.title.text} />}
    </li>
  );
});

/** A tag as a disclosure. */
export const TagEntry = memo(function TagEntry({
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
          {tag.product && <TagProduct {...tag.product} />}
          {media.map((medium) => (
            <Medium key={medium.id} medium={medium} />
          ))}
          {tag.keywords.length > 0 && (
            <ul aria-label={t("visitors:keywords")} className="flex flex-wrap gap-2">
              {tag.keywords.map((keyword) => (
                <li key={keyword} className="rounded bg-surface px-2 py-1 text-xs text-muted">
                  {keyword}
                </li>
              ))}
            </ul>
          )}
          <p className="flex flex-wrap gap-x-6 text-sm">
            {tag.linkUrl && <OutsideLink href={tag.linkUrl}>{t("visitors:moreLink")}</OutsideLink>}
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
      {t("visitors:showInSpace")}
      <span className="sr-only"> {title}</span>
    </button>
  );
}
