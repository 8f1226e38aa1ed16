import type { Repositories } from "#functions/data/shared/repositories";
import { DAY_MS } from "~/domain/shared/day";
import { TRASH_DAYS } from "~/domain/shared/limits";
import type { Instant } from "~/domain/shared/model";
import type { FileStore } from "../library/stored-file-ports";
import { bindUseCases } from "./bind";
import { toInstant } from "./instant";
import type { Clock } from "./ports";

/** Safety margin after TRASH_DAYS, in milliseconds, for a restoration that began just before the item expired. */
const MARGIN_MS = 3_600_000;
/** Maximum number of library items that one run deletes; the next run continues. */
const FILES_PER_RUN = 100;

/** Dependencies of emptying the trash. */
export interface PurgeDeps extends Pick<Repositories, "purge"> {
  readonly files: FileStore;
  readonly clock: Clock;
}

/**
 * Deletes items that have been in the trash for more than TRASH_DAYS and MARGIN_MS, with their files; for the cron trigger. One run deletes a limited number. Files
 * are deleted before their records, so that an interrupted run is repeated. Returns the number of deleted library items and other records.
 */
export async function purgeTrash(deps: PurgeDeps): Promise<number> {
  const now = deps.clock.now();
  const [deletedBefore, nowInstant] = [toInstant(now - TRASH_DAYS * DAY_MS - MARGIN_MS), toInstant(now)];
  // If one of the two fails, the other must still run.
  const [fileResult, recordResult] = await Promise.allSettled([
    purgeFiles(deps, deletedBefore, nowInstant),
    deps.purge.deleteRecords(deletedBefore, nowInstant),
  ]);
  if (fileResult.status === "rejected") throw fileResult.reason;
  if (recordResult.status === "rejected") throw recordResult.reason;
  return fileResult.value + recordResult.value;
}

async function purgeFiles(deps: PurgeDeps, deletedBefore: Instant, now: Instant): Promise<number> {
  const expired = await deps.purge.expiredFiles(deletedBefore, FILES_PER_RUN);
  if (expired.length === 0) return 0;
  const ids = expired.map(({ id }) => id);
  const keys = expired.flatMap(({ fileKey, thumbKey }) => [fileKey ?? [], thumbKey ?? []].flat());
  keys.push(...(await deps.purge.preparedKeys(ids)));
  // R2 deletes at most a thousand files per call.
  for (let start = 0; start < keys.length; start += 1000)
    await deps.files.delete(keys.slice(start, start + 1000));
  await deps.purge.deleteItems(ids, deletedBefore, now);
  return expired.length;
}

/** `context.services.purge`. */
export const purgeServices = (deps: PurgeDeps) => bindUseCases(deps, { purgeTrash });
