import type { Folder } from "~/domain/shared/model";

/** URL of a folder below the URL of its list. */
export const folderHref = (listHref: string, folder: Pick<Folder, "id" | "parentId">): string =>
  folder.parentId === null ? listHref : `${listHref}/folders/${folder.id}`;

/** Breadcrumbs of the parent folders. The root folder has an empty label, because its name depends on the page. */
export const toCrumbs = (path: readonly Folder[], listHref: string) =>
  path.slice(0, -1).map((folder) => ({
    label: folder.name,
    href: folderHref(listHref, folder),
    folderId: folder.id,
  }));
