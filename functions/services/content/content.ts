import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { type ReadCommand, readCommand } from "~/domain/content/command.schema";
import type { CommandResult, ContentChange, EditableContent, PartType } from "~/domain/content/content";
import { TOUR_EDIT_MERGE_MS } from "~/domain/events/change-groups";
import { statusAt } from "~/domain/events/status";
import {
  CHANGES_AT_ONCE,
  CHANGES_MAX_BYTES,
  CONTENT_COMMANDS_MAX,
  CONTENT_WHOLE_COMMANDS_MAX,
} from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { formatName } from "~/domain/users/format-name";
import { eventResource } from "../events/events";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { limitWork, type WorkLimiter } from "../shared/work-limit";
import { auditEntry } from "../users/audit-entry";
import type { WebhookOwner } from "../webhooks/webhook-ports";
import { type CommandContext, copyCommands, prepareCommands, referencedIds } from "./content-commands";
import type { ChangeRow } from "./content-ports";
import { toCommandResult } from "./content-results";

/** Dependencies of the use cases of an event's content. */
export interface ContentDeps extends Pick<Repositories, "content"> {
  readonly events: Pick<Repositories["events"], "find">;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Called after every change of an event; drops this isolate's cached data of the event. */
  readonly onEventChanged: (eventId: Uuid) => void;
  /** Sends the webhook messages of a change after the response. */
  readonly publishWebhookEvents: (owner: WebhookOwner) => void;
  readonly workLimiter: WorkLimiter;
}

/** Result of a call that edits content. */
export interface EditContentResult {
  /** Sequence number of the event's latest change. */
  readonly seq: number;
  /** Id of this call's changes. A client that follows all changes recognises its own by this id. */
  readonly callId: Uuid;
  /** One result per command, in the same order. */
  readonly results: readonly CommandResult[];
}

/** Interval in which one session's or API token's edits of an event cause at most one entry of the audit log, in milliseconds. */
const ENTRY_INTERVAL_MS = 10 * 60_000;

/**
 * Changes the content of an event with up to CONTENT_COMMANDS_MAX commands. Each command is checked, and executed or rejected, independently of the
 * others. All executed ones are written in one batch, in their order. A repeated command is executed once.
 * @throws NotFoundError when the event is not visible, or was deleted during the call
 * @throws InvalidError too_many for more commands
 */
export async function editContent(
  deps: ContentDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly commands: readonly unknown[] },
): Promise<EditContentResult> {
  if (input.commands.length > CONTENT_COMMANDS_MAX)
    throw new InvalidError({ commands: [{ key: "content:errors.content.tooMany" }] }, "too_many");
  return applyCommands(deps, input.actor, input.eventId, limitWholeWrites(input.commands.map(readCommand)));
}

/** Rejects commands that write a whole scene or order beyond CONTENT_WHOLE_COMMANDS_MAX, because the history stores the whole for each of them. */
function limitWholeWrites(commands: readonly ReadCommand[]): readonly ReadCommand[] {
  let count = 0;
  return commands.map((parsed) => {
    if (!("command" in parsed)) return parsed;
    const { op } = parsed.command;
    if ((op !== "update_scene" && op !== "move_tags") || ++count <= CONTENT_WHOLE_COMMANDS_MAX) return parsed;
    return { id: "", errors: { "": ["content:errors.content.tooMany"] } };
  });
}

/**
 * Maximum number of characters of the commands in one batch. Longer lists, such as an earlier state with very many tags, are written in several
 * batches.
 */
const BATCH_CHARACTERS_MAX = 2_000_000;

/**
 * Splits commands into batches of at most BATCH_CHARACTERS_MAX characters, in order. Returns at least one batch, because the current content is read
 * with it.
 */
function splitCommands<Entry extends { readonly command: object }>(
  commands: readonly Entry[],
): readonly Entry[][] {
  const batches: Entry[][] = [[]];
  let size = 0;
  for (const entry of commands) {
    const { length } = JSON.stringify(entry.command);
    if (size > 0 && size + length > BATCH_CHARACTERS_MAX) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(entry);
    size += length;
  }
  return batches;
}

/**
 * Executes any number of commands, if necessary in several batches with the same id.
 * @param context the action for the audit log, and options for the commands
 * @throws NotFoundError as editContent
 */
export async function applyCommands(
  deps: ContentDeps,
  actor: Actor,
  eventId: Uuid,
  commands: readonly ReadCommand[],
  context: {
    readonly action:
      | "event_content_edited"
      | "event_content_copied"
      | "event_content_restored"
      | "event_tags_imported";
  } & CommandContext = { action: "event_content_edited" },
): Promise<EditContentResult> {
  const { action } = context;
  const validCommands = commands.flatMap((parsed) => ("command" in parsed ? [parsed.command] : []));
  const content = await deps.content.find(eventId, referencedIds(validCommands));
  if (!content || !can(actor, "read", eventResource(content.space))) throw new NotFoundError("event");
  const prepared = prepareCommands(deps, actor, content, commands, context);
  const writes = prepared.flatMap((preparedCommand, part) =>
    "write" in preparedCommand ? [{ part, command: preparedCommand.write }] : [],
  );
  const now = deps.clock.now();
  const callId = deps.ids.uuid();
  const { ownerId, groupId } = content.space;
  const results = new Map<number, CommandResult>();
  let seq = 0;
  for (const [batchIndex, batch] of splitCommands(writes).entries()) {
    // All batches share one audit entry.
    const isTyped = action === "event_content_edited";
    const entrySinceMs = isTyped ? now - ENTRY_INTERVAL_MS : batchIndex > 0 ? now - 1 : null;
    const written = await deps.content.writeContent({
      id: callId,
      eventId,
      space: { ownerId, groupId },
      actorId: actor.userId,
      at: toInstant(now),
      commands: batch,
      entry: auditEntry(deps, actor, action, "event", eventId),
      entrySince: entrySinceMs === null ? null : toInstant(entrySinceMs),
      typingSince: isTyped ? toInstant(now - TOUR_EDIT_MERGE_MS) : null,
    });
    if (written.done.size > 0) {
      deps.onEventChanged(eventId);
      deps.publishWebhookEvents({ eventId });
    }
    if (!written.isEditable) throw new NotFoundError("event");
    for (const { part: position, command } of batch)
      results.set(position, toCommandResult(eventId, written, position, command));
    ({ seq } = written);
  }
  return {
    seq,
    callId,
    results: prepared.map((preparedCommand, index) =>
      "result" in preparedCommand ? preparedCommand.result : (results.get(index) as CommandResult),
    ),
  };
}

/** Restores all tags or media that some calls have deleted from an event. @throws NotFoundError when the event is not visible */
export async function restoreDeleted(
  deps: ContentDeps,
  input: {
    readonly actor: Actor;
    readonly eventId: Uuid;
    readonly type: PartType;
    /** Ids of the calls: see EditContentResult.callId. */
    readonly callIds: readonly Uuid[];
  },
): Promise<EditContentResult> {
  const { actor, eventId, type, callIds } = input;
  const ids = await deps.content.listDeletedBy(eventId, type, callIds);
  const commands = ids.map((id) => ({ command: { op: "restore", type, id } as const }));
  return applyCommands(deps, actor, eventId, commands);
}

/**
 * All content of an event for its editors: tags, media, and the scene (start view, tour, floor plan and products).
 * @throws NotFoundError when the event is not visible
 */
export async function getContent(
  deps: ContentDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<EditableContent> {
  const { tags, media, trashed, scene, seq } = await loadVisible(deps, input.actor, input.eventId);
  return { tags, media, trashed, scene, seq };
}

/** An event with its space, its status at this moment and all its content, in one round trip. @throws NotFoundError when it is not visible */
export async function getEventContent(
  deps: ContentDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid },
) {
  const { event, space, ...content } = await loadVisible(deps, input.actor, input.eventId);
  return { event, space, currentStatus: statusAt(event, deps.clock.now()), content };
}

/** An event with all its content, if the actor may see it. @throws NotFoundError */
export async function loadVisible(deps: Pick<ContentDeps, "content">, actor: Actor, eventId: Uuid) {
  const content = await deps.content.load(eventId);
  if (!content || !can(actor, "read", eventResource(content.space))) throw new NotFoundError("event");
  return content;
}

/** Changes after a sequence number, oldest first. */
export interface ReadChangesResult {
  /** Sequence number after which the next read continues. */
  readonly seq: number;
  readonly changes: readonly ContentChange[];
  readonly hasMore: boolean;
}

/**
 * Changes after a sequence number, for clients that have the event open.
 * @throws NotFoundError when the event is not visible
 */
export async function readChanges(
  deps: ContentDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly after: number },
): Promise<ReadChangesResult> {
  const limit = { count: CHANGES_AT_ONCE, bytes: CHANGES_MAX_BYTES };
  const [eventInSpace, { changes, more }] = await Promise.all([
    deps.events.find(input.eventId),
    deps.content.changesAfter(input.eventId, input.after, limit),
  ]);
  if (!eventInSpace || !can(input.actor, "read", eventResource(eventInSpace.space)))
    throw new NotFoundError("event");
  return { seq: changes.at(-1)?.seq ?? input.after, changes: changes.map(toChange), hasMore: more };
}

const toChange = ({ actor, ...row }: ChangeRow): ContentChange =>
  ({ ...row, actorName: actor ? formatName(actor) : "" }) as ContentChange;

/**
 * Finds the event of a tag or media item, and the item's version.
 * @param input.eventId the event to which the item must belong, if the caller names one (specification §5: "in the currently loaded list of the current event")
 * @throws NotFoundError when the item does not exist, the actor may not see it, or it belongs to another event
 */
export async function findPart(
  deps: ContentDeps,
  input: {
    readonly actor: Actor;
    readonly type: PartType;
    readonly id: Uuid;
    readonly eventId?: Uuid;
  },
): Promise<{ readonly eventId: Uuid; readonly version: number }> {
  const location = await deps.content.findEventOfPart(input.type, input.id);
  const event = location && (await deps.events.find(location.eventId));
  if (!event || !can(input.actor, "read", eventResource(event.space))) throw new NotFoundError(input.type);
  if (input.eventId !== undefined && input.eventId !== location.eventId) throw new NotFoundError(input.type);
  return location;
}

/** The tags and media to copy. */
export interface ContentSelection {
  readonly tags: readonly Uuid[];
  readonly media: readonly Uuid[];
}

/** Result of copying. */
export interface CopyContentResult extends EditContentResult {
  /** Id of the original of each result. */
  readonly originalIds: readonly Uuid[];
  /** Originals whose copies lack some of their media, with the originals of these media. The target event had no room for them. */
  readonly incomplete: readonly { readonly id: Uuid; readonly mediaIds: readonly Uuid[] }[];
}

/**
 * Copies tags and media to another event of the same space, with the media of the tags. Positions stay the same. Items for which the target has no
 * room are rejected individually; a tag is copied without its rejected media.
 * @throws NotFoundError when one of the events is not visible, or the target is the same event or in another space
 * @throws ForbiddenError when the actor may not copy from the source event
 * @throws RateLimitedError after COPIES_PER_MINUTE copies for one owner
 */
export async function copyContent(
  deps: ContentDeps,
  input: {
    readonly actor: Actor;
    readonly eventId: Uuid;
    readonly items: ContentSelection;
    readonly targetEventId: Uuid;
  },
): Promise<CopyContentResult> {
  const { actor, items, targetEventId } = input;
  const [source, target] = await Promise.all([
    loadVisible(deps, actor, input.eventId),
    deps.events.find(targetEventId),
  ]);
  if (!target || target.space.id !== source.space.id || targetEventId === input.eventId)
    throw new NotFoundError("event");
  if (!can(actor, "copy", eventResource(source.space))) throw new ForbiddenError("copy content");
  await limitWork(deps, "copy", target.space.ownerId);
  const { from: originalIds, commands } = copyCommands(source, items, () => deps.ids.uuid());
  const result = await applyCommands(
    deps,
    actor,
    targetEventId,
    commands.map((command) => ({ command })),
    {
      action: "event_content_copied",
      shownItems: new Set(source.media.map(({ libraryItemId }) => libraryItemId)),
      skipsMissingMedia: true,
    },
  );
  const originalIdByCopyId = new Map(result.results.map(({ id }, i) => [id, originalIds[i] as Uuid]));
  const incomplete = commands.flatMap((command, i) => {
    const outcome = result.results[i];
    if (command.op !== "create_tag" || !outcome?.ok || outcome.type !== "tag") return [];
    const mediaIds = command.values.mediaIds
      .filter((mediaId) => !outcome.item?.mediaIds.includes(mediaId))
      .flatMap((mediaId) => originalIdByCopyId.get(mediaId) ?? []);
    return mediaIds.length > 0 ? [{ id: originalIds[i] as Uuid, mediaIds }] : [];
  });
  return { ...result, originalIds, incomplete };
}

/** `context.services.content`. */
export const contentServices = (deps: ContentDeps) =>
  bindUseCases(deps, {
    editContent,
    restoreDeleted,
    getContent,
    getEventContent,
    readChanges,
    findPart,
    copyContent,
  });
