/** Converts an event's content to the data of the list and the stage (the component that shows a space in 3D). */
import type { WebFrame } from "~/components/media/web-player";
import { atWidth } from "~/domain/library/media-url";
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { type WebMediaLink, webFrame, webLink } from "../../library/web-media/web-frame";
import { mediaItemStage } from "../media/media-item-stage";
import { makePins } from "./make-pins";
import { makePlacedMedia } from "./placed-media";
import { readRichText } from "./rich-text.server";
import { scenePlan, toTourStops } from "./scene-guides";
import { posterUrl, viewerSource } from "./scene-source";
import type { Scene, SceneInput, SceneMediaItemInput, SceneRich } from "./scene-types";

/** Prepares an event's space and content for a visitor or owner, in one language. */
export function makeScene(input: SceneInput): Scene {
  const { lang, fileUrl } = input;
  const tags = input.tags.map((tag) => ({
    id: tag.id,
    title: inLanguage(tag.title, lang),
    body: richTextIn(tag.body, lang),
    color: tag.color,
    icon: tag.icon,
    keywords: tag.keywords,
    linkUrl: tag.linkUrl,
    isPlaced: tag.position !== null,
    mediaIds: tag.mediaIds,
    product: tag.product ?? null,
  }));
  const media = input.media.map((mediaItem) => ({
    id: mediaItem.id,
    kind: mediaItem.kind,
    title: inLanguage(mediaItem.title, lang),
    description: inLanguage(mediaItem.description, lang),
    src: fileUrl(mediaItem.libraryItemId),
    hasImage: showsImage(mediaItem),
    width: mediaItem.width,
    height: mediaItem.height,
    isPlaced: mediaItem.placement !== null,
    frame: frameOf(mediaItem, input),
    stage: mediaItemStage(mediaItem, fileUrl(mediaItem.libraryItemId)),
    link: linkOf(mediaItem, input),
  }));
  return {
    source: viewerSource(input),
    poster: posterUrl(input),
    tags,
    media,
    pins: makePins(input),
    placedMedia: makePlacedMedia(input.media, lang, fileUrl),
    stops: toTourStops(input),
    plan: scenePlan(input),
  };
}

const richTextIn = (body: EventTag["body"], lang: Lang): SceneRich => {
  const { text, lang: inLang } = inLanguage(body, lang);
  return { blocks: readRichText(text), lang: inLang };
};

/** A photo of the web is displayed like any image, and a document by the image of its first page. */
const showsImage = ({ kind, web, hasThumbnail }: SceneMediaItemInput): boolean =>
  kind === "image" || web?.type === "photo" || (kind === "pdf" && hasThumbnail);

function frameOf({ web, ...mediaItem }: SceneMediaItemInput, { lang, fileUrl }: SceneInput): WebFrame | null {
  if (!web) return null;
  // The file of a web media item is its thumbnail. Without one, the media type is not that of an image.
  const image = mediaItem.mimeType.startsWith("image/")
    ? atWidth(fileUrl(mediaItem.libraryItemId), 1280)
    : null;
  return webFrame({ web, title: inLanguage(mediaItem.title, lang).text, image, t: languages[lang].t });
}

function linkOf(
  { kind, web, libraryItemId }: SceneMediaItemInput,
  { lang, fileUrl }: SceneInput,
): WebMediaLink | null {
  const { t } = languages[lang];
  if (web) return webLink(web, t);
  return kind === "pdf" ? { href: fileUrl(libraryItemId), label: t("library:webMedia.openDocument") } : null;
}
