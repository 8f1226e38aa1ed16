import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readVisitorLink } from "../page/link.server";
import { fileUrlOf, visitorScene } from "../page/page.server";

/**
 * All tags and media items of an event for the list of its page, and those in the space: `/event/{published|preview}/{uuid}/content?token=…&lang=…`. The document of a
 * long list contains only one page of it. 404 for a locked event.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { link, found } = await readVisitorLink({ request, params }, context);
  if (found.state !== "open") return new Response(null, { status: 404 });
  const { tags, media, pins, hung } = visitorScene(context, found, fileUrlOf(link));
  return Response.json({ tags, media, pins, hung });
}
