import { inLanguage } from "~/domain/localized";
import { atWidth } from "~/domain/media-address";
import { showcaseUrl } from "~/domain/url-params";
import type { ViewerSource } from "~/viewer/Viewer";
import { fileUrls } from "./medium-stage";
import type { SceneInput } from "./scene-types";

/** The picture of the space, before it can be walked. */
export function posterUrl({ space, fileUrl }: SceneInput): string | null {
  return space.posterMediaId === null ? null : atWidth(fileUrl(space.posterMediaId), 1280);
}

/** What the stage opens. */
export function viewerSource({
  space,
  urlParams,
  lang,
  fileUrl,
  eventScene,
  showcaseKey,
  preview = null,
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
          url: fileUrl(node.mediaId),
          title: inLanguage(node.title, lang).text,
          position: node.position,
          heading: node.heading,
          links: node.links,
        })),
      };
    case "showcase":
      return {
        kind: "showcase",
        src: showcaseUrl(space.sid, urlParams, { lang }),
        title: space.name,
        key: showcaseKey?.() ?? null,
        start: startView,
      };
    case "model": {
      const { mediaId, light, lightPicture, ...shown } = source;
      return {
        ...shown,
        ...fileUrls(fileUrl(mediaId), preview),
        start: startView ?? source.start,
        light: light && { kind: light, url: lightPicture && fileUrl(lightPicture.mediaId) },
      };
    }
    case "splat": {
      const { mediaId, ...shown } = source;
      return { ...shown, ...fileUrls(fileUrl(mediaId), preview), start: startView ?? source.start };
    }
  }
}
