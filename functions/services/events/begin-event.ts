import { changedFields } from "~/domain/events/event-changes";
import type { EventFormValue } from "~/domain/events/event-form";
import type { Event, Localized } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { type ContentDeps, editContent, getContent } from "../content/content";
import { bindUseCases } from "../shared/bind";
import { ConflictError, limitReached } from "../shared/errors";
import { patchEvent } from "./event-patch";
import {
  type CreateEventInput,
  createEvent,
  type EventDeps,
  emptyValues,
  eventResource,
  spaceStartView,
} from "./events";
import { templateContent, withTemplateTexts } from "./template-content";

type BeginEventDeps = EventDeps & Omit<ContentDeps, "events">;

/** The form values of an event that was created with its space. */
const untouchedValues = (eventName: Localized): EventFormValue => ({
  ...emptyValues(eventName),
  version: 1,
  publishPassword: { action: "keep" },
});

type BeginEventInput = Omit<CreateEventInput, "values">;
type Template = NonNullable<BeginEventInput["template"]>;

/**
 * Creates an event. If a template is given and the space's only event is unchanged since it was created with the space, the template fills that event
 * instead; its history keeps the empty state.
 * @throws the errors of createEvent; ConflictError when others keep saving that event
 */
export async function beginEvent(deps: BeginEventDeps, input: BeginEventInput): Promise<Pick<Event, "id">> {
  const { template } = input;
  const untouchedEvent = template ? await findUntouchedEvent(deps, input) : null;
  return template && untouchedEvent
    ? fillUntouchedEvent(deps, { ...input, template, untouchedEvent })
    : createEvent(deps, input);
}

/** Returns the only event of a space if it is unchanged since it was created with the space and the actor may change it; otherwise null. */
async function findUntouchedEvent(deps: BeginEventDeps, { actor, spaceId }: BeginEventInput) {
  const space = await deps.spaces.find(spaceId);
  if (space?.eventCount !== 1 || !can(actor, "update", eventResource(space))) return null;
  const [event] = await deps.events.listBySpace(spaceId, { page: 1, pageSize: 1 });
  if (event?.version !== 1 || event.createdAt !== space.createdAt || event.hasPublishPassword) return null;
  if (changedFields(event, untouchedValues(event.eventName)).length > 0) return null;
  const { tags, media, scene } = await getContent(deps, { actor, eventId: event.id });
  return tags.length + media.length + scene.version === 0
    ? { eventId: event.id, initialName: event.eventName, space }
    : null;
}

async function fillUntouchedEvent(
  deps: BeginEventDeps,
  {
    actor,
    eventName,
    template,
    untouchedEvent: { eventId, initialName, space },
  }: BeginEventInput & {
    readonly template: Template;
    readonly untouchedEvent: NonNullable<Awaited<ReturnType<typeof findUntouchedEvent>>>;
  },
): Promise<Pick<Event, "id">> {
  const { tags, scene } = templateContent(deps, template, { start: spaceStartView(space) });
  const { results } = await editContent(deps, {
    actor,
    eventId,
    commands: [
      ...tags.map(({ id, ...values }) => ({ op: "create_tag", id, values })),
      { op: "update_scene", version: 0, values: scene },
    ],
  });
  if (results.some(({ ok }) => !ok)) throw limitReached("content_full");
  // The space has no other event that could have the name. Another user may save the event meanwhile, perhaps with another name, which stays.
  const isSaved = await patchEvent(deps, { actor, eventId }, (event) => {
    const isRenamed = event.eventName.ja !== initialName.ja || event.eventName.en !== initialName.en;
    const values = withTemplateTexts(isRenamed ? event : { ...event, eventName }, template.name);
    return { eventName: values.eventName, eventDetail: values.eventDetail };
  });
  if (!isSaved) throw new ConflictError(null, eventName);
  return { id: eventId };
}

/** Use cases in `context.services.events`. */
export const beginEventServices = (deps: BeginEventDeps) => bindUseCases(deps, { beginEvent });
