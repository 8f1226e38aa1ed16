/** Prepares commands before they are written. */

import type { Actor } from "~/domain/auth/actor";
import type { ReadCommand } from "~/domain/content/command.schema";
import type { CommandResult, ContentCommand, PartType, TagValues } from "~/domain/content/content";
import { pickTagFields, TAG_FIELD_NAMES } from "~/domain/content/tag-fields";
import type { EventMedia, EventTag, Space, Uuid } from "~/domain/shared/model";
import { type Action, can, type ResourceType } from "~/domain/shared/permissions";
import { toInstant } from "../shared/instant";
import type { Clock } from "../shared/ports";
import type { ReferencedContent, ReferencedIds, StoredMediaItem, WriteCommand } from "./content-ports";
import { resultWithoutChange } from "./content-results";

const RESOURCE = { tag: "tag", media: "eventMedia" } as const satisfies Record<PartType, ResourceType>;

/** Whether an actor may execute a command on an event of a space. */
function mayExecute(actor: Actor, command: ContentCommand, { ownerId, groupId }: Space): boolean {
  const may = (action: Action, type: "tag" | "eventMedia" | "event") =>
    can(actor, action, { type, ownerId, groupId });
  switch (command.op) {
    case "create_tag":
      return may("create", "tag");
    case "update_tag":
    case "move_tags":
      return may("update", "tag");
    case "create_media":
      return may("create", "eventMedia");
    case "update_media":
      return may("update", "eventMedia");
    case "delete":
    case "restore":
      return may(command.op, RESOURCE[command.type]);
    case "duplicate":
      return may("copy", RESOURCE[command.type]);
    case "update_scene":
      return may("update", "event");
  }
}

/** Ids of the records that must be read before commands can be prepared. */
export function referencedIds(commands: readonly ContentCommand[]): ReferencedIds {
  const tags: Uuid[] = [];
  const media: Uuid[] = [];
  const items: Uuid[] = [];
  for (const command of commands) {
    if (command.op === "update_tag") tags.push(command.id);
    else if (command.op === "update_media") media.push(command.id);
    else if (command.op === "create_media") items.push(command.values.libraryItemId);
    else if (command.op === "restore" && command.type === "media") media.push(command.id);
    else if (command.op === "duplicate") (command.type === "tag" ? tags : media).push(command.id);
  }
  return { tags, media, items };
}

/** The content fields of a tag. */
export const tagValues = (tag: TagValues): TagValues => pickTagFields(tag, TAG_FIELD_NAMES);

/** The content fields of a media item, with the library item that it shows. */
export const mediaValues = (
  mediaItem: Pick<EventMedia, "libraryItemId" | "title" | "description" | "placement" | "hidden">,
) => ({
  libraryItemId: mediaItem.libraryItemId,
  title: mediaItem.title,
  description: mediaItem.description,
  placement: mediaItem.placement,
  hidden: mediaItem.hidden,
});

/** A command to write, or the result of a command that needs no write. */
export type Prepared = { readonly write: WriteCommand } | { readonly result: CommandResult };

/** Options of a call, in addition to its actor. */
export interface CommandContext {
  /** Library items that new media may show without the actor's access to them in the library. */
  readonly shownItems?: ReadonlySet<Uuid>;
  /** A tag is written without its missing media, instead of being rejected. */
  readonly skipsMissingMedia?: boolean;
}

/** Whether an actor may restore a deleted media item: its library item has not changed since the deletion, or the actor may read it. */
export const mayShowAgain = (
  actor: Actor,
  { isItemUnchanged, ownerId, groupId }: Pick<StoredMediaItem, "isItemUnchanged" | "ownerId" | "groupId">,
): boolean => isItemUnchanged || can(actor, "read", { type: "media", ownerId, groupId });

/**
 * Prepares commands for writing. A duplicate becomes the creation of an item with the values of its original, which an earlier command of the call
 * may have created; updates of the original in the same call are not included. An update without effect gets its result immediately, as does a command
 * that is rejected here.
 */
export function prepareCommands(
  deps: { readonly clock: Clock },
  actor: Actor,
  content: ReferencedContent,
  commands: readonly ReadCommand[],
  { shownItems = new Set(), skipsMissingMedia = false }: CommandContext = {},
): readonly Prepared[] {
  const now = deps.clock.now();
  const preparedIds = new Set<Uuid>();
  const creations = new Map<Uuid, WriteCommand>();

  const toWriteCommand = (
    command: ContentCommand,
    index: number,
  ): WriteCommand | "not_found" | "not_visible" => {
    // Media are ordered by createdOn (specification §3). This gives them the order of the commands.
    const createdOn = toInstant(now + index);
    if (command.op === "create_media") {
      const item = content.items.get(command.values.libraryItemId);
      if (!item) return "not_visible";
      const { ownerId, groupId } = item;
      if (!shownItems.has(item.id) && !can(actor, "read", { type: "media", ownerId, groupId }))
        return "not_visible";
      return { ...command, ownerId, groupId, createdOn };
    }
    if (command.op === "restore" && command.type === "media") {
      const creation = creations.get(command.id);
      const mediaItem = content.media.get(command.id);
      const rights = creation?.op === "create_media" ? creation : mediaItem;
      if (!rights) return command;
      const { ownerId, groupId } = rights;
      // For an item that an earlier command of this call created or deleted, the permission was checked with that command.
      const isTrashed = rights === mediaItem && !mediaItem.isLive && mediaItem.hasItem;
      return isTrashed && !mayShowAgain(actor, mediaItem) ? "not_visible" : { ...command, ownerId, groupId };
    }
    if (command.op === "create_tag" || command.op === "update_tag")
      return skipsMissingMedia ? { ...command, skipsMissingMedia } : command;
    if (command.op !== "duplicate") return command;
    const { type, id, newId } = command;
    const creation = creations.get(id);
    if (type === "tag") {
      const tag = content.tags.get(id);
      const values = creation?.op === "create_tag" ? creation.values : tag?.isLive ? tag.item : null;
      return values ? { op: "create_tag", id: newId, values: tagValues(values) } : "not_found";
    }
    if (creation?.op === "create_media") return { ...creation, id: newId, createdOn };
    const mediaItem = content.media.get(id);
    if (!mediaItem?.isLive || !mediaItem.hasItem) return "not_found";
    // The event shows the file already, so a duplicate needs no access to it in the library.
    const { ownerId, groupId } = mediaItem;
    return {
      op: "create_media",
      id: newId,
      values: mediaValues(mediaItem.item),
      ownerId,
      groupId,
      createdOn,
    };
  };

  return commands.map((parsed, index) => {
    if (!("command" in parsed))
      return { result: { ok: false, id: parsed.id, reason: "invalid", errors: parsed.errors } };
    const { command } = parsed;
    const id = "newId" in command ? command.newId : "id" in command ? command.id : content.event.id;
    if (!mayExecute(actor, command, content.space)) return { result: { ok: false, id, reason: "forbidden" } };
    const earlierResult = preparedIds.has(id) ? null : resultWithoutChange(content, command);
    if (earlierResult) return { result: earlierResult };
    preparedIds.add(id);
    const write = toWriteCommand(command, index);
    if (write === "not_found") return { result: { ok: false, id, reason: "not_found" } };
    if (write === "not_visible")
      return {
        result: {
          ok: false,
          id,
          reason: "invalid",
          errors: { libraryItemId: ["content:errors.media.notInLibrary"] },
        },
      };
    if (write.op === "create_tag" || write.op === "create_media") creations.set(id, write);
    return { write };
  });
}

/** Creates the commands that copy items to another event, and the original of each command. Media come first, because the tags refer to them. */
export function copyCommands(
  source: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
  items: { readonly tags: readonly Uuid[]; readonly media: readonly Uuid[] },
  newId: () => Uuid,
): { readonly from: readonly Uuid[]; readonly commands: readonly ContentCommand[] } {
  const tags = source.tags.filter(({ id }) => items.tags.includes(id));
  const mediaIds = new Set([...items.media, ...tags.flatMap(({ mediaIds }) => mediaIds)]);
  const media = source.media.filter(({ id }) => mediaIds.has(id));
  const copyIds = new Map(media.map(({ id }) => [id, newId()]));
  return {
    from: [...media, ...tags].map(({ id }) => id),
    commands: [
      ...media.map((mediaItem) => ({
        op: "create_media" as const,
        id: copyIds.get(mediaItem.id) ?? "",
        values: mediaValues(mediaItem),
      })),
      ...tags.map((tag) => ({
        op: "create_tag" as const,
        id: newId(),
        values: { ...tagValues(tag), mediaIds: tag.mediaIds.flatMap((id) => copyIds.get(id) ?? []) },
      })),
    ],
  };
}
