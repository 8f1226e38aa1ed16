/** Exports events and spaces as files (decision 036). */

import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { singleText } from "~/domain/events/event-texts";
import { COPY_RECORDS_MAX } from "~/domain/folders/tree";
import type { LibraryItem } from "~/domain/library/library-item";
import {
  EVENTS_PER_SPACE_MAX,
  PACKAGE_FILES_MAX,
  PACKAGE_JSON_MAX_BYTES,
  PACKAGE_MAX_BYTES,
} from "~/domain/shared/limits";
import type { Space, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { listSourceFileIds } from "~/domain/spaces/space-source.schema";
import {
  PACKAGE_JSON,
  type PackagedFile,
  type PackagedItem,
  type PackageKind,
} from "~/domain/transfer/package-format";
import { type PackageContent, packageToJson } from "~/domain/transfer/package-json";
import { eventResource } from "../events/events";
import { ForbiddenError, InvalidError, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock, IdSource } from "../shared/ports";
import { spaceResource } from "../spaces/spaces";
import { auditEntry } from "../users/audit-entry";
import type { Archives, NewEntry } from "./transfer-ports";

/** Dependencies of writing packages. */
export interface PackageExportDeps {
  readonly content: Pick<Repositories["content"], "load">;
  readonly events: Pick<Repositories["events"], "listBySpace">;
  readonly spaces: Pick<Repositories["spaces"], "find">;
  readonly library: Pick<Repositories["library"], "findAll">;
  readonly audit: Pick<Repositories["audit"], "write">;
  /** Loads the code of archives. */
  readonly archives: () => Promise<Archives>;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/** A file that is written while it is sent. */
export interface PackageFile {
  readonly fileName: string;
  readonly body: ReadableStream<Uint8Array>;
}

const tooLargeError = () =>
  new InvalidError({ "": [{ key: "transfer:problem.tooManyToExport" }] }, "too_large");

/**
 * Exports an event with its media as one file, for its owner and administrators. Secrets are not exported: links, the store's token,
 * the publish password.
 * @throws NotFoundError, ForbiddenError; InvalidError too_large
 */
export async function exportEvent(
  deps: PackageExportDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<PackageFile> {
  const { actor, eventId } = input;
  const stored = await deps.content.load(eventId);
  if (!stored || !can(actor, "read", eventResource(stored.space))) throw new NotFoundError("event");
  // Only the owner and administrators may export everything; the permission to restore identifies them.
  if (!can(actor, "restore", eventResource(stored.space))) throw new ForbiddenError("export event");
  const { event, space, ...content } = stored;
  const file = await packageFile(deps, "event", space, [{ event, ...content }], singleText(event.eventName));
  await deps.audit.write(auditEntry(deps, actor, "event_exported", "event", eventId));
  return file;
}

/**
 * Exports a space with its source files and all its events as one file, for its owner and administrators.
 * @throws NotFoundError, ForbiddenError; InvalidError too_large
 */
export async function exportSpace(
  deps: PackageExportDeps,
  input: { readonly actor: Actor; readonly spaceId: Uuid },
): Promise<PackageFile> {
  const { actor, spaceId } = input;
  const space = await deps.spaces.find(spaceId);
  if (!space || !can(actor, "read", spaceResource(space))) throw new NotFoundError("space");
  if (!can(actor, "restore", spaceResource(space))) throw new ForbiddenError("export space");
  if (space.eventCount > EVENTS_PER_SPACE_MAX) throw tooLargeError();
  const events = await deps.events.listBySpace(spaceId, { page: 1, pageSize: EVENTS_PER_SPACE_MAX });
  const loadedEvents = [];
  // Sequential, because D1 limits the number of concurrent queries. Reversed, so that the oldest event comes first, as an import expects.
  for (const { id } of events.toReversed()) {
    const content = await deps.content.load(id);
    if (content) loadedEvents.push(content);
  }
  const file = await packageFile(deps, "space", space, loadedEvents, space.name);
  await deps.audit.write(auditEntry(deps, actor, "space_exported", "space", spaceId));
  return file;
}

const EXTENSION = /\.([a-z0-9]{1,8})$/;
const archivePath = (id: Uuid, fileName: string, fallback: string) =>
  `media/${id}.${EXTENSION.exec(fileName.toLowerCase())?.[1] ?? fallback}`;

async function packageFile(
  deps: PackageExportDeps,
  kind: PackageKind,
  space: Space,
  events: PackageContent["events"],
  name: string,
): Promise<PackageFile> {
  const recordCount = events.reduce((sum, { tags, media }) => sum + tags.length + media.length + 1, 0);
  const usedIds = new Set(events.flatMap(({ media }) => media.map(({ libraryItemId }) => libraryItemId)));
  const posterIds = kind === "space" && space.posterMediaId !== null ? [space.posterMediaId] : [];
  const sourceIds = listSourceFileIds(space.source);
  // An event's package contains only references to the files of its space, so that an import can recognise the same source.
  const includedIds = new Set([...usedIds, ...posterIds, ...(kind === "space" ? sourceIds : [])]);
  const ids = [...new Set([...includedIds, ...sourceIds])];
  const items = await deps.library.findAll(ids);
  const itemsById = new Map(items.map((item) => [item.id, item]));
  const library = ids.flatMap((id) => itemsById.get(id) ?? []);
  const files = new Map<Uuid, { file: PackagedFile | null; still: PackagedFile | null }>();
  const entries: NewEntry[] = [];
  // `still` is the item's thumbnail.
  const addFile = (item: LibraryItem, role: "file" | "still", fileKey: string, path: string) => {
    entries.push({
      path,
      fileKey,
      onRead(fileDigest) {
        files.set(item.id, {
          file: null,
          still: null,
          ...files.get(item.id),
          [role]: { path, ...fileDigest },
        });
      },
    });
  };
  for (const item of library.filter(({ id }) => includedIds.has(id))) {
    if (item.fileKey) addFile(item, "file", item.fileKey, archivePath(item.id, item.fileName, "bin"));
    if (item.thumbKey) addFile(item, "still", item.thumbKey, `media/${item.id}-still.img`);
  }
  const totalBytes = library
    .filter(({ id }) => includedIds.has(id))
    .reduce((sum, { fileKey, byteSize, thumbnailSize }) => sum + (fileKey ? byteSize : 0) + thumbnailSize, 0);
  // An export that could not be imported again is rejected. The maximum size of the description is reserved, because it is written last.
  if (
    recordCount + library.length > COPY_RECORDS_MAX ||
    entries.length > PACKAGE_FILES_MAX ||
    totalBytes > PACKAGE_MAX_BYTES - PACKAGE_JSON_MAX_BYTES
  )
    throw tooLargeError();
  const archives = await deps.archives();
  for (const { id, fileKey } of library.filter((item) => !includedIds.has(item.id))) {
    const digest = fileKey ? await archives.digest(fileKey) : null;
    if (digest) files.set(id, { file: { path: null, ...digest }, still: null });
  }
  const now = toInstant(deps.clock.now());
  const writeDescription = () => {
    const packagedFiles: ReadonlyMap<Uuid, Pick<PackagedItem, "file" | "still">> = files;
    return JSON.stringify(packageToJson({ kind, space, events, library }, packagedFiles, now), null, 1);
  };
  // Written last, because the metadata of the files are known only after they were sent.
  entries.push({ path: PACKAGE_JSON, text: writeDescription });
  return { fileName: `${name} ${now.slice(0, 10)}.hiroba.zip`, body: archives.write(entries) };
}
