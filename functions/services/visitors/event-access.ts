import { pickTagFields, TAG_FIELD_NAMES } from "~/domain/content/tag-fields";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import { type PreparedPanoramas, preparedPanoramas } from "~/domain/library/prepared-panoramas";
import type {
  EventMedia,
  EventScene,
  EventStatusId,
  EventTag,
  Instant,
  LinkMode,
  Localized,
  SpaceSource,
  UrlParams,
  Uuid,
} from "~/domain/shared/model";
import { getEventStore } from "~/domain/store/event-store";
import { closedNotice, showsCover } from "~/domain/visitors/closed-event";
import { type EventLinks, linkAccess } from "~/domain/visitors/link-access";
import type { PasswordHasher, RateLimiter } from "../auth/auth-ports";
import { countUse, limitAttempts } from "../auth/limit-attempts";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import type { Clock } from "../shared/ports";
import type { EventAccessSigner, EventRecord } from "./visitor-ports";

/** Validity of the event access cookie after the publish password was entered, in milliseconds. */
export const EVENT_ACCESS_LIFETIME_MS = 12 * 3_600_000;

/** Dependencies of the use cases of visitors. */
export interface VisitorDeps {
  /** Reads an event's record: from the database, or from the isolate's cache after revalidating it. */
  readonly readRecord: (eventId: Uuid) => Promise<EventRecord | null>;
  readonly clock: Clock;
  readonly eventAccessSigner: EventAccessSigner;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
}

/** A visitor's link, from the request. */
export interface VisitorLink {
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  readonly token: string | null;
  /** Value of the signed cookie that proves the publish password. */
  readonly eventAccessCookie?: string | null;
}

/** A visitor's request for an event. */
export interface ReadVisitorInput extends VisitorLink {
  /** The space's sid (its public id), on legacy routes. */
  readonly sid?: string;
  /** Network for which wrong tokens are counted. */
  readonly network?: string;
}

/** A tag without its private fields, and only with media that still exist. */
export type VisitorTag = Omit<EventTag, "version" | "eventId" | "hidden">;
/** A media item without its private fields. */
export type VisitorMedia = Omit<EventMedia, "version" | "eventId" | "hidden"> & {
  /** Name of the smaller version of the file that viewers show first, among the files of the conversion. */
  readonly previewName: string | null;
  /** Size of the uploaded file in bytes; byteSize is the size of the file that visitors receive. */
  readonly originalSize: number;
};

/** The scene for visitors: only with visible stops and a visible floor plan. */
export type VisitorScene = Omit<EventScene, "version">;

/** The event data that visitors may receive, without link tokens, store token, password hash and owner. */
export interface VisitorEvent {
  readonly id: Uuid;
  readonly spaceId: Uuid;
  readonly eventName: Localized;
  readonly eventDetail: Localized;
  readonly startDate: Instant | null;
  readonly endDate: Instant | null;
  /** Current status. */
  readonly statusId: EventStatusId;
  readonly urlParams: UrlParams;
  /** Whether an online store is attached. Its URL and token stay on the server. */
  readonly hasStore: boolean;
  /** IANA time zone of its dates. */
  readonly timeZone: string;
  readonly revision: number;
  readonly space: {
    readonly id: Uuid;
    readonly name: string;
    readonly sid: string;
    readonly source: SpaceSource;
    readonly posterMediaId: Uuid | null;
    /** Name of the smaller version of the space's file that viewers show first, among the files of the conversion. */
    readonly previewName: string | null;
    /** Conversions of the space's panoramas, by the ids of their library items. */
    readonly panoramas: PreparedPanoramas;
  };
  /** Ordered by sortOrder. */
  readonly tags: readonly VisitorTag[];
  /** Ordered by createdOn (specification §3). */
  readonly media: readonly VisitorMedia[];
  readonly scene: VisitorScene;
}

/** The current state of a visitor's link. */
export type VisitorResult =
  /** The link shows the event. `record` contains secrets: only `event` may be sent. */
  | {
      readonly state: "open";
      readonly event: VisitorEvent;
      readonly record: EventRecord;
      /** Whether others than the visitor may receive it: the link is public and there is no publish password. */
      readonly isPublic: boolean;
    }
  /** The link is open, but the visitor must enter the publish password. The name and the cover are null unless the owner shows them. */
  | {
      readonly state: "locked";
      readonly event: {
        readonly id: Uuid;
        readonly eventName: Localized | null;
        readonly coverId: Uuid | null;
      };
    }
  /**
   * No such event, a wrong token, or a closed status. A caller cannot distinguish these cases, except that a visitor with the right token may see
   * when the event opens or that it has ended.
   */
  | { readonly state: "closed"; readonly hasNotice: boolean };

/** An attempt to enter an event's publish password. */
export interface PublishPasswordInput extends Omit<VisitorLink, "eventAccessCookie"> {
  readonly password: string;
  /** Network for which wrong passwords are counted. */
  readonly network: string;
}

/** Whether the publish password was right (specification §7). */
export type PublishPasswordResult =
  | { readonly success: false }
  /** `accessCookie` is the value of the event access cookie and its lifetime in seconds; null when the event has no password. */
  | {
      readonly success: true;
      readonly accessCookie: { readonly value: string; readonly maxAge: number } | null;
    };

/** The part of an event's record that decides on access. */
export interface AccessRecord {
  readonly event: EventLinks & Pick<EventRecord["event"], "id">;
  readonly space: Pick<EventRecord["space"], "sid">;
  readonly publishPasswordHash: string | null;
}

/** Access of a visitor's link to a record at `now`; `statusId` is the status at that time. */
export type EventAccess =
  | { readonly state: "open"; readonly statusId: EventStatusId }
  | { readonly state: "locked" }
  | { readonly state: "closed" };

/**
 * Decides what a link shows: checks the token and the status, then the sid of legacy routes, then the publish password. A pure function, so that cached
 * pages and rendered pages follow the same rule.
 */
export function eventAccess(
  eventAccessSigner: EventAccessSigner,
  record: AccessRecord,
  link: Omit<VisitorLink, "eventId"> & { readonly sid?: string },
  now: number,
): EventAccess {
  if (linkAccess(record.event, link.mode, link.token, now) === "closed") return { state: "closed" };
  if (link.sid !== undefined && link.sid !== record.space.sid) return { state: "closed" };
  const hash = record.publishPasswordHash;
  if (
    hash !== null &&
    !eventAccessSigner.verify(record.event.id, hash, link.eventAccessCookie ?? null, now)
  ) {
    return { state: "locked" };
  }
  return { state: "open", statusId: statusAt(record.event, now) };
}

/**
 * Reads the current state of a visitor's link. Without a cached record it takes one D1 round trip. With one, D1 is read only if the event has changed,
 * or if its room does not return the revision (functions/rooms).
 * @throws RateLimitedError for a wrong token after too many of them from one network; a correct token is never rejected
 */
export async function readVisitorEvent(deps: VisitorDeps, input: ReadVisitorInput): Promise<VisitorResult> {
  const now = deps.clock.now();
  const record = await deps.readRecord(input.eventId);
  const { state } = record
    ? eventAccess(deps.eventAccessSigner, record, input, now)
    : ({ state: "closed" } as const);
  if (!record || state === "closed") {
    // A correct token is not counted, whatever the status and the sid.
    if (!record || !fitsLink(record, { ...input, sid: undefined })) await countWrongToken(deps, input);
    const fits = record !== null && fitsLink(record, input);
    return { state: "closed", hasNotice: fits && closedNotice(record.event, input.mode, now) !== null };
  }
  const { id, eventName } = record.event;
  const isNamed = showsCover(record.event, input.mode, now);
  return state === "locked"
    ? {
        state,
        event: {
          id,
          eventName: isNamed ? eventName : null,
          coverId: isNamed ? record.space.posterMediaId : null,
        },
      }
    : {
        state,
        event: toVisitorEvent(record, now),
        record,
        isPublic: input.mode === "published" && record.publishPasswordHash === null,
      };
}

/**
 * Checks an event's publish password (specification §7). Runs scrypt at most once.
 * @throws NotFoundError when the link is not open
 * @throws RateLimitedError after too many wrong passwords from one network for this event, or for this event from all networks together
 */
export async function authenticatePublishPassword(
  deps: VisitorDeps,
  input: PublishPasswordInput,
): Promise<PublishPasswordResult> {
  const now = deps.clock.now();
  const record = await deps.readRecord(input.eventId);
  if (!record || linkAccess(record.event, input.mode, input.token, now) === "closed")
    throw new NotFoundError("event");
  const hash = record.publishPasswordHash;
  if (hash === null) return { success: true, accessCookie: null };
  const keys = [`place:event-password:${input.network}:${input.eventId}`, `event:password:${input.eventId}`];
  const accessCookie = await limitAttempts(deps.limiter, keys, "publish password", async () => {
    if (input.password.length > 1024 || !(await deps.hasher.verify(input.password, hash))) return null;
    return {
      value: deps.eventAccessSigner.sign(record.event.id, hash, now + EVENT_ACCESS_LIFETIME_MS),
      maxAge: EVENT_ACCESS_LIFETIME_MS / 1000,
    };
  });
  return accessCookie ? { success: true, accessCookie } : { success: false };
}

/** Returns the file of an event if the link may load it, otherwise null. A closed or locked link may load only a cover that its page shows. */
export async function visitorFile(deps: VisitorDeps, link: VisitorLink, itemId: Uuid) {
  const record = await deps.readRecord(link.eventId);
  if (!record) return null;
  const now = deps.clock.now();
  const isCover = itemId === record.space.posterMediaId && fitsLink(record, link);
  const isVisible =
    eventAccess(deps.eventAccessSigner, record, link, now).state === "open" ||
    (isCover && showsCover(record.event, link.mode, now));
  if (!isVisible) return null;
  return Object.hasOwn(record.files, itemId) ? (record.files[itemId] ?? null) : null;
}

/** Returns the part of a record that visitors may see at `now` (epoch milliseconds). Fields are copied by name, so that new fields stay private. */
export function toVisitorEvent(record: EventRecord, now: number): VisitorEvent {
  const { event } = record;
  return {
    id: event.id,
    spaceId: event.spaceId,
    eventName: event.eventName,
    eventDetail: event.eventDetail,
    startDate: event.startDate,
    endDate: event.endDate,
    statusId: statusAt(event, now),
    urlParams: event.urlParams,
    hasStore: getEventStore(event.spStoreUrl, event.spAccessToken) !== null,
    timeZone: record.timeZone,
    revision: record.revision,
    space: visitorSpace(record),
    tags: record.tags.map(visitorTag),
    media: record.media.map((mediaItem) => visitorMedia(mediaItem, record.files)),
    scene: visitorScene(record.scene),
  };
}

const visitorSpace = ({ space, files }: Pick<EventRecord, "space" | "files">) => ({
  id: space.id,
  name: space.name,
  sid: space.sid,
  source: space.source,
  posterMediaId: space.posterMediaId,
  previewName: "mediaId" in space.source ? previewOf(space.source.mediaId, files) : null,
  panoramas: preparedPanoramas(space.source, files),
});

const previewOf = (itemId: Uuid, files: EventRecord["files"]): string | null => {
  const preparation = files[itemId]?.preparation;
  return preparation?.display ? preparation.preview : null;
};

const visitorScene = ({ startView, tour, plan, products }: EventScene): VisitorScene => ({
  startView,
  tour,
  plan,
  products,
});

const VISITOR_TAG_FIELDS = TAG_FIELD_NAMES.filter((name) => name !== "hidden");

const visitorTag = (tag: EventTag): VisitorTag => ({
  id: tag.id,
  ...pickTagFields(tag, VISITOR_TAG_FIELDS),
  sortOrder: tag.sortOrder,
});

const visitorMedia = (mediaItem: EventMedia, files: EventRecord["files"]): VisitorMedia => ({
  id: mediaItem.id,
  libraryItemId: mediaItem.libraryItemId,
  kind: mediaItem.kind,
  title: mediaItem.title,
  description: mediaItem.description,
  mimeType: mediaItem.mimeType,
  byteSize: mediaItem.byteSize,
  width: mediaItem.width,
  height: mediaItem.height,
  duration: mediaItem.duration,
  hasThumbnail: mediaItem.hasThumbnail,
  placement: mediaItem.placement,
  web: mediaItem.web,
  previewName: previewOf(mediaItem.libraryItemId, files),
  originalSize: files[mediaItem.libraryItemId]?.byteSize ?? mediaItem.byteSize,
  createdOn: mediaItem.createdOn,
});

/** Whether a link has the event's token, and on legacy routes the space's sid. The status does not matter. */
export function fitsLink(
  { event, space }: EventRecord,
  { mode, token, sid }: Pick<VisitorLink, "mode" | "token"> & { readonly sid?: string },
): boolean {
  const publishedStatus = { statusId: EVENT_STATUS.published, enableAutoChangeStatus: false } as const;
  return (
    linkAccess({ ...event, ...publishedStatus }, mode, token, 0) === "open" &&
    (sid ?? space.sid) === space.sid
  );
}

/** Logs and counts a wrong token. Does nothing without a token or a network. @throws RateLimitedError after too many from the same network */
async function countWrongToken(deps: VisitorDeps, input: ReadVisitorInput): Promise<void> {
  if (!input.network || !input.token) return;
  deps.limiter.note("event token", "wrong", null);
  await countUse(deps.limiter, [`place:token:${input.network}`], "event token");
}

/** `context.services.visitors`. */
export const visitorServices = (deps: VisitorDeps) =>
  bindUseCases(deps, { readVisitorEvent, authenticatePublishPassword });
