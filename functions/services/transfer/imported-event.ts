import type { Repositories } from "#functions/data/shared/repositories";
import { copyScene, isValidInFrame, type SharedFrame, sharedFrame } from "~/domain/content/shared-frame";
import { DEFAULT_STEM } from "~/domain/content/tag-defaults";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import type { Localized, Space, SpaceSource, Uuid } from "~/domain/shared/model";
import { listSourceFileIds, type SourceInput } from "~/domain/spaces/space-source.schema";
import type { Package, PackagedEvent } from "~/domain/transfer/package-format";
import type { IdSource } from "../shared/ports";
import type { ImportTarget } from "./import-target";
import { createDigestReader, type PackageItemDeps } from "./package-items";
import type { ImportNote, NewEventOfPackage } from "./transfer-ports";

/** Dependencies of comparing an imported space with an existing one. */
export interface ImportedFrameDeps extends Pick<PackageItemDeps, "archives"> {
  readonly library: Pick<Repositories["library"], "findAll">;
}

/** Returns which positions of a package's events are valid in a space; null if none are. The files of both spaces are compared by their bytes. */
export async function importedFrame(
  deps: ImportedFrameDeps,
  { space: packagedSpace, library }: Package,
  space: Space,
): Promise<SharedFrame | null> {
  const { source } = packagedSpace;
  if (source.kind === "showcase")
    return sharedFrame({ sid: source.sid, source: { kind: "showcase" } }, space);
  const items = await deps.library.findAll(listSourceFileIds(space.source));
  const digest = createDigestReader(deps);
  const sameFiles = new Map<Uuid, Uuid>();
  for (const id of listSourceFileIds(source)) {
    const file = library.find((item) => item.id === id)?.file;
    for (const item of items)
      if (file && item.byteSize === file.byteSize && (await digest(item)) === file.sha256)
        sameFiles.set(id, item.id);
  }
  // A file without an equal one gets an empty id, which no file of the space has.
  return sharedFrame({ sid: "", source: withFiles(source, (id) => sameFiles.get(id) ?? "") }, space);
}

/** The source of a space with other files. */
function withFiles(
  source: Exclude<SourceInput, { readonly kind: "showcase" }>,
  newIdOf: (id: Uuid) => Uuid,
): Exclude<SpaceSource, { readonly kind: "showcase" }> {
  if (source.kind === "model") {
    const { lightPicture: light, ...model } = source;
    return {
      ...model,
      mediaId: newIdOf(model.mediaId),
      ...(light && { lightPicture: { mediaId: newIdOf(light.mediaId) } }),
    };
  }
  if (source.kind === "splat") return { ...source, mediaId: newIdOf(source.mediaId) };
  return { ...source, nodes: source.nodes.map((node) => ({ ...node, mediaId: newIdOf(node.mediaId) })) };
}

/** Returns the space of a package with new ids, in the folder of the target. A showcase keeps its sid (public id). */
export function importedSpace(
  deps: { readonly ids: IdSource },
  { content, target }: { readonly content: Package; readonly target: ImportTarget },
  newItemIds: ReadonlyMap<Uuid, Uuid>,
  name: string,
) {
  const { source, posterMediaId } = content.space;
  const toNewItemId = (id: Uuid) => newItemIds.get(id) ?? "";
  return {
    id: deps.ids.uuid(),
    folderId: target.folder?.id ?? "",
    groupId: target.folder?.groupId ?? null,
    name,
    ...(source.kind === "showcase"
      ? { sid: source.sid, source: { kind: "showcase" } as const }
      : { sid: deps.ids.sid(), source: withFiles(source, toNewItemId) }),
    posterMediaId: posterMediaId === null ? null : toNewItemId(posterMediaId),
  };
}

/** Returns an event of a package with new ids, and the notes for the importing user. */
export function importedEvent(
  deps: { readonly ids: IdSource },
  packagedEvent: PackagedEvent,
  target: {
    readonly id: Uuid;
    readonly eventName: Localized;
    readonly frame: SharedFrame | null;
    readonly newItemIds: ReadonlyMap<Uuid, Uuid>;
    /** Epoch milliseconds. */
    readonly now: number;
  },
): { readonly event: Omit<NewEventOfPackage, "createdAt">; readonly notes: Omit<ImportNote, "eventId">[] } {
  const { ids } = deps;
  const { id, eventName, frame, newItemIds, now } = target;
  const notes: Omit<ImportNote, "eventId">[] = [];
  const newPartIds = new Map(
    [...packagedEvent.tags, ...packagedEvent.media].map((part) => [part.id, ids.uuid()]),
  );
  const toNewPartId = (partId: Uuid) => newPartIds.get(partId) ?? "";
  const tags = packagedEvent.tags.map((tag) => ({
    ...tag,
    id: toNewPartId(tag.id),
    mediaIds: tag.mediaIds.map(toNewPartId),
    ...(frame === null && { position: null, stem: DEFAULT_STEM }),
    viewpoint: tag.viewpoint && isValidInFrame(tag.viewpoint, frame) ? tag.viewpoint : null,
  }));
  const media = packagedEvent.media.map((mediaItem) => ({
    ...mediaItem,
    id: toNewPartId(mediaItem.id),
    libraryItemId: newItemIds.get(mediaItem.libraryItemId) ?? "",
    placement: frame === null ? null : mediaItem.placement,
  }));
  const scene = copyScene(
    packagedEvent.scene,
    frame,
    (partId) => newPartIds.get(partId),
    () => ids.uuid(),
  );
  const placedCount =
    packagedEvent.tags.filter(({ position }) => position !== null).length +
    packagedEvent.media.filter(({ placement }) => placement !== null).length;
  if (frame === null && placedCount > 0)
    notes.push({ key: "transfer:note.toPlace", values: { count: placedCount } });
  const lostStops = packagedEvent.scene.tour.length - scene.tour.length;
  if (lostStops > 0) notes.push({ key: "transfer:note.stops", values: { count: lostStops } });
  if (packagedEvent.scene.startView && !scene.startView) notes.push({ key: "transfer:note.startView" });
  if (packagedEvent.scene.plan && !scene.plan) notes.push({ key: "transfer:note.plan" });
  if (packagedEvent.hasStoreToken) notes.push({ key: "transfer:note.storeToken" });
  if (packagedEvent.hasPublishPassword) notes.push({ key: "transfer:note.publishPassword" });
  // An imported event must not open without its owner's decision: neither at once, nor later without its password.
  const importedStatus = statusAt(packagedEvent, now);
  const isOpen = importedStatus === EVENT_STATUS.preview || importedStatus === EVENT_STATUS.published;
  const willOpen =
    packagedEvent.enableAutoChangeStatus &&
    packagedEvent.startDate !== null &&
    importedStatus === EVENT_STATUS.unpublished;
  const mustUnpublish = isOpen || (willOpen && packagedEvent.hasPublishPassword);
  if (mustUnpublish) notes.push({ key: "transfer:note.unpublished" });
  const { startDate, endDate, eventDetail, spStoreUrl, urlParams } = packagedEvent;
  return {
    event: {
      id,
      eventName,
      startDate,
      endDate,
      eventDetail,
      spStoreUrl,
      urlParams,
      tags,
      media,
      scene,
      statusId: mustUnpublish ? EVENT_STATUS.unpublished : packagedEvent.statusId,
      enableAutoChangeStatus: mustUnpublish ? false : packagedEvent.enableAutoChangeStatus,
      accessToken: ids.token(),
      previewAccessToken: ids.token(),
    },
    notes,
  };
}
