import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { embedHtml, embedSize, readMaximum } from "~/domain/content/embed";
import { atWidth } from "~/domain/library/media-url";
import { toUuid } from "~/domain/shared/ids";
import { resolveLang } from "~/domain/shared/lang";
import { textIn } from "~/domain/shared/localized";
import { eventLink, type OwnLink } from "./event-link";

const PUBLIC_PATH = /^\/(?:event\/published\/([^/]+)|space\/(?:published|3d)\/([^/]+)\/([^/]+))\/?$/;
/** Maximum width of the event's thumbnail, in pixels. */
const THUMBNAIL_WIDTH = 640;

const reject = (status: number) =>
  new Response(null, { status, headers: { "access-control-allow-origin": "*" } });

/**
 * oEmbed 1.0 of public links: `/oembed?url=…[&format=json][&maxwidth=…][&maxheight=…]`. 501 for other formats, 404 for every URL that is not
 * an open public link, previews included, 401 for an event with a password, and 429 after too many wrong tokens.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url);
  const format = searchParams.get("format");
  if (format !== null && format !== "json") return reject(501);
  const requestedLink = readPublicLink(searchParams.get("url"), context.site.origin);
  if (!requestedLink) return reject(404);
  const { link, sid, lang } = requestedLink;
  const result = await context.attempt(
    context.services.visitors.readVisitorEvent({
      ...link,
      ...(sid && { sid }),
      network: context.client.network,
    }),
  );
  if (!result.ok) return reject(result.failure.status);
  if (result.value.state === "closed") return reject(404);
  if (result.value.state === "locked" || !result.value.isPublic) return reject(401);

  const { event, record } = result.value;
  const title = textIn(event.eventName, lang);
  const size = embedSize(
    readMaximum(searchParams.get("maxwidth")),
    readMaximum(searchParams.get("maxheight")),
  );
  const src = new URL(eventLink(context.site.origin, link));
  src.searchParams.set("lang", lang);
  src.searchParams.set("poster", "1");
  return Response.json(
    {
      version: "1.0",
      type: "rich",
      title,
      provider_name: "Hiroba",
      provider_url: context.site.origin,
      html: embedHtml({ src: src.href, title, ...size }),
      ...size,
      ...thumbnail(record, link, context.site.origin),
      cache_age: 60,
    },
    { headers: { "access-control-allow-origin": "*" } },
  );
}

/** Parses a public link; null for any other URL. */
function readPublicLink(href: string | null, origin: string) {
  if (href === null || href.length > 4096 || !URL.canParse(href)) return null;
  const url = new URL(href);
  const [, publishedId, legacyId, sid] = (url.origin === origin && PUBLIC_PATH.exec(url.pathname)) || [];
  const eventId = toUuid(publishedId ?? legacyId);
  const token = url.searchParams.get("token");
  if (eventId === null || !token) return null;
  const link: OwnLink = { eventId, mode: "published", token };
  return { link, sid, lang: resolveLang(url.searchParams.get("lang"), null) };
}

interface ThumbnailInput {
  readonly space: { readonly posterMediaId: string | null };
  readonly files: Readonly<Record<string, { readonly width: number | null; readonly height: number | null }>>;
}

/** The event's thumbnail with its size: all three values, as oEmbed requires, or none. */
function thumbnail({ space, files }: ThumbnailInput, link: OwnLink, origin: string) {
  const file = space.posterMediaId === null ? undefined : files[space.posterMediaId];
  if (!space.posterMediaId || !file?.width || !file.height) return {};
  const query = new URLSearchParams({ event: link.eventId, mode: link.mode, token: link.token });
  const width = Math.min(THUMBNAIL_WIDTH, file.width);
  return {
    thumbnail_url: new URL(atWidth(`/media/${space.posterMediaId}?${query}`, THUMBNAIL_WIDTH), origin).href,
    thumbnail_width: width,
    thumbnail_height: Math.round((width * file.height) / file.width),
  };
}
