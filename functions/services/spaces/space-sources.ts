/** The source and the thumbnail of a space. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { isLightType } from "~/domain/library/formats/sniff-light";
import type { LibraryItem } from "~/domain/library/library-item";
import { imageKey } from "~/domain/library/media-url";
import { type HiddenReason, hiddenReason } from "~/domain/library/prepared";
import { isRecord } from "~/domain/shared/is-record";
import type { Space, SpaceSource, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { invalidPanoramaError, invalidPanoramaSize } from "~/domain/spaces/panorama-shape";
import {
  getLightFileId,
  listSourceFileIds,
  MEDIA_OF_SOURCE,
  type SourceInput,
} from "~/domain/spaces/space-source.schema";
import { bindUseCases } from "../shared/bind";
import { ConflictError, ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { AuditEntry, Clock, IdSource } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { SpaceChange } from "./space-ports";

/** Dependencies of these use cases. */
export interface SourceDeps extends Pick<Repositories, "spaces" | "library"> {
  /** Whether a 2:1 image is an unstitched image of a 360° camera; false if that is unknown. */
  readonly isFisheye: (item: LibraryItem) => Promise<boolean>;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A change of a space's source. */
export interface ReplaceSourceInput {
  readonly actor: Actor;
  readonly spaceId: Uuid;
  /** The version on which the change is based. */
  readonly version: number;
  /** Checked by createSourceSchema. Must have the kind of the space's current source. */
  readonly source: SourceInput;
}

/** A change of a space's thumbnail. */
export interface SetSpaceThumbnailInput {
  readonly actor: Actor;
  readonly spaceId: Uuid;
  readonly version: number;
  /** An image of the library; null to remove the thumbnail. */
  readonly posterMediaId: Uuid | null;
}

/** Error for a file that was deleted between its check and the save. */
export const createDeletedFileError = () =>
  new InvalidError({ source: [{ key: "spaces:sources.errors.media" }] }, "source_media");

/** Number of panoramas that are checked concurrently. */
const CHECKED_CONCURRENTLY = 4;

/** Key of the error message for a hidden file (one that visitors do not see), which cannot be used for a space. */
const hiddenMessageKey = (hidden: HiddenReason): string =>
  hidden.why === "check"
    ? `spaces:sources.errors.check.${hidden.state}`
    : `spaces:sources.errors.conversion.${hidden.why}`;

/**
 * Requires that the files of a source and a thumbnail are visible to the actor, are not hidden from visitors, and have the kind that the source or the
 * thumbnail needs. Panoramas must be stitched and have a supported shape.
 * @param existingIds files that the space uses already, which are not checked again
 * @returns the key of the stored image of a new thumbnail (Space.posterKey); null without a new thumbnail
 * @throws InvalidError source_media, source_media_kind, source_media_shape, source_media_check, picture_media
 */
export async function requireFiles(
  deps: Pick<SourceDeps, "library" | "isFisheye">,
  actor: Actor,
  source: SourceInput | null,
  posterMediaId: Uuid | null,
  existingIds: ReadonlySet<Uuid> = new Set(),
): Promise<string | null> {
  const newIds = (source ? listSourceFileIds(source) : []).filter((id) => !existingIds.has(id));
  const newPosterId = posterMediaId !== null && !existingIds.has(posterMediaId) ? posterMediaId : null;
  const ids = [...new Set([...newIds, ...(newPosterId ? [newPosterId] : [])])];
  if (ids.length === 0) return null;
  const items = (await deps.library.findAll(ids)).filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "media", ownerId, groupId }),
  );
  const itemsById = new Map(items.map((item) => [item.id, item]));
  const fieldOf = (id: Uuid) => {
    if (source && id === getLightFileId(source)) return "source.lightMediaId";
    if (source?.kind !== "panorama") return "source.mediaId";
    return `source.nodes[${source.nodes.findIndex(({ mediaId }) => mediaId === id)}].mediaId`;
  };
  const missingIds = newIds.filter((id) => !itemsById.has(id));
  if (missingIds.length > 0)
    throw new InvalidError(
      Object.fromEntries(missingIds.map((id) => [fieldOf(id), [{ key: "spaces:sources.errors.media" }]])),
      "source_media",
    );
  const hiddenFiles = newIds.flatMap((id) => {
    const item = itemsById.get(id);
    const hidden = item && hiddenReason(item);
    return hidden ? [[fieldOf(id), [{ key: hiddenMessageKey(hidden) }]] as const] : [];
  });
  if (hiddenFiles.length > 0) throw new InvalidError(Object.fromEntries(hiddenFiles), "source_media_check");
  if (source && source.kind !== "showcase") {
    const kind = MEDIA_OF_SOURCE[source.kind];
    const lightId = getLightFileId(source);
    const isWrongLight =
      lightId !== null && newIds.includes(lightId) && !isLightType(itemsById.get(lightId)?.mimeType ?? "");
    if (isWrongLight)
      throw new InvalidError(
        { "source.lightMediaId": [{ key: "spaces:sources.errors.notALight" }] },
        "source_media_kind",
      );
    const wrongKindIds = newIds.filter((id) => id !== lightId && itemsById.get(id)?.kind !== kind);
    if (wrongKindIds.length > 0)
      throw new InvalidError(
        Object.fromEntries(
          wrongKindIds.map((id) => [fieldOf(id), [{ key: `spaces:sources.errors.notA.${kind}` }]]),
        ),
        "source_media_kind",
      );
  }
  if (source?.kind === "panorama") {
    const wrongShapes = newIds.flatMap((id) => {
      const item = itemsById.get(id);
      const size = item && invalidPanoramaSize(item.preparation?.display ?? item);
      return size ? [[fieldOf(id), [invalidPanoramaError(item.title, size)]] as const] : [];
    });
    if (wrongShapes.length > 0) throw new InvalidError(Object.fromEntries(wrongShapes), "source_media_shape");
    const fisheyeIds: Uuid[] = [];
    for (let offset = 0; offset < newIds.length; offset += CHECKED_CONCURRENTLY)
      await Promise.all(
        newIds.slice(offset, offset + CHECKED_CONCURRENTLY).map(async (id) => {
          const item = itemsById.get(id);
          if (item && (await deps.isFisheye(item))) fisheyeIds.push(id);
        }),
      );
    if (fisheyeIds.length > 0)
      throw new InvalidError(
        Object.fromEntries(fisheyeIds.map((id) => [fieldOf(id), [{ key: "spaces:sources.errors.fisheye" }]])),
        "source_media_shape",
      );
  }
  if (newPosterId === null) return null;
  const image = itemsById.get(newPosterId);
  if (image?.kind !== "image")
    throw new InvalidError({ posterMediaId: [{ key: "spaces:sources.errors.picture" }] }, "picture_media");
  const hidden = hiddenReason(image);
  if (hidden)
    throw new InvalidError({ posterMediaId: [{ key: hiddenMessageKey(hidden) }] }, "source_media_check");
  return imageKey(image);
}

/**
 * Returns a source as it is stored, and the space's sid: the id of a Matterport showcase; for any other source the current sid, or
 * a generated one.
 * @param currentSid the space's current sid; null for a new space
 */
export function sourceToStore(
  deps: Pick<SourceDeps, "ids">,
  input: SourceInput,
  currentSid: string | null,
): { readonly source: SpaceSource; readonly sid: string } {
  if (input.kind === "showcase") return { source: { kind: "showcase" }, sid: input.sid };
  return { source: input, sid: currentSid ?? deps.ids.sid() };
}

/**
 * Changes a space's source: another file, or the start position and the arrangement of its parts. Its events and their positions stay. A file
 * source keeps its sid; another showcase has its own. Writes nothing if nothing changes.
 * @throws InvalidError source_kind when the source has another kind, because positions are not transferable
 * @throws ConflictError when the space was saved in between; contains the saved space
 * @throws NotFoundError, ForbiddenError, and the errors of requireFiles
 */
export async function replaceSource(deps: SourceDeps, input: ReplaceSourceInput): Promise<Space> {
  const space = await requireEditable(deps, input);
  requireSameKind(space, input.source);
  const currentFileIds = listSourceFileIds(space.source);
  const newValues = sourceToStore(deps, input.source, space.sid);
  if (newValues.sid === space.sid && canonical(newValues.source) === canonical(space.source)) return space;
  const hasSameFiles =
    newValues.sid === space.sid && listSourceFileIds(newValues.source).join() === currentFileIds.join();
  await requireFiles(deps, input.actor, input.source, null, new Set(currentFileIds));
  return saveChange(
    deps,
    input,
    space,
    newValues,
    hasSameFiles ? "space_source_updated" : "space_source_replaced",
  );
}

/**
 * Sets a space's thumbnail to an image of the library, or removes it.
 * @throws InvalidError picture_media when the actor sees no such image; source_media_check when it is hidden from visitors; source_media when it was
 *   deleted meanwhile
 * @throws ConflictError when the space was saved in between; NotFoundError; ForbiddenError
 */
export async function setSpaceThumbnail(deps: SourceDeps, input: SetSpaceThumbnailInput): Promise<Space> {
  const space = await requireEditable(deps, input);
  const { posterMediaId } = input;
  if (posterMediaId === space.posterMediaId) return space;
  const posterKey = await requireFiles(deps, input.actor, null, posterMediaId);
  return saveChange(deps, input, space, { posterMediaId, posterKey }, "space_picture_changed");
}

/**
 * Returns the changes of a source and a thumbnail with their audit entries, without writing them. Null if nothing changes.
 * @param input.source unchanged when absent; `posterMediaId` in the same way
 * @throws the errors of replaceSource and setSpaceThumbnail
 */
export async function prepareChange(
  deps: SourceDeps,
  input: {
    readonly actor: Actor;
    readonly spaceId: Uuid;
    readonly version: number;
    readonly source?: SourceInput | undefined;
    readonly posterMediaId?: Uuid | null | undefined;
  },
): Promise<{
  readonly change: Omit<SpaceChange, "updatedAt">;
  readonly entries: readonly AuditEntry[];
} | null> {
  const { actor } = input;
  const space = await requireEditable(deps, input);
  const { posterMediaId = space.posterMediaId } = input;
  if (input.source) requireSameKind(space, input.source);
  const newValues = input.source ? sourceToStore(deps, input.source, space.sid) : space;
  const files = listSourceFileIds(newValues.source);
  const isNewSource = newValues.sid !== space.sid || canonical(newValues.source) !== canonical(space.source);
  const isNewImage = posterMediaId !== space.posterMediaId;
  if (input.source)
    await requireFiles(deps, actor, input.source, null, new Set(listSourceFileIds(space.source)));
  if (isNewImage) await requireFiles(deps, actor, null, posterMediaId);
  if (!isNewSource && !isNewImage) return null;
  const hasSameFiles = newValues.sid === space.sid && files.join() === listSourceFileIds(space.source).join();
  const action = hasSameFiles ? "space_source_updated" : "space_source_replaced";
  const entries = [
    ...(isNewSource
      ? [auditEntry(deps, actor, action, "space", space.id, { sid: newValues.sid, files })]
      : []),
    ...(isNewImage
      ? [auditEntry(deps, actor, "space_picture_changed", "space", space.id, { posterMediaId })]
      : []),
  ];
  const newFiles = newFilesOf(space, newValues.source, posterMediaId);
  return { change: { source: newValues.source, sid: newValues.sid, posterMediaId, newFiles }, entries };
}

/** Ids of the files that the space does not use yet. */
function newFilesOf(space: Space, source: SpaceSource, posterMediaId: Uuid | null): readonly Uuid[] {
  const currentIds = new Set([...listSourceFileIds(space.source), space.posterMediaId]);
  const usedIds = [...listSourceFileIds(source), ...(posterMediaId ? [posterMediaId] : [])];
  return [...new Set(usedIds)].filter((id) => !currentIds.has(id));
}

function requireSameKind(space: Space, source: SourceInput): void {
  if (source.kind !== space.source.kind)
    throw new InvalidError({ source: [{ key: "spaces:sources.errors.otherKind" }] }, "source_kind");
}

/** The library items that an event or its space uses and that the actor may see, by id. */
export async function eventFiles(
  deps: Pick<SourceDeps, "library">,
  { actor, eventId }: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<ReadonlyMap<Uuid, LibraryItem>> {
  const items = (await deps.library.listOfEvent(eventId)).filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "media", ownerId, groupId }),
  );
  return new Map(items.map((item) => [item.id, item]));
}

/** Library items by id, in the given order, without those that the actor may not see. */
export async function visibleFiles(
  deps: Pick<SourceDeps, "library">,
  { actor, mediaIds }: { readonly actor: Actor; readonly mediaIds: readonly Uuid[] },
) {
  if (mediaIds.length === 0) return [];
  const items = (await deps.library.findAll(mediaIds)).filter(({ ownerId, groupId }) =>
    can(actor, "read", { type: "media", ownerId, groupId }),
  );
  return mediaIds.flatMap((id) => items.find((item) => item.id === id) ?? []);
}

/** Serialises values independent of key order, so that equal values result in equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, nested: unknown) =>
    isRecord(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : 1)))
      : nested,
  );

async function requireEditable(
  deps: SourceDeps,
  { actor, spaceId, version }: { readonly actor: Actor; readonly spaceId: Uuid; readonly version: number },
): Promise<Space> {
  const space = await deps.spaces.find(spaceId);
  const resource = space && ({ type: "space", ownerId: space.ownerId, groupId: space.groupId } as const);
  if (!space || !resource || !can(actor, "read", resource)) throw new NotFoundError("space");
  if (!can(actor, "update", resource)) throw new ForbiddenError("update space");
  if (space.version !== version) throw new ConflictError(space, null);
  return space;
}

async function saveChange(
  deps: SourceDeps,
  { actor }: { readonly actor: Actor },
  space: Space,
  fields: Partial<Pick<SpaceChange, "source" | "sid" | "posterMediaId"> & Pick<Space, "posterKey">>,
  action: "space_source_updated" | "space_source_replaced" | "space_picture_changed",
): Promise<Space> {
  const updatedAt = toInstant(deps.clock.now());
  const { source = space.source, sid = space.sid, posterMediaId = space.posterMediaId } = fields;
  const newFiles = newFilesOf(space, source, posterMediaId);
  const change = { source, sid, posterMediaId, updatedAt, newFiles };
  const detail =
    action === "space_picture_changed" ? { posterMediaId } : { sid, files: listSourceFileIds(source) };
  const entry = auditEntry(deps, actor, action, "space", space.id, detail);
  const result = await deps.spaces.changeSource(space, change, entry);
  if (result === "no_media") throw createDeletedFileError();
  if (result === "stale") {
    const currentSpace = await deps.spaces.find(space.id);
    if (!currentSpace) throw new NotFoundError("space");
    throw new ConflictError(currentSpace, null);
  }
  const { posterKey = space.posterKey } = fields;
  return { ...space, source, sid, posterMediaId, posterKey, updatedAt, version: space.version + 1 };
}

/** Use cases in `context.services.spaces`. */
export const sourceServices = (deps: SourceDeps) =>
  bindUseCases(deps, { replaceSource, setSpaceThumbnail, visibleFiles, eventFiles });
