/** Results of content commands. */
import type {
  CommandRejection,
  CommandResult,
  ContentCommand,
  ContentItem,
  PartType,
} from "~/domain/content/content";
import { isEqual } from "~/domain/shared/is-equal";
import { EVENT_MEDIA_MAX, EVENT_TAGS_MAX } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import type { ContentParts, ReferencedContent, WriteCommand, WrittenContent } from "./content-ports";

const ITEMS_MAX = { tag: EVENT_TAGS_MAX, media: EVENT_MEDIA_MAX } as const satisfies Record<PartType, number>;

/** The current item. An item in the trash, or one whose library item is in the trash, counts as missing. */
function itemOf(parts: ContentParts, type: PartType, id: Uuid): ContentItem {
  if (type === "tag") {
    const tag = parts.tags.get(id);
    return { type, item: tag?.isLive ? tag.item : null };
  }
  const mediaItem = parts.media.get(id);
  return { type, item: mediaItem?.isLive && mediaItem.hasItem ? mediaItem.item : null };
}

const hasValues = (item: object, values: object): boolean =>
  Object.entries(values).every(([name, value]) => isEqual((item as Record<string, unknown>)[name], value));

/**
 * Returns the result of an update that would change nothing, because it was sent twice or another user saved the same values; null for any other
 * command.
 */
export function resultWithoutChange(
  content: ReferencedContent,
  command: ContentCommand,
): CommandResult | null {
  if (command.op === "update_scene") {
    const { scene, event } = content;
    if (!hasValues(scene, command.values)) return null;
    return { ok: true, id: event.id, version: scene.version, type: "scene", item: scene };
  }
  if (command.op !== "update_tag" && command.op !== "update_media") return null;
  const current = itemOf(content, command.op === "update_tag" ? "tag" : "media", command.id);
  if ((current.type !== "tag" && current.type !== "media") || current.item === null) return null;
  return hasValues(current.item, command.values)
    ? { ok: true, id: command.id, version: current.item.version, ...current }
    : null;
}

/** Returns the result of a command after the call was written. */
export function toCommandResult(
  eventId: Uuid,
  written: WrittenContent,
  index: number,
  command: WriteCommand,
): CommandResult {
  const isDone = written.done.has(index);
  if (command.op === "move_tags") {
    const { order } = written;
    if (!isDone && !written.hasRoom) return { ok: false, id: eventId, reason: "content_full" };
    return command.ids.some((id) => order.has(id))
      ? { ok: true, id: eventId, version: 0, type: "order", item: order }
      : { ok: false, id: eventId, reason: "not_found" };
  }
  if (command.op === "update_scene") {
    const { scene } = written;
    const current = { type: "scene", item: scene } as const;
    if (isDone || hasValues(scene, command.values))
      return { ok: true, id: eventId, version: scene.version, ...current };
    const errors = sceneErrors(written, command);
    if (!written.hasRoom && scene.version === command.version)
      return { ok: false, id: eventId, reason: "content_full" };
    return Object.keys(errors).length > 0
      ? { ok: false, id: eventId, reason: "invalid", errors }
      : { ok: false, id: eventId, reason: "stale", saved: current };
  }
  const type = typeOf(command);
  const current = itemOf(written, type, command.id);
  const stored = (type === "tag" ? written.tags : written.media).get(command.id);
  // The item has the requested state already.
  const hasRequestedState =
    (command.op.startsWith("update") &&
      "values" in command &&
      current.item !== null &&
      hasValues(current.item, command.values)) ||
    (command.op === "delete" && stored?.isLive === false) ||
    ((command.op === "restore" || command.op.startsWith("create")) && stored?.isLive === true);
  if (isDone || hasRequestedState)
    return { ok: true, id: command.id, version: stored?.item.version ?? 0, ...current };
  return { ok: false, id: command.id, ...rejectionOf(written, command, type, current) };
}

const typeOf = (command: Exclude<WriteCommand, { op: "move_tags" | "update_scene" }>): PartType => {
  if ("type" in command) return command.type;
  return command.op === "create_tag" || command.op === "update_tag" ? "tag" : "media";
};

interface RejectionDetails {
  readonly reason: CommandRejection;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly saved?: ContentItem;
}

function rejectionOf(
  written: WrittenContent,
  command: Exclude<WriteCommand, { op: "move_tags" | "update_scene" }>,
  type: PartType,
  current: ContentItem,
): RejectionDetails {
  const isCreation = command.op === "create_tag" || command.op === "create_media";
  if (!isCreation && command.op !== "restore" && current.item === null) return { reason: "not_found" };
  if (command.op === "create_tag" || command.op === "update_tag") {
    const { mediaIds = [] } = command.values;
    if (!mediaIds.every((id) => written.known.media.has(id)))
      return { reason: "invalid", errors: { mediaIds: ["content:errors.media.notInEvent"] } };
  }
  if (isCreation || command.op === "restore") {
    const stored = (type === "tag" ? written.tags : written.media).get(command.id);
    if (command.op === "restore" && (!stored || ("hasItem" in stored && !stored.hasItem)))
      return { reason: "not_found" };
    if (written.count[type] >= ITEMS_MAX[type]) return { reason: "limit" };
    if (!written.hasRoom) return { reason: "content_full" };
    // The id exists already, in this or another event, or the library item was deleted concurrently.
    return { reason: "invalid", errors: { id: ["shared-owners:errors.field.invalid"] } };
  }
  const stored = (type === "tag" ? written.tags : written.media).get(command.id);
  const isSameVersion = "version" in command && stored?.item.version === command.version;
  if (isSameVersion && !written.hasRoom) return { reason: "content_full" };
  return { reason: "stale", saved: current };
}

function sceneErrors(
  { known, scene }: WrittenContent,
  { values }: Extract<WriteCommand, { op: "update_scene" }>,
): Record<string, readonly string[]> {
  const errors: Record<string, readonly string[]> = {};
  // The saved scene may refer to a tag that was deleted permanently. Saving the scene again is allowed.
  const savedTagIds = new Set(scene.tour.map(({ tagId }) => tagId));
  for (const [index, { tagId }] of (values.tour ?? []).entries())
    if (tagId !== null && !known.tags.has(tagId) && !savedTagIds.has(tagId))
      errors[`tour.${index}.tagId`] = ["content:errors.tour.tag"];
  const { plan } = values;
  if (plan && !known.images.has(plan.mediaId) && plan.mediaId !== scene.plan?.mediaId)
    errors["plan.mediaId"] = ["content:errors.plan.mediaItem"];
  return errors;
}
