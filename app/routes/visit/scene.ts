/** From an event's content to what the page lists and the stage shows. The server and the browser come to the same result. */
import type { WebFrame } from "~/components/web-player";
import { inLanguage } from "~/domain/localized";
import { atWidth } from "~/domain/media-address";
import type {
  EventMedia,
  EventScene,
  EventTag,
  Lang,
  MediaKind,
  SpaceSource,
  UrlParams,
  Uuid,
  Viewpoint,
} from "~/domain/model";
import type { RichText } from "~/domain/rich-text";
import { showcaseUrl } from "~/domain/url-params";
import { languages } from "~/i18n/languages.server";
import type { Pin, PlacedMedium, ViewerSource } from "~/viewer/Viewer";
import { type MediumLink, webFrame, webLink } from "../web-media/web-frame";
import { placedMedia } from "./placed-media";
import { readRichText } from "./rich-text.server";
import { makePins } from "./scene-pins";

type TagInput = Pick<
  EventTag,
  | "id"
  | "title"
  | "body"
  | "color"
  | "icon"
  | "keywords"
  | "linkUrl"
  | "position"
  | "stem"
  | "viewpoint"
  | "mediaIds"
>;
type MediumInput = Pick<
  EventMedia,
  | "id"
  | "libraryItemId"
  | "kind"
  | "title"
  | "description"
  | "mimeType"
  | "byteSize"
  | "width"
  | "height"
  | "duration"
  | "placement"
  | "web"
>;

/** A text of the content, in the page's language where there is one. */
export interface SceneText {
  readonly text: string;
  readonly lang: Lang;
}

/** The body of a tag, in the page's language where there is one. */
export interface SceneRich {
  readonly blocks: RichText;
  readonly lang: Lang;
}

/** A stop of the guided tour. */
export interface SceneStop {
  readonly id: Uuid;
  /** The tag that it is about; null where there is none, or none that visitors see. */
  readonly tagId: Uuid | null;
  readonly viewpoint: Viewpoint | null;
  /** The tag's title where the stop has none of its own. */
  readonly title: SceneText;
  readonly text: SceneText;
  readonly seconds: number;
}

/** The event's own floor plan. */
export interface ScenePlan {
  /** The address of its picture. */
  readonly picture: string;
  /** Height by width. */
  readonly aspect: number;
  readonly center: readonly [x: number, z: number];
  readonly width: number;
  readonly rotation: number;
}

export interface SceneMedium {
  readonly id: Uuid;
  readonly kind: MediaKind;
  readonly title: SceneText;
  readonly description: SceneText;
  readonly src: string;
  /** Of what is looked at: an address that becomes that of a picture with a width at its end; the page's scripts need not know more. */
  readonly picture: string | null;
  readonly mimeType: string;
  readonly byteSize: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly duration: number | null;
  readonly placed: boolean;
  /** The player of a web medium. */
  readonly frame: WebFrame | null;
  /** Where it can be read or seen whole, in a tab of its own. */
  readonly link: MediumLink | null;
}

export interface SceneTag {
  readonly id: Uuid;
  readonly title: SceneText;
  readonly body: SceneRich;
  readonly color: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly linkUrl: string | null;
  readonly placed: boolean;
  readonly mediaIds: readonly Uuid[];
}

/** All that a page with a stage needs. */
export interface Scene {
  readonly source: ViewerSource;
  readonly poster: string | null;
  readonly tags: readonly SceneTag[];
  readonly media: readonly SceneMedium[];
  readonly pins: readonly Pin[];
  /** What hangs in the space. */
  readonly hung: readonly PlacedMedium[];
  readonly tour: readonly SceneStop[];
  readonly plan: ScenePlan | null;
}

export interface SceneInput {
  readonly lang: Lang;
  readonly space: {
    readonly name: string;
    readonly sid: string;
    readonly source: SpaceSource;
    readonly posterMediaId: Uuid | null;
  };
  readonly tags: readonly TagInput[];
  readonly media: readonly MediumInput[];
  readonly urlParams: UrlParams;
  /** Where visitors begin, the tour, the floor plan. */
  readonly eventScene?: Pick<EventScene, "startView" | "tour" | "plan"> | null;
  /** The address of a library item's file for this reader. */
  readonly fileUrl: (libraryItemId: Uuid) => string;
  /** The library items that have a still picture, as far as they are known: nobody asks for one that there is not. */
  readonly stills?: ReadonlySet<Uuid>;
}

/** Prepares an event's space and content for one reader. */
export function makeScene(input: SceneInput): Scene {
  const { lang, fileUrl } = input;
  const tags = input.tags.map((tag) => ({
    id: tag.id,
    title: inLanguage(tag.title, lang),
    body: richIn(tag.body, lang),
    color: tag.color,
    icon: tag.icon,
    keywords: tag.keywords,
    linkUrl: tag.linkUrl,
    placed: tag.position !== null,
    mediaIds: tag.mediaIds,
  }));
  const media = input.media.map((medium) => ({
    id: medium.id,
    kind: medium.kind,
    title: inLanguage(medium.title, lang),
    description: inLanguage(medium.description, lang),
    src: fileUrl(medium.libraryItemId),
    picture: isPicture(medium) ? atWidth(fileUrl(medium.libraryItemId), "") : null,
    mimeType: medium.mimeType,
    byteSize: medium.byteSize,
    width: medium.width,
    height: medium.height,
    duration: medium.duration,
    placed: medium.placement !== null,
    frame: frameOf(medium, input),
    link: linkOf(medium, input),
  }));
  return {
    source: viewerSource(input),
    poster: posterUrl(input),
    tags,
    media,
    pins: makePins(input),
    hung: placedMedia(input.media, lang, fileUrl, input.stills ?? new Set()),
    tour: tourOf(input),
    plan: planOf(input),
  };
}

const richIn = (body: EventTag["body"], lang: Lang): SceneRich => {
  const { text, lang: inLang } = inLanguage(body, lang);
  return { blocks: readRichText(text), lang: inLang };
};

/** The stops that still lead somewhere: a tag may have gone, or be hidden. */
function tourOf({ eventScene, tags, lang }: SceneInput): SceneStop[] {
  const byId = new Map(tags.map((tag) => [tag.id, tag]));
  return (eventScene?.tour ?? []).flatMap((stop) => {
    const tag = stop.tagId === null ? undefined : byId.get(stop.tagId);
    if (!tag && stop.viewpoint === null) return [];
    const own = inLanguage(stop.title, lang);
    return {
      id: stop.id,
      tagId: tag?.id ?? null,
      viewpoint: stop.viewpoint,
      title: own.text === "" && tag ? inLanguage(tag.title, lang) : own,
      text: inLanguage(stop.text, lang),
      seconds: stop.seconds,
    };
  });
}

function planOf({ eventScene, media, fileUrl }: SceneInput): ScenePlan | null {
  const plan = eventScene?.plan;
  const medium = plan && media.find(({ id }) => id === plan.mediaId);
  if (!medium?.width || !medium.height) return null;
  const { center, width, rotation } = plan as NonNullable<typeof plan>;
  const picture = atWidth(fileUrl(medium.libraryItemId), 1280);
  return { picture, aspect: medium.height / medium.width, center, width, rotation };
}

/** A photo of the web is looked at as any picture. */
const isPicture = ({ kind, web }: MediumInput): boolean => kind === "image" || web?.type === "photo";

function frameOf({ web, ...medium }: MediumInput, { lang, fileUrl }: SceneInput): WebFrame | null {
  if (!web) return null;
  // What is sent of a web medium is its still picture, if it has one.
  const picture = medium.mimeType.startsWith("image/") ? atWidth(fileUrl(medium.libraryItemId), 1280) : null;
  return webFrame({ web, title: inLanguage(medium.title, lang).text, picture, t: languages[lang].t });
}

function linkOf({ kind, web, libraryItemId }: MediumInput, { lang, fileUrl }: SceneInput): MediumLink | null {
  const { t } = languages[lang];
  if (web) return webLink(web, t);
  if (kind === "pdf") return { href: fileUrl(libraryItemId), label: t("webMedia.openDocument") };
  return kind === "model" ? { href: fileUrl(libraryItemId), label: t("webMedia.openFile") } : null;
}

function posterUrl({ space, fileUrl }: SceneInput): string | null {
  return space.posterMediaId === null ? null : atWidth(fileUrl(space.posterMediaId), 1280);
}

function viewerSource({ space, urlParams, lang, fileUrl, eventScene }: SceneInput): ViewerSource {
  const { source } = space;
  const startView = eventScene?.startView ?? null;
  switch (source.kind) {
    case "model":
      return {
        kind: "model",
        url: fileUrl(source.mediaId),
        start: startView ?? source.start,
        eyeHeight: source.eyeHeight,
      };
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
      return { kind: "showcase", src: showcaseUrl(space.sid, urlParams, { lang }), title: space.name };
    case "splat":
      return {
        kind: "splat",
        url: fileUrl(source.mediaId),
        start: startView ?? source.start,
        eyeHeight: source.eyeHeight,
        up: source.up,
      };
  }
}
