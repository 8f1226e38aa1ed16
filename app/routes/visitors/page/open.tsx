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
import { useFound } from "../list/use-found";
import type { Scene } from "../scene/scene-types";
import type { ShareProps } from "../share/share-dialog";
import { Split } from "./split";
import { usePriced, useShopTwin, useShopVisit } from "./use-shop";
import { VisitHeader, type VisitHeaderProps } from "./visit-header";
import { withoutAsked } from "./without-asked";

const SearchBox = later(withMessages(["visitors-late"], () => import("../list/search-box")));
const Entrance = later(withMessages(["store-visitors"], () => import("../../store/visit/entrance")));
const Tour = later(withMessages(["visitors-late"], () => import("../guides/tour")));
const PlanMap = later(withMessages(["visitors-late"], () => import("../guides/plan-map")));
const Counted = later(() => import("../tracking/counted"));
const Shared = later(withMessages(["visitors-late"], () => import("../share/shared")));
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
  readonly shown: readonly Uuid[] | null;
  readonly preview: boolean;
  readonly version: string | null;
  /** Address to which the page sends visit events; null or undefined if visits are not counted. */
  readonly tell?: string | null;
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
  const twin = useAccessibleList(ids, link.tagId);
  const stage = useRef<ViewerHandle>(null);
  const matches = useFound({ ...page, scene });
  const searching = matches.shown !== null;
  const shop = useShopVisit(page.shop ?? null, search.get("cart"), page.tell ?? null);
  // A page of the shop replaces the event's content; the space stays mounted.
  const shopPage = useOutlet({ eventName: event.name.text } satisfies ShopOutlet);
  const shopTwin = useShopTwin(twin, scene, shop);
  const pins = usePriced(matches.pins, scene, shop?.live);
  // The search is kept while the visitor is in the shop.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the query is read when the content is displayed again
  const query = useMemo(() => matches.query.current, [shopPage === null]);
  const rest = useSettledViewpoint();
  // View with which the page was opened. A dialog that is opened later has the current view in its address.
  const [start] = useState(link.viewpoint);
  const [plain] = useState(() => withoutAsked(search));
  const carry = (href: string) => {
    const url = new URL(viewerLink(href, stage.current?.viewpoint() ?? link.viewpoint, twin.openPinId));
    for (const name of ["q", "k"]) url.searchParams.delete(name);
    for (const [name, value] of contentQueryParams(matches.query.current))
      url.searchParams.append(name, value);
    // The visitor's own pages keep the visitor's cart.
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
            {scene.tour.length > 0 && <Tour scene={scene} stage={stage} plain={plain} />}
            {ids.length >= SEARCH_FROM && (
              <SearchBox
                scene={scene}
                index={index}
                keywords={page.keywords}
                initial={query}
                initialShown={page.shown}
                search={plain}
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
                shown={matches.shown}
                plain={plain}
                query={matches.query}
              />
            ) : (
              <ContentList scene={scene} twin={twin} shown={matches.shown} />
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
