import type { IconName } from "~/components/icon";
import type { MediaKind } from "~/domain/shared/model";

/** The icon of each kind of medium, in the list and in 3D alike. */
export const MEDIA_ICONS: Readonly<Record<MediaKind, IconName>> = {
  image: "picture",
  video: "video",
  audio: "sound",
  pdf: "document",
  model: "cube",
  splat: "cube",
  subtitle: "rows",
  web: "link",
};
