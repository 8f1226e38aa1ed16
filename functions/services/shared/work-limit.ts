import { COPIES_PER_MINUTE, IMPORTS_PER_MINUTE } from "~/domain/shared/limits";
import type { Uuid } from "~/domain/shared/model";
import { RateLimitedError } from "./errors";

/** Work that writes many records. It is counted per owner. */
export type LimitedWork = "copy" | "import";

/** Counts such work per owner. */
export interface WorkLimiter {
  /** Counts one piece of work. Returns false when the limit per minute is reached: COPIES_PER_MINUTE, IMPORTS_PER_MINUTE. */
  take(work: LimitedWork, ownerId: Uuid): Promise<boolean>;
}

const LIMIT_PER_MINUTE = { copy: COPIES_PER_MINUTE, import: IMPORTS_PER_MINUTE } as const;

/** Counts one piece of work for an owner. @throws RateLimitedError with the limit, when the limit per minute is reached */
export async function limitWork(
  deps: { readonly workLimiter: WorkLimiter },
  work: LimitedWork,
  ownerId: Uuid,
): Promise<void> {
  if (await deps.workLimiter.take(work, ownerId)) return;
  throw new RateLimitedError(work, {
    key: `api:errors.limits.${work}Rate`,
    values: { count: LIMIT_PER_MINUTE[work] },
  });
}
