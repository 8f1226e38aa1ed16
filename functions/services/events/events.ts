import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { changedFields } from "~/domain/events/event-changes";
import type { EventFormValue } from "~/domain/events/event-form";
import { nameKeys } from "~/domain/events/event-texts";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import type { EventTemplateName } from "~/domain/events/templates/template-names";
import { LANGS } from "~/domain/shared/lang";
import type { Event, EventStatusId, Instant, Lang, Localized, Space, Uuid } from "~/domain/shared/model";
import { type Action, can } from "~/domain/shared/permissions";
import { nameKey } from "~/domain/shared/text";
import type { PasswordHasher } from "../auth/auth-ports";
import { listPersonalWords, type PasswordRuleDeps, requireStrongPassword } from "../auth/password-rule";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { pageRequest } from "../shared/page-request";
import type { Clock, IdSource, Page } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { WebhookOwner } from "../webhooks/webhook-ports";
import type {
  EventEditorData,
  EventInSpace,
  EventValues,
  NewContent,
  NewEvent,
  PasswordHashChange,
} from "./event-ports";
import { templateContent, withTemplateTexts } from "./template-content";

/** Dependencies of the use cases of events. */
export interface EventDeps extends PasswordRuleDeps, Pick<Repositories, "events" | "spaces"> {
  readonly users: Pick<Repositories["users"], "find">;
  readonly hasher: PasswordHasher;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Called after every change of an event; drops this isolate's cached data of the event. */
  readonly onEventChanged: (eventId: Uuid) => void;
  /** Sends the webhook messages of a change, selected by event or owner, after the response. The cron trigger sends those of automatic status changes. */
  readonly publishWebhookEvents: (owner: WebhookOwner) => void;
}

/** Dependencies of storing statuses that changed automatically. */
export type StatusDeps = Pick<EventDeps, "clock" | "ids" | "onEventChanged"> & {
  readonly events: Pick<EventDeps["events"], "listDueForStatus" | "persistStatuses">;
};

/** Number of statuses that are stored in one batch. */
const STATUSES_PER_BATCH = 25;

/** An event with its current status; the saved status may be older. */
export type EventListItem = Event & { readonly currentStatus: EventStatusId };

/** A space with one page of its events, newest first. */
export interface SpaceEvents {
  readonly space: Space;
  readonly events: Page<EventListItem>;
}

/** Data of the event editor, with the current status. */
export interface EventForEditor extends EventEditorData {
  readonly currentStatus: EventStatusId;
}

/** The space whose events are requested, and the page. */
export interface ListEventsInput {
  readonly actor: Actor;
  readonly spaceId: Uuid;
  /** Page number from 1; default 1. */
  readonly page?: number;
  readonly pageSize?: number;
}

/** A new event: its name alone, or the whole form. */
export interface CreateEventInput {
  readonly actor: Actor;
  readonly spaceId: Uuid;
  /** Checked by the schema of its form. */
  readonly eventName: Localized;
  /** The whole event form. If given, its name replaces `eventName`. */
  readonly values?: EventFormValue;
  /** Template whose texts, tags, tour and start view the event begins with (decision 090); absent for an empty event. */
  readonly template?: { readonly name: EventTemplateName; readonly lang: Lang };
}

/** A save of the event form. */
export interface UpdateEventInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  /** Checked by the schema of its form; contains the version that the form was filled from. */
  readonly values: EventFormValue;
}

/** Result of saving the event form. */
export type UpdateEventResult =
  | { readonly status: "updated"; readonly event: EventListItem }
  /** The save wrote nothing: the form equals the saved values (specification §5). */
  | { readonly status: "unchanged"; readonly event: EventListItem }
  /** The save wrote nothing: the event was saved in between. */
  | { readonly status: "conflict"; readonly saved: Event; readonly submitted: EventFormValue };

const NAME_TAKEN = [{ key: "events:errors.eventName.taken" }] as const;

/** Error for the field `eventName` when another event of the same space already has the name (specification §8). */
export const EVENT_NAME_TAKEN = { eventName: NAME_TAKEN } as const;

/** An event name and its space. */
interface NameInSpace {
  readonly spaceId: Uuid;
  readonly name: Localized;
  /** The event with this name; absent for a new event. */
  readonly eventId?: Uuid;
}

/** Returns each language whose text of the name is already used by another event of the space, in whichever language (specification §5). */
async function takenLangs(
  deps: Pick<EventDeps, "events">,
  { spaceId, name, eventId }: NameInSpace,
): Promise<readonly Lang[]> {
  const takenNames = await deps.events.listTakenNames(spaceId, nameKeys(name), eventId ?? null);
  return LANGS.filter((lang) => name[lang] !== "" && takenNames.includes(nameKey(name[lang])));
}

/** Returns the error of a taken name, for the field of each language in which it is taken. */
export async function nameTakenError(
  deps: Pick<EventDeps, "events">,
  nameInSpace: NameInSpace,
): Promise<InvalidError> {
  const langs = await takenLangs(deps, nameInSpace);
  // `langs` is empty if the other event was renamed meanwhile.
  const fields =
    langs.length === 0
      ? EVENT_NAME_TAKEN
      : Object.fromEntries(langs.map((lang) => [`eventName.${lang}`, NAME_TAKEN]));
  return new InvalidError(fields, "event_name_taken");
}

/** Returns the languages in which a name is taken, for the check while the form is filled in. @throws NotFoundError when the event is not visible */
export async function checkEventName(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly name: Localized },
): Promise<readonly Lang[]> {
  const { event } = await findVisible(deps, input);
  return takenLangs(deps, { spaceId: event.spaceId, name: input.name, eventId: event.id });
}

/** The permissions of an event are those of its space. */
export const eventResource = (space: Pick<Space, "ownerId" | "groupId">) =>
  ({ type: "event", ownerId: space.ownerId, groupId: space.groupId }) as const;

const withStatus = (event: Event, now: number): EventListItem => ({
  ...event,
  currentStatus: statusAt(event, now),
});

/** Initial values of an event: Unpublished, without dates, store or details. */
export const emptyValues = (eventName: Localized): EventValues => ({
  eventName,
  startDate: null,
  endDate: null,
  statusId: EVENT_STATUS.unpublished,
  enableAutoChangeStatus: true,
  eventDetail: { ja: "", en: "" },
  spStoreUrl: null,
  spAccessToken: null,
  showBeforePassword: false,
  urlParams: {},
});

/** Creates the record of a new event, with unguessable link tokens. */
export function newEvent(
  ids: IdSource,
  spaceId: Uuid,
  createdAt: Instant,
  values: EventValues,
  {
    publishPasswordHash = null,
    content = null,
  }: { readonly publishPasswordHash?: string | null; readonly content?: NewContent | null } = {},
): NewEvent {
  return {
    id: ids.uuid(),
    spaceId,
    accessToken: ids.token(),
    previewAccessToken: ids.token(),
    values,
    publishPasswordHash,
    content,
    createdAt,
  };
}

/** Lists the events of a space, newest first; 20 per page by default. @throws NotFoundError when the space is not visible */
export async function listEvents(deps: EventDeps, input: ListEventsInput): Promise<SpaceEvents> {
  const page = pageRequest(input.page, input.pageSize);
  const [space, items] = await Promise.all([
    deps.spaces.find(input.spaceId),
    deps.events.listBySpace(input.spaceId, page),
  ]);
  if (!space || !can(input.actor, "list", eventResource(space))) throw new NotFoundError("space");
  const now = deps.clock.now();
  return {
    space,
    events: { ...page, items: items.map((event) => withStatus(event, now)), total: space.eventCount },
  };
}

/** The actor's own events in all spaces, newest first. */
export async function listOwnEvents(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly page?: number; readonly pageSize?: number },
): Promise<Page<EventListItem>> {
  const page = await deps.events.listByOwner(input.actor.userId, pageRequest(input.page, input.pageSize));
  const now = deps.clock.now();
  return { ...page, items: page.items.map((event) => withStatus(event, now)) };
}

/**
 * The data of the editor: the event, its space, tags and media.
 * @throws NotFoundError when not visible
 */
export async function getEvent(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<EventForEditor> {
  const event = await deps.events.findForEditor(input.eventId);
  if (!event || !can(input.actor, "read", eventResource(event.space))) throw new NotFoundError("event");
  return { ...event, currentStatus: statusAt(event.event, deps.clock.now()) };
}

/**
 * Adds an event to a space with new link tokens: Unpublished and empty, or with the values of a whole form, and with the content of a template if
 * given.
 * @throws NotFoundError when the space is not visible, ForbiddenError when the actor may not create events in it
 * @throws InvalidError event_name_taken when another event of the space has that name (specification §5); weak_password; or when the
 *   form leaves the store token undefined
 * @throws LimitError too_many_events, too_many_space_events; content_full when there is no room for a template
 */
export async function createEvent(deps: EventDeps, input: CreateEventInput): Promise<EventListItem> {
  const space = await deps.spaces.find(input.spaceId);
  if (!space || !can(input.actor, "read", spaceResource(space))) throw new NotFoundError("space");
  requirePermission(input.actor, "create", space);
  const { values: form, template } = input;
  const formValues = form ? toEventValues(form, null) : emptyValues(input.eventName);
  const values = template
    ? await templateValues(deps, { spaceId: space.id, formValues, template })
    : formValues;
  const hash = (form && (await hashNewPassword(deps, form, space))) ?? null;
  const createdAt = toInstant(deps.clock.now());
  const content = template ? templateContent(deps, template, { start: spaceStartView(space) }) : null;
  const event = newEvent(deps.ids, space.id, createdAt, values, { publishPasswordHash: hash, content });
  const result = await deps.events.create(
    event,
    auditEntry(deps, input.actor, "event_created", "event", event.id, {
      spaceId: space.id,
      ...(template && { template: template.name }),
    }),
  );
  if (result === "no_space") throw new NotFoundError("space");
  if (result === "name_taken")
    throw await nameTakenError(deps, { spaceId: space.id, name: values.eventName });
  if (result !== "created") throw limitReached(result);
  deps.publishWebhookEvents({ eventId: event.id });
  const { id, spaceId, accessToken, previewAccessToken } = event;
  if (content) {
    // Read again, because writing the content has increased the event's revision (its change counter).
    const created = await deps.events.find(id);
    if (!created) throw new NotFoundError("event");
    return withStatus(created.event, deps.clock.now());
  }
  return withStatus(
    {
      ...event.values,
      id,
      spaceId,
      accessToken,
      previewAccessToken,
      createdAt,
      hasPublishPassword: hash !== null,
      updatedAt: createdAt,
      version: 1,
      revision: 1,
    },
    deps.clock.now(),
  );
}

/** The values of an event from a template. A suggested name that another event has is left out, because the user has not typed it. */
async function templateValues(
  deps: EventDeps,
  {
    spaceId,
    formValues,
    template,
  }: {
    readonly spaceId: Uuid;
    readonly formValues: EventValues;
    readonly template: NonNullable<CreateEventInput["template"]>;
  },
): Promise<EventValues> {
  const values = withTemplateTexts(formValues, template.name);
  const takenLanguages = await takenLangs(deps, { spaceId, name: values.eventName });
  const takenSuggestions = takenLanguages.filter((lang) => formValues.eventName[lang] === "");
  const eventName = {
    ...values.eventName,
    ...Object.fromEntries(takenSuggestions.map((lang) => [lang, ""])),
  };
  return { ...values, eventName };
}

/**
 * Saves the whole event form, or nothing if it changes nothing.
 * @throws NotFoundError when the event is not visible or was deleted meanwhile, ForbiddenError when the actor may not change it or its status
 * @throws InvalidError event_name_taken and weak_password as createEvent, or when the form keeps the saved store token although there
 *   is none or the store's URL changes
 * @throws LimitError content_full when the content of the owner's events has reached twice its limit; before that, an event can still be saved, for
 * example to close it
 */
export async function updateEvent(deps: EventDeps, input: UpdateEventInput): Promise<UpdateEventResult> {
  const { event, space } = await findVisible(deps, input);
  requirePermission(input.actor, "update", space);
  const { version } = input.values;
  const fields = changedFields(event, input.values);
  // Another user may have changed other fields since, but this form equals the saved values and overwrites nothing.
  if (fields.length === 0) return { status: "unchanged", event: withStatus(event, deps.clock.now()) };
  if (event.version !== version) return { status: "conflict", saved: event, submitted: input.values };
  const values = toEventValues(input.values, event);
  if (event.statusId !== values.statusId) requirePermission(input.actor, "changeStatus", space);

  const result = await deps.events.update(
    event.id,
    version,
    values,
    await hashNewPassword(deps, input.values, space),
    toInstant(deps.clock.now()),
    auditEntry(deps, input.actor, "event_updated", "event", event.id, {
      fields,
      ...(event.statusId !== values.statusId && { status: [event.statusId, values.statusId] }),
    }),
  );
  if (result.status === "name_taken")
    throw await nameTakenError(deps, { spaceId: space.id, name: values.eventName, eventId: event.id });
  if (result.status === "content_full") throw limitReached("content_full");
  if (result.status === "stale") {
    if (!result.saved) throw new NotFoundError("event");
    return { status: "conflict", saved: result.saved, submitted: input.values };
  }
  deps.onEventChanged(event.id);
  deps.publishWebhookEvents({ eventId: event.id });
  return { status: "updated", event: withStatus(result.event, deps.clock.now()) };
}

/**
 * Saves the statuses that the dates have changed, for example when an event closes by itself, so that lists and filters are right. Called by the
 * alarm of functions/rooms/status-alarm.ts every few seconds, and by the cron trigger; visitors' pages do not depend on it.
 * @param options `limit`: maximum number of events in one call
 * @returns the number of saved statuses
 * @throws the last failure, after the other statuses were saved
 */
export async function persistDueStatuses(
  deps: StatusDeps,
  { limit = 100 }: { readonly limit?: number } = {},
): Promise<number> {
  const now = deps.clock.now();
  const instant = toInstant(now);
  const dueEvents = (await deps.events.listDueForStatus(instant, limit)).flatMap((event) => {
    const newStatus = statusAt(event, now);
    if (newStatus === event.statusId) return [];
    const status = [event.statusId, newStatus];
    return [
      {
        event,
        to: newStatus,
        entry: auditEntry(deps, null, "event_status_settled", "event", event.id, { status }),
      },
    ];
  });
  let savedCount = 0;
  let failure: unknown;
  const persist = async (changes: typeof dueEvents) => {
    const ids = await deps.events.persistStatuses(changes, instant);
    savedCount += ids.length;
    for (const id of ids) deps.onEventChanged(id);
  };
  for (let start = 0; start < dueEvents.length; start += STATUSES_PER_BATCH) {
    const changes = dueEvents.slice(start, start + STATUSES_PER_BATCH);
    try {
      await persist(changes);
    } catch {
      // One event that cannot be stored must not prevent the others from being stored.
      for (const change of changes)
        await persist([change]).catch((error) => {
          failure = error;
        });
    }
  }
  if (failure) throw failure;
  return savedCount;
}

/** The saved start view of a space; null if there is none, and for a showcase (a Matterport scan), which has its own. */
export const spaceStartView = ({ source }: Space) => (source.kind === "showcase" ? null : source.start);

const spaceResource = (space: Space) =>
  ({ type: "space", ownerId: space.ownerId, groupId: space.groupId }) as const;

async function findVisible(
  deps: EventDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<EventInSpace> {
  const event = await deps.events.find(input.eventId);
  if (!event || !can(input.actor, "read", eventResource(event.space))) throw new NotFoundError("event");
  return event;
}

function requirePermission(actor: Actor, action: Action, space: Space): void {
  if (!can(actor, action, eventResource(space))) throw new ForbiddenError(`${action} event`);
}

/** Returns the values of a form for a new or existing event, with the saved store token if it is kept. */
function toEventValues(form: EventFormValue, saved: Event | null): EventValues {
  const { version: _version, publishPassword: _password, spAccessToken, ...values } = form;
  if (spAccessToken !== undefined) return { ...values, spAccessToken };
  // The saved token must not be sent to another store URL.
  if (!saved?.spAccessToken || saved.spStoreUrl !== form.spStoreUrl)
    throw new InvalidError({ spAccessToken: [{ key: "store:errors.spAccessToken.missing" }] });
  return { ...values, spAccessToken: saved.spAccessToken };
}

/** Returns the hash of a new publish password, null to remove the password, or undefined to keep it. @throws InvalidError weak_password */
async function hashNewPassword(
  deps: EventDeps,
  { publishPassword: change, eventName }: EventFormValue,
  space: Pick<Space, "ownerId">,
): Promise<PasswordHashChange> {
  if (change.action === "set") {
    const { password } = change;
    const owner = await deps.users.find(space.ownerId);
    const personalWords = [...Object.values(eventName), ...(owner ? listPersonalWords(owner) : [])];
    await requireStrongPassword(deps, { password, use: "event", personalWords, field: "publishPassword" });
    return deps.hasher.hash(password);
  }
  return change.action === "remove" ? null : undefined;
}

/** `context.services.events`. */
export const eventServices = (deps: EventDeps) =>
  bindUseCases(deps, {
    listEvents,
    listOwnEvents,
    getEvent,
    createEvent,
    updateEvent,
    checkEventName,
    persistDueStatuses,
  });
