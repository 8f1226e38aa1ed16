import type { Repositories } from "#functions/data/shared/repositories";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import type { NewFolder, RootFolders } from "./tree-ports";

/** Dependencies of creating root folders. */
export interface FolderDeps extends Pick<Repositories, "folders"> {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** The two root folders of every account (specification §1). They have no name, because the interface labels them. */
export function createRootFolders(deps: Pick<FolderDeps, "clock" | "ids">, ownerId: Uuid): RootFolders {
  const root = (folderType: FolderType): NewFolder => ({
    id: deps.ids.uuid(),
    parentId: null,
    ownerId,
    folderType,
    name: "",
    groupId: null,
    createdAt: toInstant(deps.clock.now()),
  });
  return { space: root("space"), media: root("media") };
}

/** Creates missing root folders of an account and returns the ids of both. A second call changes nothing. */
export async function ensureRootFolders(
  deps: FolderDeps,
  input: { readonly ownerId: Uuid },
): Promise<Readonly<Record<FolderType, Uuid>>> {
  return deps.folders.ensureRoots(createRootFolders(deps, input.ownerId));
}
