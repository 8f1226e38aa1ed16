import type { ReactNode } from "react";
import { useTranslation } from "~/i18n/translation";
import { Anchor } from "./anchor";
import { cx } from "./cx";
import { Icon } from "./icon";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** URL that sorts the table by this column, and the current direction. */
  readonly sort?: { readonly href: string; readonly direction?: "asc" | "desc" };
  /**
   * Layout on phones, where each row is a card. `line` (default): a separate line with the header; `value`: the value beside its neighbours without a
   * header; `header-and-value`: the value beside its neighbours with its header.
   */
  readonly phone?: "line" | "value" | "header-and-value";
  /** Whether the row has no value in this column. The cell shows a dash, and nothing on phones. */
  readonly blank?: (row: Row) => boolean;
  /** Alignment; use `end` for numbers. */
  readonly align?: "start" | "end";
  readonly className?: string;
}

export interface TableProps<Row> {
  /** Description for screen readers. */
  readonly caption: string;
  /** The first column contains the row's name. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** Buttons or a menu at the end of a row. */
  readonly actions?: (row: Row) => ReactNode;
  /** Whether the actions of all rows are always visible, for tables that users open mainly for these actions. */
  readonly showsActions?: boolean;
  /** Id of the rows: "list" when a skip link leads to them. */
  readonly rowsId?: "list";
  /** Content instead of a table without rows. */
  readonly empty?: ReactNode;
}

/**
 * A table whose rows are cards on phones: `<Table caption=… columns={…} rows={…} rowKey={…} />`.
 * With a mouse, the style sheet shows elements with `data-reveal` only while their row (`data-row`) has the pointer or the focus, or a row is selected.
 */
export function Table<Row>({
  caption,
  columns,
  rows,
  rowKey,
  actions,
  showsActions = false,
  rowsId,
  empty,
}: TableProps<Row>) {
  const { t } = useTranslation();
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    <table className="w-full border-collapse text-left text-sm max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:block">
        <tr className="border-b border-edge max-sm:flex max-sm:flex-wrap max-sm:gap-x-4">
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              aria-sort={
                column.sort?.direction && (column.sort.direction === "asc" ? "ascending" : "descending")
              }
              className={cx(
                "h-10 px-1.5 md:px-3 text-xs leading-title font-semibold whitespace-nowrap text-muted first:pl-0 max-sm:h-auto max-sm:px-0",
                column.align === "end" && "text-right",
                !column.sort && "max-sm:sr-only",
                column.className,
              )}
            >
              {column.sort ? <SortLink column={column} sort={column.sort} /> : column.header}
            </th>
          ))}
          {actions && (
            <th scope="col" className="h-10 w-px max-sm:sr-only">
              <span className="sr-only">{t("shared-owners:actions")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody id={rowsId} tabIndex={rowsId && -1} className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            data-row=""
            className="border-b border-line sm:hover:bg-surface max-sm:relative max-sm:flex max-sm:flex-wrap max-sm:gap-x-4 max-sm:py-3"
          >
            {columns.map((column, index) => {
              const blank = column.blank?.(row) ?? false;
              const content = blank ? "–" : column.cell(row);
              const { phone = "line" } = column;
              // On phones, an empty cell does not show its column header.
              const isEmpty =
                content === null || content === undefined || content === false || content === "";
              const className = cx(
                "h-12 px-1.5 py-1 first:pl-0 md:px-3 max-sm:flex max-sm:h-auto max-sm:min-h-8 max-sm:items-center max-sm:px-0",
                phone === "line" ? "max-sm:w-full max-sm:gap-3" : "max-sm:gap-2",
                column.align === "end" && "text-right tabular-nums max-sm:text-left",
                isEmpty && index > 0 && "max-sm:hidden",
                column.className,
                blank && "max-sm:hidden",
              );
              if (index === 0)
                return (
                  <th
                    key={column.key}
                    scope="row"
                    className={cx(className, "font-semibold sm:min-w-40", actions && "max-sm:pr-12")}
                  >
                    {content}
                  </th>
                );
              return (
                <td key={column.key} className={className}>
                  {phone !== "value" && (
                    <span
                      aria-hidden="true"
                      className={cx("shrink-0 text-xs text-muted sm:hidden", phone === "line" && "w-28")}
                    >
                      {column.header}
                    </span>
                  )}
                  {content}
                </td>
              );
            })}
            {actions && (
              <td className="w-px px-0 py-1 text-right whitespace-nowrap max-sm:absolute max-sm:top-2 max-sm:right-0 max-sm:block max-sm:w-auto">
                <div data-reveal={showsActions ? undefined : ""} className="flex justify-end">
                  {actions(row)}
                </div>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortLink<Row>({
  column,
  sort,
}: {
  readonly column: Column<Row>;
  readonly sort: NonNullable<Column<Row>["sort"]>;
}) {
  return (
    <Anchor
      href={sort.href}
      keepScroll
      className={cx(
        "inline-flex min-h-10 items-center gap-1 rounded no-underline hover:text-ink",
        sort.direction && "text-ink",
      )}
    >
      {column.align !== "end" && column.header}
      <Icon
        name={sort.direction === "desc" ? "chevron-down" : "chevron-up"}
        size={16}
        className={cx("max-sm:order-1", !sort.direction && "opacity-0")}
      />
      {column.align === "end" && column.header}
    </Anchor>
  );
}
