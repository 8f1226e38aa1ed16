import type { AppLoadContext } from "@remix-run/cloudflare";
import type { ReportScope } from "#functions/services/analytics/reports";
import type { Actor } from "~/domain/auth/actor";
import { uuidParam } from "../shared/uuid-param";

interface Params {
  readonly uuid?: string;
  readonly spaceUuid?: string;
}

/** Returns the actor and the scope of a report: the event or space of the URL, otherwise the actor's account. */
export async function readReportContext(
  context: AppLoadContext,
  params: Params,
): Promise<{ readonly actor: Actor; readonly scope: ReportScope }> {
  const { actor } = await context.session.require();
  if (params.uuid !== undefined) return { actor, scope: { kind: "event", id: uuidParam(params.uuid) } };
  if (params.spaceUuid !== undefined)
    return { actor, scope: { kind: "space", id: uuidParam(params.spaceUuid) } };
  return { actor, scope: { kind: "account", id: actor.userId } };
}
