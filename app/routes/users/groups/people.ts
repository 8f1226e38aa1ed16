import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { uuidParam } from "../../shared/ids";
import { requireAdministratorSession } from "../administrator.server";
import { findGroupCandidates } from "./people.server";

/** Returns people who can be added to a group, while an administrator types: `?find=…`. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const q = (new URL(request.url).searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const foundPeople = await findGroupCandidates(context, actor, uuidParam(params.groupUuid), q);
  return Response.json(foundPeople, { headers: { "cache-control": "no-store" } });
}
