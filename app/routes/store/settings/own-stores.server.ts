/** Stores of a user's other events, which the user can connect to an event without typing the token again. */
import { type ActionFunctionArgs, type AppLoadContext, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { toUuid } from "~/domain/shared/ids";
import { textIn } from "~/domain/shared/localized";
import { uuidParam } from "../../shared/uuid-param";

/** Lists the stores of the user's newest events, each once, with event names in the page's language. */
export async function readOwnStores({
  context,
  actor,
}: {
  readonly context: AppLoadContext;
  readonly actor: Actor;
}) {
  const stores = await context.services.events.listOwnStores({ actor });
  return stores.map(({ eventName, ...store }) => ({ ...store, eventName: textIn(eventName, context.lang) }));
}

export type OwnStoreRow = Awaited<ReturnType<typeof readOwnStores>>[number];

/** Connects the event of the URL to the store of another event, which the form names, and redirects to the panel with the result. */
export async function submitOwnStore(
  { params, context }: ActionFunctionArgs,
  form: FormData,
): Promise<never> {
  const { actor } = await context.session.require();
  const eventId = uuidParam(params.uuid);
  const sourceEventId = toUuid(form.get("from"));
  if (!sourceEventId) throw new Response(null, { status: 400, statusText: "Bad Request" });
  let isConnected = false;
  try {
    const connecting = context.services.events.connectOwnStore({ actor, eventId, from: sourceEventId });
    const result = await context.attempt(connecting);
    isConnected = result.ok && result.value;
  } catch (error) {
    context.reportError(error);
  }
  throw redirect(
    `/event/${eventId}?panel=store&toast=${isConnected ? "event-updated" : "store-not-connected"}`,
  );
}
