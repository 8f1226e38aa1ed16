/**
 * The entities of §3, as every layer sees them. Plain data: no methods, no storage, no HTTP.
 * Times are ISO 8601 instants in UTC with milliseconds. Lengths are metres, angles radians.
 */

import type { ItemPreparation } from "../library/prepared";
import type { UploadCheck } from "../library/upload-check";
import type { ModelDisplay } from "../spaces/model-display";
import type { Scope } from "../webhooks/scopes";

/** A record's id, in small letters: see isUuid. */
export type Uuid = string;
/** ISO 8601 in UTC with milliseconds, for example 2025-04-01T03:00:00.000Z: texts of this form sort by time. */
export type Instant = string;
/** The languages of the interface (§1). Japanese is the default. */
export type Lang = "ja" | "en";
/** A text in both languages; an empty string means that the language is missing. */
export type Localized = Readonly<Record<Lang, string>>;

/** Right-handed, y up, metres: the frame of glTF 2.0 §3.4 and of the showcase. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Administrators and normal users (§6). Visitors have no account. */
export type Role = "admin" | "user";
/** The statuses of an account (§3). What may follow what: USER_STATUS_MOVES. */
export type UserStatus = "BLOCKED" | "DISAPPROVED" | "EMAIL_UNVERIFIED" | "EMAIL_VERIFIED" | "ACTIVATED";
/** Every account has one tree of folders of each type (§1). */
export type FolderType = "space" | "media";
/** 1 Unpublished, 2 Preview, 3 Published, 4 Archived (§4). */
export type EventStatusId = 1 | 2 | 3 | 4;
/** The two kinds of visitor links (§2). */
export type LinkMode = "preview" | "published";
/** What a link in a mail is for: a new password, an invitation to a new account, a new address. */
export type LinkPurpose = "reset" | "invitation" | "email";
/** What a space is shown from: a captured showcase, a glTF model, 360° pictures, or Gaussian splats. */
export type SourceKind = "showcase" | "model" | "panorama" | "splat";
/** What a medium is. `web` is an address elsewhere; the others are files. */
export type MediaKind = "image" | "video" | "audio" | "pdf" | "model" | "splat" | "subtitle" | "web";

/** The session or access token of an actor. */
export interface ActingCredential {
  readonly kind: "session" | "token";
  /** Names it without opening anything: the handle of a session, the id of a token. */
  readonly id: string;
  /** When the password or a passkey was given last in this session; of a token when it was made. */
  readonly authenticatedAt: Instant;
  /** Keyed hash of the network from which the request came; null where no request is known. */
  readonly network: string | null;
}

/** Whoever acts. `groupIds` are the groups the person is a member of. */
export interface Actor {
  readonly userId: Uuid;
  readonly role: Role;
  readonly groupIds: readonly Uuid[];
  /** What the access token is good for by which somebody acts; absent for whoever has logged in. */
  readonly scopes?: readonly Scope[];
  /** Absent for an actor without a log-in, such as the reader of a mail's link. */
  readonly credential?: ActingCredential;
}

/** An account (§3). Its password hash is no part of it and stays with the repositories. */
export interface User {
  readonly id: Uuid;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** How many spaces the user may own (space_license). */
  readonly spaceLicense: number;
  /** How many spaces the user owns. */
  readonly spaceCount: number;
  /** Storage limit in bytes (library size). */
  readonly storageLimit: number;
  /** Bytes. */
  readonly storageUsed: number;
  readonly language: Lang;
  /** IANA name, for example Asia/Tokyo. */
  readonly timeZone: string;
  /** Whether the person wants a mail when the clock opens or closes one of their events. */
  readonly statusMails: boolean;
  /** When the person asked for the account and its data to be deleted. */
  readonly deletionRequestedAt: Instant | null;
  readonly createdAt: Instant;
  /** Counts saves: a form names the version that it was filled from. */
  readonly version: number;
}

/** People who share folders, spaces and media (DESIGN §4). */
export interface Group {
  readonly id: Uuid;
  readonly name: string;
  readonly memberCount: number;
  readonly createdAt: Instant;
  readonly version: number;
  /** A group in the trash grants nothing. */
  readonly deletedAt: Instant | null;
}

/** A folder of spaces or of media (§3). */
export interface Folder {
  readonly id: Uuid;
  /** null for a root folder. */
  readonly parentId: Uuid | null;
  readonly ownerId: Uuid;
  readonly folderType: FolderType;
  /** Empty for a root folder, whose label is a word of the interface. */
  readonly name: string;
  /** The group with which it is shared; null for nobody. */
  readonly groupId: Uuid | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** Where a visitor stands and looks. yaw 0 looks along −z and grows to the left (counter-clockwise from above); pitch grows upwards. */
export interface Viewpoint {
  readonly position: Vec3;
  readonly yaw: number;
  readonly pitch: number;
  /** walk: inside, at eye height; orbit: the whole from outside; plan: from straight above. */
  readonly mode: "walk" | "orbit" | "plan";
  /** The panorama node or showcase sweep, where the source has them. */
  readonly nodeId?: string;
}

/** A place a panorama was taken. All nodes of a space share one frame, so pins have one position for all of them. */
export interface PanoramaNode {
  readonly id: string;
  readonly mediaId: Uuid;
  readonly title: Localized;
  /** The camera's position. */
  readonly position: Vec3;
  /** The yaw (see Viewpoint) that the middle column of the equirectangular picture shows. */
  readonly heading: number;
  /** Ids of the nodes one can step to from here. */
  readonly links: readonly string[];
}

/** Axis of a splat file that points upwards, which differs between captures. "auto": the viewer detects it from the file. */
export type SplatUp = "auto" | "y" | "-y" | "z";

/** Light of a model: a built-in environment of the viewer, or an HDR panorama from the library ("file"). */
export type SpaceLight = "studio" | "daylight" | "evening" | "file";

/**
 * What a space is made of, as stored with the space. Files are media ids; the showcase's id is the space's sid. A start of null
 * lets the viewer choose one.
 */
export type SpaceSource =
  | { readonly kind: "showcase" }
  | {
      readonly kind: "model";
      readonly mediaId: Uuid;
      readonly start: Viewpoint | null;
      readonly eyeHeight: number;
      /** Absent: the settings of the file. */
      readonly display?: ModelDisplay;
      /** Absent: the studio. */
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

/** A 3D space in its folder (§3). Its events show it. */
export interface Space {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The group with which it is shared; null for nobody. */
  readonly groupId: Uuid | null;
  readonly name: string;
  /** 11 Base58 characters: the showcase's own id, or one made here for other sources. */
  readonly sid: string;
  readonly source: SpaceSource;
  /** A picture of the space in the library, if there is one. */
  readonly posterMediaId: Uuid | null;
  /** Key in R2 of the file of which that picture is made. Stays on the server. */
  readonly posterKey: string | null;
  readonly eventCount: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}

/** Values by parameter name; only those that differ from the default are kept. */
export type UrlParams = Readonly<Record<string, string | number>>;

/** An event as its owner sees it. Never sent to a visitor: see VisitorEvent. */
export interface Event {
  readonly id: Uuid;
  readonly spaceId: Uuid;
  readonly eventName: string;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  /** As saved. What holds now is statusAt(event, now). */
  readonly statusId: EventStatusId;
  readonly enableAutoChangeStatus: boolean;
  /** Carried by public links (§2). */
  readonly accessToken: string;
  /** Carried by preview links (§2). */
  readonly previewAccessToken: string;
  /** The store's public storefront token; null without one. */
  readonly spAccessToken: string | null;
  readonly spStoreUrl: string | null;
  readonly eventDetail: string;
  readonly urlParams: UrlParams;
  readonly hasPublishPassword: boolean;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** Counts saves of the event form: a save names the version it started from. */
  readonly version: number;
  /** Counts every change that a visitor's page could show: the event, its tags, its media, its space. */
  readonly revision: number;
}

/** A product as a tag or an event names it: its title is what the editor shows while the store does not answer. */
export interface TagProduct {
  /** The store's own global id, gid://shopify/Product/… */
  readonly id: string;
  readonly title: string;
}

/** A pin in the space of an event, with what opens when it is chosen (§3). */
export interface EventTag {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly title: Localized;
  /** Rich text, as the Markdown that RichText reads: no HTML, no pictures. */
  readonly body: Localized;
  /** sRGB, #rrggbb. */
  readonly color: string;
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly linkUrl: string | null;
  /** The anchor on the surface; null until placed: "to place" in lists. */
  readonly position: Vec3 | null;
  /** From the anchor to the disc: surface normal × length. */
  readonly stem: Vec3;
  /** Where to stand to see it; null lets the viewer choose. */
  readonly viewpoint: Viewpoint | null;
  /** Event media shown in the tag, in order. */
  readonly mediaIds: readonly Uuid[];
  /** A product of the event's store that it shows; null for none. */
  readonly product: TagProduct | null;
  /** Not shown to visitors. */
  readonly hidden: boolean;
  readonly sortOrder: number;
  readonly version: number;
}

/** What an oEmbed answer may be (§5): a link is none of ours. */
export type WebType = "photo" | "video" | "rich";

/** A web medium, as far as it was answered, checked and reduced: enough to build its player anew. */
export interface WebMedium {
  /** The id of one of our providers. */
  readonly provider: string;
  /** Its page, in the one spelling that we keep. */
  readonly url: string;
  readonly type: WebType;
  /** As its provider calls it; empty where it has no title. */
  readonly title: string;
  /** Empty where nobody is named. */
  readonly author: string;
  /** The path of its player; null for a picture. */
  readonly player: string | null;
  /** Pixels; null where the answer names none. */
  readonly width: number | null;
  readonly height: number | null;
}

/** How a medium hangs in the space. */
export interface Placement {
  readonly position: Vec3;
  /** Unit normal of the surface it hangs on. */
  readonly normal: Vec3;
  /** Width in metres; the height follows from the medium. */
  readonly width: number;
  /** Radians around the normal, counter-clockwise as seen from the front. */
  readonly rotation: number;
  /** Whether a film or sound begins by itself or when it is chosen. */
  readonly play: "click" | "auto";
  /** Metres within which its sound is heard. */
  readonly reach: number;
}

/** A medium of an event: a use of a library item. Ordered by createdOn ascending (§3). */
export interface EventMedia {
  readonly id: Uuid;
  readonly eventId: Uuid;
  readonly libraryItemId: Uuid;
  readonly kind: MediaKind;
  readonly title: Localized;
  readonly description: Localized;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels; null where there is no picture or its size is not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** Whether there is a still picture of it. An image is its own. */
  readonly hasStill: boolean;
  readonly placement: Placement | null;
  /** Not shown to visitors. */
  readonly hidden: boolean;
  /** Of web media alone. */
  readonly web: WebMedium | null;
  readonly createdOn: Instant;
  readonly version: number;
}

/** A stop of an event's guided tour: a tag, a place to stand, or both. */
export interface TourStop {
  readonly id: Uuid;
  readonly tagId: Uuid | null;
  readonly viewpoint: Viewpoint | null;
  readonly title: Localized;
  readonly text: Localized;
  /** How long it is shown while the tour plays. */
  readonly seconds: number;
}

/** A picture of the event that shows the space from above. */
export interface FloorPlan {
  /** An event medium of kind image. */
  readonly mediaId: Uuid;
  /** The point of the space, in metres, that the middle of the picture shows. */
  readonly center: readonly [x: number, z: number];
  /** Metres that the picture is wide; its height follows from the picture. */
  readonly width: number;
  /** Radians by which the picture is turned counter-clockwise, as seen from above; 0 has −z at its top. */
  readonly rotation: number;
}

/** What an event's space shows beside tags and media. */
export interface EventScene {
  /** Where visitors begin; null leaves it to the space. */
  readonly startView: Viewpoint | null;
  readonly tour: readonly TourStop[];
  readonly plan: FloorPlan | null;
  /** Products of the event's store that it shows beside those of its tags, in order; each once. */
  readonly products: readonly TagProduct[];
  /** 0 as long as nothing was ever saved. */
  readonly version: number;
}

/** A file or web resource in an owner's library. */
export interface LibraryItem {
  readonly id: Uuid;
  readonly folderId: Uuid;
  readonly ownerId: Uuid;
  /** The group with which it is shared; null for nobody. */
  readonly groupId: Uuid | null;
  readonly kind: MediaKind;
  readonly title: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly byteSize: number;
  /** Pixels; null where there is no picture or its size is not known. */
  readonly width: number | null;
  readonly height: number | null;
  /** Seconds. */
  readonly duration: number | null;
  /** Key in R2, another one for every file that was uploaded; null for web media. */
  readonly fileKey: string | null;
  /** Key in R2 of a small still picture of what is no picture itself. */
  readonly thumbKey: string | null;
  /** Why the file may not be used, or not yet; null when it may. */
  readonly check: UploadCheck | null;
  /** Bytes of that picture where they count beside the file's own; 0 without one, and for web media, of which it is all there is. */
  readonly stillSize: number;
  /** Bytes of the files that were made of the file for visitors; they count beside its own. */
  readonly preparedSize: number;
  /** The conversion of the file; null before anybody has begun one. */
  readonly preparation: ItemPreparation | null;
  /** Of web media alone. */
  readonly web: WebMedium | null;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly version: number;
}
