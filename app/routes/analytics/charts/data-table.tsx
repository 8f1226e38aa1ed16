import type { ReactNode } from "react";
import { cx } from "~/components/cx";

export interface DataColumn {
  readonly key: string;
  readonly header: ReactNode;
  /** Text columns are aligned to the start, numbers to the end. */
  readonly isText?: boolean;
}

export interface DataTableProps {
  readonly caption: string;
  readonly columns: readonly DataColumn[];
  /** The first column takes the room that the numbers leave. */
  readonly isList?: boolean;
  /** The first cell is the header of its row. */
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** Table of numbers. Phones show it with the same columns, so these should be few and narrow. */
export function DataTable({ caption, columns, rows, isList = false }: DataTableProps) {
  const alignment = (index: number) => (index === 0 || columns[index]?.isText ? "text-left" : "text-right");
  return (
    <table className="w-full border-collapse text-sm tabular-nums">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-edge">
          {columns.map(({ key, header }, index) => (
            <th
              key={key}
              scope="col"
              className={cx(
                "py-2 pl-3 align-bottom text-xs font-normal text-muted text-phrase first:pl-0 sm:whitespace-nowrap",
                alignment(index),
                index === 0 && isList && "w-full",
                index > 0 && isList && "min-w-14",
              )}
            >
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} className="border-b border-line">
            {cells.map((cell, index) => {
              const column = columns[index]?.key;
              return index === 0 ? (
                <th key={column} scope="row" className="py-2 text-left font-normal wrap-anywhere">
                  {cell}
                </th>
              ) : (
                <td
                  key={column}
                  className={cx(
                    "py-2 pl-3",
                    alignment(index),
                    !columns[index]?.isText && "whitespace-nowrap",
                  )}
                >
                  {cell}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
