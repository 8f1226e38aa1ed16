import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import { copyScene, type SharedFrame, sharedFrame } from "~/domain/content/shared-frame";
import { type CopySuffix, copyName, copyNamePrefix } from "~/domain/folders/copy-name";
import { treeNameMax } from "~/domain/folders/folder.schema";
import {
  COPY_BATCH_MAX,
  COPY_RECORDS_MAX,
  getCopyRejection,
  type TreeRejection,
} from "~/domain/folders/tree";
import { LANGS } from "~/domain/shared/lang";
import { EVENT_NAME_MAX } from "~/domain/shared/limits";
import type { Event, Folder, Lang, Localized, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { eventResource, nameTakenError } from "../events/events";
import { bindUseCases } from "../shared/bind";
import { ForbiddenError, InvalidError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { limitWork, type WorkLimiter } from "../shared/work-limit";
import { auditEntry } from "../users/audit-entry";
import type { CollidingNamesQuery, Copy, CopyOutcome, CopyPlan, CopySource } from "./copy-ports";
import { checkItems, type TreeDeps, type TreeResult, type TreeSelection, visibleFolder } from "./tree-access";
import type { TreeItem } from "./tree-ports";

/** Dependencies of the use cases of copying. */
export interface CopyDeps extends TreeDeps, Pick<Repositories, "copies" | "events" | "spaces"> {
  /** Suffixes for names of copies beside their originals: see app/i18n. */
  readonly copySuffix: (lang: Lang) => CopySuffix;
  readonly workLimiter: WorkLimiter;
}

/** Result for one of several items, with the id of its copy. */
export interface CopyResult extends TreeResult {
  /** Null if the item was not copied. */
  readonly copyId: Uuid | null;
}

/** Maximum number of attempts when the original changes during the copy. */
const ATTEMPTS = 3;

/**
 * Copies folders and spaces into a folder, each independently; each result states whether its item was copied. The copy of a folder contains all
 * items that the actor sees in the folder at the beginning, also when the target is inside the folder. The copy of a space shows the same files; its
 * events are Unpublished and have new links. Copies in a shared folder are shared with the same group.
 * @param input.lang language of the suffix in the name of a copy beside its original
 * @throws NotFoundError when the folder is not visible
 * @throws ForbiddenError when the actor may not add to it
 * @throws InvalidError too_many for more than COPY_BATCH_MAX items
 * @throws RateLimitedError after COPIES_PER_MINUTE calls for one owner
 */
export async function copyItems(
  deps: CopyDeps,
  input: {
    readonly actor: Actor;
    readonly selection: TreeSelection;
    readonly folderId: Uuid;
    readonly lang: Lang;
  },
): Promise<readonly CopyResult[]> {
  const { actor, selection, lang } = input;
  const { folder: target, path } = await visibleFolder(deps, actor, input.folderId);
  const { ownerId, groupId } = target;
  if (!can(actor, "create", { type: "folder", ownerId, groupId }))
    throw new ForbiddenError("copy into folder");
  const { results, items } = await checkItems(deps, actor, "copy", selection, (item) =>
    getCopyRejection(item, { ...target, path: path.map(({ id }) => id) }),
  );
  if (results.length > COPY_BATCH_MAX)
    throw new InvalidError({ "": [{ key: "folders:errors.tree.tooManyCopies" }] }, "too_many");
  if (results.some(({ rejection }) => rejection === null)) await limitWork(deps, "copy", ownerId);
  const copyResults: CopyResult[] = [];
  // Sequential, because each copied space reduces the number that the licence still allows.
  for (const result of results) {
    const item = result.rejection === null ? items.get(result.id) : undefined;
    copyResults.push(item ? await copyItem(deps, actor, item, target, lang) : { ...result, copyId: null });
  }
  return copyResults;
}

async function copyItem(
  deps: CopyDeps,
  actor: Actor,
  item: TreeItem,
  target: Folder,
  lang: Lang,
): Promise<CopyResult> {
  const { id, kind, name } = item;
  const seesAll = can(actor, "list", { type: "folder", ownerId: item.ownerId, groupId: null });
  const source: CopySource = {
    kind: kind === "folder" ? "folder" : "space",
    id,
    groupIds: seesAll ? null : actor.groupIds,
  };
  const naming =
    target.id === item.parentId
      ? copyNaming(
          deps,
          { kind: source.kind, containerId: target.id },
          { name, max: treeNameMax(kind), lang },
        )
      : null;
  const { outcome, copyId } = await copyWithRetries(deps, source, naming?.query ?? null, async (plan) => {
    // The original's folder at the time of reading: the item may have been moved after it was selected.
    const from = plan.folders[0]?.parentId ?? plan.spaces[0]?.folderId ?? item.parentId ?? "";
    // Each copied space has the source of its original, so all positions stay valid. `nodes: null` keeps them.
    const copy = toCopy(deps, actor, plan, { from, to: target.id }, { nodes: null });
    const ownName = naming?.nameFor(plan.namesInUse) ?? name;
    return { copy, write: () => deps.copies.writeInto(source, copy, target, ownName) };
  });
  return { id, kind, name, rejection: outcome === "copied" ? null : outcome, copyId };
}

/** Naming of a copy beside its original: the query for names that may collide, and the free name for given taken names. */
function copyNaming(
  deps: Pick<CopyDeps, "copySuffix">,
  destination: Pick<CollidingNamesQuery, "kind" | "containerId">,
  { name, max, lang }: { readonly name: string; readonly max: number; readonly lang: Lang },
) {
  const suffix = deps.copySuffix(lang);
  return {
    query: { ...destination, prefixes: [copyNamePrefix(name, suffix, max)] },
    nameFor: (takenNames: readonly string[]) => copyName(name, suffix, max, new Set(takenNames)),
  };
}

/** Reads the original and writes its copy. Tries again, ATTEMPTS times in all, if the original changes or the chosen name is taken in between. */
async function copyWithRetries<Outcome extends CopyOutcome | "name_taken">(
  deps: Pick<CopyDeps, "copies">,
  source: CopySource,
  names: CollidingNamesQuery | null,
  prepare: (plan: CopyPlan) => Promise<{ readonly copy: Copy; readonly write: () => Promise<Outcome> }>,
): Promise<{ readonly outcome: Outcome | "too_large" | "gone" | "changed"; readonly copyId: Uuid | null }> {
  for (let attemptsLeft = ATTEMPTS; attemptsLeft > 0; attemptsLeft--) {
    const plan = await deps.copies.plan(source, COPY_RECORDS_MAX, names);
    if (plan === null) return { outcome: "gone", copyId: null };
    if (plan === "too_large") return { outcome: plan, copyId: null };
    const { copy, write } = await prepare(plan);
    const outcome = await write();
    // The chosen name may have been taken after it was read; the next attempt chooses another one.
    const mustRetry =
      outcome === "changed" || (outcome === "name_taken" && names !== null && attemptsLeft > 1);
    if (!mustRetry) {
      const root = copy.folders[0] ?? copy.spaces[0] ?? copy.events[0];
      return { outcome, copyId: outcome === "copied" ? (root?.id ?? null) : null };
    }
  }
  return { outcome: "changed", copyId: null };
}

/**
 * Creates the records of a copy, with new ids for all records of a plan.
 * @param containers container of the original and of the copy
 * @param frame determines which positions are valid in the target space
 */
function toCopy(
  deps: Pick<CopyDeps, "ids" | "clock">,
  actor: Actor,
  plan: CopyPlan,
  containers: { readonly from: Uuid; readonly to: Uuid },
  frame: SharedFrame | null,
): Copy {
  const { ids } = deps;
  const now = deps.clock.now();
  const newIds = new Map<Uuid, Uuid>([[containers.from, containers.to]]);
  const assignId = (id: Uuid) => {
    const newId = ids.uuid();
    newIds.set(id, newId);
    return newId;
  };
  const newIdOf = (id: Uuid) => newIds.get(id) ?? "";
  const folders = plan.folders.map(({ id, parentId, version }) => {
    const parent = newIdOf(parentId);
    return { from: id, id: assignId(id), parentId: parent, version };
  });
  const depths = new Map<Uuid, number>();
  for (const { id, parentId } of plan.folders) depths.set(id, (depths.get(parentId) ?? 0) + 1);
  const spaces = plan.spaces.map(({ id, folderId, version, sid, isShowcase }) => ({
    from: id,
    folderId: newIdOf(folderId),
    id: assignId(id),
    version,
    sid: isShowcase ? sid : ids.sid(),
  }));
  const { length } = plan.events;
  const events = plan.events.map(({ id, spaceId, revision }, i) => ({
    from: id,
    spaceId: newIdOf(spaceId),
    id: assignId(id),
    revision,
    accessToken: ids.token(),
    previewAccessToken: ids.token(),
    // One millisecond apart, in the order of the originals.
    createdAt: toInstant(now - (length - 1 - i)),
  }));
  const copyParts = (list: CopyPlan["tags"]) =>
    list.map(({ id, eventId }) => ({ from: id, id: assignId(id), eventId: newIdOf(eventId) }));
  const [tags, media] = [copyParts(plan.tags), copyParts(plan.media)];
  const tagMedia = plan.tagMedia.flatMap(({ tagId, mediaId, sortOrder }) => {
    const [newTagId, newMediaId] = [newIds.get(tagId), newIds.get(mediaId)];
    return newTagId && newMediaId ? [{ tagId: newTagId, mediaId: newMediaId, sortOrder }] : [];
  });
  const scenes = plan.scenes.map(({ eventId, ...scene }) => ({
    ...copyScene(
      scene,
      frame,
      (id) => newIds.get(id),
      () => ids.uuid(),
    ),
    eventId: newIdOf(eventId),
  }));
  const rootEntries = folders
    .slice(0, 1)
    .map(({ id, from }) => auditEntry(deps, actor, "folder_copied", "folder", id, { copyOf: from }));
  const spaceEntries = spaces.map(({ id, from }) =>
    auditEntry(deps, actor, "space_copied", "space", id, { copyOf: from }),
  );
  const entries =
    folders.length + spaces.length > 0
      ? [...rootEntries, ...spaceEntries]
      : events.map(({ id, from }) =>
          auditEntry(deps, actor, "event_copied", "event", id, { copyOf: from, spaceId: containers.to }),
        );
  const height = Math.max(0, ...depths.values());
  return { folders, spaces, events, tags, media, tagMedia, scenes, height, at: toInstant(now), entries };
}

/** An event to be copied. */
export interface CopyEventInput {
  readonly actor: Actor;
  readonly eventId: Uuid;
  /** The space that must contain the event, for callers that name one (specification §5: "in the loaded list"). */
  readonly fromSpaceId?: Uuid;
  /** Target space; default: the event's own space. */
  readonly spaceId?: Uuid;
  /** Checked by the schema of its form. Default: the event's own name, with a suffix for a copy in the same space. */
  readonly eventName?: Localized;
}

/**
 * Copies an event into its own space or another one, with its content and settings. The copy is Unpublished and has links of its own. Past
 * dates are not copied, because they would publish or archive it at once. If the other space has a different source, positions are not copied either: tags and
 * media must be placed again (see sharedFrame).
 * @throws NotFoundError when the event or the space is not visible, or the event is not in the space named
 * @throws ForbiddenError when the actor may not copy it, or not add events to the space
 * @throws InvalidError event_name_taken, too_large, changed; other_owner where another owner has the space and the event shows files that the actor
 *   does not see in a library: the copy would still show them when the event's space is no longer shared with the actor
 * @throws LimitError content_full, too_many_events, too_many_space_events; RateLimitedError as copyItems
 */
export async function copyEvent(deps: CopyDeps, input: CopyEventInput): Promise<Event> {
  const { actor, eventId } = input;
  const stored = await deps.events.find(eventId);
  if (!stored || !can(actor, "read", eventResource(stored.space))) throw new NotFoundError("event");
  const { event, space } = stored;
  if (input.fromSpaceId !== undefined && input.fromSpaceId !== space.id) throw new NotFoundError("event");
  if (!can(actor, "copy", eventResource(space))) throw new ForbiddenError("copy event");
  const isOtherSpace = input.spaceId !== undefined && input.spaceId !== space.id;
  const target = isOtherSpace ? await deps.spaces.find(input.spaceId ?? "") : space;
  if (!target || !can(actor, "read", eventResource(target))) throw new NotFoundError("space");
  if (!can(actor, "create", eventResource(target))) throw new ForbiddenError("create event");
  if (target.ownerId !== space.ownerId) await requireVisibleFiles(deps, actor, eventId);
  await limitWork(deps, "copy", target.ownerId);
  const naming = isOtherSpace || input.eventName !== undefined ? null : eventNaming(deps, event);
  const source: CopySource = { kind: "event", id: eventId, groupIds: null };
  const { outcome, copyId } = await copyWithRetries(deps, source, naming?.query ?? null, async (plan) => {
    // Read again for each attempt: the spaces' sources decide which positions are copied.
    const [from, to] = await Promise.all([deps.spaces.find(space.id), deps.spaces.find(target.id)]);
    const frame = from && to && (from.id === to.id ? { nodes: null } : sharedFrame(from, to));
    const copy = toCopy(deps, actor, plan, { from: space.id, to: target.id }, frame);
    const name = input.eventName ?? naming?.nameFor(plan.namesInUse) ?? event.eventName;
    const spaces = [from ?? space, to ?? target];
    return { copy, write: () => deps.copies.writeEvent(source, copy, name, spaces, frame) };
  });
  if (outcome === "name_taken")
    throw await nameTakenError(deps, { spaceId: target.id, name: input.eventName ?? event.eventName });
  if (outcome === "content_full" || outcome === "too_many_events" || outcome === "too_many_space_events")
    throw limitReached(outcome);
  if (outcome === "gone" || copyId === null) throw copyError(outcome as TreeRejection);
  const copiedEvent = await deps.events.find(copyId);
  if (!copiedEvent) throw new NotFoundError("event");
  return copiedEvent.event;
}

/** Requires that the actor sees every file of an event in a library. @throws InvalidError other_owner, for the field of the space */
async function requireVisibleFiles(deps: CopyDeps, actor: Actor, eventId: Uuid): Promise<void> {
  const fileOwners = await deps.copies.listFileOwners(eventId);
  if (fileOwners.every((item) => can(actor, "read", { type: "media", ...item }))) return;
  throw new InvalidError({ spaceId: [{ key: "events:errors.event.filesOfOthers" }] }, "other_owner");
}

/** Naming of an event's copy in the event's space: in each language in which the event has a name, with the suffix of that language. */
function eventNaming(deps: CopyDeps, { spaceId, eventName }: Event) {
  const destination = { kind: "event", containerId: spaceId } as const;
  const namings = LANGS.filter((lang) => eventName[lang] !== "").map((lang) => ({
    lang,
    ...copyNaming(deps, destination, { name: eventName[lang], max: EVENT_NAME_MAX, lang }),
  }));
  return {
    query: {
      ...destination,
      prefixes: namings.flatMap(({ query: collidingNames }) => collidingNames.prefixes),
    },
    nameFor: (takenNames: readonly string[]): Localized => ({
      ...eventName,
      ...Object.fromEntries(namings.map(({ lang, nameFor }) => [lang, nameFor(takenNames)])),
    }),
  };
}

/**
 * Returns the default name of a copy, for the form.
 * @param input.spaceId target space; default: the event's own space
 * @throws NotFoundError when the event is not visible
 */
export async function nameEventCopy(
  deps: CopyDeps,
  input: { readonly actor: Actor; readonly eventId: Uuid; readonly spaceId?: Uuid },
): Promise<Localized> {
  const stored = await deps.events.find(input.eventId);
  if (!stored || !can(input.actor, "read", eventResource(stored.space))) throw new NotFoundError("event");
  const { event } = stored;
  if (input.spaceId !== undefined && input.spaceId !== event.spaceId) return event.eventName;
  const { query: collidingNames, nameFor } = eventNaming(deps, event);
  return nameFor(await deps.copies.listNames(collidingNames));
}

const copyError = (reason: TreeRejection) =>
  reason === "gone"
    ? new NotFoundError("event")
    : new InvalidError({ "": [{ key: `folders:rejected.${reason}` }] }, reason);

/** `context.services.copies`. */
export const copyServices = (deps: CopyDeps) => bindUseCases(deps, { copyItems, copyEvent, nameEventCopy });
