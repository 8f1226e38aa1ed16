import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import { textIn } from "~/domain/shared/localized";
import type { RouteHandle } from "../../shared/handle";
import { uuidParam } from "../../shared/uuid-param";
import { isShopPath, withoutShopPath } from "../../store/storefront/path";
import { ClosedEventPage } from "../../visitors/page/closed-event";
import { closedEventPage } from "../../visitors/page/closed-event.server";
import { titleOnly } from "../../visitors/page/head.server";
import { OpenEvent } from "../../visitors/page/open-event";
import { loadVisitorPage } from "../../visitors/page/page.server";
import { Unavailable } from "../../visitors/page/unavailable";
import { readSnapshot } from "../history/snapshot.server";
import { parsePreviewQuery } from "./preview-query.server";

/**
 * The page that visitors see at a point in time, or saw of a recorded state (`?seq=`), for the frame of an owner's preview. It requires the
 * owner's session, contains no token, and is never cached.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { searchParams, pathname, search } = new URL(request.url);
  // A search in the shop must not filter the event's content.
  const query = isShopPath(pathname) ? new URLSearchParams() : searchParams;
  const version = (await context.site.versionText()) || null;
  if (searchParams.has("seq")) {
    const eventId = uuidParam(params.uuid);
    const { event } = await readSnapshot(context, actor, eventId, searchParams, context.lang);
    return { ...openPage({ context, event, query, version, preview: false }), shop: null };
  }
  const { mode, at } = parsePreviewQuery(searchParams, user.timeZone, context.now);
  const eventId = uuidParam(params.uuid);
  const preview = await context.services.visitors.readVisitorPreview({
    actor,
    eventId,
    mode,
    at: at ?? context.now,
  });
  const { event } = preview;
  // Only a request of the frame counts as a view on a phone: prefetching, or reloading the page's data, sends another value of this header.
  const isInFrame = request.headers.get("sec-fetch-dest") === "iframe";
  if (event && isInFrame && searchParams.get("size") === "phone")
    await context.services.events.recordPhoneView({ actor, eventId });
  if (!event) {
    const page = {
      head: titleOnly(textIn(preview.eventName, context.lang)),
      version,
      url: pathname + search,
    };
    if (!preview.closed) return { state: "neutral" as const, ...page };
    const fileUrl = (id: string) => `/media/${id}`;
    const pageData = { ...page, href: pathname + search, calendarHref: null, fileUrl };
    const closed = closedEventPage({ lang: context.lang, now: at ?? context.now }, preview.closed, pageData);
    // The preview shows one point in time, so there is no countdown.
    return { state: "closed" as const, head: page.head, ...closed, opensAt: null };
  }
  const shop = event.hasStore ? { products: event.scene.products } : null;
  return { ...openPage({ context, event, query, version, preview: mode === "preview" }), shop };
}

const openPage = ({
  context,
  event,
  query,
  ...pageOptions
}: {
  readonly context: Pick<AppLoadContext, "lang" | "site" | "page">;
  readonly event: VisitorEvent;
  readonly query: URLSearchParams;
  readonly version: string | null;
  readonly preview: boolean;
}) => ({
  state: "open" as const,
  ...loadVisitorPage(context, { event }, query, (id) => `/media/${id}`),
  head: titleOnly(textIn(event.eventName, context.lang)),
  ...pageOptions,
});

export const meta: MetaFunction<typeof loader> = ({ data: page }) => page?.head ?? [];
/** Navigation in the shop does not reload the event, as on visitors' pages. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  withoutShopPath(currentUrl.pathname) !== withoutShopPath(nextUrl.pathname) ||
  ["link", "at", "seq", "marks"].some(
    (name) => currentUrl.searchParams.get(name) !== nextUrl.searchParams.get(name),
  );

export const handle: RouteHandle = { i18n: ["visitors", "visitors-late"], stage: true };

export default function VisitorPreviewPage() {
  const page = useLoaderData<typeof loader>();
  if (page.state === "open") return <OpenEvent page={page} share={null} />;
  return page.state === "closed" ? <ClosedEventPage {...page} /> : <Unavailable {...page} />;
}
