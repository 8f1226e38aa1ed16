import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { uuidParam } from "../shared/ids";
import { titleOnly } from "../visit/head.server";
import { Open } from "../visit/open";
import { visitPage } from "../visit/page.server";
import { Unavailable } from "../visit/unavailable";
import { readAsked } from "./as-visitor.server";

/**
 * The page that visitors get at a moment, for the frame of an owner's preview. It asks for the owner's session, knows no token, and is
 * never kept.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor, user } = await context.requireSession();
  const { searchParams, pathname, search } = new URL(request.url);
  const { mode, at } = readAsked(searchParams, user.timeZone, context.now);
  const found = await context.services.visitors.readAsVisitor({
    ...{ actor, eventId: uuidParam(params.uuid), mode },
    at: at ?? context.now,
  });
  const version = (await context.versionText()) || null;
  const head = titleOnly(found.eventName);
  const { event, stills } = found;
  if (!event) return { state: "closed" as const, head, version, url: pathname + search };
  return {
    state: "open" as const,
    ...visitPage(context, { event, stills }, searchParams, (id) => `/media/${id}`),
    head,
    version,
    preview: mode === "preview",
  };
}

export const meta: MetaFunction<typeof loader> = ({ data: page }) => page?.head ?? [];
export const handle = { stage: true };

export default function AsVisitorPage() {
  const page = useLoaderData<typeof loader>();
  return page.state === "open" ? <Open page={page} share={null} /> : <Unavailable {...page} />;
}
