/** Rewrites parts of 3MF packages that three's loader cannot read into parts that it reads. */

const PREFIX = /<(\w+):\w/g;

/**
 * A part of a 3MF package that three's loader reads: all namespace prefixes are declared, because some writers forget one, and
 * triangles with several properties have the one that is seen best.
 */
export function readablePart(text: string): string {
  const declared = declarePrefixes(text);
  return /<(?:\w+:)?multiproperties\b/.test(declared) ? withSingleProperties(declared) : declared;
}

function declarePrefixes(text: string): string {
  const used = new Set([...text.matchAll(PREFIX)].map(([, prefix = ""]) => prefix));
  const missing = [...used].filter((prefix) => !new RegExp(`\\sxmlns:${prefix}\\s*=`).test(text));
  if (missing.length === 0) return text;
  const names = missing.map((prefix) => ` xmlns:${prefix}="urn:undeclared:${prefix}"`).join("");
  return text.replace(/<(?:\w+:)?model\b/, (tag) => tag + names);
}

/** Properties by how much of a surface's look they state. */
const SEEN_BEST = ["texture2dgroup", "colorgroup", "basematerials"];

/** Gives triangles one of their properties (3MF Materials and Properties Extension §5). */
function withSingleProperties(text: string): string {
  const document = new DOMParser().parseFromString(text, "application/xml");
  const elements = [...document.getElementsByTagName("*")];
  const named = (...names: readonly string[]) =>
    elements.filter(({ localName }) => names.includes(localName));
  const kinds = new Map(
    named(...SEEN_BEST).map((element) => [element.getAttribute("id"), element.localName]),
  );
  const groups = new Map(
    named("multiproperties").map((element) => [element.getAttribute("id"), readGroup(element, kinds)]),
  );
  for (const element of named("triangle", "object")) {
    const group = groups.get(element.getAttribute("pid"));
    if (!group) continue;
    element.setAttribute("pid", group.id);
    for (const name of ["p1", "p2", "p3", "pindex"]) {
      const index = element.getAttribute(name);
      if (index !== null) element.setAttribute(name, group.indices[Number(index)] ?? "0");
    }
  }
  return new XMLSerializer().serializeToString(document);
}

/** The property of a group that is used, and its index for each entry of the group. */
function readGroup(element: Element, kinds: ReadonlyMap<string | null, string>) {
  const words = (value: string | null) => (value ?? "").split(/\s+/).filter(Boolean);
  const ids = words(element.getAttribute("pids"));
  const rank = (id: string) => {
    const at = SEEN_BEST.indexOf(kinds.get(id) ?? "");
    return at < 0 ? SEEN_BEST.length : at;
  };
  const id = ids.reduce((best, other) => (rank(other) < rank(best) ? other : best), ids[0] ?? "");
  const indices = [...element.children].map(
    (entry) => words(entry.getAttribute("pindices"))[ids.indexOf(id)] ?? "0",
  );
  return { id, indices };
}
