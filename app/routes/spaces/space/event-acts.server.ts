import type { SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { type AppLoadContext, data, redirect } from "@remix-run/cloudflare";
import { createEventCopySchema } from "~/domain/events/event-copy.schema";
import { readInteger } from "~/domain/shared/fields.schema";
import { toUuid } from "~/domain/shared/ids";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX, SEARCH_MAX } from "~/domain/shared/limits";
import type { Actor, Event, Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { refuse } from "~/forms/result";
import { packWords } from "~/forms/words";
import { isUnplaced } from "../../content/list/list-filter";

interface Shown {
  readonly context: AppLoadContext;
  readonly actor: Actor;
  readonly space: Space;
}

/** The dialogs about an event of a space, as an address names them. */
export type EventDialog = "copy-event" | "delete-event";

/** Other spaces that are offered at once, by name, and how many are looked at for that, the newest. */
const LISTED = 20;
const LOOKED_AT = 100;

/** What the dialog about an event that an address asks for has to show; null without one. */
export async function readEventDialog({ context, actor, space }: Shown, searchParams: URLSearchParams) {
  const dialog = searchParams.get("dialog");
  if (dialog !== "copy-event" && dialog !== "delete-event") return null;
  const { copies, events, tree } = context.services;
  const eventId = toUuid(searchParams.get("event"));
  const found = eventId === null ? null : await context.attempt(events.getEvent({ actor, eventId }));
  const event = found?.ok && found.value.event.spaceId === space.id ? found.value.event : null;
  if (!event) return { dialog, event: null } as const;
  const { id, eventName: name } = event;
  if (dialog === "delete-event")
    return { dialog, event: { id, name }, isLast: space.eventCount <= 1 } as const;
  const q = (searchParams.get("find") ?? "").slice(0, SEARCH_MAX).trim();
  const [copyName, spaces] = await Promise.all([
    copies.nameEventCopy({ actor, eventId: id, lang: context.lang }),
    tree.searchTree({ actor, folderType: "space", q, kinds: ["space"], pageSize: LOOKED_AT }),
  ]);
  const others = spaces.items
    .flatMap((item) => (item.kind === "space" && item.space.id !== space.id ? [item.space] : []))
    .sort((a, b) => a.name.localeCompare(b.name, context.lang));
  return {
    dialog,
    event: { id, name, copyName },
    q,
    spaces: [space, ...others.slice(0, LISTED)].map((each) => ({
      id: each.id,
      name: each.name,
      isHere: each.id === space.id,
    })),
    isMore: spaces.hasNext || others.length > LISTED,
  } as const;
}

export type EventDialogData = NonNullable<Awaited<ReturnType<typeof readEventDialog>>>;

/** What the page shows of a form about an event that was refused. */
export interface EventOutcome {
  readonly act: "event";
  readonly lastResult: SubmissionResult<string[]> | null;
  /** Why nothing was done: words, packed. */
  readonly problem: string | null;
  /** What can be done about it: a key. */
  readonly hint: string | null;
}

const answer = (status: number, outcome: Partial<EventOutcome>) =>
  data<EventOutcome>({ act: "event", lastResult: null, problem: null, hint: null, ...outcome }, { status });

/** Copies, deletes and restores an event of a space; null for a form of another kind. */
export async function eventAction({ context, actor, space }: Shown, form: FormData) {
  const intent = form.get("intent");
  const { events, copies } = context.services;
  const eventId = toUuid(form.get("event")) ?? "";
  const asked = { actor, eventId, spaceId: space.id };
  if (intent === "copy-event") {
    const submission = parseWithZod(form, { schema: createEventCopySchema() });
    if (submission.status !== "success") return answer(400, { lastResult: submission.reply() });
    const { lang } = context;
    const copy = { actor, eventId, fromSpaceId: space.id, ...submission.value, lang };
    const made = await context.attempt(copies.copyEvent(copy));
    if (made.ok) throw redirect(await copiedHref(context, actor, eventId, made.value));
    return answer(made.failure.status, { lastResult: refuse(submission, made.failure) });
  }
  if (intent === "delete-event") {
    const deleted = await context.attempt(events.deleteEvent(asked));
    if (deleted.ok) throw redirect(`/space/${space.id}?toast=event-deleted`);
    return answer(deleted.failure.status, { problem: wordsOf(deleted.failure) });
  }
  if (intent === "restore-event") {
    const restored = await context.attempt(events.restoreEvent(asked));
    if (restored.ok) throw redirect(`/space/${space.id}?toast=event-restored`);
    const { failure } = restored;
    const hint = failure.fields.eventName ? "events:spaceEvents.restoreTaken" : null;
    return answer(failure.status, { problem: wordsOf(failure), hint });
  }
  return null;
}

/** Things of an event that have no place in its space. */
async function countUnplaced(context: AppLoadContext, actor: Actor, eventId: Uuid) {
  const { tags, media } = await context.services.content.getContent({ actor, eventId });
  return [...tags, ...media].filter(isUnplaced).length;
}

/** The space of a copy, which says that it was made, and how much of it lost its place on the way. */
async function copiedHref(context: AppLoadContext, actor: Actor, original: Uuid, copy: Event) {
  const counts = [copy.id, original].map((id) => countUnplaced(context, actor, id));
  const [now = 0, before = 0] = await Promise.all(counts);
  const params = new URLSearchParams({ copied: copy.id, place: String(Math.max(0, now - before)) });
  return `/space/${copy.spaceId}?${params}`;
}

/** The copy that was made just now, as the address says; null where there is none in the space. */
export async function readCopied({ context, actor, space }: Shown, searchParams: URLSearchParams) {
  const eventId = toUuid(searchParams.get("copied"));
  const found =
    eventId === null ? null : await context.attempt(context.services.events.getEvent({ actor, eventId }));
  if (!found?.ok || found.value.event.spaceId !== space.id) return null;
  const { id, eventName: name } = found.value.event;
  return {
    id,
    name,
    toPlace: readInteger(searchParams.get("place"), 0, EVENT_TAGS_MAX + EVENT_MEDIA_MAX) ?? 0,
  };
}

type Failure = Parameters<typeof refuse>[1] & { readonly status: number };

/** What a refusal says: of an event that is not there, that nothing was changed. */
const wordsOf = ({ status, words, fields }: Failure) =>
  status === 404 ? "events:spaceEvents.goneText" : packWords(Object.values(fields).flat()[0] ?? words);

/** What was deleted, for those who may have it back. */
export async function readDeletedEvents({ context, actor, space }: Shown) {
  const found = await context.services.events.listDeletedEvents({ actor, spaceId: space.id });
  return found.map(({ id, eventName, deletedAt }) => ({ id, name: eventName, deletedAt }));
}

/** What of a space's events the actor may do. */
export const mayDeleteEvents = (actor: Actor, { ownerId, groupId }: Space) =>
  can(actor, "delete", { type: "event", ownerId, groupId });
