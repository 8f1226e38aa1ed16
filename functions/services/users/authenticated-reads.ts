/**
 * Reads of one record, or of one page of events, with authentication. The session or API token and the data are read in one D1 round trip, because the
 * round trip is most of the cost.
 */

import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { hasIdledOut } from "~/domain/auth/session";
import { statusAt } from "~/domain/events/status";

import type { Event, EventStatusId, Instant, Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { canLogIn } from "~/domain/users/user-status";
import { roleWith } from "~/domain/webhooks/scopes";
import { isApiToken } from "~/domain/webhooks/tokens";
import type { ReadByTicket, ReadKey } from "../auth/auth-ports";
import { type FactorPolicyDeps, requireFactorSetUp } from "../auth/second-factor";
import { isTicket, noteUse, type SessionDeps } from "../auth/sessions";
import type { EventsQuery, FoundEvents } from "../events/event-ports";
import { eventResource } from "../events/events";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { sha256Hex } from "../shared/sha256";
import { spaceResource } from "../spaces/spaces";
import { recordTokenUse } from "../webhooks/tokens";

/** Dependencies of these reads. */
export interface AuthenticatedReadDeps
  extends Pick<SessionDeps, "clock" | "defer">,
    FactorPolicyDeps,
    Pick<Repositories, "authenticatedReads"> {
  readonly sessions: Pick<Repositories["sessions"], "touch">;
  readonly tokens: Pick<Repositories["tokens"], "touch">;
}

/** The caller's credential (the ticket of a session, or an API token), and the id of the requested record. */
export interface AuthenticatedReadInput {
  readonly ticket: string | null;
  readonly id: Uuid;
}

/** Reads a record; null for an unknown or ended credential, and for an account that may not log in. @throws NotFoundError when the record is not visible; SecondFactorSetupError */
async function readRecord<T>(
  deps: AuthenticatedReadDeps,
  ticket: string | null,
  read: (key: ReadKey, now: Instant) => Promise<ReadByTicket<T> | null>,
  isVisible: (actor: Actor, record: T) => boolean,
): Promise<T | null> {
  const kind = isApiToken(ticket) ? "token" : "session";
  if (ticket === null || (kind === "session" && !isTicket(ticket))) return null;
  const result = await read({ kind, hash: await sha256Hex(ticket) }, toInstant(deps.clock.now()));
  if (!result || !canLogIn(result.reader.status)) return null;
  const { reader, record } = result;
  await requireFactorSetUp(deps, { id: reader.userId, role: reader.role });
  // Sessions have no scopes. For an API token, `sessionId` is the id of the token.
  const { sessionId, lastSeenAt, userId, role, groupIds, scopes } = reader;
  if (scopes === null && lastSeenAt !== null && hasIdledOut(role, lastSeenAt, deps.clock.now())) return null;
  if (scopes !== null) recordTokenUse(deps, { id: sessionId, lastUsedAt: lastSeenAt });
  else if (lastSeenAt !== null) noteUse(deps, { id: sessionId, lastSeenAt });
  const actor = scopes
    ? { userId, role: roleWith(role, scopes), groupIds, scopes }
    : { userId, role, groupIds };
  if (record === null || !isVisible(actor, record)) throw new NotFoundError("record");
  return record;
}

type ReadEvent = Event & { readonly currentStatus: EventStatusId };

/** Reads an event with its current status: see getEvent. Null if the ticket is invalid. @throws NotFoundError when not visible; SecondFactorSetupError */
export async function readEvent(
  deps: AuthenticatedReadDeps,
  { ticket, id }: AuthenticatedReadInput,
): Promise<ReadEvent | null> {
  const event = await readRecord(
    deps,
    ticket,
    (key, now) => deps.authenticatedReads.event(key, now, id),
    (actor, { space }) => can(actor, "read", eventResource(space)),
  );
  return event && { ...event.event, currentStatus: statusAt(event.event, deps.clock.now()) };
}

/** Reads a space: see getSpace. Null if the ticket is invalid. @throws NotFoundError when not visible; SecondFactorSetupError */
export const readSpace = (
  deps: AuthenticatedReadDeps,
  { ticket, id }: AuthenticatedReadInput,
): Promise<Space | null> =>
  readRecord(
    deps,
    ticket,
    (key, now) => deps.authenticatedReads.space(key, now, id),
    (actor, space) => can(actor, "read", spaceResource(space)),
  );

/**
 * Reads events with their current status, newest first: those of one space, or of all spaces of the caller. Null if the ticket is invalid.
 * @throws NotFoundError when the space is not visible; SecondFactorSetupError
 */
export async function readEvents(
  deps: AuthenticatedReadDeps,
  { ticket, ...query }: EventsQuery & { readonly ticket: string | null },
): Promise<FoundEvents<ReadEvent> | null> {
  const readResult = await readRecord(
    deps,
    ticket,
    (key, now) => deps.authenticatedReads.events(key, now, query),
    (actor, { space }) => space === null || can(actor, "list", eventResource(space)),
  );
  if (readResult === null) return null;
  const now = deps.clock.now();
  const items = readResult.page.items.map((event) => ({ ...event, currentStatus: statusAt(event, now) }));
  return { ...readResult.page, items };
}

/** `context.services.authenticatedReads`. */
export const authenticatedReadServices = (deps: AuthenticatedReadDeps) =>
  bindUseCases(deps, { readEvent, readSpace, readEvents });
