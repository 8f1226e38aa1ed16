/**
 * The entities of specification §3, which all layers share. They are plain data, without methods, storage or HTTP.
 * Times are ISO 8601 instants in UTC with milliseconds. Lengths are metres, angles radians.
 */

import type { ModelDisplay } from "../spaces/model-display";

/** A record's id, in lower case. See isUuid. */
export type Uuid = string;
/** ISO 8601 in UTC with milliseconds, for example 2025-04-01T03:00:00.000Z. Strings of this form sort by time. */
export type Instant = string;
/** The languages of the interface (specification §1). Japanese is the default. */
export type Lang = "ja" | "en";
/** A text in both languages; an empty string means that the language is missing. */
export type Localized = Readonly<Record<Lang, string>>;

/** Right-handed, y up, metres: the frame of glTF 2.0 §3.4 and of the showcase. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Administrators and normal users (specification §6). Visitors have no account. */
export type Role = "admin" | "user";
/** The statuses of an account (specification §3). USER_STATUS_MOVES lists the permitted transitions. */
export type UserStatus = "BLOCKED" | "DISAPPROVED" | "EMAIL_UNVERIFIED" | "EMAIL_VERIFIED" | "ACTIVATED";
/** Every account has one tree of folders of each type (specification §1). */
export type FolderType = "space" | "media";
/** 1 Unpublished, 2 Preview, 3 Published, 4 Archived (specification §4). */
export type EventStatusId = 1 | 2 | 3 | 4;
/** The two kinds of visitor links (specification §2). */
export type LinkMode = "preview" | "published";
/** The purpose of a link in a mail: a new password, an invitation to a new account, or a new e-mail address. */
export type LinkPurpose = "reset" | "invitation" | "email";
/** The kind of a space's source: a showcase (a captured space that Matterport hosts), a glTF model, 360° images, or Gaussian splats. */
export type SourceKind = "showcase" | "model" | "panorama" | "splat";
/** The kind of a media item. `web` is a URL on another site; the others are files. */
export type MediaKind = "image" | "video" | "audio" | "pdf" | "model" | "splat" | "subtitle" | "web";

/** An account (specification §3). The password hash is not included and stays inside the repositories. */
export interface User {
  readonly id: Uuid;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** Number of spaces that the user's licence includes (space_license). */
  readonly spaceLicense: number;
  /** Number of spaces that the user owns. */
  readonly spaceCount: number;
  /** Storage limit in bytes (library size). */
  readonly storageLimit: number;
  /** Used storage in bytes. */
  readonly storageUsed: number;
  readonly language: Lang;
  /** IANA name, for example Asia/Tokyo. */
  readonly timeZone: string;
  /** Whether the user receives a mail when one of their events opens or closes automatically. */
  readonly statusMails: boolean;
  /** Time of the user's request to delete the account and its data. */
  readonly deletionRequestedAt: Instant | null;
  readonly createdAt: Instant;
  /** Number of saves. A form sends the version that it was filled from. */
  readonly version: number;
}

/** People who share folders, spaces and media. */
export interface Group {
  readonly id: Uuid;
  readonly name: string;
  readonly memberCount: number;
  readonly createdAt: Instant;
  readonly version: number;
  /** Null unless the group is in the trash, where it gives no permissions. */
  readonly deletedAt: Instant | null;
}

/** A folder of spaces or of media (specification §3). */
export interface Folder {
  readonly id: Uuid;
  /** null for a root folder. */
  readonly parentId: Uuid | null;
  readonly ownerId: Uuid;
  readonly folderType: FolderType;
  /** Empty for a root folder, whose label is a text of the interface. */
  readonly name: string;
  /** The group with which it is shared; null when it is not shared. */
  readonly groupId: Uuid | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** A visitor's position and direction. yaw 0 looks along −z and grows to the left (counter-clockwise from above); pitch grows upwards. */
export interface Viewpoint {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  /** walk: inside, at eye height; orbit: the whole space from outside; plan: from straight above. */
  readonly mode: "walk" | "orbit" | "plan";
  /** The panorama node, or the showcase's sweep (a place from which it was captured), for sources that have them. */
  readonly nodeId?: string;
}

/** The place where a panorama was taken. All nodes of a space share one frame, so a pin has one position for all nodes. */
export interface PanoramaNode {
  readonly id: string;
  readonly mediaId: Uuid;
  readonly title: Localized;
  /** The camera's position. */
  readonly position: Vec3;
  /** The yaw (see Viewpoint) that the middle column of the equirectangular image shows. */
  readonly heading: number;
  /** Ids of the nodes that a visitor can step to from this node. */
  readonly links: readonly string[];
}

/** Axis of a splat file that points upwards, which differs between captures. "auto": the viewer detects it from the file. */
export type SplatUp = "auto" | "y" | "-y" | "z";

/** Light of a model: a built-in environment of the viewer, or an HDR panorama from the library ("file"). */
export type SpaceLight = "studio" | "daylight" | "evening" | "file";

/**
 * The source of a space, as stored with the space. Files are media ids; the showcase's id is the space's sid. If `start` is null, the
 * viewer chooses a start.
 */
export type SpaceSource =
  | { readonly kind: "showcase" }
  | {
      readonly kind: "model";
      readonly mediaId: Uuid;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      /** Absent for the default settings (MODEL_DISPLAY). */
      readonly display?: ModelDisplay;
      /** Absent for the default, "studio". */
      readonly light?: SpaceLight;
      /** The HDR panorama; absent without one. Triggers find the files of a source by the name `mediaId`. */
      readonly lightPicture?: { readonly mediaId: Uuid };
    }
  | { readonly kind: "panorama"; readonly nodes: readonly PanoramaNode[]; readonly start: Viewpoint | null }
  | {
      readonly kind: "splat";
      readonly mediaId: Uuid;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      readonly up: SplatUp;
    };

/** A 3D space in its folder (specification §3). Its events show it. */
export interface Space {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The group with which it is shared; null when it is not shared. */
  readonly groupId: Uuid | null;
  readonly name: string;
  /** 11 Base58 characters: the showcase's own id, or an id that we generate for other sources. */
  readonly sid: string;
  readonly source: SpaceSource;
  /** An image of the space in the library, if there is one. */
  readonly posterMediaId: Uuid | null;
  /** R2 key of the file from which the poster is made. It stays on the server. */
  readonly posterKey: string | null;
  readonly eventCount: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** Values by parameter name, as given. A parameter without a value has its default. */
export type UrlParams = Readonly<Record<string, string | number>>;

/** An event as its owner sees it. It is never sent to a visitor; see VisitorEvent. */
export interface Event {
  readonly id: Uuid;
  readonly spaceId: Uuid;
  /** At least one language has a name. */
  readonly eventName: Localized;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  /** The saved status. statusAt(event, now) returns the current one. */
  readonly statusId: EventStatusId;
  readonly enableAutoChangeStatus: boolean;
  /** Token of public links (specification §2). */
  readonly accessToken: string;
  /** Token of preview links (specification §2). */
  readonly previewAccessToken: string;
  /** The token of the event's store for the Storefront API, public or private; null without one. */
  readonly spAccessToken: string | null;
  readonly spStoreUrl: string | null;
  readonly eventDetail: Localized;
  readonly urlParams: UrlParams;
  readonly hasPublishPassword: boolean;
  /** Whether visitors see the name and the cover image before they enter the password. */
  readonly showBeforePassword: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Number of saves of the event form. A save sends the version that it is based on. */
  readonly version: number;
  /** Number of changes that a visitor's page could show: changes of the event, its tags, its media and its space. */
  readonly revision: number;
}

/** A reference of a tag or an event to a product. The editor shows the title while the store does not respond. */
export interface TagProduct {
  /** The store's own global id, gid://shopify/Product/… */
  readonly id: string;
  readonly title: string;
}

/** A pin in the space of an event, with the content that it opens (specification §3). */
export interface EventTag {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly title: Localized;
  /** Markdown, which the server parses into RichText: no HTML, no images. */
  readonly body: Localized;
  /** sRGB, #rrggbb. */
  readonly color: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly linkUrl: string | null;
  /** The anchor on the surface; null until it is placed. */
  readonly position: Vec3 | null;
  /** Vector from the anchor to the marker: surface normal × length. */
  readonly stem: Vec3;
  /** The viewpoint from which the tag is shown; null lets the viewer choose. */
  readonly viewpoint: Viewpoint | null;
  /** Event media shown in the tag, in order. */
  readonly mediaIds: readonly Uuid[];
  /** The product of the event's store that the tag shows; null for none. */
  readonly product: TagProduct | null;
  /** Not shown to visitors. */
  readonly hidden: boolean;
  readonly sortOrder: number;
  readonly version: number;
}

/** The supported types of an oEmbed response (specification §5). The type `link` is not supported. */
export type WebType = "photo" | "video" | "rich";

/** The checked data of a web media item, from an oEmbed response or from its URL alone. */
export interface WebMediaItem {
  /** The id of a supported provider. */
  readonly provider: string;
  /** The URL of its page, in the normalised form that is stored. */
  readonly url: string;
  readonly type: WebType;
  /** The provider's title; empty when there is none. */
  readonly title: string;
  /** The author's name; empty when the response names none. */
  readonly author: string;
  /** The path of its player; null for an image. */
  readonly player: string | null;
  /** Pixels; null when the response names no size. */
  readonly width: number | null;
  readonly height: number | null;
}

/** The placement of a media item in the space. */
export interface Placement {
  readonly position: Vec3;
  /** Unit normal of the surface on which it is placed. */
  readonly normal: Vec3;
  /** Width in metres; the height follows from the aspect ratio of the media item. */
  readonly width: number;
  /** Radians around the normal, counter-clockwise as seen from the front. */
  readonly rotation: number;
  /** Whether a video or sound starts by itself or on a click. */
  readonly play: "click" | "auto";
  /** Metres within which its sound is heard. */
  readonly reach: number;
}

/** A media item of an event: a use of a library item. Lists of media are in ascending order of createdOn (specification §3). */
export interface EventMedia {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly libraryItemId: Uuid;
  readonly kind: MediaKind;
  readonly title: Localized;
  readonly description: Localized;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels; null when there is no image or its size is unknown. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** Whether there is a thumbnail of it. Most images have none, because they are their own thumbnails. */
  readonly hasThumbnail: boolean;
  readonly placement: Placement | null;
  /** Not shown to visitors. */
  readonly hidden: boolean;
  /** Null for media that are not web media. */
  readonly web: WebMediaItem | null;
  readonly createdOn: Instant;
  readonly version: number;
}

/** A stop of an event's guided tour: a tag, a viewpoint, or both. */
export interface TourStop {
  readonly id: Uuid;
  readonly tagId: Uuid | null;
  readonly viewpoint: Viewpoint | null;
  readonly title: Localized;
  readonly text: Localized;
  /** Display time while the tour plays, in seconds. */
  readonly seconds: number;
}

/** An image of the event that shows the space from above. */
export interface FloorPlan {
  /** A media item of the event, of the kind image. */
  readonly mediaId: Uuid;
  /** The point of the space, in metres, that the middle of the image shows. */
  readonly center: readonly [x: number, z: number];
  /** Width of the image in metres. The height follows from the aspect ratio of the image. */
  readonly width: number;
  /** Radians by which the image is turned counter-clockwise, as seen from above; 0 has −z at its top. */
  readonly rotation: number;
}

/** The content of an event other than its tags and media. */
export interface EventScene {
  /** The start view of visitors; null for the start of the space. */
  readonly startView: Viewpoint | null;
  readonly tour: readonly TourStop[];
  readonly plan: FloorPlan | null;
  /** Products of the event's store that it shows in addition to those of its tags, in order and without duplicates. */
  readonly products: readonly TagProduct[];
  /** 0 until the first save. */
  readonly version: number;
}
