/** Empty result of a form on a user's page. A rejected form sets the fields that the page must show. */
export const EMPTY_RESULT = {
  conflict: null,
  lastResult: null,
  rejection: null,
  prompt: null,
  version: null,
} as const;
