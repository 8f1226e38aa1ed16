import type { ReactNode } from "react";
import type { RichBlock, RichInline } from "~/domain/content/rich-text";
import { useTranslation } from "~/i18n/translation";
import type { SceneRich } from "../scene/scene-types";

/** Body of a tag, parsed from Markdown. */
export function Rich({ value }: { readonly value: SceneRich }) {
  const { language } = useTranslation();
  const [firstBlock, ...otherBlocks] = value.blocks;
  if (!firstBlock) return null;
  if (otherBlocks.length === 0 && value.lang === language) return renderRichBlock(firstBlock, 0);
  return (
    <div className="grid gap-3" {...(value.lang !== language && { lang: value.lang })}>
      {value.blocks.map(renderRichBlock)}
    </div>
  );
}

/** The list's title is an h2, so the headings in a text start at h3. */
const HEADINGS = { 1: "h3", 2: "h4", 3: "h5" } as const;

/** Renders a block of the parsed text. */
export function renderRichBlock(block: RichBlock, key: number): ReactNode {
  if ("p" in block)
    return (
      <p key={key} className="long-text">
        {block.p.map(renderRichInline)}
      </p>
    );
  if ("h" in block) {
    const Heading = HEADINGS[block.level];
    return (
      <Heading key={key} className="font-semibold">
        {block.h.map(renderRichInline)}
      </Heading>
    );
  }
  const List = block.start === null ? "ul" : "ol";
  return (
    <List
      key={key}
      start={block.start ?? undefined}
      className={`grid gap-1 pl-6 ${block.start === null ? "list-disc" : "list-decimal"}`}
    >
      {block.li.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of one fixed text, which may repeat
        <li key={index}>{item.map(renderRichBlock)}</li>
      ))}
    </List>
  );
}

/** Renders the inline parts of a block. */
export function renderRichInline(part: RichInline, key: number): ReactNode {
  if (typeof part === "string") return part;
  if ("b" in part) return <strong key={key}>{part.b.map(renderRichInline)}</strong>;
  if ("i" in part) return <em key={key}>{part.i.map(renderRichInline)}</em>;
  return (
    <a key={key} href={part.href} target="_blank" rel="noopener noreferrer" className="text-accent underline">
      {part.a.map(renderRichInline)}
    </a>
  );
}
