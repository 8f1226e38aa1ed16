import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { uuidParam } from "../shared/uuid-param";
import { searchComparable } from "./comparable-events.server";

/** Events that an event can be compared with, while a person types: `?find=…`. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const searchText = (new URL(request.url).searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const events = await searchComparable(context, actor, uuidParam(params.uuid), searchText);
  return Response.json(events, { headers: { "cache-control": "no-store" } });
}
