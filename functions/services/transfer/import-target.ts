import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Folder, Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import type { PackageKind } from "~/domain/transfer/package-format";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, NotFoundError } from "../shared/errors";

/** Dependencies of finding an import's target. */
export type ImportTargetDeps = Pick<Repositories, "folders"> & {
  readonly spaces: Pick<Repositories["spaces"], "find">;
};

/** Where a package is to go: an event into a space, a space into a folder. */
export interface ImportTarget {
  readonly kind: PackageKind;
  readonly space: Space | null;
  readonly folder: Folder | null;
  readonly ownerId: Uuid;
}

/**
 * A space or a folder into which packages may be put: by its owner and administrators, as a package fills the owner's library.
 * @throws NotFoundError, ForbiddenError
 */
export async function findTarget(
  deps: ImportTargetDeps,
  input: { readonly actor: Actor; readonly spaceId?: Uuid | null; readonly folderId?: Uuid | null },
): Promise<ImportTarget> {
  const { actor, spaceId, folderId } = input;
  const space = spaceId ? await deps.spaces.find(spaceId) : null;
  const folder = !spaceId && folderId ? await deps.folders.find(folderId) : null;
  const thing = space ?? (folder?.folderType === "space" ? folder : null);
  if (!thing) throw new NotFoundError("target");
  const { ownerId, groupId } = thing;
  const type = space ? "event" : "space";
  if (!can(actor, "read", { type, ownerId, groupId })) throw new NotFoundError("target");
  const may =
    can(actor, "create", { type, ownerId, groupId }) &&
    can(actor, "create", { type: "media", ownerId, groupId: null });
  if (!may) throw new ForbiddenError("import");
  return { kind: space ? "event" : "space", space, folder, ownerId };
}

/** The part of `context.services.packages` that a form needs before a package is sent. */
export const importTargetServices = (deps: ImportTargetDeps) => bindUseCases(deps, { findTarget });
