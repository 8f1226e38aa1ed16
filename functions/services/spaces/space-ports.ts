/** Ports of spaces. */

import type { Instant, Space, SpaceSource, Uuid } from "~/domain/shared/model";
import type { PageRequest } from "../shared/ports";

/** The requested spaces and page. */
export interface SpaceQuery {
  readonly ownerId: Uuid;
  /** Without a folder, the list also contains spaces that other owners share with these groups. */
  readonly groupIds: readonly Uuid[];
  /** Restricts the list to items of the folder that are shared with these groups, for a reader who is not its owner. */
  readonly isGroupsOnly: boolean;
  /** Only spaces directly in this folder; null for all. */
  readonly folderId: Uuid | null;
  readonly page: PageRequest;
}

/** A validated space to add. Its group is that of its folder: a space in a shared folder is shared. */
export type NewSpace = Pick<
  Space,
  "id" | "folderId" | "ownerId" | "groupId" | "name" | "sid" | "source" | "posterMediaId" | "createdAt"
> & {
  /** Whether it is the sample space of a new account. */
  readonly isSample: boolean;
};

/** Values of a space whose source or thumbnail changes. */
export interface SpaceChange {
  readonly source: SpaceSource;
  readonly sid: string;
  readonly posterMediaId: Uuid | null;
  readonly updatedAt: Instant;
  /** Library items that the space did not have before. */
  readonly newFiles: readonly Uuid[];
}
