import { atWidth } from "~/domain/library/media-url";
import { inLanguage } from "~/domain/shared/localized";
import type { SceneInput, ScenePlan, SceneStop } from "./scene-types";

/** Stops of the tour. A stop without a position of its own is omitted if its tag is deleted or hidden. */
export function toTourStops({ eventScene, tags, lang }: SceneInput): SceneStop[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  return (eventScene?.tour ?? []).flatMap((stop) => {
    const tag = stop.tagId === null ? undefined : byId.get(stop.tagId);
    if (!tag && stop.viewpoint === null) return [];
    const ownTitle = inLanguage(stop.title, lang);
    return {
      id: stop.id,
      tagId: tag?.id ?? null,
      viewpoint: stop.viewpoint,
      title: ownTitle.text === "" && tag ? inLanguage(tag.title, lang) : ownTitle,
      text: inLanguage(stop.text, lang),
      seconds: stop.seconds,
    };
  });
}

/** Floor plan; null for none, if its image is not in `media`, and while the size of its image is unknown. */
export function scenePlan({
  eventScene,
  media,
  fileUrl,
}: Pick<SceneInput, "eventScene" | "media" | "fileUrl">): ScenePlan | null {
  const plan = eventScene?.plan;
  const mediaItem = plan && media.find(({ id }) => id === plan.mediaId);
  if (!mediaItem?.width || !mediaItem.height) return null;
  const { center, width, rotation } = plan as NonNullable<typeof plan>;
  const image = atWidth(fileUrl(mediaItem.libraryItemId), 1280);
  return { image, aspect: mediaItem.height / mediaItem.width, center, width, rotation };
}
