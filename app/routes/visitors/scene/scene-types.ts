/** Types of the content that the page lists and the stage displays, and of their input. */
import type { WebFrame } from "~/components/media/web-player";
import type { TagValues } from "~/domain/content/content";
import type { RichText } from "~/domain/content/rich-text";
import type { PreparedPanoramas } from "~/domain/library/prepared-panoramas";
import type {
  EventMedia,
  EventScene,
  EventTag,
  Lang,
  MediaKind,
  SpaceSource,
  TagProduct,
  UrlParams,
  Uuid,
  Viewpoint,
} from "~/domain/shared/model";
import type { Pin, PlacedMediaItem, ViewerSource } from "~/viewer/Viewer";
import type { WebMediaLink } from "../../library/web-media/web-frame";

type TagInput = Omit<TagValues, "product" | "hidden"> &
  Pick<EventTag, "id"> &
  Partial<Pick<EventTag, "product">>;
/** Media item of an event, from which the list and the space display it. */
export type SceneMediaItemInput = Pick<
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
  | "hasThumbnail"
  | "placement"
  | "web"
> & {
  /** Name of the smaller version of a model or of splats among the conversion's files; it is loaded first. Null or absent for none. */
  readonly previewName?: string | null;
  /** Size of the uploaded file in bytes. If absent, byteSize applies. */
  readonly originalSize?: number;
};

/** Text of the content, in the page's language if available. */
export interface SceneText {
  readonly text: string;
  readonly lang: Lang;
}

/** Body of a tag, in the page's language if available. */
export interface SceneRich {
  readonly blocks: RichText;
  readonly lang: Lang;
}

/** Stop of the guided tour. */
export interface SceneStop {
  readonly id: Uuid;
  /** Tag of the stop; null if there is none, or if visitors do not see it. */
  readonly tagId: Uuid | null;
  readonly viewpoint: Viewpoint | null;
  /** Title of the stop, or of its tag. */
  readonly title: SceneText;
  readonly text: SceneText;
  /** Time for which the tour stays at the stop. */
  readonly seconds: number;
}

/** The event's own floor plan. */
export interface ScenePlan {
  /** URL of its image. */
  readonly image: string;
  /** Height divided by width. */
  readonly aspect: number;
  /** The point of the space that the middle of the image shows, in metres. */
  readonly center: readonly [x: number, z: number];
  /** In metres. */
  readonly width: number;
  /** Radians by which the image is turned counter-clockwise, as seen from above. */
  readonly rotation: number;
}

/** Data of the separate viewer in which a model or splats of the list open. */
export interface SceneStage {
  readonly source: ViewerSource;
  /** URL of the image, to which the width is appended; null for none. */
  readonly image: string | null;
  /** Formatted size of the uploaded file. */
  readonly size: string;
  /** URL of the uploaded file. */
  readonly original: string;
}

/** Media item of the list. */
export interface SceneMediaItem {
  readonly id: Uuid;
  readonly kind: MediaKind;
  readonly title: SceneText;
  readonly description: SceneText;
  /** URL of the file. */
  readonly src: string;
  /** Whether the list shows an image at `src`: for an image, a photo of another site, or a document with an image of its first page. */
  readonly hasImage: boolean;
  readonly width: number | null;
  readonly height: number | null;
  /** Whether it has a position in the space. */
  readonly isPlaced: boolean;
  /** Player of a web media item (a video or page of another site); null for other media, for photos, and if the player is no longer supported. */
  readonly frame: WebFrame | null;
  /** Viewer of a model or of splats; null for other media. */
  readonly stage: SceneStage | null;
  /** Link that opens the whole item in a new tab. */
  readonly link: WebMediaLink | null;
}

/** Tag of the list. */
export interface SceneTag {
  readonly id: Uuid;
  readonly title: SceneText;
  readonly body: SceneRich;
  readonly color: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly linkUrl: string | null;
  /** Whether it has a position in the space. */
  readonly isPlaced: boolean;
  /** Media items that the tag shows. */
  readonly mediaIds: readonly Uuid[];
  /** Product of the tag; null for none, and if there is no shop. */
  readonly product: TagProduct | null;
}

/** Data of a page with a stage (the component that shows a space in 3D). */
export interface Scene {
  readonly source: ViewerSource;
  /** URL of the image that is displayed before the space is loaded; null for none. */
  readonly poster: string | null;
  readonly tags: readonly SceneTag[];
  readonly media: readonly SceneMediaItem[];
  readonly pins: readonly Pin[];
  /** Media that are placed in the space. */
  readonly placedMedia: readonly PlacedMediaItem[];
  readonly stops: readonly SceneStop[];
  readonly plan: ScenePlan | null;
}

/** A space, an event's content, and the language and file URLs of the visitor or owner who sees them. */
export interface SceneInput {
  readonly lang: Lang;
  readonly space: {
    readonly name: string;
    readonly sid: string;
    readonly source: SpaceSource;
    readonly posterMediaId: Uuid | null;
  };
  readonly tags: readonly TagInput[];
  readonly media: readonly SceneMediaItemInput[];
  readonly urlParams: UrlParams;
  /** Start view, tour and floor plan. */
  readonly eventScene?: Pick<EventScene, "startView" | "tour" | "plan"> | null;
  /** Returns the URL of a library item's file for this visitor or owner. */
  readonly fileUrl: (libraryItemId: Uuid) => string;
  /** Name of the smaller version of the space's file among the conversion's files; it is loaded first. Null or absent for none. */
  readonly previewName?: string | null;
  /** Conversions of the space's panoramas. Absent for none. */
  readonly panoramas?: PreparedPanoramas;
  /** Returns the SDK key for a showcase (a Matterport space); null without one. It is called only for showcases. */
  readonly showcaseKey?: () => string | null;
}
