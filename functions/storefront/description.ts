/**
 * Reads a product's description as plain data. The HTML is reduced to the supported elements. Pages never contain HTML of a store.
 */
import { Parser } from "htmlparser2";
import { type RichBlock, type RichInline, safeHref } from "~/domain/content/rich-text";
import type { StoreCell, StoreImageData, StoreText } from "~/domain/store/store";

/** Maximum number of characters; the rest of a longer description is dropped. */
const HTML_MAX = 200_000;
/** Maximum depth of nested elements. Deeper elements are reduced to their text. */
const DEPTH_MAX = 30;
/** Maximum number of rows of a table, and of top-level blocks of a description. */
const BLOCKS_MAX = 2_000;

/** These elements are removed with their content. */
const REMOVED_ELEMENTS = new Set(
  "script style template noscript iframe object embed svg math select title".split(" "),
);
/** Elements that are kept. Other elements are replaced by their content. */
const SUPPORTED_ELEMENTS = new Set(
  [
    "p div section article blockquote pre br hr h1 h2 h3 h4 h5 h6",
    "ul ol li dl dt dd table caption thead tbody tfoot tr th td b strong i em a img",
  ].flatMap((names) => names.split(" ")),
);

/** A supported element, with only the attributes that are read. */
interface Element {
  readonly tagName: string;
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly children: readonly Child[];
}
type Child = string | Element;

/** Parses HTML. Never throws. */
function parseSupported(html: string): readonly Child[] {
  const root: Child[] = [];
  /** The list of children that each open element writes to. */
  const open: Child[][] = [root];
  const parser = new Parser({
    onopentag(tagName, attributes) {
      const siblings = open.at(-1) ?? root;
      if (!SUPPORTED_ELEMENTS.has(tagName)) {
        open.push(REMOVED_ELEMENTS.has(tagName) ? [] : siblings);
        return;
      }
      const children: Child[] = [];
      siblings.push({ tagName, attributes, children });
      open.push(children);
    },
    onclosetag: () => void open.pop(),
    ontext: (text) => void open.at(-1)?.push(text),
  });
  parser.end(html);
  return root;
}

/** Returns the image that Hiroba serves for a store's image URL; null if it serves none. */
export type ImageUrl = (url: string, alt: string) => StoreImageData | null;

/** Reads a description. Never throws, whatever the store sends. */
export function readDescription(html: string, imageOf: ImageUrl): StoreText {
  const text = html.slice(0, HTML_MAX);
  if (text.trim() === "") return [];
  try {
    return blocksOf(parseSupported(text), imageOf, 0).slice(0, BLOCKS_MAX);
  } catch (error) {
    // If elements are nested thousands of levels deep, the whole description becomes one paragraph of text.
    if (!(error instanceof RangeError)) throw error;
    return paragraphBlocks(trimInlines([text.replace(/<[^>]*>?/g, " ").replace(/\s+/g, " ")]));
  }
}

type Block = StoreText[number];

const HEADINGS: Readonly<Record<string, 1 | 2 | 3>> = { h1: 1, h2: 1, h3: 2, h4: 2, h5: 3, h6: 3 };
const LIST_ELEMENTS = new Set(["ul", "ol"]);
/** Inline elements. Every other element begins a block. */
const INLINE_ELEMENTS = new Set(["b", "strong", "i", "em", "a", "br"]);
/** Elements whose content becomes a line of its own in inline text, for example in a table cell. */
const LINE_ELEMENTS = new Set(["p", "div", "li", "tr", "blockquote"]);
const isInline = (node: Child): boolean =>
  typeof node === "string" || (INLINE_ELEMENTS.has(node.tagName) && node.children.every(isInline));

/** Converts nodes to blocks. Inline nodes between blocks become paragraphs. */
function blocksOf(nodes: readonly Child[], imageOf: ImageUrl, depth: number): Block[] {
  const blocks: Block[] = [];
  let line: Child[] = [];
  const endLine = () => {
    const text = trimInlines(inlinesOf(line, 0));
    line = [];
    if (text.length > 0) blocks.push({ p: text });
  };
  for (const node of nodes) {
    if (typeof node === "string" || isInline(node)) line.push(node);
    else {
      endLine();
      blocks.push(...blockOf(node, imageOf, depth + 1));
    }
  }
  endLine();
  return blocks;
}

function blockOf(element: Element, imageOf: ImageUrl, depth: number): Block[] {
  const { tagName, children } = element;
  if (depth > DEPTH_MAX) return paragraphBlocks(trimInlines([textOf(children)]));
  if (tagName === "img") return imageBlock(element, imageOf);
  const level = HEADINGS[tagName];
  if (level !== undefined) {
    const h = trimInlines(inlinesOf(children, 0));
    return [...(h.length > 0 ? [{ h, level }] : []), ...imagesIn(children, imageOf)];
  }
  if (LIST_ELEMENTS.has(tagName)) return listBlocks(element, imageOf, depth);
  if (tagName === "table") return tableBlocks(element, imageOf);
  if (tagName === "blockquote") {
    const quote = blocksOf(children, imageOf, depth);
    return quote.length > 0 ? [{ quote }] : [];
  }
  if (tagName === "dt") {
    const term = trimInlines(inlinesOf(children, 0));
    return term.length > 0 ? [{ p: [{ b: term }] }] : [];
  }
  return blocksOf(children, imageOf, depth);
}

const paragraphBlocks = (p: RichInline[]): Block[] => (p.length > 0 ? [{ p }] : []);

function imageBlock({ attributes }: Element, imageOf: ImageUrl): Block[] {
  const { src, alt } = attributes;
  const image = src === undefined ? null : imageOf(src, alt ?? "");
  return image ? [{ image }] : [];
}

const imagesIn = (nodes: readonly Child[], imageOf: ImageUrl): Block[] =>
  nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tagName === "img" ? imageBlock(node, imageOf) : imagesIn(node.children, imageOf);
  });

/** Converts a list to the blocks that lists may have. Images and tables are moved after the list, and quotes become parts of their item. */
function listBlocks(element: Element, imageOf: ImageUrl, depth: number): Block[] {
  const { start } = element.attributes;
  const followingBlocks: Block[] = [];
  const items: RichBlock[][] = [];
  for (const child of element.children) {
    if (typeof child === "string" && child.trim() === "") continue;
    const isItem = typeof child !== "string" && child.tagName === "li";
    const content = blocksOf(isItem ? child.children : [child], imageOf, depth).flatMap(unquote);
    const item: RichBlock[] = [];
    for (const block of content) {
      if ("image" in block || "table" in block || "quote" in block) followingBlocks.push(block);
      else item.push(block);
    }
    if (item.length > 0) items.push(item);
  }
  const startNumber = Number(start ?? 1);
  const listStart = element.tagName === "ol" ? (Number.isSafeInteger(startNumber) ? startNumber : 1) : null;
  return [...(items.length > 0 ? [{ li: items, start: listStart }] : []), ...followingBlocks];
}

const unquote = (block: Block): readonly Block[] =>
  "quote" in block ? block.quote.flatMap(unquote) : [block];

/** Maximum number of columns or rows that a cell spans. */
const SPAN_MAX = 100;
const spanOf = (value: string | undefined): number => {
  const span = Number(value ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, SPAN_MAX) : 1;
};

function cellOf({ tagName, attributes, children }: Element): StoreCell {
  const [columns, rows] = [spanOf(attributes.colspan), spanOf(attributes.rowspan)];
  return {
    text: trimInlines(inlinesOf(children, 0)),
    ...(tagName === "th" && { isHead: true }),
    ...(columns > 1 && { columns }),
    ...(rows > 1 && { rows }),
  };
}

function tableBlocks(element: Element, imageOf: ImageUrl): Block[] {
  const rows: Element[] = [];
  let caption: RichInline[] = [];
  const collect = (nodes: readonly Child[], depth: number): void => {
    for (const node of nodes) {
      if (typeof node === "string" || depth > DEPTH_MAX) continue;
      if (node.tagName === "tr") rows.push(node);
      else if (node.tagName === "caption") caption = trimInlines(inlinesOf(node.children, 0));
      else collect(node.children, depth + 1);
    }
  };
  collect(element.children, 0);
  const cellsOf = (row: Element) =>
    row.children.filter(
      (cell): cell is Element => typeof cell !== "string" && (cell.tagName === "td" || cell.tagName === "th"),
    );
  const [firstRow] = rows;
  const hasHeadRow =
    firstRow !== undefined && rows.length > 1 && cellsOf(firstRow).every(({ tagName }) => tagName === "th");
  const cells = rows
    .slice(0, BLOCKS_MAX)
    .map((row) => cellsOf(row).map(cellOf))
    .filter((row) => row.length > 0);
  const images = imagesIn(element.children, imageOf);
  if (cells.length === 0) return [...paragraphBlocks(caption), ...images];
  return [{ table: cells, head: hasHeadRow, caption }, ...images];
}

/** Converts nodes to inline parts. Elements that are not inline are replaced by their content. */
function inlinesOf(nodes: readonly Child[], depth: number): RichInline[] {
  const parts: RichInline[] = [];
  const push = (part: RichInline) => {
    const lastPart = parts.at(-1);
    if (typeof part === "string" && typeof lastPart === "string") parts[parts.length - 1] = lastPart + part;
    else parts.push(part);
  };
  for (const node of nodes) {
    if (typeof node === "string") push(node.replace(/[ \t\r\n\f]+/g, " "));
    else if (node.tagName === "br") push("\n");
    else if (depth > DEPTH_MAX) push(textOf(node.children));
    else for (const part of inlineOf(node, inlinesOf(node.children, depth + 1))) push(part);
  }
  return parts;
}

function inlineOf({ tagName, attributes }: Element, inner: RichInline[]): RichInline[] {
  if (inner.length === 0) return [];
  if (tagName === "b" || tagName === "strong") return [{ b: inner }];
  if (tagName === "i" || tagName === "em") return [{ i: inner }];
  const href = tagName === "a" && attributes.href !== undefined ? safeHref(attributes.href) : null;
  if (href !== null) return [{ a: inner, href }];
  if (INLINE_ELEMENTS.has(tagName)) return inner;

  return LINE_ELEMENTS.has(tagName) ? ["\n", ...inner, "\n"] : [" ", ...inner, " "];
}

function textOf(nodes: readonly Child[]): string {
  // Uses a stack, not recursion, because a store can nest elements to any depth.
  const stack = [...nodes].reverse();
  let text = "";
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === "string") text += node;
    else stack.push(...node.children.toReversed());
  }
  return text.replace(/\s+/g, " ");
}

/** Removes spaces at both ends and around line breaks. Returns an empty list if nothing is left. */
function trimInlines(parts: RichInline[]): RichInline[] {
  const trimmedParts = parts.map((part) =>
    typeof part === "string"
      ? part
          .replace(/ *\n */g, "\n")
          .replace(/\n{3,}/g, "\n\n")
          .replace(/ {2,}/g, " ")
      : part,
  );
  const [firstPart] = trimmedParts;
  if (typeof firstPart === "string") trimmedParts[0] = firstPart.trimStart();
  const lastPart = trimmedParts.at(-1);
  if (typeof lastPart === "string") trimmedParts[trimmedParts.length - 1] = lastPart.trimEnd();
  return trimmedParts.filter((part) => part !== "");
}
