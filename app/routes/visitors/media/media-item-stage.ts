import { isStaged } from "~/domain/library/media-kinds";
import { atWidth } from "~/domain/library/media-url";
import { EYE_HEIGHT } from "~/domain/shared/limits";
import { formatBytes } from "~/i18n/format";
import type { ViewerSource } from "~/viewer/Viewer";
import type { SceneMediaItemInput, SceneStage } from "../scene/scene-types";

type ModelSource = Extract<ViewerSource, { readonly kind: "model" }>;

/**
 * URLs of a file and, if there is one, of its smaller version, which is loaded first.
 * @param previewName name of the smaller version among the conversion's files; null for none
 */
export function modelFileUrls(file: string, previewName: string | null): Pick<ModelSource, "url" | "whole"> {
  return previewName
    ? { url: file.replace(/\?|$/, `/prepared/${previewName}$&`), whole: file }
    : { url: file, whole: null };
}

/**
 * Data of the separate viewer in which a model or splats of the list open, with the default light and start view.
 * @param file URL of the file for the visitor or owner
 * @returns null for every other kind
 */
export function mediaItemStage(
  {
    kind,
    hasThumbnail,
    byteSize,
    originalSize = byteSize,
    previewName = null,
  }: Pick<SceneMediaItemInput, "kind" | "hasThumbnail" | "byteSize" | "originalSize" | "previewName">,
  file: string,
): SceneStage | null {
  if (!isStaged(kind)) return null;
  const sourceFields = {
    ...modelFileUrls(file, previewName),
    start: null,
    eyeHeight: EYE_HEIGHT.usual,
    isMediaItem: true,
  };
  return {
    source: kind === "model" ? { kind, ...sourceFields } : { kind, ...sourceFields, up: "auto" },
    image: hasThumbnail ? atWidth(file, "") : null,
    size: formatBytes(originalSize),
    original: file.replace(/\?|$/, "/original$&"),
  };
}
