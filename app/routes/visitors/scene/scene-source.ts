import { showcaseUrl } from "~/domain/events/url-params";
import { atWidth } from "~/domain/library/media-url";
import type { PreparedPanorama } from "~/domain/library/prepared-panoramas";
import { inLanguage } from "~/domain/shared/localized";
import type { ViewerSource } from "~/viewer/Viewer";
import { modelFileUrls } from "../media/media-item-stage";
import type { SceneInput } from "./scene-types";

/** Image of the space before it is loaded. */
export function posterUrl({ space, fileUrl }: SceneInput): string | null {
  return space.posterMediaId === null ? null : atWidth(fileUrl(space.posterMediaId), 1280);
}

type PanoramaNode = Extract<ViewerSource, { readonly kind: "panorama" }>["nodes"][number];

/** Source that the stage (the component that shows a space in 3D) opens. A showcase is a Matterport space. */
export function viewerSource({
  space,
  urlParams,
  lang,
  fileUrl,
  eventScene,
  showcaseKey,
  previewName = null,
  panoramas = {},
}: SceneInput): ViewerSource {
  const { source } = space;
  const startView = eventScene?.startView ?? null;
  switch (source.kind) {
    case "panorama":
      return {
        kind: "panorama",
        start: startView ?? source.start,
        nodes: source.nodes.map((node) => ({
          id: node.id,
          ...panoramaUrls(fileUrl(node.mediaId), panoramas[node.mediaId]),
          title: inLanguage(node.title, lang).text,
          position: node.position,
          heading: node.heading,
          links: node.links,
        })),
      };
    case "showcase":
      return {
        kind: "showcase",
        src: showcaseUrl(space.sid, urlParams, lang),
        title: space.name,
        key: showcaseKey?.() ?? null,
        start: startView,
      };
    case "model": {
      const { mediaId, light, lightPicture, ...sourceFields } = source;
      return {
        ...sourceFields,
        ...modelFileUrls(fileUrl(mediaId), previewName),
        start: startView ?? source.start,
        light: light && { kind: light, url: lightPicture && fileUrl(lightPicture.mediaId) },
      };
    }
    case "splat": {
      const { mediaId, ...sourceFields } = source;
      return {
        ...sourceFields,
        ...modelFileUrls(fileUrl(mediaId), previewName),
        start: startView ?? source.start,
      };
    }
  }
}

/** URLs of a panorama: its image, and for a converted one the smaller image that is loaded first and the tiles. */
function panoramaUrls(
  file: string,
  conversion: PreparedPanorama | undefined,
): Pick<PanoramaNode, "url" | "preview" | "tiles"> {
  if (!conversion) return { url: file };
  const { version, preview, tiles } = conversion;
  // The query stays at the end of the URL.
  const appendPath = (name: string) => file.replace(/\?|$/, `/${name}$&`);
  return {
    url: file,
    preview: preview && appendPath(`${version}/${preview}`),
    tiles: tiles && { base: appendPath(version), ...tiles },
  };
}
