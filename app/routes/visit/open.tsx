import { useOutlet, useSearchParams } from "@remix-run/react";
import { useMemo, useRef, useState } from "react";
import { VersionText } from "~/components/version-text";
import { type ContentQuery, contentQueryParams } from "~/domain/content/content-query";
import type { TagProduct, Uuid } from "~/domain/shared/model";
import { later } from "~/i18n/later";
import { withMessages } from "~/i18n/load";
import { readViewerLink, useAccessibleList, type ViewerHandle, viewerLink } from "~/viewer/Viewer";
import type { ShopOutlet } from "../shop/frame";
import { type PageShop, ShopContext } from "../shop/visit-context";
import { ContentList } from "./content-list";
import type { ContentIndex } from "./list-pages";
import type { Scene } from "./scene-types";
import type { ShareProps } from "./share-dialog";
import { Split } from "./split";
import type { Content } from "./use-content";
import { useFound } from "./use-found";
import { useRest } from "./use-rest";
import { usePriced, useShopTwin, useShopVisit } from "./use-shop";
import { VisitHeader, type VisitHeaderProps } from "./visit-header";
import { withoutAsked } from "./without-asked";

const SearchBox = later(withMessages(["visitors-late"], () => import("./search-box")));
const Entrance = later(withMessages(["store-visitors"], () => import("../shop/entrance")));
const Tour = later(withMessages(["visitors-late"], () => import("./tour")));
const PlanMap = later(withMessages(["visitors-late"], () => import("./plan-map")));
const Counted = later(() => import("./counted"));
const Shared = later(withMessages(["visitors-late"], () => import("./shared")));
const PagedContent = later(withMessages(["visitors-late"], () => import("./paged-content")));
const Connection = later(withMessages(["visitors-late"], () => import("./connection")));

/** Fewer entries are seen at a glance. */
const SEARCH_FROM = 5;
/** One list for every render. */
const NO_PRODUCTS: readonly TagProduct[] = [];

/** What an event's page is made of: see visitPage. */
export interface OpenPage {
  readonly event: VisitHeaderProps["event"] & { readonly id: Uuid };
  /** A long list may be present with the content of one page alone: see `contentHref`. */
  readonly scene: Scene;
  /** Ids of the whole content. */
  readonly index: ContentIndex;
  /** Whether the list has pages. */
  readonly isLong: boolean;
  /** Address of a long list's whole content; null where the scene contains it. */
  readonly contentHref: string | null;
  /** Keywords of the whole content: see keywordsOf. */
  readonly keywords: readonly string[];
  /** The page of the list that the address names, counted from 1. */
  readonly listPage: number;
  readonly query: ContentQuery;
  readonly shown: readonly Uuid[] | null;
  readonly preview: boolean;
  readonly version: string | null;
  /** Where the page tells of the visit; null, or left out, where visits are not counted. */
  readonly tell?: string | null;
  /** What visitors may buy here, besides what tags show; null, or left out, where they may not. */
  readonly shop?: PageShop | null;
}

/** What can be handed on of an event; null where it is looked at by its owner. */
export type OpenShare = (Pick<ShareProps, "eventLink" | "qr" | "embed"> & { readonly path: string }) | null;

/** An event with its space, as its visitors see it. */
export function Open({ page, share }: { readonly page: OpenPage; readonly share: OpenShare }) {
  const { event, index } = page;
  const [content, setContent] = useState<Content | null>(null);
  const scene = useMemo(() => ({ ...page.scene, ...content }), [page.scene, content]);
  const [search] = useSearchParams();
  const link = readViewerLink(search);
  const ids = useMemo(() => [...index.tags, ...index.media], [index]);
  const twin = useAccessibleList(ids, link.tagId);
  const stage = useRef<ViewerHandle>(null);
  const found = useFound(page);
  const searching = found.shown !== null;
  const shop = useShopVisit(page.shop ?? null, search.get("cart"), page.tell ?? null);
  // A page of the shop stands where the event's content does, beside the same space.
  const shopPage = useOutlet({ eventName: event.name } satisfies ShopOutlet);
  const shopTwin = useShopTwin(twin, scene, shop);
  const pins = usePriced(found.pins, scene, shop?.live);
  // Whoever comes back from the shop finds the search as it was.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is that of the moment in which the content comes back
  const query = useMemo(() => found.query.current, [shopPage === null]);
  const rest = useRest();
  // Where the page was opened: a dialog that is asked for later names the view at that moment in the address.
  const [start] = useState(link.viewpoint);
  const [plain] = useState(() => withoutAsked(search));
  const carry = (href: string) => {
    const url = new URL(viewerLink(href, stage.current?.viewpoint() ?? link.viewpoint, twin.openPinId));
    for (const name of ["q", "k"]) url.searchParams.delete(name);
    for (const [name, value] of contentQueryParams(found.query.current)) url.searchParams.append(name, value);
    // The visitor's own cart goes along to the visitor's own pages.
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
        title={event.name}
        twin={shopPage ? shopTwin : twin}
        {...(shopPage && { phoneStage: "small" as const })}
        stage={stage}
        initialViewpoint={start}
        onViewpoint={rest.tell}
      >
        {shopPage ?? (
          <div className="grid gap-8 px-5 py-6 sm:px-6">
            <VisitHeader
              event={event}
              preview={page.preview}
              shareHref={share && `${share.path}&dialog=share`}
              carry={carry}
            />
            {ids.length >= SEARCH_FROM && (
              <SearchBox
                scene={scene}
                index={index}
                keywords={page.keywords}
                initial={query}
                initialShown={page.shown}
                search={plain}
                onQuery={found.onQuery}
              />
            )}
            {page.shop && <Entrance products={searching ? NO_PRODUCTS : page.shop.products} />}
            {/* Whoever searches wants to see what was found, and nothing that does not follow the search. */}
            <div hidden={searching} className="contents [&[hidden]]:hidden">
              {scene.tour.length > 0 && <Tour scene={scene} stage={stage} isAway={searching} plain={plain} />}
              {(scene.plan || scene.source.kind !== "showcase") && (
                <PlanMap
                  scene={scene}
                  stage={stage}
                  follow={rest.follow}
                  openPinId={twin.openPinId}
                  openPin={twin.openPin}
                  plain={plain}
                />
              )}
            </div>
            {page.isLong ? (
              <PagedContent
                page={page}
                scene={scene}
                onContent={setContent}
                twin={twin}
                shown={found.shown}
                plain={plain}
                query={found.query}
              />
            ) : (
              <ContentList scene={scene} twin={twin} shown={found.shown} />
            )}
            <VersionText version={page.version} />
          </div>
        )}
      </Split>
      {page.tell && (
        <Counted
          to={page.tell}
          kind={scene.source.kind}
          stage={stage}
          openId={twin.openPinId}
          tagIds={index.tags}
        />
      )}
      <Connection />
      {share && search.get("dialog") === "share" && <Shared share={share} search={search} />}
    </ShopContext.Provider>
  );
}
