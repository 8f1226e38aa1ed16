import { atWidth } from "~/domain/library/media-address";
import { isStaged } from "~/domain/library/media-kinds";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import { formatBytes } from "~/i18n/format";
import type { ViewerSource } from "~/viewer/Viewer";
import type { MediumInput, SceneStage } from "../scene/scene-types";

type ModelSource = Extract<ViewerSource, { readonly kind: "model" }>;

/**
 * The address of a file and, where a smaller version is shown first, that of the smaller version as well.
 * @param preview its name among the files of the conversion; null for none
 */
export function fileUrls(file: string, preview: string | null): Pick<ModelSource, "url" | "whole"> {
  return preview
    ? { url: file.replace(/\?|$/, `/prepared/${preview}$&`), whole: file }
    : { url: file, whole: null };
}

/**
 * What opens a model or splats in a viewer of their own: with the light and the first view of a space of that file which nobody has set.
 * @param file the address of the file for the reader
 * @returns null for every other kind of medium
 */
export function mediumStage(
  {
    kind,
    hasStill,
    byteSize,
    originalSize = byteSize,
    preview = null,
  }: Pick<MediumInput, "kind" | "hasStill" | "byteSize" | "originalSize" | "preview">,
  file: string,
): SceneStage | null {
  if (!isStaged(kind)) return null;
  const shown = { ...fileUrls(file, preview), start: null, eyeHeight: EYE_HEIGHT.usual, isMedium: true };
  return {
    source: kind === "model" ? { kind, ...shown } : { kind, ...shown, up: "auto" },
    picture: hasStill ? atWidth(file, "") : null,
    size: formatBytes(originalSize),
    original: file.replace(/\?|$/, "/original$&"),
  };
}
