/** Prepares commands before they are written. */

import type { Actor } from "~/domain/auth/actor";
import type { CommandResult, ContentCommand, PartType, TagValues } from "~/domain/content/content";
import type { ReadCommand } from "~/domain/content/content-edit.schema";
import { pickTagFields, TAG_FIELD_NAMES } from "~/domain/content/tag-fields";
import type { EventMedia, EventTag, Space, Uuid } from "~/domain/shared/model";
import { type Action, can, type ResourceType } from "~/domain/shared/permissions";
import { toInstant } from "../shared/digest";
import type { Clock } from "../shared/ports";
import type { NamedContent, NamedIds, StoredMediaItem, WriteCommand } from "./content-ports";
import { isDoneAlready } from "./content-results";

const RESOURCE = { tag: "tag", media: "eventMedia" } as const satisfies Record<PartType, ResourceType>;

/** Whether an actor may give a command for an event of a space. */
function mayDo(actor: Actor, command: ContentCommand, { ownerId, groupId }: Space): boolean {
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
export function namedIds(commands: readonly ContentCommand[]): NamedIds {
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
  medium: Pick<EventMedia, "libraryItemId" | "title" | "description" | "placement" | "hidden">,
) => ({
  libraryItemId: medium.libraryItemId,
  title: medium.title,
  description: medium.description,
  placement: medium.placement,
  hidden: medium.hidden,
});

/** A command to be written, or the result of one that is not. */
export type Prepared = { readonly write: WriteCommand } | { readonly result: CommandResult };

/** Context of prepared commands, beside their author. */
export interface OwnCommands {
  /** Library items that an event of the actor's shows already: they may be shown again without access to them in the library. */
  readonly shown?: ReadonlySet<Uuid>;
  /** Tags may do without media that are not there. */
  readonly lacks?: boolean;
}

/** True if an actor may show a deleted media item's file again. Deleting and restoring reveals nothing new. */
export const mayShowAgain = (
  actor: Actor,
  { isItemAsThen, ownerId, groupId }: Pick<StoredMediaItem, "isItemAsThen" | "ownerId" | "groupId">,
): boolean => isItemAsThen || can(actor, "read", { type: "media", ownerId, groupId });

/**
 * Prepares commands for writing: a duplicate becomes the creation of an item with the values of its original, including changes by earlier
 * commands of the call. A command that is already done, or cannot be done, gets its result immediately.
 */
export function prepareCommands(
  deps: { readonly clock: Clock },
  actor: Actor,
  content: NamedContent,
  commands: readonly ReadCommand[],
  { shown = new Set(), lacks = false }: OwnCommands = {},
): readonly Prepared[] {
  const now = deps.clock.now();
  const touched = new Set<Uuid>();
  const created = new Map<Uuid, WriteCommand>();

  const creation = (command: ContentCommand, part: number): WriteCommand | "not_found" | "not_visible" => {
    // Media are in the order of createdOn (§3), which is that of the commands.
    const createdOn = toInstant(now + part);
    if (command.op === "create_media") {
      const item = content.items.get(command.values.libraryItemId);
      if (!item) return "not_visible";
      const { ownerId, groupId } = item;
      if (!shown.has(item.id) && !can(actor, "read", { type: "media", ownerId, groupId }))
        return "not_visible";
      return { ...command, ownerId, groupId, createdOn };
    }
    if (command.op === "restore" && command.type === "media") {
      const createdItem = created.get(command.id);
      const medium = content.media.get(command.id);
      const whose = createdItem?.op === "create_media" ? createdItem : medium;
      if (!whose) return command;
      const { ownerId, groupId } = whose;
      // An item that an earlier command of the same call created or deleted is up to date.
      const isAway = whose === medium && !medium.isLive && medium.hasItem;
      return isAway && !mayShowAgain(actor, medium) ? "not_visible" : { ...command, ownerId, groupId };
    }
    if (command.op === "create_tag" || command.op === "update_tag")
      return lacks ? { ...command, lacks } : command;
    if (command.op !== "duplicate") return command;
    const { type, id, newId } = command;
    const createdItem = created.get(id);
    if (type === "tag") {
      const tag = content.tags.get(id);
      const values = createdItem?.op === "create_tag" ? createdItem.values : tag?.isLive ? tag.item : null;
      return values ? { op: "create_tag", id: newId, values: tagValues(values) } : "not_found";
    }
    if (createdItem?.op === "create_media") return { ...createdItem, id: newId, createdOn };
    const medium = content.media.get(id);
    if (!medium?.isLive || !medium.hasItem) return "not_found";
    // A file that the event shows already may be shown twice without access to it in the library.
    const { ownerId, groupId } = medium;
    return { op: "create_media", id: newId, values: mediaValues(medium.item), ownerId, groupId, createdOn };
  };

  return commands.map((read, part) => {
    if (!("command" in read))
      return { result: { ok: false, id: read.id, reason: "invalid", errors: read.errors } };
    const { command } = read;
    const id = "newId" in command ? command.newId : "id" in command ? command.id : content.event.id;
    if (!mayDo(actor, command, content.space)) return { result: { ok: false, id, reason: "forbidden" } };
    const done = touched.has(id) ? null : isDoneAlready(content, command);
    if (done) return { result: done };
    touched.add(id);
    const write = creation(command, part);
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
    if (write.op === "create_tag" || write.op === "create_media") created.set(id, write);
    return { write };
  });
}

/** The commands that make copies in another event, each with what it is a copy of: media first, which the tags then show. */
export function copyCommands(
  source: { readonly tags: readonly EventTag[]; readonly media: readonly EventMedia[] },
  items: { readonly tags: readonly Uuid[]; readonly media: readonly Uuid[] },
  newId: () => Uuid,
): { readonly from: readonly Uuid[]; readonly commands: readonly ContentCommand[] } {
  const tags = source.tags.filter(({ id }) => items.tags.includes(id));
  const wanted = new Set([...items.media, ...tags.flatMap(({ mediaIds }) => mediaIds)]);
  const media = source.media.filter(({ id }) => wanted.has(id));
  const copies = new Map(media.map(({ id }) => [id, newId()]));
  return {
    from: [...media, ...tags].map(({ id }) => id),
    commands: [
      ...media.map((medium) => ({
        op: "create_media" as const,
        id: copies.get(medium.id) ?? "",
        values: mediaValues(medium),
      })),
      ...tags.map((tag) => ({
        op: "create_tag" as const,
        id: newId(),
        values: { ...tagValues(tag), mediaIds: tag.mediaIds.flatMap((id) => copies.get(id) ?? []) },
      })),
    ],
  };
}
