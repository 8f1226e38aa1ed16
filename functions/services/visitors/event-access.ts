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
import { storeOf } from "~/domain/store/store-of";
import { closedNotice, showsCover } from "~/domain/visitors/closed-event";
import { linkAccess } from "~/domain/visitors/link-access";
import type { PasswordHasher, RateLimiter } from "../auth/auth-ports";
import { countUse, limitAttempts } from "../auth/limit-attempts";
import { bindUseCases } from "../shared/bind";
import { NotFoundError } from "../shared/errors";
import type { Clock } from "../shared/ports";
import type { EventAccessSigner, EventRecord } from "./visitor-ports";

/** How long a visitor's authentication flag holds, in milliseconds. */
export const EVENT_ACCESS_LIFETIME = 12 * 3_600_000;

/** Dependencies of the use cases of visitors. */
export interface VisitorDeps {
  /** Reads an event's record: from the database, or from what the isolate keeps and has revalidated. */
  readonly readRecord: (eventId: Uuid) => Promise<EventRecord | null>;
  readonly clock: Clock;
  readonly flags: EventAccessSigner;
  readonly hasher: PasswordHasher;
  readonly limiter: RateLimiter;
}

/** A visitor's link, as presented. */
export interface VisitorLink {
  readonly eventId: Uuid;
  readonly mode: LinkMode;
  readonly token: string | null;
  /** The signed flag of the publish password, from its cookie. */
  readonly eventAccessCookie?: string | null;
}

/** A visitor's request for an event. */
export interface ReadVisitorInput extends VisitorLink {
  /** The space's sid, on legacy routes. */
  readonly sid?: string;
  /** Address that wrong tokens are counted for. */
  readonly ip?: string;
}

/** A tag as visitors see it: only media that still exist. */
export type VisitorTag = Omit<EventTag, "version" | "eventId" | "hidden">;
/** A medium as visitors see it, without the version that only its editor needs. */
export type VisitorMedia = Omit<EventMedia, "version" | "eventId" | "hidden"> & {
  /** The smaller version of its file that viewers show first: its name among the files of the conversion. */
  readonly preview: string | null;
  /** Bytes of the file as it was uploaded; byteSize is that of what visitors receive. */
  readonly originalSize: number;
};

/** The scene as visitors see it: stops and a plan of what they see. */
export type VisitorScene = Omit<EventScene, "version">;

/** The event data that visitors may receive: no token, no store token, no hash, no owner. */
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
  /** Whether an online store is attached. Its address and token stay here. */
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
    /** The smaller version of its file that viewers show first: its name among the files of the conversion. */
    readonly preview: string | null;
    /** Conversions of its panoramas, by the ids of their library items. */
    readonly panoramas: PreparedPanoramas;
  };
  /** In their order. */
  readonly tags: readonly VisitorTag[];
  /** By createdOn (§3). */
  readonly media: readonly VisitorMedia[];
  readonly scene: VisitorScene;
}

/** The current content of a visitor's link. */
export type VisitorResult =
  /** The link shows the event. `record` is the server's own copy: nothing of it but `event` may leave. */
  | {
      readonly state: "open";
      readonly event: VisitorEvent;
      readonly record: EventRecord;
      /** Whether it may be told to others than the visitor: a public link, and no publish password. */
      readonly isPublic: boolean;
    }
  /** The link is open but the event asks for its publish password first. The name and the cover are null unless the owner shows them. */
  | {
      readonly state: "locked";
      readonly event: {
        readonly id: Uuid;
        readonly eventName: Localized | null;
        readonly coverId: Uuid | null;
      };
    }
  /**
   * No such event, a wrong token, a closed status: not told apart, except that a visitor with the right token may see when the event
   * opens or that it has ended.
   */
  | { readonly state: "closed"; readonly hasNotice: boolean };

/** A guess at an event's publish password. */
export interface PublishPasswordInput extends Omit<VisitorLink, "eventAccessCookie"> {
  readonly password: string;
  /** Where wrong guesses are counted against. */
  readonly ip: string;
}

/** Whether the publish password was right (§7). */
export type PublishPasswordResult =
  | { readonly success: false }
  /** `flag` goes into the visitor's cookie for `maxAge` seconds; null when the event has no password. */
  | { readonly success: true; readonly flag: { readonly value: string; readonly maxAge: number } | null };

/** The access of a visitor's link to a record at `now`; `statusId` is the status at that time. */
export type EventAccess =
  | { readonly state: "open"; readonly statusId: EventStatusId }
  | { readonly state: "locked" }
  | { readonly state: "closed" };

/**
 * The one rule of what a link shows: link access, then the legacy sid, then the publish password. Pure, so that a kept page
 * is guarded by the same rule as a rendered one.
 */
export function eventAccess(
  flags: EventAccessSigner,
  record: EventRecord,
  link: Omit<VisitorLink, "eventId"> & { readonly sid?: string },
  now: number,
): EventAccess {
  if (linkAccess(record.event, link.mode, link.token, now) === "closed") return { state: "closed" };
  if (link.sid !== undefined && link.sid !== record.space.sid) return { state: "closed" };
  const hash = record.publishPasswordHash;
  if (hash !== null && !flags.verify(record.event.id, hash, link.eventAccessCookie ?? null, now)) {
    return { state: "locked" };
  }
  return { state: "open", statusId: statusAt(record.event, now) };
}

/**
 * The current content of a visitor's link. Cold: one D1 round trip; hot: none or one row, as readRecord decides.
 * @throws RateLimitedError for a wrong token after too many of them from one network; a correct token is never rejected
 */
export async function readVisitorEvent(deps: VisitorDeps, input: ReadVisitorInput): Promise<VisitorResult> {
  const now = deps.clock.now();
  const record = await deps.readRecord(input.eventId);
  const { state } = record ? eventAccess(deps.flags, record, input, now) : ({ state: "closed" } as const);
  if (!record || state === "closed") {
    // A right token is no guess, whatever the status and the sid.
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
 * Checks an event's publish password (§7). It runs one scrypt, whatever the result, if the event has a password.
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
  if (hash === null) return { success: true, flag: null };
  const keys = [`place:event-password:${input.ip}:${input.eventId}`, `event:password:${input.eventId}`];
  const flag = await limitAttempts(deps.limiter, keys, "publish password", async () => {
    if (input.password.length > 1024 || !(await deps.hasher.verify(input.password, hash))) return null;
    return {
      value: deps.flags.sign(record.event.id, hash, now + EVENT_ACCESS_LIFETIME),
      maxAge: EVENT_ACCESS_LIFETIME / 1000,
    };
  });
  return flag ? { success: true, flag } : { success: false };
}

/** Whether a link may fetch a file of the event, and which. Null for anything else: closed, locked, not the event's. */
export async function visitorFile(deps: VisitorDeps, link: VisitorLink, itemId: Uuid) {
  const record = await deps.readRecord(link.eventId);
  if (!record) return null;
  const now = deps.clock.now();
  const isCover = itemId === record.space.posterMediaId && fitsLink(record, link);
  const isVisible =
    eventAccess(deps.flags, record, link, now).state === "open" ||
    (isCover && showsCover(record.event, link.mode, now));
  if (!isVisible) return null;
  return Object.hasOwn(record.files, itemId) ? (record.files[itemId] ?? null) : null;
}

/**
 * The part of a record that visitors may see, at `now` (epoch milliseconds). Fields are copied by name, so that new fields stay private.
 */
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
    hasStore: storeOf(event.spStoreUrl, event.spAccessToken) !== null,
    timeZone: record.timeZone,
    revision: record.revision,
    space: visitorSpace(record),
    tags: record.tags.map(visitorTag),
    media: record.media.map((medium) => visitorMedia(medium, record.files)),
    scene: visitorScene(record.scene),
  };
}

const visitorSpace = ({ space, files }: Pick<EventRecord, "space" | "files">) => ({
  id: space.id,
  name: space.name,
  sid: space.sid,
  source: space.source,
  posterMediaId: space.posterMediaId,
  preview: "mediaId" in space.source ? previewOf(space.source.mediaId, files) : null,
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

const visitorMedia = (medium: EventMedia, files: EventRecord["files"]): VisitorMedia => ({
  id: medium.id,
  libraryItemId: medium.libraryItemId,
  kind: medium.kind,
  title: medium.title,
  description: medium.description,
  mimeType: medium.mimeType,
  byteSize: medium.byteSize,
  width: medium.width,
  height: medium.height,
  duration: medium.duration,
  hasStill: medium.hasStill,
  placement: medium.placement,
  web: medium.web,
  preview: previewOf(medium.libraryItemId, files),
  originalSize: files[medium.libraryItemId]?.byteSize ?? medium.byteSize,
  createdOn: medium.createdOn,
});

/** Whether a link has the event's token, and the space's sid on legacy routes. The status does not matter. */
export function fitsLink(
  { event, space }: EventRecord,
  { mode, token, sid }: Pick<VisitorLink, "mode" | "token"> & { readonly sid?: string },
): boolean {
  const published = { statusId: EVENT_STATUS.published, enableAutoChangeStatus: false } as const;
  return (
    linkAccess({ ...event, ...published }, mode, token, 0) === "open" && (sid ?? space.sid) === space.sid
  );
}

/** Counts a wrong token as a guess. */
async function countWrongToken(deps: VisitorDeps, input: ReadVisitorInput): Promise<void> {
  if (!input.ip || !input.token) return;
  deps.limiter.note("event token", "wrong", null);
  await countUse(deps.limiter, [`place:token:${input.ip}`], "event token");
}

/** `context.services.visitors`. */
export const visitorServices = (deps: VisitorDeps) =>
  bindUseCases(deps, { readVisitorEvent, authenticatePublishPassword });
