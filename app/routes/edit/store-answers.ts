import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { uuidParam } from "../shared/ids";
import { testStore } from "./event-action";
import { readAttached, readShopName } from "./store-read.server";

/** What the editor asks an event's store after the page has come: `?ask=name`, or how its products stand. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { actor } = await context.requireSession();
  const asked = { context, actor, eventId: uuidParam(params.uuid) };
  const isName = new URL(request.url).searchParams.get("ask") === "name";
  return Response.json(isName ? await readShopName(asked) : await readAttached(asked));
}

/** Tests the connection to a store as it is typed, while the form stays on the page. */
export async function action({ params, context }: ActionFunctionArgs) {
  const { actor } = await context.requireSession();
  const form = await context.readForm();
  return Response.json(await testStore(context, actor, uuidParam(params.uuid), form));
}
