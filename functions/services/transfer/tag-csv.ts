/** Exports and imports the tags of an event as a table (decision 036). */

import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { ContentCommand } from "~/domain/content/content";
import { singleText } from "~/domain/events/event-texts";
import { tidyFileName } from "~/domain/library/file-name";
import { FILE_NAME_SENT_MAX, IMPORTS_OPEN_MAX } from "~/domain/shared/limits";
import type { EventTag, Uuid } from "~/domain/shared/model";
import { can } from "~/domain/shared/permissions";
import { TAG_COLUMNS, tagCells } from "~/domain/transfer/tag-csv.schema";
import { applyCommands, type ContentDeps, loadVisible } from "../content/content";
import { eventResource } from "../events/events";
import type { FileStore } from "../library/stored-file-ports";
import type { UploadStore } from "../library/uploads-ports";
import { ForbiddenError, InvalidError, limitReached, NotFoundError } from "../shared/errors";
import { toInstant } from "../shared/instant";
import { limitWork } from "../shared/work-limit";
import {
  planTagImport,
  type TagCsvInput,
  type TagCsvReport,
  type TagImportPlan,
  type TagImportPlanDeps,
  type TagLineProblem,
} from "./tag-import-plan";

/** Dependencies of tag tables. */
export interface TagCsvDeps extends ContentDeps, TagImportPlanDeps, Pick<Repositories, "imports"> {
  readonly files: FileStore;
  readonly uploadStore: Pick<UploadStore, "putFile">;
}

/** Time for which a checked file can be confirmed and its result can be read, in milliseconds. */
const CONFIRM_MS = 3_600_000;
/** Time for which one call may write a checked file exclusively, in milliseconds. */
const CLAIM_MS = 5 * 60_000;

/** A checked file of tags that waits for its confirmation, or its result. */
export interface TagImport extends TagCsvReport {
  readonly id: Uuid;
  readonly fileName: string;
  readonly isDone: boolean;
  /** Whether tags that the file does not contain are deleted; false for a result. */
  readonly deletesMissing: boolean;
}

/** Exports the tags of an event as a CSV file with all fields. @throws NotFoundError when it is not visible */
export async function exportTags(
  deps: Pick<TagCsvDeps, "content" | "csv" | "clock">,
  input: { readonly actor: Actor; readonly eventId: Uuid },
): Promise<{ readonly fileName: string; readonly text: string }> {
  const { event, tags, media } = await loadVisible(deps, input.actor, input.eventId);
  const mediaNames = new Map(media.map(({ id, libraryItemId, web }) => [id, web?.url ?? libraryItemId]));
  const csv = await deps.csv();
  const toCsvLine = (tag: EventTag, i: number) =>
    csv.line(tagCells(tag, i + 1, (id) => mediaNames.get(id) ?? ""));
  const day = toInstant(deps.clock.now()).slice(0, 10);
  return {
    fileName: `${singleText(event.eventName)} ${day}.csv`,
    // Without this byte order mark, some spreadsheet programs read the file as Shift_JIS.
    text: `\ufeff${csv.line(TAG_COLUMNS)}${tags.map(toCsvLine).join("")}`,
  };
}

/** Finds an event whose tags the actor may change. @throws NotFoundError, ForbiddenError */
async function requireEditableTags(deps: TagCsvDeps, actor: Actor, eventId: Uuid) {
  const content = await loadVisible(deps, actor, eventId);
  const { ownerId, groupId } = eventResource(content.space);
  if (!can(actor, "update", { type: "tag", ownerId, groupId })) throw new ForbiddenError("import tags");
  return content;
}

/** Executes a plan as one change of the event. Returns its report, corrected for the commands that were rejected. */
async function executePlan(
  deps: TagCsvDeps,
  actor: Actor,
  eventId: Uuid,
  plan: TagImportPlan,
): Promise<TagCsvReport> {
  const { report, commands, lineOf } = plan;
  if (commands.length === 0) return report;
  const { results } = await applyCommands(
    deps,
    actor,
    eventId,
    commands.map((command) => ({ command })),
    { action: "event_tags_imported" },
  );
  const problemsByLine = new Map<number, TagLineProblem>();
  for (const [i, result] of results.entries()) {
    const line = lineOf.get(commands[i] as ContentCommand);
    if (result.ok || line === undefined) continue;
    problemsByLine.set(line, {
      column: null,
      message: { key: `transfer:csv.problem.refused.${result.reason}` },
    });
  }
  const deletedIds = new Set(
    results.flatMap((result, i) => (commands[i]?.op === "delete" && result.ok ? [result.id] : [])),
  );
  const isOrderChanged = results.some((result, i) => commands[i]?.op === "move_tags" && result.ok);
  return {
    ...report,
    changesOrder: report.changesOrder && isOrderChanged,
    lines: report.lines.map((line) => {
      const lineProblem = problemsByLine.get(line.line);
      return lineProblem ? { ...line, outcome: "error", problems: [lineProblem] } : line;
    }),
    deleted: report.deleted.filter(({ id }) => deletedIds.has(id)),
  };
}

/**
 * Reads a file of tags and writes it at once, for API clients. Writes nothing if a line is invalid.
 * @param input.isPreview writes nothing, and reports the problems of each line
 * @throws InvalidError bad_file, about `file` or `lines.{line}.{column}`; RateLimitedError; NotFoundError, ForbiddenError
 */
export async function importTags(
  deps: TagCsvDeps,
  input: TagCsvInput & { readonly actor: Actor; readonly eventId: Uuid; readonly isPreview: boolean },
): Promise<TagCsvReport> {
  const { actor, eventId } = input;
  const content = await requireEditableTags(deps, actor, eventId);
  await limitWork(deps, "import", content.space.ownerId);
  const plan = await planTagImport(deps, actor, content, input, deps.ids.uuid());
  if (input.isPreview) return plan.report;
  const errors = plan.report.lines.flatMap(({ line, problems }) =>
    problems.map(({ column, message }) => [`lines.${line}${column ? `.${column}` : ""}`, [message]] as const),
  );
  if (errors.length > 0) throw new InvalidError(Object.fromEntries(errors.slice(0, 200)), "bad_file");
  return executePlan(deps, actor, eventId, plan);
}

/**
 * Reads a file of tags and reports what each line would do. It writes no tag: the file is stored for an hour for its sender.
 * @throws InvalidError bad_file, about `file`; LimitError too_many_imports, library_capacity, trash_full; RateLimitedError; NotFoundError, ForbiddenError
 */
export async function checkTagImport(
  deps: TagCsvDeps,
  input: TagCsvInput & { readonly actor: Actor; readonly eventId: Uuid; readonly fileName: string },
): Promise<TagImport> {
  const { actor, eventId, bytes, deletesMissing } = input;
  const content = await requireEditableTags(deps, actor, eventId);
  await limitWork(deps, "import", content.space.ownerId);
  const id = deps.ids.uuid();
  const plan = await planTagImport(deps, actor, content, input, id);
  const now = deps.clock.now();
  // A new file replaces an earlier one of the actor for this event that was not applied.
  for (const earlierImport of await deps.imports.listChecked(actor.userId, eventId, toInstant(now))) {
    await deps.files.delete([earlierImport.fileKey]);
    await deps.imports.remove(earlierImport.id);
  }
  const changedIds = new Set(
    plan.commands.flatMap((command) => ("version" in command && "id" in command ? [command.id] : [])),
  );
  const versions = content.tags.flatMap((tag) =>
    changedIds.has(tag.id) ? [[tag.id, tag.version] as const] : [],
  );
  const fileName = tidyFileName(input.fileName.slice(0, FILE_NAME_SENT_MAX));
  const newImport = {
    id,
    actorId: actor.userId,
    ownerId: content.space.ownerId,
    kind: "tags" as const,
    targetId: eventId,
    fileName,
    byteSize: bytes.length,
    fileKey: `imports/${id}`,
    multipartId: "",
    detail: { deletesMissing, encoding: plan.report.encoding, versions: Object.fromEntries(versions) },
    createdAt: toInstant(now),
    expiresAt: toInstant(now + CONFIRM_MS),
  };
  // The record is written first, so that the cron trigger can delete its file in any case.
  const outcome = await deps.imports.add(newImport, IMPORTS_OPEN_MAX);
  if (outcome !== "added") throw outcome === "gone" ? new NotFoundError("owner") : limitReached(outcome);
  await deps.uploadStore.putFile(newImport.fileKey, bytes, "text/csv");
  return { ...plan.report, id, fileName, isDone: false, deletesMissing };
}

type OwnTagImport = { readonly actor: Actor; readonly eventId: Uuid; readonly importId: Uuid };

async function findOwnImport(deps: TagCsvDeps, { actor, eventId, importId }: OwnTagImport) {
  const record = await deps.imports.find(importId, actor.userId);
  const isValid =
    record?.kind === "tags" && record.targetId === eventId && record.expiresAt > toInstant(deps.clock.now());
  if (!isValid) throw new NotFoundError("import");
  return record;
}

async function planStoredImport(deps: TagCsvDeps, input: OwnTagImport) {
  const record = await findOwnImport(deps, input);
  const { deletesMissing = false, encoding = null, versions = {} } = record.detail;
  const content = await requireEditableTags(deps, input.actor, input.eventId);
  const file = await deps.files.get(record.fileKey);
  if (!file?.body) throw new NotFoundError("import");
  const bytes = new Uint8Array(await new Response(file.body).arrayBuffer());
  const plan = await planTagImport(
    deps,
    input.actor,
    content,
    { bytes, encoding, deletesMissing },
    record.id,
  );
  return { record, versions, deletesMissing, plan };
}

/**
 * Returns a file of tags that the actor has checked, compared with the current tags, or its result.
 * @throws NotFoundError, ForbiddenError; InvalidError bad_file when the event would have too many tags now
 */
export async function getTagImport(deps: TagCsvDeps, input: OwnTagImport): Promise<TagImport> {
  const record = await findOwnImport(deps, input);
  const { id, fileName } = record;
  if (record.doneAt !== null)
    return { ...(record.report as TagCsvReport), id, fileName, isDone: true, deletesMissing: false };
  const { plan, deletesMissing } = await planStoredImport(deps, input);
  return { ...plan.report, id, fileName, isDone: false, deletesMissing };
}

/**
 * Writes a checked file as one change of the event. Invalid lines are omitted, and also lines whose tag was changed since the check. A second call
 * has no effect.
 * @throws NotFoundError, ForbiddenError; InvalidError bad_file when the event would have too many tags now
 */
export async function applyTagImport(deps: TagCsvDeps, input: OwnTagImport): Promise<void> {
  const { actor, eventId, importId } = input;
  if ((await findOwnImport(deps, input)).doneAt !== null) return;
  const now = deps.clock.now();
  const until = toInstant(now + CLAIM_MS);
  if (!(await deps.imports.claim(importId, toInstant(now), until))) return;
  try {
    const { plan, versions, record } = await planStoredImport(deps, input);
    // Commands have the checked versions of their tags, so that a command for a tag that has changed since is rejected as stale.
    const commands = plan.commands.map((command): ContentCommand => {
      if (command.op !== "update_tag" && command.op !== "delete") return command;
      const version = versions[command.id];
      return { ...command, version: version ?? 0 };
    });
    const lineOf = new Map(
      plan.commands.flatMap((command, i) => {
        const line = plan.lineOf.get(command);
        return line === undefined ? [] : [[commands[i] as ContentCommand, line] as const];
      }),
    );
    const report = await executePlan(deps, actor, eventId, { ...plan, commands, lineOf });
    await deps.imports.finish(importId, until, toInstant(deps.clock.now()), report);
    await deps.files.delete([record.fileKey]);
  } catch (error) {
    await deps.imports.release(importId, until);
    throw error;
  }
}
