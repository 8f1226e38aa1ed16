import type { RequestContext } from "#functions/context";
import type { Actor } from "~/domain/shared/model";
import { type WebhookTarget, writeTarget } from "~/domain/webhooks/webhook.schema";
import type { TargetOption } from "~/forms/webhook-form";

/** Spaces, and events, that are offered: the newest. Another one is offered where it is chosen already. */
const OFFERED = 100;

/** What a webhook may be about: the actor's own spaces and events. */
export async function targetOptions(
  { services }: Pick<RequestContext, "services">,
  actor: Actor,
  chosen: { readonly target: WebhookTarget; readonly name: string | null },
): Promise<{ readonly spaces: readonly TargetOption[]; readonly events: readonly TargetOption[] }> {
  const [{ spaces }, events] = await Promise.all([
    services.spaces.listSpaces({ actor, pageSize: OFFERED }),
    services.events.listOwnEvents({ actor, pageSize: OFFERED }),
  ]);
  const { target, name } = chosen;
  const option = (kind: "space" | "event") => (id: string, label: string) => ({
    value: writeTarget({ kind, id }),
    label,
  });
  const withChosen = (kind: "space" | "event", options: readonly TargetOption[]) => {
    if (target.kind !== kind || options.some(({ value }) => value === writeTarget(target))) return options;
    return [...options, option(kind)(target.id, name ?? target.id)];
  };
  return {
    spaces: withChosen(
      "space",
      spaces.items
        .filter(({ ownerId }) => ownerId === actor.userId)
        .map(({ id, name: label }) => option("space")(id, label)),
    ),
    events: withChosen(
      "event",
      events.items.map(({ id, eventName }) => option("event")(id, eventName)),
    ),
  };
}
