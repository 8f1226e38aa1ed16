/** Rewrites parts of COLLADA documents that three's loader ignores, reads only in part, or fails to read. */
import { type XmlDocument, XmlElement, XmlText } from "./xml-document";

/** The indexes of one corner, that of the position first. */
type CornerIndexes = readonly string[];

/** Returns the triangles of a strip. Every second one has the reverse winding order (COLLADA 1.4.1, "tristrips"). */
const stripTriangles = (corners: readonly CornerIndexes[]): readonly (readonly CornerIndexes[])[] =>
  corners.slice(2).map((third, i) => {
    const [first, second] = [corners[i] ?? [], corners[i + 1] ?? []];
    return i % 2 === 0 ? [first, second, third] : [second, first, third];
  });

/** Returns the triangles of a fan around its first corner. */
const fanTriangles = (corners: readonly CornerIndexes[]): readonly (readonly CornerIndexes[])[] =>
  corners.slice(2).map((third, i) => [corners[0] ?? [], corners[i + 1] ?? [], third]);

/** Rewrites strips and fans as triangles, and polygons as polylists. Line strips with several lists become several line strips. */
export function rewritePrimitives(document: XmlDocument): void {
  const findAll = (name: string) => document.getElementsByTagName(name);
  for (const element of findAll("tristrips")) replaceByTriangles(element, stripTriangles);
  for (const element of findAll("trifans")) replaceByTriangles(element, fanTriangles);
  for (const element of findAll("polygons")) replaceByPolylist(element);
  for (const element of findAll("linestrips")) splitStrips(element);
}

/** Sets the material symbol of primitives without one, where the instances of their geometry bind only one symbol. */
export function bindUniqueMaterials(document: XmlDocument): void {
  const findAll = (name: string) => document.getElementsByTagName(name);
  const readReference = (element: XmlElement | null, attribute: string) =>
    element?.getAttribute(attribute)?.slice(1);
  const geometryByController = new Map(
    findAll("controller").map((element) => [
      element.getAttribute("id"),
      readReference(element.querySelector("skin"), "source"),
    ]),
  );
  const instances = [...findAll("instance_geometry"), ...findAll("instance_controller")].map((element) => {
    const id = readReference(element, "url") ?? "";
    const materials = element.getElementsByTagName("instance_material");
    return {
      geometry: geometryByController.get(id) ?? id,
      symbols: materials.map((bound) => bound.getAttribute("symbol")),
    };
  });
  for (const geometry of findAll("geometry")) {
    const id = geometry.getAttribute("id");
    const boundSymbols = instances
      .filter((instance) => instance.geometry === id)
      .map(({ symbols }) => symbols);
    const [symbol, ...others] = new Set(boundSymbols.flat());
    if (!symbol || others.length > 0) continue;
    for (const name of PRIMITIVE_NAMES)
      for (const element of geometry.getElementsByTagName(name))
        if (!element.hasAttribute("material")) element.setAttribute("material", symbol);
  }
}

const PRIMITIVE_NAMES = ["triangles", "polylist", "polygons", "tristrips", "trifans", "lines", "linestrips"];

/** Removes instances of elements that do not exist in the document. */
export function removeDeadReferences(document: XmlDocument): void {
  const elements = document.getElementsByTagName("*");
  const ids = new Set(elements.map((element) => element.getAttribute("id")));
  for (const element of elements) {
    const target = element.getAttribute("url") ?? element.getAttribute("target") ?? "";
    if (!element.localName.startsWith("instance_") || !target.startsWith("#")) continue;
    if (!ids.has(target.slice(1))) element.remove();
  }
}

const selectChildren = (element: XmlElement, name: string) =>
  element.children.filter(({ localName }) => localName === name);
const splitWords = (text: string) => text.split(/\s+/).filter(Boolean);

/** Returns the index lists of a primitive, one entry for each corner. Holes of a polygon are ignored. */
function readCornerLists(element: XmlElement): readonly (readonly CornerIndexes[])[] {
  const offsets = selectChildren(element, "input").map((input) => Number(input.getAttribute("offset")) || 0);
  const stride = Math.max(0, ...offsets) + 1;
  const listsOfHoledPolygons = selectChildren(element, "ph").flatMap((ph) => selectChildren(ph, "p"));
  return [...selectChildren(element, "p"), ...listsOfHoledPolygons].map((p) => {
    const indices = splitWords(p.textContent);
    return Array.from({ length: Math.floor(indices.length / stride) }, (_, corner) =>
      indices.slice(corner * stride, (corner + 1) * stride),
    );
  });
}

/** Creates a primitive with the same inputs as another one. */
function createSimilarPrimitive(
  element: XmlElement,
  name: string,
  count: number,
  lists: Readonly<Record<string, readonly string[]>>,
): XmlElement {
  const newElement = new XmlElement(name);
  for (const { name: attribute, value } of element.attributes) newElement.setAttribute(attribute, value);
  newElement.setAttribute("count", `${count}`);
  for (const input of selectChildren(element, "input")) newElement.append(input);
  for (const [tag, values] of Object.entries(lists)) {
    const list = new XmlElement(tag);
    list.append(new XmlText(values.join(" ")));
    newElement.append(list);
  }
  return newElement;
}

function replaceByTriangles(element: XmlElement, toTriangles: typeof fanTriangles): void {
  const triangles = readCornerLists(element)
    .flatMap(toTriangles)
    // Triangles with repeated corners are omitted. Strips contain them to change direction.
    .filter((corners) => new Set(corners.map(([position]) => position)).size === 3);
  element.replaceWith(
    createSimilarPrimitive(element, "triangles", triangles.length, { p: triangles.flat(2) }),
  );
}

function replaceByPolylist(element: XmlElement): void {
  const polygons = readCornerLists(element).filter((corners) => corners.length > 2);
  const lists = { vcount: polygons.map((corners) => `${corners.length}`), p: polygons.flat(2) };
  element.replaceWith(createSimilarPrimitive(element, "polylist", polygons.length, lists));
}

function splitStrips(element: XmlElement): void {
  const strips = readCornerLists(element);
  if (strips.length < 2) return;
  element.replaceWith(
    ...strips.map((strip) => createSimilarPrimitive(element, "linestrips", 1, { p: strip.flat() })),
  );
}
