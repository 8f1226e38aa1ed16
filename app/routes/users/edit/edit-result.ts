/** Result of a form on a user's page that changed nothing. */
export const NO_RESULT = {
  conflict: null,
  lastResult: null,
  refused: null,
  prompt: null,
  version: null,
} as const;
