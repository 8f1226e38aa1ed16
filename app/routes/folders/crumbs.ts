import type { Folder } from "~/domain/shared/model";

/** The address of a folder below the address of its list. */
export const folderHref = (listHref: string, folder: Pick<Folder, "id" | "parentId">): string =>
  folder.parentId === null ? listHref : `${listHref}/folders/${folder.id}`;

/** The folders around the last one of a path; an empty label is the root folder's, whose word the screen knows. */
export const toCrumbs = (path: readonly Folder[], listHref: string) =>
  path.slice(0, -1).map((folder) => ({
    label: folder.name,
    href: folderHref(listHref, folder),
    folderId: folder.id,
  }));
