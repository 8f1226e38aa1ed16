import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { uuidParam } from "../../shared/uuid-param";
import { findCopyTargets } from "./copy-targets.server";

/** Other spaces into which an event of this space can be copied, by name: `?find=…`. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const space = await context.services.spaces.getSpace({ actor, spaceId: uuidParam(params.spaceUuid) });
  const q = (new URL(request.url).searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const targets = await findCopyTargets({ context, actor, space }, q);
  return Response.json(targets, { headers: { "cache-control": "no-store" } });
}
