/** Path and parent of a route in the pages' build. */
interface RoutePlace {
  readonly path?: string;
  readonly parentId?: string;
}

/** The routes that a request of one area can match, by id. */
export interface PageAreas {
  /** The key of the area of a path. Paths with the same key match the same routes. */
  keyOf(path: string): string;
  /** The ids of the routes of an area, with the layouts around them and the page of unknown paths. */
  routesOf(key: string): ReadonlySet<string>;
  /** Whether a path belongs to a screen, or may belong to one. */
  hasRoute(path: string): boolean;
}

/** The area of all routes, which requests of the router itself need. */
const WHOLE = "*";
/** The area of paths that belong to no route. */
const UNKNOWN = "?";
/** `/__manifest` and `/_root.data`: requests of the router about other paths. A path that starts with two slashes is read in the router's own way. */
const WHOLE_PATH = /^\/(_|\/)/;

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");

/**
 * Divides the routes by the first segment of their paths, and the visitors' pages by the first two. The router compares a request with all
 * routes that it has, several times for each page, so an area makes a page faster.
 * @param routes the routes of the pages' build, by id
 * @param isVisitorPath whether a path is a visitors' page, which has an area of its own
 */
export function pageAreas(
  routes: Readonly<Record<string, RoutePlace>>,
  isVisitorPath: (path: string) => boolean,
): PageAreas {
  const pathOf = (id: string | undefined): string => {
    const route = id === undefined ? undefined : routes[id];
    return route ? `${pathOf(route.parentId)}/${route.path ?? ""}` : "";
  };
  /** The first segments of a route's path, in lower case; "" for the start page. */
  const firstSegmentsOf = (id: string) => {
    const [first = "", second = ""] = segmentsOf(pathOf(id).toLowerCase());
    return { first, second };
  };
  const places = new Map(Object.keys(routes).map((id) => [id, firstSegmentsOf(id)]));
  const firstSegments = new Set([...places.values()].map(({ first }) => first));
  const isAnywhere = (segment: string) => segment.startsWith("*") || segment.startsWith(":");

  /** The first segment as the router reads it: decoded, in any case, and without the ending of a request for data. */
  const firstOf = (path: string): string | null => {
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
      const first = WHOLE_PATH.test(path) ? null : firstOf(path);
      if (first === null) return WHOLE;
      return firstSegments.has(first) ? first : UNKNOWN;
    },
    routesOf(key) {
      const [areaFirst = "", areaSecond] = key.split("/");
      const ids = new Set<string>();
      for (const [id, { first, second }] of places) {
        const isIn =
          areaSecond === undefined ? first === areaFirst : first === areaFirst && second === areaSecond;
        if (key !== WHOLE && !isIn && !isAnywhere(first)) continue;
        for (let routeId: string | undefined = id; routeId !== undefined; routeId = routes[routeId]?.parentId)
          ids.add(routeId);
      }
      return ids;
    },
    hasRoute(path) {
      const first = WHOLE_PATH.test(path) || path.endsWith(".data") ? null : firstOf(path);
      return first === null || firstSegments.has(first);
    },
  };
}
