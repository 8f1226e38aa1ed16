import type { IconName } from "~/components/icon";
import type { MediaKind } from "~/domain/shared/model";

/** Icon of each media kind, in the list and in 3D. */
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
