import { useId } from "react";
import type { StoreCell, StoreText } from "~/domain/store/store";
import { useTranslation } from "~/i18n/translation";
import { renderRichBlock, renderRichInline } from "../../visitors/media/rich";
import { StoreImage } from "../shared/store-image";

/** A text of the store, such as a product's description, which the server has parsed from HTML into data. */
export function StoreTextView({ text }: { readonly text: StoreText }) {
  const headingLevels = [...new Set(text.flatMap((part) => ("h" in part ? [part.level] : [])))].sort();
  return (
    <div className="grid gap-3">
      {text.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text, which may repeat
        <Part key={index} part={part} headingLevels={headingLevels} />
      ))}
    </div>
  );
}

/** Renders a part of the text. @param headingLevels heading levels of the text outside its quotes, the highest first */
function Part({
  part,
  headingLevels,
}: {
  readonly part: StoreText[number];
  readonly headingLevels: readonly number[];
}) {
  if ("image" in part)
    return <StoreImage image={part.image} alt={part.image.alt} sizes="24rem" className="rounded" />;
  if ("table" in part) return <Table {...part} />;
  if ("quote" in part)
    return (
      <blockquote className="grid gap-2 border-l-2 border-edge/65 pl-4 text-muted">
        {part.quote.map((quotedPart, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text, which may repeat
          <Part key={index} part={quotedPart} headingLevels={headingLevels} />
        ))}
      </blockquote>
    );
  if (!("h" in part)) return renderRichBlock(part, 0);
  // Heading levels are mapped so that the highest one follows the title above the text, and none is skipped.
  const Heading = (["h3", "h4", "h5"] as const)[headingLevels.indexOf(part.level)] ?? "h5";
  return <Heading className="font-semibold">{part.h.map(renderRichInline)}</Heading>;
}

/** A table that is wider than its panel scrolls by itself, so that the page does not. */
function Table({ table, head, caption }: Extract<StoreText[number], { table: unknown }>) {
  const { t } = useTranslation();
  const id = useId();
  const [firstRow = [], ...otherRows] = table;
  const rows = head ? otherRows : table;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      aria-label={caption.length > 0 ? undefined : t("store-visitors:table")}
      aria-labelledby={caption.length > 0 ? id : undefined}
      className="overflow-x-auto rounded border border-line"
    >
      <table className="w-full text-left text-sm">
        {caption.length > 0 && (
          <caption id={id} className="px-3 pt-2 text-left text-muted">
            {caption.map(renderRichInline)}
          </caption>
        )}
        {head && (
          <thead>
            <tr className="border-b border-edge/65">
              {firstRow.map((cell, key) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of one fixed table
                <Cell key={key} cell={cell} scope="col" />
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one fixed table
            <tr key={index} className="border-b border-line last:border-0">
              {row.map((cell, key) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of one fixed table
                <Cell key={key} cell={cell} scope="row" />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ cell, scope }: { readonly cell: StoreCell; readonly scope: "col" | "row" }) {
  const { text, isHead, columns, rows } = cell;
  const attributes = {
    colSpan: columns,
    rowSpan: rows,
    className: `min-w-16 max-w-64 px-3 py-2 align-top whitespace-pre-line ${isHead ? "font-semibold" : ""}`,
  };
  const content = text.map(renderRichInline);
  return isHead ? (
    <th scope={scope} {...attributes}>
      {content}
    </th>
  ) : (
    <td {...attributes}>{content}</td>
  );
}
