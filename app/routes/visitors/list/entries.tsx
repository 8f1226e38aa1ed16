import { memo } from "react";
import { cx } from "~/components/cx";
import { Icon } from "~/components/icon";
import { OutsideLink } from "~/components/outside-link";
import { useHydrated } from "~/components/use-hydrated";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { useTranslation } from "~/i18n/translation";
import type { AccessibleList } from "~/viewer/Viewer";
import { LocalizedSpan, MediaItem, TagSign } from "../media/media-item";
import { Rich } from "../media/rich";
import type { SceneMediaItem, SceneTag } from "../scene/scene-types";
import { TagLink } from "./tag-link";

const TagProduct = createLatePart(
  withMessages(["store-visitors"], () => import("../../store/visit/tag-product-card")),
);

/** Props that the list gives an entry. */
interface EntryProps extends Pick<AccessibleList, "openPin" | "entry"> {
  readonly open: boolean;
  readonly hidden: boolean;
  readonly className: string | undefined;
}

/** The entries are memoized because a search or a pin changes only a few of hundreds. */
export const MediaItemEntry = memo(function MediaItemEntry({
  item,
  open,
  hidden,
  className,
  openPin,
  entry,
}: EntryProps & { readonly item: SceneMediaItem }) {
  return (
    <li
      {...entry(item.id)}
      hidden={hidden}
      className={cx(
        className,
        "data-open:rounded data-open:outline-2 data-open:outline-offset-8 data-open:outline-accent",
      )}
      // This is the last attribute, because the cache of pages (page-template) adds it at this place when a link to the media item opens a cached page.
      data-open={open || undefined}
    >
      <MediaItem item={item} />
      {item.isPlaced && <ShowInSpace onShow={() => openPin(item.id)} title={item.title.text} />}
    </li>
  );
});

/** A tag as a disclosure. */
export const TagEntry = memo(function TagEntry({
  tag,
  media,
  open,
  hidden,
  className,
  openPin,
  entry,
}: EntryProps & { readonly tag: SceneTag; readonly media: readonly SceneMediaItem[] }) {
  const { t } = useTranslation();
  const { id, ...focus } = entry(tag.id);
  return (
    <li id={id} {...focus} hidden={hidden} className={className}>
      <details
        open={open}
        onToggle={(event) => {
          const nowOpen = event.currentTarget.open;
          if (nowOpen !== open) openPin(nowOpen ? tag.id : null);
        }}
        className="tag"
      >
        <summary>
          <TagSign color={tag.color} icon={tag.icon} />
          <LocalizedSpan value={tag.title} />
        </summary>
        <div className="tag-content">
          <Rich value={tag.body} />
          {tag.product && <TagProduct {...tag.product} />}
          {media.map((item) => (
            <MediaItem key={item.id} item={item} />
          ))}
          {tag.keywords.length > 0 && (
            <ul aria-label={t("visitors:keywords")}>
              {tag.keywords.map((keyword) => (
                <li key={keyword}>{keyword}</li>
              ))}
            </ul>
          )}
          <p>
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
    <button type="button" onClick={onShow} className="text-link mt-1 text-sm">
      <Icon name="place" size={16} />
      {t("visitors:showInSpace")}
      <span className="sr-only"> {title}</span>
    </button>
  );
}
