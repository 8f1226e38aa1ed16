import { type AppLoadContext, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { VisitorResult } from "#functions/services/visitors/event-access";
import { DAY_MS } from "~/domain/shared/day";
import { toUuid } from "~/domain/shared/ids";
import type { LinkMode } from "~/domain/shared/model";
import { withoutShopPath } from "../../store/storefront/path";

type VisitorRequest = Pick<LoaderFunctionArgs, "request" | "params">;

/**
 * Parses the visitor's link in a URL (specification §2).
 * @returns `eventId` is empty if it is invalid. `sid`, a short id of the space, is in the URLs of legacy routes only
 */
export function parseVisitorLink({ request, params }: VisitorRequest) {
  const { pathname, searchParams } = new URL(request.url);
  const mode: LinkMode = /^\/(event|space)\/preview\//.test(pathname) ? "preview" : "published";
  return { eventId: toUuid(params.uuid) ?? "", mode, token: searchParams.get("token"), sid: params.sid };
}

/** Parameter with the sealed link: it is valid for a day, and encrypted so that visitors can neither read nor change it. */
const CLOSED_LINK_PARAM = "link";

/**
 * Creates the redirect from a link that opens nothing to the page for closed events (specification §4).
 * @param sealedLink the link, for a visitor with the right token
 */
export const redirectToUnavailable = (eventId: string, sealedLink: string | null = null) =>
  redirect(
    `/error/event/${eventId || "unknown"}${sealedLink ? `?${new URLSearchParams({ [CLOSED_LINK_PARAM]: sealedLink })}` : ""}`,
    {
      headers: { "cache-control": "no-store" },
    },
  );

/** Lifetime of a sealed link, in milliseconds. It is long because visitors leave the page with its countdown open (decision 111). */
const CLOSED_LINK_LIFETIME_MS = DAY_MS;

const closedLinkPurpose = (eventId: string) => `link of a closed event\n${eventId}`;

/** Seals the link of a request, for the page of its closed event. */
function sealLink(
  { textSealer }: AppLoadContext,
  eventId: string,
  { request, params }: VisitorRequest,
): string {
  const { pathname, searchParams } = new URL(request.url);
  const query = new URLSearchParams({ token: searchParams.get("token") ?? "" });
  // The link is the event's page, even if the request was for a page of its shop.
  const path = withoutShopPath(pathname);
  const link = { path: `${path}?${query}`, sid: params.sid ?? null };
  return textSealer.seal(closedLinkPurpose(eventId), JSON.stringify(link), CLOSED_LINK_LIFETIME_MS);
}

/** Opens the sealed link in the URL of a closed event's page; null without a valid one. `sealed` is the text in the URL. */
export function readSealedLink({ textSealer }: AppLoadContext, { request, params }: VisitorRequest) {
  const eventId = toUuid(params.uuid);
  const sealedLink = new URL(request.url).searchParams.get(CLOSED_LINK_PARAM);
  const text = eventId && sealedLink ? textSealer.open(closedLinkPurpose(eventId), sealedLink) : null;
  if (!text) return null;
  const { path, sid } = JSON.parse(text) as { path: string; sid: string | null };
  const url = new URL(path, request.url);
  return {
    sealed: sealedLink ?? "",
    path,
    ...parseVisitorLink({ request: new Request(url), params: { uuid: params.uuid, sid: sid ?? undefined } }),
  };
}

/**
 * Whether the request comes from another site or the address bar, and not from a page of this site. Then a cart is removed from the URL, because a
 * shared link would share a cart between visitors. A request of a browser that does not send Sec-Fetch-Site counts as coming from this site.
 */
const isFromOutside = ({ headers }: Request) =>
  !["same-origin", null].includes(headers.get("sec-fetch-site"));

/** URL of a page without its cart parameter. */
export function withoutCart(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("cart");
  return `${url.pathname}?${query}`;
}

const eventReads = new WeakMap<AppLoadContext, Promise<VisitorResult>>();

/**
 * Reads the event that a visitor's link opens now. The pages of an event and of its shop call it, so that all check access in the same way.
 * @throws a redirect to the page for closed events, or to the same URL without its cart; a response with the status 429 after too many wrong tokens
 */
export async function readVisitorLink(args: VisitorRequest, context: AppLoadContext) {
  const link = parseVisitorLink(args);
  const { eventId, token } = link;
  if (!eventId || !token) throw redirectToUnavailable(eventId);
  const reader = { ...link, token, eventAccessCookie: context.visitor.eventAccessCookie(eventId) };
  // The loaders of one page share this read through the context, so a wrong token counts as one attempt.
  const eventRead =
    eventReads.get(context) ??
    context.services.visitors.readVisitorEvent({ ...reader, network: context.client.network });
  // After an action the link is checked again, because the event may have been closed meanwhile.
  if (args.request.method !== "POST") eventReads.set(context, eventRead);
  const result = await eventRead;
  // `hasNotice`: the token is right, so the visitor may see when the event opens, or that it has ended.
  if (result.state === "closed")
    throw redirectToUnavailable(eventId, result.hasNotice ? sealLink(context, eventId, args) : null);
  const url = new URL(args.request.url);
  if (args.request.method === "GET" && url.searchParams.has("cart") && isFromOutside(args.request))
    throw redirect(withoutCart(url));
  return { link: reader, result };
}
