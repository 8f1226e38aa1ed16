import { type AppLoadContext, type LoaderFunctionArgs, redirect } from "@remix-run/cloudflare";
import { toUuid } from "~/domain/ids";
import type { LinkMode } from "~/domain/model";

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

/**
 * What a visitor's link shows now. Every page and every answer of an event begins here, so that none is guarded otherwise.
 * @throws the redirect to the page of links that show nothing
 */
export async function openLink(asked: Asked, context: AppLoadContext) {
  const link = readLink(asked);
  const { eventId, token } = link;
  if (!eventId || !token) throw unavailable(eventId);
  const reader = { ...link, token, passwordFlag: context.passwordFlag(eventId) };
  const found = await context.services.visitors.readVisitorEvent({ ...reader, ip: context.ip });
  if (found.state === "closed") throw unavailable(eventId);
  return { link: reader, found };
}
