/** Divides an event's list of tags and media items into pages. Server and browser use the same rules. */

import type { Uuid } from "~/domain/shared/model";
import { VISITOR_LIST_PAGE_SIZE } from "~/domain/visitors/visitor-list";
import type { Scene } from "../scene/scene-types";

/** Ids of an event's content in the list's order. `untaggedMedia`: media items that no tag shows, which have entries of their own. */
export interface ContentIndex {
  readonly tags: readonly Uuid[];
  readonly media: readonly Uuid[];
  readonly untaggedMedia: readonly Uuid[];
}

/** Index of a scene with all of its content. */
export function indexContent({ tags, media }: Pick<Scene, "tags" | "media">): ContentIndex {
  const taggedIds = new Set(tags.flatMap(({ mediaIds }) => mediaIds));
  const ids = media.map(({ id }) => id);
  return {
    tags: tags.map(({ id }) => id),
    media: ids,
    untaggedMedia: ids.filter((id) => !taggedIds.has(id)),
  };
}

/** Entries of the list in order: all of them, or the results of a search and the open one. */
export function listedEntries(
  { tags, untaggedMedia }: ContentIndex,
  matchingIds: ReadonlySet<Uuid> | null,
  openId: string | null,
): readonly Uuid[] {
  const entries = [...tags, ...untaggedMedia];
  return matchingIds === null ? entries : entries.filter((id) => matchingIds.has(id) || id === openId);
}

/** Whether a list, before any search, is long enough for pages. */
export const isPaged = ({ tags, untaggedMedia }: ContentIndex): boolean =>
  tags.length + untaggedMedia.length > VISITOR_LIST_PAGE_SIZE;

/** Number of pages of a list; an empty list has one. */
export const pageCount = (entries: readonly Uuid[]): number =>
  Math.max(1, Math.ceil(entries.length / VISITOR_LIST_PAGE_SIZE));

/** The page that holds an entry, counted from 1; null for an id that has no entry. */
export function pageOfEntry(entries: readonly Uuid[], id: string | null): number | null {
  const index = entries.indexOf(id ?? "");
  return index === -1 ? null : Math.floor(index / VISITOR_LIST_PAGE_SIZE) + 1;
}

/** The entries of a page. */
export const entriesOnPage = (entries: readonly Uuid[], page: number): readonly Uuid[] =>
  entries.slice((page - 1) * VISITOR_LIST_PAGE_SIZE, page * VISITOR_LIST_PAGE_SIZE);

/** The page to display: the page of the URL's open entry, or else the numbered page, limited to the list's pages. */
export const resolvePageNumber = (
  entries: readonly Uuid[],
  openId: string | null,
  pageNumber: number,
): number => pageOfEntry(entries, openId) ?? Math.min(pageNumber, pageCount(entries));

/** Scene with the content of one page of its list: the page's entries, and the media items that its tags show. */
export function pageContent(scene: Scene, pageIds: ReadonlySet<Uuid>): Scene {
  const tags = scene.tags.filter(({ id }) => pageIds.has(id));
  const ids = new Set([...pageIds, ...tags.flatMap(({ mediaIds }) => mediaIds)]);
  return { ...scene, tags, media: scene.media.filter(({ id }) => ids.has(id)) };
}
