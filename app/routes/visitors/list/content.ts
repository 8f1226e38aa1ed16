import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readVisitorLink } from "../page/link.server";
import { createFileUrlBuilder, visitorScene } from "../page/page.server";

/**
 * All tags and media items of an event as JSON, with those that have a position in the 3D space: `pins` (the markers) and `placedMedia` (the media).
 * `/event/{published|preview}/{uuid}/content?token=…&lang=…`. The event's page requests it after loading, because the HTML of a long list contains only
 * one page of the entries. 404 while the event's password has not been entered; a link that opens nothing is redirected.
 */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { link, result } = await readVisitorLink({ request, params }, context);
  if (result.state !== "open") return new Response(null, { status: 404 });
  const { tags, media, pins, placedMedia } = visitorScene(context, result, createFileUrlBuilder(link));
  return Response.json({ tags, media, pins, placedMedia });
}
