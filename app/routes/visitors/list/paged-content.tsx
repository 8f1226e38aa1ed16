import { type RefObject, useMemo } from "react";
import { type ContentQuery, contentQueryParams } from "~/domain/content/content-query";
import type { Uuid } from "~/domain/shared/model";
import type { AccessibleList } from "~/viewer/Viewer";
import type { Scene } from "../scene/scene-types";
import { ContentList } from "./content-list";
import { ListPager } from "./list-pager";
import { type ContentIndex, entriesOnPage, pageContent } from "./list-pages";
import { useContent, type VisitorContent } from "./use-content";
import { useListPages } from "./use-list-pages";

/** Props of a long list. */
export interface PagedContentProps {
  readonly page: {
    /** Ids of the whole content. */
    readonly index: ContentIndex;
    /** Page of the list in the URL, counted from 1. */
    readonly listPage: number;
    /** URL of the whole content; null where the scene contains it. */
    readonly contentHref: string | null;
  };
  /** Scene with all of the content, or with the content of the document's page. */
  readonly scene: Scene;
  /** Receives all of the content. */
  readonly onContent: (content: VisitorContent) => void;
  readonly accessibleList: AccessibleList;
  readonly matchingIds: ReadonlySet<Uuid> | null;
  /** Query with only the parameters that open the page, such as the token. */
  readonly pageQuery: string;
  /** Current search. */
  readonly query: RefObject<ContentQuery>;
}

/** Long list of tags and media items, page by page. */
export default function PagedContent(props: PagedContentProps) {
  const { page, scene, onContent, accessibleList, matchingIds, pageQuery, query } = props;
  const { index } = page;
  useContent(page.contentHref, onContent);
  const list = useListPages(index, matchingIds, accessibleList.openPinId, page.listPage);
  const hasWholeList = scene.tags.length + scene.media.length === index.tags.length + index.media.length;
  const currentPage = useMemo(() => {
    const ids = new Set(entriesOnPage(list.entries, list.page));
    return { ids, content: pageContent(scene, ids) };
  }, [scene, list]);
  const wholeList = useMemo(() => {
    const tags = new Set(index.tags);
    const tagCount = list.entries.filter((id) => tags.has(id)).length;
    return {
      tagCount,
      untaggedMediaCount: list.entries.length - tagCount,
      hasTaggedMedia: index.untaggedMedia.length < index.media.length,
    };
  }, [index, list]);
  const loadedCount = [...scene.tags, ...scene.media].filter(({ id }) => currentPage.ids.has(id)).length;
  const createPageHref = (pageNumber: number) => {
    const params = new URLSearchParams(pageQuery);
    if (query.current)
      for (const [name, value] of contentQueryParams(query.current)) params.append(name, value);
    if (pageNumber > 1) params.set("page", String(pageNumber));
    return `?${params}`;
  };
  const pagerProps = { list, createPageHref, hasWholeList, isLoading: loadedCount < currentPage.ids.size };
  return (
    <>
      <ListPager side="top" {...pagerProps} />
      <ContentList
        scene={currentPage.content}
        accessibleList={accessibleList}
        matchingIds={matchingIds}
        wholeList={wholeList}
      />
      <ListPager side="bottom" {...pagerProps} />
    </>
  );
}
