import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { EventChecks, LinkSharing } from "~/domain/events/publish-checklist";
import { worksNowOrLater } from "~/domain/events/status";
import type { LinkMode, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { eventResource } from "./events";

/** Dependencies of the checks that an editor makes before an event's link is sent. */
export interface PublishCheckDeps extends Pick<Repositories, "events" | "eventChecks" | "audit"> {
  readonly clock: Clock;
  readonly ids: IdSource;
}

interface CheckInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/** Returns the last time of each check of an event. @throws NotFoundError when the actor may not edit the event */
export async function readPublishChecks(deps: PublishCheckDeps, input: CheckInput): Promise<EventChecks> {
  await findEditable(deps, input);
  return deps.eventChecks.find(input.eventId);
}

/**
 * Records the time at which an editor of the event opens a link. Before the start date, the opened page shows when the event opens.
 * @returns the link's token; null when the link is closed and will not open automatically
 * @throws NotFoundError when the actor may not edit the event
 */
export async function tryLink(
  deps: PublishCheckDeps,
  input: CheckInput & { readonly mode: LinkMode },
): Promise<string | null> {
  const { mode } = input;
  const event = await findEditable(deps, input);
  const now = deps.clock.now();
  if (!worksNowOrLater(event, mode, now)) return null;
  await deps.eventChecks.record(event.id, mode, toInstant(now));
  return mode === "preview" ? event.previewAccessToken : event.accessToken;
}

/**
 * Records in the audit log that an editor started an email with a link, or copied the link. Another program sends the email, so the product does not
 * know whether it was sent. A link that is closed and will not open automatically is not recorded.
 * @throws NotFoundError when the actor may not edit the event
 */
export async function recordSharedLink(
  deps: PublishCheckDeps,
  input: CheckInput & { readonly mode: LinkMode; readonly by: LinkSharing },
): Promise<void> {
  const { actor, mode, by: sharing } = input;
  const event = await findEditable(deps, input);
  if (!worksNowOrLater(event, mode, deps.clock.now())) return;
  await deps.audit.write(auditEntry(deps, actor, `event_link_${sharing}`, "event", event.id, { mode }));
}

/** Records that an editor of the event looked at its visitors' page at phone size. @throws NotFoundError when the actor may not edit the event */
export async function recordPhoneView(deps: PublishCheckDeps, input: CheckInput): Promise<void> {
  const event = await findEditable(deps, input);
  await deps.eventChecks.record(event.id, "phone", toInstant(deps.clock.now()));
}

async function findEditable({ events }: PublishCheckDeps, { actor, eventId }: CheckInput) {
  const eventInSpace = await events.find(eventId);
  if (!eventInSpace || !can(actor, "update", eventResource(eventInSpace.space)))
    throw new NotFoundError("event");
  return eventInSpace.event;
}

/** Use cases in `context.services.events`. */
export const publishCheckServices = (deps: PublishCheckDeps) =>
  bindUseCases(deps, { readPublishChecks, tryLink, recordSharedLink, recordPhoneView });
