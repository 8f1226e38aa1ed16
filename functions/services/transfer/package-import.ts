/** Events and spaces out of files (decision 036): sent in slices or as a form, checked whole, then written in one batch. */
import type { Repositories } from "#functions/data/shared/repositories";
import { copiedScene, isKept, type SharedFrame, sharedFrame } from "~/domain/content/same-place";
import { DEFAULT_STEM } from "~/domain/content/tag.schema";
import { EVENT_STATUS, statusAt } from "~/domain/events/status";
import type { CopyEnding } from "~/domain/folders/copy-name";
import { copyName, copyNamePrefix } from "~/domain/folders/copy-name";
import { tidyFileName } from "~/domain/library/file-name";
import { missingParts, partBytes } from "~/domain/library/upload.schema";
import {
  EVENT_NAME_MAX,
  FILE_NAME_SENT_MAX,
  FOLDER_NAME_MAX,
  FORM_MAX_MB,
  IMPORTS_OPEN_MAX,
  PACKAGE_JSON_MAX_BYTES,
  PACKAGE_MAX_BYTES,
  SPACE_NAME_MAX,
  UPLOAD_KEEP_HOURS,
  UPLOAD_PART_BYTES,
} from "~/domain/shared/limits";
import type { Actor, Folder, Lang, LibraryItem, Space, SpaceSource, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { nameKey } from "~/domain/shared/text";
import { filesOf, type SourceInput } from "~/domain/spaces/space-source.schema";
import { ArchiveError } from "~/domain/transfer/archive-error";
import {
  PACKAGE_JSON,
  type Package,
  type PackagedEvent,
  type PackagedFile,
  type PackagedItem,
  type PackageKind,
  readPackage,
} from "~/domain/transfer/package.schema";
import { ensureRootFolders } from "../folders/folders";
import type { StoredMedium, UploadStore } from "../library/uploads-ports";
import { instant } from "../shared/digest";
import {
  AppError,
  type FieldErrors,
  ForbiddenError,
  InvalidError,
  LimitError,
  limitReached,
  NotFoundError,
  UploadBusyError,
  UploadGoneError,
} from "../shared/errors";
import type { Clock, FileStore, IdSource } from "../shared/ports";
import { limitWork, type WorkLimiter } from "../shared/work-limit";
import { auditEntry } from "../users/audit-entry";
import type {
  Archives,
  Import,
  ImportNote,
  ImportReport,
  NewEventOfPackage,
  NewItem,
  OpenArchive,
  PackageOutcome,
} from "./transfer-ports";

/** Dependencies of reading packages. */
export interface PackageImportDeps extends Pick<Repositories, "imports" | "packages" | "folders"> {
  /** Loads the code of archives. */
  readonly archives: () => Promise<Archives>;
  readonly uploadStore: UploadStore;
  readonly files: Pick<FileStore, "delete">;
  readonly spaces: Pick<Repositories["spaces"], "find">;
  readonly library: Pick<Repositories["library"], "findAll">;
  readonly users: Pick<Repositories["users"], "find">;
  readonly copies: Pick<Repositories["copies"], "listNames">;
  readonly copyEnding: (lang: Lang) => CopyEnding;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly defer: (work: Promise<unknown>) => void;
  readonly isAllowedStoreHost: (host: string) => boolean;
  readonly workLimiter: WorkLimiter;
}

const HOUR = 3_600_000;
/** Duration of the claim of the call that stores a package, in milliseconds. After that another call may try. */
const CLAIM_MS = 15 * 60_000;
/** How long what came of an import can be read. */
const REPORT_MS = 7 * 24 * HOUR;
/** Maximum number of attempts to write a package when its target changes meanwhile. */
const ATTEMPTS = 3;
const SWEPT_AT_ONCE = 20;

const problem = (key: string) => ({ key: `transfer:problem.${key}` });
/** An error about the file as a whole. */
const badPackage = (key: string) => new InvalidError({ file: [problem(key)] }, "bad_package");

/** Where a package is to go: an event into a space, a space into a folder. */
export interface ImportTarget {
  readonly kind: PackageKind;
  readonly space: Space | null;
  readonly folder: Folder | null;
  readonly ownerId: Uuid;
}

/**
 * A space or a folder into which packages may be put: by its owner and administrators, as a package fills the owner's library.
 * @throws NotFoundError, ForbiddenError
 */
export async function findTarget(
  deps: Pick<PackageImportDeps, "spaces" | "folders">,
  input: { readonly actor: Actor; readonly spaceId?: Uuid | null; readonly folderId?: Uuid | null },
): Promise<ImportTarget> {
  const { actor, spaceId, folderId } = input;
  const space = spaceId ? await deps.spaces.find(spaceId) : null;
  const folder = !spaceId && folderId ? await deps.folders.find(folderId) : null;
  const thing = space ?? (folder?.folderType === "space" ? folder : null);
  if (!thing) throw new NotFoundError("target");
  const { ownerId, groupId } = thing;
  const type = space ? "event" : "space";
  if (!can(actor, "read", { type, ownerId, groupId })) throw new NotFoundError("target");
  const may =
    can(actor, "create", { type, ownerId, groupId }) &&
    can(actor, "create", { type: "media", ownerId, groupId: null });
  if (!may) throw new ForbiddenError("import");
  return { kind: space ? "event" : "space", space, folder, ownerId };
}

/** An import as its sender sees it. */
export interface PackageImport {
  readonly id: Uuid;
  readonly fileName: string;
  readonly byteSize: number;
  readonly partSize: number;
  readonly parts: readonly { readonly number: number; readonly byteSize: number }[];
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly state: "waiting" | "running" | "done";
  readonly report: ImportReport | null;
}

const toPackageImport = (found: Import, now: string): PackageImport => ({
  id: found.id,
  fileName: found.fileName,
  byteSize: found.byteSize,
  partSize: UPLOAD_PART_BYTES,
  parts: Object.entries(found.parts)
    .map(([number, { byteSize }]) => ({ number: Number(number), byteSize }))
    .sort((a, b) => a.number - b.number),
  createdAt: found.createdAt,
  expiresAt: found.expiresAt,
  state: found.doneAt !== null ? "done" : (found.claimedUntil ?? "") > now ? "running" : "waiting",
  report: found.doneAt === null ? null : (found.report as ImportReport),
});

/** Description of a package before it is sent. */
export interface StartImportInput {
  readonly actor: Actor;
  readonly spaceId?: Uuid | null;
  readonly folderId?: Uuid | null;
  readonly fileName: string;
  readonly byteSize: number;
}

/**
 * Begins to send a package, whose declared bytes are reserved in the owner's storage until it is done, given up or a day old.
 * @throws NotFoundError, ForbiddenError; InvalidError bad_package; LimitError too_many_imports, library_capacity, trash_full; RateLimitedError
 */
export async function startImport(deps: PackageImportDeps, input: StartImportInput): Promise<PackageImport> {
  const found = await begin(deps, input);
  return toPackageImport(found, instant(deps.clock.now()));
}

async function begin(deps: PackageImportDeps, input: StartImportInput): Promise<Import> {
  const { actor, byteSize } = input;
  const { space, folder, ownerId } = await findTarget(deps, input);
  if (byteSize <= 0) throw badPackage("empty");
  if (byteSize > PACKAGE_MAX_BYTES) throw badPackage("tooLarge");
  await limitWork(deps, "import", ownerId);
  const id = deps.ids.uuid();
  const fileKey = `imports/${id}`;
  const now = deps.clock.now();
  const multipartId = await deps.uploadStore.begin(fileKey);
  const made = {
    id,
    actorId: actor.userId,
    ownerId,
    kind: "package" as const,
    targetId: space?.id ?? folder?.id ?? "",
    fileName: tidyFileName(input.fileName.slice(0, FILE_NAME_SENT_MAX)),
    byteSize,
    fileKey,
    multipartId,
    detail: {},
    createdAt: instant(now),
    expiresAt: instant(now + UPLOAD_KEEP_HOURS * HOUR),
  };
  const outcome = await deps.imports.add(made, IMPORTS_OPEN_MAX).catch(async (error) => {
    await deps.uploadStore.discard(fileKey, multipartId);
    throw error;
  });
  if (outcome !== "added") {
    await deps.uploadStore.discard(fileKey, multipartId);
    throw outcome === "gone" ? new NotFoundError("owner") : limitReached(outcome);
  }
  return { ...made, parts: {}, report: null, claimedUntil: null, doneAt: null };
}

type OwnImport = { readonly actor: Actor; readonly importId: Uuid };

async function ownImport(deps: Pick<PackageImportDeps, "imports" | "clock">, { actor, importId }: OwnImport) {
  const found = await deps.imports.find(importId, actor.userId);
  if (found?.kind !== "package" || found.expiresAt <= instant(deps.clock.now())) throw new UploadGoneError();
  return found;
}

/** One of the actor's imports. @throws UploadGoneError */
export const getImport = async (deps: PackageImportDeps, input: OwnImport): Promise<PackageImport> =>
  toPackageImport(await ownImport(deps, input), instant(deps.clock.now()));

/** Stores one slice as it arrives, as storePart does. @throws InvalidError upload_part_size; UploadGoneError, UploadBusyError */
export async function storeImportPart(
  deps: PackageImportDeps,
  input: OwnImport & {
    readonly number: number;
    readonly declared: number | null;
    readonly body: ReadableStream<Uint8Array> | null;
  },
): Promise<{ readonly number: number; readonly byteSize: number }> {
  const { number, declared, body } = input;
  const found = await ownImport(deps, input);
  const wrongSize = () =>
    new InvalidError({ file: [{ key: "library:errors.upload.partSize" }] }, "upload_part_size");
  const byteSize = partBytes({ byteSize: found.byteSize, partSize: UPLOAD_PART_BYTES }, number);
  if (byteSize === null || (declared !== null && declared !== byteSize)) throw wrongSize();
  if (found.doneAt !== null || found.multipartId === "") throw new UploadGoneError();
  const { fileKey, multipartId } = found;
  const stored = await deps.uploadStore.putSlice({ fileKey, multipartId, number }, body, byteSize, null);
  if (stored === "wrong_size" || stored === "refused") throw wrongSize();
  if (stored === "gone") throw new UploadGoneError();
  const now = deps.clock.now();
  const part = { etag: stored.etag, byteSize };
  if (await deps.imports.savePart(found.id, number, part, instant(now))) return { number, byteSize };
  throw new UploadBusyError();
}

/** Gives an import up, or forgets what came of it. @throws UploadGoneError, UploadBusyError */
export async function dropImport(deps: PackageImportDeps, input: OwnImport): Promise<void> {
  const found = await ownImport(deps, input);
  if ((found.claimedUntil ?? "") > instant(deps.clock.now()) && found.doneAt === null)
    throw new UploadBusyError();
  await discard(deps, found);
}

/** Bytes go before the record that names them. */
async function discard(deps: Pick<PackageImportDeps, "imports" | "files" | "uploadStore">, found: Import) {
  await deps.uploadStore.discard(found.fileKey, found.multipartId);
  // The files of an unfinished import are unused.
  if (found.doneAt === null) await deps.files.delete(found.detail.keys ?? []);
  await deps.imports.remove(found.id);
}

/**
 * Stores a package that comes as a form, and makes of it what it holds.
 * @throws as startImport and completeImport
 */
export async function importForm(
  deps: PackageImportDeps,
  input: Omit<StartImportInput, "byteSize" | "fileName"> & {
    readonly lang: Lang;
    readonly declared: number | null;
    readonly files: AsyncIterable<{ readonly fileName: string; readonly chunks: AsyncIterable<Uint8Array> }>;
  },
): Promise<PackageImport> {
  const { actor, lang, files, declared } = input;
  await findTarget(deps, input);
  const reserved = Math.min(Math.max(1, declared ?? 1), PACKAGE_MAX_BYTES);
  for await (const { fileName, chunks } of files) {
    const made = await begin(deps, { ...input, fileName, byteSize: reserved }).catch(async (error) => {
      // A browser whose form is not read to its end never shows the refusal.
      if (declared !== null && declared <= FORM_MAX_MB * 1024 * 1024) for await (const _ of chunks);
      throw error;
    });
    const parts: { number: number; etag: string }[] = [];
    let byteSize = 0;
    try {
      for await (const slice of slices(chunks)) {
        byteSize += slice.byteLength;
        if (byteSize > PACKAGE_MAX_BYTES) throw badPackage("tooLarge");
        // A form of unknown length reserves what has arrived.
        if (byteSize > reserved && !(await deps.imports.reserve(made.id, byteSize)))
          throw limitReached("library_capacity");
        const number = parts.length + 1;
        const stored = await deps.uploadStore.putBytes({ ...made, number }, slice);
        if (typeof stored === "string") throw new UploadGoneError();
        parts.push({ number, etag: stored.etag });
      }
      if (byteSize === 0) throw badPackage("empty");
      await deps.uploadStore.complete(made.fileKey, made.multipartId, parts);
    } catch (error) {
      await discard(deps, made);
      throw error;
    }
    return complete(deps, actor, lang, made.id, byteSize);
  }
  throw badPackage("noFile");
}

/** Bytes in slices of the size that uploads have; each is used before the next one is made. */
async function* slices(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const slice = new Uint8Array(UPLOAD_PART_BYTES);
  let filled = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; ) {
      const taken = chunk.subarray(at, at + slice.byteLength - filled);
      slice.set(taken, filled);
      filled += taken.byteLength;
      at += taken.byteLength;
      if (filled < slice.byteLength) continue;
      yield slice;
      filled = 0;
    }
  if (filled > 0) yield slice.subarray(0, filled);
}

/**
 * Assembles the slices of a package, checks all of it, and creates its contents atomically. Repeating the call returns the same result. A rejected
 * package is deleted.
 * @throws InvalidError upload_incomplete; bad_package, beside `file` or the invalid part of its description; event_name_taken
 * @throws LimitError space_license, library_capacity, content_full, too_many_events, too_many_space_events, too_many_media, too_many_folders
 * @throws UploadGoneError, UploadBusyError, NotFoundError, ForbiddenError
 */
export async function completeImport(
  deps: PackageImportDeps,
  input: OwnImport & { readonly lang: Lang },
): Promise<PackageImport> {
  const found = await ownImport(deps, input);
  if (found.doneAt !== null) return toPackageImport(found, instant(deps.clock.now()));
  return complete(deps, input.actor, input.lang, found.id, null);
}

async function complete(
  deps: PackageImportDeps,
  actor: Actor,
  lang: Lang,
  id: Uuid,
  stored: number | null,
): Promise<PackageImport> {
  const now = deps.clock.now();
  const until = instant(now + CLAIM_MS);
  const work = (async () => {
    const claimed = await deps.imports.claim(id, instant(now), until);
    if (!claimed) return false;
    await perform(deps, actor, lang, claimed, until, stored);
    return true;
  })();
  // It goes on when its sender has gone. What was refused is an answer, and no failure.
  deps.defer(
    work.catch((error) => {
      if (!(error instanceof AppError)) throw error;
    }),
  );
  if (!(await work)) {
    const there = await deps.imports.find(id, actor.userId);
    if (there?.doneAt) return toPackageImport(there, instant(now));
    throw there ? new UploadBusyError() : new UploadGoneError();
  }
  const done = await deps.imports.find(id, actor.userId);
  if (!done) throw new UploadGoneError();
  return toPackageImport(done, instant(now));
}

/** @param stored bytes of a file that is there already; null when its slices are to be put together */
async function perform(
  deps: PackageImportDeps,
  actor: Actor,
  lang: Lang,
  claimed: Import,
  until: string,
  stored: number | null,
): Promise<void> {
  const { id, fileKey, multipartId } = claimed;
  let keys: readonly string[] = [];
  const note = async (added: string) => {
    keys = [...keys, added];
    await deps.imports.note(id, until, { detail: { keys } });
  };
  try {
    // A run that died may have left something.
    await deps.files.delete(claimed.detail.keys ?? []);
    const byteSize = stored ?? (await putTogether(deps, claimed));
    await deps.imports.note(id, until, { byteSize, multipartId: "", detail: {} });
    const target = await targetOf(deps, actor, claimed);
    const archive = await openArchive(deps, fileKey, byteSize);
    const brought = await describe(deps, archive);
    if (brought.kind !== target.kind) throw badPackage(brought.kind === "event" ? "isEvent" : "isSpace");
    await write(deps, { actor, lang, claimed: { id, claimedUntil: until }, target, archive, brought, note });
    await deps.uploadStore.discard(fileKey, "");
  } catch (error) {
    await deps.files.delete(keys);
    const isIncomplete = error instanceof InvalidError && error.code === "upload_incomplete";
    if (error instanceof AppError && !isIncomplete)
      await discard(deps, { ...claimed, multipartId: stored === null ? multipartId : "", detail: {} });
    else await deps.imports.release(id, until);
    throw error;
  }
}

async function putTogether(deps: PackageImportDeps, claimed: Import): Promise<number> {
  const { fileKey, multipartId, byteSize, parts } = claimed;
  // Put together by a run that died afterwards.
  if (multipartId === "") return byteSize;
  const size = { byteSize, partSize: UPLOAD_PART_BYTES };
  const stored = Object.entries(parts).map(([number, part]) => [Number(number), part.byteSize] as const);
  const missing = missingParts(size, new Map(stored));
  const incomplete = (list: readonly number[]) =>
    new InvalidError(
      {
        file: [
          { key: "library:errors.upload.incomplete", values: { missing: list.slice(0, 20).join(", ") } },
        ],
      },
      "upload_incomplete",
    );
  if (missing.length > 0) throw incomplete(missing);
  const numbers = stored.map(([number]) => number).sort((a, b) => a - b);
  const list = numbers.map((number) => ({ number, etag: parts[number]?.etag ?? "" }));
  const done = await deps.uploadStore.complete(fileKey, multipartId, list);
  if (done === null) throw incomplete(numbers);
  return done;
}

/** The target of a claimed import. It may have been deleted meanwhile, or have another owner. */
async function targetOf(deps: PackageImportDeps, actor: Actor, { targetId }: Import): Promise<ImportTarget> {
  const space = await deps.spaces.find(targetId);
  return findTarget(deps, space ? { actor, spaceId: targetId } : { actor, folderId: targetId });
}

/** Does something with an archive, and says in words what is wrong with it. */
async function withArchive<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ArchiveError ? badPackage(error.problem) : error;
  }
}

const openArchive = (deps: PackageImportDeps, fileKey: string, byteSize: number) =>
  withArchive(async () => (await deps.archives()).open(fileKey, byteSize));

/** A package's validated description, with the files that it lists. */
async function describe(deps: PackageImportDeps, archive: OpenArchive): Promise<Package> {
  const size = archive.sizeOf(PACKAGE_JSON);
  if (size === null) throw badPackage("notPackage");
  if (size > PACKAGE_JSON_MAX_BYTES) throw badPackage("tooLarge");
  const read = readPackage(await readJson(archive), { isAllowedStoreHost: deps.isAllowedStoreHost });
  if ("problems" in read) {
    const fields: Record<string, { key: string }[]> = {};
    for (const { path, key } of read.problems) {
      const name = path === "" ? "file" : path;
      fields[name] = [...(fields[name] ?? []), { key }];
    }
    throw new InvalidError(fields satisfies FieldErrors, "bad_package");
  }
  for (const [i, item] of read.package.library.entries())
    for (const part of ["file", "still"] as const) {
      const file = item[part];
      if (file?.path && archive.sizeOf(file.path) !== file.byteSize)
        throw new InvalidError({ [`library.${i}.${part}`]: [problem("missingFile")] }, "bad_package");
    }
  return read.package;
}

async function readJson(archive: OpenArchive): Promise<unknown> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  await withArchive(async () => {
    try {
      for await (const chunk of archive.read(PACKAGE_JSON)) text += decoder.decode(chunk, { stream: true });
      text += decoder.decode();
    } catch (error) {
      throw error instanceof TypeError ? badPackage("notJson") : error;
    }
  });
  try {
    return JSON.parse(text);
  } catch {
    throw badPackage("notJson");
  }
}

interface Work {
  readonly actor: Actor;
  readonly lang: Lang;
  readonly claimed: { readonly id: Uuid; readonly claimedUntil: string };
  readonly target: ImportTarget;
  readonly archive: OpenArchive;
  readonly brought: Package;
  /** Remembers a key before something is stored under it. */
  readonly note: (key: string) => Promise<void>;
}

async function write(deps: PackageImportDeps, work: Work): Promise<void> {
  const { target, brought } = work;
  const owner = await deps.users.find(target.ownerId);
  if (!owner) throw new NotFoundError("owner");
  const used = usedItems(brought);
  const alike = await knownItems(deps, target.ownerId, brought, used);
  const isNew = ({ id }: PackagedItem) => used.has(id) && !alike.has(id);
  const bytes = brought.library
    .filter(isNew)
    .reduce((sum, { file, still }) => sum + (file?.byteSize ?? 0) + (still?.byteSize ?? 0), 0);
  // Asked again in the statement that writes: here, before much is stored in vain.
  if (bytes > owner.storageLimit - owner.storageUsed)
    throw new LimitError("library_capacity", { key: "library:errors.upload.capacity" });
  if (target.kind === "space" && owner.spaceCount >= owner.spaceLicense)
    throw licenseReached(owner.spaceLicense);
  const items: NewItem[] = [];
  for (const [i, item] of brought.library.entries())
    if (isNew(item)) items.push(await storeItem(deps, work, item, `library.${i}`));
  const itemOf = new Map<Uuid, Uuid>([
    ...alike,
    ...items.map(({ id }, i) => [brought.library.filter(isNew)[i]?.id ?? "", id] as const),
  ]);
  const root = items.length > 0 ? (await ensureRootFolders(deps, { ownerId: target.ownerId })).media : null;
  for (let left = ATTEMPTS; left > 0; left--) {
    const outcome = await writeOnce(deps, work, { items, itemOf, root, bytes, reused: [...alike.values()] });
    if (outcome === "written") return;
    if (left > 1 && (outcome === "changed" || outcome === "name_taken")) continue;
    throw refusal(outcome, owner.spaceLicense);
  }
}

const licenseReached = (count: number) =>
  new LimitError("space_license", { key: "api:services.spaceLicense", values: { count } });

function refusal(outcome: Exclude<PackageOutcome, "written">, license: number): AppError {
  switch (outcome) {
    case "gone":
      return new NotFoundError("target");
    case "space_license":
      return licenseReached(license);
    case "library_capacity":
    case "content_full":
    case "too_many_events":
    case "too_many_space_events":
    case "too_many_media":
      return limitReached(outcome);
    case "too_many_folders":
      return new LimitError("too_many_folders", { key: "folders:refused.too_many_folders" });
    default:
      return badPackage("changed");
  }
}

/** The items of a package that something shows, and of a space what it is made of: the rest is only named. */
function usedItems({ kind, space, events, library }: Package): ReadonlySet<Uuid> {
  const used = new Set(events.flatMap(({ media }) => media.map(({ libraryItemId }) => libraryItemId)));
  if (kind === "space") {
    for (const id of filesOf(space.source)) used.add(id);
    if (space.posterMediaId) used.add(space.posterMediaId);
  }
  const named = library.filter(({ id, file }) => used.has(id) && file !== null && file.path === null);
  if (named.length > 0) throw new InvalidError({ library: [problem("missingFile")] }, "bad_package");
  return used;
}

/** Items of the owner's library that have the same content as items of the package. */
async function knownItems(
  deps: PackageImportDeps,
  ownerId: Uuid,
  { library }: Package,
  used: ReadonlySet<Uuid>,
): Promise<Map<Uuid, Uuid>> {
  const wanted = library.filter(({ id }) => used.has(id));
  const candidates = await deps.packages.listAlike(ownerId, {
    sizes: [...new Set(wanted.flatMap(({ file }) => file?.byteSize ?? []))],
    urls: [...new Set(wanted.flatMap(({ web }) => web?.url ?? []))],
  });
  const digest = digests(deps);
  const alike = new Map<Uuid, Uuid>();
  for (const item of wanted)
    for (const known of candidates) {
      if (alike.has(item.id) || known.kind !== item.kind) continue;
      const isSame = item.web
        ? known.web?.url === item.web.url
        : known.byteSize === item.file?.byteSize && (await digest(known)) === item.file.sha256;
      if (isSame) alike.set(item.id, known.id);
    }
  return alike;
}

/** Digests of stored files, each taken once. */
function digests(deps: Pick<PackageImportDeps, "archives">) {
  const known = new Map<string, string | null>();
  return async ({ fileKey }: Pick<LibraryItem, "fileKey">): Promise<string | null> => {
    if (fileKey === null) return null;
    const before = known.get(fileKey);
    if (before !== undefined) return before;
    const archives = await deps.archives();
    const found = (await archives.digest(fileKey))?.sha256 ?? null;
    known.set(fileKey, found);
    return found;
  };
}

/** Stores what an item of a package is made of, by the rules of uploads. */
async function storeItem(
  deps: PackageImportDeps,
  work: Work,
  item: PackagedItem,
  path: string,
): Promise<NewItem> {
  const id = deps.ids.uuid();
  const { kind, title, fileName, web } = item;
  const refused = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    new InvalidError({ [path]: [{ key, values }] }, "bad_package");
  const put = async (file: PackagedFile, fileKey: string, name: string): Promise<StoredMedium> => {
    await work.note(fileKey);
    await storeFile(deps, work.archive, file, fileKey);
    const found = await deps.uploadStore.inspect(fileKey, name, file.byteSize);
    if ("refusal" in found) throw refused(`library:errors.upload.${found.refusal}`, found.values);
    return found.medium;
  };
  const stillKey = item.still?.path ? `library/${id}/thumbnail-${deps.ids.uuid()}` : null;
  const still = item.still && stillKey ? await put(item.still, stillKey, "still") : null;
  if (still && still.kind !== "image") throw refused("library:errors.upload.thumbnail");
  if (web)
    return {
      id,
      kind,
      title,
      fileName: "",
      mimeType: still?.mimeType ?? "text/uri-list",
      web,
      byteSize: still?.byteSize ?? 0,
      width: web.width,
      height: web.height,
      duration: null,
      fileKey: null,
      thumbKey: stillKey,
      stillSize: 0,
      isHeavy: false,
    };
  const fileKey = `library/${id}/${deps.ids.uuid()}`;
  const medium = item.file ? await put(item.file, fileKey, fileName) : null;
  if (medium?.kind !== kind) throw refused("library:errors.upload.otherKind");
  const { mimeType, byteSize, width, height, duration, isHeavy = false } = medium;
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
    thumbKey: stillKey,
    stillSize: still?.byteSize ?? 0,
    isHeavy,
  };
}

/** Stores a file of an archive, with one slice in memory. Rejects a file whose content does not match its description. */
async function storeFile(
  deps: PackageImportDeps,
  archive: OpenArchive,
  { path, sha256, byteSize }: PackagedFile,
  fileKey: string,
): Promise<void> {
  await withArchive(async () => {
    const chunks = archive.read(path ?? "", sha256);
    if (byteSize <= UPLOAD_PART_BYTES) {
      for await (const slice of slices(chunks)) await deps.uploadStore.putFile(fileKey, slice.slice(), "");
      return;
    }
    const multipartId = await deps.uploadStore.begin(fileKey);
    const parts: { number: number; etag: string }[] = [];
    try {
      for await (const slice of slices(chunks)) {
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

/** Stored parts of a package before it is written: new items, and which item stands for which file. */
interface Stored {
  readonly items: readonly NewItem[];
  readonly itemOf: ReadonlyMap<Uuid, Uuid>;
  readonly root: Uuid | null;
  readonly bytes: number;
  readonly reused: readonly Uuid[];
}

async function writeOnce(deps: PackageImportDeps, work: Work, stored: Stored): Promise<PackageOutcome> {
  const { actor, brought, claimed, target } = work;
  const { itemOf } = stored;
  // Read again for each attempt: the space's source decides which positions are kept.
  const into = target.space ? await deps.spaces.find(target.space.id) : null;
  if (target.kind === "event" && !into) return "gone";
  const now = deps.clock.now();
  const notes: ImportNote[] = [];
  const frame = into ? await frameOf(deps, brought, into) : { nodes: null };
  const { length } = brought.events;
  const names = await freeNames(deps, work, into);
  const events = brought.events.map((event, i) => {
    const id = deps.ids.uuid();
    const eventName = into ? names.free : event.eventName;
    const made = newEvent(deps, event, { id, eventName, frame, itemOf, now });
    notes.push(...made.notes.map((note) => ({ ...note, eventId: id })));
    if (eventName !== event.eventName)
      notes.push({ key: "transfer:note.renamed", values: { name: event.eventName }, eventId: id });
    // In the order in which they were made.
    return { ...made.event, createdAt: instant(now - (length - 1 - i)) };
  });
  const space = into ? null : newSpace(deps, work, itemOf, names.free);
  if (!into && names.free !== brought.space.name)
    notes.push({ key: "transfer:note.spaceRenamed", values: { name: brought.space.name }, eventId: null });
  const spaceId = into?.id ?? space?.id ?? "";
  const report: ImportReport = {
    kind: brought.kind,
    spaceId,
    spaceName: into?.name ?? names.free,
    events: events.map(({ id, eventName }) => ({ id, name: eventName })),
    counts: {
      tags: events.reduce((sum, { tags }) => sum + tags.length, 0),
      media: events.reduce((sum, { media }) => sum + media.length, 0),
      added: stored.items.length,
      reused: stored.reused.length,
      bytes: stored.bytes,
    },
    notes,
  };
  const entries = into
    ? events.map(({ id }) => auditEntry(deps, actor, "event_imported", "event", id, { spaceId }))
    : [auditEntry(deps, actor, "space_imported", "space", spaceId, { events: length })];
  const name = [...(into ? names.free : brought.space.name)].slice(0, FOLDER_NAME_MAX).join("");
  return deps.packages.write({
    import: claimed,
    kind: brought.kind,
    ownerId: target.ownerId,
    at: instant(now),
    into,
    space,
    keepUntil: instant(now + REPORT_MS),
    mediaFolder: stored.root ? { id: deps.ids.uuid(), parentId: stored.root, name } : null,
    items: stored.items,
    reused: stored.reused,
    events,
    entries,
    report,
  });
}

/** The name of the event or space that is made: its own, or, where that is taken, as copies are called (lang). */
async function freeNames(deps: PackageImportDeps, { lang, brought, target }: Work, into: Space | null) {
  const [event] = brought.events;
  const own = into ? (event?.eventName ?? "") : brought.space.name;
  const max = into ? EVENT_NAME_MAX : SPACE_NAME_MAX;
  const ending = deps.copyEnding(lang);
  const place = into?.id ?? target.folder?.id ?? "";
  const prefix = copyNamePrefix(own, ending, max);
  const taken = new Set(await deps.copies.listNames({ kind: into ? "event" : "space", place, prefix }));
  return { free: taken.has(nameKey(own)) ? copyName(own, ending, max, taken) : own };
}

/** The coordinate frame of an event's positions that remains valid in a space. Files of both are the same when their bytes are. */
async function frameOf(
  deps: PackageImportDeps,
  { space, library }: Package,
  into: Space,
): Promise<SharedFrame | null> {
  const { source } = space;
  if (source.kind === "showcase") return sharedFrame({ sid: source.sid, source: { kind: "showcase" } }, into);
  const there = await deps.library.findAll(filesOf(into.source));
  const digest = digests(deps);
  const same = new Map<Uuid, Uuid>();
  for (const id of filesOf(source)) {
    const file = library.find((item) => item.id === id)?.file;
    for (const item of there)
      if (file && item.byteSize === file.byteSize && (await digest(item)) === file.sha256)
        same.set(id, item.id);
  }
  // The id of a file that is not the same means nothing: it may have been replaced since.
  return sharedFrame({ sid: "", source: withFiles(source, (id) => same.get(id) ?? "") }, into);
}

/** A source of files with other files. */
function withFiles(
  source: Exclude<SourceInput, { readonly kind: "showcase" }>,
  of: (id: Uuid) => Uuid,
): Exclude<SpaceSource, { readonly kind: "showcase" }> {
  if (source.kind === "model") {
    const { lightPicture: light, ...model } = source;
    return {
      ...model,
      mediaId: of(model.mediaId),
      ...(light && { lightPicture: { mediaId: of(light.mediaId) } }),
    };
  }
  if (source.kind === "splat") return { ...source, mediaId: of(source.mediaId) };
  return { ...source, nodes: source.nodes.map((node) => ({ ...node, mediaId: of(node.mediaId) })) };
}

function newSpace(
  deps: Pick<PackageImportDeps, "ids">,
  { brought, target }: Work,
  itemOf: ReadonlyMap<Uuid, Uuid>,
  name: string,
) {
  const { source, posterMediaId } = brought.space;
  const of = (id: Uuid) => itemOf.get(id) ?? "";
  return {
    id: deps.ids.uuid(),
    folderId: target.folder?.id ?? "",
    groupId: target.folder?.groupId ?? null,
    name,
    ...(source.kind === "showcase"
      ? { sid: source.sid, source: { kind: "showcase" } as const }
      : { sid: deps.ids.sid(), source: withFiles(source, of) }),
    posterMediaId: posterMediaId === null ? null : of(posterMediaId),
  };
}

/** An event of a package with new ids, and the notes for the importing user. */
function newEvent(
  deps: Pick<PackageImportDeps, "ids">,
  from: PackagedEvent,
  as: {
    readonly id: Uuid;
    readonly eventName: string;
    readonly frame: SharedFrame | null;
    readonly itemOf: ReadonlyMap<Uuid, Uuid>;
    readonly now: number;
  },
): { readonly event: Omit<NewEventOfPackage, "createdAt">; readonly notes: Omit<ImportNote, "eventId">[] } {
  const { ids } = deps;
  const { id, eventName, frame, itemOf, now } = as;
  const notes: Omit<ImportNote, "eventId">[] = [];
  const idOf = new Map([...from.tags, ...from.media].map((part) => [part.id, ids.uuid()]));
  const of = (part: Uuid) => idOf.get(part) ?? "";
  const tags = from.tags.map((tag) => ({
    ...tag,
    id: of(tag.id),
    mediaIds: tag.mediaIds.map(of),
    ...(frame === null && { position: null, stem: DEFAULT_STEM }),
    viewpoint: tag.viewpoint && isKept(tag.viewpoint, frame) ? tag.viewpoint : null,
  }));
  const media = from.media.map((medium) => ({
    ...medium,
    id: of(medium.id),
    libraryItemId: itemOf.get(medium.libraryItemId) ?? "",
    placement: frame === null ? null : medium.placement,
  }));
  const scene = copiedScene(
    from.scene,
    frame,
    (part) => idOf.get(part),
    () => ids.uuid(),
  );
  const placed =
    from.tags.filter(({ position }) => position !== null).length +
    from.media.filter(({ placement }) => placement !== null).length;
  if (frame === null && placed > 0) notes.push({ key: "transfer:note.toPlace", values: { count: placed } });
  const lost = from.scene.tour.length - scene.tour.length;
  if (lost > 0) notes.push({ key: "transfer:note.stops", values: { count: lost } });
  if (from.scene.startView && !scene.startView) notes.push({ key: "transfer:note.startView" });
  if (from.scene.plan && !scene.plan) notes.push({ key: "transfer:note.plan" });
  if (from.hasStoreToken) notes.push({ key: "transfer:note.storeToken" });
  if (from.hasPublishPassword) notes.push({ key: "transfer:note.publishPassword" });
  // An imported event must not open without a decision here: neither at once, nor later without its password.
  const opens = statusAt(from, now);
  const isOpen = opens === EVENT_STATUS.preview || opens === EVENT_STATUS.published;
  const willOpen =
    from.enableAutoChangeStatus && from.startDate !== null && opens === EVENT_STATUS.unpublished;
  const isHeld = isOpen || (willOpen && from.hasPublishPassword);
  if (isHeld) notes.push({ key: "transfer:note.unpublished" });
  const { startDate, endDate, eventDetail, spStoreUrl, urlParams } = from;
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
      statusId: isHeld ? EVENT_STATUS.unpublished : from.statusId,
      enableAutoChangeStatus: isHeld ? false : from.enableAutoChangeStatus,
      accessToken: ids.token(),
      previewAccessToken: ids.token(),
    },
    notes,
  };
}

/** Deletes expired imports and their stored files; for the cron trigger. A run handles a bounded number. Returns how many were deleted. */
export async function deleteExpiredImports(deps: PackageImportDeps): Promise<number> {
  const expired = await deps.imports.listExpired(instant(deps.clock.now()), SWEPT_AT_ONCE);
  for (const found of expired) await discard(deps, found);
  return expired.length;
}
