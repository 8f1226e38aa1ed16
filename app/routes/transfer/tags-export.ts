import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { contentDisposition } from "~/domain/shared/content-disposition";
import { uuidParam } from "../shared/uuid-param";

/** Exports the tags of an event, which mark places in its space, as a CSV file. */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const { fileName, text } = await context.services.content.exportTags({ actor, eventId });
  return new Response(text, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": contentDisposition(fileName, "attachment"),
      "cache-control": "private, no-store",
    },
  });
}
