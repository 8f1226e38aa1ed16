import { useOutlet, useSearchParams } from "@remix-run/react";
import { useMemo, useRef, useState } from "react";
import { VersionText } from "~/components/version-text";
import { type ContentQuery, contentQueryParams } from "~/domain/content/content-query";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { later } from "~/i18n/later";
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

const SearchBox = later(withMessages(["visitors-late"], () => import("../list/search-box")));
const Entrance = later(withMessages(["store-visitors"], () => import("../../store/visit/entrance")));
const Tour = later(withMessages(["visitors-late"], () => import("../guides/tour")));
const PlanMap = later(withMessages(["visitors-late"], () => import("../guides/plan-map")));
const VisitReporter = later(() => import("../tracking/visit-reporter"));
const Shared = later(withMessages(["visitors-late"], () => import("../share/page-share-dialog")));
const PagedContent = later(withMessages(["visitors-late"], () => import("../list/paged-content")));
const Connection = later(withMessages(["visitors-late"], () => import("./connection")));

/** Number of entries from which on the search is displayed. */
const SEARCH_FROM = 5;
/** A constant, so that its identity is stable. */
const NO_PRODUCTS: readonly TagProduct[] = [];

/** Data of an event's page: see visitPage. */
export interface OpenPage {
  readonly event: VisitHeaderProps["event"] & { readonly id: Uuid };
  /** May contain only one page of a long list: see `contentHref`. */
  readonly scene: Scene;
  /** Ids of the whole content. */
  readonly index: ContentIndex;
  /** Whether the list has pages. */
  readonly isLong: boolean;
  /** Address of a long list's whole content; null where the scene contains it. */
  readonly contentHref: string | null;
  /** Keywords of the whole content: see keywordsOf. */
  readonly keywords: readonly string[];
  /** Page of the list in the address, counted from 1. */
  readonly listPage: number;
  readonly query: ContentQuery;
  readonly matchingIds: readonly Uuid[] | null;
  readonly preview: boolean;
  readonly version: string | null;
  /** Address to which the page sends visit events; null or undefined if visits are not counted. */
  readonly reportHref?: string | null;
  /** Shop of the event, besides the products of tags; null or undefined if there is none. */
  readonly shop?: PageShop | null;
}

/** Data of the share dialog; null in the owner's preview. */
export type OpenShare = (Pick<ShareProps, "eventLink" | "qr" | "embed"> & { readonly path: string }) | null;

/** An event with its space as visitors see it. */
export function Open({ page, share }: { readonly page: OpenPage; readonly share: OpenShare }) {
  const { event, index } = page;
  const [content, setContent] = useState<VisitorContent | null>(null);
  const scene = useMemo(() => ({ ...page.scene, ...content }), [page.scene, content]);
  const [search] = useSearchParams();
  const link = readViewerLink(search);
  const ids = useMemo(() => [...index.tags, ...index.media], [index]);
  const accessibleList = useAccessibleList(ids, link.tagId);
  const stage = useRef<ViewerHandle>(null);
  const matches = useContentSearch({ ...page, scene });
  const searching = matches.matchingIds !== null;
  const shop = useShopVisit(page.shop ?? null, search.get("cart"), page.reportHref ?? null);
  // A page of the shop replaces the event's content; the space stays mounted.
  const shopPage = useOutlet({ eventName: event.name.text } satisfies ShopOutlet);
  const shopList = useShopAccessibleList(accessibleList, scene, shop);
  const pins = usePricedPins(matches.pins, scene, shop?.live);
  // The search is kept while the visitor is in the shop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is read when the content is displayed again
  const query = useMemo(() => matches.query.current, [shopPage === null]);
  const settledViewpoint = useSettledViewpoint();
  // View with which the page was opened. A dialog that is opened later has the current view in its address.
  const [start] = useState(link.viewpoint);
  const [pageQuery] = useState(() => openingQuery(search));
  const withCurrentView = (href: string) => {
    const url = new URL(
      viewerLink(href, stage.current?.viewpoint() ?? link.viewpoint, accessibleList.openPinId),
    );
    for (const name of ["q", "k"]) url.searchParams.delete(name);
    for (const [name, value] of contentQueryParams(matches.query.current))
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
        initialViewpoint={start}
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
            {scene.tour.length > 0 && <Tour scene={scene} stage={stage} pageQuery={pageQuery} />}
            {ids.length >= SEARCH_FROM && (
              <SearchBox
                scene={scene}
                index={index}
                keywords={page.keywords}
                initial={query}
                initialMatches={page.matchingIds}
                pageQuery={pageQuery}
                onQuery={matches.onQuery}
              />
            )}
            {page.shop && <Entrance products={searching ? NO_PRODUCTS : page.shop.products} />}
            {/* Parts that do not follow the search are hidden while it is active. */}
            <div hidden={searching} className="contents [&[hidden]]:hidden">
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
                matchingIds={matches.matchingIds}
                pageQuery={pageQuery}
                query={matches.query}
              />
            ) : (
              <ContentList scene={scene} accessibleList={accessibleList} matchingIds={matches.matchingIds} />
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
      {share && search.get("dialog") === "share" && <Shared share={share} search={search} />}
    </ShopContext.Provider>
  );
}
