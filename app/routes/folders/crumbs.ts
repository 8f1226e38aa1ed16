import type { Crumb } from "~/components/page-header";
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

interface PageCrumbsInput {
  readonly crumbs: readonly Crumb[];
  readonly listHref: string;
  /** False for the page of the root folder; true for other folders, all items, search results and the trash. */
  readonly isBelowRoot: boolean;
}

/** The crumbs of a list's page. Unless the page is the root folder itself, they begin with a link to the root folder, labelled `rootLabel`. */
export function toPageCrumbs(
  { crumbs, listHref, isBelowRoot }: PageCrumbsInput,
  rootLabel: string,
): readonly Crumb[] {
  const lacksRoot = isBelowRoot && crumbs[0]?.href !== listHref;
  return [
    ...(lacksRoot ? [{ label: rootLabel, href: listHref }] : []),
    ...crumbs.map(({ label, ...crumb }): Crumb => ({ ...crumb, label: label || rootLabel })),
  ];
}
