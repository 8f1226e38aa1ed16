import { Icon, type IconName } from "~/components/icon";
import { Table } from "~/components/table";
import { useMessage } from "~/forms/shared/user-message";
import { useTranslation } from "~/i18n/translation";

/** A line of a CSV file of tags, and the effect that importing it has. */
export interface TagLineRow {
  readonly line: number;
  readonly title: string;
  readonly outcome: "create" | "update" | "unchanged" | "error";
  /** Names of the columns in which the line changes an existing tag. */
  readonly columns: readonly string[];
  readonly problems: readonly { readonly column: string | null; readonly problem: string }[];
}

const OUTCOME_ICONS: Record<TagLineRow["outcome"], readonly [icon: IconName, tone: string]> = {
  create: ["plus", "text-success"],
  update: ["edit", "text-accent"],
  unchanged: ["check", "text-muted"],
  error: ["warning", "text-danger"],
};

/** Table of a file's lines. Each row states the line's effect, and the columns that it changes or its problems. */
export function TagLines({ lines }: { readonly lines: readonly TagLineRow[] }) {
  const { t } = useTranslation();
  const message = useMessage();
  return (
    <Table
      caption={t("transfer:csv.lines")}
      rows={lines}
      rowKey={({ line }) => String(line)}
      columns={[
        { key: "line", header: t("transfer:csv.line"), cell: ({ line }) => line },
        {
          key: "tag",
          header: t("transfer:csv.tag"),
          cell: ({ title }) => <span className="wrap-anywhere">{title || "–"}</span>,
        },
        {
          key: "outcome",
          header: t("transfer:csv.outcome"),
          className: "whitespace-nowrap",
          cell: ({ outcome }) => (
            <span className="inline-flex items-center gap-1.5">
              <Icon name={OUTCOME_ICONS[outcome][0]} size={16} className={OUTCOME_ICONS[outcome][1]} />
              {t(`transfer:csv.outcomes.${outcome}`)}
            </span>
          ),
        },
        {
          key: "detail",
          header: t("transfer:csv.detail"),
          className: "w-1/2",
          blank: ({ columns, problems }) => columns.length + problems.length === 0,
          cell: ({ columns, problems }) =>
            problems.length > 0 ? (
              <ul className="grid gap-1 wrap-anywhere">
                {problems.map(({ column, problem }) => (
                  <li key={`${column} ${problem}`}>
                    {column ? t("transfer:csv.in", { column, problem: message(problem) }) : message(problem)}
                  </li>
                ))}
              </ul>
            ) : (
              <span className="text-muted wrap-anywhere">{columns.join(", ")}</span>
            ),
        },
      ]}
    />
  );
}
