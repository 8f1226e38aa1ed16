import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { enterReport } from "./scope.server";

/** How many visitors are there now, for a page that stays open. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const asked = await enterReport(context, params);
  const live = await context.services.reports.liveVisitors(asked);
  return Response.json({ live }, { headers: { "cache-control": "no-store" } });
}
