/** The format of a package: an event or a space as one file, from any installation (decision 036). package.schema.ts reads its description, and package-json.ts writes it. */
import type { MediaValues, SceneValues, TagValues } from "../content/content";
import type { LibraryItem } from "../library/library-item";
import type { Event, Instant, Uuid } from "../shared/model";
import type { SourceInput } from "../spaces/space-source.schema";

/** Name of the description's format. */
export const PACKAGE_FORMAT = "hiroba-package";
/** The format version that exports write, and the only supported one. */
export const PACKAGE_VERSION = 1;
/** Path of the description in the archive. */
export const PACKAGE_JSON = "hiroba.json";
/** Media type of a package. */
export const PACKAGE_TYPE = "application/zip";

/** Content of a package: an event, or a space with its events. */
export const PACKAGE_KINDS = ["event", "space"] as const;
/** One of the kinds of packages. */
export type PackageKind = (typeof PACKAGE_KINDS)[number];

/** A file of a package. */
export interface PackagedFile {
  /** Path in the archive; null for a file that the package only identifies and does not contain. */
  readonly path: string | null;
  readonly sha256: string;
  readonly byteSize: number;
}

/** A library item of a package. */
export interface PackagedItem
  extends Pick<LibraryItem, "id" | "kind" | "title" | "fileName" | "mimeType" | "web"> {
  /** Null for web media. */
  readonly file: PackagedFile | null;
  /** The thumbnail, or the provider's image of a web media item; null without one. */
  readonly still: PackagedFile | null;
}

/** A media item of an event in a package. */
export interface PackagedMediaItem extends MediaValues {
  readonly id: Uuid;
  readonly libraryItemId: Uuid;
  readonly createdOn: Instant;
}

/** The event's own fields in a package. */
export type PackagedValues = Pick<
  Event,
  | "id"
  | "eventName"
  | "startDate"
  | "endDate"
  | "statusId"
  | "enableAutoChangeStatus"
  | "eventDetail"
  | "spStoreUrl"
  | "urlParams"
>;

/** An event of a package. */
export interface PackagedEvent extends PackagedValues {
  /** Whether the event had a secret. The package does not contain secrets; they have to be entered again. */
  readonly hasStoreToken: boolean;
  readonly hasPublishPassword: boolean;
  /** Tags in their order. */
  readonly tags: readonly (TagValues & { readonly id: Uuid })[];
  readonly media: readonly PackagedMediaItem[];
  readonly scene: SceneValues;
}

/** The space of a package. For a single event, it is the space to which the event's positions refer. */
export interface PackagedSpace {
  readonly id: Uuid;
  readonly name: string;
  readonly source: SourceInput;
  readonly posterMediaId: Uuid | null;
}

/** The whole description of a package. */
export interface Package {
  readonly kind: PackageKind;
  readonly space: PackagedSpace;
  /** Oldest first; exactly one in a package of an event. */
  readonly events: readonly PackagedEvent[];
  readonly library: readonly PackagedItem[];
}
