/** Types, ids and passwords of the demo's records. */
import { createHash } from "node:crypto";
import type { LibraryItem } from "~/domain/library/library-item";
import type {
  Event,
  EventMedia,
  EventScene,
  EventTag,
  Folder,
  Instant,
  Lang,
  Role,
  Space,
  UserStatus,
  Uuid,
} from "~/domain/shared/model";
import type { DemoAssetKey } from "../demo-assets";

/** Password of the demo accounts, except those with an unverified address, which have none. */
export const demoPassword = "demo-password";
/** Publish password of the event that requires one. */
export const demoPublishPassword = "aizome-2026";

export interface DemoUser {
  readonly id: Uuid;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
  readonly role: Role;
  readonly status: UserStatus;
  /** Maximum number of spaces. */
  readonly spaceLicense: number;
  /** In bytes. */
  readonly storageLimit: number;
  readonly language: Lang;
  readonly timeZone: string;
  readonly createdAt: Instant;
}

export interface DemoGroup {
  readonly id: Uuid;
  readonly name: string;
  readonly ownerId: Uuid;
  readonly memberIds: readonly Uuid[];
  readonly createdAt: Instant;
}

export type DemoFolder = Omit<Folder, "version">;
export type DemoSpace = Omit<Space, "version" | "eventCount" | "posterKey">;

export interface DemoEvent extends Omit<Event, "hasPublishPassword" | "version" | "revision"> {
  /** In plain text; it is hashed during seeding. Null for events without a password. */
  readonly publishPassword: string | null;
}

/** A tag of the demo. No demo tag is hidden. */
export type DemoTag = Omit<EventTag, "version" | "hidden">;

/** A media item of the demo. Kind, type and sizes come from the library item and its asset. */
export interface DemoMedia
  extends Pick<
    EventMedia,
    "id" | "eventId" | "libraryItemId" | "kind" | "title" | "description" | "placement" | "createdOn"
  > {}

/** Start, tour, floor plan and additional products of a demo event. */
export type DemoScene = Omit<EventScene, "version"> & { readonly eventId: Uuid };

/** A file in a library. Seeding stores the asset's file in R2 and takes type and sizes from the asset. */
export interface DemoLibraryItem
  extends Pick<LibraryItem, "id" | "folderId" | "ownerId" | "groupId" | "kind" | "title" | "createdAt"> {
  readonly assetKey: DemoAssetKey;
}

export interface DemoData {
  readonly users: readonly DemoUser[];
  readonly groups: readonly DemoGroup[];
  readonly folders: readonly DemoFolder[];
  readonly libraryItems: readonly DemoLibraryItem[];
  readonly spaces: readonly DemoSpace[];
  readonly events: readonly DemoEvent[];
  readonly tags: readonly DemoTag[];
  readonly media: readonly DemoMedia[];
  readonly scenes: readonly DemoScene[];
}

/** A fixed id in the form of a version 4 uuid (RFC 9562 §5.4). */
export function demoId(name: string): Uuid {
  const hex = createHash("sha256").update(`hiroba demo id ${name}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Id of a media item of the demo. `use` distinguishes several items of one asset in an event. */
export function mediaId(event: Uuid, asset: DemoAssetKey, use = ""): Uuid {
  return demoId(`media ${event} ${asset}${use}`);
}

/** A fixed link token of 43 URL-safe characters. It is for the demo only, because this file reveals it. */
export function demoToken(name: string): string {
  return createHash("sha256").update(`hiroba demo token ${name}`).digest("base64url");
}

/** Ids of the records to which other code and tests refer. */
export const demoIds = {
  owner: demoId("user owner"),
  admin: demoId("user admin"),
  curator: demoId("user curator"),
  showroom: demoId("space showroom"),
  panorama: demoId("space panorama"),
  showcase: demoId("space showcase"),
  splat: demoId("space splat"),
  tearoom: demoId("space tearoom"),
  /** The published event with the most content, in the showroom. */
  mainEvent: demoId("event showroom 藍と紙 Indigo & Paper"),
  panoramaEvent: demoId("event panorama 藍と紙 360°"),
  splatEvent: demoId("event splat スキャンで歩く展示室"),
  showcaseEvent: demoId("event showcase ショーケース見学会"),
  /** The event that requires demoPublishPassword. */
  passwordEvent: demoId("event showroom 関係者内覧会"),
} as const;

/** Durations in milliseconds. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const gigabyte = 1024 ** 3;

export function demoRootFolderId(userId: Uuid, folderType: "space" | "media"): Uuid {
  return demoId(`root ${folderType} ${userId}`);
}

export function libraryItemIdOf(ownerId: Uuid, assetKey: DemoAssetKey): Uuid {
  return demoId(`library ${ownerId} ${assetKey}`);
}
