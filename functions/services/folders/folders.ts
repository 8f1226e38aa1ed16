import type { Repositories } from "#functions/data/shared/repositories";
import type { FolderType, Uuid } from "~/domain/shared/model";
import { toInstant } from "../shared/digest";
import type { Clock, IdSource } from "../shared/ports";
import type { NewFolder, RootFolders } from "./tree-ports";

/** Dependencies of creating root folders. */
export interface FolderDeps extends Pick<Repositories, "folders"> {
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** The two root folders that every account has (§1). They bear no name: their label is a word of the interface. */
export function rootFolders(deps: Pick<FolderDeps, "clock" | "ids">, ownerId: Uuid): RootFolders {
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

/** Makes sure that an account has both root folders and returns their ids. Doing it twice changes nothing. */
export async function ensureRootFolders(
  deps: FolderDeps,
  input: { readonly ownerId: Uuid },
): Promise<Readonly<Record<FolderType, Uuid>>> {
  return deps.folders.ensureRoots(rootFolders(deps, input.ownerId));
}
