import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import type { VisitorEvent } from "#functions/services/visitors";
import { uuidParam } from "../shared/ids";
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
  const { actor, user } = await context.requireSession();
  const { searchParams, pathname, search } = new URL(request.url);
  const version = (await context.versionText()) || null;
  if (searchParams.has("seq")) {
    const eventId = uuidParam(params.uuid);
    const { event } = await readFormerVisit(context, actor, eventId, searchParams, context.lang);
    return openPage({ context, event, searchParams, version, preview: false });
  }
  const { mode, at } = readAsked(searchParams, user.timeZone, context.now);
  const found = await context.services.visitors.readAsVisitor({
    ...{ actor, eventId: uuidParam(params.uuid), mode },
    at: at ?? context.now,
  });
  const { event } = found;
  if (!event)
    return { state: "closed" as const, head: titleOnly(found.eventName), version, url: pathname + search };
  return openPage({ context, event, searchParams, version, preview: mode === "preview" });
}

const openPage = ({
  context,
  event,
  searchParams,
  ...rest
}: {
  readonly context: Pick<AppLoadContext, "lang" | "origin" | "showcaseKey">;
  readonly event: VisitorEvent;
  readonly searchParams: URLSearchParams;
  readonly version: string | null;
  readonly preview: boolean;
}) => ({
  state: "open" as const,
  ...visitPage(context, { event }, searchParams, (id) => `/media/${id}`),
  head: titleOnly(event.eventName),
  ...rest,
});

export const meta: MetaFunction<typeof loader> = ({ data: page }) => page?.head ?? [];
export const handle = { stage: true };

export default function AsVisitorPage() {
  const page = useLoaderData<typeof loader>();
  return page.state === "open" ? <Open page={page} share={null} /> : <Unavailable {...page} />;
}
