const VISITOR_PATH =
  /^\/(event\/(published|preview)\/[^/]+|space\/(published|3d|preview)\/[^/]+\/[^/]+)(\/shop(\.data|\/.*)?)?$/;

/**
 * Whether the page of a path, or its data, needs only the code that is loaded at the worker's start (`VISITOR_ROUTES` of scripts/lib/build/lazy-routes.ts).
 */
export const isVisitorPath = (path: string): boolean => VISITOR_PATH.test(path);
