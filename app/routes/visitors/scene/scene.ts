/** Converts an event's content to the data of the list and the stage (the component that shows a space in 3D). */
import type { WebFrame } from "~/components/media/web-player";
import { atWidth } from "~/domain/library/media-url";
import { inLanguage } from "~/domain/shared/localized";
import type { EventTag, Lang } from "~/domain/shared/model";
import { languages } from "~/i18n/languages.server";
import { type MediumLink, webFrame, webLink } from "../../library/web-media/web-frame";
import { mediumStage } from "../media/media-item-stage";
import { makePlacedMedia } from "./placed-media";
import { readRichText } from "./rich-text.server";
import { scenePlan, toTourStops } from "./scene-guides";
import { makePins } from "./scene-pins";
import { posterUrl, viewerSource } from "./scene-space";
import type { MediumInput, Scene, SceneInput, SceneRich } from "./scene-types";

/** Prepares an event's space and content for one reader. */
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
  const media = input.media.map((medium) => ({
    id: medium.id,
    kind: medium.kind,
    title: inLanguage(medium.title, lang),
    description: inLanguage(medium.description, lang),
    src: fileUrl(medium.libraryItemId),
    hasImage: showsImage(medium),
    width: medium.width,
    height: medium.height,
    isPlaced: medium.placement !== null,
    frame: frameOf(medium, input),
    stage: mediumStage(medium, fileUrl(medium.libraryItemId)),
    link: linkOf(medium, input),
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
const showsImage = ({ kind, web, hasThumbnail }: MediumInput): boolean =>
  kind === "image" || web?.type === "photo" || (kind === "pdf" && hasThumbnail);

function frameOf({ web, ...medium }: MediumInput, { lang, fileUrl }: SceneInput): WebFrame | null {
  if (!web) return null;
  // The file of a web medium is its thumbnail. Without one, the media type is not that of an image.
  const image = medium.mimeType.startsWith("image/") ? atWidth(fileUrl(medium.libraryItemId), 1280) : null;
  return webFrame({ web, title: inLanguage(medium.title, lang).text, image, t: languages[lang].t });
}

function linkOf({ kind, web, libraryItemId }: MediumInput, { lang, fileUrl }: SceneInput): MediumLink | null {
  const { t } = languages[lang];
  if (web) return webLink(web, t);
  return kind === "pdf" ? { href: fileUrl(libraryItemId), label: t("library:webMedia.openDocument") } : null;
}
