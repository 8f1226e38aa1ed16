import { data, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { RouteHandle } from "../shared/handle";
import { pageTitle } from "../shared/title";
import { ClosedEventPage } from "./page/closed-event";
import { closedEventPage } from "./page/closed-event.server";
import { readSealedLink } from "./page/link.server";
import { createFileUrlBuilder } from "./page/page.server";
import { Unavailable } from "./page/unavailable";

/**
 * Page of every link that shows no event (specification §4). A visitor with the right token sees the event's own page, or is redirected to the event if
 * it has opened meanwhile. All other visitors get the neutral page with the status 404, which does not say whether the event exists.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { pathname, search } = new URL(request.url);
  const url = pathname + search;
  const version = (await context.site.versionText()) || null;
  const headers = { "cache-control": "no-store" };
  const link = readSealedLink(context, { request, params });
  const closedEvent = link && (await context.services.visitors.readClosedEvent(link));
  if (link && closedEvent?.state === "open") throw redirect(link.path);
  if (!link || closedEvent?.state !== "closed") {
    const title = pageTitle(context, "visitors:unavailableTitle");
    return data({ state: "neutral" as const, title, version, url }, { status: 404, headers });
  }
  const closedPage = closedEventPage(context, closedEvent, {
    href: link.path,
    url,
    version,
    calendarHref: `${pathname}/calendar?${new URLSearchParams({ link: link.sealed, lang: context.lang })}`,
    fileUrl: createFileUrlBuilder({ eventId: link.eventId, mode: link.mode, token: link.token ?? "" }),
  });
  return data({ state: "closed" as const, ...closedPage }, { headers });
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => [
  { title: page?.title ?? "" },
  { name: "robots", content: "noindex" },
];

export const handle: RouteHandle = { i18n: ["visitors", "visitors-late"] };

export default function EventUnavailable() {
  const page = useLoaderData<typeof loader>();
  return page.state === "closed" ? <ClosedEventPage {...page} /> : <Unavailable {...page} />;
}
