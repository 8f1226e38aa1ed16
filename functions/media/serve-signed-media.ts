import type { SignedFile } from "#functions/services/visitors/signed-files";
import { type MediaUrl, readMediaUrl } from "./media-url";
import { type MediaRequestContext, notFoundResponse, sendOpened } from "./serve-media";

/** Returns whether a URL is on the media host. */
export const isMediaHost = (url: URL, mediaOrigin: string | null): boolean =>
  mediaOrigin !== null && url.host === new URL(mediaOrigin).host;

/** Dependencies of serving signed URLs. */
export interface SignedMediaRequestContext
  extends Pick<MediaRequestContext, "env" | "metadata" | "images" | "defer" | "services"> {
  /** Origin whose pages may read files; null in development, where every origin may. */
  readonly appOrigin: string | null;
}

/** Response headers of a file that pages may read. */
const EXPOSED = "accept-ranges, content-length, content-range, content-type, etag, last-modified";
/** Time for which browsers cache a preflight response, in seconds. */
const PREFLIGHT_SECONDS = 600;

/**
 * Serves the media host: signed URLs below /media/, and nothing else. It reads and sets no cookie, so that an
 * uploaded file that runs in a browser has no user's session.
 */
export async function serveSignedMedia(
  request: Request,
  context: SignedMediaRequestContext,
): Promise<Response> {
  const origin = context.appOrigin ?? request.headers.get("origin");
  if (request.method === "OPTIONS") return withCors(new Response(null, { status: 204 }), origin, true);
  if (request.method !== "GET" && request.method !== "HEAD")
    return new Response(null, { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
  return withCors((await sendSigned(request, context)) ?? notFoundResponse(), origin, false);
}

/** Returns whether a URL is for the external service that checks uploaded files before they are shown. Such URLs also work on the product's own host. */
export const isCheckUrl = ({ searchParams }: URL): boolean =>
  searchParams.get("use") === "check" && searchParams.has("signature");

/** Sends the file of a signed URL. Returns null if the signature is invalid or there is no such file. */
export async function sendSigned(
  request: Request,
  context: Omit<SignedMediaRequestContext, "appOrigin">,
): Promise<Response | null> {
  const url = new URL(request.url);
  const address = readMediaUrl(url);
  if (address === "unknown") return null;
  if (address === "bad") return notFoundResponse(400);
  const signedFile = await openSignedFile(url, address, context);
  if (!signedFile) return null;
  const { file, use } = signedFile;
  // A check must receive exactly the signed file, so the requested version and part do not apply.
  const currentAddress = use === "check" ? { ...address, version: null, part: null } : address;
  return sendOpened({ request, url, address: currentAddress, context, caching: {} }, file, use);
}

async function openSignedFile(
  { searchParams }: URL,
  { id, part }: Pick<MediaUrl, "id" | "part">,
  context: Pick<SignedMediaRequestContext, "services">,
): Promise<SignedFile | null> {
  try {
    return await context.services.library.openSignedFile({ id, part, query: searchParams });
  } catch (error) {
    if ((error as { kind?: unknown }).kind === "not_found") return null;
    throw error;
  }
}

function withCors(response: Response, origin: string | null, isPreflight: boolean): Response {
  const { headers } = response;
  // Pages show files of this host as images and in players, and read the bytes of models and documents.
  headers.set("cross-origin-resource-policy", "cross-origin");
  headers.append("vary", "Origin");
  if (origin !== null) headers.set("access-control-allow-origin", origin);
  if (isPreflight) {
    headers.set("access-control-allow-methods", "GET, HEAD");
    headers.set("access-control-allow-headers", "range, if-range, if-none-match");
    headers.set("access-control-max-age", String(PREFLIGHT_SECONDS));
  } else headers.set("access-control-expose-headers", EXPOSED);
  return response;
}
