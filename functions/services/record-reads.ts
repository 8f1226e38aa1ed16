/** Reads of one record by whoever holds a ticket: who it is and the record come in one round trip, as most of what such a read costs is the way. */
import type { Event, EventStatusId, Instant, Role, Space, UserStatus, Uuid } from "~/domain/model";
import { can, type Resource } from "~/domain/permissions";
import { statusAt } from "~/domain/status";
import { canLogIn } from "~/domain/user-status";
import { instant, sha256Hex } from "./digest";
import { NotFoundError } from "./errors";
import { eventResource } from "./events";
import type { SessionRepository } from "./ports";
import { isTicket, noteUse, type SessionDeps } from "./sessions";
import { spaceResource } from "./spaces";

/** Who reads, as far as permissions go. */
export interface Reader {
  readonly sessionId: string;
  readonly lastSeenAt: Instant;
  readonly userId: Uuid;
  readonly role: Role;
  readonly status: UserStatus;
  readonly groupIds: readonly Uuid[];
}

/** A record and who asks for it; null where there is none. */
export interface ReadByTicket<T> {
  readonly reader: Reader;
  readonly record: T | null;
}

/** Records with the session that asks for them, each in one statement. Null when there is no such session at `now`. */
export interface RecordReadRepository {
  event(
    sessionId: string,
    now: Instant,
    id: Uuid,
  ): Promise<ReadByTicket<{
    readonly event: Event;
    readonly space: Pick<Space, "ownerId" | "groupId">;
  }> | null>;
  space(sessionId: string, now: Instant, id: Uuid): Promise<ReadByTicket<Space> | null>;
}

/** What these reads need. */
export interface RecordReadDeps extends Pick<SessionDeps, "clock" | "defer"> {
  readonly sessions: Pick<SessionRepository, "touch">;
  readonly recordReads: RecordReadRepository;
}

/** Whose ticket asks for which record. */
export interface RecordReadInput {
  readonly ticket: string | null;
  readonly id: Uuid;
}

/** Asks for a record. Null when the ticket is nobody's. @throws NotFoundError when the record is not visible */
async function readRecord<T>(
  deps: RecordReadDeps,
  ticket: string | null,
  read: (sessionId: string, now: Instant) => Promise<ReadByTicket<T> | null>,
  resourceOf: (record: T) => Resource,
): Promise<T | null> {
  if (!isTicket(ticket)) return null;
  const found = await read(await sha256Hex(ticket), instant(deps.clock.now()));
  if (!found || !canLogIn(found.reader.status)) return null;
  const { reader, record } = found;
  noteUse(deps, { id: reader.sessionId, lastSeenAt: reader.lastSeenAt });
  if (record === null || !can(reader, "read", resourceOf(record))) throw new NotFoundError("record");
  return record;
}

/** An event with the status that holds now: see getEvent. Null when the ticket is nobody's. @throws NotFoundError when not visible */
export async function readEvent(
  deps: RecordReadDeps,
  { ticket, id }: RecordReadInput,
): Promise<(Event & { readonly currentStatus: EventStatusId }) | null> {
  const found = await readRecord(
    deps,
    ticket,
    (sessionId, now) => deps.recordReads.event(sessionId, now, id),
    ({ space }) => eventResource(space),
  );
  return found && { ...found.event, currentStatus: statusAt(found.event, deps.clock.now()) };
}

/** A space: see getSpace. Null when the ticket is nobody's. @throws NotFoundError when not visible */
export const readSpace = (deps: RecordReadDeps, { ticket, id }: RecordReadInput): Promise<Space | null> =>
  readRecord(deps, ticket, (sessionId, now) => deps.recordReads.space(sessionId, now, id), spaceResource);

/** `context.services.recordReads`. */
export const recordReadServices = (deps: RecordReadDeps) => ({
  readEvent: (input: RecordReadInput) => readEvent(deps, input),
  readSpace: (input: RecordReadInput) => readSpace(deps, input),
});
