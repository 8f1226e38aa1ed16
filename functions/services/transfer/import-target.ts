import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Folder, Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import type { PackageKind } from "~/domain/transfer/package-format";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, NotFoundError } from "../shared/errors";

/** Dependencies of findTarget. */
export type ImportTargetDeps = Pick<Repositories, "folders"> & {
  readonly spaces: Pick<Repositories["spaces"], "find">;
};

/** The destination of a package: a space for an event, a folder for a space. */
export interface ImportTarget {
  /** The kind of package that this destination accepts. */
  readonly kind: PackageKind;
  readonly space: Space | null;
  readonly folder: Folder | null;
  readonly ownerId: Uuid;
}

/**
 * Finds a space or a folder for an import. Only for its owner and administrators, because a package uses the owner's storage.
 * @throws NotFoundError, ForbiddenError
 */
export async function findTarget(
  deps: ImportTargetDeps,
  input: { readonly actor: Actor; readonly spaceId?: Uuid | null; readonly folderId?: Uuid | null },
): Promise<ImportTarget> {
  const { actor, spaceId, folderId } = input;
  const space = spaceId ? await deps.spaces.find(spaceId) : null;
  const folder = !spaceId && folderId ? await deps.folders.find(folderId) : null;
  const target = space ?? (folder?.folderType === "space" ? folder : null);
  if (!target) throw new NotFoundError("target");
  const { ownerId, groupId } = target;
  const type = space ? "event" : "space";
  if (!can(actor, "read", { type, ownerId, groupId })) throw new NotFoundError("target");
  const mayImport =
    can(actor, "create", { type, ownerId, groupId }) &&
    can(actor, "create", { type: "media", ownerId, groupId: null });
  if (!mayImport) throw new ForbiddenError("import");
  return { kind: space ? "event" : "space", space, folder, ownerId };
}

/** Use case in `context.services.packages`, with which the import form shows the target before a package is sent. */
export const importTargetServices = (deps: ImportTargetDeps) => bindUseCases(deps, { findTarget });
