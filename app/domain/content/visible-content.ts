import type { EventMedia, EventScene, EventTag } from "../shared/model";
import type { EventContent } from "./content";

type Content = Omit<EventContent, "seq">;

/**
 * Returns the scene without the stops of tags that are not in `tags`, and without a plan whose image is not in `media`.
 * @param tags the visible tags
 * @param media the visible media
 */
function visibleScene(
  scene: EventScene,
  tags: readonly Pick<EventTag, "id">[],
  media: readonly Pick<EventMedia, "id" | "kind">[],
): EventScene {
  const visibleTagIds = new Set(tags.map(({ id }) => id));
  const { plan } = scene;
  const hasPlan = media.some(({ id, kind }) => id === plan?.mediaId && kind === "image");
  return {
    ...scene,
    tour: scene.tour.filter(({ tagId }) => tagId === null || visibleTagIds.has(tagId)),
    plan: hasPlan ? plan : null,
  };
}

/** Returns the content that visitors may see: no hidden items and no references to them. */
export function visibleContent<MediaItem extends Pick<EventMedia, "id" | "kind" | "hidden">>(
  content: Omit<Content, "media"> & { readonly media: readonly MediaItem[] },
): Omit<Content, "media"> & { readonly media: readonly MediaItem[] } {
  const media = content.media.filter(({ hidden }) => !hidden);
  const visibleMediaIds = new Set(media.map(({ id }) => id));
  const tags = content.tags
    .filter(({ hidden }) => !hidden)
    .map((tag) => ({ ...tag, mediaIds: tag.mediaIds.filter((id) => visibleMediaIds.has(id)) }));
  return { tags, media, scene: visibleScene(content.scene, tags, media) };
}
