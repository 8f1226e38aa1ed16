/** Rewrites parts of 3MF packages that three's loader reads incorrectly. */
import type { XmlDocument, XmlElement } from "./xml-document";

/** Kinds of properties, in order of their effect on a surface's appearance. */
const KINDS_BY_VISIBILITY = ["texture2dgroup", "colorgroup", "basematerials"];

/** Reduces triangles and objects with several properties to the most visible one (3MF Materials and Properties Extension §5). */
export function chooseSingleProperties(document: XmlDocument): void {
  const multiProperties = document.querySelectorAll("multiproperties");
  if (multiProperties.length === 0) return;
  const selectAll = (names: readonly string[]) => names.flatMap((name) => document.querySelectorAll(name));
  const kinds = new Map(
    selectAll(KINDS_BY_VISIBILITY).map((element) => [element.getAttribute("id"), element.localName]),
  );
  const groups = new Map(
    multiProperties.map((element) => [element.getAttribute("id"), readMostVisible(element, kinds)]),
  );
  for (const element of selectAll(["triangle", "object"])) {
    const group = groups.get(element.getAttribute("pid"));
    if (!group) continue;
    element.setAttribute("pid", group.id);
    for (const name of ["p1", "p2", "p3", "pindex"]) {
      const index = element.getAttribute(name);
      if (index !== null) element.setAttribute(name, group.indices[Number(index)] ?? "0");
    }
  }
}

/** Returns the id of the group's most visible property, and the index into it for each entry of the group. */
function readMostVisible(element: XmlElement, kinds: ReadonlyMap<string | null, string>) {
  const splitWords = (value: string | null) => (value ?? "").split(/\s+/).filter(Boolean);
  const ids = splitWords(element.getAttribute("pids"));
  const rank = (id: string) => {
    const index = KINDS_BY_VISIBILITY.indexOf(kinds.get(id) ?? "");
    return index < 0 ? KINDS_BY_VISIBILITY.length : index;
  };
  const id = ids.reduce((best, candidate) => (rank(candidate) < rank(best) ? candidate : best), ids[0] ?? "");
  const indices = element.children.map(
    (entry) => splitWords(entry.getAttribute("pindices"))[ids.indexOf(id)] ?? "0",
  );
  return { id, indices };
}

/**
 * Returns the models of a package in the order in which three's loader parses them: the root model is last.
 * @param paths all paths of the package in the order of its directory
 */
export function orderModelPaths(paths: readonly string[]): readonly string[] {
  const models = paths.filter((path) => /^3D\/.*\.model$/.test(path));
  const isRoot = (path: string) => path.split("/").length === 2;
  return [...models.filter((path) => !isRoot(path)), ...models.filter(isRoot).slice(-1)];
}

/**
 * Adds the model's path to the ids of its objects and to references to objects. Ids are unique only within a model, and a reference to another model
 * contains its path (3MF Production Extension §2), but the loader distinguishes objects only by their ids.
 * @param path the path of the model in its package
 */
export function addPathToObjectIds(document: XmlDocument, path: string): void {
  for (const object of document.querySelectorAll("object"))
    object.setAttribute("id", `${path}#${object.getAttribute("id")}`);
  for (const reference of [...document.querySelectorAll("component"), ...document.querySelectorAll("item")]) {
    const otherModelPath = reference.attributes.find(({ name }) => name.endsWith(":path"))?.value;
    reference.setAttribute(
      "objectid",
      `${otherModelPath?.replace(/^\//, "") ?? path}#${reference.getAttribute("objectid")}`,
    );
  }
}
