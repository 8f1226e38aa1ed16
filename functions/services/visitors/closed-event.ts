import type { Repositories } from "#functions/data/shared/repositories";
import { isLinkOpen, statusAt } from "~/domain/events/status";
import type { Instant, LinkMode, Localized, User, Uuid } from "~/domain/shared/model";
import { formatName } from "~/domain/users/format-name";
import { type ClosedNotice, closedNotice, showsCover } from "~/domain/visitors/closed-event";
import { bindUseCases } from "../shared/bind";
import { fitsLink, type VisitorDeps, type VisitorLink } from "./event-access";
import type { EventRecord } from "./visitor-ports";

/** Dependencies of the page of a closed event. */
export interface ClosedEventDeps extends Pick<VisitorDeps, "readRecord" | "clock"> {
  readonly users: Pick<Repositories["users"], "find">;
}

/** Data of an event whose link is closed, for visitors with the right token. */
export interface ClosedEvent {
  readonly notice: ClosedNotice;
  /** Null if only the publish password gives access to it. */
  readonly name: Localized | null;
  /** Library item of the cover image (the space's thumbnail); null without one, or if only the publish password gives access to it. */
  readonly coverId: Uuid | null;
  /** The owner's company, or else the owner's name; null without either, or if only the publish password gives access to it. */
  readonly organizer: string | null;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  /** IANA time zone of the event's dates. */
  readonly timeZone: string;
}

/** The state of a visitor's link. */
export type ClosedResult =
  | ({ readonly state: "closed" } & ClosedEvent)
  | { readonly state: "open" }
  /** No such event, a wrong token, or an event that will not open automatically. A caller cannot distinguish these cases. */
  | { readonly state: "unknown" };

/** Reads the state of a visitor's link; for a closed one, with the data that the visitor may receive. */
export async function readClosedEvent(
  deps: ClosedEventDeps,
  input: Pick<VisitorLink, "eventId" | "mode" | "token"> & {
    /** The space's sid (its public id), on legacy routes. */
    readonly sid?: string;
  },
): Promise<ClosedResult> {
  const record = await deps.readRecord(input.eventId);
  if (!record || !fitsLink(record, input)) return { state: "unknown" };
  return closedEventAt(deps, record, input.mode, deps.clock.now());
}

/** Returns the state of a link at a time, without checking the reader's access. */
export async function closedEventAt(
  deps: Pick<ClosedEventDeps, "users">,
  { event, space, timeZone }: EventRecord,
  mode: LinkMode,
  now: number,
): Promise<ClosedResult> {
  const notice = closedNotice(event, mode, now);
  if (!notice) return { state: isLinkOpen(statusAt(event, now), mode) ? "open" : "unknown" };
  const isNamed = showsCover(event, mode, now);
  const owner = isNamed ? await deps.users.find(space.ownerId) : null;
  return {
    state: "closed",
    notice,
    name: isNamed ? event.eventName : null,
    coverId: isNamed ? space.posterMediaId : null,
    organizer: owner && organizerName(owner),
    startDate: event.startDate,
    endDate: event.endDate,
    timeZone,
  };
}

/** Returns the owner's company, or else the owner's name; never the email address. */
const organizerName = (owner: Pick<User, "firstName" | "lastName" | "companyName">): string | null =>
  owner.companyName || formatName({ ...owner, email: "" }) || null;

/** Use cases in `context.services.visitors`. */
export const closedEventServices = (deps: ClosedEventDeps) => bindUseCases(deps, { readClosedEvent });
