import { inLanguage } from "~/domain/shared/localized";
import type { Vec3, Viewpoint } from "~/domain/shared/model";
import type { Pin } from "~/viewer/Viewer";
import { MEDIA_ICONS } from "../media/media-icons";
import { isPlaceable } from "./placed-media";
import type { SceneInput } from "./scene-types";

/** Length of the stem that holds the pin of a placed media item above its surface, in metres. It is short, because the item is flat on the surface. */
const MEDIA_STEM = 0.12;
const MEDIA_COLOR = "#3f4c6b";

/** Pins of the tags in the space, and of the placed media items that cannot be clicked themselves. */
export function makePins({ tags, media, lang }: Pick<SceneInput, "tags" | "media" | "lang">): Pin[] {
  const pins: Pin[] = [];
  for (const tag of tags) {
    if (tag.position === null) continue;
    pins.push({
      id: tag.id,
      type: "tag",
      label: inLanguage(tag.title, lang).text,
      color: tag.color,
      icon: tag.icon,
      position: tag.position,
      stem: tag.stem,
      viewpoint: tag.viewpoint,
    });
  }
  // A media item that a tag shows is reached through that tag, so it has no pin or list entry of its own. If the tag has no position, its pin is at
  // its first placed media item.
  const tagByMediaId = new Map(tags.flatMap((tag) => tag.mediaIds.map((id) => [id, tag] as const)));
  const pinnedIds = new Set(pins.map((pin) => pin.id));
  for (const mediaItem of media) {
    if (mediaItem.placement === null) continue;
    const tag = tagByMediaId.get(mediaItem.id);
    // Placed media can be clicked themselves, except sounds, which are invisible.
    if (!tag && isPlaceable(mediaItem.kind) && mediaItem.kind !== "audio") continue;
    const id = tag?.id ?? mediaItem.id;
    if (pinnedIds.has(id)) continue;
    pinnedIds.add(id);
    const { position, normal } = mediaItem.placement;
    pins.push({
      id,
      type: tag ? "tag" : "media",
      label: inLanguage(tag?.title ?? mediaItem.title, lang).text,
      color: tag?.color ?? MEDIA_COLOR,
      icon: tag?.icon ?? MEDIA_ICONS[mediaItem.kind],
      position,
      stem: [normal[0] * MEDIA_STEM, normal[1] * MEDIA_STEM, normal[2] * MEDIA_STEM],
      viewpoint: viewpointInFrontOf(position, normal),
    });
  }
  return pins;
}

/** Viewpoint two metres in front of a surface, facing it, at eye height (y = 1.6 m, with the floor at 0); null if the normal is within 30° of the vertical. */
function viewpointInFrontOf(position: Vec3, normal: Vec3): Viewpoint | null {
  const [nx, , nz] = normal;
  const horizontalLength = Math.hypot(nx, nz);
  if (horizontalLength < 0.5) return null;
  const [ux, uz] = [nx / horizontalLength, nz / horizontalLength];
  return {
    position: [position[0] + ux * 2, 1.6, position[2] + uz * 2],
    yaw: Math.atan2(ux, uz),
    pitch: Math.atan2(position[1] - 1.6, 2),
    mode: "walk",
  };
}
