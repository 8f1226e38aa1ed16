/** Path and parent of a route in the pages' build. */
interface RoutePath {
  readonly path?: string;
  readonly parentId?: string;
}

/** Areas: groups of paths that can match the same routes, so that the router compares a request only with the routes of its area. */
export interface PageAreas {
  /** The key of the area of a path. */
  keyOf(path: string): string;
  /** The ids of the routes of an area, with the layouts around them and the page of unknown paths. */
  routesOf(key: string): ReadonlySet<string>;
  /** Whether a path belongs to a page, or may belong to one: a path of the router itself (ROUTER_PATH, or ending with `.data`), or one that cannot be decoded. */
  hasRoute(path: string): boolean;
}

/** Key of the area of all routes, for the paths of ROUTER_PATH and for paths that cannot be decoded. */
const ALL_ROUTES = "*";
/** Key of the area of paths that belong to no route. */
const NO_ROUTE = "?";
/** Paths that start with `/_`, such as `/__manifest` and `/_root.data`, with which the router asks about other paths; and paths that start with two slashes, whose segments the router counts differently. */
const ROUTER_PATH = /^\/(_|\/)/;

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");

/**
 * Divides the routes by the first segment of their paths, and the visitors' pages by the first two. The router compares a request with all
 * routes that it has, several times for each page, so fewer routes make a page faster.
 * @param routes the routes of the pages' build, by id
 * @param isVisitorPath whether a path is a visitors' page or its data
 */
export function pageAreas(
  routes: Readonly<Record<string, RoutePath>>,
  isVisitorPath: (path: string) => boolean,
): PageAreas {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}/${route.path ?? ""}` : "";
  };
  /** The first two segments of a route's path, in lower case; "" for a segment that it does not have. */
  const firstSegmentsOf = (id: string) => {
    const [first = "", second = ""] = segmentsOf(pathOf(id).toLowerCase());
    return { first, second };
  };
  const segmentsById = new Map(Object.keys(routes).map((id) => [id, firstSegmentsOf(id)]));
  const firstSegments = new Set([...segmentsById.values()].map(({ first }) => first));
  const isWildcard = (segment: string) => segment.startsWith("*") || segment.startsWith(":");

  /** The first segment as the router reads it: decoded, in any case, and without the ending of a request for data; null if it cannot be decoded. */
  const firstSegmentOf = (path: string): string | null => {
    try {
      return (
        segmentsOf(
          decodeURIComponent(path)
            .replace(/\.data$/, "")
            .toLowerCase(),
        )[0] ?? ""
      );
    } catch {
      return null;
    }
  };
  return {
    keyOf(path) {
      if (isVisitorPath(path)) return segmentsOf(path).slice(0, 2).join("/");
      const firstSegment = ROUTER_PATH.test(path) ? null : firstSegmentOf(path);
      if (firstSegment === null) return ALL_ROUTES;
      return firstSegments.has(firstSegment) ? firstSegment : NO_ROUTE;
    },
    routesOf(key) {
      const [areaFirst = "", areaSecond] = key.split("/");
      const ids = new Set<string>();
      for (const [id, { first, second }] of segmentsById) {
        const isInArea =
          areaSecond === undefined ? first === areaFirst : first === areaFirst && second === areaSecond;
        if (key !== ALL_ROUTES && !isInArea && !isWildcard(first)) continue;
        for (let routeId: string | undefined = id; routeId !== undefined; routeId = routes[routeId]?.parentId)
          ids.add(routeId);
      }
      return ids;
    },
    hasRoute(path) {
      const firstSegment = ROUTER_PATH.test(path) || path.endsWith(".data") ? null : firstSegmentOf(path);
      return firstSegment === null || firstSegments.has(firstSegment);
    },
  };
}
