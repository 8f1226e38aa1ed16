/** Counting visits of Published events (specification §4 and §9, decisions 030 and 095). */

import type { Repositories } from "#functions/data/shared/repositories";
import { addDays } from "~/domain/analytics/report-period";
import {
  cellCentre,
  dayOfHour,
  isWithinReach,
  readPlaceNode,
  SALT_GRACE_MS,
  type VisitDuration,
  type VisitedItem,
  type VisitorTraits,
  type VisitReport,
} from "~/domain/analytics/visit";
import type { Actor } from "~/domain/auth/actor";
import { EVENT_STATUS } from "~/domain/events/status";
import type { Instant, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { fromLocalInput, localHour } from "~/domain/shared/time-zone";
import { getEventStore } from "~/domain/store/event-store";
import { authenticate, type SessionDeps } from "../auth/sessions";
import { eventResource } from "../events/events";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import { eventAccess, type VisitorLink } from "../visitors/event-access";
import type { EventAccessSigner } from "../visitors/visitor-ports";
import type { VisitCountingRecord } from "./visit-counting-record";
import type { EventRooms, SaltStore, VisitAdmission, ZoneDay } from "./visit-ports";

/** Dependencies of counting visits. */
export interface VisitDeps
  extends Omit<SessionDeps, "audit">,
    Pick<Repositories, "events" | "visits" | "audit"> {
  readonly readVisitCountingRecord: (eventId: Uuid) => Promise<VisitCountingRecord | null>;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly eventAccessSigner: EventAccessSigner;
  readonly visitAdmission: VisitAdmission;
  readonly salts: SaltStore;
  /** The salt of a day, from the isolate's cache or from the store. */
  readonly saltOf: (day: ZoneDay) => Promise<string>;
  /** Returns 128 bits that identify a visitor. They cannot be traced to the visitor without the salt. */
  readonly hashVisitor: (salt: string, parts: readonly string[]) => string;
  readonly rooms: EventRooms;
  /** Logs a visit that is not counted, because its link is not open or its event is not Published now. `state` is EventAccess.state. */
  readonly onIgnored: (eventId: Uuid, state: string) => void;
}

/** The source of a visit, derived from the request. Only the traits (language, device and country) are stored. */
export interface VisitSource {
  /** See clientNetwork in functions/security. */
  readonly network: string;
  readonly userAgent: string;
  readonly isRobot: boolean;
  readonly traits: Omit<VisitorTraits, "from">;
  /** The ticket (the secret) of a session, if the browser has one. */
  readonly ticket: string | null;
}

/** A part of a visit: a page reports a visit in several parts. */
export interface LogVisitInput {
  /** `sid`: the space's public id, on legacy routes. */
  readonly link: VisitorLink & { readonly sid?: string };
  readonly report: Omit<VisitReport, "from"> & Pick<VisitorTraits, "from">;
  readonly source: VisitSource;
}

/**
 * Counts a part of a visit if it came through the public link of an event that is Published now and open to this visitor, within the rate limit, and not
 * from a robot or from a logged-in user who may change the event. It ignores items that do not belong to the event. Never fails because of invalid input.
 * @returns false when the event's room (its Durable Object) did not store it: the page must report it again
 */
export async function logVisit(deps: VisitDeps, input: LogVisitInput): Promise<boolean> {
  const { link, report, source } = input;
  if (link.mode !== "published" || source.isRobot) return true;
  if (!(await deps.visitAdmission.admits(source.network, source.userAgent))) return true;
  const record = await deps.readVisitCountingRecord(link.eventId);
  if (!record) return true;
  const at = deps.clock.now();
  const access = eventAccess(deps.eventAccessSigner, record, link, at);
  if (access.state !== "open" || access.statusId !== EVENT_STATUS.published) {
    deps.onIgnored(link.eventId, access.state);
    return true;
  }
  if (source.ticket !== null && (await isFromEditor(deps, record, source.ticket))) return true;

  const { timeZone } = record;
  const hour = localHour(at, timeZone);
  const salt = await deps.saltOf(zoneDay(dayOfHour(hour), timeZone));
  const visitor = deps.hashVisitor(salt, [source.network, source.userAgent, link.eventId]);
  const { visit, part, from } = report;
  const visitRecord = {
    eventId: record.event.id,
    visit,
    part,
    at,
    hour,
    visitor,
    traits: { ...source.traits, from },
    things: withoutDuplicates(report.things.filter((item) => belongsToEvent(record, item))),
    stays: sumByPlace(report.stays.map((dwellTime) => withKnownPlace(record, dwellTime))),
  };
  return deps.rooms.record(visitRecord, timeZone);
}

/** Counts an action that the server itself observed. @param from host of the other site from which the visitor came; empty for none */
export async function trackEvent(
  deps: VisitDeps,
  {
    item,
    from = "",
    ...input
  }: Omit<LogVisitInput, "report"> & { readonly item: VisitedItem; readonly from?: string },
): Promise<void> {
  const visit = deps.ids.uuid().replaceAll("-", "");
  await logVisit(deps, {
    ...input,
    report: { visit, part: 0, from: from || null, things: [item], stays: [] },
  });
}

async function isFromEditor(
  deps: VisitDeps,
  { space }: VisitCountingRecord,
  ticket: string,
): Promise<boolean> {
  const session = await authenticate(deps, { ticket });
  return session !== null && can(session.actor, "update", eventResource(space));
}

/** A day of a time zone. Its end is computed only when it is read, once a day, because that takes longer than counting a visit. */
const zoneDay = (day: string, timeZone: string): ZoneDay => ({
  timeZone,
  day,
  get endsAt() {
    return fromLocalInput(`${addDays(day, 1)}T00:00`, timeZone) as Instant;
  },
});

/**
 * Whether an item exists for the event's visitors. For products, carts and checkouts, this checks only that the event has a store, because the product
 * ids of a store are not stored here.
 */
function belongsToEvent(record: VisitCountingRecord, { act, id }: VisitedItem): boolean {
  if (act === "tag") return record.tags.some((tag) => tag.id === id);
  if (act === "media") return record.media.some((mediaItem) => mediaItem.id === id);
  return getEventStore(record.event.spStoreUrl, record.event.spAccessToken) !== null;
}

/** Returns a stay with the empty place if the space does not have the place. */
const withKnownPlace = (record: VisitCountingRecord, dwellTime: VisitDuration): VisitDuration =>
  hasPlace(record, dwellTime.place) ? dwellTime : { ...dwellTime, place: "" };

function hasPlace({ space: { source }, tags, scene }: VisitCountingRecord, place: string): boolean {
  const node = readPlaceNode(place);
  if (source.kind === "panorama") return source.nodes.some(({ id }) => id === node);
  const cell = cellCentre(place);
  if (cell === null) return node === null;
  const startViews = [scene.startView, source.kind === "showcase" ? null : source.start];
  const positions = [...startViews.map((start) => start?.position), ...tags.map(({ position }) => position)];
  return isWithinReach(
    cell,
    positions.filter((position) => position != null),
  );
}

/** Removes duplicates, so that they count once and are stored once. */
const withoutDuplicates = (items: readonly VisitedItem[]): readonly VisitedItem[] => [
  ...new Map(items.map((item) => [`${item.act} ${item.id}`, item])).values(),
];

/** Adds up the durations of each place. */
function sumByPlace(stays: readonly VisitDuration[]): readonly VisitDuration[] {
  const sums = new Map<string, number>();
  for (const { place, seconds } of stays) sums.set(place, (sums.get(place) ?? 0) + seconds);
  return [...sums].map(([place, seconds]) => ({ place, seconds }));
}

/** The visits that an actor deletes. */
export interface DeleteVisitsInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
}

/**
 * Deletes all visits of an event permanently.
 * @throws NotFoundError when the event is not visible
 * @throws ForbiddenError unless the actor may delete the event
 */
export async function deleteVisits(deps: VisitDeps, { actor, eventId }: DeleteVisitsInput): Promise<void> {
  const event = await deps.events.find(eventId);
  if (!event || !can(actor, "read", eventResource(event.space))) throw new NotFoundError("event");
  if (!can(actor, "delete", eventResource(event.space))) throw new ForbiddenError("delete visits");
  await deps.rooms.erase(eventId, deps.clock.now());
  await deps.audit.write(
    auditEntry(deps, actor, "event_visits_deleted", "event", eventId, { spaceId: event.space.id }),
  );
}

/**
 * Deletes expired data, for the cron trigger: salts of past days, and rows of live visitors of past minutes. A run deletes a limited number of rows.
 * The parts of visits expire in their rooms. Reports do not change. Returns the number of deleted rows, without the salts.
 */
export async function deleteExpiredVisits(
  deps: Pick<VisitDeps, "visits" | "salts" | "clock">,
): Promise<number> {
  const now = deps.clock.now();
  // Visitors cannot be recognised without salts. Salts are therefore deleted first, even if a later step fails.
  await deps.salts.deleteExpired(toInstant(now - SALT_GRACE_MS));
  return deps.visits.deleteExpired(toInstant(now));
}

/** `context.services.visits`. */
export const visitServices = (deps: VisitDeps) =>
  bindUseCases(deps, { logVisit, trackEvent, deleteVisits, deleteExpiredVisits });
