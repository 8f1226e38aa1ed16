import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { calendarFile } from "~/domain/events/calendar-file";
import { closedEventTexts } from "../page/closed-event.server";
import { readSealedLink } from "../page/link.server";

/** Calendar file of an event that is not open yet: `/error/event/{uuid}/calendar?link=…`. 404 for everything else. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const link = readSealedLink(context, { request, params });
  const closedEvent = link && (await context.services.visitors.readClosedEvent(link));
  if (!link || closedEvent?.state !== "closed" || closedEvent.notice.kind !== "opens")
    return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  const { origin } = context.site;
  const entry = {
    id: link.eventId,
    name: closedEventTexts(closedEvent, context.lang, context.now).title,
    start: closedEvent.notice.at,
    end: closedEvent.endDate,
    url: new URL(link.path, origin).href,
    host: new URL(origin).host,
  };
  return new Response(calendarFile(entry, context.now), {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": 'attachment; filename="event.ics"',
      "cache-control": "no-store",
    },
  });
}
