import { Icon } from "~/components/icon";
import { atWidth } from "~/domain/library/media-url";
import type { EventMedia } from "~/domain/shared/model";
import { MEDIA_ICONS } from "../../visitors/media/media-icons";
import { mediaItemStage } from "../../visitors/media/media-item-stage";
import { fileUrl } from "../placement/use-stage-content";

/** The item's image if there is one, otherwise the icon of its kind. It is decorative: the title is beside it. */
export function MediaItemIcon({ item }: { readonly item: EventMedia }) {
  const { kind, libraryItemId, hasThumbnail } = item;
  const file = fileUrl(libraryItemId);
  // This URL lacks the width at its end.
  const poster = mediaItemStage(item, file)?.image;
  const image = poster ? `${poster}160` : kind === "image" || hasThumbnail ? atWidth(file, 160) : null;
  if (!image) return <Icon name={MEDIA_ICONS[kind]} className="mx-1.5 text-muted" />;
  return (
    <img
      src={image}
      alt=""
      loading="lazy"
      decoding="async"
      className="size-8 shrink-0 rounded-sm object-cover"
    />
  );
}
