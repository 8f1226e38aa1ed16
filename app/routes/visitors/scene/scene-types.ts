/** What of an event's content the page lists and the stage shows, and what that is made from. */
import type { WebFrame } from "~/components/web-player";
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
import type { MediumLink } from "../../library/web-media/web-frame";

type TagInput = Omit<TagValues, "product" | "hidden"> &
  Pick<EventTag, "id"> &
  Partial<Pick<EventTag, "product">>;
/** A medium of an event, as a reader gets it. */
export type MediumInput = Pick<
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
  | "hasStill"
  | "placement"
  | "web"
> & {
  /** The smaller version of a model or of splats that is shown first: its name among the files of the conversion. Null or absent for none. */
  readonly preview?: string | null;
  /** Bytes of the file as it was uploaded. Absent: byteSize. */
  readonly originalSize?: number;
};

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

/** A model or splats of the list, which open in a viewer of their own. */
export interface SceneStage {
  readonly source: ViewerSource;
  /** An address that becomes that of its picture with a width at its end; null for none. */
  readonly picture: string | null;
  /** How large the file is as it was uploaded, in words. */
  readonly size: string;
  /** The address of the file as it was uploaded. */
  readonly original: string;
}

/** A medium of the list. */
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
  /** What opens in a viewer of its own; null for everything that the page shows itself. */
  readonly stage: SceneStage | null;
  /** Where it can be read or seen whole, in a tab of its own. */
  readonly link: MediumLink | null;
}

/** A tag of the list. */
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
  /** The product that it shows; null for none, and where there is no shop. */
  readonly product: TagProduct | null;
}

/** All that a page with a stage needs. */
export interface Scene {
  readonly source: ViewerSource;
  readonly poster: string | null;
  readonly tags: readonly SceneTag[];
  readonly media: readonly SceneMedium[];
  readonly pins: readonly Pin[];
  /** What hangs in the space. */
  readonly hung: readonly PlacedMediaItem[];
  readonly tour: readonly SceneStop[];
  readonly plan: ScenePlan | null;
}

/** A space, an event in it, and who reads them. */
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
  /** The smaller version of the space's file that is shown first: its name among the files of its conversion. Null or absent for none. */
  readonly preview?: string | null;
  /** The conversions of the space's panoramas. Absent for none. */
  readonly panoramas?: PreparedPanoramas;
  /** The key with which a showcase is connected; asked for where there is one alone. */
  readonly showcaseKey?: () => string | null;
}
