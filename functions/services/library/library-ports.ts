/** Database ports for the uses of library items. */
import type { Localized, Uuid } from "~/domain/shared/model";

/** The reader of an item's uses: sees spaces of the reader and of the reader's groups, and their events. */
export interface UseReader {
  readonly userId: Uuid;
  readonly groupIds: readonly Uuid[];
}

/** An event that shows an item. */
export interface EventUse {
  readonly id: Uuid;
  readonly name: Localized;
  readonly spaceName: string;
  /** The event's tags that show the item. */
  readonly tags: readonly { readonly id: Uuid; readonly title: Localized }[];
}

/** A space that is made of an item, or has it as its picture. */
export interface SpaceUse {
  readonly id: Uuid;
  readonly name: string;
  readonly isSource: boolean;
  readonly isPicture: boolean;
}

/** The uses of an item, newest first, up to a limit. Events and spaces in the trash do not count. */
export interface ItemUses {
  readonly events: readonly EventUse[];
  readonly spaces: readonly SpaceUse[];
  /** Further ones that the reader may see. */
  readonly unnamed: number;
  /** Those that he may not. */
  readonly hidden: number;
}

/** Uses of several items. */
export interface UsedItems {
  /** How many of them are used at all. */
  readonly used: number;
  /** How many of them a space is made of. */
  readonly sources: number;
  /** Events and spaces that the reader may see: a few of them. */
  readonly names: readonly (string | Localized)[];
  /** Further ones, seen or not. */
  readonly unnamed: number;
}
