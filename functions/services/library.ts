import type { Actor, Folder, LibraryItem, User, Uuid } from "~/domain/model";
import { can } from "~/domain/permissions";
import { NotFoundError } from "./errors";
import { pageRequest } from "./pages";
import type { FolderRepository, LibraryRepository, Page, StoredFile, UserRepository } from "./ports";
import { type VisitorDeps, type VisitorLink, visitorFile } from "./visitors";

/** What the use cases of the library need: with links, since visitors fetch its files too. */
export interface LibraryDeps extends VisitorDeps {
  readonly library: LibraryRepository;
  readonly folders: FolderRepository;
  readonly users: UserRepository;
}

/** Which part of whose library is asked for. */
export interface ListLibraryInput {
  readonly actor: Actor;
  /** Whose library; the actor's own when absent. */
  readonly ownerId?: Uuid;
  /** Only items directly in this folder. Absent: all, and those shared with the actor. */
  readonly folderId?: Uuid;
  /** Part of a title. */
  readonly q?: string;
  /** From 1, which it is when absent. */
  readonly page?: number;
}

/** One page of a library, with the folders around it. */
export interface Library {
  readonly owner: User;
  /** The owner's media folders, root first. */
  readonly folders: readonly Folder[];
  /** The folder that is shown; null when all are. */
  readonly folder: Folder | null;
  /** Newest first. */
  readonly items: Page<LibraryItem>;
}

/** Who asks for a file: a person by session, or a visitor by link. */
export type FileViewer =
  | { readonly kind: "actor"; readonly actor: Actor }
  | ({ readonly kind: "link" } & VisitorLink);

/** A library, 20 items a page. @throws NotFoundError when owner or folder is not visible */
export async function listLibrary(deps: LibraryDeps, input: ListLibraryInput): Promise<Library> {
  const { actor } = input;
  const folder = input.folderId === undefined ? null : await deps.folders.find(input.folderId);
  if (input.folderId !== undefined) {
    const visible =
      folder?.folderType === "media" &&
      (input.ownerId === undefined || folder.ownerId === input.ownerId) &&
      can(actor, "read", { type: "folder", ownerId: folder.ownerId, groupId: folder.groupId });
    if (!visible) throw new NotFoundError("folder");
  }
  const ownerId = folder?.ownerId ?? input.ownerId ?? actor.userId;
  if (!folder && !can(actor, "list", { type: "media", ownerId, groupId: null }))
    throw new NotFoundError("owner");
  // A shared folder may hold what is not shared.
  const seesAll = can(actor, "list", { type: "media", ownerId, groupId: null });
  const [owner, folders, items] = await Promise.all([
    deps.users.find(ownerId),
    deps.folders.listByOwner(ownerId, "media"),
    deps.library.list({
      ownerId,
      groupIds: seesAll && ownerId !== actor.userId ? [] : actor.groupIds,
      onlyGroups: !seesAll,
      folderId: folder?.id ?? null,
      q: input.q ?? "",
      page: pageRequest(input.page),
    }),
  ]);
  if (!owner) throw new NotFoundError("owner");
  const visible = folders.filter((item) =>
    can(actor, "read", { type: "folder", ownerId, groupId: item.groupId }),
  );
  return { owner, folders: visible, folder, items };
}

/**
 * The file behind a library item's id, for whoever may see it: its owner, administrators, its group, members of a group
 * whose space or event uses it, and visitors whose open link belongs to an event that uses it. Sending it is
 * functions/media's.
 * @throws NotFoundError for everybody else, for web media, and when there is none
 */
export async function openFile(
  deps: LibraryDeps,
  input: { readonly id: Uuid; readonly viewer: FileViewer },
): Promise<StoredFile> {
  const file =
    input.viewer.kind === "link"
      ? await visitorFile(deps, input.viewer, input.id)
      : await actorFile(deps, input.viewer.actor, input.id);
  if (!file) throw new NotFoundError("file");
  return file;
}

async function actorFile(deps: LibraryDeps, actor: Actor, id: Uuid): Promise<StoredFile | null> {
  const item = await deps.library.find(id);
  if (!item?.fileKey) return null;
  const { fileKey, thumbKey, kind, fileName, mimeType, byteSize, width, height } = item;
  const visible =
    can(actor, "read", { type: "media", ownerId: item.ownerId, groupId: item.groupId }) ||
    (actor.groupIds.length > 0 && (await deps.library.isUsedByGroups(id, actor.groupIds)));
  return visible
    ? { itemId: id, kind, fileKey, thumbKey, fileName, mimeType, byteSize, width, height }
    : null;
}

/** `context.services.library`. */
export const libraryServices = (deps: LibraryDeps) => ({
  listLibrary: (input: ListLibraryInput) => listLibrary(deps, input),
  openFile: (input: Parameters<typeof openFile>[1]) => openFile(deps, input),
});
/** The use cases of the library, bound to their dependencies. */
export type LibraryServices = ReturnType<typeof libraryServices>;
