/** The first steps of a new account. Each is computed from the account's records; users cannot tick them. */
import type { Uuid } from "../shared/model";

/** The steps in their order: a space, an event, and the use of an event's link. */
export const FIRST_STEPS = ["space", "event", "link"] as const;

/** The name of a step. */
export type FirstStepName = (typeof FIRST_STEPS)[number];

/** An account with more spaces than this is not new, so it sees no steps. */
export const FIRST_STEPS_SPACES_MAX = 100;

/** Records of an account from which its steps follow. The sample space and its event do not count. */
export interface FirstStepRecords {
  /** The newest space that the account owns or that is shared with it; null without one. */
  readonly spaceId: Uuid | null;
  /** The newest event that a user created, changed or filled; null without one. The empty event that is created with a space does not count. */
  readonly eventId: Uuid | null;
  /** Whether a link of an event was opened, copied or mailed, or a visitor came. */
  readonly hasUsedLink: boolean;
}

/** One step. At most one step is current: the first that is not done. */
export interface FirstStep {
  readonly name: FirstStepName;
  readonly isDone: boolean;
  readonly isCurrent: boolean;
}

/** Returns the steps in their order. */
export function firstSteps({ spaceId, eventId, hasUsedLink }: FirstStepRecords): readonly FirstStep[] {
  const isDone: Readonly<Record<FirstStepName, boolean>> = {
    space: spaceId !== null || eventId !== null,
    event: eventId !== null,
    link: hasUsedLink,
  };
  const currentStep = FIRST_STEPS.find((name) => !isDone[name]);
  return FIRST_STEPS.map((name) => ({ name, isDone: isDone[name], isCurrent: name === currentStep }));
}
