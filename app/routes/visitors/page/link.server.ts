import { type AppLoadContext, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import type { VisitorResult } from "#functions/services/visitors/event-access";
import { toUuid } from "~/domain/shared/ids";
import type { LinkMode } from "~/domain/shared/model";

type Asked = Pick<LoaderFunctionArgs, "request" | "params">;

/** The visitor's link in an address (§2): which event ("" for what is none), which kind of link, which token, which space. */
export function readLink({ request, params }: Asked) {
  const { pathname, searchParams } = new URL(request.url);
  const mode: LinkMode = /^\/(event|space)\/preview\//.test(pathname) ? "preview" : "published";
  return { eventId: toUuid(params.uuid) ?? "", mode, token: searchParams.get("token"), sid: params.sid };
}

/** Where every link ends that shows nothing (§4). */
export const unavailable = (eventId: string) =>
  redirect(`/error/event/${eventId || "unknown"}`, {
    headers: { "cache-control": "no-store" },
  });

/** A cart in an address is its visitor's own only while he goes from page to page here: a link of somebody else would share a cart with him. */
const isFromElsewhere = ({ headers }: Request) =>
  !["same-origin", null].includes(headers.get("sec-fetch-site"));

/** The address of a page without the cart that it carries. */
export function withoutCart(url: URL): string {
  const query = new URLSearchParams(url.search);
  for (const name of ["cart", "_routes"]) query.delete(name);
  return `${url.pathname.replace(/\.data$/, "")}?${query}`;
}

const seen = new WeakMap<AppLoadContext, Promise<VisitorResult>>();

/**
 * What a visitor's link shows now. Every page and every answer of an event begins here, so that none is guarded otherwise.
 * @throws the redirect to the page of links that show nothing
 */
export async function openLink(asked: Asked, context: AppLoadContext) {
  const link = readLink(asked);
  const { eventId, token } = link;
  if (!eventId || !token) throw unavailable(eventId);
  const reader = { ...link, token, eventAccessCookie: context.visitor.eventAccessCookie(eventId) };
  // The routes of one page share their address and their context: a wrong token is one guess, however many of them ask.
  const known =
    seen.get(context) ?? context.services.visitors.readVisitorEvent({ ...reader, ip: context.client.ip });
  // What follows an action asks anew: the event may have been closed while it was under way.
  if (asked.request.method !== "POST") seen.set(context, known);
  const found = await known;
  if (found.state === "closed") throw unavailable(eventId);
  const url = new URL(asked.request.url);
  if (asked.request.method === "GET" && url.searchParams.has("cart") && isFromElsewhere(asked.request))
    throw redirect(withoutCart(url));
  return { link: reader, found };
}
