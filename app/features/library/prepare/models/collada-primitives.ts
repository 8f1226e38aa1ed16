/** Primitives of COLLADA that three's loader leaves out or reads in part, as primitives that it reads. */

type Corners = readonly string[];

/** Triangles of a strip; every second one is wound the other way (COLLADA 1.4.1, "tristrips"). */
const stripTriangles = (corners: readonly Corners[]): readonly (readonly Corners[])[] =>
  corners.slice(2).map((third, i) => {
    const [first, second] = [corners[i] ?? [], corners[i + 1] ?? []];
    return i % 2 === 0 ? [first, second, third] : [second, first, third];
  });

/** Triangles of a fan around its first corner. */
const fanTriangles = (corners: readonly Corners[]): readonly (readonly Corners[])[] =>
  corners.slice(2).map((third, i) => [corners[0] ?? [], corners[i + 1] ?? [], third]);

const REWRITTEN = /<(tristrips|trifans|polygons|linestrips)[\s>]/;

/**
 * Rewrites strips and fans as triangles, and polygons and line strips of several lists as one polylist or as several line strips.
 * @returns the same text where there are none of them, and where it is no XML
 */
export function rewritePrimitives(text: string): string {
  if (!REWRITTEN.test(text)) return text;
  const document = new DOMParser().parseFromString(text, "application/xml");
  if (document.getElementsByTagName("parsererror").length > 0) return text;
  const all = (name: string) => [...document.getElementsByTagName(name)];
  for (const element of all("tristrips")) replaceByTriangles(element, stripTriangles);
  for (const element of all("trifans")) replaceByTriangles(element, fanTriangles);
  for (const element of all("polygons")) replaceByPolylist(element);
  for (const element of all("linestrips")) splitStrips(element);
  return new XMLSerializer().serializeToString(document);
}

/** Leaves out instances of elements that the document does not have. */
export function withoutDeadReferences(text: string): string {
  const document = new DOMParser().parseFromString(text, "application/xml");
  const elements = [...document.getElementsByTagName("*")];
  const ids = new Set(elements.map((element) => element.getAttribute("id")));
  for (const element of elements) {
    const target = element.getAttribute("url") ?? element.getAttribute("target") ?? "";
    if (!element.localName.startsWith("instance_") || !target.startsWith("#")) continue;
    if (!ids.has(target.slice(1))) element.remove();
  }
  return new XMLSerializer().serializeToString(document);
}

const childrenOf = (element: Element, name: string) =>
  [...element.children].filter(({ localName }) => localName === name);
const words = (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean);

/** The lists of indices of a primitive, corner by corner. A polygon with holes is read by its outline. */
function cornerLists(element: Element): readonly (readonly Corners[])[] {
  const offsets = childrenOf(element, "input").map((input) => Number(input.getAttribute("offset")) || 0);
  const stride = Math.max(0, ...offsets) + 1;
  const holed = childrenOf(element, "ph").flatMap((ph) => childrenOf(ph, "p"));
  return [...childrenOf(element, "p"), ...holed].map((p) => {
    const indices = words(p.textContent);
    return Array.from({ length: Math.floor(indices.length / stride) }, (_, corner) =>
      indices.slice(corner * stride, (corner + 1) * stride),
    );
  });
}

/** Puts a primitive with the same inputs in the place of another. */
function replace(element: Element, name: string, lists: Readonly<Record<string, readonly string[]>>): void {
  const create = (tag: string) => element.ownerDocument.createElementNS(element.namespaceURI, tag);
  const made = create(name);
  for (const { name: attribute, value } of element.attributes) made.setAttribute(attribute, value);
  for (const input of childrenOf(element, "input")) made.appendChild(input.cloneNode(true));
  for (const [tag, values] of Object.entries(lists)) {
    const list = create(tag);
    list.textContent = values.join(" ");
    made.appendChild(list);
  }
  element.parentNode?.insertBefore(made, element);
}

function replaceByTriangles(element: Element, trianglesOf: typeof fanTriangles): void {
  const triangles = cornerLists(element)
    .flatMap(trianglesOf)
    // Strips repeat corners to turn around.
    .filter((corners) => new Set(corners.map(([position]) => position)).size === 3);
  element.setAttribute("count", `${triangles.length}`);
  replace(element, "triangles", { p: triangles.flat(2) });
  element.remove();
}

function replaceByPolylist(element: Element): void {
  const polygons = cornerLists(element).filter((corners) => corners.length > 2);
  element.setAttribute("count", `${polygons.length}`);
  replace(element, "polylist", {
    vcount: polygons.map((corners) => `${corners.length}`),
    p: polygons.flat(2),
  });
  element.remove();
}

function splitStrips(element: Element): void {
  const strips = cornerLists(element);
  if (strips.length < 2) return;
  element.setAttribute("count", "1");
  for (const strip of strips) replace(element, "linestrips", { p: strip.flat() });
  element.remove();
}
