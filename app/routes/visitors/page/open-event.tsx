import { useOutlet, useSearchParams } from "@remix-run/react";
import { useMemo, useRef, useState } from "react";
import { VersionText } from "~/components/version-text";
import { type ContentQuery, contentQueryParams } from "~/domain/content/content-query";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { createLatePart } from "~/i18n/late-part";
import { withMessages } from "~/i18n/load";
import { readViewerLink, useAccessibleList, type ViewerHandle, viewerLink } from "~/viewer/Viewer";
import type { ShopOutlet } from "../../store/storefront/frame";
import { type PageShop, ShopContext } from "../../store/visit/visit-context";
import { useSettledViewpoint } from "../guides/use-settled-viewpoint";
import { ContentList } from "../list/content-list";
import type { ContentIndex } from "../list/list-pages";
import type { VisitorContent } from "../list/use-content";
import { useContentSearch } from "../list/use-content-search";
import type { Scene } from "../scene/scene-types";
import type { ShareProps } from "../share/share-dialog";
import { openingQuery } from "./opening-query";
import { Split } from "./split";
import { usePricedPins, useShopAccessibleList, useShopVisit } from "./use-shop";
import { VisitHeader, type VisitHeaderProps } from "./visit-header";

const SearchBox = createLatePart(withMessages(["visitors-late"], () => import("../list/search-box")));
const ShopEntrance = createLatePart(
  withMessages(["store-visitors"], () => import("../../store/visit/shop-entrance")),
);
const Tour = createLatePart(withMessages(["visitors-late"], () => import("../guides/tour")));
const PlanMap = createLatePart(withMessages(["visitors-late"], () => import("../guides/plan-map")));
const VisitReporter = createLatePart(() => import("../tracking/visit-reporter"));
const PageShareDialog = createLatePart(
  withMessages(["visitors-late"], () => import("../share/page-share-dialog")),
);
const PagedContent = createLatePart(withMessages(["visitors-late"], () => import("../list/paged-content")));
const Connection = createLatePart(withMessages(["visitors-late"], () => import("./connection")));

/** Minimum number of tags and media items for which the search is displayed. */
const SEARCH_FROM = 5;
/** A constant, so that every render passes the same array. */
const NO_PRODUCTS: readonly TagProduct[] = [];

/** Data of an event's page. */
export interface EventPageData {
  readonly event: VisitHeaderProps["event"] & { readonly id: Uuid };
  /** The space with tags and media items. Of a long list it may contain only one page: see `contentHref`. */
  readonly scene: Scene;
  /** Ids of all tags and media items. */
  readonly index: ContentIndex;
  /** Whether the list is divided into pages. */
  readonly isLong: boolean;
  /** URL from which a long list's whole content is loaded; null when the scene contains it. */
  readonly contentHref: string | null;
  /** Keywords of all tags, sorted by `collectKeywords`. */
  readonly keywords: readonly string[];
  /** Page of the list in the URL, counted from 1. */
  readonly listPage: number;
  /** Search of the URL. */
  readonly query: ContentQuery;
  /** Ids of the tags and media items that match the search; null without a search. */
  readonly matchingIds: readonly Uuid[] | null;
  readonly preview: boolean;
  readonly version: string | null;
  /** URL to which the page reports the visit; null or undefined if visits are not counted. */
  readonly reportHref?: string | null;
  /** Shop of the event; null or undefined if there is none. */
  readonly shop?: PageShop | null;
}

/** Data of the share dialog; null in the owner's preview. */
export type EventShareData =
  | (Pick<ShareProps, "eventLink" | "qr" | "embed"> & { readonly path: string })
  | null;

/** An event with its space as visitors see it. */
export function OpenEvent({ page, share }: { readonly page: EventPageData; readonly share: EventShareData }) {
  const { event, index } = page;
  const [content, setContent] = useState<VisitorContent | null>(null);
  const scene = useMemo(() => ({ ...page.scene, ...content }), [page.scene, content]);
  const [searchParams] = useSearchParams();
  const link = readViewerLink(searchParams);
  const ids = useMemo(() => [...index.tags, ...index.media], [index]);
  const accessibleList = useAccessibleList(ids, link.tagId);
  const stage = useRef<ViewerHandle>(null);
  const contentSearch = useContentSearch({ ...page, scene });
  const isSearching = contentSearch.matchingIds !== null;
  const shop = useShopVisit(event.id, page.shop ?? null, searchParams.get("cart"), page.reportHref ?? null);
  // A page of the shop replaces the event's content; the space stays mounted.
  const shopPage = useOutlet({ eventName: event.name.text } satisfies ShopOutlet);
  const shopList = useShopAccessibleList(accessibleList, scene, shop);
  const pins = usePricedPins(contentSearch.pins, scene, shop?.live);
  // The search is kept while the visitor is in the shop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is read when the content is displayed again
  const query = useMemo(() => contentSearch.query.current, [shopPage === null]);
  const settledViewpoint = useSettledViewpoint();
  // The viewpoint in the URL with which the page was opened. Dialogs that are opened later add the current viewpoint to the URL.
  const [initialViewpoint] = useState(link.viewpoint);
  const [pageQuery] = useState(() => openingQuery(searchParams));
  const withCurrentView = (href: string) => {
    const url = new URL(
      viewerLink(href, stage.current?.viewpoint() ?? link.viewpoint, accessibleList.openPinId),
    );
    for (const name of ["q", "k"]) url.searchParams.delete(name);
    for (const [name, value] of contentQueryParams(contentSearch.query.current))
      url.searchParams.append(name, value);
    // Links of the page keep the visitor's cart.
    const cart = new URL(href).searchParams.get("cart") ?? shop?.handle;
    if (cart) url.searchParams.set("cart", cart);
    return url.href;
  };
  return (
    <ShopContext.Provider value={shop}>
      <Split
        key={event.id}
        scene={scene}
        pins={pins}
        title={event.name.text}
        accessibleList={shopPage ? shopList : accessibleList}
        {...(shopPage && { phoneStage: "small" as const })}
        stage={stage}
        initialViewpoint={initialViewpoint}
        onViewpoint={settledViewpoint.notify}
      >
        {shopPage ?? (
          <div className="grid gap-8 px-5 py-6 sm:px-6">
            <VisitHeader
              event={event}
              preview={page.preview}
              shareHref={share && `${share.path}&dialog=share`}
              withCurrentView={withCurrentView}
            />
            {scene.stops.length > 0 && <Tour scene={scene} stage={stage} pageQuery={pageQuery} />}
            {ids.length >= SEARCH_FROM && (
              <SearchBox
                scene={scene}
                index={index}
                keywords={page.keywords}
                initialQuery={query}
                initialMatches={page.matchingIds}
                pageQuery={pageQuery}
                onQuery={contentSearch.onQuery}
              />
            )}
            {page.shop && <ShopEntrance products={isSearching ? NO_PRODUCTS : page.shop.products} />}
            {/* A search does not filter the plan, so the plan is hidden while a search is active. */}
            <div hidden={isSearching} className="contents [&[hidden]]:hidden">
              {(scene.plan || scene.source.kind !== "showcase") && (
                <PlanMap
                  scene={scene}
                  stage={stage}
                  follow={settledViewpoint.follow}
                  openPinId={accessibleList.openPinId}
                  openPin={accessibleList.openPin}
                  pageQuery={pageQuery}
                />
              )}
            </div>
            {page.isLong ? (
              <PagedContent
                page={page}
                scene={scene}
                onContent={setContent}
                accessibleList={accessibleList}
                matchingIds={contentSearch.matchingIds}
                pageQuery={pageQuery}
                query={contentSearch.query}
              />
            ) : (
              <ContentList
                scene={scene}
                accessibleList={accessibleList}
                matchingIds={contentSearch.matchingIds}
              />
            )}
            <VersionText version={page.version} />
          </div>
        )}
      </Split>
      {page.reportHref && (
        <VisitReporter
          reportHref={page.reportHref}
          kind={scene.source.kind}
          stage={stage}
          openId={accessibleList.openPinId}
          tagIds={index.tags}
        />
      )}
      <Connection />
      {share && searchParams.get("dialog") === "share" && (
        <PageShareDialog share={share} searchParams={searchParams} />
      )}
    </ShopContext.Provider>
  );
}
