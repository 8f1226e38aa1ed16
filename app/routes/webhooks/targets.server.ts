import type { RequestContext } from "#functions/request-context";
import type { Actor } from "~/domain/auth/actor";
import { textIn } from "~/domain/shared/localized";
import type { Localized } from "~/domain/shared/model";
import { type WebhookTarget, writeTarget } from "~/domain/webhooks/webhook.schema";
import type { TargetOption } from "~/forms/webhooks/webhook-form";

/** Maximum number of spaces, and of events, in the list of targets, newest first. A target that is already chosen is added. */
const OFFERED_MAX = 100;

/** Possible targets of a webhook (what it reports on): the actor's own spaces and events. */
export async function listTargetOptions(
  { services, lang }: Pick<RequestContext, "services" | "lang">,
  actor: Actor,
  chosen: { readonly target: WebhookTarget; readonly name: string | Localized | null },
): Promise<{ readonly spaces: readonly TargetOption[]; readonly events: readonly TargetOption[] }> {
  const [{ spaces }, events] = await Promise.all([
    services.spaces.listSpaces({ actor, ownerId: actor.userId, pageSize: OFFERED_MAX }),
    services.events.listOwnEvents({ actor, pageSize: OFFERED_MAX }),
  ]);
  const { target, name } = chosen;
  const createOption = (kind: "space" | "event") => (id: string, label: string) => ({
    value: writeTarget({ kind, id }),
    label,
  });
  const withChosen = (kind: "space" | "event", options: readonly TargetOption[]) => {
    if (target.kind !== kind || options.some(({ value }) => value === writeTarget(target))) return options;
    return [...options, createOption(kind)(target.id, name === null ? target.id : textIn(name, lang))];
  };
  return {
    spaces: withChosen(
      "space",
      spaces.items.map(({ id, name: label }) => createOption("space")(id, label)),
    ),
    events: withChosen(
      "event",
      events.items.map(({ id, eventName }) => createOption("event")(id, textIn(eventName, lang))),
    ),
  };
}
