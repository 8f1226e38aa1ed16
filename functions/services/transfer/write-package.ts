/** Writes a package (the ZIP archive of an exported space or event) whose description was checked: first its files, then all records in one batch. */
import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { CopySuffix } from "~/domain/folders/copy-name";
import { copyName, copyNamePrefix } from "~/domain/folders/copy-name";
import { DAY_MS } from "~/domain/shared/day";
import { isEqual } from "~/domain/shared/is-equal";
import { LANGS } from "~/domain/shared/lang";
import { EVENT_NAME_MAX, FOLDER_NAME_MAX, SPACE_NAME_MAX } from "~/domain/shared/limits";
import { textIn } from "~/domain/shared/localized";
import type { Lang, Localized, Space, Uuid } from "~/domain/shared/model";
import { nameKey } from "~/domain/shared/text";
import type { Package, PackagedItem } from "~/domain/transfer/package-format";
import { ensureRootFolders } from "../folders/root-folders";
import { type AppError, LimitError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import type { Clock } from "../shared/ports";
import { auditEntry } from "../users/audit-entry";
import type { ImportTarget } from "./import-target";
import { type ImportedFrameDeps, importedEvent, importedFrame, importedSpace } from "./imported-event";
import { badPackage } from "./open-package";
import {
  findKnownItems,
  listUsedItemIds,
  type PackageItemDeps,
  type PackageWork,
  storeItem,
} from "./package-items";
import type { ImportNote, ImportReport, NewItem, PackageOutcome } from "./transfer-ports";

/** Dependencies of writing a package. */
export interface PackageWriteDeps extends PackageItemDeps, ImportedFrameDeps, Pick<Repositories, "folders"> {
  readonly spaces: Pick<Repositories["spaces"], "find">;
  readonly users: Pick<Repositories["users"], "find">;
  readonly copies: Pick<Repositories["copies"], "listNames">;
  readonly copySuffix: (lang: Lang) => CopySuffix;
  readonly clock: Clock;
}

/** Time for which the report of an import can be read, in milliseconds. */
const REPORT_MS = 7 * DAY_MS;
/** Maximum number of attempts to write the records of a package, when the target changes or a name is taken in between. */
const ATTEMPTS = 3;

/** A package that is written, and its target. */
export interface PackageWrite extends PackageWork {
  readonly actor: Actor;
  /** Language of the sender's screen, for the names of copies and in the report. */
  readonly lang: Lang;
  readonly claimed: { readonly id: Uuid; readonly claimedUntil: string };
  readonly target: ImportTarget;
  readonly content: Package;
}

/**
 * Stores the files of a package and creates its contents in one batch.
 * @throws InvalidError bad_package; LimitError, NotFoundError, UploadGoneError
 */
export async function writePackage(deps: PackageWriteDeps, work: PackageWrite): Promise<void> {
  const { target, content } = work;
  const owner = await deps.users.find(target.ownerId);
  if (!owner) throw new NotFoundError("owner");
  const usedIds = listUsedItemIds(content);
  const existingIds = await findKnownItems(deps, target.ownerId, content, usedIds);
  const isNew = ({ id }: PackagedItem) => usedIds.has(id) && !existingIds.has(id);
  const newBytes = content.library
    .filter(isNew)
    .reduce((sum, { file, still }) => sum + (file?.byteSize ?? 0) + (still?.byteSize ?? 0), 0);
  // The write checks this again. This check avoids storing files in vain.
  if (newBytes > owner.storageLimit - owner.storageUsed)
    throw new LimitError("library_capacity", { key: "library:errors.upload.capacity" });
  if (target.kind === "space" && owner.spaceCount >= owner.spaceLicense)
    throw createLicenseError(owner.spaceLicense);
  const items: NewItem[] = [];
  for (const [i, item] of content.library.entries())
    if (isNew(item)) items.push(await storeItem(deps, work, item, `library.${i}`));
  const itemIds = new Map<Uuid, Uuid>([
    ...existingIds,
    ...items.map(({ id }, i) => [content.library.filter(isNew)[i]?.id ?? "", id] as const),
  ]);
  const rootFolderId =
    items.length > 0 ? (await ensureRootFolders(deps, { ownerId: target.ownerId })).media : null;
  for (let attemptsLeft = ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const outcome = await writeOnce(deps, work, {
      items,
      itemIds,
      rootFolderId,
      bytes: newBytes,
      // Several items of the package may match the same library item.
      reused: [...new Set(existingIds.values())],
    });
    if (outcome === "written") return;
    if (attemptsLeft > 1 && (outcome === "changed" || outcome === "name_taken")) continue;
    throw outcomeError(outcome, owner.spaceLicense);
  }
}

const createLicenseError = (count: number) =>
  new LimitError("space_license", { key: "api:services.spaceLicense", values: { count } });

function outcomeError(outcome: Exclude<PackageOutcome, "written">, license: number): AppError {
  switch (outcome) {
    case "gone":
      return new NotFoundError("target");
    case "space_license":
      return createLicenseError(license);
    case "library_capacity":
    case "content_full":
    case "too_many_events":
    case "too_many_space_events":
    case "too_many_media":
      return limitReached(outcome);
    case "too_many_folders":
      return new LimitError("too_many_folders", { key: "folders:rejected.too_many_folders" });
    default:
      return badPackage("changed");
  }
}

/** Library items for a package, whose files are stored before the package's records are written. */
interface StoredItems {
  readonly items: readonly NewItem[];
  /** The library item for each used item of the package. */
  readonly itemIds: ReadonlyMap<Uuid, Uuid>;
  /** The owner's root folder for media; null without new items. */
  readonly rootFolderId: Uuid | null;
  /** Total bytes of the new items. */
  readonly bytes: number;
  /** Existing library items that are used instead of items in the package. */
  readonly reused: readonly Uuid[];
}

async function writeOnce(
  deps: PackageWriteDeps,
  work: PackageWrite,
  stored: StoredItems,
): Promise<PackageOutcome> {
  const { actor, content, claimed, target } = work;
  const { itemIds } = stored;
  // Read again for each attempt: the space's source decides which positions are kept.
  const targetSpace = target.space ? await deps.spaces.find(target.space.id) : null;
  if (target.kind === "event" && !targetSpace) return "gone";
  const now = deps.clock.now();
  const notes: ImportNote[] = [];
  // A space that the package creates has the package's source, so all positions stay valid.
  const frame = targetSpace ? await importedFrame(deps, content, targetSpace) : { nodes: null };
  const { length: eventCount } = content.events;
  const freeName = targetSpace ? null : await findFreeName(deps, work);
  const freeEventName = targetSpace ? await findFreeEventName(deps, content, targetSpace) : null;
  const events = content.events.map((event, i) => {
    const id = deps.ids.uuid();
    const eventName = freeEventName ?? event.eventName;
    const imported = importedEvent(deps, event, { id, eventName, frame, newItemIds: itemIds, now });
    notes.push(...imported.notes.map((note) => ({ ...note, eventId: id })));
    if (!isEqual(eventName, event.eventName))
      notes.push({
        key: "transfer:note.renamed",
        values: { name: textIn(event.eventName, work.lang) },
        eventId: id,
      });
    // Distinct times keep the events in their order.
    return { ...imported.event, createdAt: toInstant(now - (eventCount - 1 - i)) };
  });
  const space = freeName === null ? null : importedSpace(deps, work, itemIds, freeName);
  if (freeName !== null && freeName !== content.space.name)
    notes.push({ key: "transfer:note.spaceRenamed", values: { name: content.space.name }, eventId: null });
  const spaceId = targetSpace?.id ?? space?.id ?? "";
  const report: ImportReport = {
    kind: content.kind,
    spaceId,
    spaceName: targetSpace?.name ?? freeName ?? "",
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
  const entries = targetSpace
    ? events.map(({ id }) => auditEntry(deps, actor, "event_imported", "event", id, { spaceId }))
    : [auditEntry(deps, actor, "space_imported", "space", spaceId, { events: eventCount })];
  const name = textIn(freeEventName ?? content.space.name, work.lang);
  return deps.packages.write({
    import: claimed,
    kind: content.kind,
    ownerId: target.ownerId,
    at: toInstant(now),
    into: targetSpace,
    space,
    keepUntil: toInstant(now + REPORT_MS),
    mediaFolder: stored.rootFolderId
      ? {
          id: deps.ids.uuid(),
          parentId: stored.rootFolderId,
          name: [...name].slice(0, FOLDER_NAME_MAX).join(""),
        }
      : null,
    items: stored.items,
    reused: stored.reused,
    events,
    entries,
    report,
  });
}

/** Returns the name of the created space: its own, or, if that is taken, the name of a copy in the language of the sender. */
async function findFreeName(
  deps: PackageWriteDeps,
  { lang, content, target }: PackageWrite,
): Promise<string> {
  const { name } = content.space;
  const suffix = deps.copySuffix(lang);
  const containerId = target.folder?.id ?? "";
  const prefixes = [copyNamePrefix(name, suffix, SPACE_NAME_MAX)];
  const takenNames = new Set(await deps.copies.listNames({ kind: "space", containerId, prefixes }));
  return takenNames.has(nameKey(name)) ? copyName(name, suffix, SPACE_NAME_MAX, takenNames) : name;
}

/** Returns the name of an event in a space: its own, or, in each language in which that is taken, the name of a copy. */
async function findFreeEventName(
  deps: PackageWriteDeps,
  { events: [event] }: Package,
  { id: containerId }: Space,
): Promise<Localized> {
  const eventName = event?.eventName ?? { ja: "", en: "" };
  const langs = LANGS.filter((lang) => eventName[lang] !== "");
  const prefixes = langs.map((lang) =>
    copyNamePrefix(eventName[lang], deps.copySuffix(lang), EVENT_NAME_MAX),
  );
  const takenNames = new Set(await deps.copies.listNames({ kind: "event", containerId, prefixes }));
  const freeNames = langs
    .filter((lang) => takenNames.has(nameKey(eventName[lang])))
    .map((lang) => [lang, copyName(eventName[lang], deps.copySuffix(lang), EVENT_NAME_MAX, takenNames)]);
  return { ...eventName, ...Object.fromEntries(freeNames) };
}
