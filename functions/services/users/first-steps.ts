import type { Repositories } from "#functions/data/shared/repositories";
import type { Actor } from "~/domain/auth/actor";
import type { Uuid } from "~/domain/shared/model";
import { type FirstStep, firstSteps } from "~/domain/users/first-steps";
import { bindUseCases } from "../shared/bind";

/** Dependencies of the first steps of an account. */
export type FirstStepDeps = Pick<Repositories, "firstSteps">;

/** The first steps of an account (the tasks that the start page offers a new user), and the records for their links. */
export interface FirstStepsView {
  readonly steps: readonly FirstStep[];
  readonly spaceId: Uuid | null;
  readonly eventId: Uuid | null;
  /** An event of the account's sample space; null without one. */
  readonly sampleEventId: Uuid | null;
}

/**
 * Returns the first steps of the actor's account; null if they were dismissed, and for an account with more than FIRST_STEPS_SPACES_MAX spaces. Once all
 * of them are done, it dismisses them and returns null.
 */
export async function readFirstSteps(
  deps: FirstStepDeps,
  { actor }: { readonly actor: Actor },
): Promise<FirstStepsView | null> {
  const { isClosed, sampleEventId, ...records } = await deps.firstSteps.read(actor.userId, actor.groupIds);
  if (isClosed) return null;
  const steps = firstSteps(records);
  if (steps.every(({ isDone }) => isDone)) {
    await deps.firstSteps.close(actor.userId);
    return null;
  }
  return { steps, sampleEventId, spaceId: records.spaceId, eventId: records.eventId };
}

/** Returns an event of the actor's sample space, also when the steps are done or were dismissed; null without one. */
export const findSampleEvent = (deps: FirstStepDeps, { actor }: { readonly actor: Actor }) =>
  deps.firstSteps.findSampleEvent(actor.userId);

/** Dismisses the first steps of the actor's account, on every device. */
export const dismissFirstSteps = (deps: FirstStepDeps, { actor }: { readonly actor: Actor }): Promise<void> =>
  deps.firstSteps.close(actor.userId);

/** Use cases in `context.services.users`. */
export const firstStepServices = (deps: FirstStepDeps) =>
  bindUseCases(deps, { readFirstSteps, findSampleEvent, dismissFirstSteps });
