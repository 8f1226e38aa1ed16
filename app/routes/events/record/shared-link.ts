import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import { uuidParam } from "../../shared/uuid-param";
import { readLinkMode } from "./event-page";

/** Records that the owner copied a link, or started an email with it: `mode=published&by=copied`. */
export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const form = await context.form.read();
  const by = form.get("by") === "mailed" ? "mailed" : "copied";
  await context.services.events.recordSharedLink({ actor, eventId, mode: readLinkMode(form), by });
  return new Response(null, { status: 204 });
}
