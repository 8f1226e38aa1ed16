/** Database ports for the uses of library items. */
import type { Localized, Uuid } from "~/domain/shared/model";

/** The reader of a list of uses. The list names spaces of the reader and of the reader's groups, and their events. */
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

/** A space that uses an item as its source or thumbnail. */
export interface SpaceUse {
  readonly id: Uuid;
  readonly name: string;
  readonly isSource: boolean;
  readonly isThumbnail: boolean;
}

/** The uses of an item: the newest events and spaces that the reader may see, and the numbers of the others. Events and spaces in the trash do not count. */
export interface ItemUses {
  readonly events: readonly EventUse[];
  readonly spaces: readonly SpaceUse[];
  /** Number of further uses that the reader may see. */
  readonly unnamedCount: number;
  /** Number of uses that the reader may not see. */
  readonly hiddenCount: number;
}

/** Uses of several items. */
export interface UsedItems {
  /** Number of these items that are used. */
  readonly usedCount: number;
  /** Number of these items that are the source of a space. */
  readonly sourceCount: number;
  /** Names of some events and spaces that the reader may see. */
  readonly names: readonly (string | Localized)[];
  /** Number of further uses, including those that the reader may not see. */
  readonly unnamedCount: number;
}
