/**
 * XML documents for three's loaders in workers, which have no DOMParser. They have only the used part of the DOM, and need about a quarter of its
 * memory. Documents are parsed in pieces, so that a worker can report progress.
 */
import { SaxesParser } from "saxes";
import { ConversionError } from "../conversion";

/** Maximum number of characters of a document. */
const XML_CHARACTERS_MAX = 128 * 1024 * 1024;
/** Maximum depth of nested elements, because loaders are recursive. */
const DEPTH_MAX = 500;
/** Number of characters between two progress reports. */
const CHARACTERS_PER_REPORT = 1024 * 1024;

const NO_NODES: readonly never[] = [];

/** A text node or CDATA section. White space between elements is omitted. */
export class XmlText {
  readonly nodeType = 3;
  readonly nodeName = "#text";
  constructor(public textContent: string) {}
}

/** A node of a document. */
export type XmlNode = XmlElement | XmlText;

abstract class XmlParent {
  childNodes: readonly XmlNode[] = NO_NODES;

  /** Child elements. */
  get children(): XmlElement[] {
    return this.childNodes.filter((node) => node instanceof XmlElement);
  }

  append(node: XmlNode): void {
    if (this.childNodes === NO_NODES) this.childNodes = [];
    (this.childNodes as XmlNode[]).push(node);
  }

  /** Collects matching descendants in the order of the document, up to `max` of them. */
  private collect(
    matches: (element: XmlElement) => boolean,
    elements: XmlElement[],
    max: number,
  ): XmlElement[] {
    for (const node of this.childNodes) {
      if (elements.length >= max) break;
      if (!(node instanceof XmlElement)) continue;
      if (matches(node)) elements.push(node);
      if (node.childNodes !== NO_NODES) node.collect(matches, elements, max);
    }
    return elements;
  }

  private filterDescendants(matches: (element: XmlElement) => boolean): XmlElement[] {
    return this.collect(matches, [], Number.POSITIVE_INFINITY);
  }

  /** @param name a qualified name, or "*" */
  getElementsByTagName(name: string): XmlElement[] {
    return this.filterDescendants(({ nodeName }) => name === "*" || nodeName === name);
  }

  getElementsByTagNameNS(namespace: string, name: string): XmlElement[] {
    return this.filterDescendants(
      (element) => element.localName === name && element.namespaceURI === namespace,
    );
  }

  /**
   * @param selector local names separated by spaces, each a descendant of the previous one, for example "triangles triangle". No other selectors are
   *   supported.
   */
  querySelectorAll(selector: string): XmlElement[] {
    return this.filterDescendants(createMatcher(selector));
  }

  querySelector(selector: string): XmlElement | null {
    return this.collect(createMatcher(selector), [], 1)[0] ?? null;
  }
}

function createMatcher(selector: string): (element: XmlElement) => boolean {
  const names = selector.split(" ");
  if (!names.every((name) => /^[\w-]+$/.test(name))) throw new SyntaxError(`unknown selector: ${selector}`);
  const [last, ...outer] = names.reverse();
  return (element) => {
    if (element.localName !== last) return false;
    let ancestor = element.parentNode;
    for (const name of outer) {
      while (ancestor instanceof XmlElement && ancestor.localName !== name) ancestor = ancestor.parentNode;
      if (!(ancestor instanceof XmlElement)) return false;
      ancestor = ancestor.parentNode;
    }
    return true;
  };
}

/** An element with its attributes and children. */
export class XmlElement extends XmlParent {
  readonly nodeType = 1;
  parentNode: XmlElement | XmlDocument | null = null;
  /** Names and values of the attributes alternate, which needs less memory than objects. */
  private readonly namesAndValues: string[] = [];

  constructor(readonly nodeName: string) {
    super();
  }

  get localName(): string {
    return this.nodeName.slice(this.nodeName.indexOf(":") + 1);
  }

  /** The namespace of the element's prefix, as the element or an ancestor declares it; null for none. */
  get namespaceURI(): string | null {
    const colon = this.nodeName.indexOf(":");
    return this.namespaceOf(colon < 0 ? "xmlns" : `xmlns:${this.nodeName.slice(0, colon)}`);
  }

  private namespaceOf(declaration: string): string | null {
    for (let ancestor: XmlElement | null = this; ancestor; ancestor = ancestor.parentElement) {
      const declared = ancestor.getAttribute(declaration);
      if (declared !== null) return declared;
    }
    return null;
  }

  /** The parent element; null for the root. */
  get parentElement(): XmlElement | null {
    return this.parentNode instanceof XmlElement ? this.parentNode : null;
  }

  get attributes(): readonly { readonly name: string; readonly value: string }[] {
    const pairs: { name: string; value: string }[] = [];
    for (let index = 0; index < this.namesAndValues.length; index += 2)
      pairs.push({ name: this.namesAndValues[index] ?? "", value: this.namesAndValues[index + 1] ?? "" });
    return pairs;
  }

  getAttribute(name: string): string | null {
    for (let index = 0; index < this.namesAndValues.length; index += 2)
      if (this.namesAndValues[index] === name) return this.namesAndValues[index + 1] ?? null;
    return null;
  }

  getAttributeNS(namespace: string, name: string): string | null {
    for (let index = 0; index < this.namesAndValues.length; index += 2) {
      const [prefix, local] = this.namesAndValues[index]?.split(":") ?? [];
      if (local === name && this.namespaceOf(`xmlns:${prefix}`) === namespace)
        return this.namesAndValues[index + 1] ?? null;
    }
    return null;
  }

  hasAttribute(name: string): boolean {
    return this.getAttribute(name) !== null;
  }

  setAttribute(name: string, value: string): void {
    for (let index = 0; index < this.namesAndValues.length; index += 2)
      if (this.namesAndValues[index] === name) {
        this.namesAndValues[index + 1] = value;
        return;
      }
    this.namesAndValues.push(name, value);
  }

  get textContent(): string {
    const [first, ...others] = this.childNodes;
    if (others.length === 0) return first?.textContent ?? "";
    return this.childNodes.map(({ textContent }) => textContent).join("");
  }

  override append(node: XmlNode): void {
    super.append(node);
    if (node instanceof XmlElement) node.parentNode = this;
  }

  /** Replaces this element by others. */
  replaceWith(...elements: readonly XmlElement[]): void {
    const parent = this.parentNode;
    if (!parent) return;
    parent.childNodes = parent.childNodes.flatMap((node): readonly XmlNode[] =>
      node === this ? elements : [node],
    );
    for (const element of elements) element.parentNode = parent;
    this.parentNode = null;
  }

  remove(): void {
    this.replaceWith();
  }
}

/** A document with one root element. */
export class XmlDocument extends XmlParent {
  get documentElement(): XmlElement {
    const [root] = this.children;
    if (!root) throw new ConversionError("damaged", "The XML document has no elements.");
    return root;
  }

  override append(node: XmlNode): void {
    super.append(node);
    if (node instanceof XmlElement) node.parentNode = this;
  }
}

/**
 * Parses a document. Prefixes need not be declared, because some exporters omit the declarations.
 * @param onShare called with the parsed share, 0…1
 * @throws ConversionError damaged for text that is not well-formed, too_large
 */
export function parseXml(text: string, onShare: (share: number) => void = () => {}): XmlDocument {
  if (text.length > XML_CHARACTERS_MAX)
    throw new ConversionError("too_large", `${text.length} characters of XML`);
  const document = new XmlDocument();
  const openNodes: (XmlElement | XmlDocument)[] = [document];
  const getCurrentParent = () => openNodes.at(-1) ?? document;
  // Equal names share one string to save memory.
  const names = new Map<string, string>();
  const internName = (name: string) => {
    const sharedName = names.get(name);
    if (sharedName !== undefined) return sharedName;
    names.set(name, name);
    return name;
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("error", ({ message }) => {
    throw new ConversionError("damaged", `XML: ${message}`);
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = new XmlElement(internName(name));
    for (const attribute in attributes)
      element.setAttribute(internName(attribute), attributes[attribute] ?? "");
    getCurrentParent().append(element);
    openNodes.push(element);
    if (openNodes.length > DEPTH_MAX + 1)
      throw new ConversionError(
        "too_large",
        `The XML document has more than ${DEPTH_MAX} levels of elements.`,
      );
  });
  parser.on("closetag", () => void openNodes.pop());
  const addText = (content: string) => {
    if (/\S/.test(content)) getCurrentParent().append(new XmlText(content));
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  for (let index = 0; index < text.length; index += CHARACTERS_PER_REPORT) {
    onShare(index / text.length);
    parser.write(text.slice(index, index + CHARACTERS_PER_REPORT));
  }
  parser.close();
  return document;
}
