import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readVisitorLink } from "../page/link.server";
import { createFileUrlBuilder, visitorScene } from "../page/page.server";

/**
 * All tags, media items and pins of an event as JSON: `/event/{published|preview}/{uuid}/content?token=…&lang=…`. The document of a long list
 * contains only one page of them. 404 for a locked event.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { link, result } = await readVisitorLink({ request, params }, context);
  if (result.state !== "open") return new Response(null, { status: 404 });
  const { tags, media, pins, placedMedia } = visitorScene(context, result, createFileUrlBuilder(link));
  return Response.json({ tags, media, pins, placedMedia });
}
