import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { uuidParam } from "../../shared/uuid-param";
import { requireAdministratorSession } from "../administrator.server";
import { findGroupCandidates } from "./people.server";

/** Returns the people who match `?find=…`, members of the group included, while an administrator types. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const q = (new URL(request.url).searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const foundPeople = await findGroupCandidates(context, actor, uuidParam(params.groupUuid), q);
  return Response.json(foundPeople, { headers: { "cache-control": "no-store" } });
}
