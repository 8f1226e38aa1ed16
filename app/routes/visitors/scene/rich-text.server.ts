import { LRUCache } from "lru-cache";
import { fromMarkdown } from "mdast-util-from-markdown";
import { type RichBlock, type RichInline, type RichText, safeHref } from "~/domain/content/rich-text";

type Block = ReturnType<typeof fromMarkdown>["children"][number];
type Phrase = Extract<Block, { type: "paragraph" }>["children"][number];
type List = Extract<Block, { type: "list" }>;

/**
 * Markdown constructs that are disabled, so that they remain plain text: HTML and images for safety, the others because people type these
 * characters without meaning Markdown.
 */
const DISABLED_CONSTRUCTS = [
  "blockQuote",
  "characterReference",
  "codeFenced",
  "codeIndented",
  "codeText",
  "definition",
  "htmlFlow",
  "htmlText",
  "labelStartImage",
  "setextUnderline",
  "thematicBreak",
];
/** A text that does not match consists of plain paragraphs. */
const MARKUP = /[*_[\]<\\#+]|^[ \t]*-|^[ \t]*\d{1,9}[.)]| {2}\n/m;
/** A line with seven or more nested list markers. It is never meant as a list and would be expensive to parse. */
const NESTED_LIST_MARKERS = /^[ \t]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+){7}/m;
/** Maximum rendered depth of nested lists, and of nested inline markup (bold, italic, links). Deeper ones are rendered as plain text. */
const DEPTH_MAX = 4;

/** The texts that were parsed last, at most a million characters of them, for pages that the page cache does not hold, such as search results. */
const recentTexts = new LRUCache<string, RichText>({
  maxSize: 1_000_000,
  sizeCalculation: (_read, text) => text.length,
});

/** Parses the Markdown of a body: bold, italic, links, headings and lists. Never throws. */
export function readRichText(text: string): RichText {
  if (text === "") return [];
  const cached = recentTexts.get(text);
  if (cached) return cached;
  const richText =
    MARKUP.test(text) && !NESTED_LIST_MARKERS.test(text) ? parseMarkdown(text) : plainParagraphs(text);
  recentTexts.set(text, richText);
  return richText;
}

const plainParagraphs = (text: string): RichText =>
  text
    .split(/\n[ \t]*\n\s*/)
    .filter((part) => part.trim() !== "")
    .map((part) => ({ p: [part] }));

function parseMarkdown(text: string): RichText {
  const tree = fromMarkdown(text, { extensions: [{ disable: { null: DISABLED_CONSTRUCTS } }] });
  return blocksOf(tree.children, 0);
}

const blocksOf = (nodes: readonly Block[], depth: number): RichBlock[] =>
  nodes.flatMap((node) => blockOf(node, depth));

function blockOf(node: Block, depth: number): RichBlock[] {
  if (node.type === "paragraph") return [{ p: inlinesOf(node.children) }];
  if (node.type === "heading")
    return [{ h: inlinesOf(node.children), level: Math.min(node.depth, 3) as 1 | 2 | 3 }];
  return node.type === "list" ? listOf(node, depth) : [];
}

function listOf(list: List, depth: number): RichBlock[] {
  if (depth >= DEPTH_MAX) return [{ p: [textOf(list)] }];
  const items = list.children.map((item) => blocksOf(item.children, depth + 1));
  return [{ li: items, start: list.ordered ? (list.start ?? 1) : null }];
}

function inlinesOf(nodes: readonly Phrase[], depth = 0): RichInline[] {
  const parts: RichInline[] = [];
  const add = (part: RichInline) => {
    const lastPart = parts.at(-1);
    if (typeof part === "string" && typeof lastPart === "string") parts[parts.length - 1] = lastPart + part;
    else parts.push(part);
  };
  for (const node of nodes) {
    if (node.type === "text") add(node.value);
    else if (node.type === "break") add("\n");
    else if (depth >= DEPTH_MAX) add(textOf(node));
    else if (node.type === "strong") add({ b: inlinesOf(node.children, depth + 1) });
    else if (node.type === "emphasis") add({ i: inlinesOf(node.children, depth + 1) });
    else if (node.type === "link") {
      const href = safeHref(node.url);
      const children = inlinesOf(node.children, depth + 1);
      if (href === null) for (const part of children) add(part);
      else add({ a: children, href });
    }
  }
  return parts;
}

/** Text of a node at any depth, without recursion, because nested input could overflow the stack. One line per paragraph. */
function textOf(root: List | Phrase): string {
  const lines: string[] = [];
  let line = "";
  const stack: (Block | Phrase | List["children"][number])[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.type === "text") line += node.value;
    else if (node.type === "break") line += "\n";
    else if ("children" in node) {
      if (node.type === "paragraph" || node.type === "heading") {
        if (line !== "") lines.push(line);
        line = "";
      }
      stack.push(...[...node.children].reverse());
    }
  }
  return [...lines, line].join("\n");
}
