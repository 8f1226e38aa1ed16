import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { newText } from "~/domain/events/event-texts";
import type { Cursor } from "~/domain/shared/cursor";
import { EVENT_NAME_MAX, hasSpaceLicense, SPACE_NAME_MAX } from "~/domain/shared/limits";
import type { Event, Folder, Lang, Space, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { listSourceFileIds, type SourceInput } from "~/domain/spaces/space-source.schema";
import type { NewEvent } from "../events/event-ports";
import { emptyValues, newEvent } from "../events/events";
import { ensureRootFolders } from "../folders/root-folders";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, LimitError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { pageRequest } from "../shared/page-request";
import type { Clock, IdSource, Page, Slice } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { NewSpace } from "./space-ports";
import {
  createDeletedFileError,
  requireFiles,
  type SourceDeps,
  sourceServices,
  sourceToStore,
} from "./space-sources";

/** Dependencies of the use cases of spaces. */
export interface SpaceDeps extends Pick<Repositories, "spaces" | "folders" | "users" | "library"> {
  readonly isFisheye: SourceDeps["isFisheye"];
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** The spaces to list: those of one owner or of one folder, or, without both, all that are the actor's own or shared with the actor. */
export interface ListSpacesInput {
  readonly actor: Actor;
  /** Only spaces of this owner. */
  readonly ownerId?: Uuid;
  /** Only spaces directly in this folder. */
  readonly folderId?: Uuid;
  /** Page number from 1; default 1. */
  readonly page?: number;
  /** Default: 20. */
  readonly pageSize?: number;
}

/** One page of spaces, with the owner's folders. */
export interface SpacePage {
  readonly owner: User;
  /** The owner's space folders that the actor may see, root first. */
  readonly folders: readonly Folder[];
  /** The requested folder; null without one. */
  readonly folder: Folder | null;
  /** Newest first. */
  readonly spaces: Page<Space>;
}

/** Values of a new space. */
export interface CreateSpaceInput {
  readonly actor: Actor;
  /** Owner of the new space. Default: the owner of the folder, or the actor without a folder. */
  readonly ownerId?: Uuid;
  /** Default: the owner's root folder. */
  readonly folderId?: Uuid;
  /** Checked by the schema of its form. */
  readonly name: string;
  /** Language of the screen on which the name was typed; absent without a screen. */
  readonly lang?: Lang;
  /** Checked by createSourceSchema. */
  readonly source: SourceInput;
  /** An image of the library as the thumbnail. Default or null: the first file of the source. */
  readonly posterMediaId?: Uuid | null;
  /** Values and content of the first event, for the sample space of a new account. */
  readonly sample?: Pick<NewEvent, "values" | "content">;
}

/** A space as a resource of the permission check. */
export const spaceResource = (space: Pick<Space, "ownerId" | "groupId">) =>
  ({ type: "space", ownerId: space.ownerId, groupId: space.groupId }) as const;

/**
 * Lists spaces with thumbnail and event count, and the owner's folders.
 * @throws NotFoundError when the owner or the folder is not visible to the actor
 */
export async function listSpaces(deps: SpaceDeps, input: ListSpacesInput): Promise<SpacePage> {
  const { actor } = input;
  const folder =
    input.folderId === undefined ? null : await visibleFolder(deps, actor, input.folderId, input.ownerId);
  const ownerId = folder?.ownerId ?? input.ownerId ?? actor.userId;
  if (!folder && !can(actor, "list", { type: "space", ownerId, groupId: null }))
    throw new NotFoundError("owner");
  // A shared folder may contain spaces that are not shared.
  const seesAll = can(actor, "list", { type: "space", ownerId, groupId: null });
  const [owner, folders, spaces] = await Promise.all([
    deps.users.find(ownerId),
    deps.folders.listByOwner(ownerId, "space"),
    deps.spaces.list({
      ownerId,
      // A list of a given owner does not contain spaces that other owners share with the actor.
      groupIds: seesAll && input.ownerId !== undefined ? [] : actor.groupIds,
      isGroupsOnly: !seesAll,
      folderId: folder?.id ?? null,
      page: pageRequest(input.page, input.pageSize),
    }),
  ]);
  if (!owner) throw new NotFoundError("owner");
  const visibleFolders = folders.filter((item) =>
    can(actor, "read", { type: "folder", ownerId, groupId: item.groupId }),
  );
  return { owner, folders: visibleFolders, folder, spaces };
}

/** The spaces at a cursor: the actor's own and those shared with the actor, in the order of listSpaces. */
export const sliceSpaces = (
  deps: Pick<SpaceDeps, "spaces">,
  { actor, cursor, pageSize }: { readonly actor: Actor; readonly cursor: Cursor; readonly pageSize: number },
): Promise<Slice<Space>> =>
  deps.spaces.slice(
    { ownerId: actor.userId, groupIds: actor.groupIds, isGroupsOnly: false, folderId: null },
    cursor,
    pageSize,
  );

/** Returns one space. @throws NotFoundError when it is not visible to the actor */
export async function getSpace(
  deps: Pick<SpaceDeps, "spaces">,
  input: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<Space> {
  const space = await deps.spaces.find(input.spaceId);
  if (!space || !can(input.actor, "read", spaceResource(space))) throw new NotFoundError("space");
  return space;
}

/** A new space and its first event. */
export interface NewSpaceResult {
  readonly space: Space;
  readonly eventId: Event["id"];
}

/**
 * Creates a space and its first event in one transaction. Without `sample`, the event has the name of the space.
 * @throws InvalidError with the codes of requireFiles, and source_media if a file is deleted between its check and the save
 * @throws LimitError space_license (specification §8), too_many_events; content_full for a sample
 * @throws NotFoundError when the owner or the folder is not visible to the actor
 * @throws ForbiddenError when the actor may not create spaces of this owner or in this folder
 */
export async function createSpace(deps: SpaceDeps, input: CreateSpaceInput): Promise<NewSpaceResult> {
  const { actor } = input;
  const posterMediaId = input.posterMediaId ?? null;
  const { owner, groupId, folder } = await findPlaceForSpace(deps, input);
  const ownerId = owner.id;
  await requireFiles(deps, actor, input.source, posterMediaId);
  const folderId = folder?.id ?? (await ensureRootFolders(deps, { ownerId })).space;

  const createdAt = toInstant(deps.clock.now());
  const space: NewSpace = {
    id: deps.ids.uuid(),
    folderId,
    ownerId,
    groupId,
    name: truncate(input.name, SPACE_NAME_MAX),
    ...sourceToStore(deps, input.source, null),
    // The default is the image of the source: the first panorama, or the thumbnail of a model or splat.
    posterMediaId: posterMediaId ?? listSourceFileIds(input.source)[0] ?? null,
    isSample: input.sample !== undefined,
    createdAt,
  };
  const { values = emptyValues(newText(truncate(input.name, EVENT_NAME_MAX), input.lang)), content = null } =
    input.sample ?? {};
  const event = newEvent(deps.ids, space.id, createdAt, values, { content });
  const detail = { source: space.source.kind, sid: space.sid, eventId: event.id };
  const result = await deps.spaces.createWithFirstEvent(
    space,
    event,
    auditEntry(deps, actor, "space_created", "space", space.id, detail),
  );
  if (result === "no_folder") throw new NotFoundError("folder");
  if (result === "license_reached") throw licenseReached(owner);
  if (result === "too_many_events" || result === "content_full") throw limitReached(result);
  if (result === "no_media") throw createDeletedFileError();
  const createdSpace = await deps.spaces.find(space.id);
  if (!createdSpace) throw new NotFoundError("space");
  return { space: createdSpace, eventId: event.id };
}

/**
 * Finds the owner, group and folder of a new space. The folder is null if the owner has no folders yet.
 * @throws NotFoundError when the given folder is not visible to the actor or is another owner's, or when the owner is not visible
 * @throws ForbiddenError when the actor may not create spaces of this owner or in this folder
 * @throws LimitError space_license
 */
export async function findPlaceForSpace(
  deps: SpaceDeps,
  { actor, folderId, ownerId: givenOwnerId }: Pick<CreateSpaceInput, "actor" | "folderId" | "ownerId">,
) {
  const givenFolder =
    folderId === undefined ? null : await visibleFolder(deps, actor, folderId, givenOwnerId);
  const ownerId = givenFolder?.ownerId ?? givenOwnerId ?? actor.userId;
  const groupId = givenFolder?.groupId ?? null;
  if (!can(actor, "list", { type: "space", ownerId, groupId }) && !givenFolder)
    throw new NotFoundError("owner");
  if (!can(actor, "create", { type: "space", ownerId, groupId })) throw new ForbiddenError("create space");
  const [owner, folder] = await Promise.all([
    deps.users.find(ownerId),
    givenFolder ??
      deps.folders.listByOwner(ownerId, "space").then(([root]) => (root?.parentId === null ? root : null)),
  ]);
  if (!owner) throw new NotFoundError("owner");
  if (!hasSpaceLicense(owner)) throw licenseReached(owner);
  return { owner, groupId, folder };
}

/** Creates the error for an owner whose licence is used up. */
const licenseReached = (owner: User) =>
  new LimitError("space_license", {
    key: "api:services.spaceLicense",
    values: { count: owner.spaceLicense },
  });

async function visibleFolder(
  deps: SpaceDeps,
  actor: Actor,
  id: Uuid,
  ownerId: Uuid | undefined,
): Promise<Folder> {
  const folder = await deps.folders.find(id);
  if (
    folder?.folderType !== "space" ||
    (ownerId !== undefined && folder.ownerId !== ownerId) ||
    !can(actor, "read", { type: "folder", ownerId: folder.ownerId, groupId: folder.groupId })
  ) {
    throw new NotFoundError("folder");
  }
  return folder;
}

/** Returns the first code points of a text, without white space at its ends. */
const truncate = (text: string, characters: number) => [...text].slice(0, characters).join("").trim();

/** `context.services.spaces`. */
export const spaceServices = (deps: SpaceDeps) => ({
  ...bindUseCases(deps, { listSpaces, sliceSpaces, getSpace, createSpace }),
  ...sourceServices(deps),
});
