import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { LibraryItem } from "~/domain/library/library-item";
import type { Folder, User, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";

import { type VisitorDeps, type VisitorLink, visitorFile } from "../visitors/event-access";
import type { ItemUses, UseReader } from "./item-uses-ports";
import type { FileStore, StoredFile } from "./stored-file-ports";

/** Dependencies of the use cases of the library, including those of visitors' links, because visitors fetch its files too. */
export interface LibraryDeps extends VisitorDeps, Pick<Repositories, "library"> {
  readonly users: Pick<Repositories["users"], "find">;
  readonly tree: Pick<Repositories["tree"], "findPath">;
  readonly files: Pick<FileStore, "get">;
}

/** The reader of a file: a user with a session, or a visitor with a link. */
export type FileViewer =
  /** The actor may be a pending promise, so that the file is looked up at the same time. */
  | { readonly kind: "actor"; readonly actor: Actor | Promise<Actor | null> }
  | ({ readonly kind: "link" } & VisitorLink);

/** Returns the reader whose spaces limit a list of uses; null if the actor may see all spaces. */
export const toUseReader = (actor: Actor): UseReader | null =>
  can(actor, "read", { type: "space", ownerId: "", groupId: null })
    ? null
    : { userId: actor.userId, groupIds: actor.groupIds };

/** An item of a library with all its details. */
export interface ItemDetails {
  readonly item: LibraryItem;
  readonly owner: User;
  /** The parent folders that the actor may see, root first. */
  readonly path: readonly Folder[];
  readonly uses: ItemUses;
  /** The beginning of a subtitle file; null for other files. */
  readonly excerpt: string | null;
}

/** Maximum number of bytes in the excerpt of a text file. */
const EXCERPT_BYTES = 1024;

/** Returns an item with its folder and its uses. @throws NotFoundError when it is not visible */
export async function getItemDetails(
  deps: LibraryDeps,
  input: { readonly actor: Actor; readonly itemId: Uuid },
): Promise<ItemDetails> {
  const { actor, itemId } = input;
  const item = await getItem(deps, input);
  const [owner, folderPath, uses, excerpt] = await Promise.all([
    deps.users.find(item.ownerId),
    deps.tree.findPath(item.folderId),
    deps.library.findUses(itemId, toUseReader(actor)),
    item.kind === "subtitle" ? readExcerpt(deps, item) : null,
  ]);
  if (!owner) throw new NotFoundError("owner");
  const path = (folderPath?.path ?? []).filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "folder", ownerId, groupId }),
  );
  return { item, owner, path, uses, excerpt };
}

/** Returns the first complete lines of a text file. */
async function readExcerpt(deps: LibraryDeps, { fileKey, byteSize }: LibraryItem): Promise<string | null> {
  if (fileKey === null || byteSize === 0) return null;
  const lastByte = Math.min(byteSize, EXCERPT_BYTES) - 1;
  const file = await deps.files.get(fileKey, { range: { first: 0, last: lastByte } });
  if (!file?.body) return null;
  const text = new TextDecoder().decode(await new Response(file.body).arrayBuffer());
  return byteSize > EXCERPT_BYTES ? text.slice(0, Math.max(text.lastIndexOf("\n"), 0)) : text;
}

/** An item of a library. @throws NotFoundError when it is not visible */
export async function getItem(
  deps: Pick<LibraryDeps, "library">,
  input: { readonly actor: Actor; readonly itemId: Uuid },
): Promise<LibraryItem> {
  const item = await deps.library.find(input.itemId);
  const isVisible =
    item && can(input.actor, "read", { type: "media", ownerId: item.ownerId, groupId: item.groupId });
  if (!isVisible) throw new NotFoundError("media");
  return item;
}

/**
 * Returns the stored file of a library item to readers who may see it: its owner, administrators, its group, members of a group whose space or event
 * uses it, and visitors whose open link belongs to an event that uses it; a closed or locked link opens only a cover that its page shows.
 * functions/media sends the file. The file of a web media item is its thumbnail.
 * @throws NotFoundError for all others, and when there is no file
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

async function actorFile(
  deps: LibraryDeps,
  reader: Actor | Promise<Actor | null>,
  id: Uuid,
): Promise<StoredFile | null> {
  const [actor, item] = await Promise.all([reader, deps.library.find(id)]);
  // A web media item has only a thumbnail.
  const fileKey = item?.fileKey ?? item?.thumbKey;
  if (!actor || !item || !fileKey) return null;
  const { thumbKey, kind, fileName, mimeType, byteSize, width, height, preparation } = item;
  const resource = { type: "media", ownerId: item.ownerId, groupId: item.groupId } as const;
  const isVisible =
    can(actor, "read", resource) ||
    (actor.groupIds.length > 0 && (await deps.library.isUsedByGroups(id, actor.groupIds)));
  const isOriginal = can(actor, "update", resource);
  return isVisible
    ? {
        itemId: id,
        kind,
        fileKey,
        thumbKey,
        fileName,
        mimeType,
        byteSize,
        width,
        height,
        preparation,
        isOriginal,
      }
    : null;
}

/** `context.services.library`. */
export const libraryServices = (deps: LibraryDeps) =>
  bindUseCases(deps, { getItem, getItemDetails, openFile });
