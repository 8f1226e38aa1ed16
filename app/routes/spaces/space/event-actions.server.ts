import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import type { Actor } from "~/domain/auth/actor";
import { createEventCopySchema } from "~/domain/events/event-copy.schema";
import { readInteger } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX, SEARCH_MAX } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import type { Event, Lang, Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { rejectForm } from "~/forms/shared/reject-form";
import { packMessage } from "~/forms/shared/user-message";
import { isUnplaced } from "../../content/list/list-filter";
import { sealUndo } from "../../folders/undo.server";
import { toastNames } from "../../shared/toast-names.server";
import { findCopyTargets } from "./copy-targets.server";

interface SpaceContext {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly space: Space;
}

/** Dialogs about an event of a space, as named in the URL. */
export type EventDialogName = "copy-event" | "delete-event";

const RESTORE_EVENT = "restore-event";

/** Reads the data of the event dialog that a URL opens; null without one. */
export async function readEventDialog(
  { context, actor, space }: SpaceContext,
  searchParams: URLSearchParams,
) {
  const dialog = searchParams.get("dialog");
  if (dialog !== "copy-event" && dialog !== "delete-event") return null;
  const { copies, events } = context.services;
  const eventId = toUuid(searchParams.get("event"));
  const result = eventId === null ? null : await context.attempt(events.getEvent({ actor, eventId }));
  const event = result?.ok && result.value.event.spaceId === space.id ? result.value.event : null;
  if (!event) return { dialog, event: null } as const;
  const { id } = event;
  const name = textIn(event.eventName, context.lang);
  if (dialog === "delete-event")
    return { dialog, event: { id, name }, isLast: space.eventCount <= 1 } as const;
  const q = (searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const [copyName, { spaces, hasMore }] = await Promise.all([
    copies.nameEventCopy({ actor, eventId: id }),
    findCopyTargets({ context, actor, space }, q),
  ]);
  const currentSpace = { id: space.id, name: space.name, folder: "", isCurrentSpace: true };
  // Without scripts the search for a space sends the names that were typed.
  const typedName = (lang: Lang) => searchParams.get(`eventName.${lang}`) ?? copyName[lang];
  return {
    dialog,
    event: { id, name, copyName: { ja: typedName("ja"), en: typedName("en") }, spaceId: space.id },
    q,
    spaces: [currentSpace, ...spaces],
    hasMore,
  } as const;
}

export type EventDialogData = NonNullable<Awaited<ReturnType<typeof readEventDialog>>>;

/** Result of a rejected form about an event. */
export interface EventActionOutcome {
  readonly action: "event";
  readonly lastResult: SubmissionResult<string[]> | null;
  /** Message of the reason, packed into one string (its key and values); null if there is none. */
  readonly problem: string | null;
  /** Message key of a hint; null if there is none. */
  readonly hint: string | null;
}

const eventActionResponse = (status: number, outcome: Partial<EventActionOutcome>) =>
  data<EventActionOutcome>(
    { action: "event", lastResult: null, problem: null, hint: null, ...outcome },
    { status },
  );

/** Copies, deletes or restores an event of a space; null for any other form. */
export async function eventAction({ context, actor, space }: SpaceContext, form: FormData) {
  const intent = form.get("intent");
  const { events, copies } = context.services;
  const eventId = toUuid(form.get("event")) ?? "";
  const input = { actor, eventId, spaceId: space.id };
  if (intent === "copy-event") {
    // Without scripts the hidden combobox also posts a value, so only the first value is used.
    form.set("spaceId", String(form.get("spaceId") ?? ""));
    const submission = parseWithZod(form, { schema: createEventCopySchema(context.lang) });
    if (submission.status !== "success") return eventActionResponse(400, { lastResult: submission.reply() });
    const copy = { actor, eventId, fromSpaceId: space.id, ...submission.value };
    const result = await context.attempt(copies.copyEvent(copy));
    if (result.ok) throw redirect(await copiedHref(context, actor, eventId, result.value));
    return eventActionResponse(result.failure.status, { lastResult: rejectForm(submission, result.failure) });
  }
  if (intent === "delete-event") {
    const eventBefore = await context.attempt(events.getEvent({ actor, eventId }));
    const result = await context.attempt(events.deleteEvent(input));
    if (result.ok) {
      const undo = sealUndo(context, actor, { act: "restoreEvent", eventId });
      const names = eventBefore.ok ? [textIn(eventBefore.value.event.eventName, context.lang)] : [];
      const toastParams = toastNames(context, actor.userId, names);
      throw redirect(
        `/space/${space.id}?${new URLSearchParams({ toast: "event-deleted", undo, ...toastParams })}`,
      );
    }
    return eventActionResponse(result.failure.status, { problem: failureMessage(result.failure) });
  }
  if (intent === RESTORE_EVENT) return restoreDeletedEvent(context, input, `/space/${space.id}`);
  return null;
}

/** Restores an event from the trash of the spaces' list; null for any other form. */
export async function restoreFromTrash(
  {
    request,
    context,
    actor,
  }: { readonly request: Request; readonly context: AppLoadContext; readonly actor: Actor },
  form: FormData,
) {
  if (form.get("intent") !== RESTORE_EVENT) return null;
  const path = new URL(request.url).pathname;
  const input = { actor, eventId: toUuid(form.get("event")) ?? "" };
  return restoreDeletedEvent(context, input, path, { show: "trash" });
}

/** Restores an event and redirects to a page; returns the reason if it cannot be restored. */
async function restoreDeletedEvent(
  context: AppLoadContext,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly spaceId?: Uuid },
  path: string,
  query: { readonly show?: "trash" } = {},
) {
  const restoreResult = await context.attempt(context.services.events.restoreEvent(input));
  if (restoreResult.ok) {
    const { actor, eventId } = input;
    const { event } = await context.services.events.getEvent({ actor, eventId });
    const toastParams = toastNames(context, actor.userId, [textIn(event.eventName, context.lang)]);
    throw redirect(`${path}?${new URLSearchParams({ ...query, toast: "event-restored", ...toastParams })}`);
  }
  const { failure } = restoreResult;
  const hint = failure.fields.eventName ? "folders:restoreTaken" : null;
  return eventActionResponse(failure.status, { problem: failureMessage(failure), hint });
}

/** Number of the event's items without a position in its space. */
async function countUnplaced(context: AppLoadContext, actor: Actor, eventId: Uuid) {
  const { tags, media } = await context.services.content.getContent({ actor, eventId });
  return [...tags, ...media].filter(isUnplaced).length;
}

/** URL of the copy's space, with parameters that report the copy and the number of items that lost their position. */
async function copiedHref(context: AppLoadContext, actor: Actor, originalId: Uuid, copy: Event) {
  const counts = [copy.id, originalId].map((id) => countUnplaced(context, actor, id));
  const [copyCount = 0, originalCount = 0] = await Promise.all(counts);
  const params = new URLSearchParams({
    copied: copy.id,
    place: String(Math.max(0, copyCount - originalCount)),
  });
  return `/space/${copy.spaceId}?${params}`;
}

/** Reads the copy that the URL reports; null if the space does not contain it. */
export async function readCopied({ context, actor, space }: SpaceContext, searchParams: URLSearchParams) {
  const eventId = toUuid(searchParams.get("copied"));
  const result =
    eventId === null ? null : await context.attempt(context.services.events.getEvent({ actor, eventId }));
  if (!result?.ok || result.value.event.spaceId !== space.id) return null;
  const { id, eventName } = result.value.event;
  return {
    id,
    name: textIn(eventName, context.lang),
    unplacedCount: readInteger(searchParams.get("place"), 0, EVENT_TAGS_MAX + EVENT_MEDIA_MAX) ?? 0,
  };
}

type Failure = Parameters<typeof rejectForm>[1] & { readonly status: number };

/** Message of a rejection. For an event that does not exist it states that nothing was changed. */
const failureMessage = ({ status, userMessage, fields }: Failure) =>
  status === 404 ? "folders:eventGone" : packMessage(Object.values(fields).flat()[0] ?? userMessage);

/** Whether the actor may delete a space's events. */
export const mayDeleteEvents = (actor: Actor, { ownerId, groupId }: Space) =>
  can(actor, "delete", { type: "event", ownerId, groupId });
