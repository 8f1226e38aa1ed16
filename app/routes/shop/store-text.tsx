import type { StoreText } from "~/domain/store";
import { richBlock, richInline } from "../visit/rich";
import { StorePicture } from "./picture";

/** A description of the store, as plain data: nothing of its HTML is left. */
export function StoreTextView({ text }: { readonly text: StoreText }) {
  const ranks = [...new Set(text.flatMap((part) => ("h" in part ? [part.level] : [])))].sort();
  return (
    <div className="grid gap-3">
      {text.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one fixed text, which may repeat
        <Part key={at} part={part} ranks={ranks} />
      ))}
    </div>
  );
}

/** @param ranks those of the text's headings, the highest first */
function Part({ part, ranks }: { readonly part: StoreText[number]; readonly ranks: readonly number[] }) {
  if ("picture" in part)
    return <StorePicture picture={part.picture} alt={part.picture.alt} sizes="24rem" className="rounded" />;
  if ("table" in part) return <Table {...part} />;
  if (!("h" in part)) return richBlock(part, 0);
  // Of whatever ranks the store uses, the highest stands right below the title over the text, and none is left out.
  const Heading = (["h3", "h4", "h5"] as const)[ranks.indexOf(part.level)] ?? "h5";
  return <Heading className="font-semibold">{part.h.map(richInline)}</Heading>;
}

function Table({ table, head }: Extract<StoreText[number], { table: unknown }>) {
  const [first = [], ...rest] = table;
  const rows = head ? rest : table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div tabIndex={0} className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        {head && (
          <thead>
            <tr className="border-b border-edge/65">
              {first.map((cell, key) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of one fixed table
                <th key={key} scope="col" className="py-2 pr-4 align-top font-semibold">
                  {cell.map(richInline)}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one fixed table
            <tr key={at} className="border-b border-line">
              {row.map((cell, key) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells of one fixed table
                <td key={key} className="py-2 pr-4 align-top">
                  {cell.map(richInline)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
