import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, type ShouldRevalidateFunction, useLoaderData } from "@remix-run/react";
import type { VisitorEvent } from "#functions/services/visitors/event-access";
import type { RouteHandle } from "../shared/handle";
import { uuidParam } from "../shared/ids";
import { eventAddress, isShopPath } from "../shop/path";
import { titleOnly } from "../visit/head.server";
import { Open } from "../visit/open";
import { visitPage } from "../visit/page.server";
import { Unavailable } from "../visit/unavailable";
import { readAsked } from "./as-visitor.server";
import { readFormerVisit } from "./former.server";

/**
 * The page that visitors get at a moment, or got of a recorded state (`?seq=`), for the frame of an owner's preview. It asks for the owner's session, knows no token, and is
 * never kept.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.session.require();
  const { searchParams, pathname, search } = new URL(request.url);
  // What is looked for in the shop is none of the event's content.
  const query = isShopPath(pathname) ? new URLSearchParams() : searchParams;
  const version = (await context.site.versionText()) || null;
  if (searchParams.has("seq")) {
    const eventId = uuidParam(params.uuid);
    const { event } = await readFormerVisit(context, actor, eventId, searchParams, context.lang);
    return { ...openPage({ context, event, query, version, preview: false }), shop: null };
  }
  const { mode, at } = readAsked(searchParams, user.timeZone, context.now);
  const found = await context.services.visitors.readAsVisitor({
    actor,
    eventId: uuidParam(params.uuid),
    mode,
    at: at ?? context.now,
  });
  const { event } = found;
  if (!event)
    return { state: "closed" as const, head: titleOnly(found.eventName), version, url: pathname + search };
  const shop = event.hasStore ? { products: event.scene.products } : null;
  return { ...openPage({ context, event, query, version, preview: mode === "preview" }), shop };
}

const openPage = ({
  context,
  event,
  query,
  ...rest
}: {
  readonly context: Pick<AppLoadContext, "lang" | "site" | "page">;
  readonly event: VisitorEvent;
  readonly query: URLSearchParams;
  readonly version: string | null;
  readonly preview: boolean;
}) => ({
  state: "open" as const,
  ...visitPage(context, { event }, query, (id) => `/media/${id}`),
  head: titleOnly(event.eventName),
  ...rest,
});

export const meta: MetaFunction<typeof loader> = ({ data: page }) => page?.head ?? [];
/** As on visitors' pages, what happens in the shop changes nothing of the event beside it. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  eventAddress(currentUrl.pathname) !== eventAddress(nextUrl.pathname) ||
  ["link", "at", "seq", "marks"].some(
    (name) => currentUrl.searchParams.get(name) !== nextUrl.searchParams.get(name),
  );

export const handle: RouteHandle = { i18n: ["visitors"], stage: true };

export default function AsVisitorPage() {
  const page = useLoaderData<typeof loader>();
  return page.state === "open" ? <Open page={page} share={null} /> : <Unavailable {...page} />;
}
