import { type AppLoadContext, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { VisitorResult } from "#functions/services/visitors/event-access";
import { toUuid } from "~/domain/shared/ids";
import type { LinkMode } from "~/domain/shared/model";

type VisitorRequest = Pick<LoaderFunctionArgs, "request" | "params">;

/** Parses the visitor's link in an address (§2): the event ("" if invalid), the kind of the link, the token, and the space. */
export function readLink({ request, params }: VisitorRequest) {
  const { pathname, searchParams } = new URL(request.url);
  const mode: LinkMode = /^\/(event|space)\/preview\//.test(pathname) ? "preview" : "published";
  return { eventId: toUuid(params.uuid) ?? "", mode, token: searchParams.get("token"), sid: params.sid };
}

/** Redirects a link that opens nothing to the page for closed events (§4). */
export const unavailable = (eventId: string) =>
  redirect(`/error/event/${eventId || "unknown"}`, {
    headers: { "cache-control": "no-store" },
  });

/** A cart in an address is used only for navigation within the shop: a link on another site would share a cart between visitors. */
const isFromElsewhere = ({ headers }: Request) =>
  !["same-origin", null].includes(headers.get("sec-fetch-site"));

/** Address of a page without its cart parameter. */
export function withoutCart(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ["cart", "_routes"]) query.delete(name);
  return `${url.pathname.replace(/\.data$/, "")}?${query}`;
}

const seen = new WeakMap<AppLoadContext, Promise<VisitorResult>>();

/**
 * Reads the event that a visitor's link opens now. Every page and every response of an event starts here, so that all have the same guard.
 * @throws a redirect to the page for closed events
 */
export async function readVisitorLink(args: VisitorRequest, context: AppLoadContext) {
  const link = readLink(args);
  const { eventId, token } = link;
  if (!eventId || !token) throw unavailable(eventId);
  const reader = { ...link, token, eventAccessCookie: context.visitor.eventAccessCookie(eventId) };
  // The loaders of one page share the address and the context, so a wrong token counts as one attempt.
  const known =
    seen.get(context) ?? context.services.visitors.readVisitorEvent({ ...reader, ip: context.client.ip });
  // After an action the link is checked again, because the event may have been closed meanwhile.
  if (args.request.method !== "POST") seen.set(context, known);
  const result = await known;
  if (result.state === "closed") throw unavailable(eventId);
  const url = new URL(args.request.url);
  if (args.request.method === "GET" && url.searchParams.has("cart") && isFromElsewhere(args.request))
    throw redirect(withoutCart(url));
  return { link: reader, found: result };
}
