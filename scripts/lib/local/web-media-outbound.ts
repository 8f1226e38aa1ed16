import {
  fetch as fetchOut,
  type Request as MiniflareRequest,
  Response as MiniflareResponse,
} from "miniflare";
import { isImageUrl } from "../../../app/domain/library/oembed.schema";
import { PROVIDERS } from "../../../app/domain/library/web-providers";

/** True for a URL of a web media provider's oEmbed API or thumbnail host. */
export function isWebMediaUrl(href: string): boolean {
  const url = new URL(href);
  return PROVIDERS.some(
    (provider) =>
      (provider.endpoint !== null && url.origin === new URL(provider.endpoint).origin) ||
      isImageUrl(provider, url),
  );
}

/**
 * Forwards requests to the providers of web media (media that sites such as YouTube host) and rejects all others. Without a network the product
 * reports that the provider could not be reached.
 */
export async function webMediaOutbound(
  request: MiniflareRequest,
  send: (url: string, headers: Record<string, string>) => Promise<MiniflareResponse> = (url, headers) =>
    fetchOut(url, { headers, redirect: "manual" }),
): Promise<MiniflareResponse> {
  const { host } = new URL(request.url);
  if (request.method !== "GET" || !isWebMediaUrl(request.url))
    return new MiniflareResponse(`Refused: ${host}`, { status: 502 });
  try {
    const { status, headers, body } = await send(request.url, {
      accept: request.headers.get("accept") ?? "*/*",
    });
    const forwardedHeaders = new Headers();
    // Length and encoding are not copied: the body arrives decompressed.
    for (const name of ["content-type", "location"]) {
      const value = headers.get(name);
      if (value !== null) forwardedHeaders.set(name, value);
    }
    return new MiniflareResponse(body, { status, headers: [...forwardedHeaders] });
  } catch {
    return new MiniflareResponse(`Not reached: ${host}`, { status: 502 });
  }
}
