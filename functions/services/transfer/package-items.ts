/** Library items of a package: finds the items that the owner has already, and stores the others. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { LibraryItem } from "~/domain/library/library-item";
import { UPLOAD_PART_BYTES } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { listSourceFileIds } from "~/domain/spaces/space-source.schema";
import type { Package, PackagedFile, PackagedItem } from "~/domain/transfer/package-format";
import { uploadSlices } from "../library/upload-slices";
import type { InspectedFile, UploadStore } from "../library/uploads-ports";
import { InvalidError, UploadGoneError } from "../shared/errors";
import type { IdSource } from "../shared/ports";
import { packageProblem, withArchive } from "./open-package";
import type { Archives, NewItem, OpenArchive } from "./transfer-ports";

/** Dependencies of storing the library items of a package. */
export interface PackageItemDeps extends Pick<Repositories, "packages"> {
  /** Loads the code of archives. */
  readonly archives: () => Promise<Archives>;
  readonly uploadStore: UploadStore;
  readonly ids: IdSource;
}

/** An archive whose files are being stored. */
export interface PackageWork {
  readonly archive: OpenArchive;
  /** Records a key before something is stored under it. */
  readonly recordKey: (key: string) => Promise<void>;
}

/**
 * Returns the ids of the items that the package's events use, and for a package of a space also those that the space uses. Other listed items are not
 * imported.
 * @throws InvalidError bad_package when the package does not contain the file of a used item
 */
export function listUsedItemIds({ kind, space, events, library }: Package): ReadonlySet<Uuid> {
  const usedIds = new Set(events.flatMap(({ media }) => media.map(({ libraryItemId }) => libraryItemId)));
  if (kind === "space") {
    for (const id of listSourceFileIds(space.source)) usedIds.add(id);
    if (space.posterMediaId) usedIds.add(space.posterMediaId);
  }
  const withoutFile = library.filter(
    ({ id, file }) => usedIds.has(id) && file !== null && file.path === null,
  );
  if (withoutFile.length > 0)
    throw new InvalidError({ library: [packageProblem("missingFile")] }, "bad_package");
  return usedIds;
}

/** Maps ids of the package's items to ids of the owner's library items with the same bytes, or for web media the same URL. */
export async function findKnownItems(
  deps: PackageItemDeps,
  ownerId: Uuid,
  { library }: Package,
  usedIds: ReadonlySet<Uuid>,
): Promise<Map<Uuid, Uuid>> {
  const usedLibraryItems = library.filter(({ id }) => usedIds.has(id));
  const candidates = await deps.packages.listAlike(ownerId, {
    sizes: [...new Set(usedLibraryItems.flatMap(({ file }) => file?.byteSize ?? []))],
    urls: [...new Set(usedLibraryItems.flatMap(({ web }) => web?.url ?? []))],
  });
  const digest = createDigestReader(deps);
  const matches = new Map<Uuid, Uuid>();
  for (const item of usedLibraryItems)
    for (const candidate of candidates) {
      if (matches.has(item.id) || candidate.kind !== item.kind) continue;
      const isSame = item.web
        ? candidate.web?.url === item.web.url
        : candidate.byteSize === item.file?.byteSize && (await digest(candidate)) === item.file.sha256;
      if (isSame) matches.set(item.id, candidate.id);
    }
  return matches;
}

/** Returns a function that computes the SHA-256 of a stored file (hex), once for each file; null for an item without a file. */
export function createDigestReader(deps: Pick<PackageItemDeps, "archives">) {
  const digestsByKey = new Map<string, string | null>();
  return async ({ fileKey }: Pick<LibraryItem, "fileKey">): Promise<string | null> => {
    if (fileKey === null) return null;
    const cachedDigest = digestsByKey.get(fileKey);
    if (cachedDigest !== undefined) return cachedDigest;
    const archives = await deps.archives();
    const digest = (await archives.digest(fileKey))?.sha256 ?? null;
    digestsByKey.set(fileKey, digest);
    return digest;
  };
}

/**
 * Stores the files of an item of a package, with the checks of uploads.
 * @param path the item's place in the package's description, for errors
 * @throws InvalidError bad_package
 */
export async function storeItem(
  deps: PackageItemDeps,
  { archive, recordKey }: PackageWork,
  item: PackagedItem,
  path: string,
): Promise<NewItem> {
  const id = deps.ids.uuid();
  const { kind, title, fileName, web } = item;
  const rejectItem = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    new InvalidError({ [path]: [{ key, values }] }, "bad_package");
  const storeAndInspect = async (
    file: PackagedFile,
    fileKey: string,
    name: string,
  ): Promise<InspectedFile> => {
    await recordKey(fileKey);
    await storeFile(deps, archive, file, fileKey);
    const inspection = await deps.uploadStore.inspect(fileKey, name, file.byteSize);
    if ("rejection" in inspection)
      throw rejectItem(`library:errors.upload.${inspection.rejection}`, inspection.values);
    return inspection.file;
  };
  // The package's `still` is the thumbnail of the item.
  const thumbKey = item.still?.path ? `library/${id}/thumbnail-${deps.ids.uuid()}` : null;
  const thumbnail = item.still && thumbKey ? await storeAndInspect(item.still, thumbKey, "still") : null;
  if (thumbnail && thumbnail.kind !== "image") throw rejectItem("library:errors.upload.thumbnail");
  if (web)
    return {
      id,
      kind,
      title,
      fileName: "",
      mimeType: thumbnail?.mimeType ?? "text/uri-list",
      web,
      byteSize: thumbnail?.byteSize ?? 0,
      width: web.width,
      height: web.height,
      duration: null,
      fileKey: null,
      thumbKey,
      thumbnailSize: 0,
      isHeavy: false,
    };
  const fileKey = `library/${id}/${deps.ids.uuid()}`;
  const metadata = item.file ? await storeAndInspect(item.file, fileKey, fileName) : null;
  if (metadata?.kind !== kind) throw rejectItem("library:errors.upload.otherKind");
  const { mimeType, byteSize, width, height, duration, isHeavy = false } = metadata;
  return {
    id,
    kind,
    title,
    fileName,
    mimeType,
    byteSize,
    width,
    height,
    duration,
    fileKey,
    web: null,
    thumbKey,
    thumbnailSize: thumbnail?.byteSize ?? 0,
    isHeavy,
  };
}

/** Stores a file of an archive, with one slice in memory. @throws InvalidError bad_package when its bytes do not have the described SHA-256 */
async function storeFile(
  deps: PackageItemDeps,
  archive: OpenArchive,
  { path, sha256, byteSize }: PackagedFile,
  fileKey: string,
): Promise<void> {
  await withArchive(async () => {
    const chunks = archive.read(path ?? "", sha256);
    if (byteSize <= UPLOAD_PART_BYTES) {
      for await (const slice of uploadSlices(chunks))
        await deps.uploadStore.putFile(fileKey, slice.slice(), "");
      return;
    }
    const multipartId = await deps.uploadStore.begin(fileKey);
    const parts: { number: number; etag: string }[] = [];
    try {
      for await (const slice of uploadSlices(chunks)) {
        const number = parts.length + 1;
        const stored = await deps.uploadStore.putBytes({ fileKey, multipartId, number }, slice);
        if (typeof stored === "string") throw new UploadGoneError();
        parts.push({ number, etag: stored.etag });
      }
      await deps.uploadStore.complete(fileKey, multipartId, parts);
    } catch (error) {
      await deps.uploadStore.discard(fileKey, multipartId);
      throw error;
    }
  });
}
