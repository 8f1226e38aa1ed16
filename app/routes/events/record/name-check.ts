import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { eventNameField } from "~/domain/events/event-create.schema";
import type { Lang } from "~/domain/shared/model";
import { uuidParam } from "../../shared/uuid-param";

/** The languages in which another event of the space has a typed name: `?ja=…&en=…`. An invalid name is not looked up. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const parsedName = eventNameField().safeParse(Object.fromEntries(new URL(request.url).searchParams));
  const takenLangs: readonly Lang[] = parsedName.success
    ? await context.services.events.checkEventName({ actor, eventId, name: parsedName.data })
    : [];
  return Response.json({ taken: takenLangs }, { headers: { "cache-control": "no-store" } });
}
