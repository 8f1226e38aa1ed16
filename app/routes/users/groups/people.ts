import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { SEARCH_MAX } from "~/domain/shared/limits";
import { uuidParam } from "../../shared/ids";
import { requireAdministratorSession } from "../administrator.server";
import { findPeople } from "./people.server";

/** People who can be added to a group, while an administrator types: `?find=…`. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await requireAdministratorSession(context);
  const q = (new URL(request.url).searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const found = await findPeople(context, actor, uuidParam(params.groupUuid), q);
  return Response.json(found, { headers: { "cache-control": "no-store" } });
}
