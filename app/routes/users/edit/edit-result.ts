/** The result of a form of a user's page that changes nothing on the page. */
export const NO_RESULT = {
  conflict: null,
  lastResult: null,
  refused: null,
  prompt: null,
  version: null,
} as const;
