import type { AppLoadContext } from "@remix-run/cloudflare";
import type { TrashedEvent } from "#functions/services/events/event-ports";
import type { Actor } from "~/domain/auth/actor";
import { textIn } from "~/domain/shared/localized";
import type { Uuid } from "~/domain/shared/model";

/** Converts deleted events for a page. */
export const toDeletedEvents = (context: AppLoadContext, events: readonly TrashedEvent[]) =>
  events.map(({ id, eventName, deletedAt, space }) => ({
    id,
    name: textIn(eventName, context.lang),
    deletedAt,
    space,
  }));

/** Reads the deleted events of a space; none for users who may not restore them. */
export async function readDeletedEvents({
  context,
  ...input
}: {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly spaceId: Uuid;
}) {
  return toDeletedEvents(context, await context.services.events.listDeletedEvents(input));
}
