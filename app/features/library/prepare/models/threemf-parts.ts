/** Rewrites parts of 3MF packages that three's loader reads wrongly. */
import type { XmlDocument, XmlElement } from "./xml-document";

/** Properties by how much of a surface's look they state. */
const SEEN_BEST = ["texture2dgroup", "colorgroup", "basematerials"];

/** Gives triangles with several properties the one that is seen best (3MF Materials and Properties Extension §5). */
export function useSingleProperties(document: XmlDocument): void {
  const multiple = document.querySelectorAll("multiproperties");
  if (multiple.length === 0) return;
  const named = (names: readonly string[]) => names.flatMap((name) => document.querySelectorAll(name));
  const kinds = new Map(named(SEEN_BEST).map((element) => [element.getAttribute("id"), element.localName]));
  const groups = new Map(multiple.map((element) => [element.getAttribute("id"), readGroup(element, kinds)]));
  for (const element of named(["triangle", "object"])) {
    const group = groups.get(element.getAttribute("pid"));
    if (!group) continue;
    element.setAttribute("pid", group.id);
    for (const name of ["p1", "p2", "p3", "pindex"]) {
      const index = element.getAttribute(name);
      if (index !== null) element.setAttribute(name, group.indices[Number(index)] ?? "0");
    }
  }
}

/** The property of a group that is used, and its index for each entry of the group. */
function readGroup(element: XmlElement, kinds: ReadonlyMap<string | null, string>) {
  const words = (value: string | null) => (value ?? "").split(/\s+/).filter(Boolean);
  const ids = words(element.getAttribute("pids"));
  const rank = (id: string) => {
    const at = SEEN_BEST.indexOf(kinds.get(id) ?? "");
    return at < 0 ? SEEN_BEST.length : at;
  };
  const id = ids.reduce((best, other) => (rank(other) < rank(best) ? other : best), ids[0] ?? "");
  const indices = element.children.map(
    (entry) => words(entry.getAttribute("pindices"))[ids.indexOf(id)] ?? "0",
  );
  return { id, indices };
}
